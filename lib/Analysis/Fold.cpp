//===- Fold.cpp - what an expression is under an assumption ---------------===//
//
// Numbers are computed with as the ops define them: integers wrap, floats are
// rounded to their type after every op. Transcendental functions are computed
// in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Fold.h"
#include "fuse/Analysis/Algebra.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static TypedAttr roundTo(Type type, APFloat value) {
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  // A cast to f8E4M3FN saturates; the type has no infinity to overflow to.
  if (isa<Float8E4M3FNType>(type) && !value.isNaN()) {
    APFloat largest = APFloat::getLargest(semantics, value.isNegative());
    bool isExact = false;
    largest.convert(value.getSemantics(), APFloat::rmNearestTiesToEven,
                    &isExact);
    APFloat magnitude = value, bound = largest;
    magnitude.clearSign();
    bound.clearSign();
    if (magnitude.compare(bound) == APFloat::cmpGreaterThan)
      value = largest;
  }
  bool losesInfo = false;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return FloatAttr::get(type, value);
}

TypedAttr fuse::makeNumber(Type type, double value) {
  if (isa<FloatType>(type))
    return roundTo(type, APFloat(value));
  return IntegerAttr::get(type, static_cast<int64_t>(value));
}

static APFloat floatOf(TypedAttr number) {
  return cast<FloatAttr>(number).getValue();
}

static double doubleOf(TypedAttr number) {
  return cast<FloatAttr>(number).getValueAsDouble();
}

static APInt integerOf(TypedAttr number) {
  return cast<IntegerAttr>(number).getValue();
}

bool fuse::isIdentity(CombineKind kind, TypedAttr number) {
  if (!number)
    return false;
  TypedAttr identity = identityOf(kind, number.getType());
  // There are two zeros.
  if (isa<FloatAttr>(number))
    return floatOf(number).compare(floatOf(identity)) == APFloat::cmpEqual;
  return number == identity;
}

//===----------------------------------------------------------------------===//
// Ops on numbers
//===----------------------------------------------------------------------===//

static APFloat combine(const Element *op, APFloat a, const APFloat &b) {
  if (isOp<arith::AddFOp>(op))
    a.add(b, APFloat::rmNearestTiesToEven);
  else if (isOp<arith::SubFOp>(op))
    a.subtract(b, APFloat::rmNearestTiesToEven);
  else if (isOp<arith::MulFOp>(op))
    a.multiply(b, APFloat::rmNearestTiesToEven);
  else
    a.divide(b, APFloat::rmNearestTiesToEven);
  return a;
}

static bool holds(arith::CmpFPredicate predicate, const APFloat &a,
                  const APFloat &b) {
  return arith::applyCmpPredicate(predicate, a, b);
}

/// A function of one float, as double has it.
static std::optional<double> applyUnary(const Element *op, double x) {
  if (isOp<math::ExpOp>(op))
    return std::exp(x);
  if (isOp<math::Exp2Op>(op))
    return std::exp2(x);
  if (isOp<math::ExpM1Op>(op))
    return std::expm1(x);
  if (isOp<math::LogOp>(op))
    return std::log(x);
  if (isOp<math::Log2Op>(op))
    return std::log2(x);
  if (isOp<math::Log1pOp>(op))
    return std::log1p(x);
  if (isOp<math::SqrtOp>(op))
    return std::sqrt(x);
  if (isOp<math::RsqrtOp>(op))
    return 1 / std::sqrt(x);
  if (isOp<math::TanhOp>(op))
    return std::tanh(x);
  if (isOp<math::ErfOp>(op))
    return std::erf(x);
  if (isOp<math::SinOp>(op))
    return std::sin(x);
  if (isOp<math::CosOp>(op))
    return std::cos(x);
  if (isOp<math::AbsFOp>(op))
    return std::fabs(x);
  if (isOp<math::FloorOp>(op))
    return std::floor(x);
  if (isOp<math::CeilOp>(op))
    return std::ceil(x);
  if (isOp<arith::NegFOp>(op))
    return -x;
  return std::nullopt;
}

static TypedAttr evaluateFloats(const Element *element,
                                ArrayRef<TypedAttr> operands) {
  Type type = element->type();
  if (isOp<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(element))
    return FloatAttr::get(
        type, combine(element, floatOf(operands[0]), floatOf(operands[1])));
  if (isOp<arith::MaximumFOp>(element))
    return FloatAttr::get(
        type, llvm::maximum(floatOf(operands[0]), floatOf(operands[1])));
  if (isOp<arith::MinimumFOp>(element))
    return FloatAttr::get(
        type, llvm::minimum(floatOf(operands[0]), floatOf(operands[1])));
  if (isOp<arith::MaxNumFOp>(element))
    return FloatAttr::get(
        type, llvm::maxnum(floatOf(operands[0]), floatOf(operands[1])));
  if (isOp<arith::MinNumFOp>(element))
    return FloatAttr::get(
        type, llvm::minnum(floatOf(operands[0]), floatOf(operands[1])));
  if (isOp<math::PowFOp>(element))
    return makeNumber(type,
                      std::pow(doubleOf(operands[0]), doubleOf(operands[1])));
  if (isOp<arith::ExtFOp, arith::TruncFOp>(element))
    return roundTo(type, floatOf(operands[0]));
  if (isOp<arith::CmpFOp>(element)) {
    auto predicate = cast<arith::CmpFPredicateAttr>(
        element->pointwiseAttributes().get("predicate"));
    return IntegerAttr::get(type,
                            holds(predicate.getValue(), floatOf(operands[0]),
                                  floatOf(operands[1])));
  }
  if (isOp<arith::FPToSIOp, arith::FPToUIOp>(element)) {
    bool isSigned = isOp<arith::FPToSIOp>(element), isExact = false;
    llvm::APSInt bits(type.getIntOrFloatBitWidth(), !isSigned);
    // What does not fit is undefined, and so not known.
    if (floatOf(operands[0])
            .convertToInteger(bits, APFloat::rmTowardZero, &isExact) &
        APFloat::opInvalidOp)
      return {};
    return IntegerAttr::get(type, bits);
  }
  if (operands.size() != 1 || !isa<FloatType>(type))
    return {};
  std::optional<double> result = applyUnary(element, doubleOf(operands[0]));
  return result ? makeNumber(type, *result) : TypedAttr();
}

/// An op of two integers; nothing if it divides by 0, or is not known.
static std::optional<APInt> combine(const Element *op, const APInt &a,
                                    const APInt &b) {
  if (isOp<arith::AddIOp>(op))
    return a + b;
  if (isOp<arith::SubIOp>(op))
    return a - b;
  if (isOp<arith::MulIOp>(op))
    return a * b;
  if (isOp<arith::AndIOp>(op))
    return a & b;
  if (isOp<arith::OrIOp>(op))
    return a | b;
  if (isOp<arith::XOrIOp>(op))
    return a ^ b;
  if (isOp<arith::MaxSIOp>(op))
    return a.sgt(b) ? a : b;
  if (isOp<arith::MinSIOp>(op))
    return a.slt(b) ? a : b;
  if (isOp<arith::MaxUIOp>(op))
    return a.ugt(b) ? a : b;
  if (isOp<arith::MinUIOp>(op))
    return a.ult(b) ? a : b;
  if (b.isZero() || (a.isMinSignedValue() && b.isAllOnes()))
    return std::nullopt;
  if (isOp<arith::DivSIOp>(op))
    return a.sdiv(b);
  if (isOp<arith::DivUIOp>(op))
    return a.udiv(b);
  if (isOp<arith::RemSIOp>(op))
    return a.srem(b);
  if (isOp<arith::RemUIOp>(op))
    return a.urem(b);
  if (isOp<arith::FloorDivSIOp>(op))
    return llvm::APIntOps::RoundingSDiv(a, b, APInt::Rounding::DOWN);
  if (isOp<arith::CeilDivSIOp>(op))
    return llvm::APIntOps::RoundingSDiv(a, b, APInt::Rounding::UP);
  return std::nullopt;
}

static TypedAttr evaluateIntegers(const Element *element,
                                  ArrayRef<TypedAttr> operands) {
  Type type = element->type();
  APInt a = integerOf(operands[0]);
  unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                  : type.getIntOrFloatBitWidth();
  if (isOp<arith::SIToFPOp, arith::UIToFPOp>(element)) {
    APFloat value(cast<FloatType>(type).getFloatSemantics());
    // A type without infinities saturates, so the way is by a wider one.
    APFloat wide(APFloat::IEEEdouble());
    wide.convertFromAPInt(a, isOp<arith::SIToFPOp>(element),
                          APFloat::rmNearestTiesToEven);
    if (isa<Float8E4M3FNType>(type))
      return roundTo(type, wide);
    value.convertFromAPInt(a, isOp<arith::SIToFPOp>(element),
                           APFloat::rmNearestTiesToEven);
    return FloatAttr::get(type, value);
  }
  if (isOp<arith::ExtSIOp, arith::IndexCastOp>(element))
    return IntegerAttr::get(type, a.sextOrTrunc(width));
  if (isOp<arith::ExtUIOp, arith::IndexCastUIOp, arith::TruncIOp>(element))
    return IntegerAttr::get(type, a.zextOrTrunc(width));
  if (operands.size() != 2)
    return {};
  APInt b = integerOf(operands[1]);
  if (isOp<arith::CmpIOp>(element)) {
    auto predicate = cast<arith::CmpIPredicateAttr>(
        element->pointwiseAttributes().get("predicate"));
    return IntegerAttr::get(
        type, arith::applyCmpPredicate(predicate.getValue(), a, b));
  }
  std::optional<APInt> result = combine(element, a, b);
  return result ? IntegerAttr::get(type, *result) : TypedAttr();
}

TypedAttr fuse::evaluate(const Element *element, ArrayRef<TypedAttr> operands) {
  if (isOp<arith::SelectOp>(element))
    return operands[isNumber(operands[0], 1) ? 1 : 2];
  auto areAll = [&](auto isThat) { return llvm::all_of(operands, isThat); };
  if (operands.empty())
    return {};
  if (areAll(llvm::IsaPred<FloatAttr>))
    return evaluateFloats(element, operands);
  if (areAll(llvm::IsaPred<IntegerAttr>))
    return evaluateIntegers(element, operands);
  return {};
}

//===----------------------------------------------------------------------===//
// BoundsFinder
//===----------------------------------------------------------------------===//

namespace {

/// Where a float lies if it is not NaN.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool isFinite() const { return std::isfinite(low) && std::isfinite(high); }
  bool isPositive() const { return low >= 0; }
  bool hasZero() const { return !(low > 0) && !(high < 0); }
};

} // namespace

/// The bounds of results at the corners; 0 where these are NaN, as 0 times an
/// infinity is.
static Bounds hullOf(std::initializer_list<double> corners) {
  Bounds hull{std::numeric_limits<double>::infinity(),
              -std::numeric_limits<double>::infinity()};
  for (double corner : corners) {
    double number = std::isnan(corner) ? 0 : corner;
    hull.low = std::min(hull.low, number);
    hull.high = std::max(hull.high, number);
  }
  return hull;
}

/// What is rounded to `type`; what is larger than its numbers is infinite.
static Bounds inType(Bounds bounds, Type type) {
  auto round = [&](double number) {
    return cast<FloatAttr>(makeNumber(type, number)).getValueAsDouble();
  };
  return {round(bounds.low), round(bounds.high)};
}

namespace {

class BoundsFinder {
public:
  /// Where the float `element` lies for any data.
  Bounds of(const Element *element) {
    if (auto seen = memo.find(element); seen != memo.end())
      return seen->second;
    Bounds bounds = compute(element);
    memo[element] = bounds;
    return bounds;
  }

private:
  Bounds ofOne(const Element *element);
  Bounds ofTwo(const Element *element);
  Bounds compute(const Element *element);

  llvm::DenseMap<const Element *, Bounds> memo;
};

} // namespace

Bounds BoundsFinder::ofTwo(const Element *element) {
  const Element *lhs = element->operands()[0], *rhs = element->operands()[1];
  Bounds a = of(lhs), b = of(rhs);
  if (isOp<arith::AddFOp>(element))
    return {a.low + b.low, a.high + b.high};
  if (isOp<arith::SubFOp>(element))
    return {a.low - b.high, a.high - b.low};
  if (isOp<arith::MaximumFOp>(element))
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  if (isOp<arith::MinimumFOp>(element))
    return {std::min(a.low, b.low), std::min(a.high, b.high)};
  if (isOp<arith::MulFOp>(element)) {
    Bounds product = hullOf(
        {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return lhs == rhs ? Bounds{std::max(product.low, 0.0), product.high}
                      : product;
  }
  if (isOp<arith::DivFOp>(element) && !b.hasZero())
    return hullOf(
        {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  return {};
}

Bounds BoundsFinder::ofOne(const Element *element) {
  const Element *operand = element->operands()[0];
  if (isOp<math::TanhOp, math::ErfOp, math::SinOp, math::CosOp>(element))
    return {-1, 1};
  if (isOp<arith::SIToFPOp, arith::UIToFPOp>(element)) {
    double most = std::ldexp(1, operand->type().isIndex()
                                    ? 64
                                    : operand->type().getIntOrFloatBitWidth());
    return {-most, most};
  }
  Bounds inner = of(operand);
  if (isOp<arith::ExtFOp, arith::TruncFOp>(element))
    return inner;
  if (isOp<arith::NegFOp>(element))
    return {-inner.high, -inner.low};
  if (isOp<math::AbsFOp>(element))
    return {inner.isPositive() ? inner.low : 0,
            std::max(std::fabs(inner.low), std::fabs(inner.high))};
  if (isOp<math::ExpOp>(element))
    return {std::exp(inner.low), std::exp(inner.high)};
  if (isOp<math::Exp2Op>(element))
    return {std::exp2(inner.low), std::exp2(inner.high)};
  if (isOp<math::SqrtOp>(element))
    return {std::sqrt(std::max(inner.low, 0.0)),
            std::sqrt(std::max(inner.high, 0.0))};
  if (isOp<math::RsqrtOp>(element) && inner.low > 0)
    return {1 / std::sqrt(inner.high), 1 / std::sqrt(inner.low)};
  return {};
}

Bounds BoundsFinder::compute(const Element *element) {
  auto type = dyn_cast<FloatType>(element->type());
  if (!type)
    return {};
  if (element->kind() == ElementKind::Constant) {
    double number = doubleOf(element->constant());
    return {number, number};
  }
  if (element->kind() == ElementKind::Reduce &&
      element->combine() == CombineKind::Sum &&
      of(element->operands()[0]).isPositive())
    return {0, std::numeric_limits<double>::infinity()};
  if (element->kind() != ElementKind::Pointwise)
    return {};
  if (isOp<arith::SelectOp>(element)) {
    Bounds a = of(element->operands()[1]), b = of(element->operands()[2]);
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
  }
  size_t count = element->operands().size();
  return inType(count == 2   ? ofTwo(element)
                : count == 1 ? ofOne(element)
                             : Bounds(),
                type);
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

namespace {

class Folder {
public:
  Folder(Assumption known, ArrayRef<IndexVar> vars, FoldPlace place)
      : known(known), vars(vars), place(place) {}

  /// That those factors are finite is taken for granted.
  void allowFactorsOf(const Element *product) {
    if (!isProduct(product) || !products.insert(product).second)
      return;
    for (const Element *operand : product->operands())
      allowFactorsOf(operand);
  }

  /// What is 0 only where a factor is finite, and does not scale what `element`
  /// is a factor of.
  SmallVector<const Element *> findTrusted(const Element *element) {
    if (trusted.empty())
      return {};
    // x of x / (1 + exp(-x)) is a factor and an exponent.
    llvm::DenseSet<const Element *> others, factors;
    auto visit = [&](auto &self, const Element *part, bool isFactor) -> void {
      isFactor &= isProduct(part);
      if (!(isFactor ? factors : others).insert(part).second)
        return;
      for (const Element *operand : part->operands())
        self(self, operand, isFactor);
    };
    visit(visit, element, /*isFactor=*/true);
    return llvm::filter_to_vector(trusted, [&](const Element *product) {
      return !isProduct(product) || others.contains(product);
    });
  }

  TypedAttr fold(const Element *element) {
    auto seen = memo.find(element);
    if (seen != memo.end())
      return seen->second;
    TypedAttr result = compute(element);
    if (mayBeNegativeZero(element, result))
      zeros.insert(element);
    memo[element] = result;
    return result;
  }

private:
  static bool isProduct(const Element *element) {
    return isOp<arith::MulFOp, arith::DivFOp>(element);
  }

  /// Whether `result` is a 0 that has the sign of something unknown.
  bool mayBeNegativeZero(const Element *element, TypedAttr result) {
    if (!isa_and_nonnull<FloatAttr>(result) || !isNumber(result, 0) ||
        element->operands().empty() || known(element))
      return false;
    return element->isReduction() ||
           llvm::any_of(element->operands(), [&](const Element *operand) {
             return zeros.contains(operand) || !fold(operand);
           });
  }

  /// Whether a number that is not 0 depends on the sign of a 0 that has none.
  bool needsSign(const Element *element) {
    auto isZero = [&](unsigned which) {
      return zeros.contains(element->operands()[which]);
    };
    return (isOp<arith::DivFOp>(element) && isZero(1)) ||
           (isOp<math::PowFOp, math::RsqrtOp>(element) && isZero(0));
  }

  TypedAttr compute(const Element *element) {
    if (TypedAttr assumed = known(element))
      return assumed;
    if (element->kind() == ElementKind::Constant)
      return element->constant();
    if (element->isReduction()) {
      bool bindsAny = llvm::any_of(vars, [&](const IndexVar &var) {
        return llvm::is_contained(element->boundVars(), var);
      });
      return bindsAny ? TypedAttr() : foldReduction(element);
    }
    if (element->kind() != ElementKind::Pointwise)
      return {};
    SmallVector<TypedAttr> operands;
    for (const Element *operand : element->operands())
      operands.push_back(fold(operand));
    if (isOp<arith::SelectOp>(element))
      return foldSelect(operands);
    if (llvm::all_of(operands, [](TypedAttr number) { return !!number; }))
      return needsSign(element) ? TypedAttr() : evaluate(element, operands);
    return operands.size() == 2 ? foldPartly(element, operands) : TypedAttr();
  }

  /// Whatever it is over, a reduction of identities is the identity.
  TypedAttr foldReduction(const Element *element) {
    TypedAttr identity = identityOf(combineOf(element), element->type());
    if (element->kind() == ElementKind::Dot) {
      const Element *lhs = element->operands()[0],
                    *rhs = element->operands()[1];
      auto isZero = [&](const Element *side, const Element *other) {
        auto number = dyn_cast_or_null<FloatAttr>(fold(other));
        return isNumber(fold(side), 0) &&
               (number ? number.getValue().isFinite() : isData(other));
      };
      bool isLeft = isZero(lhs, rhs);
      if (!isLeft && !isZero(rhs, lhs))
        return {};
      const Element *other = isLeft ? rhs : lhs;
      if (!fold(other) && !bounds.of(other).isFinite())
        trusted.push_back(element);
      return identity;
    }
    TypedAttr body = fold(element->operands()[0]);
    return isIdentity(combineOf(element), body) ? identity : TypedAttr();
  }

  static TypedAttr foldSelect(ArrayRef<TypedAttr> operands) {
    if (operands[0])
      return operands[isNumber(operands[0], 1) ? 1 : 2];
    return operands[1] == operands[2] ? operands[1] : TypedAttr();
  }

  /// One operand is known and the other is finite.
  TypedAttr foldPartly(const Element *element, ArrayRef<TypedAttr> operands) {
    bool isFirst = !!operands[0];
    TypedAttr number = operands[isFirst ? 0 : 1];
    if (!number)
      return {};
    Type type = element->type();
    // Of a NaN nothing else comes, not even by 0.
    auto real = dyn_cast<FloatAttr>(number);
    if (real && real.getValue().isNaN() &&
        isOp<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::MaximumFOp, arith::MinimumFOp>(element))
      return number;
    if (real && !isData(element->operands()[isFirst ? 1 : 0]))
      return {};
    // One infinite factor, or a divisor that is 0, is that of a whole row: the
    // row is infinite then, and would be NaN with what is read behind its end.
    if (place != FoldPlace::Data && isProduct(element)) {
      Bounds other = bounds.of(element->operands()[isFirst ? 1 : 0]);
      if (isOp<arith::MulFOp>(element) ? !other.isFinite() : other.hasZero()) {
        if (!products.contains(element))
          return {};
        trusted.push_back(element);
      }
    }
    if (isOp<arith::MulFOp, arith::MulIOp>(element))
      return isNumber(number, 0) ? makeNumber(type, 0) : TypedAttr();
    if (isOp<arith::DivFOp>(element))
      return isFirst && isNumber(number, 0) ? number : TypedAttr();
    if (isOp<arith::AndIOp>(element))
      return isNumber(number, 0) ? number : TypedAttr();
    if (isOp<arith::OrIOp>(element))
      return type.isInteger(1) && isNumber(number, 1) ? number : TypedAttr();
    auto floats = dyn_cast<FloatAttr>(number);
    if (!floats || !floats.getValue().isInfinity())
      return {};
    bool isNegative = floats.getValue().isNegative();
    if (isOp<arith::AddFOp>(element))
      return number;
    if (isOp<arith::SubFOp>(element))
      return isFirst ? number : FloatAttr::get(type, -floats.getValue());
    if (isOp<arith::MaximumFOp, arith::MaxNumFOp>(element))
      return isNegative ? TypedAttr() : number;
    if (isOp<arith::MinimumFOp, arith::MinNumFOp>(element))
      return isNegative ? number : TypedAttr();
    return {};
  }

  /// Whether a value is one of the graph, which may be taken to be finite.
  bool isData(const Element *element) const {
    return place == FoldPlace::Data ||
           llvm::none_of(vars, [&](const IndexVar &var) {
             return element->variesWith(var);
           });
  }

  Assumption known;
  ArrayRef<IndexVar> vars;
  FoldPlace place;
  llvm::DenseMap<const Element *, TypedAttr> memo;
  /// Those that are 0 and may be -0.
  llvm::DenseSet<const Element *> zeros;
  llvm::DenseSet<const Element *> products;
  SmallVector<const Element *> trusted;
  BoundsFinder bounds;
};

} // namespace

TypedAttr fuse::fold(const Element *element, Assumption known,
                     ArrayRef<IndexVar> vars, FoldPlace place,
                     SmallVectorImpl<const Element *> *trusted) {
  Folder folder(known, vars, place);
  if (place == FoldPlace::FactorBehindEnd)
    folder.allowFactorsOf(element);
  TypedAttr number = folder.fold(element);
  if (trusted && number)
    llvm::append_range(*trusted, folder.findTrusted(element));
  return number;
}
