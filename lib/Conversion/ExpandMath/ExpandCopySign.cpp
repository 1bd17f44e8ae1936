//===- ExpandCopySign.cpp - signs of narrow floats ------------------------===//
//
// LLVM 22 loses the sign where it copies that of a bf16 on x86, and copies it
// wherever it finds that what a mask leaves of two numbers is joined. So the
// sign is set or not, by a choice.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace fuse {
#define GEN_PASS_DEF_EXPANDCOPYSIGN
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;

namespace {

struct ChooseSign final : OpRewritePattern<math::CopySignOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::CopySignOp op,
                                PatternRewriter &rewriter) const final {
    Type type = op.getType();
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    if (width > 16 || isa<TensorType>(type))
      return rewriter.notifyMatchFailure(op, "no narrow floats, or a tensor");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type bits = b.getIntegerType(width);
    if (auto vector = dyn_cast<VectorType>(type))
      bits = vector.clone(bits);
    auto number = [&](const APInt &value) -> Value {
      TypedAttr number = b.getIntegerAttr(getElementTypeOrSelf(bits), value);
      if (auto vector = dyn_cast<VectorType>(bits))
        number = DenseElementsAttr::get(vector, number);
      return arith::ConstantOp::create(b, number);
    };
    APInt sign = APInt::getSignMask(width);
    Value size = arith::BitcastOp::create(b, bits, op.getLhs());
    Value isNegative =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                              arith::BitcastOp::create(b, bits, op.getRhs()),
                              number(APInt::getZero(width)));
    Value chosen = arith::SelectOp::create(
        b, isNegative, arith::OrIOp::create(b, size, number(sign)),
        arith::AndIOp::create(b, size, number(~sign)));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, chosen);
    return success();
  }
};

struct ExpandCopySignPass final
    : fuse::impl::ExpandCopySignBase<ExpandCopySignPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<ChooseSign>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
