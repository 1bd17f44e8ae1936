//===- ExpandMath.cpp - functions on vectors become polynomials -----------===//
//
// Ours where upstream has none or loses digits, and upstream's else.
//
//===----------------------------------------------------------------------===//

#include "Exp.h"
#include "fuse/Conversion/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fuse {
#define GEN_PASS_DEF_EXPANDMATH
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

struct ExpandMathPass final : fuse::impl::ExpandMathBase<ExpandMathPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    populateExpPatterns(patterns);
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
