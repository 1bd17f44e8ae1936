//===- Simulate.h - run kernels on the CPU, op by op ------------*- C++ -*-===//
//
// An interpreter of kernels in any of their forms, for tests. What is under way
// in the staged form completes at times that a seed chooses, as early or as
// late as is allowed, and whoever relies on anything else is told where.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_SIMULATE_SIMULATE_H
#define FUSE_SIMULATE_SIMULATE_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Runtime/ElementType.h"

namespace fuse {

/// An array that a kernel reads or writes.
struct SimulatedMemory {
  void *data = nullptr;
  ElementType type = ElementType::F32;
  llvm::ArrayRef<int64_t> shape;
  /// In elements; none if it is row-major without gaps.
  llvm::ArrayRef<int64_t> strides;
};

struct SimulationOptions {
  /// What chooses the times at which things happen.
  uint64_t seed = 0;
  /// Ops on single elements after which it is given up; they take minutes.
  uint64_t mostWork = uint64_t(1) << 38;
};

/// Runs all blocks of `kernel`, one cluster after the other. `memory` has what
/// the kernel's arguments are, inputs before outputs. What is wrong is reported
/// as a diagnostic where it is: a race, an element beside the memory, one that
/// no block or several write, a wait that never ends.
llvm::LogicalResult simulateKernel(tile::KernelOp kernel,
                                   llvm::ArrayRef<int64_t> grid,
                                   llvm::ArrayRef<SimulatedMemory> memory,
                                   const SimulationOptions &options);

} // namespace fuse

#endif // FUSE_SIMULATE_SIMULATE_H
