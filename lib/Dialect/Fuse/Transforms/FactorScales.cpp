//===- FactorScales.cpp - a scale leaves the argument of an exponential ---===//
//
// exp(c x - max(c x)) is exp(c (x - max x)): one multiplication less for each
// element where a maximum is computed, and a difference that is exact where the
// product would have been rounded first. What selects and moves numbers does
// not see a positive factor, so it is looked for through all of that. What is
// added is divided by it where few numbers are, such as the slopes of a bias
// that grows with distance:
//
//   exp(c x + s d - max(..)) is exp(c (x + (s / c) d - max(..)))
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
  bool divides(OpOperand *slopes);
  Value quotient(OpOperand *slopes);

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

/// A number for each element of `like`, whose sizes may be open.
static Value repeated(OpBuilder &b, Location loc, Value like,
                      const APFloat &number) {
  auto type = cast<RankedTensorType>(like.getType());
  if (type.hasStaticShape())
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, number));
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(b, loc, like, dim));
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value one =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(scalar, number));
  return BroadcastOp::create(b, loc, type, one, ArrayRef<int64_t>(), sizes);
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

/// Numbers of smaller rank that are multiplied with positions, which 31 bits
/// hold; none if `value` is something else.
static OpOperand *slopesOf(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product || !getElementTypeOrSelf(value).isF32())
    return nullptr;
  auto areFew = [](Value side) {
    auto broadcast = side.getDefiningOp<BroadcastOp>();
    return broadcast && broadcast.getSource().getType().getRank() <
                            broadcast.getType().getRank();
  };
  auto arePositions = [](Value side) {
    auto convert = side.getDefiningOp<arith::SIToFPOp>();
    return convert && getElementTypeOrSelf(convert.getIn()).isInteger(32);
  };
  for (unsigned side : {0, 1})
    if (areFew(product->getOperand(side)) &&
        arePositions(product->getOperand(1 - side)))
      return &product->getOpOperand(side);
  return nullptr;
}

/// Whether the scale is one that slopes can be divided by.
bool Factoring::divides(OpOperand *slopes) {
  constexpr double most = 1 << 20;
  double number = scale.convertToDouble();
  return slopes && number <= most && number >= 1 / most;
}

/// What is not infinite does not become so, nor its products with positions: of
/// slopes that are so large nothing is seen but the order.
Value Factoring::quotient(OpOperand *slopes) {
  constexpr double large = 0x1p96;
  Operation *product = slopes->getOwner();
  auto broadcast = slopes->get().getDefiningOp<BroadcastOp>();
  OpBuilder b(broadcast);
  Location loc = broadcast.getLoc();
  Value source = broadcast.getSource();
  auto all = [&](double number) {
    return repeated(b, loc, source, APFloat(static_cast<float>(number)));
  };
  Value divided =
      arith::DivFOp::create(b, loc, source, all(scale.convertToDouble()));
  Value limited = arith::MinimumFOp::create(b, loc, divided, all(large));
  limited = arith::MaximumFOp::create(b, loc, limited, all(-large));
  Value isInfinite = arith::CmpFOp::create(
      b, loc, arith::CmpFPredicate::OEQ, math::AbsFOp::create(b, loc, source),
      all(std::numeric_limits<double>::infinity()));
  Value own = arith::SelectOp::create(b, loc, isInfinite, divided, limited);
  IRMapping mapping;
  mapping.map(source, own);
  Value repeatedAgain = b.clone(*broadcast, mapping)->getResult(0);
  b.setInsertionPoint(product);
  Operation *made = b.clone(*product);
  made->setOperand(slopes->getOperandNumber(), repeatedAgain);
  return made->getResult(0);
}

/// Whether something is added below what chooses and moves.
static bool hasSum(Value value) {
  if (value.getDefiningOp<arith::AddFOp>())
    return true;
  return llvm::any_of(
      movedOperands(value.getDefiningOp()),
      [](OpOperand *operand) { return hasSum(operand->get()); });
}

/// Whether a choice depends on whether a sum is 0, which is rounded otherwise
/// when it is divided.
static bool asksForZero(Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  auto compare =
      select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : nullptr;
  std::optional<APFloat> number =
      compare ? numberOf(compare.getRhs()) : std::nullopt;
  return number && !number->isInfinity() && hasSum(compare.getLhs());
}

bool Factoring::divides(Value value) {
  if (isUnchanged(value))
    return true;
  if (auto product = scaled(value); product && product->scale == scale)
    return true;
  if (auto sum = value.getDefiningOp<arith::AddFOp>()) {
    if (OpOperand *slopes = slopesOf(sum.getRhs()))
      return divides(slopes) && divides(sum.getLhs());
    return divides(slopesOf(sum.getLhs())) && divides(sum.getRhs());
  }
  if (asksForZero(value))
    return false;
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
  if (auto sum = dyn_cast<arith::AddFOp>(op)) {
    OpOperand *slopes = slopesOf(sum.getRhs());
    Value scaled = slopes ? sum.getLhs() : sum.getRhs();
    Value bias = slopes ? sum.getRhs() : sum.getLhs();
    mapping.map(bias, quotient(slopesOf(bias)));
    mapping.map(scaled, divide(scaled));
  }
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

/// A product below what chooses, moves and adds, of type `type`.
static std::optional<Scaled> findScaled(Value value, Type type) {
  if (auto product = scaled(value))
    return value.getType() == type ? product : std::nullopt;
  if (auto sum = value.getDefiningOp<arith::AddFOp>())
    return findScaled(slopesOf(sum.getRhs()) ? sum.getLhs() : sum.getRhs(),
                      type);
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
