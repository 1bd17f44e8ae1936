//===- ThreadLimits.h - what a thread may have of a tile --------*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_THREADLIMITS_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_THREADLIMITS_H

#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

/// Fails, with an error, if a layout leaves more elements of a tile to a thread
/// than code can be made for.
mlir::LogicalResult checkThreads(KernelOp kernel);

/// Blocks that share a processor share its registers. If products do not fit in
/// what each gets, there are fewer blocks than were asked for.
void limitResidents(KernelOp kernel, int64_t numWarps);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_THREADLIMITS_H
