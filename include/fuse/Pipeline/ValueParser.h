//===- ValueParser.h - options that have one of a few values ----*- C++ -*-===//
//
// LLVM's parsers say only that there is no such value.
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

} // namespace fuse

#endif // FUSE_PIPELINE_VALUEPARSER_H
