//===- ExpandMath.cpp - functions on vectors become polynomials -----------===//
//
// Ours where upstream has none or loses digits, and upstream's else.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "fuse/Conversion/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fuse {
#define GEN_PASS_DEF_EXPANDMATH
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

template <typename Op, auto expand>
struct ExpandOfSingles final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "not a vector of f32");
    FloatBuilder b(op.getLoc(), rewriter, type);
    rewriter.replaceOp(op, expand(b, op.getOperand()));
    return success();
  }
};

/// Upstream's erf of -0 is 0. Who adds 1, as a gelu does, does not see that.
void keepSignOfZero(math::ErfOp op) {
  auto type = dyn_cast<VectorType>(op.getType());
  if (!type || !type.getElementType().isF32() ||
      llvm::all_of(op->getUsers(), [](Operation *user) {
        return isa<arith::AddFOp>(user) &&
               llvm::any_of(user->getOperands(), [](Value term) {
                 return matchPattern(term, m_OneFloat());
               });
      }))
    return;
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  auto copy =
      math::CopySignOp::create(b, op.getLoc(), op.getResult(), op.getOperand());
  op.getResult().replaceAllUsesExcept(copy, copy);
}

struct ExpandMathPass final : fuse::impl::ExpandMathBase<ExpandMathPass> {
  void runOnOperation() final {
    getOperation()->walk(keepSignOfZero);
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandOfSingles<math::ExpOp, expandExpOfSingle>,
                 ExpandOfSingles<math::Exp2Op, expandExp2>>(&getContext());
    // Those that are right to 5 units in the last place; upstream's sin, cos,
    // atan and cbrt are not.
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return llvm::is_contained(
          ArrayRef<StringRef>{
              math::ExpM1Op::getOperationName(),
              math::LogOp::getOperationName(), math::Log2Op::getOperationName(),
              math::Log1pOp::getOperationName(),
              math::TanhOp::getOperationName(), math::ErfOp::getOperationName(),
              math::ErfcOp::getOperationName(),
              math::AsinOp::getOperationName(),
              math::AcosOp::getOperationName()},
          name);
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
