//===- Names.h - what things in a graph may be called -----------*- C++ -*-===//
//
// Private to the dialect: the one rule for names of arguments, results and
// kernels. Tools make file names, switches and symbols of them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_FUSE_IR_NAMES_H
#define FUSE_LIB_DIALECT_FUSE_IR_NAMES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"

namespace fuse {

inline constexpr llvm::StringLiteral plainNameRule =
    "letters, digits and '_' with no digit in front";

inline bool isPlainName(llvm::StringRef name) {
  auto isPlain = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  return !name.empty() && llvm::all_of(name, isPlain) &&
         !llvm::isDigit(name.front());
}

} // namespace fuse

#endif // FUSE_LIB_DIALECT_FUSE_IR_NAMES_H
