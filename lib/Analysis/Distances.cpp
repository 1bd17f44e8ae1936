//===- Distances.cpp - how far elements are from statistics ---------------===//
//
// What a maximum is of is no more than it, so a distance `a (x - max(x))` with
// a positive a is at most 0.
//
//===----------------------------------------------------------------------===//

#include "Distances.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <array>

using namespace mlir;
using namespace fuse;

std::optional<Distance> fuse::distanceOf(
    const Element *element,
    llvm::function_ref<std::optional<Distance>(const Element *)> known) {
  if (std::optional<Distance> distance = known(element))
    return distance;
  if (element->kind() == ElementKind::Constant) {
    auto number = dyn_cast<FloatAttr>(element->constant());
    return number ? std::optional(Distance{0, 0, number.getValueAsDouble()})
                  : std::nullopt;
  }
  if (!isOp<arith::NegFOp, arith::AddFOp, arith::SubFOp, arith::MulFOp>(
          element))
    return std::nullopt;
  auto of = [&](unsigned i) {
    return distanceOf(element->operands()[i], known);
  };
  std::optional<Distance> a = of(0);
  if (!a)
    return std::nullopt;
  if (isOp<arith::NegFOp>(element))
    return *a * -1;
  std::optional<Distance> b = of(1);
  if (!b)
    return std::nullopt;
  if (isOp<arith::AddFOp>(element))
    return *a + *b;
  if (isOp<arith::SubFOp>(element))
    return *a + *b * -1;
  if (b->isRest())
    return *a * b->rest;
  return a->isRest() ? std::optional(*b * a->rest) : std::nullopt;
}

const Element *fuse::withoutGuard(const Element *element,
                                  ArrayRef<const Element *> moving) {
  if (!isOp<arith::SelectOp>(element) ||
      !isOp<arith::CmpFOp>(element->operands()[0]))
    return nullptr;
  const Element *compare = element->operands()[0];
  const Element *value = compare->operands()[0];
  auto predicate = cast<arith::CmpFPredicateAttr>(
      compare->pointwiseAttributes().get("predicate"));
  std::optional<CombineKind> kind;
  if (llvm::is_contained(moving, value))
    kind = combineOf(value);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  bool isNever = predicate.getValue() == arith::CmpFPredicate::OEQ &&
                 ((kind == CombineKind::Max &&
                   isNumber(compare->operands()[1], -infinity)) ||
                  (kind == CombineKind::Min &&
                   isNumber(compare->operands()[1], infinity)));
  return isNever ? element->operands()[2] : nullptr;
}

//===----------------------------------------------------------------------===//
// Exponents
//===----------------------------------------------------------------------===//

namespace {

/// Goes through a body, and knows which conditions hold where it is.
class Exponents {
public:
  explicit Exponents(const Element *statistic)
      : statistic(statistic), isMax(combineOf(statistic) == CombineKind::Max) {}
  /// Distances from nothing but the statistic, or from `larger`.
  Exponents(const Element *statistic, const Element *larger)
      : Exponents(statistic) {
    isExact = true;
    this->larger = larger;
  }

  /// Whether a term is 1 where its row has `source`, a part of what the
  /// statistic is of, as its largest or smallest number.
  bool isOneAt(const Element *source, const Element *term) {
    if (mayPass(source))
      return isOneAt(source->operands()[0], term);
    if (isOp<arith::SelectOp>(source))
      return llvm::all_of(std::array{true, false}, [&](bool isTrue) {
        size_t before = hold.size();
        assume(source->operands()[0], isTrue);
        bool isOne = isOneAt(source->operands()[isTrue ? 1 : 2], term);
        hold.truncate(before);
        return isOne;
      });
    // Where there is nothing else there is nothing to sum.
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return isNumber(source, isMax ? -infinity : infinity) ||
           isPowerOfNone(term);
  }

  bool areBoundedIn(const Element *element) {
    if (!containsAny(element, statistic) || element->isReduction())
      return true;
    if (isOp<math::ExpOp, math::Exp2Op>(element))
      return isBounded(element->operands()[0]);
    if (!isOp<arith::SelectOp>(element))
      return llvm::all_of(element->operands(), [&](const Element *operand) {
        return areBoundedIn(operand);
      });
    return areBoundedWhere(true, element) && areBoundedWhere(false, element);
  }

private:
  /// In the branch of a choice that is taken where its condition `isTrue`.
  bool areBoundedWhere(bool isTrue, const Element *choice) {
    size_t before = hold.size();
    assume(choice->operands()[0], isTrue);
    bool areBounded = areBoundedIn(choice->operands()[isTrue ? 1 : 2]);
    hold.truncate(before);
    return areBounded;
  }

  void assume(const Element *condition, bool isTrue) {
    hold.push_back({condition, isTrue});
    if (isTrue ? isOp<arith::AndIOp>(condition) : isOp<arith::OrIOp>(condition))
      for (const Element *part : condition->operands())
        assume(part, isTrue);
  }

  std::optional<bool> valueOf(const Element *condition) const {
    for (auto [known, isTrue] : hold)
      if (known == condition)
        return isTrue;
    if (!isOp<arith::AndIOp, arith::OrIOp>(condition))
      return std::nullopt;
    // One that is false makes a conjunction false, all that are true a true
    // one.
    bool decides = isOp<arith::OrIOp>(condition), areAll = true;
    for (const Element *part : condition->operands()) {
      std::optional<bool> value = valueOf(part);
      if (value == decides)
        return decides;
      areAll &= value == !decides;
    }
    return areAll ? std::optional(!decides) : std::nullopt;
  }

  /// Whether a cast may be taken for its operand. Where a distance is to be
  /// exact that neither rounds nor has been rounded: a maximum of narrow
  /// numbers may be far above all wide ones.
  bool mayPass(const Element *cast) const {
    if (!isFloatCast(cast))
      return false;
    return !isExact ||
           (isOp<arith::ExtFOp>(cast) &&
            !isOp<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(
                cast->operands()[0]));
  }

  /// Whether an element is what the statistic is of, here.
  bool isOne(const Element *element, const Element *body) const {
    if (element == body)
      return true;
    if (mayPass(element))
      return isOne(element->operands()[0], body);
    if (mayPass(body))
      return isOne(element, body->operands()[0]);
    if (!isOp<arith::SelectOp>(body))
      return false;
    std::optional<bool> value = valueOf(body->operands()[0]);
    return value && isOne(element, body->operands()[*value ? 1 : 2]);
  }

  std::optional<Distance> distanceOf(const Element *element) const {
    const Element *body = statistic->operands()[0];
    return fuse::distanceOf(
        element, [&](const Element *part) -> std::optional<Distance> {
          if (part == statistic)
            return Distance{1, 0, 0};
          if (isOne(part, body))
            return Distance{0, 1, 0};
          if (const Element *value = withoutGuard(part, statistic))
            return distanceOf(value);
          if (mayPass(part))
            return distanceOf(part->operands()[0]);
          // The larger of it and another one is no less.
          bool mayBeFurther = !isExact || part == larger;
          if (mayBeFurther &&
              (isMax ? isOp<arith::MaximumFOp, arith::MaxNumFOp>(part)
                     : isOp<arith::MinimumFOp, arith::MinNumFOp>(part)))
            for (const Element *operand : part->operands())
              if (containsAny(operand, statistic))
                return distanceOf(operand);
          if (!isOp<arith::DivFOp>(part))
            return std::nullopt;
          std::optional<Distance> divisor = distanceOf(part->operands()[1]);
          std::optional<Distance> quotient = distanceOf(part->operands()[0]);
          if (!divisor || !quotient || !divisor->isRest() || divisor->rest == 0)
            return std::nullopt;
          return *quotient * (1 / divisor->rest);
        });
  }

  bool isBounded(const Element *exponent) const {
    std::optional<Distance> distance = distanceOf(exponent);
    return distance && distance->ofCenter == -distance->ofBody &&
           (isMax ? distance->ofBody > 0 : distance->ofBody < 0);
  }

  /// Whether a term is the power of no distance, here.
  bool isPowerOfNone(const Element *term) const {
    if (isFloatCast(term))
      return isPowerOfNone(term->operands()[0]);
    if (isOp<arith::SelectOp>(term)) {
      std::optional<bool> value = valueOf(term->operands()[0]);
      return value && isPowerOfNone(term->operands()[*value ? 1 : 2]);
    }
    if (!isOp<math::ExpOp, math::Exp2Op>(term))
      return false;
    std::optional<Distance> distance = distanceOf(term->operands()[0]);
    return distance && distance->ofCenter == -distance->ofBody &&
           distance->rest == 0;
  }

  const Element *statistic;
  bool isMax, isExact = false;
  const Element *larger = nullptr;
  SmallVector<std::pair<const Element *, bool>> hold;
};

} // namespace

bool fuse::boundsExponents(const Element *reduction, const Element *statistic) {
  return llvm::all_of(reduction->operands(), [&](const Element *side) {
    return Exponents(statistic).areBoundedIn(side);
  });
}

/// Whether a number is not negative, as powers are.
static bool isPower(const Element *element) {
  if (isFloatCast(element))
    return isPower(element->operands()[0]);
  if (isOp<arith::SelectOp>(element))
    return llvm::all_of(element->operands().drop_front(), isPower);
  return isNumber(element, 0) || isOp<math::ExpOp, math::Exp2Op>(element);
}

/// Whether a sum has a term of 1: what its row has as its maximum or minimum,
/// unless `larger` is further than that.
static bool hasTermOfOne(const Element *sum, const Element *larger) {
  if (sum->kind() != ElementKind::Reduce || combineOf(sum) != CombineKind::Sum)
    return false;
  const Element *term = sum->operands()[0];
  return isPower(term) &&
         llvm::any_of(sum->reductions(), [&](const Element *statistic) {
           bool isBound = combineOf(statistic) == CombineKind::Max ||
                          combineOf(statistic) == CombineKind::Min;
           return isBound && statistic->kind() == ElementKind::Reduce &&
                  statistic->boundVars() == sum->boundVars() &&
                  Exponents(statistic, larger)
                      .isOneAt(statistic->operands()[0], term);
         });
}

bool fuse::isAtLeastOne(const Element *element) {
  ArrayRef<const Element *> operands = element->operands();
  if (element->kind() == ElementKind::Constant) {
    auto number = dyn_cast<FloatAttr>(element->constant());
    return number && number.getValueAsDouble() >= 1;
  }
  if (element->isReduction())
    return hasTermOfOne(element, /*larger=*/nullptr);
  // select(s == 0, 1, s)
  if (isOp<arith::SelectOp>(element))
    return llvm::all_of(operands.drop_front(), isAtLeastOne);
  if (!isOp<arith::AddFOp>(element))
    return (isFloatCast(element) ||
            isOp<math::SqrtOp, arith::MulFOp>(element)) &&
           llvm::all_of(operands, isAtLeastOne);
  for (unsigned side : {0, 1}) {
    const Element *sum = operands[side], *rest = operands[1 - side];
    // An epsilon.
    if (rest->kind() == ElementKind::Constant)
      if (auto number = dyn_cast<FloatAttr>(rest->constant()))
        return number.getValueAsDouble() >= 0 && isAtLeastOne(sum);
    // sum_i exp(x_i - m) + exp(s - m) with m = max(max_i(x_i), s)
    if (!isOp<math::ExpOp, math::Exp2Op>(rest) ||
        !isOp<arith::SubFOp>(rest->operands()[0]))
      continue;
    ArrayRef<const Element *> apart = rest->operands()[0]->operands();
    if (isOp<arith::MaximumFOp>(apart[1]) &&
        llvm::is_contained(apart[1]->operands(), apart[0]) &&
        hasTermOfOne(sum, /*larger=*/apart[1]))
      return true;
  }
  return false;
}
