//===- Scratch.h - shared memory that single ops need -----------*- C++ -*-===//
//
// What threads tell each other in reductions and conversions passes through one
// buffer, which the largest of them fills.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_SCRATCH_H
#define FUSE_DIALECT_TILE_ANALYSIS_SCRATCH_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Layout/Conversion.h"

namespace fuse::tile {

/// How a tile in registers goes from one layout to another. What is stored
/// behind products takes little memory, and several rounds, since slots of
/// rings need it: 512x3072 by 3072x50257 took 433 us with two slots, and 372
/// with three.
llvm::Expected<Conversion> planConvert(ConvertLayoutOp op);

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

/// The factor of a product of split numbers of which not only the tile is in
/// shared memory but also what the instruction does not read of its numbers,
/// their rests; null for other products.
mlir::Value splitFactor(DotOp op);

/// Whether rests are written with the tile, and for all rounds of loops behind
/// it: somebody multiplies with it there.
bool hasRests(ConvertLayoutOp op);

/// The bytes of what a conversion writes to shared memory for others to read:
/// the tile, and behind it the rests if there are some.
int64_t sharedBytes(ConvertLayoutOp op);

/// The bytes of another buffer, for the rests that a product of split numbers
/// writes itself; it is kept apart since groups of four warps go their own ways
/// there.
int64_t splitBytes(DotOp op);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_SCRATCH_H
