//===- DissolveKernels.cpp - put kernels' bodies in their places ----------===//
//
// A kernel means what its body means, so this needs no knowledge of ops.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"

namespace fuse {
#define GEN_PASS_DEF_DISSOLVEKERNELS
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

struct DissolveKernelsPass final
    : fuse::impl::DissolveKernelsBase<DissolveKernelsPass> {
  void runOnOperation() final {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](KernelOp kernel) {
      YieldOp yield = cast<YieldOp>(kernel.getBody()->getTerminator());
      rewriter.inlineBlockBefore(kernel.getBody(), kernel, kernel.getInputs());
      rewriter.replaceOp(kernel, yield.getValues());
      rewriter.eraseOp(yield);
      ++numDissolved;
    });
  }
};

} // namespace
