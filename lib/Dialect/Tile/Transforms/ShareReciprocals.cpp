//===- ShareReciprocals.cpp - quotients by what many elements share -------===//
//
// A quotient on a GPU is a dozen instructions and a branch, which keeps the
// next one waiting. Where a row is divided by one number, one quotient is
// enough: the others are products with it, corrected by what they leave over.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace fuse {
#define GEN_PASS_DEF_SHARERECIPROCALS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// For fewer it is not worth what each element still takes.
static constexpr int64_t kLeastShared = 4;

namespace {

/// Quotients of a tile by a smaller one that was broadcast.
class Quotients {
public:
  Quotients(ImplicitLocOpBuilder &b, BroadcastOp broadcast)
      : b(b), broadcast(broadcast) {}

  /// `isExact`: to the last digit.
  Value of(Value x, bool isExact);

private:
  Value numbers(Type type, double value) {
    auto floats = cast<FloatType>(getElementTypeOrSelf(type));
    return arith::ConstantOp::create(
        b,
        DenseElementsAttr::get(cast<ShapedType>(type),
                               cast<TypedAttr>(FloatAttr::get(floats, value))));
  }
  Value repeat(Value few, Type type) {
    auto shape = cast<RankedTensorType>(type).getShape();
    return BroadcastOp::create(
        b, RankedTensorType::get(shape, getElementTypeOrSelf(few)), few,
        broadcast.getDims());
  }
  Value times(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value corrected(Value product, Value dividend, Value divisor, Value inverse);

  ImplicitLocOpBuilder &b;
  BroadcastOp broadcast;
};

} // namespace

/// The product is a unit off at most, so its remainder is exact, and what it
/// lacks is that times the reciprocal. Where a number is infinite or 0 the
/// product is right and the remainder is not, and the sign of a 0 is the
/// product's.
Value Quotients::corrected(Value product, Value dividend, Value divisor,
                           Value inverse) {
  Type type = product.getType();
  Value remainder = math::FmaOp::create(b, arith::NegFOp::create(b, product),
                                        repeat(divisor, type), dividend);
  Value sum = math::FmaOp::create(b, remainder, inverse, product);
  Value isSpecial = arith::CmpFOp::create(b, arith::CmpFPredicate::UEQ, sum,
                                          numbers(type, 0));
  return arith::SelectOp::create(b, isSpecial, product, sum);
}

Value Quotients::of(Value x, bool isExact) {
  Type asked = x.getType(), element = getElementTypeOrSelf(asked);
  // Quotients of 16-bit numbers are further from what lies between two of them
  // than a product in f32 is off.
  bool isNarrow = element.getIntOrFloatBitWidth() < 32;
  Value d = broadcast.getSource();
  auto widen = [&](Value tile) -> Value {
    if (!isNarrow)
      return tile;
    auto type = cast<RankedTensorType>(tile.getType());
    return arith::ExtFOp::create(b, type.clone(b.getF32Type()), tile);
  };
  Value dividend = widen(x), divisor = widen(d);
  Type few = divisor.getType(), many = dividend.getType();
  // The reciprocal of what is below the least normal number may be infinite.
  if (!element.isF16()) {
    const llvm::fltSemantics &semantics =
        cast<FloatType>(getElementTypeOrSelf(few)).getFloatSemantics();
    double least = APFloat::getSmallestNormalized(semantics).convertToDouble();
    Value isSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                          math::AbsFOp::create(b, divisor),
                                          numbers(few, least));
    Value factor = arith::SelectOp::create(b, isSmall, numbers(few, 0x1p64),
                                           numbers(few, 1));
    divisor = times(divisor, factor);
    dividend = times(dividend, repeat(factor, many));
  }
  Value inverse =
      repeat(arith::DivFOp::create(b, numbers(few, 1), divisor), many);
  Value product = times(dividend, inverse);
  if (isNarrow)
    return arith::TruncFOp::create(b, asked, product);
  if (!isExact)
    return product;
  return corrected(product, dividend, divisor, inverse);
}

static void share(arith::DivFOp division) {
  auto type = dyn_cast<RankedTensorType>(division.getType());
  auto broadcast = division.getRhs().getDefiningOp<BroadcastOp>();
  if (!type || !broadcast ||
      !isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
          type.getElementType()) ||
      type.getNumElements() <
          kLeastShared * cast<RankedTensorType>(broadcast.getSource().getType())
                             .getNumElements())
    return;
  // What may be fast is one instruction.
  if (bitEnumContainsAny(division.getFastmath(), arith::FastMathFlags::afn))
    return;
  ImplicitLocOpBuilder b(division.getLoc(), division);
  bool isExact =
      !bitEnumContainsAny(division.getFastmath(), arith::FastMathFlags::arcp);
  Value quotient = Quotients(b, broadcast).of(division.getLhs(), isExact);
  division.replaceAllUsesWith(quotient);
  division.erase();
}

namespace {

struct ShareReciprocalsPass final
    : fuse::impl::ShareReciprocalsBase<ShareReciprocalsPass> {
  void runOnOperation() final {
    getOperation()->walk([](arith::DivFOp division) { share(division); });
  }
};

} // namespace
