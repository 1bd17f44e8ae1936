//===- ScaleMaxima.cpp - powers less a maximum by one instruction ---------===//
//
// The maximum that a softmax subtracts is there so that powers stay finite; it
// cancels in the end. So does what its multiple is off by when it is rounded,
// if everybody takes the same multiple:
//
//   2^((x - m) c)       becomes   2^(x c - M)       M: m c, rounded
//   2^((m' - m) c)                2^(M' - M)
//
// The first is one instruction before the power where it was two, and rounds
// less.
//
// What cancels has to be a float, though: a product beyond 2^31 is off by more
// than 128. Numbers as large as that are so far from each other that only those
// which are the maximum count, so a row where it is has a power of two in place
// of c, by which nothing is rounded. Beside a c of more than 1 that is 1, lest
// multiples of the largest numbers be infinite.
//
//===----------------------------------------------------------------------===//

#include "CommonFactor.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse {
#define GEN_PASS_DEF_SCALEMAXIMA
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Multiples
//===----------------------------------------------------------------------===//

static Value numbers(ImplicitLocOpBuilder &b, Value like,
                     const APFloat &number) {
  return arith::ConstantOp::create(
      b,
      DenseElementsAttr::get(cast<RankedTensorType>(like.getType()), number));
}

namespace {

/// What is taken from terms.
class Multiple {
public:
  /// Multiples from 2^`exponent` on are exact.
  Multiple(const APFloat &factor, int exponent);
  /// Whether there is one: beside more than 2, what is less than the maximum of
  /// a row with exact multiples counts.
  static bool exists(const APFloat &factor) { return factor <= APFloat(2.0f); }
  /// By what a number is multiplied.
  Value factorFor(ImplicitLocOpBuilder &b, Value number) const;
  Value of(ImplicitLocOpBuilder &b, Value number) const {
    return arith::MulFOp::create(b, number, factorFor(b, number));
  }
  Value difference(ImplicitLocOpBuilder &b, Value number, Value other) const;

private:
  bool isExact() const { return exact.bitwiseIsEqual(factor); }
  Value isLarge(ImplicitLocOpBuilder &b, Value number) const {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OGE,
                                 math::AbsFOp::create(b, number),
                                 numbers(b, number, least));
  }

  /// The second one is a power of two.
  APFloat factor, exact;
  /// The least number whose multiple is exact.
  APFloat least;
};

} // namespace

Multiple::Multiple(const APFloat &factor, int exponent)
    : factor(factor), exact(factor), least(factor) {
  constexpr auto rounding = APFloat::rmNearestTiesToEven;
  exact = scalbn(APFloat(1.0f), ilogb(factor), rounding);
  // If it is no less, the larger number has the larger multiple. But more than
  // 1 may make infinity of it.
  int next = ilogb(exact) + (exact < factor);
  exact = scalbn(APFloat(1.0f), std::min(next, 0), rounding);
  least = scalbn(APFloat(1.0f), exponent - next, rounding);
}

Value Multiple::factorFor(ImplicitLocOpBuilder &b, Value number) const {
  Value rounded = numbers(b, number, factor);
  if (isExact())
    return rounded;
  return arith::SelectOp::create(b, isLarge(b, number),
                                 numbers(b, number, exact), rounded);
}

/// A small and a large number, or two large ones, are so far from each other
/// that nothing comes of the smaller one.
Value Multiple::difference(ImplicitLocOpBuilder &b, Value number,
                           Value other) const {
  Value result = arith::SubFOp::create(b, of(b, number), of(b, other));
  if (isExact() || exact > factor)
    return result;
  Value areAlike = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                         isLarge(b, number), isLarge(b, other));
  auto none = APFloat::getInf(factor.getSemantics(), /*Negative=*/true);
  return arith::SelectOp::create(b, areAlike, result, numbers(b, number, none));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Erases what made `value`, and whatever only that used.
static void eraseUnused(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isOpTriviallyDead(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  llvm::for_each(operands, eraseUnused);
}

static void scaleTerm(const Power &term, const Multiple &multiple) {
  ImplicitLocOpBuilder b(term.op->getLoc(), term.op);
  auto type = cast<RankedTensorType>(term.op->getResult(0).getType());
  auto repeat = [&](Value value) -> Value {
    if (std::optional<APFloat> number = numberOf(value))
      return numbers(b, term.op->getResult(0), *number);
    BroadcastOp broadcast = term.broadcast;
    return BroadcastOp::create(b, type, value, broadcast.getDims());
  };
  Value factor = repeat(multiple.factorFor(b, term.shift));
  Value shift = repeat(arith::NegFOp::create(b, multiple.of(b, term.shift)));
  Value before = term.op->getOperand(0);
  term.op->setOperand(0, math::FmaOp::create(b, term.x, factor, shift));
  eraseUnused(before);
}

/// The power of two of a difference of multiples, as exact as it was.
static void scaleCorrection(const Power &correction, const Multiple &multiple) {
  Operation *op = correction.op;
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Value difference = multiple.difference(b, correction.x, correction.shift);
  auto flags = cast<arith::ArithFastMathInterface>(op).getFastMathFlagsAttr();
  op->replaceAllUsesWith(math::Exp2Op::create(b, difference, flags.getValue()));
  op->erase();
}

namespace {

struct ScaleMaximaPass final : fuse::impl::ScaleMaximaBase<ScaleMaximaPass> {
  void runOnOperation() final {
    SmallVector<math::Exp2Op> powers;
    getOperation().walk([&](math::Exp2Op op) {
      std::optional<Power> power = powerOf(op);
      if (power && power->broadcast)
        powers.push_back(op);
    });
    for (math::Exp2Op op : powers) {
      // Those of a row that is done are no differences any more.
      std::optional<Power> power = powerOf(op);
      if (!power)
        continue;
      Maxima maxima;
      if (!maxima.collect(power->shift))
        continue;
      Degrees degrees(maxima.terms);
      if (!degrees.cancelIn(getOperation()))
        continue;
      if (!Multiple::exists(power->factor))
        continue;
      Multiple multiple(power->factor, degrees.largestMultiple());
      for (const Power &term : maxima.terms)
        scaleTerm(term, multiple);
      for (const Power &correction : maxima.corrections)
        scaleCorrection(correction, multiple);
    }
  }
};

} // namespace
