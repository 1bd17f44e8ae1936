//===- ExpandRounds.cpp - rounding to tf32 --------------------------------===//
//
// By integer arithmetic on the bits of an f32.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace fuse {
#define GEN_PASS_DEF_EXPANDROUNDS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// To nearest even with 10 bits of mantissa; infinities and NaNs stay.
static Value roundToTf32(OpBuilder &b, Location loc, Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  RankedTensorType bitsType = type.clone(b.getI32Type());
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(bitsType, APInt(32, value, /*isSigned=*/true)));
  };
  Value bits = arith::BitcastOp::create(b, loc, bitsType, x);
  Value last = arith::AndIOp::create(
      b, loc, arith::ShRUIOp::create(b, loc, bits, number(13)), number(1));
  Value half = arith::AddIOp::create(b, loc, last, number(0xfff));
  Value raised = arith::AddIOp::create(b, loc, bits, half);
  Value kept = arith::AndIOp::create(b, loc, raised, number(-(1 << 13)));
  Value rounded = arith::BitcastOp::create(b, loc, type, kept);
  // x - x is 0 for finite numbers only.
  Value isFinite =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD,
                            arith::SubFOp::create(b, loc, x, x), x);
  return arith::SelectOp::create(b, loc, isFinite, rounded, x);
}

namespace {

struct ExpandRoundsPass final : fuse::impl::ExpandRoundsBase<ExpandRoundsPass> {
  void runOnOperation() final {
    getOperation()->walk([](RoundOp op) {
      OpBuilder b(op);
      op.replaceAllUsesWith(roundToTf32(b, op.getLoc(), op.getSource()));
      op.erase();
    });
  }
};

} // namespace
