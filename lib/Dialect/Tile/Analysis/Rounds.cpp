//===- Rounds.cpp - what can be computed in any round ---------------------===//

#include "fuse/Dialect/Tile/Analysis/Rounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

/// Whether a division that may be done in some round may be done in any.
static bool dividesAlways(Operation *op, scf::ForOp loop) {
  if (!isa<arith::DivUIOp, arith::RemUIOp>(op))
    return false;
  Value divisor = op->getOperand(1);
  auto most = divisor.getDefiningOp<arith::MaxUIOp>();
  return loop.isDefinedOutsideOfLoop(divisor) ||
         (most && matchPattern(most.getRhs(), m_One()));
}

bool fuse::tile::canBeOfAnyRound(Operation *op, scf::ForOp loop) {
  return op->getNumRegions() == 0 && (isPure(op) || dividesAlways(op, loop));
}

bool fuse::tile::isSameInAllRounds(Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isSameInAllRounds(operand, loop);
         });
}
