//===- LoopBounds.cpp - predicates that end loops -------------------------===//
//
// Which predicates end a loop is asked by folding; where they end it is found
// by solving integer comparisons for the loop's variable.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/LoopBounds.h"
#include "fuse/Analysis/Fold.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace fuse;

using MaybeInterval = std::optional<Interval>;

static arith::CmpIPredicate predicateOf(const Element *comparison) {
  return cast<arith::CmpIPredicateAttr>(
             comparison->pointwiseAttributes().get("predicate"))
      .getValue();
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The operands of a tree of ops of one kind.
template <typename OpTy>
static void flatten(const Element *element,
                    SmallVectorImpl<const Element *> &parts) {
  if (!isOp<OpTy>(element)) {
    parts.push_back(element);
    return;
  }
  for (const Element *operand : element->operands())
    flatten<OpTy>(operand, parts);
}

SmallVector<const Element *> fuse::conjuncts(const Element *predicate) {
  SmallVector<const Element *> parts;
  flatten<arith::AndIOp>(predicate, parts);
  return parts;
}

/// Conditions of which one must hold to get what a select's branches are: for
/// the first all of the conjuncts, for the second none of the disjuncts.
static void collectConditions(const Algebra &algebra, const Element *element,
                              llvm::DenseSet<const Element *> &seen,
                              llvm::SetVector<const Element *> &conditions) {
  if (!seen.insert(element).second)
    return;
  if (isOp<arith::SelectOp>(element)) {
    const Element *condition = element->operands()[0];
    for (const Element *part : conjuncts(condition))
      conditions.insert(part);
    SmallVector<const Element *> disjuncts;
    flatten<arith::OrIOp>(condition, disjuncts);
    for (const Element *part : disjuncts)
      conditions.insert(algebra.logicalNot(part));
  }
  for (const Element *operand : element->operands())
    collectConditions(algebra, operand, seen, conditions);
}

SmallVector<const Element *>
fuse::findLoopConditions(const Algebra &algebra,
                         ArrayRef<Accumulator> accumulators,
                         ArrayRef<IndexVar> vars) {
  llvm::DenseSet<const Element *> seen;
  llvm::SetVector<const Element *> conditions;
  for (const Accumulator &accumulator : accumulators)
    for (const Element *body : accumulator.reduction->operands())
      collectConditions(algebra, body, seen, conditions);

  SmallVector<const Element *> result;
  for (const Element *condition : conditions) {
    // A condition that waits for a reduction cannot end its loop.
    if (!condition->reductions().empty())
      continue;
    // One about other variables is the same for every round.
    if (!variesWithAny(condition, vars))
      continue;
    const Element *opposite = algebra.logicalNot(condition);
    auto known = [&](const Element *part) -> TypedAttr {
      if (part == condition)
        return makeNumber(part->type(), 0);
      return part == opposite ? makeNumber(part->type(), 1) : TypedAttr();
    };
    VarSet about(vars);
    llvm::append_range(about, condition->freeVars());
    bool isNeededByAll =
        llvm::all_of(accumulators, [&](const Accumulator &accumulator) {
          const Element *reduction = accumulator.reduction;
          TypedAttr body = fold(algebra.bodyOf(reduction), known, about);
          return body &&
                 body == identityOf(combineOf(reduction), reduction->type());
        });
    if (!accumulators.empty() && isNeededByAll)
      result.push_back(condition);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Variables run to their sizes. Sizes that are symbols are of tensors that fit
/// into a memory.
static MaybeInterval wholeOf(const IndexVar &var) {
  constexpr int64_t kLargest = int64_t(1) << 40;
  int64_t size = var.size.isNumber() ? var.size.getNumber() : kLargest;
  return Interval{0, std::max<int64_t>(size - 1, 0)};
}

static MaybeInterval wholeOfLeaf(const Element *leaf) {
  if (leaf->kind() != ElementKind::Extent)
    return std::nullopt;
  IndexVar var;
  var.size = leaf->extent();
  return Interval{0, wholeOf(var)->high + 1};
}

/// What is known before anything runs.
static Windows getWhole() { return Windows{wholeOf, wholeOfLeaf}; }

/// No variable comes near the ends of i64.
const Element *fuse::clampLimit(const Algebra &algebra,
                                const Element *element) {
  constexpr int64_t kFar = int64_t(1) << 61;
  MaybeInterval range = intervalOf(element, getWhole());
  if (range && Interval{-kFar, kFar}.contains(*range))
    return element;
  auto integer = [&](int64_t value) {
    return algebra.getContext().constant(
        cast<TypedAttr>(IntegerAttr::get(element->type(), value)));
  };
  return algebra.max(algebra.min(element, integer(kFar)), integer(-kFar));
}

namespace {

/// coefficient * variable + rest, where the rest, an i64, is null for 0.
struct Linear {
  int64_t coefficient = 0;
  const Element *rest = nullptr;
};

/// Solves one comparison for one variable.
class Solver {
public:
  Solver(const Algebra &algebra, const IndexVar &var)
      : algebra(algebra), var(var),
        i64(IntegerType::get(algebra.getContext().getContext(), 64)) {}

  SmallVector<LoopBound, 2> solve(const Element *comparison) {
    if (!isOp<arith::CmpIOp>(comparison))
      return {};
    arith::CmpIPredicate predicate = predicateOf(comparison);
    const Element *left = comparison->operands()[0],
                  *right = comparison->operands()[1];
    if (signedOf(predicate) != predicate) {
      if (!isNonNegative(left) || !isNonNegative(right))
        return {};
      predicate = signedOf(predicate);
    }
    std::optional<Linear> a = linearize(left), b = linearize(right);
    if (!a || !b)
      return {};
    std::optional<int64_t> coefficient =
        llvm::checkedSub(a->coefficient, b->coefficient);
    // coefficient * var (predicate) limit
    if (!coefficient || *coefficient == 0 || *coefficient == INT64_MIN)
      return {};
    const Element *limit = subtract(b->rest, a->rest);
    return isolate(predicate, *coefficient, limit);
  }

private:
  /// Where an element lies, whatever is in memory.
  MaybeInterval rangeOf(const Element *element) const {
    return intervalOf(element, getWhole());
  }

  bool isNonNegative(const Element *element) const {
    MaybeInterval range = rangeOf(element);
    return range && range->low >= 0;
  }

  static arith::CmpIPredicate signedOf(arith::CmpIPredicate predicate) {
    switch (predicate) {
    case arith::CmpIPredicate::ult:
      return arith::CmpIPredicate::slt;
    case arith::CmpIPredicate::ule:
      return arith::CmpIPredicate::sle;
    case arith::CmpIPredicate::ugt:
      return arith::CmpIPredicate::sgt;
    case arith::CmpIPredicate::uge:
      return arith::CmpIPredicate::sge;
    default:
      return predicate;
    }
  }

  /// Each element is looked at once, however many ways lead to it.
  std::optional<Linear> linearize(const Element *element) {
    if (auto known = linears.find(element); known != linears.end())
      return known->second;
    std::optional<Linear> linear = computeLinear(element);
    linears[element] = linear;
    return linear;
  }

  std::optional<Linear> computeLinear(const Element *element) {
    // What does not vary with the variable stays as it is, wrapping included.
    if (!element->variesWith(var)) {
      if (isNumber(element, 0))
        return Linear{};
      return Linear{0, algebra.convert(element, i64)};
    }
    if (element->kind() == ElementKind::Position) {
      if (!rangeOf(element) || !element->type().isIntOrIndex())
        return std::nullopt;
      Linear result;
      AffineIndex rest;
      rest.constant = element->position().constant;
      for (auto [other, coefficient] : element->position().terms)
        if (other == var)
          result.coefficient = coefficient;
        else
          rest.terms.push_back({other, coefficient});
      if (rest.terms.empty()) {
        if (rest.constant != 0)
          result.rest = integer(rest.constant);
      } else {
        result.rest = algebra.getContext().position(rest, i64);
      }
      return result;
    }
    if (isOp<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
             arith::IndexCastOp, arith::IndexCastUIOp>(element))
      return cannotWrap(element, getWhole()) ? linearize(element->operands()[0])
                                             : std::nullopt;
    if (!isOp<arith::AddIOp, arith::SubIOp, arith::MulIOp>(element) ||
        !cannotWrap(element, getWhole()))
      return std::nullopt;
    std::optional<Linear> a = linearize(element->operands()[0]),
                          b = linearize(element->operands()[1]);
    if (!a || !b)
      return std::nullopt;
    if (isOp<arith::MulIOp>(element))
      return multiply(*a, *b);
    bool isSub = isOp<arith::SubIOp>(element);
    std::optional<int64_t> coefficient =
        isSub ? llvm::checkedSub(a->coefficient, b->coefficient)
              : llvm::checkedAdd(a->coefficient, b->coefficient);
    if (!coefficient)
      return std::nullopt;
    return Linear{*coefficient,
                  isSub ? subtract(a->rest, b->rest) : sum(a->rest, b->rest)};
  }

  std::optional<Linear> multiply(Linear a, Linear b) const {
    if (a.coefficient == 0)
      std::swap(a, b);
    // A product with what is no number is not linear with known coefficients.
    if (b.coefficient != 0 || !b.rest ||
        b.rest->kind() != ElementKind::Constant)
      return std::nullopt;
    int64_t factor = cast<IntegerAttr>(b.rest->constant()).getInt();
    std::optional<int64_t> coefficient =
        llvm::checkedMul(a.coefficient, factor);
    if (!coefficient)
      return std::nullopt;
    return Linear{*coefficient, a.rest ? algebra.mul(a.rest, b.rest) : nullptr};
  }

  const Element *integer(int64_t value) const {
    return algebra.getContext().constant(IntegerAttr::get(i64, value));
  }

  const Element *clamp(const Element *element) const {
    return clampLimit(algebra, element);
  }

  const Element *sum(const Element *a, const Element *b) const {
    if (!a || !b)
      return a ? a : b;
    return algebra.add(clamp(a), clamp(b));
  }
  const Element *subtract(const Element *a, const Element *b) const {
    if (!b)
      return a;
    return algebra.sub(a ? clamp(a) : integer(0), clamp(b));
  }

  /// limit / divisor, rounded down or up.
  const Element *divide(const Element *limit, int64_t divisor,
                        bool isUp) const {
    if (divisor == 1)
      return limit;
    ElementContext &context = algebra.getContext();
    SmallVector<const Element *> operands = {limit, integer(divisor)};
    const Element *quotient =
        isUp ? context.pointwise<arith::CeilDivSIOp>(i64, operands)
             : context.pointwise<arith::FloorDivSIOp>(i64, operands);
    if (limit->kind() == ElementKind::Constant)
      if (TypedAttr number =
              evaluate(quotient, {limit->constant(), operands[1]->constant()}))
        return context.constant(number);
    return quotient;
  }

  /// coefficient * var (predicate) limit, solved for the variable.
  SmallVector<LoopBound, 2> isolate(arith::CmpIPredicate predicate,
                                    int64_t coefficient,
                                    const Element *limit) const {
    using Predicate = arith::CmpIPredicate;
    if (!limit)
      limit = integer(0);
    bool isUpper = predicate == Predicate::slt || predicate == Predicate::sle;
    bool isStrict = predicate == Predicate::slt || predicate == Predicate::sgt;
    if (predicate == Predicate::ne)
      return {};
    if (coefficient < 0) {
      coefficient = -coefficient;
      limit = algebra.sub(integer(0), clamp(limit));
      isUpper = !isUpper;
    }
    auto upper = [&](bool strict) {
      // c v < l  <=>  v < ceil(l / c);  c v <= l  <=>  v < floor(l / c) + 1
      const Element *end =
          strict ? divide(limit, coefficient, /*isUp=*/true)
                 : algebra.add(divide(clamp(limit), coefficient, false),
                               integer(1));
      return LoopBound{var, /*isUpper=*/true, end};
    };
    auto lower = [&](bool strict) {
      const Element *begin =
          strict ? algebra.add(divide(clamp(limit), coefficient, false),
                               integer(1))
                 : divide(limit, coefficient, /*isUp=*/true);
      return LoopBound{var, /*isUpper=*/false, begin};
    };
    if (predicate == Predicate::eq)
      return {lower(false), upper(false)};
    return {isUpper ? upper(isStrict) : lower(isStrict)};
  }

  const Algebra &algebra;
  IndexVar var;
  Type i64;
  DenseMap<const Element *, std::optional<Linear>> linears;
};

} // namespace

SmallVector<LoopBound, 2> fuse::boundsOf(const Algebra &algebra,
                                         const Element *conjunct,
                                         const IndexVar &var) {
  return Solver(algebra, var).solve(conjunct);
}

std::optional<AffineIndex> fuse::affineOf(const Element *element) {
  if (element->kind() == ElementKind::Position)
    return element->position();
  if (element->kind() == ElementKind::Constant) {
    auto number = dyn_cast<IntegerAttr>(element->constant());
    if (!number)
      return std::nullopt;
    AffineIndex constant;
    constant.constant = number.getValue().getSExtValue();
    return constant;
  }
  if (isOp<arith::ExtSIOp, arith::IndexCastOp>(element))
    return affineOf(element->operands().front());
  if (!isOp<arith::AddIOp, arith::SubIOp>(element))
    return std::nullopt;
  auto a = affineOf(element->operands()[0]),
       b = affineOf(element->operands()[1]);
  if (!a || !b)
    return std::nullopt;
  return *a + *b * (isOp<arith::SubIOp>(element) ? -1 : 1);
}
