//===- Scratch.h - shared memory that single ops need -----------*- C++ -*-===//
//
// What threads tell each other in reductions and conversions passes through one
// buffer, which the largest of them fills.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_SCRATCH_H
#define FUSE_DIALECT_TILE_ANALYSIS_SCRATCH_H

#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

/// The bytes that a reduction needs: each thread writes each of its results, if
/// they are combined across warps.
int64_t scratchBytes(ReduceOp op);

/// The bytes of the buffer that a reduction or a conversion needs, and no other
/// op does. Conversions that cannot be done need none.
int64_t scratchBytes(mlir::Operation *op);

/// Bits of a thread's number that make no difference to what it holds.
unsigned alikeThreads(const Layout &layout);

/// The bytes of another buffer, into which other blocks write, for a reduction
/// of tiles that blocks share; 0 for others. Of threads that hold the same one
/// tells it.
int64_t exchangeBytes(ReduceOp op);

/// The bytes of another buffer, for what a product of split numbers writes of a
/// factor; it is kept apart since groups of four warps go their own ways there.
int64_t splitBytes(DotOp op);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_SCRATCH_H
