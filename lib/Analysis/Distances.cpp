//===- Distances.cpp - how far elements are from statistics ---------------===//
//
// What a maximum is of is no more than it, so a distance `a (x - max(x))` with
// a positive a is at most 0.
//
//===----------------------------------------------------------------------===//

#include "Distances.h"
#include "mlir/Dialect/Math/IR/Math.h"

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

  /// Whether an element is what the statistic is of, here.
  bool isOne(const Element *element, const Element *body) const {
    if (element == body)
      return true;
    if (isFloatCast(element))
      return isOne(element->operands()[0], body);
    if (isFloatCast(body))
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
          if (isFloatCast(part))
            return distanceOf(part->operands()[0]);
          // The larger of it and another one is no less.
          if (isMax ? isOp<arith::MaximumFOp, arith::MaxNumFOp>(part)
                    : isOp<arith::MinimumFOp, arith::MinNumFOp>(part))
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

  const Element *statistic;
  bool isMax;
  SmallVector<std::pair<const Element *, bool>> hold;
};

} // namespace

bool fuse::boundsExponents(const Element *reduction, const Element *statistic) {
  return llvm::all_of(reduction->operands(), [&](const Element *side) {
    return Exponents(statistic).areBoundedIn(side);
  });
}
