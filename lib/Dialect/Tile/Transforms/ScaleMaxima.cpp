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
// of c, by which nothing is rounded.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/SeenDigits.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace fuse {
#define GEN_PASS_DEF_SCALEMAXIMA
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

namespace {

/// `2^((x - shift) * factor)`, where `shift` is repeated or not; perhaps as a
/// power of e.
struct Power {
  Operation *op;
  Value x, shift;
  BroadcastOp broadcast;
  APFloat factor;
};

} // namespace

/// The difference that `value` is: x and what is taken from it.
static std::optional<std::pair<Value, Value>> differenceOf(Value value) {
  if (auto difference = value.getDefiningOp<arith::SubFOp>())
    return std::pair(difference.getLhs(), difference.getRhs());
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum)
    return std::nullopt;
  if (auto minus = sum.getLhs().getDefiningOp<arith::NegFOp>())
    return std::pair(sum.getRhs(), minus.getOperand());
  if (auto minus = sum.getRhs().getDefiningOp<arith::NegFOp>())
    return std::pair(sum.getLhs(), minus.getOperand());
  return std::nullopt;
}

static std::optional<Power> powerOf(Operation *op) {
  constexpr double log2e = 0x1.71547652b82fep+0;
  if (!isa<math::ExpOp, math::Exp2Op>(op) ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  auto product = op->getOperand(0).getDefiningOp<arith::MulFOp>();
  std::optional<APFloat> number =
      product ? numberOf(product.getRhs()) : std::nullopt;
  auto difference = product ? differenceOf(product.getLhs()) : std::nullopt;
  if (!number || !difference ||
      !getElementTypeOrSelf(product.getType()).isF32())
    return std::nullopt;
  // As it is where a power of e becomes one of two.
  APFloat factor = isa<math::ExpOp>(op)
                       ? APFloat(float(log2e * number->convertToFloat()))
                       : *number;
  // A multiple that is larger may be infinite where no difference is.
  if (!factor.isNormal() || factor.isNegative() || factor > APFloat(1.0f))
    return std::nullopt;
  auto [x, shift] = *difference;
  auto broadcast = shift.getDefiningOp<BroadcastOp>();
  return Power{op, x, broadcast ? broadcast.getSource() : shift, broadcast,
               factor};
}

/// Whether a power is no more exact than the instruction, so that it does not
/// matter what its argument was made of.
static bool isFast(Operation *op) {
  auto power = dyn_cast<math::Exp2Op>(op);
  return power &&
         bitEnumContainsAll(power.getFastmath(), arith::FastMathFlags::afn);
}

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

/// What is taken from terms. The larger maximum has the larger multiple.
class Multiple {
public:
  /// Multiples from 2^`exponent` on are exact.
  Multiple(const APFloat &factor, int exponent)
      : factor(factor), exact(factor), least(factor) {
    constexpr auto rounding = APFloat::rmNearestTiesToEven;
    exact = scalbn(APFloat(1.0f), ilogb(factor), rounding);
    if (exact < factor)
      exact = scalbn(exact, 1, rounding);
    least = scalbn(APFloat(1.0f), exponent - ilogb(exact), rounding);
  }
  /// By what a number is multiplied.
  Value factorFor(ImplicitLocOpBuilder &b, Value number) const {
    Value rounded = numbers(b, number, factor);
    if (exact.bitwiseIsEqual(factor))
      return rounded;
    Value isLarge = arith::CmpFOp::create(b, arith::CmpFPredicate::OGE,
                                          math::AbsFOp::create(b, number),
                                          numbers(b, number, least));
    return arith::SelectOp::create(b, isLarge, numbers(b, number, exact),
                                   rounded);
  }
  Value of(ImplicitLocOpBuilder &b, Value number) const {
    return arith::MulFOp::create(b, number, factorFor(b, number));
  }

private:
  /// The second one is a power of two, and no less.
  APFloat factor, exact;
  /// The least number whose multiple is exact.
  APFloat least;
};

} // namespace

//===----------------------------------------------------------------------===//
// Maxima
//===----------------------------------------------------------------------===//

namespace {

/// The maxima of a row, of some rounds or of all, and the powers that know
/// them.
class Maxima {
public:
  /// False if anything is made of them but powers, all with the same factor, or
  /// if one comes from elsewhere.
  bool collect(Value maximum);
  /// Of differences with other numbers, and of two maxima.
  SmallVector<Power> terms, corrections;

private:
  void add(Value value) {
    if (!numberOf(value) && members.insert(value))
      unvisited.push_back(value);
  }
  void addCarried(scf::ForOp loop, unsigned number) {
    add(loop.getInitArgs()[number]);
    add(loop.getYieldedValues()[number]);
    add(loop.getRegionIterArg(number));
    add(loop.getResult(number));
  }
  bool visitOrigin(Value value);
  bool visitUse(OpOperand &use);
  bool addPowersOf(Value difference, SmallVectorImpl<Power> &powers);

  SetVector<Value> members;
  SmallVector<Value> unvisited;
};

} // namespace

/// Of what all blocks of a cluster have, that of which `share` is a part.
static Value sourceOf(CollectOp collect, OpResult share) {
  return collect.getSources()[share.getResultNumber() / collect.getBlocks()];
}

bool Maxima::visitOrigin(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      return false;
    addCarried(loop, argument.getArgNumber() - loop.getNumInductionVars());
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    addCarried(loop, cast<OpResult>(value).getResultNumber());
    return true;
  }
  if (isa<arith::MaximumFOp>(op)) {
    llvm::for_each(op->getOperands(), [&](Value operand) { add(operand); });
    return true;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    add(select.getTrueValue());
    add(select.getFalseValue());
    return true;
  }
  if (auto collect = dyn_cast<CollectOp>(op)) {
    Value source = sourceOf(collect, cast<OpResult>(value));
    add(source);
    return !numberOf(source);
  }
  auto reduce = dyn_cast<ReduceOp>(op);
  return reduce && reduce.getKind() == CombineKind::Max;
}

/// Whether nothing is made of `difference` but powers.
bool Maxima::addPowersOf(Value difference, SmallVectorImpl<Power> &powers) {
  for (Operation *product : difference.getUsers()) {
    if (!isa<arith::MulFOp>(product))
      return false;
    for (Operation *user : product->getUsers()) {
      std::optional<Power> power = powerOf(user);
      if (!power)
        return false;
      if (llvm::none_of(powers, [&](Power &other) { return other.op == user; }))
        powers.push_back(*power);
    }
  }
  return true;
}

bool Maxima::visitUse(OpOperand &use) {
  Operation *op = use.getOwner();
  // An infinite number is its own multiple.
  if (isa<arith::CmpFOp>(op)) {
    std::optional<APFloat> other =
        numberOf(op->getOperand(1 - use.getOperandNumber()));
    return other && other->isInfinity();
  }
  if (isa<arith::MaximumFOp>(op) ||
      (isa<arith::SelectOp>(op) && use.getOperandNumber() > 0)) {
    add(op->getResult(0));
    return true;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (use.getOperandNumber() < loop.getNumControlOperands())
      return false;
    addCarried(loop, use.getOperandNumber() - loop.getNumControlOperands());
    return true;
  }
  if (isa<scf::YieldOp>(op)) {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    if (loop)
      addCarried(loop, use.getOperandNumber());
    return bool(loop);
  }
  if (auto collect = dyn_cast<CollectOp>(op)) {
    int64_t blocks = collect.getBlocks();
    for (Value share :
         collect.getShares().slice(use.getOperandNumber() * blocks, blocks))
      add(share);
    return true;
  }
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return llvm::all_of(broadcast->getUses(), [&](OpOperand &repeated) {
      Operation *user = repeated.getOwner();
      return isa<arith::SubFOp>(user) && repeated.getOperandNumber() == 1 &&
             addPowersOf(user->getResult(0), terms);
    });
  if (isa<arith::NegFOp>(op))
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return isa<arith::AddFOp>(user) &&
             addPowersOf(user->getResult(0), corrections);
    });
  return isa<arith::AddFOp, arith::SubFOp>(op) &&
         addPowersOf(op->getResult(0), corrections);
}

bool Maxima::collect(Value maximum) {
  add(maximum);
  while (!unvisited.empty()) {
    Value value = unvisited.pop_back_val();
    if (!visitOrigin(value))
      return false;
    for (OpOperand &use : value.getUses())
      if (!visitUse(use))
        return false;
  }
  auto isMember = [&](Value value) { return members.contains(value); };
  auto hasFactor = [&](const Power &power) {
    return power.factor.bitwiseIsEqual(terms.front().factor);
  };
  auto isTerm = [&](const Power &power) {
    return hasFactor(power) && isFast(power.op);
  };
  return !terms.empty() && llvm::all_of(terms, isTerm) &&
         llvm::all_of(corrections, [&](const Power &power) {
           return hasFactor(power) && !power.broadcast && isMember(power.x) &&
                  isMember(power.shift);
         });
}

//===----------------------------------------------------------------------===//
// What cancels
//===----------------------------------------------------------------------===//

namespace {

/// With what power of a factor that all terms have each number is multiplied.
/// Nothing is known of a number that may be 0 whatever it is multiplied with.
class Degrees {
public:
  explicit Degrees(ArrayRef<Power> terms) {
    for (const Power &term : terms)
      ones.insert(term.op);
  }
  /// Whether the factor cancels in all that the kernel stores.
  bool cancelIn(KernelOp kernel);
  /// Up to which power of two a multiple may be rounded, so that the factor and
  /// what is made of it is a number of its type. Where it may not, weights that
  /// are not 1 are less than 2^-(`largestMultiple` - 24), and taken for less.
  int largestMultiple() const { return isHalf ? 28 : 30; }

private:
  using Degree = std::optional<int>;
  Degree of(Value value) const {
    auto known = degrees.find(value);
    return known == degrees.end() ? std::nullopt : known->second;
  }
  void set(Value value, Degree degree);
  bool isHeld(Value value, int degree);
  Degree join(Degree a, Degree b) {
    if (a && b && *a != *b)
      fails = true;
    return a ? a : b;
  }
  Degree joinAll(ValueRange values) {
    Degree degree;
    for (Value value : values)
      degree = join(degree, of(value));
    return degree;
  }
  Degree product(Value a, Value b) const {
    return of(a) && of(b) ? Degree(*of(a) + *of(b)) : std::nullopt;
  }
  void visit(Operation *op);
  void visitSelect(arith::SelectOp op);
  void visitOther(Operation *op);

  llvm::DenseSet<Operation *> ones;
  llvm::DenseMap<Value, Degree> degrees;
  bool hasChanged = false, fails = false, isHalf = false;
};

} // namespace

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
  Value difference = arith::SubFOp::create(b, multiple.of(b, correction.x),
                                           multiple.of(b, correction.shift));
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
      Multiple multiple(power->factor, degrees.largestMultiple());
      for (const Power &term : maxima.terms)
        scaleTerm(term, multiple);
      for (const Power &correction : maxima.corrections)
        scaleCorrection(correction, multiple);
    }
  }
};

} // namespace
