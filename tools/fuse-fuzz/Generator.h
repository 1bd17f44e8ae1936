//===- Generator.h - random graphs ------------------------------*- C++ -*-===//
//
// Makes valid graphs of which it is known how their results may be judged. A
// graph is a function of its seed and number, so a failure is two numbers.
//
// A graph is made in one of two modes. In an *exact* graph every value is a
// whole number that its type holds, so every road must give the same bits. In
// a *float* graph values round, and functions that would make much of a
// rounding are left out: see docs/Testing.md for the list.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_FUZZ_GENERATOR_H
#define FUSE_TOOLS_FUSE_FUZZ_GENERATOR_H

#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "llvm/ADT/StringMap.h"

namespace fuse {

struct FuzzGraph {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Whether results are compared bit for bit.
  bool isExact = false;
  /// The seed of the data.
  uint64_t dataSeed = 0;
  /// The sizes of arguments whose types leave some open, by name.
  llvm::StringMap<ArgumentShape> shapes;
};

/// Graph `number` of `seed`, of about `maxOps` ops at most.
FuzzGraph generateGraph(mlir::MLIRContext &context, uint64_t seed,
                        uint64_t number, unsigned maxOps);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_FUZZ_GENERATOR_H
