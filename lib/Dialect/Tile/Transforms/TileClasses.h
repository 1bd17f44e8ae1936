//===- TileClasses.h - tiles that have one layout ---------------*- C++ -*-===//
//
// Elements stay where they are in pointwise ops, in what loops carry, and in
// the sums of products: such tiles form a class, which is placed as one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_TILECLASSES_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_TILECLASSES_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Layout/Layout.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <memory>

namespace fuse::tile {

/// Tiles that have one layout.
struct TileClass {
  unsigned number = 0;
  llvm::SmallVector<mlir::Value> members;
  mlir::RankedTensorType type;
  /// Dots that accumulate into it, and that multiply with it.
  llvm::SmallVector<DotOp> sums, uses;
  /// Loads, gathers and stores of it.
  llvm::SmallVector<mlir::Operation *> memory;
  std::optional<Layout> layout;

  int64_t numElements() const { return type.getNumElements(); }
};

/// The classes of a kernel, in the order in which their first members appear.
class TileClasses {
public:
  void collect(KernelOp kernel);

  /// Null for what is no tile.
  TileClass *of(mlir::Value value) const;
  llvm::ArrayRef<std::unique_ptr<TileClass>> all() const { return classes; }

private:
  void connect(mlir::Operation *op);

  llvm::EquivalenceClasses<const void *> sets;
  llvm::DenseMap<const void *, TileClass *> byLeader;
  llvm::SmallVector<std::unique_ptr<TileClass>> classes;
};

/// Clones what costs nothing to make again, constants and broadcasts, for each
/// of its users: one that two tiles start from must not make them agree.
void separateFreeOps(KernelOp kernel);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_TILECLASSES_H
