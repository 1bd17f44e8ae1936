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

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_TRANSFORMS_BLOCKTRAFFIC_H
