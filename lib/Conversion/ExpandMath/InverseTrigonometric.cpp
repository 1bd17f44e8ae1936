//===- InverseTrigonometric.cpp - angles ----------------------------------===//
//
// A polynomial for what is small, and else the difference to an angle that is
// known: with a = pi/4
//
//   atan t = a + atan((t - 1) / (t + 1))      asin x = 2a - 2 asin(r)
//
// where r is the root of (1 - x) / 2. Quotients and roots are pairs, so that no
// more than the last rounding is seen.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"

using namespace mlir;
using namespace fuse;

static constexpr PairConstant kPi = {{0x1.921fb6p+1f, 0x1.921fb54442d18p+1},
                                     {-0x1.777a5cp-24f, 0x1.1a62633145c07p-53}};
static constexpr PairConstant kHalfPi = {
    {0x1.921fb6p+0f, 0x1.921fb54442d18p+0},
    {-0x1.777a5cp-25f, 0x1.1a62633145c07p-54}};
static constexpr PairConstant kQuarterPi = {
    {0x1.921fb6p-1f, 0x1.921fb54442d18p-1},
    {-0x1.777a5cp-26f, 0x1.1a62633145c07p-55}};

/// What is left of an angle that is larger, or as large.
static Pair subFrom(FloatBuilder &b, PairConstant angle, Pair less) {
  Pair whole = b.pair(angle);
  Pair rest = b.sumOrdered(whole.high, b.neg(less.high));
  return {rest.high, b.add(rest.low, b.sub(whole.low, less.low))};
}

static Pair selectPair(FloatBuilder &b, Value condition, Pair yes, Pair no) {
  return {b.select(condition, yes.high, no.high),
          b.select(condition, yes.low, no.low)};
}

//===----------------------------------------------------------------------===//
// By tangent
//===----------------------------------------------------------------------===//

/// atan(y / x) for 0 <= y <= x, where neither is near the ends of the
/// exponents.
static Pair atanOfQuotient(FloatBuilder &b, Value y, Value x) {
  static constexpr float single[] = {-0x1.f245f2p-5f, 0x1.b1ff26p-4f,
                                     -0x1.23b68ap-3f, 0x1.9991aap-3f,
                                     -0x1.55554ap-2f};
  static constexpr double full[] = {
      -0x1.258768852ec5bp-6, 0x1.37e3760287a23p-5,  -0x1.9cd861a82ea0ap-5,
      0x1.df109652abb79p-5,  -0x1.10ebcf9e6da62p-4, 0x1.3b111b327afeap-4,
      -0x1.745cf8fa7a5d2p-4, 0x1.c71c70e7142c9p-4,  -0x1.24924922afc68p-3,
      0x1.99999999958b8p-3,  -0x1.555555555553dp-2};
  static constexpr Constant tanOfEighth = {0x1.a8279ap-2f,
                                           0x1.a827999fcef32p-2};
  Value zero = b.number(0);
  Value isFar = b.lt(b.mul(x, b.number(tanOfEighth)), y);
  Pair above = selectPair(b, isFar, b.sumOrdered(x, b.neg(y)), {y, zero});
  above.high = b.select(isFar, b.neg(above.high), above.high);
  above.low = b.select(isFar, b.neg(above.low), above.low);
  Pair below = selectPair(b, isFar, b.sumOrdered(x, y), {x, zero});
  Pair t = b.quotient(above, below);

  Value square = b.mul(t.high, t.high);
  Value tail = b.mul(square, b.polynomial(square, {single, full}));
  // The slope at t, but for what is a quarter of the last place.
  Value low = b.fma(b.neg(square), t.low, t.low);
  low = b.fma(t.high, tail, low);
  Pair base = selectPair(b, isFar, b.pair(kQuarterPi), {zero, zero});
  Pair result = b.sumOrdered(base.high, t.high);
  return {result.high, b.add(result.low, b.add(base.low, low))};
}

Value fuse::expandAtan(FloatBuilder &b, Value x) {
  Value one = b.number(1), size = b.abs(x);
  // From there on the result is that of infinity.
  Value bounded = b.min(size, b.power(b.mantissa + 4));
  Value isFar = b.lt(one, bounded);
  Pair angle = atanOfQuotient(b, b.select(isFar, one, bounded),
                              b.select(isFar, bounded, one));
  angle = selectPair(b, isFar, subFrom(b, kHalfPi, angle), angle);
  return b.copySign(b.round(angle), x);
}

Value fuse::expandAtan2(FloatBuilder &b, Value y, Value x) {
  Value zero = b.number(0), one = b.number(1);
  Value height = b.abs(y), width = b.abs(x);
  Value isSteep = b.lt(width, height);
  Value less = b.select(isSteep, width, height);
  Value more = b.select(isSteep, height, width);
  // Of two infinities, and of two zeros.
  Value isEndless = b.eq(more, b.infinity());
  Value ofEndless = b.select(b.eq(less, b.infinity()), one, zero);
  less = b.select(isEndless, ofEndless, less);
  more = b.select(b.either(isEndless, b.eq(more, zero)), one, more);
  // Away from the ends, where sums are infinite and rests of products are 0.
  int far = b.bias / 2;
  Value isLarge = b.lt(b.power(far), more);
  Value isSmall = b.lt(more, b.power(-far));
  Value factor =
      b.select(isLarge, b.power(-far), b.select(isSmall, b.power(far), one));
  Pair angle = atanOfQuotient(b, b.mul(less, factor), b.mul(more, factor));
  angle = selectPair(b, isSteep, subFrom(b, kHalfPi, angle), angle);
  angle = selectPair(b, b.isNegative(x), subFrom(b, kPi, angle), angle);
  Value result = b.copySign(b.round(angle), y);
  return b.select(b.either(b.isNaN(x), b.isNaN(y)), b.nan(), result);
}

//===----------------------------------------------------------------------===//
// By sine
//===----------------------------------------------------------------------===//

/// asin(s) for 0 <= s <= 1/2, where `square` is that of s.
static Pair asinOfSmall(FloatBuilder &b, Pair s, Value square) {
  static constexpr float single[] = {0x1.59f456p-5f, 0x1.8b85fcp-6f,
                                     0x1.748f16p-5f, 0x1.330134p-4f,
                                     0x1.5555cap-3f};
  static constexpr double full[] = {
      0x1.05fe82e5cadacp-5, -0x1.0b7f649fcfa4cp-6, 0x1.4108e90374fbp-6,
      0x1.aa365a57f9979p-8, 0x1.8ef2eace01d73p-7,  0x1.c6f65a40491b9p-7,
      0x1.1c6c4301f8d79p-6, 0x1.6e89edb2b4d96p-6,  0x1.f1c72c7ff966cp-6,
      0x1.6db6db419ad3fp-5, 0x1.333333336fdfdp-4,  0x1.5555555555384p-3};
  Value tail = b.mul(square, b.polynomial(square, {single, full}));
  return {s.high, b.fma(s.high, tail, s.low)};
}

/// The angle of the sine |x|, or the one that is left of a right angle if that
/// is smaller.
static Pair smallerAngle(FloatBuilder &b, Value size, Value isFar) {
  Value half = b.number(0.5), zero = b.number(0);
  Value left = b.mul(b.sub(b.number(1), size), half);
  Value root = b.sqrt(left);
  Value rest = b.div(b.fma(b.neg(root), root, left), b.add(root, root));
  rest = b.select(b.eq(root, zero), zero, rest);
  Pair s = selectPair(b, isFar, {root, rest}, {size, zero});
  Value square = b.select(isFar, left, b.mul(size, size));
  Pair angle = asinOfSmall(b, s, square);
  // It was half of it.
  Pair twice = {b.add(angle.high, angle.high), b.add(angle.low, angle.low)};
  return selectPair(b, isFar, twice, angle);
}

Value fuse::expandAsin(FloatBuilder &b, Value x) {
  Value size = b.abs(x);
  Value isFar = b.lt(b.number(0.5), size);
  Pair angle = smallerAngle(b, size, isFar);
  angle = selectPair(b, isFar, subFrom(b, kHalfPi, angle), angle);
  return b.copySign(b.round(angle), x);
}

/// What is smaller is a sine's angle, which is taken from a right one, or what
/// is left, which is taken from two.
Value fuse::expandAcos(FloatBuilder &b, Value x) {
  Value size = b.abs(x);
  Value isFar = b.lt(b.number(0.5), size);
  Value isBehind = b.lt(x, b.number(0));
  Pair angle = smallerAngle(b, size, isFar);
  Pair far = selectPair(b, isBehind, subFrom(b, kPi, angle), angle);
  Pair near = selectPair(b, isBehind, b.negPair(angle), angle);
  angle = selectPair(b, isFar, far, subFrom(b, kHalfPi, near));
  return b.round(angle);
}
