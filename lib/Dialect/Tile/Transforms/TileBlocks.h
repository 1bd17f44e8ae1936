//===- TileBlocks.h - tiles that several blocks hold together ---*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_TILEBLOCKS_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_TILEBLOCKS_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Layout/Layout.h"

namespace fuse::tile {

/// The blocks of a cluster that hold tiles together, and what each has of them.
class TileBlocks {
public:
  TileBlocks() = default;
  TileBlocks(KernelOp kernel, unsigned number);

  unsigned number() const { return numBlocks; }
  /// What one block holds of a tile.
  Coordinates partOf(llvm::ArrayRef<int64_t> extents) const;
  /// The whole, of which each block holds its part as `part` says, or all if
  /// that is not divided.
  Layout together(const Layout &part, llvm::ArrayRef<int64_t> extents) const;

private:
  unsigned axisOf(llvm::ArrayRef<int64_t> extents) const;

  unsigned numBlocks = 1;
  /// The axis that is divided, where that is not the last one.
  std::optional<unsigned> axis;
};

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_TILEBLOCKS_H
