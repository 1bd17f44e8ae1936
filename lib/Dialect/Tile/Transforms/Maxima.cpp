//===- Maxima.cpp - what a softmax subtracts ------------------------------===//

#include "Maxima.h"
#include "fuse/Dialect/Tile/Analysis/SeenDigits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

static bool isInfinite(Value value) {
  std::optional<APFloat> number = numberOf(value);
  return number && number->isInfinity();
}

/// The difference that `value` is: x and what is taken from it.
static std::optional<std::pair<Value, Value>> differenceOf(Value value) {
  if (auto difference = value.getDefiningOp<arith::SubFOp>())
    return std::pair(difference.getLhs(), difference.getRhs());
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum)
    return std::nullopt;
  if (auto minus = sum.getLhs().getDefiningOp<arith::NegFOp>())
    return std::pair(sum.getRhs(), minus.getOperand());
  if (auto minus = sum.getRhs().getDefiningOp<arith::NegFOp>())
    return std::pair(sum.getLhs(), minus.getOperand());
  return std::nullopt;
}

std::optional<Power> fuse::tile::powerOf(Operation *op) {
  constexpr double log2e = 0x1.71547652b82fep+0;
  if (!isa<math::ExpOp, math::Exp2Op>(op) ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  auto product = op->getOperand(0).getDefiningOp<arith::MulFOp>();
  std::optional<APFloat> number =
      product ? numberOf(product.getRhs()) : std::nullopt;
  auto difference = product ? differenceOf(product.getLhs()) : std::nullopt;
  if (!number || !difference ||
      !getElementTypeOrSelf(product.getType()).isF32())
    return std::nullopt;
  // As it is where a power of e becomes one of two.
  APFloat factor = isa<math::ExpOp>(op)
                       ? APFloat(float(log2e * number->convertToFloat()))
                       : *number;
  if (!factor.isNormal() || factor.isNegative())
    return std::nullopt;
  auto [x, shift] = *difference;
  auto broadcast = shift.getDefiningOp<BroadcastOp>();
  return Power{op, x, broadcast ? broadcast.getSource() : shift, broadcast,
               factor};
}

/// Whether a power is no more exact than the instruction, so that it does not
/// matter what its argument was made of.
static bool isFast(Operation *op) {
  auto power = dyn_cast<math::Exp2Op>(op);
  return power &&
         bitEnumContainsAll(power.getFastmath(), arith::FastMathFlags::afn);
}

//===----------------------------------------------------------------------===//
// Maxima
//===----------------------------------------------------------------------===//

Value fuse::tile::sourceOf(CollectOp collect, OpResult share) {
  return collect.getSources()[share.getResultNumber() / collect.getBlocks()];
}

bool Maxima::visitOrigin(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      return false;
    addCarried(loop, argument.getArgNumber() - loop.getNumInductionVars());
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    addCarried(loop, cast<OpResult>(value).getResultNumber());
    return true;
  }
  if (isa<arith::MaximumFOp>(op)) {
    llvm::for_each(op->getOperands(), [&](Value operand) { add(operand); });
    return true;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    add(select.getTrueValue());
    add(select.getFalseValue());
    return true;
  }
  if (auto collect = dyn_cast<CollectOp>(op)) {
    Value source = sourceOf(collect, cast<OpResult>(value));
    add(source);
    return !numberOf(source);
  }
  auto reduce = dyn_cast<ReduceOp>(op);
  return reduce && reduce.getKind() == CombineKind::Max;
}

/// Whether nothing is made of `difference` but powers.
bool Maxima::addPowersOf(Value difference, SmallVectorImpl<Power> &powers) {
  for (Operation *product : difference.getUsers()) {
    if (!isa<arith::MulFOp>(product))
      return false;
    for (Operation *user : product->getUsers()) {
      std::optional<Power> power = powerOf(user);
      if (!power)
        return false;
      if (llvm::none_of(powers, [&](Power &other) { return other.op == user; }))
        powers.push_back(*power);
    }
  }
  return true;
}

bool Maxima::visitUse(OpOperand &use) {
  Operation *op = use.getOwner();
  // An infinite number is its own multiple.
  if (isa<arith::CmpFOp>(op))
    return isInfinite(op->getOperand(1 - use.getOperandNumber()));
  if (isa<arith::MaximumFOp>(op) ||
      (isa<arith::SelectOp>(op) && use.getOperandNumber() > 0)) {
    add(op->getResult(0));
    return true;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (use.getOperandNumber() < loop.getNumControlOperands())
      return false;
    addCarried(loop, use.getOperandNumber() - loop.getNumControlOperands());
    return true;
  }
  if (isa<scf::YieldOp>(op)) {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    if (loop)
      addCarried(loop, use.getOperandNumber());
    return bool(loop);
  }
  if (auto collect = dyn_cast<CollectOp>(op)) {
    int64_t blocks = collect.getBlocks();
    for (Value share :
         collect.getShares().slice(use.getOperandNumber() * blocks, blocks))
      add(share);
    return true;
  }
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return llvm::all_of(broadcast->getUses(), [&](OpOperand &repeated) {
      Operation *user = repeated.getOwner();
      return isa<arith::SubFOp>(user) && repeated.getOperandNumber() == 1 &&
             addPowersOf(user->getResult(0), terms);
    });
  if (isa<arith::NegFOp>(op))
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return isa<arith::AddFOp>(user) &&
             addPowersOf(user->getResult(0), corrections);
    });
  return isa<arith::AddFOp, arith::SubFOp>(op) &&
         addPowersOf(op->getResult(0), corrections);
}

bool Maxima::collect(Value maximum) {
  add(maximum);
  while (!unvisited.empty()) {
    Value value = unvisited.pop_back_val();
    if (!visitOrigin(value))
      return false;
    for (OpOperand &use : value.getUses())
      if (!visitUse(use))
        return false;
  }
  auto isMember = [&](Value value) { return members.contains(value); };
  auto hasFactor = [&](const Power &power) {
    return power.factor.bitwiseIsEqual(terms.front().factor);
  };
  auto isTerm = [&](const Power &power) {
    return hasFactor(power) && isFast(power.op);
  };
  return !terms.empty() && llvm::all_of(terms, isTerm) &&
         llvm::all_of(corrections, [&](const Power &power) {
           return hasFactor(power) && !power.broadcast && isMember(power.x) &&
                  isMember(power.shift);
         });
}
