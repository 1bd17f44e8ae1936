//===- Moves.cpp - ops that move elements without computing ---------------===//
//
// Each is the stock tensor op that says the same, or a loop that copies.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;

namespace {

Value toIndex(OpBuilder &b, Location loc, OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(b, loc, size);
}

/// The tensor `value`, whose sizes are `shape`, of a type that says so.
Value castShape(OpBuilder &b, TypedValue<RankedTensorType> value,
                ArrayRef<int64_t> shape) {
  RankedTensorType type = value.getType().clone(shape);
  if (type == value.getType())
    return value;
  return tensor::CastOp::create(b, value.getLoc(), type, value);
}

/// The body of a loop that copies one element.
Value copyElement(OpBuilder &, Location, ValueRange elements) {
  return elements.front();
}

/// Replaces `op` by `value`, which may know more or fewer sizes.
void replaceOp(RewriterBase &rewriter, Operation *op, Value value) {
  Type type = op->getResult(0).getType();
  if (value.getType() != type)
    value = tensor::CastOp::create(rewriter, op->getLoc(), type, value);
  rewriter.replaceOp(op, value);
}

struct ConvertBroadcast final : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const final {
    RankedTensorType result = op.getResult().getType();
    Sizes source = sizesOf(rewriter, op.getSource());
    Sizes sizes(result.getRank());
    SmallVector<AffineExpr> exprs;
    for (auto [from, to] : llvm::enumerate(op.getDims())) {
      sizes[to] = source[from];
      exprs.push_back(rewriter.getAffineDimExpr(to));
    }
    unsigned next = 0;
    for (int64_t dim : op.getRepeatedDims())
      sizes[dim] = result.isDynamicDim(dim)
                       ? OpFoldResult(op.getSizes()[next++])
                       : rewriter.getIndexAttr(result.getDimSize(dim));
    auto map =
        AffineMap::get(result.getRank(), 0, exprs, rewriter.getContext());
    replaceOp(rewriter, op,
              createMap(rewriter, op.getLoc(), sizes, result.getElementType(),
                        op.getSource(), map, copyElement));
    return success();
  }
};

struct ConvertTranspose final : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const final {
    Sizes source = sizesOf(rewriter, op.getSource()), sizes;
    // Not by a permutation map, which there is none of for a rank of 0.
    SmallVector<AffineExpr> exprs(source.size());
    for (auto [to, from] : llvm::enumerate(op.getPermutation())) {
      sizes.push_back(source[from]);
      exprs[from] = rewriter.getAffineDimExpr(to);
    }
    auto map = AffineMap::get(source.size(), 0, exprs, rewriter.getContext());
    replaceOp(rewriter, op,
              createMap(rewriter, op.getLoc(), sizes,
                        op.getSource().getType().getElementType(),
                        op.getSource(), map, copyElement));
    return success();
  }
};

/// Op by op nothing has to lie elsewhere.
struct ConvertCopy final : OpRewritePattern<CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CopyOp op,
                                PatternRewriter &rewriter) const final {
    replaceOp(rewriter, op, op.getSource());
    return success();
  }
};

/// Not tensor.extract_slice: of an empty tensor it takes nothing, not even
/// nothing.
struct ConvertSlice final : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const final {
    Sizes source = sizesOf(rewriter, op.getSource()), sizes;
    AffineExpr size = rewriter.getAffineDimExpr(0);
    for (auto [dim, start, stop, step] :
         llvm::enumerate(op.getStarts(), op.getStops(), op.getSteps())) {
      OpFoldResult end =
          stop == SliceOp::kEnd ? source[dim] : rewriter.getIndexAttr(stop);
      sizes.push_back(affine::makeComposedFoldedAffineApply(
          rewriter, op.getLoc(), (size - start).ceilDiv(step), {end}));
    }
    auto body = [&](OpBuilder &b, Location loc, ValueRange) -> Value {
      SmallVector<Value> position;
      for (auto [dim, start, step] :
           llvm::enumerate(op.getStarts(), op.getSteps())) {
        Value index = linalg::IndexOp::create(b, loc, dim);
        Value scale = arith::ConstantIndexOp::create(b, loc, step);
        Value offset = arith::ConstantIndexOp::create(b, loc, start);
        index = arith::MulIOp::create(b, loc, index, scale);
        position.push_back(arith::AddIOp::create(b, loc, index, offset));
      }
      return tensor::ExtractOp::create(b, loc, op.getSource(), position);
    };
    replaceOp(rewriter, op,
              createMap(rewriter, op.getLoc(), sizes,
                        op.getSource().getType().getElementType(),
                        /*inputs=*/{}, /*maps=*/{}, body));
    return success();
  }
};

/// Which dimensions become one where `count` of them do, from `first` on.
SmallVector<ReassociationIndices> groupDims(int64_t rank, int64_t first,
                                            int64_t count) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim <= first || dim >= first + count)
      groups.push_back({dim});
    else
      groups.back().push_back(dim);
  return groups;
}

struct ConvertExpand final : OpRewritePattern<ExpandOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ExpandOp op,
                                PatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    RankedTensorType result = op.getResult().getType();
    int64_t dim = op.getDim(), count = op.getFactors().size();
    // Into no factors at all: a dimension of size 1 goes.
    if (count == 0)
      return dropDim(op, rewriter);

    Sizes source = sizesOf(rewriter, op.getSource()), sizes;
    llvm::append_range(sizes, ArrayRef(source).take_front(dim));
    int64_t product = 1;
    for (int64_t factor : op.getFactors())
      product *= ShapedType::isDynamic(factor) ? 1 : factor;
    unsigned next = 0;
    for (auto [i, factor] : llvm::enumerate(op.getFactors())) {
      if (!result.isDynamicDim(dim + i))
        sizes.push_back(rewriter.getIndexAttr(result.getDimSize(dim + i)));
      else if (!op.getSizes().empty())
        sizes.push_back(op.getSizes()[next++]);
      else
        sizes.push_back(affine::makeComposedFoldedAffineApply(
            rewriter, loc, rewriter.getAffineDimExpr(0).floorDiv(product),
            {source[dim]}));
    }
    llvm::append_range(sizes, ArrayRef(source).drop_front(dim + 1));

    // Either side may know sizes that the other does not, but expand_shape
    // wants to see them on both.
    ArrayRef<int64_t> parts = result.getShape().slice(dim, count);
    SmallVector<int64_t> shape(op.getSource().getType().getShape());
    shape[dim] = llvm::any_of(parts, ShapedType::isDynamic)
                     ? ShapedType::kDynamic
                     : ShapedType::getNumElements(parts);
    Value merged = castShape(rewriter, op.getSource(), shape);
    replaceOp(rewriter, op,
              tensor::ExpandShapeOp::create(
                  rewriter, loc, result, merged,
                  groupDims(result.getRank(), dim, count), sizes));
    return success();
  }

private:
  static LogicalResult dropDim(ExpandOp op, PatternRewriter &rewriter) {
    int64_t rank = op.getSource().getType().getRank(), dim = op.getDim();
    // It joins a neighbour, if there is one.
    SmallVector<ReassociationIndices> groups;
    if (rank > 1)
      groups = groupDims(rank, dim == 0 ? 0 : dim - 1, 2);
    SmallVector<int64_t> shape(op.getSource().getType().getShape());
    shape[dim] = 1;
    Value source = castShape(rewriter, op.getSource(), shape);
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, op.getResult().getType(), source, groups);
    return success();
  }
};

struct ConvertCollapse final : OpRewritePattern<CollapseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CollapseOp op,
                                PatternRewriter &rewriter) const final {
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, op.getResult().getType(), op.getSource(),
        groupDims(op.getSource().getType().getRank(), op.getDims().front(),
                  op.getDims().size()));
    return success();
  }
};

struct ConvertConcat final : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    int64_t dim = op.getDim();
    RankedTensorType result = op.getResult().getType();
    Sizes sizes = sizesOf(rewriter, op.getSources().front());
    AffineExpr a, b;
    bindDims(rewriter.getContext(), a, b);
    Sizes starts = {rewriter.getIndexAttr(0)};
    for (Value source : op.getSources())
      starts.push_back(affine::makeComposedFoldedAffineApply(
          rewriter, loc, a + b,
          {starts.back(), sizesOf(rewriter, source)[dim]}));
    sizes[dim] = starts.back();

    Value joined =
        tensor::EmptyOp::create(rewriter, loc, sizes, result.getElementType());
    Sizes offsets(sizes.size(), rewriter.getIndexAttr(0));
    Sizes strides(sizes.size(), rewriter.getIndexAttr(1));
    for (auto [source, start] : llvm::zip(op.getSources(), starts)) {
      // What is empty has no place to be put at.
      auto type = cast<RankedTensorType>(source.getType());
      if (llvm::is_contained(type.getShape(), 0) ||
          llvm::is_contained(result.getShape(), 0))
        continue;
      offsets[dim] = start;
      joined =
          tensor::InsertSliceOp::create(rewriter, loc, source, joined, offsets,
                                        sizesOf(rewriter, source), strides);
    }
    replaceOp(rewriter, op, joined);
    return success();
  }
};

struct ConvertIota final : OpRewritePattern<IotaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IotaOp op,
                                PatternRewriter &rewriter) const final {
    RankedTensorType result = op.getResult().getType();
    Type type = result.getElementType();
    auto body = [&](OpBuilder &b, Location loc, ValueRange) -> Value {
      Value position = linalg::IndexOp::create(b, loc, op.getDim());
      if (type.isIndex())
        return position;
      if (!isa<FloatType>(type))
        return arith::IndexCastOp::create(b, loc, type, position);
      Value integer =
          arith::IndexCastOp::create(b, loc, b.getI64Type(), position);
      return arith::SIToFPOp::create(b, loc, type, integer);
    };
    replaceOp(rewriter, op,
              createMap(rewriter, op.getLoc(),
                        mixSizes(rewriter, result, op.getSizes()), type,
                        /*inputs=*/{}, /*maps=*/{}, body));
    return success();
  }
};

struct ConvertGather final : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const final {
    Location outer = op.getLoc();
    RankedTensorType result = op.getResult().getType();
    int64_t numIndexDims = op.getIndices().getType().getRank();
    Sizes table = sizesOf(rewriter, op.getSource());
    Sizes sizes = sizesOf(rewriter, op.getIndices());
    llvm::append_range(sizes, ArrayRef(table).drop_front());
    Value numRows = toIndex(rewriter, outer, table.front());

    auto body = [&](OpBuilder &b, Location loc, ValueRange elements) -> Value {
      Value row = elements[0];
      if (!row.getType().isIndex())
        row = arith::IndexCastOp::create(b, loc, b.getIndexType(), row);
      // Unsigned, so that a negative index is a large one.
      Value isInside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                             row, numRows);
      SmallVector<Value> position = {row};
      for (int64_t dim = numIndexDims; dim < result.getRank(); ++dim)
        position.push_back(linalg::IndexOp::create(b, loc, dim));
      auto lookUp = [&](OpBuilder &nested, Location at) {
        Value element =
            tensor::ExtractOp::create(nested, at, op.getSource(), position);
        scf::YieldOp::create(nested, at, element);
      };
      auto useZero = [&](OpBuilder &nested, Location at) {
        Value zero = arith::ConstantOp::create(
            nested, at, nested.getZeroAttr(result.getElementType()));
        scf::YieldOp::create(nested, at, zero);
      };
      return scf::IfOp::create(b, loc, isInside, lookUp, useZero).getResult(0);
    };
    SmallVector<AffineExpr> exprs;
    for (int64_t dim = 0; dim < numIndexDims; ++dim)
      exprs.push_back(rewriter.getAffineDimExpr(dim));
    auto map =
        AffineMap::get(result.getRank(), 0, exprs, rewriter.getContext());
    replaceOp(rewriter, op,
              createMap(rewriter, outer, sizes, result.getElementType(),
                        op.getIndices(), map, body));
    return success();
  }
};

} // namespace

void fuse::populateMovePatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertBroadcast, ConvertTranspose, ConvertCopy, ConvertSlice,
               ConvertExpand, ConvertCollapse, ConvertConcat, ConvertIota,
               ConvertGather>(patterns.getContext());
}
