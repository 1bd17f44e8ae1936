//===- RelaxFunctions.cpp - digits that nobody sees -----------------------===//
//
// A function whose results are rounded to fewer digits before they are stored
// may be computed by the instruction that is nearest to it. What is seen of a
// number is found by going from it to where it is rounded, through ops that do
// not make a small error of it a large one.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/Logistic.h"
#include "fuse/Dialect/Tile/Analysis/SeenDigits.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

namespace fuse {
#define GEN_PASS_DEF_RELAXFUNCTIONS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {

/// By how much a number may be off, whatever its size: a term of what is raised
/// to a power makes of that a factor, which is seen or not.
class AllowedError {
public:
  explicit AllowedError(SeenDigits &seen) : seen(seen) {}
  double of(Value value) {
    visited.clear();
    return visit(value);
  }

private:
  static constexpr double any = std::numeric_limits<double>::infinity();
  double visit(Value value);
  double visitUse(OpOperand &use);
  double visitCarried(scf::ForOp loop, unsigned number) {
    return std::min(visit(loop.getRegionIterArg(number)),
                    visit(loop.getResult(number)));
  }

  SeenDigits &seen;
  llvm::DenseSet<Value> visited;
};

} // namespace

double AllowedError::visit(Value value) {
  double least = any;
  if (visited.insert(value).second)
    for (OpOperand &use : value.getUses())
      least = std::min(least, visitUse(use));
  return least;
}

double AllowedError::visitUse(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  // A quarter of what rounding the power makes.
  if (isa<math::ExpOp, math::Exp2Op>(op))
    return std::ldexp(1.0, -2 - int(seen.of(op->getResult(0))));
  if (isa<arith::MulFOp>(op)) {
    std::optional<APFloat> factor = numberOf(op->getOperand(1 - number));
    if (!factor || !factor->isFinite() || factor->isZero())
      return 0;
    return visit(op->getResult(0)) / std::abs(factor->convertToDouble());
  }
  // Both terms may be off.
  if (isa<arith::AddFOp, arith::SubFOp>(op))
    return visit(op->getResult(0)) / 2;
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp, arith::NegFOp, MaskOp>(op) ||
      isPart(op))
    return visit(op->getResult(0));
  if (isa<arith::SelectOp>(op))
    return number == 0 ? 0 : visit(op->getResult(0));
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getKind() == CombineKind::Max ||
                   reduce.getKind() == CombineKind::Min
               ? visit(reduce.getResult())
               : 0;
  // What is finite does not become infinite.
  if (isa<arith::CmpFOp>(op)) {
    std::optional<APFloat> other = numberOf(op->getOperand(1 - number));
    return other && other->isInfinity() ? any : 0;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return number < loop.getNumControlOperands()
               ? 0
               : visitCarried(loop, number - loop.getNumControlOperands());
  if (isa<scf::YieldOp>(op)) {
    if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
      return visitCarried(loop, number);
    if (isa<scf::IfOp>(op->getParentOp()))
      return visit(op->getParentOp()->getResult(number));
  }
  return 0;
}

/// 1 + 2 / (-1 - e^2x), by two instructions, which grows with the quotient. It
/// is off by less than `tanhByPowerError`; near 0 that is more than what is
/// left of the result.
static constexpr double tanhByPowerError = 0x1p-19;

static void raiseTanh(math::TanhOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value source = op.getOperand();
  // Numbers that the argument is multiplied with, or divided by, are one.
  double factor = 2 * 0x1.71547652b82fep+0;
  for (Operation *made = source.getDefiningOp(); made;
       made = source.getDefiningOp()) {
    if (!isa<arith::MulFOp, arith::DivFOp>(made))
      break;
    std::optional<APFloat> number = numberOf(made->getOperand(1));
    if (!number || !number->isFiniteNonZero())
      break;
    double other = number->convertToDouble();
    double joined = isa<arith::MulFOp>(made) ? factor * other : factor / other;
    if (!std::isnormal(static_cast<float>(joined)))
      break;
    factor = joined;
    source = made->getOperand(0);
  }
  auto type = cast<RankedTensorType>(op.getType());
  auto number = [&](double value) -> Value {
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, APFloat(float(value))));
  };
  auto fast = arith::FastMathFlags::afn;
  Value one = number(1);
  Value scaled = arith::MulFOp::create(b, loc, source, number(factor));
  Value power = math::Exp2Op::create(b, loc, scaled, fast);
  Value sum = arith::AddFOp::create(b, loc, power, one);
  Value part = arith::DivFOp::create(b, loc, one, sum, fast);
  Value result = math::FmaOp::create(b, loc, part, number(-2), one);
  op.replaceAllUsesWith(result);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Powers of what is below a maximum
//===----------------------------------------------------------------------===//

/// Whether nothing is larger than what rounds have seen: a number that is far
/// below all others, as a maximum's floor is, or a maximum that a loop carries.
static bool isOfOtherRounds(Value value) {
  constexpr double floor = -1e30;
  if (std::optional<APFloat> number = numberOf(value))
    return number->convertToDouble() <= floor;
  auto carried = dyn_cast<BlockArgument>(value);
  auto loop = carried ? dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp())
                      : scf::ForOp();
  OpOperand *next = loop ? loop.getTiedLoopYieldedValue(carried) : nullptr;
  auto most = next ? next->get().getDefiningOp<arith::MaximumFOp>() : nullptr;
  return most && llvm::is_contained(most->getOperands(), value);
}

/// Whether `value` is the maximum of `tile` along some axes, and of what other
/// rounds have seen.
static bool isMaximumOf(Value value, Value tile, ArrayRef<int64_t> axes) {
  Operation *op = value.getDefiningOp();
  if (auto reduce = dyn_cast_or_null<ReduceOp>(op)) {
    Value source = reduce.getSource();
    if (auto mask = source.getDefiningOp<MaskOp>(); mask && source != tile)
      source = mask.getSource();
    return reduce.getKind() == CombineKind::Max && source == tile &&
           reduce.getDims() == axes;
  }
  if (!isa_and_nonnull<arith::MaximumFOp>(op))
    return false;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  return (isMaximumOf(lhs, tile, axes) && isOfOtherRounds(rhs)) ||
         (isOfOtherRounds(lhs) && isMaximumOf(rhs, tile, axes));
}

/// Whether nothing becomes of `value` but sums of many terms along `axes`, or
/// products that add them up with the other factor's elements.
static bool isOnlySummed(Value value, ArrayRef<int64_t> axes) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t terms = 1;
  for (int64_t axis : axes)
    terms *= type.getDimSize(axis);
  return terms >= SeenDigits::manyTerms &&
         llvm::all_of(value.getUses(), [&](OpOperand &use) {
           Operation *user = use.getOwner();
           if (isa<MaskOp>(user))
             return use.getOperandNumber() == 0 &&
                    isOnlySummed(user->getResult(0), axes);
           if (auto dot = dyn_cast<DotOp>(user)) {
             int64_t rank = type.getRank();
             auto summed = llvm::seq<int64_t>(rank - dot.getContract(), rank);
             return &use == &dot.getLhsMutable() && llvm::equal(axes, summed);
           }
           auto reduce = dyn_cast<ReduceOp>(user);
           return reduce && reduce.getKind() == CombineKind::Sum &&
                  reduce.getDims() == axes;
         });
}

/// Whether a power is one of a row's numbers less their maximum, and a term of
/// their sum. The fast form is off by as many units in the last place as the
/// exponent is large, e^-y by y of them: less than one of the largest term,
/// which is 1. So the sum is off by as much as the mean of y is, weighted by
/// the terms, which is no more than the logarithm of how many there are: less
/// than adding them up costs. The same goes for a sum with other factors,
/// beside the sum of its terms' magnitudes; of what they leave of the smallest
/// terms alone a product of so many knows no more.
static bool isTermBelowMaximum(math::ExpOp op) {
  auto difference = op.getOperand().getDefiningOp<arith::SubFOp>();
  auto shift = difference ? difference.getRhs().getDefiningOp<BroadcastOp>()
                          : BroadcastOp();
  if (!shift)
    return false;
  auto axes = llvm::to_vector_of<int64_t>(shift.getNewAxes());
  return isMaximumOf(shift.getSource(), difference.getLhs(), axes) &&
         isOnlySummed(op.getResult(), axes);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// For how many digits a quotient is good that is a product with a reciprocal.
static constexpr unsigned digitsOfReciprocal = 19;

/// For how many digits the fast form of an op is good: its error is at most a
/// quarter of what rounding to so many makes.
static unsigned digitsOfFastForm(Operation *op) {
  // Beside the instruction's own 2 units, the argument's rounding counts: at
  // most 88 units in the last place.
  if (isa<math::ExpOp, math::Exp2Op>(op))
    return 14;
  if (isa<math::RsqrtOp>(op))
    return 19;
  if (isa<math::TanhOp>(op))
    return 8;
  // Denominators beyond 2^126 give 0, which is right of numbers up to 1.
  if (auto division = dyn_cast<arith::DivFOp>(op)) {
    std::optional<APFloat> number = numberOf(division.getLhs());
    return number && abs(*number) <= APFloat(number->getSemantics(), "1")
               ? digitsOfReciprocal
               : 0;
  }
  return 0;
}

/// Whether something is subtracted from whole rows or columns: then its
/// multiple may be, too, since it is known as well as the difference, and fewer
/// numbers have to be multiplied.
static bool isShifted(Value source) {
  auto difference = source.getDefiningOp<arith::SubFOp>();
  return difference && difference.getRhs().getDefiningOp<BroadcastOp>();
}

/// What is multiplied: constants are one number.
static void factorsOf(Value value, SmallVectorImpl<Value> &factors,
                      double &constant) {
  constexpr unsigned most = 8;
  if (std::optional<APFloat> number = numberOf(value)) {
    constant *= number->convertToDouble();
    return;
  }
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product || factors.size() > most) {
    factors.push_back(value);
    return;
  }
  factorsOf(product.getLhs(), factors, constant);
  factorsOf(product.getRhs(), factors, constant);
}

/// `factor (x + c x y)` as `x (factor + factor c y)`, which takes two
/// instructions less, as in a gelu; null if `source` is no such sum. The
/// argument of a power is as good as before: it is rounded less often.
static Value takeOut(ImplicitLocOpBuilder &b, Value source, double factor) {
  auto sum = source.getDefiningOp<arith::AddFOp>();
  if (!sum || !isa<RankedTensorType>(source.getType()))
    return Value();
  auto type = cast<RankedTensorType>(source.getType());
  auto number = [&](double value) -> Value {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, APFloat(float(value))));
  };
  for (auto [alone, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                              std::pair(sum.getRhs(), sum.getLhs())}) {
    SmallVector<Value> factors;
    double constant = 1;
    factorsOf(other, factors, constant);
    auto *own = llvm::find(factors, alone);
    if (own == factors.end() || factors.size() < 2 ||
        !std::isnormal(static_cast<float>(factor * constant)))
      continue;
    factors.erase(own);
    Value rest = factors.front();
    for (Value next : ArrayRef(factors).drop_front())
      rest = arith::MulFOp::create(b, rest, next);
    return arith::MulFOp::create(b, alone,
                                 math::FmaOp::create(b, rest,
                                                     number(factor * constant),
                                                     number(factor)));
  }
  return Value();
}

/// A sum with a product in the argument of a power, by one instruction, which
/// rounds it less often.
static void roundOnce(arith::AddFOp sum) {
  for (auto [term, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                             std::pair(sum.getRhs(), sum.getLhs())}) {
    auto product = term.getDefiningOp<arith::MulFOp>();
    if (!product || !product->hasOneUse())
      continue;
    OpBuilder b(sum);
    sum.replaceAllUsesWith(math::FmaOp::create(b, sum.getLoc(),
                                               product.getLhs(),
                                               product.getRhs(), other)
                               .getResult());
    sum.erase();
    product.erase();
    return;
  }
}

/// A factor and a number, as one factor; none if that is not a float, as that
/// of e^(-3.4e38 x) and log2(e) is not, which would be NaN for an x of 0.
static std::optional<double> join(double factor, Value value) {
  std::optional<APFloat> number = numberOf(value);
  double joined = number ? factor * number->convertToFloat() : 0;
  return std::isnormal(static_cast<float>(joined)) ? std::optional(joined)
                                                   : std::nullopt;
}

/// A power of e is one of two, since that is what the instruction computes; the
/// factor joins one that is there. Of a difference it may become that of both
/// terms, which is as good for few digits.
static void raiseTwo(math::ExpOp op, bool hasFewDigits) {
  constexpr double log2e = 0x1.71547652b82fep+0;
  OpBuilder b(op);
  Value source = op.getOperand();
  double factor = log2e;
  if (auto product = source.getDefiningOp<arith::MulFOp>())
    for (auto [number, other] : {std::pair(product.getRhs(), product.getLhs()),
                                 std::pair(product.getLhs(), product.getRhs())})
      if (std::optional<double> joined = join(factor, number)) {
        factor = *joined;
        source = other;
        break;
      }
  Location loc = op.getLoc();
  ImplicitLocOpBuilder own(loc, b);
  Value scaled = takeOut(own, source, factor);
  if (!scaled) {
    auto type = cast<RankedTensorType>(source.getType());
    Value scale = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, APFloat(float(factor))));
    auto flags =
        hasFewDigits && isShifted(source)
            ? arith::FastMathFlags::reassoc | arith::FastMathFlags::contract
            : arith::FastMathFlags::none;
    scaled = arith::MulFOp::create(b, loc, source, scale, flags);
  }
  Value result = math::Exp2Op::create(b, loc, scaled, op.getFastmathAttr());
  op.replaceAllUsesWith(result);
  op.erase();
}

/// The half of `1 + tanh x`, as `1 / (1 + e^-2x)`, which has two instructions
/// where tanh has a polynomial, too, and keeps its digits where tanh comes
/// close to -1. Null if `sum` is none.
static Value halfOfTanh(arith::AddFOp sum) {
  for (auto [number, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                               std::pair(sum.getRhs(), sum.getLhs())}) {
    auto tanh = other.getDefiningOp<math::TanhOp>();
    std::optional<APFloat> one = numberOf(number);
    auto type = dyn_cast<RankedTensorType>(sum.getType());
    if (!tanh || !type || !one || !one->isExactlyValue(1))
      continue;
    OpBuilder b(sum);
    Location loc = sum.getLoc();
    auto constant = [&](double value) -> Value {
      return arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(type, APFloat(float(value))));
    };
    // A factor of the argument joins the other one.
    Value source = tanh.getOperand();
    double factor = -2;
    if (auto product = source.getDefiningOp<arith::MulFOp>())
      for (auto [scale, scaled] :
           {std::pair(product.getLhs(), product.getRhs()),
            std::pair(product.getRhs(), product.getLhs())})
        if (std::optional<double> joined = join(factor, scale)) {
          factor = *joined;
          source = scaled;
          break;
        }
    Value grown = math::ExpOp::create(
        b, loc, arith::MulFOp::create(b, loc, source, constant(factor)));
    return arith::DivFOp::create(b, loc, number,
                                 arith::AddFOp::create(b, loc, number, grown));
  }
  return Value();
}

/// The half of `1 + erf x`: of what is below 0 a power, 2^(|x| P(|x|) - 1), of
/// the rest what that leaves of 1. It keeps its digits where erf comes close to
/// -1, and is off by less than 2^-14 of it down to -4.25. Beyond, where it is
/// less than 1e-9, it only comes close to 0. Null if `sum` is none.
///
/// Beside products that a loop makes nobody knows that this is done on few
/// elements at a time: there it would be refused for want of registers.
static Value halfOfErf(arith::AddFOp sum) {
  auto loop = sum->getParentOfType<scf::ForOp>();
  if (loop && !loop.getBody()->getOps<DotOp>().empty())
    return Value();
  constexpr double coefficients[] = {
      0x1.88599948ba87ap-13, -0x1.caf0f3ff82d62p-9, 0x1.db83e43d3ea80p-6,
      -0x1.29c7096e78cd2p-3, -0x1.d7f05348b9e3ap-1, -0x1.a0843765d82e5p+0};
  constexpr double last = 4.25;
  for (auto [number, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                               std::pair(sum.getRhs(), sum.getLhs())}) {
    auto erf = other.getDefiningOp<math::ErfOp>();
    std::optional<APFloat> one = numberOf(number);
    auto type = dyn_cast<RankedTensorType>(sum.getType());
    if (!erf || !type || !one || !one->isExactlyValue(1))
      continue;
    ImplicitLocOpBuilder b(sum.getLoc(), sum);
    auto constant = [&](double value) -> Value {
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(type, APFloat(float(value))));
    };
    Value x = erf.getOperand(), size = math::AbsFOp::create(b, x);
    Value bounded = arith::MinimumFOp::create(b, size, constant(last));
    Value slope = constant(coefficients[0]);
    for (double coefficient : ArrayRef(coefficients).drop_front())
      slope = math::FmaOp::create(b, slope, bounded, constant(coefficient));
    Value exponent = math::FmaOp::create(b, size, slope, constant(-1));
    Value power = math::Exp2Op::create(b, exponent, arith::FastMathFlags::afn);
    Value rest = arith::SubFOp::create(b, number, power);
    Value isBelow =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, constant(0));
    return arith::SelectOp::create(b, isBelow, power, rest);
  }
  return Value();
}

/// Writes `1 + tanh x` and `1 + erf x` by powers. The factor of 2 joins one of
/// 1/2 that is there, as in a gelu.
static void raiseTails(arith::AddFOp sum) {
  Value part = halfOfTanh(sum);
  if (!part)
    part = halfOfErf(sum);
  if (!part)
    return;
  OpBuilder b(sum);
  if (sum->hasOneUse())
    if (auto product = dyn_cast<arith::MulFOp>(*sum->user_begin())) {
      Value other = product.getLhs() == sum.getResult() ? product.getRhs()
                                                        : product.getLhs();
      if (auto halved = other.getDefiningOp<arith::MulFOp>())
        for (auto [number, whole] :
             {std::pair(halved.getLhs(), halved.getRhs()),
              std::pair(halved.getRhs(), halved.getLhs())})
          if (std::optional<APFloat> half = numberOf(number);
              half && half->isExactlyValue(0.5)) {
            b.setInsertionPoint(product);
            product.replaceAllUsesWith(
                arith::MulFOp::create(b, product.getLoc(), whole, part)
                    .getResult());
            return;
          }
    }
  auto type = cast<RankedTensorType>(sum.getType());
  Value two = arith::ConstantOp::create(
      b, sum.getLoc(), DenseElementsAttr::get(type, APFloat(2.0f)));
  sum.replaceAllUsesWith(
      arith::MulFOp::create(b, sum.getLoc(), part, two).getResult());
}

/// `x / (1 + 2^y)` with a y that is made of x alone, as in a silu, as a product
/// with the reciprocal, of which the fast form is one instruction: that it is 0
/// where the denominator is beyond 2^126 is right for quotients of 1, and y is
/// so large only where x is.
static void multiplyByLogistic(arith::DivFOp division) {
  Value x = division.getLhs();
  Value exponent = exponentOf(division.getRhs());
  auto type = dyn_cast<RankedTensorType>(division.getType());
  if (!type || !exponent || !growsWith(exponent, x))
    return;
  ImplicitLocOpBuilder b(division.getLoc(), division);
  Value one =
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, APFloat(1.0f)));
  Value part = arith::DivFOp::create(b, one, division.getRhs());
  division.replaceAllUsesWith(arith::MulFOp::create(b, x, part).getResult());
  division.erase();
}

namespace {

struct RelaxFunctionsPass final
    : fuse::impl::RelaxFunctionsBase<RelaxFunctionsPass> {
  void runOnOperation() final {
    SeenDigits seen;
    // As many as the power and the quotient have in their fast forms, and the
    // polynomial of erf.
    constexpr unsigned digitsOfTails = 11;
    SmallVector<arith::AddFOp> sums;
    getOperation()->walk([&](arith::AddFOp sum) {
      if (getElementTypeOrSelf(sum.getType()).isF32() &&
          seen.of(sum) <= digitsOfTails)
        sums.push_back(sum);
    });
    for (arith::AddFOp sum : sums)
      raiseTails(sum);
    getOperation()->walk([&](arith::DivFOp op) {
      if (getElementTypeOrSelf(op.getType()).isF32() &&
          seen.of(op.getResult()) <= digitsOfReciprocal)
        multiplyByLogistic(op);
    });
    getOperation()->walk([&](arith::ArithFastMathInterface op) {
      if (!getElementTypeOrSelf(op->getResult(0).getType()).isF32())
        return;
      unsigned digits = seen.of(op->getResult(0));
      auto flag = arith::FastMathFlags::none;
      if (digits <= digitsOfFastForm(op))
        flag = arith::FastMathFlags::afn;
      else if (isa<arith::DivFOp>(op) && digits <= digitsOfReciprocal)
        flag = arith::FastMathFlags::arcp;
      else
        return;
      auto flags = op.getFastMathFlagsAttr().getValue() | flag;
      op->setAttr(op.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(op.getContext(), flags));
    });
    AllowedError allowed(seen);
    SmallVector<math::TanhOp> inPowers;
    getOperation()->walk([&](math::TanhOp op) {
      auto type = dyn_cast<RankedTensorType>(op.getType());
      bool isFast =
          bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn);
      if (type && type.getElementType().isF32() && !isFast &&
          allowed.of(op.getResult()) >= tanhByPowerError)
        inPowers.push_back(op);
    });
    for (math::TanhOp op : inPowers)
      raiseTanh(op);
    getOperation()->walk([](math::ExpOp op) {
      bool isFast =
          bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn);
      if (!isa<RankedTensorType>(op.getType()) ||
          !getElementTypeOrSelf(op.getType()).isF32())
        return;
      if (isFast) {
        raiseTwo(op, /*hasFewDigits=*/true);
      } else if (isTermBelowMaximum(op)) {
        op.setFastmath(op.getFastmath() | arith::FastMathFlags::afn);
        raiseTwo(op, /*hasFewDigits=*/false);
      }
    });
    // Behind what takes factors out of sums.
    SmallVector<arith::AddFOp> ofProducts;
    getOperation()->walk([&](arith::AddFOp sum) {
      auto type = dyn_cast<RankedTensorType>(sum.getType());
      if (type && type.getElementType().isF32() && !sum.use_empty() &&
          allowed.of(sum.getResult()) > 0)
        ofProducts.push_back(sum);
    });
    llvm::for_each(ofProducts, roundOnce);
  }
};

} // namespace
