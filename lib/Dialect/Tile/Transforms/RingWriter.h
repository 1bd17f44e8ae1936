//===- RingWriter.h - a ring in the loop that it feeds ----------*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGWRITER_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGWRITER_H

#include "RingParts.h"
#include "mlir/IR/PatternMatch.h"

namespace fuse::tile {

/// A loop whose round with number `n` of `trips` is `lower + n * step`.
struct CountedLoop {
  mlir::scf::ForOp loop;
  mlir::Value trips, base;
};

/// Puts a ring of so many slots in front of the kernel, and makes `counted`
/// copy `parts` into it and read them there. With `isEarly`, what only threads
/// read is released when they have.
void writeRing(mlir::IRRewriter &rewriter, const CountedLoop &counted,
               llvm::ArrayRef<RingPart> parts, int64_t slots, bool isEarly);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGWRITER_H
