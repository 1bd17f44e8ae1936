//===- SplitConversions.cpp - positions are floats before they are added --===//
//
// The difference of two positions is a number for each element of a tile, a
// position one for each row or column. A conversion takes as long as an
// exponential, a sum of floats does not. It is the same number wherever a float
// holds all integers that there may be.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace fuse {
#define GEN_PASS_DEF_SPLITCONVERSIONS
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// The largest magnitude of an element that is made of positions and numbers,
/// or none where that is not known.
static std::optional<int64_t> magnitudeOf(Value value) {
  constexpr int64_t most = int64_t(1) << 40;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSignificantBits() < 40
               ? std::optional(std::abs(number.getSExtValue()))
               : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (auto iota = dyn_cast_or_null<IotaOp>(op)) {
    int64_t size = iota.getType().getDimSize(iota.getDim());
    return ShapedType::isDynamic(size) || size > most ? std::nullopt
                                                      : std::optional(size);
  }
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  auto a = magnitudeOf(op->getOperand(0)), c = magnitudeOf(op->getOperand(1));
  if (!a || !c || *a + *c > most)
    return std::nullopt;
  return *a + *c;
}

/// The largest number up to which a float has all integers, and the integers
/// that are converted have them, too.
static int64_t mostExact(Type to, Type from) {
  auto floats = cast<FloatType>(getElementTypeOrSelf(to));
  unsigned bits = std::min<unsigned>(
      floats.getFPMantissaWidth(),
      getElementTypeOrSelf(from).getIntOrFloatBitWidth() - 1);
  return int64_t(1) << std::min(bits, 40u);
}

/// `value`, of which all parts are exact, as floats.
static Value converted(ImplicitLocOpBuilder &b, Value value, Type type) {
  Operation *op = value.getDefiningOp();
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return arith::SIToFPOp::create(b, type, value);
  Value a = converted(b, op->getOperand(0), type);
  Value c = converted(b, op->getOperand(1), type);
  if (isa<arith::AddIOp>(op))
    return arith::AddFOp::create(b, a, c);
  return arith::SubFOp::create(b, a, c);
}

namespace {

struct SplitConversionsPass final
    : fuse::impl::SplitConversionsBase<SplitConversionsPass> {
  void runOnOperation() final {
    SmallVector<arith::SIToFPOp> conversions;
    getOperation()->walk([&](arith::SIToFPOp op) {
      auto type = dyn_cast<RankedTensorType>(op.getType());
      Operation *source = op.getIn().getDefiningOp();
      if (type &&
          (type.getElementType().isF32() || type.getElementType().isF64()) &&
          isa_and_nonnull<arith::AddIOp, arith::SubIOp>(source))
        conversions.push_back(op);
    });
    for (arith::SIToFPOp op : conversions) {
      auto magnitude = magnitudeOf(op.getIn());
      if (!magnitude ||
          *magnitude > mostExact(op.getType(), op.getIn().getType()))
        continue;
      ImplicitLocOpBuilder b(op.getLoc(), op);
      op.replaceAllUsesWith(converted(b, op.getIn(), op.getType()));
      op.erase();
    }
  }
};

} // namespace
