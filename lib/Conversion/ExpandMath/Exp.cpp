//===- Exp.cpp - powers of e and of two on vectors ------------------------===//
//
// e^x is 2^n e^r, where n is the nearest whole number to x / ln 2: a polynomial
// for r in [-ln 2 / 2, ln 2 / 2], and n is added to the exponent of the float
// that it gives. For powers of two that is done in two halves, since 2^n itself
// may be too small for an f32 where the result is not.
//
//===----------------------------------------------------------------------===//

#include "Exp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace {

/// Upstream's takes half as many instructions again. To this one, results below
/// the least normal number are 0.
struct ExpandExp final : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const final {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "not a vector of f32");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto number = [&](float value) -> Value {
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(type, b.getF32FloatAttr(value)));
    };
    auto fma = [&](Value a, Value c, Value sum) -> Value {
      return math::FmaOp::create(b, a, c, sum);
    };

    // A number to which nothing below 1 can be added: the sum is rounded to a
    // whole number, and its lowest bits are n.
    Value rounding = number(0x1.8p23f);
    Value x = op.getOperand();
    Value sum = fma(x, number(1.44269504f), rounding);
    Value n = arith::SubFOp::create(b, sum, rounding);
    // ln 2 in two parts, the first of which has few enough digits for the
    // product with n to be exact.
    Value r = fma(n, number(2.12194440e-4f), fma(n, number(-0.693359375f), x));

    // The best ones for the relative error where the last two are 1.
    constexpr float terms[] = {1.38144754e-3f,
                               8.36877618e-3f,
                               4.16683927e-2f,
                               1.66665196e-1f,
                               4.99999940e-1f,
                               1.0f,
                               1.0f};
    Value power = number(terms[0]);
    for (float term : ArrayRef(terms).drop_front())
      power = fma(power, r, number(term));

    VectorType bits = type.clone(b.getI32Type());
    constexpr int32_t mantissa = 23;
    Value exponent = arith::ShLIOp::create(
        b, arith::BitcastOp::create(b, bits, sum),
        arith::ConstantOp::create(
            b, DenseElementsAttr::get(bits, b.getI32IntegerAttr(mantissa))));
    Value result = arith::BitcastOp::create(
        b, type,
        arith::AddIOp::create(b, arith::BitcastOp::create(b, bits, power),
                              exponent));
    // From where on results are normal, and finite. NaN is no number below
    // anything, and stays NaN when infinity is added.
    Value isNormal = arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, x,
                                           number(-87.3365402f));
    Value isFinite = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x,
                                           number(88.7228394f));
    Value beyond = arith::AddFOp::create(
        b, x, number(std::numeric_limits<float>::infinity()));
    result = arith::SelectOp::create(b, isNormal, result, number(0));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isFinite, result, beyond);
    return success();
  }
};

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

void fuse::populateExpPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExp, ExpandExp2>(patterns.getContext());
}
