//===- Log.cpp - logarithms -----------------------------------------------===//
//
// x is 2^n m with m between the roots of 1/2 and 2, and with f = m - 1, which
// is exact, and s = f / (2 + f)
//
//   log m = 2 atanh s = 2s + s R(s^2) = f - f^2/2 + s (f^2/2 + R(s^2))
//
// of which the first two terms are kept as a pair.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"

using namespace mlir;
using namespace fuse;

LogParts fuse::splitLog(FloatBuilder &b, Value x) {
  // Brings what is below the normal numbers among them.
  int lift = b.mantissa + 1;
  Value isTiny = b.lt(x, b.power(1 - b.bias));
  Value bits = b.toBits(b.select(isTiny, b.mul(x, b.power(lift)), x));
  // So many exponents are between x and the root of 1/2.
  Value root = b.toBits(b.number({0x1.6a09e6p-1f, 0x1.6a09e667f3bcdp-1}));
  Value power = b.shiftRightSigned(b.subInt(bits, root), b.mantissa);
  Value rest = b.fromBits(b.subInt(bits, b.shiftLeft(power, b.mantissa)));
  Value lifted = b.select(isTiny, b.number(lift), b.number(0));
  return {b.sub(b.toFloat(power), lifted), rest};
}

/// log m, with about half as many digits again as a float has.
static Pair logOfRest(FloatBuilder &b, Value m) {
  static constexpr float single[] = {0x1.31e464p-2f, 0x1.995eaep-2f,
                                     0x1.55557ap-1f};
  static constexpr double full[] = {0x1.0f65f6ca48b7cp-3, 0x1.0f5c7805b0c6ep-3,
                                    0x1.3b20af214deb2p-3, 0x1.745cde20dd91dp-3,
                                    0x1.c71c72593f9a7p-3, 0x1.249249242b09ap-2,
                                    0x1.9999999999e02p-2, 0x1.5555555555555p-1};
  Value f = b.sub(m, b.number(1));
  Value s = b.div(f, b.add(f, b.number(2)));
  Value z = b.mul(s, s);
  Value tail = b.mul(z, b.polynomial(z, {single, full}));
  Pair half = b.product(f, b.mul(f, b.number(0.5)));
  Pair result = b.sumOrdered(f, b.neg(half.high));
  Value low = b.fma(s, b.add(half.high, tail), b.sub(result.low, half.low));
  return {result.high, low};
}

/// n * unit + log, the digits of unit's first part being few.
static Value combine(FloatBuilder &b, Value n, Pair unit, Pair log) {
  Pair sum = b.sumOrdered(b.mul(n, unit.high), log.high);
  return b.add(sum.high, b.add(sum.low, b.fma(n, unit.low, log.low)));
}

/// Infinity stays, of 0 it is minus infinity, and of less there is none. What
/// is compared is x, or in log1p 1 + x.
static Value withSpecials(FloatBuilder &b, Value x, Value one, Value result) {
  result = b.select(b.eq(x, b.infinity()), x, result);
  result = b.select(b.eq(x, one), b.neg(b.infinity()), result);
  Value isNone = b.negation(b.le(one, x));
  return b.select(isNone, b.nan(), result);
}

Value fuse::expandLog(FloatBuilder &b, Value x) {
  LogParts parts = splitLog(b, x);
  Value result =
      combine(b, parts.power, b.pair(kSplitLn2), logOfRest(b, parts.rest));
  return withSpecials(b, x, b.number(0), result);
}

Value fuse::expandLog2(FloatBuilder &b, Value x) {
  static constexpr PairConstant log2E = {
      {0x1.715476p+0f, 0x1.71547652b82fep+0},
      {0x1.4ae0cp-26f, 0x1.777d0ffda0d24p-56}};
  LogParts parts = splitLog(b, x);
  Pair log = b.product(logOfRest(b, parts.rest), b.pair(log2E));
  Value result = combine(b, parts.power, {b.number(1), b.number(0)}, log);
  return withSpecials(b, x, b.number(0), result);
}

Value fuse::expandLog10(FloatBuilder &b, Value x) {
  static constexpr PairConstant log10E = {
      {0x1.bcb7b2p-2f, 0x1.bcb7b1526e50ep-2},
      {-0x1.5b235ep-27f, 0x1.95355baaafad3p-57}};
  static constexpr PairConstant log10Of2 = {
      {0x1.344p-2f, 0x1.34413509f8p-2},
      {0x1.3509f8p-18f, -0x1.80433b83b532ap-44}};
  LogParts parts = splitLog(b, x);
  Pair log = b.product(logOfRest(b, parts.rest), b.pair(log10E));
  Value result = combine(b, parts.power, b.pair(log10Of2), log);
  return withSpecials(b, x, b.number(0), result);
}

/// What 1 + x loses is small beside it: log(u + c) is log u + c / u.
Value fuse::expandLog1p(FloatBuilder &b, Value x) {
  Pair u = b.sum(b.number(1), x);
  LogParts parts = splitLog(b, u.high);
  Pair log = logOfRest(b, parts.rest);
  // The quotient of what is left of u by it, both of which are far from the
  // ends of the exponents, or the quotient is nothing.
  log.low = b.add(log.low, b.div(u.low, u.high));
  Value result = combine(b, parts.power, b.pair(kSplitLn2), log);
  result = b.copySign(result, x);
  return withSpecials(b, x, b.number(-1), result);
}
