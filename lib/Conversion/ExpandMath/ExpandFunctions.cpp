//===- ExpandFunctions.cpp - functions become arithmetic ------------------===//
//
// For processors without a library of functions. Each op is its expansion, on
// scalars and vectors, in f32 and f64.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "fuse/Conversion/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace fuse {
#define GEN_PASS_DEF_EXPANDFUNCTIONS
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

/// An op of one or two operands.
template <typename Op, auto expand>
struct ExpandFunction final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    if (!FloatBuilder::supports(op.getType()))
      return rewriter.notifyMatchFailure(op, "neither f32 nor f64");
    FloatBuilder b(op.getLoc(), rewriter, op.getType());
    if constexpr (Op::template hasTrait<OpTrait::OneOperand>())
      rewriter.replaceOp(op, expand(b, op->getOperand(0)));
    else
      rewriter.replaceOp(op, expand(b, op->getOperand(0), op->getOperand(1)));
    return success();
  }
};

struct ExpandSinCos final : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &rewriter) const final {
    Type type = op.getOperand().getType();
    if (!FloatBuilder::supports(type))
      return rewriter.notifyMatchFailure(op, "neither f32 nor f64");
    FloatBuilder b(op.getLoc(), rewriter, type);
    auto [sine, cosine] = expandSinCos(b, op.getOperand());
    rewriter.replaceOp(op, {sine, cosine});
    return success();
  }
};

struct ExpandIPowI final : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const final {
    if (isa<TensorType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "neither a number nor a vector");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, expandIPowI(b, op.getLhs(), op.getRhs()));
    return success();
  }
};

struct ExpandFunctionsPass final
    : fuse::impl::ExpandFunctionsBase<ExpandFunctionsPass> {
  using ExpandFunctionsBase::ExpandFunctionsBase;

  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandFunction<math::ExpOp, expandExp>,
                 ExpandFunction<math::Exp2Op, expandExp2>,
                 ExpandFunction<math::ExpM1Op, expandExpM1>,
                 ExpandFunction<math::LogOp, expandLog>,
                 ExpandFunction<math::Log2Op, expandLog2>,
                 ExpandFunction<math::Log10Op, expandLog10>,
                 ExpandFunction<math::Log1pOp, expandLog1p>,
                 ExpandFunction<math::PowFOp, expandPowF>,
                 ExpandFunction<math::FPowIOp, expandFPowI>, ExpandIPowI,
                 ExpandFunction<math::CbrtOp, expandCbrt>,
                 ExpandFunction<math::SinhOp, expandSinh>,
                 ExpandFunction<math::CoshOp, expandCosh>,
                 ExpandFunction<math::TanhOp, expandTanh>,
                 ExpandFunction<math::AsinhOp, expandAsinh>,
                 ExpandFunction<math::AcoshOp, expandAcosh>,
                 ExpandFunction<math::AtanhOp, expandAtanh>,
                 ExpandFunction<math::SinOp, expandSin>,
                 ExpandFunction<math::CosOp, expandCos>,
                 ExpandFunction<math::TanOp, expandTan>, ExpandSinCos,
                 ExpandFunction<math::AsinOp, expandAsin>,
                 ExpandFunction<math::AcosOp, expandAcos>,
                 ExpandFunction<math::AtanOp, expandAtan>,
                 ExpandFunction<math::Atan2Op, expandAtan2>,
                 ExpandFunction<math::ErfOp, expandErf>,
                 ExpandFunction<math::ErfcOp, expandErfc>,
                 ExpandFunction<arith::RemFOp, expandRemF>>(&getContext());
    llvm::erase_if(patterns.getNativePatterns(), [&](const auto &pattern) {
      return !ops.empty() &&
             !llvm::is_contained(ops, pattern->getRootKind()->getStringRef());
    });
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
