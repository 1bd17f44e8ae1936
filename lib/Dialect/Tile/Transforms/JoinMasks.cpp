//===- JoinMasks.cpp - one mask for all that is computed behind it --------===//
//
// Each reduction masks what it reads. Where a maximum is subtracted from what
// it was taken of, what was masked for it with -inf ends as 0 for the sums of
// exponentials, so that these need no masks of their own:
//
//   m = max(mask(x, -inf)); s = sum(mask(exp(x - m), 0))
//   -> y = mask(x, -inf); m = max(y); s = sum(exp(y - m))
//
// A square is masked before it is one, so that what adds it up multiplies, too:
//
//   sum(mask(d * d, 0)) -> e = mask(d, 0); sum(e * e)
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

namespace fuse {
#define GEN_PASS_DEF_JOINMASKS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// A mask, and what of its block is computed from what it masks.
class Joiner {
public:
  explicit Joiner(MaskOp first) : first(first) {}
  /// The masks that are gone then.
  SmallVector<Operation *> run();

private:
  bool isAlike(MaskOp mask);
  bool leavesOut(Operation *op);
  std::optional<APFloat> beyond(Value value);
  bool canChange(Operation *op);

  MaskOp first;
  /// Whose elements beyond the limits nobody reads unmasked.
  SetVector<Operation *> behind;
  /// What is known of elements beyond the limits if the source is masked.
  llvm::DenseMap<Value, std::optional<APFloat>> known;
};

} // namespace

bool Joiner::isAlike(MaskOp mask) {
  return mask != first && mask->getBlock() == first->getBlock() &&
         mask.getStarts() == first.getStarts() &&
         mask.getLimits() == first.getLimits() &&
         mask.getAxes() == first.getAxes() &&
         mask.getType().getShape() == first.getType().getShape();
}

/// Whether an op does not let through what is beyond the limits.
bool Joiner::leavesOut(Operation *op) {
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getStarts() == first.getStarts() &&
           store.getLimits() == first.getLimits() &&
           store.getAxes() == first.getAxes();
  auto mask = dyn_cast<MaskOp>(op);
  return mask && isAlike(mask);
}

static std::optional<APFloat> constantOf(Value value) {
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

static bool isMinusInfinity(const std::optional<APFloat> &number) {
  return number && number->isInfinity() && number->isNegative();
}

/// Whether no element is -inf. A NaN may be: a row whose statistic is one has
/// nothing else anyway.
static bool isAboveMinusInfinity(Value value) {
  if (auto number = constantOf(value))
    return !(number->isInfinity() && number->isNegative());
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<BroadcastOp, TransposeOp>(op))
    return isAboveMinusInfinity(op->getOperand(0));
  if (auto larger = dyn_cast_or_null<arith::MaximumFOp>(op))
    return isAboveMinusInfinity(larger.getLhs()) ||
           isAboveMinusInfinity(larger.getRhs());
  // What stands for it where it is.
  if (auto choice = dyn_cast_or_null<arith::SelectOp>(op)) {
    auto same = choice.getCondition().getDefiningOp<arith::CmpFOp>();
    return same && same.getPredicate() == arith::CmpFPredicate::OEQ &&
           same.getLhs() == choice.getFalseValue() &&
           isMinusInfinity(constantOf(same.getRhs())) &&
           isAboveMinusInfinity(choice.getTrueValue());
  }
  return false;
}

/// The number that all elements beyond the limits are.
std::optional<APFloat> Joiner::beyond(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  if (!op || !behind.contains(op))
    return std::nullopt;
  std::optional<APFloat> result;
  if (auto difference = dyn_cast<arith::SubFOp>(op)) {
    auto lhs = beyond(difference.getLhs());
    if (isMinusInfinity(lhs) && isAboveMinusInfinity(difference.getRhs()))
      result = lhs;
  } else if (auto product = dyn_cast<arith::MulFOp>(op)) {
    auto lhs = beyond(product.getLhs()), rhs = constantOf(product.getRhs());
    if (isMinusInfinity(lhs) && rhs && !rhs->isNegative() && !rhs->isZero() &&
        !rhs->isNaN())
      result = lhs;
  } else if (isa<math::ExpOp, math::Exp2Op>(op)) {
    if (auto source = beyond(op->getOperand(0)); isMinusInfinity(source))
      result = APFloat::getZero(source->getSemantics());
  } else if (isa<arith::TruncFOp, arith::ExtFOp>(op)) {
    if (auto source = beyond(op->getOperand(0)); source && source->isZero())
      result = APFloat::getZero(
          cast<FloatType>(getElementTypeOrSelf(value)).getFloatSemantics(),
          source->isNegative());
  }
  known[value] = result;
  return result;
}

/// Whether what an op leaves beyond the limits is masked before it counts.
bool Joiner::canChange(Operation *op) {
  return op->getBlock() == first->getBlock() && op->getNumResults() == 1 &&
         op->hasTrait<OpTrait::Elementwise>() &&
         isa<RankedTensorType>(op->getResult(0).getType()) &&
         llvm::all_of(op->getUsers(), [&](Operation *user) {
           return leavesOut(user) || behind.contains(user);
         });
}

SmallVector<Operation *> Joiner::run() {
  auto fill = dyn_cast<FloatAttr>(first.getOtherwise());
  if (!fill)
    return {};
  Value source = first.getSource();
  // From the last op on, so that users come first.
  for (Operation *op = first->getBlock()->getTerminator(); op != first;
       op = op->getPrevNode())
    if (canChange(op))
      behind.insert(op);
  known[source] = fill.getValue();
  // Only what is computed from the source changes, all of it or nothing.
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : source.getUses())
    if (use.getOwner() != first && behind.contains(use.getOwner()))
      uses.push_back(&use);
  SmallVector<Operation *> done;
  for (MaskOp mask : first->getBlock()->getOps<MaskOp>()) {
    if (!isAlike(mask) || mask.getSource() == source)
      continue;
    auto number = beyond(mask.getSource());
    auto wanted = dyn_cast<FloatAttr>(mask.getOtherwise());
    if (number && wanted && number->bitwiseIsEqual(wanted.getValue()))
      done.push_back(mask);
  }
  if (done.empty())
    return {};
  for (OpOperand *use : uses)
    use->set(first);
  for (Operation *mask : done) {
    mask->replaceAllUsesWith(ValueRange(cast<MaskOp>(mask).getSource()));
    mask->erase();
  }
  return done;
}

/// Masks what a square is made of, if `mask` puts zeros into one.
static void maskBeforeSquaring(MaskOp mask) {
  auto square = mask.getSource().getDefiningOp<arith::MulFOp>();
  auto fill = dyn_cast<FloatAttr>(mask.getOtherwise());
  if (!square || square.getLhs() != square.getRhs() || !square->hasOneUse() ||
      !fill || !fill.getValue().isPosZero())
    return;
  OpBuilder b(mask);
  auto masked = cast<MaskOp>(b.clone(*mask));
  masked.getSourceMutable().assign(square.getLhs());
  Value result =
      arith::MulFOp::create(b, square.getLoc(), masked.getResult(),
                            masked.getResult(), square.getFastmathAttr());
  mask.replaceAllUsesWith(result);
  mask.erase();
  square.erase();
}

namespace {

struct JoinMasksPass final : fuse::impl::JoinMasksBase<JoinMasksPass> {
  void runOnOperation() final {
    SmallVector<MaskOp> masks;
    getOperation()->walk([&](MaskOp mask) {
      auto fill = dyn_cast<FloatAttr>(mask.getOtherwise());
      if (fill && fill.getValue().isInfinity())
        masks.push_back(mask);
    });
    // A mask of what another one masked is one of those that go.
    llvm::SmallPtrSet<Operation *, 4> gone;
    for (MaskOp mask : masks)
      if (!gone.contains(mask))
        gone.insert_range(Joiner(mask).run());
    getOperation()->walk(maskBeforeSquaring);
  }
};

} // namespace
