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
// less. The larger of two numbers has the larger multiple, so it is maxima of
// multiples that loops carry.
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
  /// Makes multiples of all of them.
  void scale(const APFloat &factor);
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

void Maxima::scale(const APFloat &factor) {
  auto numbers = [&](OpBuilder &b, Value like, APFloat number) -> Value {
    return arith::ConstantOp::create(
        b, like.getLoc(),
        DenseElementsAttr::get(cast<RankedTensorType>(like.getType()), number));
  };
  // Numbers that are chosen among, or that a loop begins with.
  auto scaleNumber = [&](OpOperand &use) {
    std::optional<APFloat> number = numberOf(use.get());
    if (!number)
      return;
    OpBuilder b(use.getOwner());
    use.set(numbers(b, use.get(), *number * factor));
  };
  DenseSet<OpOperand *> scaled;
  auto scaleOnce = [&](OpOperand &use) {
    if (scaled.insert(&use).second)
      scaleNumber(use);
  };
  for (Value value : members) {
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *op =
        argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      OpOperand &init = argument ? *loop.getTiedLoopInit(argument)
                                 : *loop.getTiedLoopInit(cast<OpResult>(value));
      scaleOnce(init);
      scaleOnce(
          *loop.getTiedLoopYieldedValue(loop.getTiedLoopRegionIterArg(&init)));
    } else if (isa<ReduceOp>(op)) {
      OpBuilder b(op->getContext());
      b.setInsertionPointAfter(op);
      auto multiple = arith::MulFOp::create(b, op->getLoc(), value,
                                            numbers(b, value, factor));
      value.replaceAllUsesExcept(multiple, multiple);
    } else if (!isa<CollectOp>(op)) {
      for (OpOperand &operand : op->getOpOperands())
        scaleOnce(operand);
    }
  }
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

private:
  using Degree = std::optional<int>;
  Degree of(Value value) const {
    auto known = degrees.find(value);
    return known == degrees.end() ? std::nullopt : known->second;
  }
  void set(Value value, Degree degree);
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
  bool hasChanged = false, fails = false;
};

} // namespace

void Degrees::set(Value value, Degree degree) {
  if (!degree || of(value) == degree)
    return;
  if (of(value))
    fails = true;
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

static void scaleTerm(const Power &term) {
  ImplicitLocOpBuilder b(term.op->getLoc(), term.op);
  auto type = cast<RankedTensorType>(term.op->getResult(0).getType());
  BroadcastOp broadcast = term.broadcast;
  Value repeated = BroadcastOp::create(
      b, type, arith::NegFOp::create(b, term.shift), broadcast.getDims());
  Value factor =
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, term.factor));
  Value before = term.op->getOperand(0);
  term.op->setOperand(0, math::FmaOp::create(b, term.x, factor, repeated));
  eraseUnused(before);
}

/// The power of two of a difference of multiples, as exact as it was.
static void leaveOutFactor(const Power &correction) {
  Operation *op = correction.op;
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Value difference = arith::SubFOp::create(b, correction.x, correction.shift);
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
      if (!maxima.collect(power->shift) ||
          !Degrees(maxima.terms).cancelIn(getOperation()))
        continue;
      llvm::for_each(maxima.terms, scaleTerm);
      llvm::for_each(maxima.corrections, leaveOutFactor);
      maxima.scale(power->factor);
    }
  }
};

} // namespace
