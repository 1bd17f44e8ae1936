//===- Trigonometric.cpp - sine, cosine, tangent --------------------------===//
//
// Two polynomials for what is left of an angle; the number of right angles says
// which of them is meant, and with which sign.
//
//===----------------------------------------------------------------------===//

#include "AngleReduction.h"
#include "Expansions.h"

using namespace mlir;
using namespace fuse;

/// r^3 times the terms; the rest of the angle has the slope of the sine, as far
/// as it matters.
static Pair sineOfRest(FloatBuilder &b, Pair r, Value square) {
  static constexpr float single[] = {-0x1.994458p-13f, 0x1.110742p-7f,
                                     -0x1.555546p-3f};
  static constexpr double full[] = {
      0x1.5d8db91a2b69cp-33,  -0x1.ae5e54919c65bp-26, 0x1.71de3561ed46fp-19,
      -0x1.a01a019bf972dp-13, 0x1.111111110f7c2p-7,   -0x1.5555555555548p-3};
  Value cube = b.mul(square, r.high);
  Value slope = b.fma(square, b.number(-0.5), b.number(1));
  Value low = b.mul(r.low, slope);
  return b.sumOrdered(r.high,
                      b.fma(cube, b.polynomial(square, {single, full}), low));
}

/// 1 - r^2/2, of which the rest is kept, and r^4 times the terms.
static Pair cosineOfRest(FloatBuilder &b, Pair r, Value square) {
  static constexpr float single[] = {0x1.99f91ep-16f, -0x1.6c0c6cp-10f,
                                     0x1.55554ap-5f};
  static constexpr double full[] = {
      -0x1.8fa8d9bd0e5a9p-37, 0x1.1ee9e1259d2f9p-29,  -0x1.27e4f7faac008p-22,
      0x1.a01a019c9d73p-16,   -0x1.6c16c16c150b7p-10, 0x1.555555555554bp-5};
  Value half = b.mul(square, b.number(0.5));
  Pair first = b.sumOrdered(b.number(1), b.neg(half));
  Value tail = b.fma(b.mul(square, square),
                     b.polynomial(square, {single, full}), first.low);
  return b.sumOrdered(first.high, b.fma(b.neg(r.high), r.low, tail));
}

/// The bit of the quadrant that means a minus, where a float has its sign.
static Value withSign(FloatBuilder &b, Value x, Value quadrant) {
  int bits = b.isF64 ? 64 : 32;
  Value sign = b.shiftLeft(b.andInt(quadrant, b.integer(2)), bits - 2);
  return b.fromBits(arith::XOrIOp::create(b, b.toBits(x), sign));
}

namespace {

/// The sine and the cosine of what is left of |x|.
struct Reduced {
  Value quadrant;
  Pair sine, cosine;
};

} // namespace

static Reduced reduce(FloatBuilder &b, Value x) {
  ReducedAngle angle = reduceAngle(b, b.abs(x));
  Value square = b.mul(angle.rest.high, angle.rest.high);
  return {angle.quadrant, sineOfRest(b, angle.rest, square),
          cosineOfRest(b, angle.rest, square)};
}

/// Infinities have no angle. What is odd, -0 included, keeps its sign.
static Value ofNumber(FloatBuilder &b, Value x, Value result) {
  return b.select(b.lt(b.abs(x), b.infinity()), result, b.nan());
}
static Value odd(FloatBuilder &b, Value x, Value result) {
  return b.select(b.isNegative(x), b.neg(result), result);
}

std::pair<Value, Value> fuse::expandSinCos(FloatBuilder &b, Value x) {
  Reduced reduced = reduce(b, x);
  Value sine = reduced.sine.high, cosine = reduced.cosine.high;
  Value isOdd = b.hasBits(reduced.quadrant, 1);
  Value sin = withSign(b, b.select(isOdd, cosine, sine), reduced.quadrant);
  Value cos = withSign(b, b.select(isOdd, sine, cosine),
                       b.addInt(reduced.quadrant, b.integer(1)));
  return {ofNumber(b, x, odd(b, x, sin)), ofNumber(b, x, cos)};
}

Value fuse::expandSin(FloatBuilder &b, Value x) {
  return expandSinCos(b, x).first;
}

Value fuse::expandCos(FloatBuilder &b, Value x) {
  return expandSinCos(b, x).second;
}

/// The quotient, or one right angle further its inverse with the other sign.
Value fuse::expandTan(FloatBuilder &b, Value x) {
  Reduced reduced = reduce(b, x);
  Value isOdd = b.hasBits(reduced.quadrant, 1);
  auto choose = [&](Pair yes, Pair no) -> Pair {
    return {b.select(isOdd, yes.high, no.high),
            b.select(isOdd, yes.low, no.low)};
  };
  Pair above = choose(b.negPair(reduced.cosine), reduced.sine);
  Pair below = choose(reduced.sine, reduced.cosine);
  Value tan = b.round(b.quotient(above, below));
  return ofNumber(b, x, odd(b, x, tan));
}
