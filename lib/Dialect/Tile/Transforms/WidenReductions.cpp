//===- WidenReductions.cpp - reductions of narrow floats ------------------===//
//
// One rewrite.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace fuse {
#define GEN_PASS_DEF_WIDENREDUCTIONS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static void widen(ReduceOp reduce) {
  auto type = cast<RankedTensorType>(reduce.getSource().getType());
  if (!isa<FloatType>(type.getElementType()) ||
      type.getElementTypeBitWidth() >= 32)
    return;
  OpBuilder b(reduce);
  Location loc = reduce.getLoc();
  Value wide = arith::ExtFOp::create(b, loc, type.clone(b.getF32Type()),
                                     reduce.getSource());
  Value reduced =
      ReduceOp::create(b, loc, reduce.getKind(), wide, reduce.getDims());
  Value narrow =
      arith::TruncFOp::create(b, loc, reduce.getResult().getType(), reduced);
  reduce.getResult().replaceAllUsesWith(narrow);
  reduce.erase();
}

namespace {

struct WidenReductionsPass final
    : fuse::impl::WidenReductionsBase<WidenReductionsPass> {
  void runOnOperation() final {
    getOperation()->walk([](ReduceOp reduce) { widen(reduce); });
  }
};

} // namespace
