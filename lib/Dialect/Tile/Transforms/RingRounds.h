//===- RingRounds.h - what is known of the rounds of a loop -----*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGROUNDS_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGROUNDS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuse::tile {

/// How many cycles a processor takes for a round of a loop in which threads
/// multiply number by number, and reduce nothing; 0 for other loops.
int64_t cyclesOfRound(mlir::scf::ForOp loop);

/// How many blocks of so many warps have registers on a processor, as far as
/// what loops carry tells.
int64_t blocksByRegisters(mlir::scf::ForOp loop, int64_t warps);

/// Whether the rounds of a loop can be counted, in the kernel as a whole too.
bool isCountable(mlir::scf::ForOp loop);

/// How many rounds a loop has at most, if its bounds tell: those of a chunk of
/// a split loop do, wherever it begins.
std::optional<int64_t> mostRounds(mlir::scf::ForOp loop);

/// Whether no other loops of their kernel read anything, for which room would
/// have to be left.
bool areOnlyLoops(llvm::ArrayRef<mlir::scf::ForOp> loops);

/// The op of a loop with the last of its readers, if all have read before any
/// inner loop begins.
mlir::Operation *lastBeforeLoops(mlir::scf::ForOp loop,
                                 llvm::ArrayRef<mlir::Operation *> readers);

/// The op of a loop with the first of its readers, if an inner loop ends before
/// any of them begins, and threads have no room for a `tile` beside what that
/// loop multiplies: what is read earlier takes registers all that time.
mlir::Operation *firstBehindLoops(mlir::scf::ForOp loop,
                                  llvm::ArrayRef<mlir::Operation *> readers,
                                  mlir::RankedTensorType tile);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGROUNDS_H
