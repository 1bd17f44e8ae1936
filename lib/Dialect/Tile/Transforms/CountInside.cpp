//===- CountInside.cpp - how many elements are inside, without a sum ------===//
//
// A mean so far is a sum divided by how many elements there were. That number
// is a sum, too, of ones at positions that are inside of a tensor, and all
// threads of a block would meet for it. It is known before.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace fuse {
#define GEN_PASS_DEF_COUNTINSIDE
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// Collects what is asked of the positions of a tile, as limits of its axes.
class Inside {
public:
  Inside(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape) : b(b) {
    for (int64_t size : shape)
      ends.push_back(number(size));
  }
  /// Whether `condition` asks for nothing else. `axes` are those of the tile
  /// that its own ones are.
  bool addCondition(Value condition, ArrayRef<int64_t> axes);
  void addLimit(int64_t axis, Value limit) {
    ends[axis] = b.createOrFold<arith::MinSIOp>(ends[axis], limit);
  }
  Value count();

private:
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  bool addComparison(arith::CmpIOp compare, ArrayRef<int64_t> axes);

  ImplicitLocOpBuilder &b;
  SmallVector<Value> ends;
  /// Where what no axis moves is compared.
  SmallVector<std::pair<Value, Value>> others;
};

} // namespace

/// `base + i < end`.
bool Inside::addComparison(arith::CmpIOp compare, ArrayRef<int64_t> axes) {
  auto iota = compare.getLhs().getDefiningOp<IotaOp>();
  APInt end;
  // Narrower numbers wrap.
  Type counted = getElementTypeOrSelf(compare.getLhs());
  if (!counted.isInteger(64) && !counted.isIndex())
    return false;
  if (!iota || compare.getPredicate() != arith::CmpIPredicate::slt ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&end)))
    return false;
  Value limit = number(end.getSExtValue());
  std::optional<int64_t> along;
  for (auto [axis, factor] : llvm::enumerate(iota.getCoefficients())) {
    if (factor == 0)
      continue;
    if (factor != 1 || along)
      return false;
    along = axes[axis];
  }
  if (along)
    addLimit(*along, b.createOrFold<arith::SubIOp>(limit, iota.getBase()));
  else
    others.push_back({iota.getBase(), limit});
  return true;
}

bool Inside::addCondition(Value condition, ArrayRef<int64_t> axes) {
  Operation *op = condition.getDefiningOp();
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op))
    return addCondition(both.getLhs(), axes) &&
           addCondition(both.getRhs(), axes);
  if (auto broadcast = dyn_cast_or_null<BroadcastOp>(op)) {
    SmallVector<int64_t> own;
    for (int64_t dim : broadcast.getDims())
      own.push_back(axes[dim]);
    return addCondition(broadcast.getSource(), own);
  }
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return addComparison(compare, axes);
  return matchPattern(condition, m_One());
}

Value Inside::count() {
  Value zero = number(0), result = number(1);
  for (Value end : ends)
    result = b.createOrFold<arith::MulIOp>(
        result, b.createOrFold<arith::MaxSIOp>(end, zero));
  for (auto [position, end] : others) {
    Value isInside =
        b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, position, end);
    result = b.createOrFold<arith::SelectOp>(isInside, result, zero);
  }
  return result;
}

/// Replaces the sum of ones over all of a tile.
static void replaceCount(ReduceOp sum) {
  RankedTensorType tile = sum.getSource().getType();
  Type element = tile.getElementType();
  if (sum.getKind() != CombineKind::Sum || !isa<FloatType>(element) ||
      sum.getType().getRank() != 0)
    return;
  auto mask = sum.getSource().getDefiningOp<MaskOp>();
  if (mask &&
      (!mask.getStarts().empty() ||
       !matchPattern(Value(mask.getSource()), m_Op<arith::SelectOp>()) ||
       !cast<FloatAttr>(mask.getOtherwise()).getValue().isZero()))
    return;
  Value source = mask ? Value(mask.getSource()) : Value(sum.getSource());
  auto ones = source.getDefiningOp<arith::SelectOp>();
  APFloat inside(0.0), outside(0.0);
  if (!ones || !isa<RankedTensorType>(ones.getCondition().getType()) ||
      !matchPattern(ones.getTrueValue(), m_ConstantFloat(&inside)) ||
      !matchPattern(ones.getFalseValue(), m_ConstantFloat(&outside)) ||
      !inside.isExactlyValue(1) || !outside.isPosZero())
    return;
  ImplicitLocOpBuilder b(sum.getLoc(), sum);
  Inside found(b, tile.getShape());
  if (!found.addCondition(
          ones.getCondition(),
          llvm::to_vector(llvm::seq<int64_t>(0, tile.getRank()))))
    return;
  if (mask)
    for (auto [axis, limit] : llvm::zip_equal(mask.getAxes(), mask.getLimits()))
      found.addLimit(axis, limit);
  RankedTensorType type = sum.getType();
  Value count = IotaOp::create(b, type.clone(b.getI64Type()), found.count(),
                               ArrayRef<int64_t>());
  sum.replaceAllUsesWith(arith::SIToFPOp::create(b, type, count).getResult());
  sum.erase();
}

namespace {

struct CountInsidePass final : fuse::impl::CountInsideBase<CountInsidePass> {
  void runOnOperation() final { getOperation()->walk(replaceCount); }
};

} // namespace
