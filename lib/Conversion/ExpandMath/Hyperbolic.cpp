//===- Hyperbolic.cpp - hyperbolic functions and their inverses -----------===//
//
// By way of e^x - 1 and log(1 + x), which keep the digits of what is small.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"

using namespace mlir;
using namespace fuse;

/// (e^|x| - 1) / 2, which is a number for all that have a hyperbolic sine.
static Pair halfOfExpM1(FloatBuilder &b, Value size) {
  Value bounded = b.min(size, b.number({89.5f, 710.6}));
  ExpParts parts = splitExp(b, {bounded, b.number(0)});
  // A quarter of 2^n, which may itself be too large.
  Value power = b.powerOf(b.subInt(parts.power, b.integer(2)));
  Pair quarter = timesExpM1(b, power, 0.25, parts.rest);
  return {b.add(quarter.high, quarter.high), b.add(quarter.low, quarter.low)};
}

/// With t = e^|x| - 1 it is (t + t / (t + 1)) / 2.
Value fuse::expandSinh(FloatBuilder &b, Value x) {
  Value size = b.abs(x);
  Pair half = halfOfExpM1(b, size);
  Value whole = b.add(half.high, half.high);
  Value other = b.div(half.high, b.add(whole, b.number(1)));
  // Where t is too large for a float, infinity is no divisor.
  other = b.select(b.lt(whole, b.infinity()), other, b.number(0));
  Value result = b.add(half.high, b.add(half.low, other));
  // Half of the least number is none.
  Value isTiny = b.lt(size, b.power(-b.mantissa));
  return b.copySign(b.select(isTiny, size, result), x);
}

Value fuse::expandCosh(FloatBuilder &b, Value x) {
  Pair half = halfOfExpM1(b, b.abs(x));
  half = {b.add(half.high, b.number(0.5)), half.low};
  return b.add(half.high, b.add(b.div(b.number(0.25), half.high), half.low));
}

/// With t = e^2|x| - 1 it is t / (t + 2).
Value fuse::expandTanh(FloatBuilder &b, Value x) {
  // From where on it is 1, rounded.
  Value size = b.min(b.abs(x), b.number({10, 20}));
  ExpParts parts = splitExp(b, {b.add(size, size), b.number(0)});
  Pair t = timesExpM1(b, b.powerOf(parts.power), 1, parts.rest);
  Pair divisor = b.sum(b.number(2), t.high);
  divisor.low = b.add(divisor.low, t.low);
  return b.copySign(b.round(b.quotient(t, divisor)), x);
}

static Value addLn2(FloatBuilder &b, Value x) {
  static constexpr Constant ln2 = {0x1.62e43p-1f, 0x1.62e42fefa39efp-1};
  return b.add(x, b.number(ln2));
}

/// log(1 + a), and log(2x) instead where x is so large that its square may not
/// be a number.
static Value logOfSum(FloatBuilder &b, Value a, Value x) {
  Value isLarge = b.lt(b.power(b.mantissa + 3), x);
  Value log = expandLog1p(b, b.select(isLarge, x, a));
  return b.select(isLarge, addLn2(b, log), log);
}

/// log(x + sqrt(x^2 + 1)), where 1 + x^2 / (1 + sqrt(x^2 + 1)) is that root.
Value fuse::expandAsinh(FloatBuilder &b, Value x) {
  Value size = b.abs(x), one = b.number(1);
  Value square = b.mul(size, size);
  Value root = b.sqrt(b.add(square, one));
  Value above = b.add(size, b.div(square, b.add(root, one)));
  return b.copySign(logOfSum(b, above, size), x);
}

/// log(x + sqrt(x^2 - 1)), where the root is that of t (t + 2), t being x - 1.
Value fuse::expandAcosh(FloatBuilder &b, Value x) {
  Value t = b.sub(x, b.number(1));
  Value root = b.sqrt(b.mul(t, b.add(t, b.number(2))));
  Value result = logOfSum(b, b.add(t, root), x);
  return b.select(b.le(b.number(1), x), result, b.nan());
}

/// log((1 + x) / (1 - x)) / 2.
Value fuse::expandAtanh(FloatBuilder &b, Value x) {
  Value size = b.abs(x);
  Value ratio = b.div(b.add(size, size), b.sub(b.number(1), size));
  return b.copySign(b.mul(expandLog1p(b, ratio), b.number(0.5)), x);
}
