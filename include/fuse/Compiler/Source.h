//===- Source.h - read a module from a file ---------------------*- C++ -*-===//
//
// Everything that a file can be and still not be a module: missing, empty, or
// nested so deeply that MLIR's parser, which recurses, would exhaust the stack.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_SOURCE_H
#define FUSE_COMPILER_SOURCE_H

#include "fuse/Runtime/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fuse {

/// Text may nest brackets this deeply. Nobody writes a tenth of it.
inline constexpr unsigned maxNesting = 1000;

/// Reads a module, text or bytecode, from `path` ("-" is standard input).
Result<std::unique_ptr<llvm::MemoryBuffer>> readSource(llvm::StringRef path);

/// Where `text` nests brackets more than `maxNesting` deep, or runs of prefix
/// operators are that long: line and column, counted from 1.
std::optional<std::pair<unsigned, unsigned>>
findExcessiveNesting(llvm::StringRef text);

} // namespace fuse

#endif // FUSE_COMPILER_SOURCE_H
