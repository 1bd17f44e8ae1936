//===- ExpandNarrowCasts.cpp - narrow floats out of integers --------------===//
//
// All narrow floats are sign, exponent and mantissa with a bias, and differ in
// the widths of the fields and in what their largest codes mean. The arithmetic
// is in f64, which holds every number of every narrower type: nothing is
// rounded twice.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <cmath>

namespace fuse {
#define GEN_PASS_DEF_EXPANDNARROWCASTS
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;

namespace {

constexpr int64_t wideMantissa = 52, wideBias = 1023;

/// The fields of a narrow float.
struct Format {
  unsigned width;
  int64_t mantissa, bias;
  /// Whether the largest exponent is for infinity and NaN. If not, only the
  /// largest code is a NaN.
  bool hasInfinity;
  /// What everything above is rounded from; infinity rounds from the number
  /// behind the largest, whose code it has.
  double largest;

  int64_t magnitudeMask() const { return (int64_t(1) << (width - 1)) - 1; }
  int64_t infinity() const { return magnitudeMask() >> mantissa << mantissa; }
};

std::optional<Format> formatOf(Type type) {
  if (type.isF16())
    return Format{16, 10, 15, true, 0x1p16};
  if (type.isBF16())
    return Format{16, 7, 127, true, 0x1p128};
  if (isa<Float8E4M3FNType>(type))
    return Format{8, 3, 7, false, 448.0};
  return std::nullopt;
}

struct Builder : ImplicitLocOpBuilder {
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value number(double value) {
    return arith::ConstantOp::create(*this, getF64FloatAttr(value));
  }
  Value integer(int64_t value) {
    return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
  }
  Value bits(Value x) {
    return arith::BitcastOp::create(*this, getI64Type(), x);
  }
  Value fromBits(Value x) {
    return arith::BitcastOp::create(*this, getF64Type(), x);
  }
  Value shiftLeft(Value x, int64_t by) {
    return arith::ShLIOp::create(*this, x, integer(by));
  }
  Value shiftRight(Value x, int64_t by) {
    return arith::ShRUIOp::create(*this, x, integer(by));
  }
  Value mask(Value x, int64_t mask) {
    return arith::AndIOp::create(*this, x, integer(mask));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(*this, condition, a, b);
  }
  Value isBelow(Value a, double b) {
    return arith::CmpFOp::create(*this, arith::CmpFPredicate::OLT, a,
                                 number(b));
  }
};

/// The number that `x` is, as an f64.
Value toF64(Builder &b, Value x) {
  std::optional<Format> format = formatOf(x.getType());
  if (!format)
    return x.getType().isF64()
               ? x
               : arith::ExtFOp::create(b, b.getF64Type(), x).getResult();
  Value code = arith::ExtUIOp::create(
      b, b.getI64Type(),
      arith::BitcastOp::create(b, b.getIntegerType(format->width), x));
  Value low = b.mask(code, format->magnitudeMask());
  Value sign = b.shiftLeft(b.shiftRight(code, format->width - 1), 63);

  // With the fields moved to where f64 has them the number is right but for
  // the bias, and denormals are denormal in f64, too: one product mends both.
  Value moved = b.shiftLeft(low, wideMantissa - format->mantissa);
  Value finite = arith::MulFOp::create(
      b, b.fromBits(moved), b.number(std::ldexp(1.0, wideBias - format->bias)));
  // The codes that are no numbers: their mantissa tells infinity from NaN.
  int64_t special =
      format->hasInfinity ? format->infinity() : format->magnitudeMask();
  Value isSpecial = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, low,
                                          b.integer(special));
  Value other =
      arith::OrIOp::create(b, moved, b.integer(int64_t(0x7ff) << wideMantissa));
  Value magnitude = b.select(isSpecial, other, b.bits(finite));
  return b.fromBits(arith::OrIOp::create(b, magnitude, sign));
}

/// The f64 `x`, rounded to `type`.
Value fromF64(Builder &b, Value x, Type type) {
  std::optional<Format> format = formatOf(type);
  if (!format)
    return type.isF64() ? x : arith::TruncFOp::create(b, type, x).getResult();
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  Value magnitude =
      b.fromBits(b.mask(b.bits(x), std::numeric_limits<int64_t>::max()));
  magnitude = b.select(b.isBelow(magnitude, format->largest), magnitude,
                       b.number(format->largest));

  // Rounds behind the last bit that is kept; a carry moves the exponent up,
  // and from the largest number to infinity.
  int64_t dropped = wideMantissa - format->mantissa;
  Value bits = b.bits(magnitude);
  Value odd = b.mask(b.shiftRight(bits, dropped), 1);
  Value half = arith::AddIOp::create(
      b, odd, b.integer((int64_t(1) << (dropped - 1)) - 1));
  Value normal = b.shiftRight(arith::AddIOp::create(b, bits, half), dropped);
  normal = arith::SubIOp::create(
      b, normal, b.integer((wideBias - format->bias) << format->mantissa));

  // Denormals are multiples of the least one. Adding the power of two whose
  // last bit is worth just that rounds to one and leaves it in the low bits.
  int exponent = 1 - format->bias - format->mantissa + wideMantissa;
  Value shifted =
      arith::AddFOp::create(b, magnitude, b.number(std::ldexp(1.0, exponent)));
  Value denormal =
      b.mask(b.bits(shifted), (int64_t(2) << format->mantissa) - 1);

  Value code = b.select(b.isBelow(magnitude, std::ldexp(1.0, 1 - format->bias)),
                        denormal, normal);
  int64_t quiet = format->hasInfinity ? format->infinity() |
                                            int64_t(1) << (format->mantissa - 1)
                                      : format->magnitudeMask();
  code = b.select(isNan, b.integer(quiet), code);
  Value sign = b.shiftLeft(b.shiftRight(b.bits(x), 63), format->width - 1);
  Value narrow = arith::TruncIOp::create(b, b.getIntegerType(format->width),
                                         arith::OrIOp::create(b, code, sign));
  return arith::BitcastOp::create(b, type, narrow);
}

/// Goes through f64 wherever one of the two types is narrow: f8 to bf16 has
/// two that are.
template <typename CastOp> struct ExpandCast final : OpRewritePattern<CastOp> {
  using OpRewritePattern<CastOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op,
                                PatternRewriter &rewriter) const final {
    if (!formatOf(op.getIn().getType()) && !formatOf(op.getType()))
      return rewriter.notifyMatchFailure(op, "neither type is narrow");
    Builder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, fromF64(b, toF64(b, op.getIn()), op.getType()));
    return success();
  }
};

struct ExpandNarrowCastsPass final
    : fuse::impl::ExpandNarrowCastsBase<ExpandNarrowCastsPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandCast<arith::ExtFOp>, ExpandCast<arith::TruncFOp>>(
        &getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
