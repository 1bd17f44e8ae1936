//===- TileFolds.cpp - what is the same with less -------------------------===//
//
// Folds of ops that move nothing, and transposes that loads do for free.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace fuse::tile;

/// A constant of one number, in another shape.
static OpFoldResult reshapeSplat(Attribute constant, Type type) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(constant);
  if (!splat)
    return {};
  return splat.resizeSplat(cast<ShapedType>(type));
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto below = getSource().getDefiningOp<BroadcastOp>()) {
    SmallVector<int64_t> dims;
    for (int64_t dim : below.getDims())
      dims.push_back(getDims()[dim]);
    setDims(dims);
    getSourceMutable().assign(below.getSource());
    return getResult();
  }
  return reshapeSplat(adaptor.getSource(), getType());
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (llvm::equal(getPermutation(),
                  llvm::seq<int64_t>(0, getPermutation().size())))
    return getSource();
  if (auto below = getSource().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> permutation;
    for (int64_t axis : getPermutation())
      permutation.push_back(below.getPermutation()[axis]);
    setPermutation(permutation);
    getSourceMutable().assign(below.getSource());
    return getResult();
  }
  return reshapeSplat(adaptor.getSource(), getType());
}

OpFoldResult MaskOp::fold(FoldAdaptor) {
  // Limits that are known to be beyond the end mask nothing.
  if (!getStarts().empty())
    return {};
  for (auto [limit, axis] : llvm::zip_equal(getLimits(), getAxes())) {
    APInt number;
    if (!matchPattern(limit, m_ConstantInt(&number)) ||
        number.getSExtValue() < getType().getDimSize(axis))
      return {};
  }
  return getSource();
}

namespace {

/// The transposition of a tile that is only loaded for it is another load.
struct TransposeOfLoad final : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const final {
    auto load = op.getSource().getDefiningOp<LoadOp>();
    if (!load || !load->hasOneUse())
      return rewriter.notifyMatchFailure(op, "not the only use of a load");
    ArrayRef<int64_t> permutation = op.getPermutation();
    // Where each axis of the load goes.
    SmallVector<int64_t> places(permutation.size());
    SmallVector<AffineExpr> axes(permutation.size());
    for (auto [place, axis] : llvm::enumerate(permutation)) {
      places[axis] = place;
      axes[axis] = rewriter.getAffineDimExpr(place);
    }
    AffineMap map = load.getAxisMap().replaceDimsAndSymbols(
        axes, {}, permutation.size(), 0);
    auto numbers = llvm::to_vector(llvm::seq<size_t>(load.getAxes().size()));
    llvm::sort(numbers, [&](size_t a, size_t b) {
      return places[load.getAxes()[a]] < places[load.getAxes()[b]];
    });
    SmallVector<int64_t> limitedAxes;
    SmallVector<Value> limits, starts;
    for (size_t number : numbers) {
      limitedAxes.push_back(places[load.getAxes()[number]]);
      limits.push_back(load.getLimits()[number]);
      if (!load.getStarts().empty())
        starts.push_back(load.getStarts()[number]);
    }
    SmallVector<int64_t> unused;
    for (int64_t axis : load.getUnused().value_or(ArrayRef<int64_t>()))
      unused.push_back(places[axis]);
    llvm::sort(unused);
    rewriter.setInsertionPoint(load);
    rewriter.replaceOpWithNewOp<LoadOp>(
        op, op.getType(), load.getMemory(), load.getIndices(), map, limits,
        limitedAxes, load.getGuarded(), starts, load.getDisjoint(), unused);
    return success();
  }
};

} // namespace

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<TransposeOfLoad>(context);
}

//===----------------------------------------------------------------------===//
// RoundOp
//===----------------------------------------------------------------------===//

OpFoldResult RoundOp::fold(FoldAdaptor) {
  if (getSource().getDefiningOp<RoundOp>())
    return getSource();
  return {};
}
