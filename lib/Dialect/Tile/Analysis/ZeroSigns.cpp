//===- ZeroSigns.cpp - whether anybody sees which zero it is --------------===//
//
// The sign of a zero is passed on by sums and products to their zeros, and is
// gone in comparisons and exponentials. Whoever divides by it sees it.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/ZeroSigns.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// Follows a value to where its zeros' signs are gone, or seen.
class SignFollower {
public:
  bool isSeen(Value value) {
    return llvm::any_of(value.getUses(),
                        [&](OpOperand &use) { return isSeenBy(use); });
  }

private:
  bool isSeenBy(OpOperand &use);

  llvm::SmallPtrSet<Operation *, 16> followed;
};

} // namespace

bool SignFollower::isSeenBy(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<arith::CmpFOp, math::ExpOp, math::Exp2Op>(op))
    return false;
  if (isa<arith::DivFOp>(op) && use.getOperandNumber() == 1)
    return true;
  if (!isa<BroadcastOp, arith::AddFOp, arith::SubFOp, arith::MulFOp,
           arith::DivFOp, arith::NegFOp, arith::SelectOp>(op))
    return true;
  return followed.insert(op).second && isSeen(op->getResult(0));
}

bool tile::seesSignOfZero(Value value) { return SignFollower().isSeen(value); }
