//===- ExpandIntegerCasts.cpp - integers rounded once ---------------------===//
//
// integer -> narrow float by way of f32 or f64, which hold integers of up to 24
// and 53 bits.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace fuse {
#define GEN_PASS_DEF_EXPANDINTEGERCASTS
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;

namespace {

/// Rounding to f64 first would round integers of 64 bits twice. Their low bits
/// only matter for whether they are all 0: they are joined into one, and what
/// is left is exact in f64.
Value joinLowBits(ImplicitLocOpBuilder &b, Value x) {
  constexpr int64_t lowBits = 0xfff;
  auto constant = [&](int64_t value) -> Value {
    TypedAttr number = b.getI64IntegerAttr(value);
    if (auto vector = dyn_cast<VectorType>(x.getType()))
      number = DenseElementsAttr::get(vector, number);
    return arith::ConstantOp::create(b, number);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value value,
                     int64_t bound) -> Value {
    return arith::CmpIOp::create(b, predicate, value, constant(bound));
  };
  Value low = arith::AndIOp::create(b, x, constant(lowBits));
  Value high = arith::AndIOp::create(b, x, constant(~lowBits));
  Value joined = arith::OrIOp::create(b, high, constant((lowBits + 1) / 2));
  Value isWhole = compare(arith::CmpIPredicate::eq, low, 0);
  // As it is, what f64 holds anyway: |x| < 2^53, seen as unsigned.
  Value shifted = arith::AddIOp::create(b, x, constant(int64_t(1) << 53));
  Value isSmall = compare(arith::CmpIPredicate::ult, shifted, int64_t(1) << 54);
  Value isExact = arith::OrIOp::create(b, isWhole, isSmall);
  return arith::SelectOp::create(b, isExact, x, joined);
}

template <typename CastOp> struct RoundOnce final : OpRewritePattern<CastOp> {
  using OpRewritePattern<CastOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op,
                                PatternRewriter &rewriter) const final {
    Type type = op.getType();
    if (isa<TensorType>(type))
      return rewriter.notifyMatchFailure(op, "casts a tensor");
    if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() > 16)
      return rewriter.notifyMatchFailure(op, "the result is not narrow");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = op.getIn();
    unsigned bits = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
    if (bits > 53)
      x = joinLowBits(b, x);
    // On a GPU f64 takes dozens of instructions for each number.
    Type wideType = bits <= 24 ? Type(b.getF32Type()) : Type(b.getF64Type());
    if (auto vector = dyn_cast<VectorType>(type))
      wideType = vector.clone(wideType);
    Value wide = CastOp::create(b, wideType, x);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, wide);
    return success();
  }
};

struct ExpandIntegerCastsPass final
    : fuse::impl::ExpandIntegerCastsBase<ExpandIntegerCastsPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<RoundOnce<arith::SIToFPOp>, RoundOnce<arith::UIToFPOp>>(
        &getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
