//===- PeakMemory.h - how much memory a graph takes -------------*- C++ -*-===//
//
// Found before anything runs, so that a graph that cannot run says so instead
// of being killed half-way.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_PEAKMEMORY_H
#define FUSE_COMPILER_PEAKMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {

/// The tensors that are alive together at the worst op of a function.
struct PeakMemory {
  uint64_t bytes = 0;
  mlir::Operation *at = nullptr;
};

/// What running `function` op by op takes at most beside its arguments, each
/// tensor being held from the op that makes it to the last op that reads it. A
/// result that is written into an operand takes nothing of its own. Sizes must
/// be static. The sum saturates.
PeakMemory findPeakMemory(mlir::func::FuncOp function);

} // namespace fuse

#endif // FUSE_COMPILER_PEAKMEMORY_H
