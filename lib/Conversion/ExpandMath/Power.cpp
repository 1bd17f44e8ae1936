//===- Power.cpp - powers and cube roots ----------------------------------===//
//
// x^y is e^(y log x). The product is as large as 700 where only its digits
// behind the point count, so the logarithm is needed with twelve more bits than
// a float has. It is computed as a pair throughout:
//
//   log m = 2 atanh s = 2s + s z (2/3 + z (2/5 + z Q(z)))      z = s^2
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

/// log x of a positive number, right to 2^-63 of itself in f64.
static Pair logAsPair(FloatBuilder &b, Value x) {
  static constexpr float single[] = {0x1.539d6p-3f, 0x1.7396e4p-3f,
                                     0x1.c71f18p-3f, 0x1.249248p-2f};
  static constexpr double full[] = {
      0x1.9fe44cf9b23e2p-4, 0x1.81aa90ea2d852p-4, 0x1.af5748abeb0d6p-4,
      0x1.e1e0aff96fa29p-4, 0x1.1111138e4f7f1p-3, 0x1.3b13b1347e67p-3,
      0x1.745d1745dc07p-3,  0x1.c71c71c71c688p-3, 0x1.2492492492492p-2};
  static constexpr PairConstant twoThirds = {
      {0x1.555556p-1f, 0x1.5555555555555p-1},
      {-0x1.555556p-26f, 0x1.5555555555555p-55}};
  static constexpr PairConstant twoFifths = {
      {0x1.99999ap-2f, 0x1.999999999999ap-2},
      {-0x1.99999ap-28f, -0x1.999999999999ap-56}};

  LogParts parts = splitLog(b, x);
  Value f = b.sub(parts.rest, b.number(1));
  Pair s = b.quotient({f, b.number(0)}, b.sumOrdered(b.number(2), f));
  Pair z = b.product(s, s);
  auto addTo = [&](PairConstant constant, Pair product) -> Pair {
    Pair c = b.pair(constant);
    Pair sum = b.sumOrdered(c.high, product.high);
    return {sum.high, b.add(sum.low, b.add(c.low, product.low))};
  };
  Pair tail = b.product(z, b.polynomial(z.high, {single, full}));
  tail = b.product(z, addTo(twoFifths, tail));
  tail = b.product(s, b.product(z, addTo(twoThirds, tail)));
  Pair rest = b.sumOrdered(b.add(s.high, s.high), tail.high);
  rest.low = b.add(rest.low, b.add(b.add(s.low, s.low), tail.low));

  Pair ln2 = b.pair(kSplitLn2);
  Pair sum = b.sumOrdered(b.mul(parts.power, ln2.high), rest.high);
  sum.low = b.add(sum.low, b.fma(parts.power, ln2.low, rest.low));
  return b.sumOrdered(sum.high, sum.low);
}

/// e^(y log x) of a positive x. Where that is too large or too small by far, so
/// is what it is held at.
static Value raise(FloatBuilder &b, Value x, Pair y) {
  Pair exponent = b.product(logAsPair(b, x), y);
  Value bound = b.number({106, 760});
  Value isBeyond = b.negation(b.lt(b.abs(exponent.high), bound));
  exponent.high =
      b.select(isBeyond, b.copySign(bound, exponent.high), exponent.high);
  exponent.low = b.select(isBeyond, b.number(0), exponent.low);
  return expOfPair(b, exponent);
}

/// What IEEE 754 says of x^y but for NaN: `result` is |x|^y.
static Value withSpecials(FloatBuilder &b, Value x, Value y, Value isOdd,
                          Value result) {
  Value size = b.abs(x), zero = b.number(0), one = b.number(1);
  // 0 and infinities give one of them, unless it is 1^y.
  Value isEnd = b.either(b.eq(size, zero), b.eq(size, b.infinity()));
  isEnd = b.either(isEnd, b.eq(b.abs(y), b.infinity()));
  Value isAbove = b.lt(one, size), isPositive = b.lt(zero, y);
  Value isLarge =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, isAbove, isPositive);
  result = b.select(isEnd, b.select(isLarge, b.infinity(), zero), result);
  result = b.select(b.eq(size, one), one, result);
  return b.select(b.both(b.isNegative(x), isOdd), b.neg(result), result);
}

Value fuse::expandPowF(FloatBuilder &b, Value x, Value y) {
  Value half = b.mul(y, b.number(0.5));
  Value isWhole = b.eq(b.trunc(y), y);
  Value isOdd = b.both(isWhole, b.negation(b.eq(b.trunc(half), half)));
  Value result = raise(b, b.abs(x), {y, b.number(0)});
  result = withSpecials(b, x, y, isOdd, result);

  Value isRootOfNegative =
      b.both(b.both(b.lt(x, b.number(0)), b.lt(b.neg(b.infinity()), x)),
             b.negation(isWhole));
  Value isNone = b.either(isRootOfNegative, b.either(b.isNaN(x), b.isNaN(y)));
  result = b.select(isNone, b.nan(), result);
  // Whatever the other is, NaN included.
  Value isOne = b.either(b.eq(x, b.number(1)), b.eq(y, b.number(0)));
  return b.select(isOne, b.number(1), result);
}

/// An integer that a float cannot hold is a pair of floats.
static Pair toPair(FloatBuilder &b, Value n) {
  // Half of the digits each, the upper ones with the sign.
  int64_t half = b.isF64 ? 32 : 12;
  Value upper = b.shiftRightSigned(n, half);
  Value lower = b.subInt(n, b.shiftLeft(upper, half));
  return b.sumOrdered(b.mul(b.toFloat(upper), b.power(half)), b.toFloat(lower));
}

/// `n` is of any width. What 32 bits do not hold makes every f32 but 1 too
/// large or too small, as the ends of what they do hold would.
static Value toIntegers(FloatBuilder &b, Value n) {
  unsigned from = getElementTypeOrSelf(n).getIntOrFloatBitWidth();
  unsigned to = getElementTypeOrSelf(b.integers).getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtSIOp::create(b, b.integers, n);
  if (from == to)
    return n;
  auto bound = [&](int64_t value) {
    return splat(b, n.getType(),
                 b.getIntegerAttr(getElementTypeOrSelf(n), value));
  };
  int64_t most = llvm::maxIntN(to);
  n = arith::MinSIOp::create(b, n, bound(most));
  n = arith::MaxSIOp::create(b, n, bound(-most));
  return arith::TruncIOp::create(b, b.integers, n);
}

Value fuse::expandFPowI(FloatBuilder &b, Value x, Value n) {
  if (getElementTypeOrSelf(n).isIndex())
    n = arith::IndexCastOp::create(b, b.withElements(b.getI64Type()), n);
  Value isOdd = n;
  if (!getElementTypeOrSelf(n).isInteger(1))
    isOdd = arith::TruncIOp::create(b, b.withElements(b.getI1Type()), n);
  Pair y = toPair(b, toIntegers(b, n));
  Value result = raise(b, b.abs(x), y);
  result = withSpecials(b, x, y.high, isOdd, result);
  result = b.select(b.isNaN(x), b.nan(), result);
  return b.select(b.eq(y.high, b.number(0)), b.number(1), result);
}

/// The root of what is left when a power of eight has been taken out: a
/// polynomial that is right to a few bits, and Newton's method twice, the
/// second time with the error of the cube itself.
Value fuse::expandCbrt(FloatBuilder &b, Value x) {
  static constexpr float single[] = {-0x1.ee2252p-5f, 0x1.c1fcd6p-2f,
                                     0x1.3e3716p-1f};
  static constexpr double full[] = {-0x1.5b78b97780c53p-7, 0x1.60a1e7477fd1dp-4,
                                    -0x1.33d3d53e94222p-2, 0x1.6fb2061978fa7p-1,
                                    0x1.0392bf65dd3f9p-1};
  static constexpr Constant rootOf2 = {0x1.428a3p+0f, 0x1.428a2f98d728bp+0};
  static constexpr Constant rootOf4 = {0x1.965feap+0f, 0x1.965fea53d6e3dp+0};

  // What is below the normal numbers is brought among them by a power of eight.
  Value size = b.abs(x);
  int lift = (b.mantissa + 3) / 3;
  Value isTiny = b.lt(size, b.power(1 - b.bias));
  Value bits = b.toBits(b.select(isTiny, b.mul(size, b.power(3 * lift)), size));
  // A third of the exponent, which is made positive for it. The product with
  // 2^17 / 3 is right for all that have 16 bits.
  int offset = 3 * b.bias;
  Value exponent =
      b.addInt(b.shiftRight(bits, b.mantissa), b.integer(offset - b.bias));
  Value third =
      b.shiftRight(arith::MulIOp::create(b, exponent, b.integer(43691)), 17);
  Value left =
      b.subInt(exponent, arith::MulIOp::create(b, third, b.integer(3)));
  third = b.subInt(third, b.integer(offset / 3));

  int64_t mask = (int64_t(1) << b.mantissa) - 1;
  Value one = b.toBits(b.number(1));
  Value m =
      b.fromBits(arith::OrIOp::create(b, b.andInt(bits, b.integer(mask)), one));
  Value isOne = b.hasBits(left, 1), isTwo = b.hasBits(left, 2);
  Value cube = b.mul(m, b.powerOf(left));
  Value factor = b.select(isTwo, b.number(rootOf4),
                          b.select(isOne, b.number(rootOf2), b.number(1)));
  Value root = b.mul(b.polynomial(m, {single, full}), factor);
  for (int step = 0; step < 2; ++step) {
    Pair square = b.product(root, root);
    Pair found = b.product(square, root);
    Value error = b.add(b.sub(found.high, cube), found.low);
    Value slope = b.mul(square.high, b.number(3));
    root = b.sub(root, b.div(error, slope));
  }
  root = b.mul(root, b.powerOf(third));
  root = b.select(isTiny, b.mul(root, b.power(-lift)), root);
  root = b.copySign(root, x);
  // 0, infinities and NaN.
  Value isNumber = b.both(b.lt(b.number(0), size), b.lt(size, b.infinity()));
  return b.select(isNumber, root, b.add(x, x));
}
