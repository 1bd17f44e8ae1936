//===- BlockTraffic.h - what blocks read in a round -------------*- C++ -*-===//

#ifndef FUSE_DIALECT_TILE_TRANSFORMS_BLOCKTRAFFIC_H
#define FUSE_DIALECT_TILE_TRANSFORMS_BLOCKTRAFFIC_H

#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

/// The bytes of tiles that are loaded in a round, by which of the grid's last
/// two dimensions, rows and columns, their addresses depend on. Where blocks
/// form clusters it is what all of one load.
struct BlockTraffic {
  int64_t byRow = 0, byColumn = 0;

  static BlockTraffic of(KernelOp kernel);

  /// Whether blocks of a row read the same, and those of a column, too.
  bool isShared() const { return byRow != 0 && byColumn != 0; }
};

/// How many bytes all memory has from which loads in loops read that are
/// `meant`, each counted once; nothing if some has a size that is not known.
std::optional<int64_t> bytesReadInLoops(KernelOp kernel,
                                        llvm::function_ref<bool(LoadOp)> meant);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_TRANSFORMS_BLOCKTRAFFIC_H
