//===- RoundFactors.cpp - what tf32 says of a product's factors -----------===//
//
// Rounding is an op of its own, since who brings a factor to where it is
// multiplied may be able to do it on the way.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"

namespace fuse {
#define GEN_PASS_DEF_ROUNDFACTORS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

struct RoundFactorsPass final : fuse::impl::RoundFactorsBase<RoundFactorsPass> {
  void runOnOperation() final {
    getOperation()->walk([](DotOp dot) {
      if (dot.getPrecision() != Precision::Tf32)
        return;
      OpBuilder b(dot);
      for (OpOperand *factor : {&dot.getLhsMutable(), &dot.getRhsMutable()})
        if (getElementTypeOrSelf(factor->get().getType()).isF32())
          factor->set(RoundOp::create(b, dot.getLoc(), factor->get().getType(),
                                      factor->get()));
    });
  }
};

} // namespace
