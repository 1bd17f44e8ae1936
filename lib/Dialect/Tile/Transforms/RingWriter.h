//===- RingWriter.h - a ring in the loop that it feeds ----------*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGWRITER_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGWRITER_H

#include "RingParts.h"
#include "mlir/IR/PatternMatch.h"

namespace fuse::tile {

/// A loop whose rounds have the numbers from `base` on that its induction
/// variable adds; or one of which all rounds have numbers of their own.
struct CountedLoop {
  mlir::scf::ForOp loop;
  mlir::Value base;
  bool isAdded = true;
};

/// Puts a ring for `loop` in front of its kernel; of each kind these are the
/// parts.
mlir::TypedValue<RingType>
createRing(mlir::IRRewriter &rewriter, mlir::scf::ForOp loop, int64_t slots,
           llvm::ArrayRef<llvm::SmallVector<mlir::RankedTensorType>> kinds);

/// Makes `counted` copy `parts` into a ring, as one of its kinds, and read them
/// there. With `isEarly`, what only threads read is released when they have.
void writeRing(mlir::IRRewriter &rewriter, const CountedLoop &counted,
               llvm::ArrayRef<RingPart> parts, mlir::TypedValue<RingType> ring,
               int64_t kind, bool isEarly);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGWRITER_H
