//===- Remainder.cpp - the remainder of a quotient of floats --------------===//
//
// A remainder is a float, exactly, and so is what is left when as much of the
// divisor is taken off as a quotient of few enough bits says:
//
//   r - trunc(r / d) d      d: the divisor, brought so near r by a power of two
//                              that the quotient has all its digits
//
// That is repeated until less than the divisor is left: 40 times at most, and
// once for numbers that are not very far apart.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fuse;

/// The exponent of a positive number, below the normal ones as well.
static Value exponentOf(FloatBuilder &b, Value x) {
  int lift = b.mantissa + 1;
  Value isTiny = b.lt(x, b.power(1 - b.bias));
  Value bits = b.toBits(b.select(isTiny, b.mul(x, b.power(lift)), x));
  Value exponent = b.shiftRight(bits, b.mantissa);
  Value lifted = b.select(isTiny, b.integer(lift), b.integer(0));
  return b.subInt(exponent, lifted);
}

/// x * 2^n for what is in between the ends: 0 <= n, which may be as large as
/// all exponents together.
static Value scaleUp(FloatBuilder &b, Value x, Value n) {
  Value quarter = b.shiftRight(n, 2);
  Value rest = b.subInt(n, b.addInt(quarter, quarter));
  x = b.mul(b.mul(x, b.powerOf(quarter)), b.powerOf(quarter));
  Value half = b.shiftRight(rest, 1);
  return b.mul(b.mul(x, b.powerOf(half)), b.powerOf(b.subInt(rest, half)));
}

/// What is left of `rest` when a multiple of the divisor has been taken off.
static Value takeOff(FloatBuilder &b, Value rest, Value divisor) {
  int digits = b.mantissa - 2;
  Value apart = b.subInt(exponentOf(b, rest), exponentOf(b, divisor));
  Value more = b.subInt(apart, b.integer(digits));
  more = arith::MaxSIOp::create(b, more, b.integer(0));
  Value multiple = scaleUp(b, divisor, more);
  Value quotient = b.trunc(b.div(rest, multiple));
  Value less = b.fma(b.neg(quotient), multiple, rest);
  // The quotient was rounded up to a whole number.
  Value isTooMuch = b.lt(less, b.number(0));
  return b.select(isTooMuch, b.add(less, multiple), less);
}

Value fuse::expandRemF(FloatBuilder &b, Value x, Value y) {
  Value size = b.abs(x), divisor = b.abs(y), zero = b.number(0);
  Value isNumber = b.both(b.lt(size, b.infinity()), b.lt(zero, divisor));
  // Elements that lose nothing, or have no remainder, must not keep the others
  // waiting.
  Value isFinite = b.both(isNumber, b.lt(divisor, b.infinity()));
  Value start = b.select(isFinite, size, zero);
  Value by = b.select(isFinite, divisor, b.number(1));
  auto loop = scf::WhileOp::create(b, TypeRange{b.floats}, ValueRange{start});
  {
    OpBuilder::InsertionGuard guard(b);
    Location loc = b.getLoc();
    Block *before = b.createBlock(&loop.getBefore(), {}, b.floats, loc);
    Value rest = before->getArgument(0);
    scf::ConditionOp::create(b, anyOf(b, b.le(by, rest)), ValueRange{rest});
    Block *after = b.createBlock(&loop.getAfter(), {}, b.floats, loc);
    scf::YieldOp::create(b, takeOff(b, after->getArgument(0), by));
  }
  Value rest = b.select(isFinite, loop.getResult(0), size);
  return b.select(isNumber, b.copySign(rest, x), b.nan());
}
