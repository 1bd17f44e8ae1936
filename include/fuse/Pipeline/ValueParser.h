//===- ValueParser.h - options that say what they need ----------*- C++ -*-===//
//
// LLVM's parsers say only that there is no such value, and take a text that is
// empty.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PIPELINE_VALUEPARSER_H
#define FUSE_PIPELINE_VALUEPARSER_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"

namespace fuse {

/// The parser of an enum's values, whose complaint lists those that there are.
template <typename Value, typename Base = llvm::cl::parser<Value>>
class ValueParser : public Base {
public:
  using Base::Base;

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, Value &value) {
    std::string known;
    for (unsigned i = 0; i < this->getNumOptions(); ++i) {
      llvm::StringRef own = this->getOption(i);
      if (own == text)
        return Base::parse(option, name, text, value);
      if (!own.empty())
        known += (known.empty() ? "" : ", ") + own.str();
    }
    return option.error("'" + text + "' is none of " + known, name);
  }
};

/// The parser of a switch: alone, or with `on` or `off`.
class SwitchParser : public llvm::cl::parser<bool> {
public:
  using parser::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, bool &value) {
    value = text != "off";
    if (text.empty() || text == "on" || text == "off")
      return false;
    return option.error("'" + text + "' is none of on, off", name);
  }
};

/// The parser of a name, such as that of a file. An empty one, which a variable
/// of a shell that is not set leaves, would look as if none had been given.
class NameParser : public llvm::cl::parser<std::string> {
public:
  using parser::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, std::string &value) {
    value = text.str();
    return text.empty() &&
           option.error("is empty, but a value is needed", name);
  }
};

/// An option that names something.
using NameOption = llvm::cl::opt<std::string, false, NameParser>;

} // namespace fuse

#endif // FUSE_PIPELINE_VALUEPARSER_H
