//===- RoundToTf32.cpp - numbers that tensor cores multiply ---------------===//

#include "fuse/Dialect/Tile/Analysis/RoundToTf32.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse;

Value tile::roundToTf32(ImplicitLocOpBuilder &b, Value x) {
  auto type = cast<ShapedType>(x.getType());
  ShapedType bitsType = type.clone(b.getI32Type());
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        b,
        DenseElementsAttr::get(bitsType, APInt(32, value, /*isSigned=*/true)));
  };
  Value bits = arith::BitcastOp::create(b, bitsType, x);
  Value last = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, bits, number(13)), number(1));
  Value half = arith::AddIOp::create(b, last, number(0xfff));
  Value raised = arith::AddIOp::create(b, bits, half);
  Value kept = arith::AndIOp::create(b, raised, number(-(1 << 13)));
  Value rounded = arith::BitcastOp::create(b, type, kept);
  // x - x is 0 for finite numbers only.
  Value isFinite = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD,
                                         arith::SubFOp::create(b, x, x), x);
  return arith::SelectOp::create(b, isFinite, rounded, x);
}
