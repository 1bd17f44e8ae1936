//===- IntegerPower.cpp - powers of integers ------------------------------===//
//
// By squaring, as often as the exponent has digits. Negative powers of numbers
// are fractions, and so 0, but for those of 1 and -1.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

Value fuse::expandIPowI(ImplicitLocOpBuilder &b, Value base, Value exponent) {
  Type type = base.getType();
  auto integer = [&](int64_t value) {
    return splat(b, type, b.getIntegerAttr(getElementTypeOrSelf(type), value));
  };
  Value zero = integer(0), one = integer(1);
  // Of one bit there are 0 and -1, and no digits to go through: shifted by 1 it
  // may be anything.
  if (getElementTypeOrSelf(type).isInteger(1))
    return arith::OrIOp::create(b, base,
                                arith::XOrIOp::create(b, exponent, one));
  auto compare = [&](arith::CmpIPredicate predicate, Value x,
                     Value y) -> Value {
    return arith::CmpIOp::create(b, predicate, x, y);
  };
  Value isFraction = compare(arith::CmpIPredicate::slt, exponent, zero);
  // Of 1 and -1 the power of -n is that of n, and it matters only whether that
  // is odd.
  Value left = arith::SelectOp::create(
      b, isFraction, arith::AndIOp::create(b, exponent, one), exponent);
  auto loop = scf::WhileOp::create(b, TypeRange{type, type, type},
                                   ValueRange{one, base, left});
  {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Location> locs(3, b.getLoc());
    Block *before =
        b.createBlock(&loop.getBefore(), {}, {type, type, type}, locs);
    Value isMore =
        compare(arith::CmpIPredicate::ne, before->getArgument(2), zero);
    scf::ConditionOp::create(b, anyOf(b, isMore), before->getArguments());
    Block *after =
        b.createBlock(&loop.getAfter(), {}, {type, type, type}, locs);
    Value power = after->getArgument(0), square = after->getArgument(1);
    Value digits = after->getArgument(2);
    Value isOdd = compare(arith::CmpIPredicate::ne,
                          arith::AndIOp::create(b, digits, one), zero);
    power = arith::SelectOp::create(
        b, isOdd, arith::MulIOp::create(b, power, square), power);
    square = arith::MulIOp::create(b, square, square);
    digits = arith::ShRUIOp::create(b, digits, one);
    scf::YieldOp::create(b, ValueRange{power, square, digits});
  }
  Value power = loop.getResult(0);
  Value isUnit = arith::OrIOp::create(
      b, compare(arith::CmpIPredicate::eq, base, one),
      compare(arith::CmpIPredicate::eq, base, integer(-1)));
  Value ofFraction = arith::SelectOp::create(b, isUnit, power, zero);
  return arith::SelectOp::create(b, isFraction, ofFraction, power);
}
