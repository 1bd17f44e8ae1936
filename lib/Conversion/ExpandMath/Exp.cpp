//===- Exp.cpp - powers of e and of two -----------------------------------===//
//
// e^x is 2^n e^r, where n is the nearest whole number to x / ln 2, and e^r is a
// polynomial for r in [-ln 2 / 2, ln 2 / 2].
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"

using namespace mlir;
using namespace fuse;

static constexpr Constant kLog2E = {0x1.715476p+0f, 0x1.71547652b82fep+0};

//===----------------------------------------------------------------------===//
// For any pair
//===----------------------------------------------------------------------===//

namespace {

struct Reduced {
  Value power;
  Pair rest;
};

} // namespace

static Reduced reduce(FloatBuilder &b, Pair x) {
  FloatBuilder::Whole n = b.nearest(x.high, kLog2E);
  Value minus = b.neg(n.number);
  Pair ln2 = b.pair(kSplitLn2);
  return {n.integer,
          b.sum(b.fma(minus, ln2.high, x.high), b.fma(minus, ln2.low, x.low))};
}

/// e^r - 1. The terms are the best ones for (e^r - 1 - r) / r^2, relative to
/// e^r.
static Pair expM1OfRest(FloatBuilder &b, Pair r) {
  static constexpr float single[] = {0x1.9f029ep-13f, 0x1.6d946p-10f,
                                     0x1.11128p-7f,   0x1.555486p-5f,
                                     0x1.555554p-3f,  0x1p-1f};
  static constexpr double full[] = {0x1.1e398df276b5fp-29,
                                    0x1.af71238b3ab51p-26,
                                    0x1.27e5bbca13522p-22,
                                    0x1.71dded2797e54p-19,
                                    0x1.a01a013015f11p-16,
                                    0x1.a01a01b4ab59dp-13,
                                    0x1.6c16c16c32639p-10,
                                    0x1.111111110e95ep-7,
                                    0x1.55555555554fap-5,
                                    0x1.555555555555cp-3,
                                    0x1p-1};
  Value square = b.mul(r.high, r.high);
  Value tail = b.polynomial(r.high, {single, full});
  return b.sumOrdered(r.high, b.fma(square, tail, r.low));
}

ExpParts fuse::splitExp(FloatBuilder &b, Pair x) {
  Reduced reduced = reduce(b, x);
  return {reduced.power, expM1OfRest(b, reduced.rest)};
}

Value fuse::expOfPair(FloatBuilder &b, Pair x) {
  ExpParts parts = splitExp(b, x);
  return b.scale(b.add(b.number(1), parts.rest.high), parts.power);
}

Pair fuse::timesExpM1(FloatBuilder &b, Value power, double factor, Pair rest) {
  Pair sum =
      b.sumOrdered(b.sub(power, b.number(factor)), b.mul(power, rest.high));
  return b.sumOrdered(sum.high, b.fma(power, rest.low, sum.low));
}

/// Holds x where results are infinite beyond and 0 below; NaN stays.
static Value bound(FloatBuilder &b, Value x, Constant least, Constant most) {
  return b.min(b.max(x, b.number(least)), b.number(most));
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

Value fuse::expandExpOfSingle(FloatBuilder &b, Value x) {
  FloatBuilder::Whole n = b.nearest(x, kLog2E);
  Value minus = b.neg(n.number);
  Pair ln2 = b.pair(kSplitLn2);
  Value r = b.fma(minus, ln2.low, b.fma(minus, ln2.high, x));
  // The best ones for the relative error where the last two are 1.
  static constexpr float terms[] = {1.38144754e-3f,
                                    8.36877618e-3f,
                                    4.16683927e-2f,
                                    1.66665196e-1f,
                                    4.99999940e-1f,
                                    1.0f,
                                    1.0f};
  Value result = b.polynomial(r, {terms, {}});
  result = b.fromBits(
      b.addInt(b.toBits(result), b.shiftLeft(n.integer, b.mantissa)));
  // NaN is no number below anything, and stays NaN when infinity is added.
  Value isNormal = b.le(b.number(-87.3365402), x);
  Value isFinite = b.lt(x, b.number(88.7228394));
  Value beyond = b.add(x, b.infinity());
  return b.select(isFinite, b.select(isNormal, result, b.number(0)), beyond);
}

Value fuse::expandExp(FloatBuilder &b, Value x) {
  return expOfPair(b, {bound(b, x, {-105, -750}, {90, 712}), b.number(0)});
}

Value fuse::expandExp2(FloatBuilder &b, Value x) {
  static constexpr PairConstant ln2 = {
      {0x1.62e43p-1f, 0x1.62e42fefa39efp-1},
      {-0x1.05c61p-29f, 0x1.abc9e3b39803fp-56}};
  Value bounded = bound(b, x, {-151, -1080}, {129, 1025});
  FloatBuilder::Whole n = b.nearest(bounded, {1, 1});
  // Exact.
  Value f = b.sub(bounded, n.number);
  Value rest = expM1OfRest(b, b.product(b.pair(ln2), f)).high;
  return b.scale(b.add(b.number(1), rest), n.integer);
}

/// A half is computed, since 2^n itself may be too large.
Value fuse::expandExpM1(FloatBuilder &b, Value x) {
  Value bounded = bound(b, x, {-20, -40}, {89, 710});
  ExpParts parts = splitExp(b, {bounded, b.number(0)});
  Value power = b.powerOf(b.subInt(parts.power, b.integer(1)));
  Value half = timesExpM1(b, power, 0.5, parts.rest).high;
  // Where n is 0, half of what is least is none.
  Value isSmall = b.lt(b.abs(x), b.number(0.25));
  Value result = b.select(isSmall, parts.rest.high, b.add(half, half));
  return b.copySign(result, x);
}
