//===- Access.h - between memory and tiles ----------------------*- C++ -*-===//
//
// Loads, gathers, stores, and what copies read: each element is looked up, and
// one that is outside of the memory, and by no limit left out, is an error.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_ACCESS_H
#define FUSE_LIB_SIMULATE_ACCESS_H

#include "Array.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Simulate/Simulate.h"

namespace fuse::simulate {

/// A memory of a kernel, and for an output which block wrote each element.
struct Memory {
  SimulatedMemory view;
  /// Numbers of blocks, counted from 1; 0 is nobody. Empty for an input.
  std::vector<uint64_t> writers;

  llvm::SmallVector<int64_t, 4> strides() const {
    return view.strides.empty() ? stridesOf(view.shape)
                                : llvm::SmallVector<int64_t, 4>(view.strides);
  }
  /// The element that is so many elements from the start.
  llvm::SmallVector<int64_t, 4> placeOf(int64_t offset) const;
  /// From the first element to behind the last one; 0 if there is none.
  int64_t spannedElements() const;
};

/// The parts of an access that are the same each time.
struct AccessPlan {
  tile::MemoryAccess access;
  /// By dimension of the memory, then by axis of the tile.
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 4> coefficients;

  explicit AccessPlan(mlir::Operation *op);
};

/// And those that are not.
struct AccessOperands {
  llvm::SmallVector<int64_t, 4> indices, starts, limits;
  /// Of a gather.
  llvm::SmallVector<ArrayPtr, 2> positions;
};

/// Fills `result`, which is all zero.
llvm::LogicalResult read(const AccessPlan &plan, const AccessOperands &operands,
                         const Memory &memory, Array &result);

/// Writes `source` for the block with this number.
llvm::LogicalResult write(const AccessPlan &plan,
                          const AccessOperands &operands, const Array &source,
                          uint64_t block, Memory &memory);

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_ACCESS_H
