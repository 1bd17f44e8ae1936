//===- ExpandMathForNVVM.cpp - functions by an instruction of the GPU -----===//
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
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace fuse {
#define GEN_PASS_DEF_EXPANDMATHFORNVVM
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;

/// The instruction, on each element.
static Value exponentiate(ImplicitLocOpBuilder &b, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  SmallVector<Value> elements;
  for (Value element : vector::ToElementsOp::create(b, vector).getResults())
    elements.push_back(
        LLVM::InlineAsmOp::create(
            b, b.getF32Type(), element, "ex2.approx.ftz.f32 $0, $1;", "=f,f",
            /*has_side_effects=*/false,
            /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
            /*asm_dialect=*/{}, /*operand_attrs=*/{})
            .getResult(0));
  return vector::FromElementsOp::create(b, type, elements);
}

namespace {

/// 2^(x * scale), the scale being the sum of two floats.
template <typename Op> struct ExpandPower final : OpRewritePattern<Op> {
  ExpandPower(MLIRContext *context, float high, float low)
      : OpRewritePattern<Op>(context), high(high), low(low) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getRank() != 1 || !type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "not a vector of f32");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto number = [&](float value) -> Value {
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(type, b.getF32FloatAttr(value)));
    };
    auto fma = [&](Value a, Value c, Value sum) -> Value {
      return math::FmaOp::create(b, a, c, sum);
    };
    Value x = op.getOperand();
    // Of a NaN these take the other number.
    Value bounded = arith::MinNumFOp::create(
        b, arith::MaxNumFOp::create(b, x, number(-126 / high)),
        number(127 / high));
    // A number to which nothing below 1 can be added: the sum is rounded to a
    // whole number, and its lowest bits are n.
    Value rounding = number(0x1.8p23f);
    Value sum = fma(bounded, number(high), rounding);
    Value n = arith::SubFOp::create(b, sum, rounding);
    Value f = fma(x, number(high), arith::NegFOp::create(b, n));
    if (low != 0)
      f = fma(x, number(low), f);
    VectorType bits = type.clone(b.getI32Type());
    auto integer = [&](int32_t value) -> Value {
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(bits, b.getI32IntegerAttr(value)));
    };
    constexpr int32_t bias = 127, mantissa = 23;
    Value exponent = arith::ShLIOp::create(
        b,
        arith::AddIOp::create(b, arith::BitcastOp::create(b, bits, sum),
                              integer(bias)),
        integer(mantissa));
    rewriter.replaceOpWithNewOp<arith::MulFOp>(
        op, exponentiate(b, f), arith::BitcastOp::create(b, type, exponent));
    return success();
  }

  float high, low;
};

struct ExpandMathForNVVMPass final
    : fuse::impl::ExpandMathForNVVMBase<ExpandMathForNVVMPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    // log2(e) in two parts.
    patterns.add<ExpandPower<math::ExpOp>>(&getContext(), 1.44269502f,
                                           1.92596303e-8f);
    patterns.add<ExpandPower<math::Exp2Op>>(&getContext(), 1.0f, 0.0f);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
