//===- ExpandMathForNVVM.cpp - functions by instructions of the GPU -------===//
//
// A GPU has an instruction for 2^f that is right to 2 units in the last place
// where f is small. What is left is to take a whole number off the exponent
// without losing digits:
//
//   e^x = 2^n * 2^(x log2(e) - n)      n: the nearest whole number
//
// n is held within the exponents of normal floats; what lies beyond them stays
// in f, so that results that are too large or too small, infinities and NaNs
// need no case of their own.
//
// tanh and erf come close to 1 by way of such a power, which only has to be
// right where it still counts; below, they are polynomials.
//
// An op that says `afn` is the instruction that is nearest to it and nothing
// else, whatever digits that loses.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "fuse/Conversion/PairedReciprocal.h"
#include "fuse/Conversion/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace fuse {
#define GEN_PASS_DEF_EXPANDMATHFORNVVM
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// An f32, or a vector of them in one row.
static bool isOfSingles(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getRank() == 1 && vector.getElementType().isF32()
                : type.isF32();
}

static bool has(arith::ArithFastMathInterface op, arith::FastMathFlags flag) {
  return arith::bitEnumContainsAll(op.getFastMathFlagsAttr().getValue(), flag);
}

static bool mayApproximate(arith::ArithFastMathInterface op) {
  return has(op, arith::FastMathFlags::afn);
}

//===----------------------------------------------------------------------===//
// What an instruction means, and no more
//===----------------------------------------------------------------------===//

static Value power(FloatBuilder &b, Value x) {
  return instruction(b, "ex2.approx.ftz.f32", x);
}
static Value logarithm(FloatBuilder &b, Value x) {
  return instruction(b, "lg2.approx.ftz.f32", x);
}

static Value fastExp(FloatBuilder &b, ValueRange x) {
  return power(b, b.mul(x[0], b.number(0x1.715476p+0)));
}
static Value fastExp2(FloatBuilder &b, ValueRange x) { return power(b, x[0]); }
static Value fastLog(FloatBuilder &b, ValueRange x) {
  return b.mul(logarithm(b, x[0]), b.number(0x1.62e43p-1));
}
static Value fastLog2(FloatBuilder &b, ValueRange x) {
  return logarithm(b, x[0]);
}
static Value fastLog10(FloatBuilder &b, ValueRange x) {
  return b.mul(logarithm(b, x[0]), b.number(0x1.344136p-2));
}
static Value fastPow(FloatBuilder &b, ValueRange x) {
  return power(b, b.mul(x[1], logarithm(b, x[0])));
}
static Value fastTanh(FloatBuilder &b, ValueRange x) {
  return instruction(b, "tanh.approx.f32", x[0]);
}
static Value fastSin(FloatBuilder &b, ValueRange x) {
  return instruction(b, "sin.approx.ftz.f32", x[0]);
}
static Value fastCos(FloatBuilder &b, ValueRange x) {
  return instruction(b, "cos.approx.ftz.f32", x[0]);
}
static Value fastTan(FloatBuilder &b, ValueRange x) {
  Value inverse = instruction(b, "rcp.approx.ftz.f32", fastCos(b, x));
  return b.mul(fastSin(b, x), inverse);
}
static Value fastRsqrt(FloatBuilder &b, ValueRange x) {
  return instruction(b, "rsqrt.approx.ftz.f32", x[0]);
}

namespace {

template <typename Op, auto expand> struct Approximate : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    if (!isOfSingles(op.getType()) || !mayApproximate(op))
      return rewriter.notifyMatchFailure(op, "not an approximation of f32");
    FloatBuilder b(op.getLoc(), rewriter, op.getType());
    rewriter.replaceOp(op, expand(b, op->getOperands()));
    return success();
  }
};

static std::optional<APFloat> numberOf(Value value) {
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

/// Whether it is no denominator below the least normal number: a sum with a
/// number that is not tiny is none.
static bool isNormal(Value denominator) {
  auto sum = denominator.getDefiningOp<arith::AddFOp>();
  return sum && llvm::any_of(sum->getOperands(), [](Value term) {
           std::optional<APFloat> number = numberOf(term);
           return number && abs(*number) >= APFloat(1.0f) && number->isFinite();
         });
}

/// `1 / (1 + 2^y)` of neighbours that may share an instruction.
struct PairedReciprocals final : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const final {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !op->hasAttr(pairedReciprocalAttr) || !isOfSingles(type) ||
        !mayApproximate(op))
      return rewriter.notifyMatchFailure(op, "not of pairs");
    auto sum = op.getRhs().getDefiningOp<arith::AddFOp>();
    if (!sum)
      return rewriter.notifyMatchFailure(op, "not by a sum");
    bool isFirst = !numberOf(sum.getLhs());
    std::optional<APFloat> least =
        numberOf(isFirst ? sum.getRhs() : sum.getLhs());
    if (!least || !least->isExactlyValue(1))
      return rewriter.notifyMatchFailure(op, "not by a sum with 1");
    FloatBuilder b(op.getLoc(), rewriter, type);
    rewriter.replaceOp(
        op, pairedReciprocals(b, isFirst ? sum.getLhs() : sum.getRhs()));
    return success();
  }
};

/// `1 / (x + c)` without care for denominators that are no normal numbers. What
/// would be one itself is 0, as an approximation may be.
struct ApproximateQuotient final : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const final {
    if (!isOfSingles(op.getType()) || !mayApproximate(op))
      return rewriter.notifyMatchFailure(op, "not an approximation of f32");
    std::optional<APFloat> dividend = numberOf(op.getLhs());
    if (!dividend || !dividend->isExactlyValue(1) || !isNormal(op.getRhs()))
      return rewriter.notifyMatchFailure(op, "not 1 by a sum with a number");
    FloatBuilder b(op.getLoc(), rewriter, op.getType());
    rewriter.replaceOp(op, instruction(b, "rcp.approx.ftz.f32", op.getRhs()));
    return success();
  }
};

namespace {

/// A quotient that may be a product with a reciprocal: an instruction for all
/// denominators. Exact quotients are a branch, which keeps what follows
/// waiting.
struct MultiplyByReciprocal final : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const final {
    if (!isOfSingles(op.getType()) || mayApproximate(op) ||
        !has(op, arith::FastMathFlags::arcp))
      return rewriter.notifyMatchFailure(op, "no product with a reciprocal");
    FloatBuilder b(op.getLoc(), rewriter, op.getType());
    StringRef name =
        isNormal(op.getRhs()) ? "div.full.ftz.f32" : "div.full.f32";
    rewriter.replaceOp(op, instruction(b, name, op->getOperands()));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Powers with all their digits
//===----------------------------------------------------------------------===//

/// 2^(x * scale), the scale being the sum of two floats.
template <typename Op> struct ExpandPower final : OpRewritePattern<Op> {
  ExpandPower(MLIRContext *context, float high, float low)
      : OpRewritePattern<Op>(context), high(high), low(low) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    if (!isOfSingles(op.getType()) || mayApproximate(op))
      return rewriter.notifyMatchFailure(op, "not f32, or an approximation");
    FloatBuilder b(op.getLoc(), rewriter, op.getType());
    Value x = op.getOperand();
    // Of a NaN these take the other number.
    Value bounded = arith::MinNumFOp::create(
        b, arith::MaxNumFOp::create(b, x, b.number(-126 / high)),
        b.number(127 / high));
    FloatBuilder::Whole n = b.nearest(bounded, {high, high});
    Value f = b.fma(x, b.number(high), b.neg(n.number));
    if (low != 0)
      f = b.fma(x, b.number(low), f);
    rewriter.replaceOp(op, b.mul(power(b, f), b.powerOf(n.integer)));
    return success();
  }

  float high, low;
};

} // namespace

//===----------------------------------------------------------------------===//
// Functions that end at 1
//===----------------------------------------------------------------------===//

/// 1 - 2 / (e^2|x| + 1). Where that loses digits, x + x^3 P(x^2).
static Value expandTanhByPower(FloatBuilder &b, Value x) {
  static constexpr float terms[] = {-0x1.75217cp-8f, 0x1.52023cp-6f,
                                    -0x1.b837f2p-5f, 0x1.110710p-3f,
                                    -0x1.555532p-2f};
  Value size = b.abs(x), one = b.number(1);
  Value grown = power(b, b.mul(size, b.number(0x1.715476p+1)));
  Value part = instruction(b, "rcp.approx.ftz.f32", b.add(grown, one));
  Value large = b.fma(b.number(-2), part, one);
  Value square = b.mul(size, size);
  Value rest = b.mul(square, b.polynomial(square, {terms, {}}));
  Value small = b.fma(rest, size, size);
  return b.copySign(b.select(b.lt(size, b.number(0.625)), small, large), x);
}

/// 1 - 2^(-|x| P(|x|)) beyond 1. From 4 on that is 1, rounded.
static Value expandErfByPower(FloatBuilder &b, Value x) {
  static constexpr float terms[] = {0x1.3df426p-12f, -0x1.2cf4dap-8f,
                                    0x1.0d4c36p-5f,  -0x1.3685bap-3f,
                                    -0x1.d5ac9ep-1f, -0x1.a0c7a0p+0f};
  Value size = b.abs(x), one = b.number(1);
  Value bounded = b.min(size, b.number(4));
  Value exponent = b.mul(bounded, b.polynomial(bounded, {terms, {}}));
  Value large = b.sub(one, power(b, exponent));
  Value isSmall = b.lt(size, one);
  return b.copySign(b.select(isSmall, erfOfSmall(b, size), large), x);
}

namespace {

template <typename Op, auto expand>
struct ExpandByPower : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    if (!isOfSingles(op.getType()))
      return rewriter.notifyMatchFailure(op, "not of f32");
    FloatBuilder b(op.getLoc(), rewriter, op.getType());
    rewriter.replaceOp(op, expand(b, op.getOperand()));
    return success();
  }
};

struct ExpandMathForNVVMPass final
    : fuse::impl::ExpandMathForNVVMBase<ExpandMathForNVVMPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<
        Approximate<math::ExpOp, fastExp>, Approximate<math::Exp2Op, fastExp2>,
        Approximate<math::LogOp, fastLog>, Approximate<math::Log2Op, fastLog2>,
        Approximate<math::Log10Op, fastLog10>,
        Approximate<math::PowFOp, fastPow>, Approximate<math::TanhOp, fastTanh>,
        Approximate<math::SinOp, fastSin>, Approximate<math::CosOp, fastCos>,
        Approximate<math::TanOp, fastTan>,
        Approximate<math::RsqrtOp, fastRsqrt>, ApproximateQuotient,
        MultiplyByReciprocal>(&getContext());
    // log2(e) in two parts.
    patterns.add<ExpandPower<math::ExpOp>>(&getContext(), 1.44269502f,
                                           1.92596303e-8f);
    // Before each for itself.
    patterns.add<PairedReciprocals>(&getContext(), /*benefit=*/2);
    patterns.add<ExpandPower<math::Exp2Op>>(&getContext(), 1.0f, 0.0f);
    patterns.add<ExpandByPower<math::ErfOp, expandErfByPower>,
                 ExpandByPower<math::TanhOp, expandTanhByPower>>(&getContext(),
                                                                 /*benefit=*/0);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
