//===- RingRounds.h - what is known of the rounds of a loop -----*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGROUNDS_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGROUNDS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuse::tile {

/// Whether threads reduce nothing in a loop, and multiply number by number for
/// longer in a round than memory takes to bring the next one.
bool isLongRound(mlir::scf::ForOp loop);

/// How many rounds a loop has at most, if its bounds tell: those of a chunk of
/// a split loop do, wherever it begins.
std::optional<int64_t> mostRounds(mlir::scf::ForOp loop);

/// Whether no other loop of its kernel reads anything, for which room would
/// have to be left.
bool isOnlyLoop(mlir::scf::ForOp loop);

/// The op of a loop with the last of its readers, if all have read before any
/// inner loop begins.
mlir::Operation *lastBeforeLoops(mlir::scf::ForOp loop,
                                 llvm::ArrayRef<mlir::Operation *> readers);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGROUNDS_H
