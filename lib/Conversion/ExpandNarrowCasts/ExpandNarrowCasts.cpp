//===- ExpandNarrowCasts.cpp - narrow floats out of integers --------------===//
//
// All narrow floats are sign, exponent and mantissa with a bias, and differ in
// the widths of the fields and in what their largest codes mean. The arithmetic
// is in f32, or in f64 where that is the other type: each holds every number of
// every narrower type, so that nothing is rounded twice.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <cmath>

namespace fuse {
#define GEN_PASS_DEF_EXPANDNARROWCASTS
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;

namespace {

/// The float in which a cast is done.
struct Wide {
  unsigned width;
  int64_t mantissa, bias;

  int64_t exponentMask() const { return (2 * bias + 1) << mantissa; }
};

constexpr Wide single = {32, 23, 127}, twice = {64, 52, 1023};

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

/// Builds on scalars, or on vectors of the shape that the casts' have.
struct Builder : ImplicitLocOpBuilder {
  Builder(CastOpInterface cast, PatternRewriter &rewriter, const Wide &wide)
      : ImplicitLocOpBuilder(cast->getLoc(), rewriter), wide(wide),
        shape(cast->getResult(0).getType()) {}

  Type like(Type element) const {
    auto vector = dyn_cast<VectorType>(shape);
    return vector ? vector.clone(element) : element;
  }
  Type floatType() {
    return like(wide.width == 32 ? Type(getF32Type()) : Type(getF64Type()));
  }
  Type integerType(unsigned width) { return like(getIntegerType(width)); }

  Value constant(Type type, TypedAttr element) {
    if (auto vector = dyn_cast<VectorType>(type))
      element = DenseElementsAttr::get(vector, element);
    return arith::ConstantOp::create(*this, element);
  }
  Value number(double value) {
    Type type = floatType();
    return constant(type, getFloatAttr(getElementTypeOrSelf(type), value));
  }
  Value integer(int64_t value) {
    Type type = integerType(wide.width);
    return constant(type, getIntegerAttr(getElementTypeOrSelf(type), value));
  }
  Value bits(Value x) {
    return arith::BitcastOp::create(*this, integerType(wide.width), x);
  }
  Value fromBits(Value x) {
    return arith::BitcastOp::create(*this, floatType(), x);
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

  Wide wide;
  Type shape;
};

/// The number that `x` is, in the wide type, if the processor cannot tell.
Value widen(Builder &b, Value x, bool isNative) {
  std::optional<Format> format = formatOf(getElementTypeOrSelf(x.getType()));
  if (!format || isNative)
    return x.getType() == b.floatType()
               ? x
               : arith::ExtFOp::create(b, b.floatType(), x).getResult();
  const Wide &wide = b.wide;
  Value code = arith::ExtUIOp::create(
      b, b.integerType(wide.width),
      arith::BitcastOp::create(b, b.integerType(format->width), x));
  Value low = b.mask(code, format->magnitudeMask());
  Value sign =
      b.shiftLeft(b.shiftRight(code, format->width - 1), wide.width - 1);

  // With the fields moved to where the wide type has them the number is right
  // but for the bias, and denormals are denormal there, too: one product mends
  // both.
  Value moved = b.shiftLeft(low, wide.mantissa - format->mantissa);
  Value finite = moved;
  if (wide.bias != format->bias)
    finite = b.bits(arith::MulFOp::create(
        b, b.fromBits(moved),
        b.number(std::ldexp(1.0, wide.bias - format->bias))));
  // The codes that are no numbers: their mantissa tells infinity from NaN.
  int64_t special =
      format->hasInfinity ? format->infinity() : format->magnitudeMask();
  Value isSpecial = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, low,
                                          b.integer(special));
  Value other = arith::OrIOp::create(b, moved, b.integer(wide.exponentMask()));
  Value magnitude = b.select(isSpecial, other, finite);
  return b.fromBits(arith::OrIOp::create(b, magnitude, sign));
}

/// `x`, which has the wide type, rounded to `type`, if the processor cannot do
/// it.
Value narrow(Builder &b, Value x, Type type, bool isNative) {
  std::optional<Format> format = formatOf(getElementTypeOrSelf(type));
  if (!format || isNative)
    return type == x.getType()
               ? x
               : arith::TruncFOp::create(b, type, x).getResult();
  const Wide &wide = b.wide;
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  int64_t signBit = int64_t(1) << (wide.width - 1);
  Value magnitude = b.fromBits(b.mask(b.bits(x), signBit - 1));
  magnitude = b.select(b.isBelow(magnitude, format->largest), magnitude,
                       b.number(format->largest));

  // Rounds behind the last bit that is kept; a carry moves the exponent up,
  // and from the largest number to infinity.
  int64_t dropped = wide.mantissa - format->mantissa;
  Value bits = b.bits(magnitude);
  Value odd = b.mask(b.shiftRight(bits, dropped), 1);
  Value half = arith::AddIOp::create(
      b, odd, b.integer((int64_t(1) << (dropped - 1)) - 1));
  Value normal = b.shiftRight(arith::AddIOp::create(b, bits, half), dropped);
  normal = arith::SubIOp::create(
      b, normal, b.integer((wide.bias - format->bias) << format->mantissa));

  // Denormals are multiples of the least one. Adding the power of two whose
  // last bit is worth just that rounds to one and leaves it in the low bits.
  int exponent = 1 - format->bias - format->mantissa + wide.mantissa;
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
  Value sign =
      b.shiftLeft(b.shiftRight(b.bits(x), wide.width - 1), format->width - 1);
  Value bitsOut = arith::TruncIOp::create(b, b.integerType(format->width),
                                          arith::OrIOp::create(b, code, sign));
  return arith::BitcastOp::create(b, type, bitsOut);
}

/// Goes through a wide type wherever one of the two types is narrow: f8 to bf16
/// has two that are.
template <typename CastOp> struct ExpandCast final : OpRewritePattern<CastOp> {
  ExpandCast(MLIRContext *context, bool hasNativeF16, bool hasNativeBF16)
      : OpRewritePattern<CastOp>(context), hasNativeF16(hasNativeF16),
        hasNativeBF16(hasNativeBF16) {}

  LogicalResult matchAndRewrite(CastOp op,
                                PatternRewriter &rewriter) const final {
    // Tensors become loops before this.
    if (isa<TensorType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "casts a tensor");
    Type from = getElementTypeOrSelf(op.getIn().getType());
    Type to = getElementTypeOrSelf(op.getType());
    if (!formatOf(from) && !formatOf(to))
      return rewriter.notifyMatchFailure(op, "neither type is narrow");
    auto isNative = [&](Type type) {
      return (type.isF16() && hasNativeF16) || (type.isBF16() && hasNativeBF16);
    };
    if ((isNative(from) && to.isF32()) || (from.isF32() && isNative(to)))
      return rewriter.notifyMatchFailure(op, "the processor can do it");
    bool needsF64 = from.isF64() || to.isF64();
    Builder b(op, rewriter, needsF64 ? twice : single);
    // Native casts are from f32 and to it.
    Value number = widen(b, op.getIn(), isNative(from) && !needsF64);
    rewriter.replaceOp(
        op, narrow(b, number, op.getType(), isNative(to) && !needsF64));
    return success();
  }

  bool hasNativeF16, hasNativeBF16;
};

/// Chooses among narrow floats as among their bits: LLVM has no select on
/// vectors of types that the processor does not compute with.
struct SelectBits final : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const final {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !formatOf(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "chooses no narrow vectors");
    Location loc = op.getLoc();
    Type bits =
        type.clone(rewriter.getIntegerType(type.getElementTypeBitWidth()));
    auto bitsOf = [&](Value x) {
      return arith::BitcastOp::create(rewriter, loc, bits, x).getResult();
    };
    Value chosen = arith::SelectOp::create(rewriter, loc, op.getCondition(),
                                           bitsOf(op.getTrueValue()),
                                           bitsOf(op.getFalseValue()));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, chosen);
    return success();
  }
};

/// Repeats narrow floats as their bits: to repeat one that it does not compute
/// with, LLVM calls a function that rounds, which nobody has.
struct BroadcastBits final : OpRewritePattern<vector::BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::BroadcastOp op,
                                PatternRewriter &rewriter) const final {
    VectorType type = op.getResultVectorType();
    if (!formatOf(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "repeats no narrow floats");
    Type element = rewriter.getIntegerType(type.getElementTypeBitWidth());
    auto source = dyn_cast<VectorType>(op.getSourceType());
    Value bits = arith::BitcastOp::create(
        rewriter, op.getLoc(), source ? Type(source.clone(element)) : element,
        op.getSource());
    Value repeated = vector::BroadcastOp::create(rewriter, op.getLoc(),
                                                 type.clone(element), bits);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, repeated);
    return success();
  }
};

struct ExpandNarrowCastsPass final
    : fuse::impl::ExpandNarrowCastsBase<ExpandNarrowCastsPass> {
  using fuse::impl::ExpandNarrowCastsBase<
      ExpandNarrowCastsPass>::ExpandNarrowCastsBase;

  void runOnOperation() final {
    // Before anything is folded. Who put the casts there allowed them to be
    // left out in pairs, but then one user of a number would have more digits
    // of it than another.
    getOperation()->walk([](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        op->removeAttr("fastmath");
    });
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandCast<arith::ExtFOp>, ExpandCast<arith::TruncFOp>>(
        &getContext(), nativeF16, nativeBF16);
    patterns.add<SelectBits, BroadcastBits>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
