//===- PositionBounds.cpp - what positions lie between --------------------===//

#include "PositionBounds.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Whether groups of warps that multiply have numbers of their own.
static bool isSharedOut(IotaOp iota) {
  LayoutAttr layout = layoutOf(iota.getType());
  return layout && llvm::any_of(llvm::enumerate(iota.getCoefficients()),
                                [&](auto factor) {
                                  return factor.value() != 0 &&
                                         !sharesOfGroups(layout.getValue(),
                                                         factor.index())
                                              .empty();
                                });
}

/// Elements narrower than an index wrap where their numbers don't fit.
std::optional<PositionBounds::Bounds> PositionBounds::inside(Bounds bounds,
                                                             Value tile) {
  Type element = getElementTypeOrSelf(tile);
  if (element.isIndex() || element.isInteger(64))
    return bounds;
  if (!element.isInteger(32))
    return std::nullopt;
  Value own = logicalAnd(
      isAtMost(number(std::numeric_limits<int32_t>::min()), bounds.least),
      isAtMost(bounds.most, number(std::numeric_limits<int32_t>::max())));
  fits = fits ? logicalAnd(fits, own) : own;
  return bounds;
}

std::optional<PositionBounds::Bounds> PositionBounds::boundsOf(IotaOp iota) {
  auto type = cast<RankedTensorType>(iota.getType());
  int64_t below = 0, above = 0;
  for (auto [factor, size] :
       llvm::zip_equal(iota.getCoefficients(), type.getShape()))
    (factor < 0 ? below : above) += factor * (size - 1);
  auto bounds = inside(
      {add(iota.getBase(), number(below)), add(iota.getBase(), number(above))},
      iota);
  // A group of warps that has numbers of its own need not mask where others
  // have to.
  if (bounds && whom == Of::Group && isSharedOut(iota))
    return Bounds{LeastOp::create(b, b.getIndexType(), iota),
                  MostOp::create(b, b.getIndexType(), iota)};
  return bounds;
}

std::optional<PositionBounds::Bounds> PositionBounds::boundsOf(Value tile) {
  if (APInt same; matchPattern(tile, m_ConstantInt(&same))) {
    Value only = number(same.getSExtValue());
    return Bounds{only, only};
  }
  Operation *op = tile.getDefiningOp();
  if (isa_and_nonnull<BroadcastOp, TransposeOp>(op))
    return boundsOf(op->getOperand(0));
  // What wraps in 64 bits is not seen here.
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) &&
      getElementTypeOrSelf(tile).isInteger(32)) {
    auto lhs = boundsOf(op->getOperand(0));
    auto rhs = lhs ? boundsOf(op->getOperand(1)) : std::nullopt;
    if (!rhs)
      return std::nullopt;
    if (isa<arith::AddIOp>(op))
      return inside({add(lhs->least, rhs->least), add(lhs->most, rhs->most)},
                    op->getResult(0));
    return inside(
        {subtract(lhs->least, rhs->most), subtract(lhs->most, rhs->least)},
        op->getResult(0));
  }
  if (auto iota = dyn_cast_or_null<IotaOp>(op))
    return boundsOf(iota);
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getRank() == 0 && type.getElementType().isIntOrIndex()) {
    Value only = tensor::ExtractOp::create(b, tile, ValueRange());
    if (!only.getType().isIndex())
      only = arith::IndexCastOp::create(b, b.getIndexType(), only);
    return Bounds{only, only};
  }
  return std::nullopt;
}

Value PositionBounds::of(arith::CmpIOp compare, bool outcome) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  if (!outcome)
    predicate = arith::invertPredicate(predicate);
  bool isLess = predicate == Predicate::sle || predicate == Predicate::slt;
  bool isMore = predicate == Predicate::sge || predicate == Predicate::sgt;
  if (!isLess && !isMore)
    return Value();
  auto lhs = boundsOf(compare.getLhs());
  auto rhs = lhs ? boundsOf(compare.getRhs()) : std::nullopt;
  if (!rhs)
    return Value();
  return b.createOrFold<arith::CmpIOp>(predicate,
                                       isLess ? lhs->most : lhs->least,
                                       isLess ? rhs->least : rhs->most);
}

Value PositionBounds::of(Value condition, bool outcome) {
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<BroadcastOp, TransposeOp>(op))
    return is(op->getOperand(0), outcome);
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return of(compare, outcome);
  auto both = dyn_cast_or_null<arith::AndIOp>(op);
  if (!both)
    return Value();
  Value lhs = is(both.getLhs(), outcome), rhs = is(both.getRhs(), outcome);
  if (outcome)
    return logicalAnd(lhs, rhs);
  // One that is false is enough.
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return b.createOrFold<arith::OrIOp>(lhs, rhs);
}

Value PositionBounds::is(Value condition, bool outcome) {
  Value result = of(condition, outcome);
  return result && fits ? logicalAnd(result, fits) : result;
}
