//===- ExpandRounds.cpp - rounding to tf32 --------------------------------===//
//
// By integer arithmetic on the bits of an f32.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/RoundToTf32.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"

namespace fuse {
#define GEN_PASS_DEF_EXPANDROUNDS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

struct ExpandRoundsPass final : fuse::impl::ExpandRoundsBase<ExpandRoundsPass> {
  void runOnOperation() final {
    getOperation()->walk([](RoundOp op) {
      ImplicitLocOpBuilder b(op.getLoc(), op);
      op.replaceAllUsesWith(roundToTf32(b, op.getSource()));
      op.erase();
    });
  }
};

} // namespace
