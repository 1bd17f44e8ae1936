//===- Cascade.cpp - reductions of reductions in one loop -----------------===//
//
// Which statistics move and which come late, the separation that follows from
// it, and a correction for each sum that is left.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Cascade.h"
#include "fuse/Analysis/Separation.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuse;

CascadeStrategy Cascade::strategyOf(const Element *statistic) const {
  for (auto [of, strategy] : edges)
    if (of == statistic)
      return strategy;
  return CascadeStrategy::Sequential;
}

SmallVector<const Element *> Cascade::moving() const {
  SmallVector<const Element *> result;
  for (auto [statistic, strategy] : edges)
    if (strategy == CascadeStrategy::Rescale ||
        strategy == CascadeStrategy::Pilot)
      result.push_back(statistic);
  return result;
}

static bool isNonNegative(const Element *element) {
  ArrayRef<const Element *> operands = element->operands();
  if (element->kind() == ElementKind::Constant) {
    auto number = dyn_cast<FloatAttr>(element->constant());
    return number && number.getValueAsDouble() >= 0;
  }
  if (isOp<math::AbsFOp, math::ExpOp, math::Exp2Op, math::SqrtOp>(element))
    return true;
  if (isOp<arith::MaximumFOp, arith::MaxNumFOp>(element))
    return llvm::any_of(operands, isNonNegative);
  // A square.
  if (isOp<arith::MulFOp>(element) && operands[0] == operands[1])
    return true;
  // Conditions are no numbers.
  if (isOp<arith::SelectOp>(element))
    return llvm::all_of(operands.drop_front(), isNonNegative);
  return (element->kind() == ElementKind::Extent || element->isReduction() ||
          isFloatCast(element) ||
          isOp<arith::AddFOp, arith::MulFOp, arith::DivFOp, arith::SIToFPOp,
               arith::UIToFPOp>(element)) &&
         llvm::all_of(operands, isNonNegative);
}

/// Whether a number is not 0, if what it is made of are finite numbers.
static bool isNonZero(const Element *element) {
  ArrayRef<const Element *> operands = element->operands();
  if (element->kind() == ElementKind::Constant)
    return !isNumber(element, 0);
  // Where there is nothing to sum nothing is asked.
  if (element->kind() == ElementKind::Extent)
    return true;
  // A variance and its epsilon, a size and 1.
  auto isPositive = [](const Element *operand) {
    return isNonNegative(operand) && isNonZero(operand);
  };
  if (isOp<arith::AddFOp>(element))
    return llvm::all_of(operands, isNonNegative) &&
           llvm::any_of(operands, isPositive);
  if (isOp<arith::MaximumFOp, arith::MaxNumFOp>(element))
    return llvm::any_of(operands, isPositive);
  if (isOp<arith::MulFOp>(element))
    return llvm::all_of(operands, isNonZero);
  // select(s == 0, 1, s)
  if (isOp<arith::SelectOp>(element)) {
    const Element *compare = operands[0];
    bool isGuard = isOp<arith::CmpFOp>(compare) &&
                   compare->operands()[0] == operands[2] &&
                   isNumber(compare->operands()[1], 0) &&
                   cast<arith::CmpFPredicateAttr>(
                       compare->pointwiseAttributes().get("predicate"))
                           .getValue() == arith::CmpFPredicate::OEQ;
    return isNonZero(operands[1]) && (isGuard || isNonZero(operands[2]));
  }
  return (isFloatCast(element) ||
          isOp<arith::NegFOp, math::SqrtOp, arith::SIToFPOp, arith::UIToFPOp>(
              element)) &&
         isNonZero(operands[0]);
}

/// Whether a number is finite, if what it is made of are finite numbers that
/// do not overflow.
static bool isFinite(const Element *element) {
  ArrayRef<const Element *> operands = element->operands();
  if (element->kind() != ElementKind::Pointwise)
    return true;
  if (isOp<arith::DivFOp>(element) &&
      !(isFinite(operands[0]) && isNonZero(operands[1])))
    return false;
  if (isOp<math::RsqrtOp, math::LogOp>(element) && !isNonZero(operands[0]))
    return false;
  return !isOp<math::ExpOp, math::Exp2Op, math::PowFOp>(element) &&
         llvm::all_of(operands, isFinite);
}

namespace {

/// The cascade rule for one reduction.
class Derivation {
public:
  Derivation(const Algebra &algebra, const Element *reduction,
             ArrayRef<const Element *> loop, const CascadeOptions &options)
      : algebra(algebra), reduction(reduction), options(options) {
    for (const Element *statistic : loop)
      if (statistic != reduction && containsAny(reduction, statistic))
        needed.push_back(statistic);
  }

  OrRefusal<Cascade> derive(ArrayRef<const Element *> cascaded) {
    if (combineOf(reduction) != CombineKind::Sum)
      return Refusal{("a " + stringifyCombineKind(combineOf(reduction)) +
                      " is not linear in its body")
                         .str()};
    if (std::optional<Refusal> refusal = chooseByKind())
      return *refusal;
    if (std::optional<Refusal> refusal = separate())
      return *refusal;
    for (const Element *statistic : moving)
      if (llvm::is_contained(cascaded, statistic))
        return Refusal{"a statistic that moves is itself corrected"};
    if (std::optional<Refusal> refusal = accumulate())
      return *refusal;
    if (std::optional<Refusal> refusal = nameStrategies())
      return *refusal;
    return std::move(cascade);
  }

private:
  CascadeStrategy requestedFor(const Element *statistic) const {
    return options.requested ? options.requested(reduction, statistic)
                             : CascadeStrategy::Auto;
  }

  bool freezesMeans() const {
    return options.freezesMeans ||
           llvm::any_of(needed, [&](const Element *statistic) {
             return requestedFor(statistic) == CascadeStrategy::Pilot;
           });
  }

  /// A maximum or minimum is there to bound the range of what is summed, and
  /// must not come late. What else moves is found when the body is separated.
  std::optional<Refusal> chooseByKind() {
    for (const Element *statistic : needed) {
      CascadeStrategy asked = requestedFor(statistic);
      if (asked == CascadeStrategy::Sequential)
        return Refusal{"the schedule says sequential"};
      CombineKind kind = combineOf(statistic);
      bool isRange = kind == CombineKind::Max || kind == CombineKind::Min;
      StringRef name = stringifyCombineKind(kind);
      if (isRange && asked == CascadeStrategy::Defer)
        return Refusal{("a " + name +
                        " bounds the range of the sum and cannot be deferred")
                           .str()};
      if (isRange && asked == CascadeStrategy::Pilot)
        return Refusal{
            ("only a mean can be a pilot, but this is a " + name).str()};
      if (isRange || asked == CascadeStrategy::Rescale ||
          asked == CascadeStrategy::Pilot)
        moving.push_back(statistic);
    }
    return std::nullopt;
  }

  /// Separates what is deferred from what varies. Shifts, which would cancel,
  /// turn out only now; unless allowed, they move instead.
  std::optional<Refusal> separate() {
    while (true) {
      SmallVector<const Element *> deferred;
      for (const Element *statistic : needed)
        if (!llvm::is_contained(moving, statistic))
          deferred.push_back(statistic);
      Separation separation(algebra, reduction->boundVars(), deferred);
      std::optional<SmallVector<SumTerm>> found =
          separation.separateBody(reduction);
      if (separation.isTooLong)
        return Refusal{"the body is a sum of too many terms"};
      if (!found)
        return Refusal{"the body is not separable into what varies and what "
                       "is made of statistics"};
      if (!llvm::all_of(separation.chosen, isFinite))
        return Refusal{"a factor that may be infinite, as a quotient by 0 is, "
                       "would leave the choice that keeps it from the sum"};
      size_t numMoving = moving.size();
      for (const Element *shift : separation.shifts)
        if (!options.allowDeferShift &&
            requestedFor(shift) != CascadeStrategy::Defer)
          moving.push_back(shift);
      if (moving.size() > numMoving)
        continue;
      if (separation.hasShiftedCast && !options.allowDeferShift)
        return Refusal{"a cast that the user wrote stands between a deferred "
                       "shift and the sum"};
      bool isAsked = llvm::all_of(deferred, [&](const Element *statistic) {
        return requestedFor(statistic) == CascadeStrategy::Defer;
      });
      if (separation.hasLargeCast && !isAsked)
        return Refusal{"what is cast to a type of fewer exponents may be too "
                       "large for it without a factor that comes late"};
      if (separation.hasSmallCast && !isAsked)
        return Refusal{"what is cast to a type of fewer exponents may be too "
                       "small for it without a factor that comes late"};
      if (separation.hasNarrowProduct && !isAsked)
        return Refusal{"a product in a type of few exponents may be out of its "
                       "range without a factor that comes late"};
      SmallVector<StringRef, 2> casts;
      if (separation.hasScaledCast)
        casts.push_back("below a factor");
      if (separation.hasSplitCast)
        casts.push_back("into a sum");
      if (separation.hasShiftedCast)
        casts.push_back("below a shift");
      if (!casts.empty())
        cascade.note = "casts moved " + llvm::join(casts, " and ");
      terms = std::move(*found);
      return std::nullopt;
    }
  }

  std::optional<Refusal> accumulate() {
    Type type = reduction->type();
    llvm::MapVector<const Element *, const Element *> factors;
    for (const SumTerm &term : terms) {
      const Element *sum = algebra.makeSum(reduction, term.bodies);
      const Element *factor =
          term.statistic ? term.statistic : algebra.one(type);
      const Element *&known = factors[sum];
      known = known ? algebra.add(known, factor) : factor;
    }
    if (const Element *count =
            countNeededBy(algebra, moving, reduction->boundVars()))
      insert(Accumulator::plain(count));
    const Element *result = algebra.zero(type);
    const Element *count = algebra.countOf(reduction->boundVars(), type);
    for (auto [sum, factor] : factors) {
      result = algebra.add(result, algebra.mul(factor, sum));
      if (!sum->isReduction()) {
        // n c, with an n that is no number.
        if (containsAny(sum, count))
          insert(Accumulator::plain(count));
        continue;
      }
      OrRefusal<SmallVector<Accumulator>> derived =
          deriveCorrections(algebra, sum, moving, !freezesMeans());
      if (!derived)
        return Refusal{derived.reason()};
      for (const Accumulator &accumulator : *derived)
        insert(accumulator);
    }
    cascade.reduction = reduction;
    cascade.result = algebra.convert(result, type);
    return std::nullopt;
  }

  void insert(const Accumulator &accumulator) {
    if (llvm::none_of(cascade.accumulators, [&](const Accumulator &known) {
          return known.reduction == accumulator.reduction;
        }))
      cascade.accumulators.push_back(accumulator);
  }

  std::optional<Refusal> nameStrategies() {
    SmallVector<const Element *> pilots =
        findPilots(algebra, cascade.accumulators, moving);
    for (const Element *statistic : needed) {
      CascadeStrategy strategy = llvm::is_contained(moving, statistic)
                                     ? CascadeStrategy::Rescale
                                     : CascadeStrategy::Defer;
      if (requestedFor(statistic) == CascadeStrategy::Pilot) {
        if (!llvm::is_contained(pilots, statistic))
          return Refusal{"only a mean can be a pilot, and all that is "
                         "corrected has to hang on means"};
        strategy = CascadeStrategy::Pilot;
      }
      cascade.edges.push_back({statistic, strategy});
    }
    return std::nullopt;
  }

  const Algebra &algebra;
  const Element *reduction;
  const CascadeOptions &options;
  SmallVector<const Element *> needed, moving;
  SmallVector<SumTerm> terms;
  Cascade cascade;
};

} // namespace

OrRefusal<Cascade> fuse::deriveCascade(const Algebra &algebra,
                                       const Element *reduction,
                                       ArrayRef<const Element *> loop,
                                       ArrayRef<const Element *> cascaded,
                                       const CascadeOptions &options) {
  return Derivation(algebra, reduction, loop, options).derive(cascaded);
}

SmallVector<const Element *>
fuse::findPilots(const Algebra &algebra, ArrayRef<Accumulator> accumulators,
                 ArrayRef<const Element *> moving) {
  llvm::SmallSetVector<const Element *, 4> pilots;
  for (const Accumulator &accumulator : accumulators) {
    if (!accumulator.center)
      continue;
    ArrayRef<IndexVar> vars = accumulator.reduction->boundVars();
    const Element *rest = algebra.rebuild(
        accumulator.center, [&](const Element *part) -> const Element * {
          const Element *sum = matchMean(algebra, part, moving, vars);
          if (!sum)
            return nullptr;
          pilots.insert(sum);
          return algebra.zero(part->type());
        });
    // Something else in it still moves.
    if (containsAny(rest, moving))
      return {};
  }
  return pilots.takeVector();
}
