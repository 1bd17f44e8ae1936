//===- Decompose.cpp - expand the composites ------------------------------===//
//
// One loop for all of them: each op knows its own expansion.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/Transforms/Passes.h"
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
  }
};

} // namespace
