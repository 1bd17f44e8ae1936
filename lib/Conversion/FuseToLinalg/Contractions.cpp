//===- Contractions.cpp - matmul and reduce, as they are defined ----------===//
//
// Sums run in order, one element after the other, in the accumulator's type.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;

namespace {

/// Rounds an f32 to nearest even with 10 bits of mantissa, ties as f32's are;
/// infinities and NaNs stay what they are.
Value roundToTf32(OpBuilder &b, Location loc, Value x) {
  Type i32 = b.getI32Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(i32, value));
  };
  Value bits = arith::BitcastOp::create(b, loc, i32, x);
  Value odd = arith::AndIOp::create(
      b, loc, arith::ShRUIOp::create(b, loc, bits, constant(13)), constant(1));
  Value half = arith::AddIOp::create(b, loc, odd, constant(0xfff));
  Value raised = arith::AddIOp::create(b, loc, bits, half);
  Value kept = arith::AndIOp::create(b, loc, raised, constant(-(1 << 13)));
  Value rounded = arith::BitcastOp::create(b, loc, b.getF32Type(), kept);
  // x - x is 0 for finite numbers only.
  Value isFinite =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD,
                            arith::SubFOp::create(b, loc, x, x), x);
  return arith::SelectOp::create(b, loc, isFinite, rounded, x);
}

struct ConvertMatmul final : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    Type sumType = op.getResult().getType().getElementType();
    int64_t rank = op.getResult().getType().getRank();
    Sizes sizes = sizesOf(rewriter, op.getLhs());
    sizes.back() = sizesOf(rewriter, op.getRhs()).back();
    Value zeros =
        createFilled(rewriter, loc, sizes, rewriter.getZeroAttr(sumType));

    // The columns vary fastest, so that rows of rhs are read as they lie.
    int64_t k = rank - 1, n = rank;
    auto mapOf = [&](int64_t row, int64_t column) {
      SmallVector<int64_t> dims =
          llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
      dims.append({row, column});
      SmallVector<AffineExpr> exprs;
      for (int64_t dim : dims)
        exprs.push_back(rewriter.getAffineDimExpr(dim));
      return AffineMap::get(rank + 1, 0, exprs, rewriter.getContext());
    };
    int64_t m = rank - 2;
    SmallVector<AffineMap> maps = {mapOf(m, k), mapOf(k, n), mapOf(m, n)};
    SmallVector<utils::IteratorType> iterators(rank + 1,
                                               utils::IteratorType::parallel);
    iterators[k] = utils::IteratorType::reduction;

    Precision precision = op.getPrecision();
    auto factor = [&](OpBuilder &b, Location at, Value x) -> Value {
      // tf32x3 promises what ieee gives, so that is its meaning.
      if (precision == Precision::Tf32)
        return roundToTf32(b, at, x);
      if (x.getType() == sumType)
        return x;
      return arith::ExtFOp::create(b, at, sumType, x);
    };
    auto body = [&](OpBuilder &b, Location at, ValueRange elements) {
      Value product = arith::MulFOp::create(b, at, factor(b, at, elements[0]),
                                            factor(b, at, elements[1]));
      Value sum = arith::AddFOp::create(b, at, elements[2], product);
      linalg::YieldOp::create(b, at, sum);
    };
    Value product =
        linalg::GenericOp::create(rewriter, loc, zeros.getType(),
                                  ValueRange{op.getLhs(), op.getRhs()}, zeros,
                                  maps, iterators, body)
            .getResult(0);
    if (product.getType() != op.getResult().getType())
      product = tensor::CastOp::create(rewriter, loc, op.getResult().getType(),
                                       product);
    rewriter.replaceOp(op, product);
    return success();
  }
};

/// The element that changes nothing when it is combined.
TypedAttr neutralOf(OpBuilder &b, CombineKind kind, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    switch (kind) {
    case CombineKind::Sum:
    case CombineKind::Mean:
      return b.getFloatAttr(type, 0.0);
    case CombineKind::Prod:
      return b.getFloatAttr(type, 1.0);
    case CombineKind::Max:
      return b.getFloatAttr(type, APFloat::getInf(semantics, true));
    case CombineKind::Min:
      return b.getFloatAttr(type, APFloat::getInf(semantics));
    }
  }
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  switch (kind) {
  case CombineKind::Prod:
    return b.getIntegerAttr(type, APInt(width, 1));
  case CombineKind::Max:
    return b.getIntegerAttr(type, APInt::getSignedMinValue(width));
  case CombineKind::Min:
    return b.getIntegerAttr(type, APInt::getSignedMaxValue(width));
  case CombineKind::Sum:
  case CombineKind::Mean:
    break;
  }
  return b.getIntegerAttr(type, APInt(width, 0));
}

Value combine(OpBuilder &b, Location loc, CombineKind kind, Value x, Value y) {
  bool isFloat = isa<FloatType>(x.getType());
  switch (kind) {
  case CombineKind::Prod:
    return isFloat ? arith::MulFOp::create(b, loc, x, y).getResult()
                   : arith::MulIOp::create(b, loc, x, y).getResult();
  case CombineKind::Max:
    return isFloat ? arith::MaximumFOp::create(b, loc, x, y).getResult()
                   : arith::MaxSIOp::create(b, loc, x, y).getResult();
  case CombineKind::Min:
    return isFloat ? arith::MinimumFOp::create(b, loc, x, y).getResult()
                   : arith::MinSIOp::create(b, loc, x, y).getResult();
  case CombineKind::Sum:
  case CombineKind::Mean:
    break;
  }
  return isFloat ? arith::AddFOp::create(b, loc, x, y).getResult()
                 : arith::AddIOp::create(b, loc, x, y).getResult();
}

struct ConvertReduce final : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    CombineKind kind = op.getKind();
    RankedTensorType source = op.getSource().getType();
    Type type = source.getElementType();
    // Half precision is kept for the result; max and min need no more.
    bool isExactKind = kind == CombineKind::Max || kind == CombineKind::Min;
    Type sumType = (type.isF16() || type.isBF16()) && !isExactKind
                       ? rewriter.getF32Type()
                       : type;

    Sizes all = sizesOf(rewriter, op.getSource()), kept;
    SmallVector<AffineExpr> keptDims;
    SmallVector<utils::IteratorType> iterators;
    for (int64_t dim = 0; dim < source.getRank(); ++dim) {
      bool isReduced = llvm::is_contained(op.getDims(), dim);
      iterators.push_back(isReduced ? utils::IteratorType::reduction
                                    : utils::IteratorType::parallel);
      if (isReduced)
        continue;
      kept.push_back(all[dim]);
      keptDims.push_back(rewriter.getAffineDimExpr(dim));
    }
    Value neutral =
        createFilled(rewriter, loc, kept, neutralOf(rewriter, kind, sumType));
    SmallVector<AffineMap> maps = {
        rewriter.getMultiDimIdentityMap(source.getRank()),
        AffineMap::get(source.getRank(), 0, keptDims, rewriter.getContext())};
    auto body = [&](OpBuilder &b, Location at, ValueRange elements) {
      Value x = elements[0];
      if (sumType != type)
        x = arith::ExtFOp::create(b, at, sumType, x);
      linalg::YieldOp::create(b, at, combine(b, at, kind, elements[1], x));
    };
    Value result = linalg::GenericOp::create(rewriter, loc, neutral.getType(),
                                             op.getSource(), neutral, maps,
                                             iterators, body)
                       .getResult(0);
    if (kind != CombineKind::Mean && sumType == type) {
      rewriter.replaceOp(op, result);
      return success();
    }

    Value count = kind == CombineKind::Mean
                      ? countElements(rewriter, op, all, sumType)
                      : Value();
    auto finish = [&](OpBuilder &b, Location at, ValueRange elements) {
      Value x = elements[0];
      if (count)
        x = arith::DivFOp::create(b, at, x, count);
      if (sumType != type)
        x = arith::TruncFOp::create(b, at, type, x);
      return x;
    };
    rewriter.replaceOp(
        op, createMap(rewriter, loc, kept, type, result,
                      rewriter.getMultiDimIdentityMap(kept.size()), finish));
    return success();
  }

private:
  /// How many elements each mean is of, as a float.
  static Value countElements(OpBuilder &b, ReduceOp op,
                             ArrayRef<OpFoldResult> sizes, Type type) {
    Location loc = op.getLoc();
    Value count = arith::ConstantIndexOp::create(b, loc, 1);
    for (int64_t dim : op.getDims())
      count = arith::MulIOp::create(
          b, loc, count, getValueOrCreateConstantIndexOp(b, loc, sizes[dim]));
    Value integer = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
    return arith::SIToFPOp::create(b, loc, type, integer);
  }
};

} // namespace

void fuse::populateContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertMatmul, ConvertReduce>(patterns.getContext());
}
