//===- RingWriter.h - a ring in the loop that it feeds ----------*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGWRITER_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGWRITER_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace fuse::tile {

/// A load, and how it lies in its slot.
struct RingPart {
  LoadOp load;
  /// What rounds the load, if the copy does it.
  RoundOp round;
  mlir::RankedTensorType type;
  /// The tile in shared memory that is all the load is used for; null if
  /// threads read the slot.
  ConvertLayoutOp shared;

  mlir::Value value() { return round ? round.getResult() : load.getResult(); }
};

/// A loop whose round with number `n` of `trips` is `lower + n * step`.
struct CountedLoop {
  mlir::scf::ForOp loop;
  mlir::Value trips, base;
};

/// The layout that a user of a tile in registers wants.
LayoutAttr wantedBy(mlir::Operation *user, mlir::Value tile);

/// Puts a ring of so many slots in front of the kernel, and makes `counted`
/// copy `parts` into it and read them there. With `isEarly`, what only threads
/// read is released when they have.
void writeRing(mlir::IRRewriter &rewriter, const CountedLoop &counted,
               llvm::ArrayRef<RingPart> parts, int64_t slots, bool isEarly);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGWRITER_H
