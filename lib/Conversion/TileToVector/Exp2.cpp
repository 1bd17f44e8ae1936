//===- Exp2.cpp - powers of two on vectors --------------------------------===//
//
// 2^x is 2^n 2^f, where n is the nearest whole number: a polynomial for f in
// [-1/2, 1/2], and n is written into the exponent of a float. That is done in
// two halves, since 2^n itself may be too large or too small for an f32 where
// the result is not.
//
//===----------------------------------------------------------------------===//

#include "Exp2.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace {

struct ExpandExp2 final : OpRewritePattern<math::Exp2Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::Exp2Op op,
                                PatternRewriter &rewriter) const final {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "not a vector of f32");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto number = [&](float value) -> Value {
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(type, b.getF32FloatAttr(value)));
    };
    VectorType bits = type.clone(b.getI32Type());
    auto integer = [&](int32_t value) -> Value {
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(bits, b.getI32IntegerAttr(value)));
    };

    // Beyond these bounds the result is infinite or 0; NaN stays NaN.
    Value x = op.getOperand();
    Value bounded = arith::MinimumFOp::create(
        b, arith::MaximumFOp::create(b, x, number(-151)), number(129));
    // A NaN cannot become an integer.
    Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
    Value whole = math::RoundEvenOp::create(
        b, arith::SelectOp::create(b, isNan, number(0), bounded));
    Value f = arith::SubFOp::create(b, bounded, whole);

    // The powers of ln 2 over the factorials.
    constexpr float terms[] = {
        1.52527338e-5f, 1.54035304e-4f, 1.33335581e-3f, 9.61812911e-3f,
        5.55041087e-2f, 2.40226507e-1f, 6.93147181e-1f, 1.0f};
    Value power = number(terms[0]);
    for (float term : ArrayRef(terms).drop_front())
      power = math::FmaOp::create(b, power, f, number(term));

    Value n = arith::FPToSIOp::create(b, bits, whole);
    Value half = arith::ShRSIOp::create(b, n, integer(1));
    for (Value exponent :
         {half, arith::SubIOp::create(b, n, half).getResult()}) {
      constexpr int32_t bias = 127, mantissa = 23;
      Value code = arith::ShLIOp::create(
          b, arith::AddIOp::create(b, exponent, integer(bias)),
          integer(mantissa));
      power = arith::MulFOp::create(b, power,
                                    arith::BitcastOp::create(b, type, code));
    }
    rewriter.replaceOp(op, power);
    return success();
  }
};

} // namespace

void fuse::tile::populateExp2Patterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExp2>(patterns.getContext());
}
