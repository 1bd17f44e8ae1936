//===- CommonFactor.cpp - where a factor of all terms cancels -------------===//

#include "CommonFactor.h"
#include "fuse/Dialect/Tile/Analysis/SeenDigits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Whether a number's type has room for the factor: 2^32 at most, or 2^8 where
/// there is something of 16 bits with as few for the exponent as f16 has.
bool Degrees::isHeld(Value value, int degree) {
  Type type = getElementTypeOrSelf(value.getType());
  if (degree == 0 || type.isF32() || type.isBF16() || type.isF64())
    return std::abs(degree) <= 2;
  isHalf = true;
  return type.isF16() && std::abs(degree) == 1;
}

void Degrees::set(Value value, Degree degree) {
  if (!degree || of(value) == degree)
    return;
  if (of(value))
    fails = true;
  fails |= !isHeld(value, *degree);
  degrees[value] = degree;
  hasChanged = true;
}

static bool isZero(Value value) {
  std::optional<APFloat> number = numberOf(value);
  return number && number->isZero();
}

/// Any other op may be anything, and so is its result one of its operands if
/// these have nothing of the factor.
void Degrees::visitOther(Operation *op) {
  for (Value operand : op->getOperands())
    fails |= of(operand).value_or(0) != 0;
  if (op->getNumRegions() == 0)
    for (Value result : op->getResults())
      set(result, 0);
}

/// A number may be chosen in place of one that is 0, by which something would
/// be divided: then all terms are.
void Degrees::visitSelect(arith::SelectOp op) {
  Value yes = op.getTrueValue(), no = op.getFalseValue();
  auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
  bool isGuard = compare &&
                 compare.getPredicate() == arith::CmpFPredicate::OEQ &&
                 compare.getLhs() == no && isZero(compare.getRhs());
  set(op.getResult(), isGuard ? of(no) : joinAll({yes, no}));
}

void Degrees::visit(Operation *op) {
  if (ones.contains(op))
    return set(op->getResult(0), 1);
  if (isa<arith::ConstantOp>(op)) {
    if (!isZero(op->getResult(0)))
      set(op->getResult(0), 0);
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, argument] :
         llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs()))
      set(argument, of(init));
    return;
  }
  if (isa<scf::YieldOp>(op)) {
    Operation *parent = op->getParentOp();
    for (auto [number, value] : llvm::enumerate(op->getOperands())) {
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        set(loop.getRegionIterArg(number), of(value));
      set(parent->getResult(number), of(value));
    }
    return;
  }
  if (isa<arith::MulFOp>(op))
    return set(op->getResult(0), product(op->getOperand(0), op->getOperand(1)));
  if (auto sum = dyn_cast<math::FmaOp>(op))
    return set(sum.getResult(),
               join(product(sum.getA(), sum.getB()), of(sum.getC())));
  if (auto dot = dyn_cast<DotOp>(op))
    return set(dot.getResult(),
               join(product(dot.getLhs(), dot.getRhs()), of(dot.getAcc())));
  if (isa<arith::DivFOp>(op)) {
    Degree dividend = of(op->getOperand(0)), divisor = of(op->getOperand(1));
    if (dividend && divisor)
      set(op->getResult(0), *dividend - *divisor);
    return;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return visitSelect(select);
  if (auto collect = dyn_cast<CollectOp>(op)) {
    for (OpResult share : collect->getResults())
      set(share, of(sourceOf(collect, share)));
    return;
  }
  if (isa<arith::CmpFOp>(op) && isZero(op->getOperand(1)))
    return;
  auto mask = dyn_cast<MaskOp>(op);
  auto otherwise =
      mask ? dyn_cast<FloatAttr>(mask.getOtherwise()) : FloatAttr();
  bool leavesZeros = otherwise && otherwise.getValue().isZero();
  if (isa<arith::AddFOp, arith::SubFOp, arith::NegFOp, arith::MaximumFOp,
          arith::MinimumFOp, arith::ExtFOp, arith::TruncFOp, ReduceOp>(op) ||
      isPart(op) || leavesZeros)
    return set(op->getResult(0),
               mask ? of(mask.getSource()) : joinAll(op->getOperands()));
  visitOther(op);
}

bool Degrees::cancelIn(KernelOp kernel) {
  do {
    hasChanged = false;
    kernel.getBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { visit(op); });
  } while (hasChanged && !fails);
  return !fails;
}
