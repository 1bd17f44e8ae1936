//===- Decompose.cpp - expand the composites ------------------------------===//
//
// One loop for all of them: each op knows its own expansion. math.sincos is a
// word for two ops as well, and the only pointwise op with two results, which
// nothing later has to know then.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

namespace fuse {
#define GEN_PASS_DEF_DECOMPOSE
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

struct DecomposePass final : fuse::impl::DecomposeBase<DecomposePass> {
  void runOnOperation() final {
    // No expansion contains a composite, so one walk is enough.
    SmallVector<CompositeOpInterface> composites;
    getOperation()->walk(
        [&](CompositeOpInterface op) { composites.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (CompositeOpInterface op : composites) {
      rewriter.setInsertionPoint(op);
      rewriter.replaceOp(op, op.expandComposite(rewriter));
      ++numExpanded;
    }
    getOperation()->walk([&](math::SincosOp op) {
      rewriter.setInsertionPoint(op);
      Location loc = op.getLoc();
      auto flags = op.getFastmathAttr();
      Value sine = math::SinOp::create(rewriter, loc, op.getOperand(), flags);
      Value cosine = math::CosOp::create(rewriter, loc, op.getOperand(), flags);
      rewriter.replaceOp(op, {sine, cosine});
    });
  }
};

} // namespace
