//===- Rounds.h - what can be computed in any round -------------*- C++ -*-===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_ROUNDS_H
#define FUSE_DIALECT_TILE_ANALYSIS_ROUNDS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuse::tile {

/// Whether an op without regions that is done in some round of `loop` may be
/// done in any, and for rounds that there are not.
bool canBeOfAnyRound(mlir::Operation *op, mlir::scf::ForOp loop);

/// Whether a value is the same in all rounds of `loop`, wherever it is
/// computed.
bool isSameInAllRounds(mlir::Value value, mlir::scf::ForOp loop);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_ROUNDS_H
