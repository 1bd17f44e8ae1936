//===- FuseFolds.cpp - folds and canonical forms --------------------------===//
//
// Only what makes later analyses see less: moves that cancel or compose, and
// sizes that turn out to be constant.
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace fuse;

namespace {

/// A size operand that is constant belongs into the type. The users keep the
/// type that they had, by a cast that folds into most of them.
template <typename OpTy>
struct TakeConstantSizes final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    if (llvm::none_of(op.getSizes(), constantSize))
      return rewriter.notifyMatchFailure(op, "no size is constant");
    auto refined = cast<OpTy>(rewriter.clone(*op));
    rewriter.modifyOpInPlace(refined, [&] { refined.refineSizes(); });
    if (refined.getSizes().size() == op.getSizes().size()) {
      rewriter.eraseOp(refined);
      return rewriter.notifyMatchFailure(op, "the sizes contradict others");
    }
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, op.getResult().getType(),
                                                refined.getResult());
    return success();
  }
};

/// What is repeated twice is repeated once along more dimensions.
struct MergeBroadcasts final : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const final {
    auto inner = op.getSource().getDefiningOp<BroadcastOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the source is no broadcast");
    SmallVector<int64_t> dims;
    for (int64_t dim : inner.getDims())
      dims.push_back(op.getDims()[dim]);
    // A size operand belongs to its place among the repeated dimensions.
    SmallVector<Value> sizeOf(op.getResult().getType().getRank());
    auto place = [&](BroadcastOp from, auto toResult) {
      unsigned next = 0;
      for (int64_t dim : from.getRepeatedDims())
        if (from.getResult().getType().isDynamicDim(dim))
          sizeOf[toResult(dim)] = from.getSizes()[next++];
    };
    place(inner, [&](int64_t dim) { return op.getDims()[dim]; });
    place(op, [](int64_t dim) { return dim; });
    // A dimension that only one of the two types knows is left alone: the
    // other one would need an operand for it.
    RankedTensorType middle = inner.getResult().getType();
    for (auto [from, to] : llvm::enumerate(op.getDims()))
      if (middle.isDynamicDim(from) !=
          op.getResult().getType().isDynamicDim(to))
        return rewriter.notifyMatchFailure(op, "the two types differ in what "
                                               "they know of the sizes");
    SmallVector<Value> sizes;
    llvm::copy_if(sizeOf, std::back_inserter(sizes),
                  [](Value size) { return size != nullptr; });
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getResult().getType(),
                                             inner.getSource(), dims, sizes);
    return success();
  }
};

/// Pieces of pieces are pieces, and an empty piece is none.
struct FlattenConcat final : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const final {
    SmallVector<Value> pieces;
    for (Value source : op.getSources()) {
      auto inner = source.getDefiningOp<ConcatOp>();
      if (inner && inner.getDim() == op.getDim())
        llvm::append_range(pieces, inner.getSources());
      else if (cast<RankedTensorType>(source.getType())
                   .getDimSize(op.getDim()) != 0)
        pieces.push_back(source);
    }
    if (pieces.empty() || ValueRange(pieces) == op.getSources())
      return rewriter.notifyMatchFailure(op, "no piece can be left out");
    // A piece that is left out may have been the one that knew a size.
    SmallVector<Type> types;
    ConcatOp::Properties properties = op.getProperties();
    if (failed(ConcatOp::inferReturnTypes(
            getContext(), std::nullopt,
            ConcatOp::Adaptor(pieces, op->getAttrDictionary(), properties),
            types)) ||
        types.front() != op.getResult().getType())
      return rewriter.notifyMatchFailure(op, "the type would lose a size");
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getResult().getType(), pieces,
                                          op.getDimAttr());
    return success();
  }
};

} // namespace

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  return getDims().empty() ? getSource() : Value();
}

/// A constant whose elements are all one number has that number everywhere
/// else, too.
static OpFoldResult foldSplat(Attribute source, RankedTensorType result) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(source);
  if (!splat || !result.hasStaticShape())
    return {};
  return splat.resizeSplat(result);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  return foldSplat(adaptor.getSource(), getResult().getType());
}

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<TakeConstantSizes<BroadcastOp>, MergeBroadcasts>(context);
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (llvm::equal(getPermutation(),
                  llvm::seq<int64_t>(0, getPermutation().size())))
    return getSource();
  if (auto inner = getSource().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> composed;
    for (int64_t dim : getPermutation())
      composed.push_back(inner.getPermutation()[dim]);
    setPermutation(composed);
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return foldSplat(adaptor.getSource(), getResult().getType());
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  RankedTensorType source = getSource().getType();
  bool isWhole = true;
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    isWhole &=
        getStarts()[dim] == 0 && getSteps()[dim] == 1 &&
        (getStops()[dim] == kEnd || getStops()[dim] == source.getDimSize(dim));
  if (isWhole)
    return getSource();

  auto inner = getSource().getDefiningOp<SliceOp>();
  if (inner &&
      llvm::all_of(inner.getSteps(), [](int64_t step) { return step == 1; })) {
    SmallVector<int64_t> starts, stops;
    for (auto [start, stop, innerStart, innerStop] : llvm::zip(
             getStarts(), getStops(), inner.getStarts(), inner.getStops())) {
      // Where sizes are dynamic, starts may be any numbers.
      std::optional<int64_t> first = llvm::checkedAdd(innerStart, start);
      std::optional<int64_t> last =
          stop == kEnd ? innerStop : llvm::checkedAdd(innerStart, stop);
      if (!first || !last)
        return {};
      starts.push_back(*first);
      stops.push_back(*last);
    }
    setStarts(starts);
    setStops(stops);
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return foldSplat(adaptor.getSource(), getResult().getType());
}

OpFoldResult ExpandOp::fold(FoldAdaptor adaptor) {
  // One factor, which is the whole dimension.
  if (getSource().getType() == getResult().getType())
    return getSource();
  // Merged and split again in the same way. With two dynamic factors the way
  // may be another one.
  if (auto inner = getSource().getDefiningOp<CollapseOp>())
    if (inner.getSource().getType() == getResult().getType() &&
        inner.getDims().front() == static_cast<int64_t>(getDim()) &&
        inner.getDims().size() == getFactors().size() &&
        llvm::count_if(getFactors(), ShapedType::isDynamic) <= 1)
      return inner.getSource();
  return foldSplat(adaptor.getSource(), getResult().getType());
}

OpFoldResult CollapseOp::fold(FoldAdaptor adaptor) {
  if (getDims().size() == 1)
    return getSource();
  if (auto inner = getSource().getDefiningOp<ExpandOp>())
    if (inner.getSource().getType() == getResult().getType() &&
        getDims().front() == static_cast<int64_t>(inner.getDim()) &&
        getDims().size() == inner.getFactors().size())
      return inner.getSource();
  return foldSplat(adaptor.getSource(), getResult().getType());
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getSources().size() == 1 ? getSources().front() : Value();
}

void ConcatOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<FlattenConcat>(context);
}

void IotaOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<TakeConstantSizes<IotaOp>>(context);
}

void ExpandOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<TakeConstantSizes<ExpandOp>>(context);
}
