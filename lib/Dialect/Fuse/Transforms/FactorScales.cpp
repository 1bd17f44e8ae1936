//===- FactorScales.cpp - a scale leaves the argument of an exponential ---===//
//
// exp(c x - max(c x)) is exp(c (x - max x)): one multiplication less for each
// element where a maximum is computed, and a difference that is exact where the
// product would have been rounded first. What selects and moves numbers does
// not see a positive factor, so it is looked for through all of that.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace fuse {
#define GEN_PASS_DEF_FACTORSCALES
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

/// Values divided by a scale, made where the values are.
class Factoring {
public:
  explicit Factoring(const APFloat &scale) : scale(scale) {}

  /// Whether `value` is `scale` times something that can be had without
  /// dividing.
  bool divides(Value value);
  Value divide(Value value);

private:
  bool isUnchanged(Value value);

  APFloat scale;
  DenseMap<Value, Value> divided;
};

} // namespace

/// The number that all elements are. Where sizes are not known, it is repeated.
static std::optional<APFloat> numberOf(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getSource();
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

namespace {

/// A product with a positive number.
struct Scaled {
  Value source, factor;
  APFloat scale;
};

} // namespace

static std::optional<Scaled> scaled(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  Value lhs = product.getLhs(), rhs = product.getRhs();
  for (auto [source, factor] : {std::pair(lhs, rhs), std::pair(rhs, lhs)})
    if (std::optional<APFloat> number = numberOf(factor);
        number && number->isNormal() && !number->isNegative())
      return Scaled{source, factor, *number};
  return std::nullopt;
}

/// The operands that an op chooses among or moves; none if it does anything
/// else.
static SmallVector<OpOperand *> movedOperands(Operation *op) {
  if (!op)
    return {};
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    bool chooses = reduce.getKind() == CombineKind::Max ||
                   reduce.getKind() == CombineKind::Min;
    if (!chooses)
      return {};
    return {&op->getOpOperand(0)};
  }
  if (isa<BroadcastOp, TransposeOp>(op))
    return {&op->getOpOperand(0)};
  if (isa<arith::SelectOp>(op))
    return {&op->getOpOperand(1), &op->getOpOperand(2)};
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    return {&op->getOpOperand(0), &op->getOpOperand(1)};
  return {};
}

/// Zeros and infinities stay what they are.
bool Factoring::isUnchanged(Value value) {
  std::optional<APFloat> number = numberOf(value);
  return number && (number->isZero() || number->isInfinity());
}

bool Factoring::divides(Value value) {
  if (isUnchanged(value))
    return true;
  if (auto product = scaled(value); product && product->scale == scale)
    return true;
  SmallVector<OpOperand *> operands = movedOperands(value.getDefiningOp());
  return !operands.empty() && llvm::all_of(operands, [&](OpOperand *operand) {
    return divides(operand->get());
  });
}

/// A comparison with what is unchanged comes out the same for either number.
static Value compareInstead(OpBuilder &b, Value condition, Value from,
                            Value to) {
  auto compare = condition.getDefiningOp<arith::CmpFOp>();
  if (!compare || compare.getLhs() != from)
    return condition;
  std::optional<APFloat> number = numberOf(compare.getRhs());
  if (!number || !(number->isZero() || number->isInfinity()))
    return condition;
  return arith::CmpFOp::create(b, compare.getLoc(), compare.getPredicate(), to,
                               compare.getRhs());
}

Value Factoring::divide(Value value) {
  if (isUnchanged(value))
    return value;
  if (auto product = scaled(value); product && product->scale == scale)
    return product->source;
  if (Value known = divided.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  IRMapping mapping;
  for (OpOperand *operand : movedOperands(op))
    mapping.map(operand->get(), divide(operand->get()));
  OpBuilder b(op);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Value condition = select.getCondition();
    for (Value chosen : {select.getTrueValue(), select.getFalseValue()})
      condition =
          compareInstead(b, condition, chosen, mapping.lookupOrDefault(chosen));
    mapping.map(select.getCondition(), condition);
  }
  Value result = b.clone(*op, mapping)->getResult(0);
  divided[value] = result;
  return result;
}

/// A product below what chooses and moves, of type `type`.
static std::optional<Scaled> findScaled(Value value, Type type) {
  if (auto product = scaled(value))
    return value.getType() == type ? product : std::nullopt;
  for (OpOperand *operand : movedOperands(value.getDefiningOp()))
    if (auto found = findScaled(operand->get(), type))
      return found;
  return std::nullopt;
}

/// Whether a reduction is among what the number is chosen from: without one
/// nothing is saved.
static bool hasReduction(Value value) {
  SmallVector<OpOperand *> operands = movedOperands(value.getDefiningOp());
  return !operands.empty() && (value.getDefiningOp<ReduceOp>() ||
                               llvm::any_of(operands, [](OpOperand *operand) {
                                 return hasReduction(operand->get());
                               }));
}

static void factor(Operation *exponential) {
  auto distance = exponential->getOperand(0).getDefiningOp<arith::SubFOp>();
  if (!distance || !hasReduction(distance.getRhs()))
    return;
  std::optional<Scaled> product =
      findScaled(distance.getLhs(), distance.getType());
  if (!product)
    return;
  Factoring factoring(product->scale);
  if (!factoring.divides(distance.getLhs()) ||
      !factoring.divides(distance.getRhs()))
    return;
  Value from = factoring.divide(distance.getLhs());
  Value to = factoring.divide(distance.getRhs());
  OpBuilder b(distance);
  Location loc = distance.getLoc();
  Value difference = arith::SubFOp::create(b, loc, from, to);
  exponential->setOperand(
      0, arith::MulFOp::create(b, loc, difference, product->factor));
}

namespace {

struct FactorScalesPass final : fuse::impl::FactorScalesBase<FactorScalesPass> {
  void runOnOperation() final {
    getOperation()->walk([](Operation *op) {
      if (isa<math::ExpOp, math::Exp2Op>(op))
        factor(op);
    });
  }
};

} // namespace
