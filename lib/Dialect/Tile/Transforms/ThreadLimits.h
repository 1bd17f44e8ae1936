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

/// The registers of a thread that a tile takes, of 32 bits.
int64_t registersOf(mlir::RankedTensorType type);

/// Whether what warps reduce together comes back to what it was reduced of: the
/// more there are of them, the more each reads of the others. Softmax along the
/// second of 64x1000x512 bf16 took 122 us with 16 warps, and 73 with eight.
bool waitsForWarps(KernelOp kernel);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_THREADLIMITS_H
