//===- Separation.cpp - what varies apart from what is awaited ------------===//
//
// One rule for each op that is linear, or that turns sums into products.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Separation.h"
#include "Distances.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fuse;

static const llvm::fltSemantics &semanticsOf(Type type) {
  return cast<FloatType>(type).getFloatSemantics();
}

static int largestExponent(Type type) {
  return llvm::APFloat::semanticsMaxExponent(semanticsOf(type));
}

/// Whether a float has fewer exponents than sums are taken with.
static bool isNarrow(Type type) {
  return isa<FloatType>(type) &&
         largestExponent(type) <
             largestExponent(Float32Type::get(type.getContext()));
}

/// What a residual layer makes of a row has twice as many terms as the row, and
/// its square four times as many: without an end those of ten layers are never
/// written down. Nobody wants a loop that long, so it is not looked for.
static constexpr size_t kMostTerms = 256, kMostSteps = 4096;

std::optional<SmallVector<Term>> Separation::separate(const Element *element) {
  isTooLong |= ++steps > kMostSteps;
  if (isTooLong)
    return std::nullopt;
  if (!containsAny(element, statistics))
    return Terms{{element, nullptr}};
  if (!variesWithAny(element, vars))
    return Terms{{nullptr, element}};
  if (element->isReduction())
    return separateSum(element);
  if (element->kind() != ElementKind::Pointwise)
    return std::nullopt;
  if (isOp<arith::SelectOp>(element))
    return separateSelect(element);
  if (isOp<arith::ExtFOp, arith::TruncFOp, arith::TruncIOp>(element))
    return separateCast(element);
  if (isOp<math::ExpOp, math::Exp2Op>(element))
    return separateExponential(element);
  if (!isOp<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp,
            arith::NegFOp, arith::MulFOp, arith::MulIOp, arith::DivFOp>(
          element))
    return std::nullopt;

  std::optional<Terms> a = separate(element->operands()[0]), b;
  if (!a)
    return std::nullopt;
  auto negate = [&](Terms terms) {
    for (Term &term : terms)
      term.statistic = term.statistic ? algebra.neg(term.statistic)
                                      : algebra.number(element->type(), -1);
    return terms;
  };
  if (isOp<arith::NegFOp>(element))
    return negate(*a);
  b = separate(element->operands()[1]);
  if (!b)
    return std::nullopt;

  if (isOp<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(
          element)) {
    for (const Element *operand : element->operands())
      noteShift(operand);
    if (isMore(a->size() + b->size()))
      return std::nullopt;
    llvm::append_range(
        *a, isOp<arith::SubFOp, arith::SubIOp>(element) ? negate(*b) : *b);
    return a;
  }
  if (isOp<arith::DivFOp>(element))
    return divide(element->type(), *a, *b);
  if (isMore(a->size() * b->size()))
    return std::nullopt;
  Terms product;
  for (const Term &left : *a)
    for (const Term &right : *b)
      product.push_back(multiply(left, right));
  return product;
}

/// By one term only. What is the same for all elements need not be summed.
std::optional<SmallVector<Term>>
Separation::divide(Type type, SmallVector<Term> terms, ArrayRef<Term> by) {
  if (by.size() != 1)
    return std::nullopt;
  auto [varying, statistic] = by.front();
  for (Term &term : terms) {
    bool isScale = varying && !term.varying && !variesWithAny(varying, vars);
    if (isScale)
      term.statistic = algebra.div(wide(term.statistic), wide(varying));
    else if (varying) {
      hasNarrowProduct |= isNarrow(type) && term.statistic;
      term.varying = algebra.div(term.varying, varying);
    }
    if (statistic)
      term.statistic = algebra.div(wide(term.statistic), wide(statistic));
  }
  return terms;
}

bool Separation::isMore(size_t terms) {
  return isTooLong |= terms > kMostTerms;
}

/// In a type of few exponents a product without a factor may be out of range,
/// where none would be with it. What is the same for all elements joins the
/// factor instead.
Term Separation::multiply(const Term &left, const Term &right) {
  Term product = {nullptr,
                  algebra.mul(wide(left.statistic), wide(right.statistic))};
  const Element *a = left.varying, *b = right.varying;
  if (!a || !b || !product.statistic || !isNarrow(a->type())) {
    product.varying = algebra.mul(a, b);
    return product;
  }
  if (!variesWithAny(a, vars))
    std::swap(a, b);
  bool isScale = !variesWithAny(b, vars);
  if (isScale)
    product.statistic = algebra.mul(product.statistic, wide(b));
  hasNarrowProduct |= !isScale;
  product.varying = isScale ? a : algebra.mul(a, b);
  return product;
}

/// A factor of few exponents, in f32: of 1e-5 in f16 the reciprocal is
/// infinite.
const Element *Separation::wide(const Element *factor) const {
  return factor && isNarrow(factor->type())
             ? algebra.convert(
                   factor, Float32Type::get(algebra.getContext().getContext()))
             : factor;
}

void Separation::noteShift(const Element *shift) {
  // Integers are exact: nothing cancels.
  if (variesWithAny(shift, vars) || !isa<FloatType>(shift->type()))
    return;
  for (const Element *statistic : statistics)
    if (containsAny(shift, statistic))
      shifts.insert(statistic);
}

/// exp(u + c) = exp(u) exp(c), u of what varies only and c of statistics only.
std::optional<SmallVector<Term>>
Separation::separateExponential(const Element *element) {
  std::optional<Terms> terms = separate(element->operands()[0]);
  if (!terms)
    return std::nullopt;
  Type type = element->operands()[0]->type();
  const Element *varying = algebra.zero(type), *statistic = varying;
  for (const Term &term : *terms) {
    const Element *product = algebra.mul(term.varying, term.statistic);
    if (!product)
      product = algebra.one(type);
    if (!containsAny(product, statistics))
      varying = algebra.add(varying, product);
    else if (!variesWithAny(product, vars))
      statistic = algebra.add(statistic, product);
    else
      return std::nullopt;
  }
  auto apply = [&](const Element *exponent) {
    return algebra.getContext().pointwise(element->pointwise(),
                                          element->pointwiseAttributes(),
                                          exponent->type(), exponent);
  };
  return Terms{{apply(varying), apply(statistic)}};
}

std::optional<SmallVector<Term>>
Separation::separateSelect(const Element *element) {
  const Element *condition = element->operands()[0];
  if (containsAny(condition, statistics))
    return std::nullopt;
  Terms result;
  for (unsigned branch : {1, 2}) {
    std::optional<Terms> terms = separate(element->operands()[branch]);
    if (!terms)
      return std::nullopt;
    for (const Term &term : *terms) {
      Type type = element->type();
      const Element *inside = term.varying ? term.varying : algebra.one(type);
      if (isNumber(inside, 0))
        continue;
      if (term.statistic)
        chosen.insert(term.statistic);
      const Element *outside = algebra.zero(type);
      result.push_back({branch == 1
                            ? algebra.select(condition, inside, outside)
                            : algebra.select(condition, outside, inside),
                        term.statistic});
    }
  }
  if (result.empty())
    result.push_back({algebra.zero(element->type()), nullptr});
  return result;
}

static std::optional<double> sizeOf(const Element *element) {
  if (element->kind() != ElementKind::Constant)
    return std::nullopt;
  auto number = dyn_cast<FloatAttr>(element->constant());
  return number ? std::optional(std::abs(number.getValueAsDouble()))
                : std::nullopt;
}

/// Whether a float is in the range of `type`, if what it is made of is finite.
static bool isInRange(const Element *element, Type type) {
  ArrayRef<const Element *> operands = element->operands();
  if (largestExponent(element->type()) <= largestExponent(type))
    return true;
  if (element->kind() == ElementKind::Constant)
    return sizeOf(element) &&
           *sizeOf(element) < std::ldexp(1.0, largestExponent(type));
  if (isFloatCast(element) || isOp<arith::NegFOp, math::AbsFOp>(element))
    return isInRange(operands[0], type);
  if (isOp<arith::SelectOp>(element))
    return llvm::all_of(operands.drop_front(), [&](const Element *operand) {
      return isInRange(operand, type);
    });
  // At most 1; so is a power of what is at most a maximum, less that.
  return isOp<math::TanhOp, math::ErfOp, math::SinOp, math::CosOp>(element) ||
         (isOp<math::ExpOp, math::Exp2Op>(element) &&
          llvm::any_of(element->reductions(), [](const Element *reduction) {
            return combineOf(reduction) == CombineKind::Max;
          }));
}

/// Whether a cast of a float to `type` keeps its digits however small it is: it
/// comes from such a type.
static bool keepsDigits(const Element *element, Type type) {
  ArrayRef<const Element *> operands = element->operands();
  if (largestExponent(element->type()) <= largestExponent(type))
    return true;
  if (element->kind() == ElementKind::Constant)
    return sizeOf(element) == 0 ||
           sizeOf(element) >=
               std::ldexp(
                   1.0, llvm::APFloat::semanticsMinExponent(semanticsOf(type)));
  if (isOp<arith::SelectOp>(element))
    operands = operands.drop_front();
  else if (!isFloatCast(element) && !isOp<arith::NegFOp, math::AbsFOp>(element))
    return false;
  return llvm::all_of(operands, [&](const Element *operand) {
    return keepsDigits(operand, type);
  });
}

/// Whether a factor makes nothing larger.
static bool isSmallFactor(const Element *element) {
  ArrayRef<const Element *> operands = element->operands();
  if (element->kind() == ElementKind::Constant)
    return sizeOf(element) && *sizeOf(element) <= 1;
  if (isOp<arith::DivFOp>(element))
    return isSmallFactor(operands[0]) && isAtLeastOne(operands[1]);
  return (isFloatCast(element) ||
          isOp<arith::NegFOp, arith::MulFOp>(element)) &&
         llvm::all_of(operands, isSmallFactor);
}

/// Casts are done on what varies; statistics keep the type that they have.
/// Truncating integers is exact: it commutes with sums and products.
std::optional<SmallVector<Term>>
Separation::separateCast(const Element *element) {
  auto outer = std::move(shifts);
  shifts.clear();
  std::optional<Terms> terms = separate(element->operands()[0]);
  bool isShifted = !shifts.empty();
  shifts.insert(outer.begin(), outer.end());
  if (!terms)
    return std::nullopt;
  if (isNarrowingCast(element)) {
    hasScaledCast |= terms->size() == 1;
    hasShiftedCast |= terms->size() > 1 && isShifted;
    hasSplitCast |= terms->size() > 1 && !isShifted;
    Type type = element->type();
    for (const Term &term : *terms) {
      if (!term.varying || !term.statistic || !isa<FloatType>(type))
        continue;
      hasLargeCast |= !isInRange(term.varying, type);
      hasSmallCast |=
          !keepsDigits(term.varying, type) && !isSmallFactor(term.statistic);
    }
  }
  bool isInteger = !isa<FloatType>(element->type());
  for (Term &term : *terms) {
    if (term.varying)
      term.varying = algebra.convert(term.varying, element->type());
    if (term.statistic && isInteger)
      term.statistic = algebra.convert(term.statistic, element->type());
  }
  return terms;
}

/// A sum inside of the sum lets factors out that it does not bind.
std::optional<SmallVector<Term>>
Separation::separateSum(const Element *element) {
  if (combineOf(element) != CombineKind::Sum)
    return std::nullopt;
  std::optional<SmallVector<SumTerm>> terms = separateBody(element);
  if (!terms)
    return std::nullopt;
  Terms result;
  for (const SumTerm &term : *terms) {
    if (term.statistic && variesWithAny(term.statistic, element->boundVars()))
      return std::nullopt;
    result.push_back({algebra.makeSum(element, term.bodies), term.statistic});
  }
  return result;
}

std::optional<SmallVector<SumTerm>>
Separation::separateBody(const Element *reduction) {
  SmallVector<SumTerm> products(1);
  for (const Element *side : reduction->operands()) {
    std::optional<Terms> terms = separate(side);
    if (!terms)
      return std::nullopt;
    if (isMore(products.size() * terms->size()))
      return std::nullopt;
    SmallVector<SumTerm> longer;
    for (const SumTerm &product : products)
      for (const Term &term : *terms) {
        longer.push_back(product);
        longer.back().bodies.push_back(term.varying);
        longer.back().statistic =
            algebra.mul(wide(product.statistic), wide(term.statistic));
      }
    products = std::move(longer);
  }
  return products;
}
