//===- Corrections.cpp - accumulators follow moving statistics ------------===//
//
// The table and what its rows ask of expressions: their derivative, whether
// they rise or fall, and whether they are finite before anything was seen.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Corrections.h"
#include "Distances.h"
#include "fuse/Analysis/Separation.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fuse;

/// How often an exact Taylor series is differentiated before we give up.
static constexpr unsigned kMaxDegree = 4;

using Accumulators = SmallVector<Accumulator>;

namespace {

/// The rows of the table, in the order in which they are tried.
enum Row { Exponential, Polynomial };

} // namespace

//===----------------------------------------------------------------------===//
// Asking expressions
//===----------------------------------------------------------------------===//

const Element *fuse::derivative(const Algebra &algebra, const Element *element,
                                const Element *center) {
  if (element == center)
    return algebra.one(element->type());
  if (!contains(element, center))
    return algebra.zero(element->type());
  if (element->kind() != ElementKind::Pointwise)
    return nullptr;
  SmallVector<const Element *> operands(element->operands()), d;
  bool isSelect = isOp<arith::SelectOp>(element);
  for (const Element *operand : ArrayRef(operands).drop_front(isSelect)) {
    d.push_back(derivative(algebra, operand, center));
    if (!d.back())
      return nullptr;
  }
  if (isOp<arith::AddFOp, arith::AddIOp>(element))
    return algebra.add(d[0], d[1]);
  if (isOp<arith::SubFOp, arith::SubIOp>(element))
    return algebra.sub(d[0], d[1]);
  if (isOp<arith::NegFOp>(element))
    return algebra.neg(d[0]);
  // The cast is done, on a value shifted by what the statistic still moves.
  if (isFloatCast(element))
    return algebra.convert(d[0], element->type());
  if (isOp<arith::MulFOp, arith::MulIOp>(element))
    return algebra.add(algebra.mul(d[0], operands[1]),
                       algebra.mul(operands[0], d[1]));
  if (isOp<arith::DivFOp>(element) && isNumber(d[1], 0))
    return algebra.div(d[0], operands[1]);
  if (isSelect && !contains(operands[0], center))
    return algebra.select(operands[0], d[0], d[1]);
  return nullptr;
}

/// The sign of a number, or nothing.
static std::optional<int> signOf(const Element *element) {
  if (element->kind() != ElementKind::Constant)
    return std::nullopt;
  if (auto number = dyn_cast<FloatAttr>(element->constant())) {
    if (number.getValue().isNaN())
      return std::nullopt;
    return number.getValue().isZero()       ? 0
           : number.getValue().isNegative() ? -1
                                            : 1;
  }
  const APInt &bits = cast<IntegerAttr>(element->constant()).getValue();
  return bits.isZero() ? 0 : bits.isNegative() ? -1 : 1;
}

/// How a sum or a maximum goes whose operands go like this.
static std::optional<int> join(std::optional<int> a, std::optional<int> b) {
  if (!a || !b || *a * *b < 0)
    return std::nullopt;
  return *a ? a : b;
}

static std::optional<int> times(std::optional<int> direction,
                                std::optional<int> sign) {
  if (!direction || !sign)
    return std::nullopt;
  return *direction * *sign;
}

std::optional<int> fuse::directionOf(const Element *element,
                                     const Element *statistic) {
  if (element == statistic)
    return 1;
  if (!containsAny(element, statistic))
    return 0;
  if (element->kind() != ElementKind::Pointwise)
    return std::nullopt;
  ArrayRef<const Element *> operands = element->operands();
  auto ofOperand = [&](unsigned i) {
    return directionOf(operands[i], statistic);
  };
  if (isOp<arith::SelectOp>(element))
    return join(ofOperand(1), ofOperand(2));
  if (isOp<arith::AddFOp, arith::AddIOp, arith::MaximumFOp, arith::MaxNumFOp,
           arith::MaxSIOp, arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(
          element))
    return join(ofOperand(0), ofOperand(1));
  if (isOp<arith::SubFOp, arith::SubIOp>(element))
    return join(ofOperand(0), times(ofOperand(1), -1));
  if (isOp<arith::NegFOp>(element))
    return times(ofOperand(0), -1);
  if (isOp<arith::MulFOp, arith::MulIOp>(element) &&
      !containsAny(operands[0], statistic))
    return times(ofOperand(1), signOf(operands[0]));
  if (isOp<arith::MulFOp, arith::MulIOp, arith::DivFOp>(element) &&
      !containsAny(operands[1], statistic))
    return times(ofOperand(0), signOf(operands[1]));
  if (isFloatCast(element) ||
      isOp<arith::SIToFPOp, math::ExpOp, math::Exp2Op, math::TanhOp,
           math::LogOp, math::SqrtOp, math::ErfOp>(element))
    return ofOperand(0);
  return std::nullopt;
}

bool fuse::isFiniteBeforeFirst(const Element *center,
                               ArrayRef<const Element *> moving) {
  if (llvm::is_contained(moving, center))
    return combineOf(center) == CombineKind::Sum;
  if (!containsAny(center, moving))
    return true;
  if (isOp<arith::DivFOp>(center) && containsAny(center->operands()[1], moving))
    return false;
  return (isFloatCast(center) ||
          isOp<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp,
               arith::MulFOp, arith::MulIOp, arith::NegFOp, arith::DivFOp>(
              center)) &&
         llvm::all_of(center->operands(), [&](const Element *operand) {
           return isFiniteBeforeFirst(operand, moving);
         });
}

//===----------------------------------------------------------------------===//
// Exponential
//===----------------------------------------------------------------------===//

static void collectFactors(const Element *product,
                           SmallVectorImpl<const Element *> &factors) {
  if (isFloatCast(product) || isOp<arith::MulFOp, arith::NegFOp>(product)) {
    for (const Element *operand : product->operands())
      collectFactors(operand, factors);
    return;
  }
  factors.push_back(product);
}

static std::optional<OrRefusal<Accumulators>>
deriveExponential(const Algebra &algebra, const Element *reduction,
                  ArrayRef<const Element *> moving, bool /*followsMeans*/) {
  Separation separation(algebra, reduction->boundVars(), moving);
  std::optional<SmallVector<SumTerm>> terms =
      separation.separateBody(reduction);
  if (!terms || terms->size() != 1 || !terms->front().statistic)
    return std::nullopt;
  Accumulator accumulator;
  accumulator.reduction = reduction;
  accumulator.correction = &getCorrections()[Exponential];
  SmallVector<const Element *> factors;
  collectFactors(terms->front().statistic, factors);
  for (const Element *factor : factors) {
    if (!containsAny(factor, moving))
      continue;
    if (!isOp<math::ExpOp, math::Exp2Op>(factor))
      return std::nullopt;
    accumulator.factors.push_back(factor);
  }
  // Each factor must shrink as its statistics move: else it overflows, and is
  // 0 * inf at the start.
  for (const Element *factor : accumulator.factors)
    for (const Element *statistic : moving) {
      if (!containsAny(factor, statistic))
        continue;
      CombineKind kind = combineOf(statistic);
      std::optional<int> direction =
          directionOf(factor->operands()[0], statistic);
      bool isShrinking = kind == CombineKind::Max   ? direction == -1
                         : kind == CombineKind::Min ? direction == 1
                                                    : false;
      if (!isShrinking)
        return Refusal{("an exponential of a running " +
                        stringifyCombineKind(kind) +
                        " may grow while it moves, and overflow")
                           .str()};
      if (!boundsExponents(reduction, statistic))
        return Refusal{("an exponential is not bounded by the running " +
                        stringifyCombineKind(kind) +
                        ", and may overflow before that is the last one")
                           .str()};
    }
  return Accumulators{accumulator};
}

static const Element *difference(const Algebra &algebra, const Element *a,
                                 const Element *b, Type type,
                                 bool isWidened = false);

/// Whether products with a number are not rounded.
static bool isPowerOfTwo(const Element *element) {
  if (element->kind() != ElementKind::Constant)
    return false;
  auto number = dyn_cast<FloatAttr>(element->constant());
  int exponent = 0;
  return number &&
         std::abs(std::frexp(number.getValueAsDouble(), &exponent)) == 0.5;
}

/// The difference of what one number multiplies or divides in both, times that
/// number; null if it does in none. `isWidened`: what is seen is that in a
/// wider type, so that both have been rounded, which the difference would not
/// be: the shift of what has been summed is one of rounded numbers.
static const Element *differenceOfMultiples(const Algebra &algebra,
                                            const Element *a, const Element *b,
                                            Type type, bool isWidened) {
  auto areBoth = [&](auto isThat) { return isThat(a) && isThat(b); };
  auto operand = [](const Element *element, unsigned i) {
    return element->operands()[i];
  };
  if (areBoth([](const Element *side) { return isOp<arith::ExtFOp>(side); }))
    return differenceOfMultiples(algebra, operand(a, 0), operand(b, 0), type,
                                 /*isWidened=*/true);
  if (areBoth([](const Element *side) { return isOp<arith::NegFOp>(side); }))
    return differenceOfMultiples(algebra, operand(b, 0), operand(a, 0), type,
                                 isWidened);
  auto isShared = [&](unsigned i) {
    return operand(a, i) == operand(b, i) &&
           operand(a, i)->kind() == ElementKind::Constant &&
           (!isWidened || isPowerOfTwo(operand(a, i)));
  };
  if (areBoth([](const Element *side) { return isOp<arith::MulFOp>(side); }))
    for (unsigned factor : {0, 1})
      if (isShared(factor))
        return algebra.mul(difference(algebra, operand(a, 1 - factor),
                                      operand(b, 1 - factor), type, isWidened),
                           algebra.convert(operand(a, factor), type));
  if (areBoth([](const Element *side) { return isOp<arith::DivFOp>(side); }) &&
      isShared(1))
    return algebra.div(
        difference(algebra, operand(a, 0), operand(b, 0), type, isWidened),
        algebra.convert(operand(a, 1), type));
  return nullptr;
}

/// `a - b`; of multiples by one number only what differs is multiplied, so that
/// their roundings don't. Nor are they infinite then, as multiples of a running
/// maximum's floor are: that they do not differ has to be seen.
static const Element *difference(const Algebra &algebra, const Element *a,
                                 const Element *b, Type type, bool isWidened) {
  if (const Element *multiple =
          differenceOfMultiples(algebra, a, b, type, isWidened))
    return multiple;
  return algebra.sub(algebra.convert(a, type), algebra.convert(b, type));
}

/// acc * exp(c_new - c_old), in the accumulator's type.
static const Element *correctExponential(const Algebra &algebra,
                                         const Accumulator &accumulator,
                                         const Element *value, Values values,
                                         Statistics from, Statistics to) {
  Type type = accumulator.reduction->type();
  for (const Element *factor : accumulator.factors) {
    const Element *exponent = factor->operands()[0];
    const Element *distance =
        difference(algebra, to(exponent), from(exponent), type);
    if (isNumber(distance, 0))
      continue;
    value =
        algebra.mul(value, algebra.getContext().pointwise(
                               factor->pointwise(),
                               factor->pointwiseAttributes(), type, distance));
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Polynomial
//===----------------------------------------------------------------------===//

/// The largest expressions of statistics only in `element`, except itself.
/// Those inside of inner reductions are not found: see derivative.
static void collectCenters(const Element *element, ArrayRef<IndexVar> vars,
                           ArrayRef<const Element *> moving,
                           llvm::SmallSetVector<const Element *, 4> &centers) {
  if (!containsAny(element, moving))
    return;
  if (!variesWithAny(element, vars))
    centers.insert(element);
  else if (!element->isReduction())
    for (const Element *operand : element->operands())
      collectCenters(operand, vars, moving, centers);
}

/// One of the centers of which all others are made, or null.
static const Element *pickCenter(const Algebra &algebra,
                                 ArrayRef<const Element *> centers,
                                 ArrayRef<const Element *> moving) {
  for (const Element *center : centers) {
    auto isMadeOfIt = [&](const Element *other) {
      const Element *rest =
          algebra.rebuild(other, [&](const Element *part) -> const Element * {
            return part == center ? algebra.zero(part->type()) : nullptr;
          });
      return !containsAny(rest, moving);
    };
    if (llvm::all_of(centers, isMadeOfIt))
      return center;
  }
  return nullptr;
}

/// The sums of the derivatives of order 1, 2, ... of a body:
/// body(c') = sum_q (c' - c)^q / q! d^q body / dc^q, which is exact and ends.
static OrRefusal<SmallVector<const Element *>>
deriveCompanions(const Algebra &algebra, const Element *reduction,
                 const Element *center) {
  SmallVector<const Element *> companions;
  SmallVector<const Element *> bodies(reduction->operands());
  while (true) {
    std::optional<unsigned> moved;
    const Element *next = nullptr;
    for (auto [i, side] : llvm::enumerate(bodies)) {
      const Element *d = derivative(algebra, side, center);
      if (!d)
        return Refusal{"the body is neither a polynomial nor an exponential "
                       "of what moves"};
      if (isNumber(d, 0))
        continue;
      if (moved)
        return Refusal{"both operands of a contraction move"};
      moved = i;
      next = d;
    }
    if (!moved)
      return companions;
    if (companions.size() == kMaxDegree)
      return Refusal{"the body is a polynomial of a degree above 4"};
    bodies[*moved] = next;
    companions.push_back(algebra.makeRunningSum(reduction, bodies));
  }
}

/// Whether a number is one of few digits, in a wider type.
static bool hasFewDigits(const Element *element) {
  constexpr unsigned few = 16;
  return isOp<arith::ExtFOp>(element) &&
         element->operands()[0]->type().getIntOrFloatBitWidth() <= few;
}

/// Whether `sum` is a multiple of the sum of the distances from `center`, which
/// is the mean of what is summed: around the mean so far it is 0, but for what
/// the mean is rounded by. That counts where the mean is large beside the
/// distances and moves far, as it can be where numbers have as many digits: the
/// variance of 1000 + 0.001 j + noise in f32 was off by 3e-5.
static bool isAroundItsMean(const Algebra &algebra, const Element *sum,
                            const Element *center,
                            ArrayRef<const Element *> moving) {
  if (!sum->isReduction() || sum->operands().size() != 1)
    return false;
  const Element *mean = matchMean(algebra, center, moving, sum->boundVars());
  if (!mean || mean->operands().size() != 1 ||
      !hasFewDigits(mean->operands()[0]))
    return false;
  const Element *body = mean->operands()[0];
  std::optional<Distance> distance =
      distanceOf(sum->operands()[0],
                 [&](const Element *element) -> std::optional<Distance> {
                   if (element == center)
                     return Distance{1, 0, 0};
                   return element == body ? std::optional(Distance{0, 1, 0})
                                          : std::nullopt;
                 });
  return distance && distance->ofCenter == -distance->ofBody &&
         distance->rest == 0;
}

static std::optional<OrRefusal<Accumulators>>
derivePolynomial(const Algebra &algebra, const Element *reduction,
                 ArrayRef<const Element *> moving, bool followsMeans) {
  ArrayRef<IndexVar> vars = reduction->boundVars();
  llvm::SmallSetVector<const Element *, 4> centers;
  for (const Element *side : reduction->operands())
    collectCenters(side, vars, moving, centers);
  if (centers.empty() || !isa<FloatType>(reduction->type()))
    return std::nullopt;
  const Element *center = pickCenter(algebra, centers.getArrayRef(), moving);
  if (!center)
    return Refusal{"several expressions of statistics move at once"};
  if (!isFiniteBeforeFirst(center, moving))
    return Refusal{"what the sum is around has no finite value before the "
                   "first block"};
  OrRefusal<SmallVector<const Element *>> companions =
      deriveCompanions(algebra, reduction, center);
  if (!companions)
    return Refusal{companions.reason()};
  SmallVector<const Element *> kept(*companions);
  if (followsMeans)
    for (const Element *&companion : kept)
      if (isAroundItsMean(algebra, companion, center, moving))
        companion = algebra.zero(reduction->type());

  auto around = [&](const Element *sum, ArrayRef<const Element *> derivatives) {
    Accumulator accumulator;
    accumulator.reduction = sum;
    if (containsAny(sum, moving)) {
      accumulator.correction = &getCorrections()[Polynomial];
      accumulator.center = center;
      accumulator.companions.assign(derivatives.begin(), derivatives.end());
    }
    return accumulator;
  };
  // A companion that is the same for all elements hangs on their count.
  const Element *count = algebra.countOf(vars, reduction->type());
  Accumulators result;
  for (size_t order = kept.size(); order-- > 0;) {
    const Element *companion = kept[order];
    const Element *sum = companion->isReduction()        ? companion
                         : containsAny(companion, count) ? count
                                                         : nullptr;
    if (sum)
      result.push_back(around(sum, ArrayRef(kept).drop_front(order + 1)));
  }
  result.push_back(around(reduction, kept));
  return result;
}

/// acc + sum_q (c_new - c_old)^q / q! acc_q, from the last term inwards. Powers
/// of the distance are not computed alone: before the first block it is as far
/// as the numbers are large, and of 1e25 the square is infinite, but all acc_q
/// are 0.
static const Element *correctPolynomial(const Algebra &algebra,
                                        const Accumulator &accumulator,
                                        const Element *value, Values values,
                                        Statistics from, Statistics to) {
  Type type = accumulator.reduction->type();
  const Element *distance =
      algebra.sub(algebra.convert(to(accumulator.center), type),
                  algebra.convert(from(accumulator.center), type));
  if (isNumber(distance, 0))
    return value;
  const Element *change = algebra.zero(type);
  for (size_t order = accumulator.companions.size(); order > 0; --order) {
    const Element *derivative =
        algebra.rebuild(accumulator.companions[order - 1],
                        [&](const Element *part) -> const Element * {
                          if (part == accumulator.center)
                            return from(part);
                          if (const Element *known = values(part))
                            return known;
                          return part->isReduction() ? part : nullptr;
                        });
    const Element *step =
        algebra.div(distance, algebra.number(type, static_cast<double>(order)));
    change = algebra.mul(algebra.add(derivative, change), step);
  }
  return algebra.add(value, change);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr Correction kCorrections[] = {
    {"exponential", deriveExponential, correctExponential},
    {"polynomial", derivePolynomial, correctPolynomial},
};

ArrayRef<Correction> fuse::getCorrections() { return kCorrections; }

OrRefusal<Accumulators>
fuse::deriveCorrections(const Algebra &algebra, const Element *reduction,
                        ArrayRef<const Element *> moving, bool followsMeans) {
  if (!containsAny(reduction, moving))
    return Accumulators{Accumulator::plain(reduction)};
  for (const Correction &correction : getCorrections())
    if (auto derived =
            correction.derive(algebra, reduction, moving, followsMeans))
      return *derived;
  return Refusal{"nothing corrects such a body when a statistic moves"};
}

const Element *fuse::correct(const Algebra &algebra,
                             const Accumulator &accumulator, Values values,
                             Statistics from, Statistics to) {
  const Element *value = values(accumulator.reduction);
  if (accumulator.isPlain())
    return value;
  return accumulator.correction->correct(algebra, accumulator, value, values,
                                         from, to);
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

/// What a running maximum is at least: below everything, and finite. Rows whose
/// numbers are all masked by the lowest float have it as their maximum.
static const Element *floorOf(const Algebra &algebra, Type type) {
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  return algebra.number(
      type,
      APFloat::getLargest(semantics, /*Negative=*/true).convertToDouble());
}

/// The finite number that is nearest to one.
static const Element *nearestFinite(const Algebra &algebra,
                                    const Element *element) {
  const Element *floor = floorOf(algebra, element->type());
  return algebra.max(algebra.min(element, algebra.neg(floor)), floor);
}

/// Those of the statistics that bound a range.
static SmallVector<const Element *>
boundsAmong(ArrayRef<const Element *> statistics) {
  SmallVector<const Element *> bounds;
  llvm::copy_if(statistics, std::back_inserter(bounds),
                [](const Element *statistic) {
                  CombineKind kind = combineOf(statistic);
                  return kind == CombineKind::Max || kind == CombineKind::Min;
                });
  return bounds;
}

/// Whether an expression of statistics may be infinite where they are finite:
/// it is a multiple of one by more than 1.
static bool isLarger(const Element *element,
                     ArrayRef<const Element *> statistics) {
  if (!containsAny(element, statistics) ||
      element->kind() != ElementKind::Pointwise)
    return false;
  ArrayRef<const Element *> operands = element->operands();
  auto sizeOf = [](const Element *number) {
    auto constant = number->kind() == ElementKind::Constant
                        ? dyn_cast<FloatAttr>(number->constant())
                        : FloatAttr();
    return constant ? std::optional(std::abs(constant.getValueAsDouble()))
                    : std::nullopt;
  };
  if (isOp<arith::MulFOp>(element) &&
      llvm::any_of(operands,
                   [&](const Element *factor) { return sizeOf(factor) > 1; }))
    return true;
  if (isOp<arith::DivFOp>(element))
    if (std::optional<double> divisor = sizeOf(operands[1]);
        divisor && *divisor < 1)
      return true;
  return (isFloatCast(element) ||
          isOp<arith::NegFOp, arith::MulFOp, arith::DivFOp>(element)) &&
         llvm::any_of(operands, [&](const Element *operand) {
           return isLarger(operand, statistics);
         });
}

const Element *fuse::matchMean(const Algebra &algebra, const Element *element,
                               ArrayRef<const Element *> moving,
                               ArrayRef<IndexVar> vars) {
  if (!isOp<arith::DivFOp, arith::MulFOp>(element))
    return nullptr;
  const Element *size = algebra.sizeOf(vars, element->type());
  auto matchSum = [&](const Element *sum) -> const Element * {
    while (isFloatCast(sum))
      sum = sum->operands()[0];
    return llvm::is_contained(moving, sum) &&
                   combineOf(sum) == CombineKind::Sum &&
                   sum->boundVars() == vars
               ? sum
               : nullptr;
  };
  ArrayRef<const Element *> operands = element->operands();
  if (isOp<arith::DivFOp>(element))
    return operands[1] == size ? matchSum(operands[0]) : nullptr;
  const Element *reciprocal = algebra.div(algebra.one(element->type()), size);
  for (unsigned side : {0, 1})
    if (operands[side] == reciprocal)
      return matchSum(operands[1 - side]);
  return nullptr;
}

const Element *fuse::countNeededBy(const Algebra &algebra,
                                   ArrayRef<const Element *> moving,
                                   ArrayRef<IndexVar> vars) {
  Type type;
  for (const Element *statistic : moving)
    if (combineOf(statistic) == CombineKind::Sum &&
        isa<FloatType>(statistic->type()))
      if (!type || statistic->type().isF64())
        type = statistic->type();
  return type ? algebra.countOf(vars, type) : nullptr;
}

const Element *LoopPath::at(const Element *element) const {
  auto isUntouched = [&](const Element *part) {
    return llvm::none_of(part->reductions(), [&](const Element *reduction) {
      return values.contains(reduction);
    });
  };
  if (isUntouched(element))
    return element;
  return algebra.rebuild(element, [&](const Element *part) -> const Element * {
    if (isUntouched(part))
      return part;
    if (const Element *sum = matchMean(algebra, part, moving, vars)) {
      if (const Element *pilot = pilots.lookup(sum))
        return algebra.convert(pilot, part->type());
      const Element *soFar = values.lookup(sum), *seen = values.lookup(count);
      if (!soFar || !seen)
        return nullptr;
      return algebra.convert(
          algebra.div(soFar, algebra.max(seen, algebra.one(seen->type()))),
          part->type());
    }
    if (const Element *value = withoutGuard(part, moving))
      return at(value);
    if (const Element *finite = atLarger(part))
      return finite;
    const Element *value = values.lookup(part);
    if (!value || !llvm::is_contained(moving, part) ||
        !isa<FloatType>(part->type()))
      return value;
    const Element *floor = floorOf(algebra, part->type());
    if (combineOf(part) == CombineKind::Max)
      return algebra.max(value, floor);
    if (combineOf(part) == CombineKind::Min)
      return algebra.min(value, algebra.neg(floor));
    return value;
  });
}

const Element *LoopPath::atLarger(const Element *element) const {
  SmallVector<const Element *> bounds = boundsAmong(moving);
  if (!containsAny(element, bounds))
    return nullptr;
  SmallVector<const Element *> operands;
  auto rebuild = [&] {
    for (const Element *operand : element->operands())
      operands.push_back(at(operand));
  };
  if (isNarrowingCast(element) && !variesWithAny(element, vars)) {
    rebuild();
    return nearestFinite(algebra,
                         algebra.convert(operands[0], element->type()));
  }
  if (!isOp<arith::AddFOp, arith::SubFOp>(element) ||
      !variesWithAny(element, vars))
    return nullptr;
  for (auto [side, shift] : llvm::enumerate(element->operands())) {
    if (variesWithAny(shift, vars) || !isLarger(shift, bounds))
      continue;
    rebuild();
    operands[side] = nearestFinite(algebra, operands[side]);
    return algebra.getContext().withOperands(element, operands);
  }
  return nullptr;
}
