//===- FloatBuilder.cpp - arithmetic on f32 or f64 ------------------------===//
//
// Nothing here may be rounded in another way than it says, so no op has flags
// that would allow it.
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

Value fuse::splat(ImplicitLocOpBuilder &b, Type type, TypedAttr value) {
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, value);
  return arith::ConstantOp::create(b, value);
}

Value fuse::anyOf(ImplicitLocOpBuilder &b, Value condition) {
  auto vector = dyn_cast<VectorType>(condition.getType());
  if (!vector)
    return condition;
  auto flat = VectorType::get({vector.getNumElements()}, b.getI1Type());
  if (flat != vector)
    condition = vector::ShapeCastOp::create(b, flat, condition);
  return vector::ReductionOp::create(b, vector::CombiningKind::OR, condition);
}

FloatBuilder::FloatBuilder(Location loc, OpBuilder &builder, Type floats)
    : ImplicitLocOpBuilder(loc, builder),
      isF64(getElementTypeOrSelf(floats).isF64()), mantissa(isF64 ? 52 : 23),
      bias(isF64 ? 1023 : 127), floats(floats),
      integers(withElements(getIntegerType(isF64 ? 64 : 32))) {}

bool FloatBuilder::supports(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (vector && vector.isScalable())
    return false;
  Type element = vector ? vector.getElementType() : type;
  return element.isF32() || element.isF64();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Type FloatBuilder::withElements(Type element) {
  auto vector = dyn_cast<VectorType>(floats);
  return vector ? vector.clone(element) : element;
}

Value FloatBuilder::number(double value) {
  return splat(*this, floats,
               getFloatAttr(getElementTypeOrSelf(floats), value));
}

Value FloatBuilder::number(Constant value) {
  return number(isF64 ? value.full : double(value.single));
}

Pair FloatBuilder::pair(PairConstant value) {
  return {number(value.high), number(value.low)};
}

Value FloatBuilder::integer(int64_t value) {
  return splat(*this, integers,
               getIntegerAttr(getElementTypeOrSelf(integers), value));
}

Value FloatBuilder::power(int exponent) {
  return number(std::ldexp(1.0, exponent));
}

Value FloatBuilder::infinity() {
  return number(std::numeric_limits<double>::infinity());
}

Value FloatBuilder::nan() {
  return number(std::numeric_limits<double>::quiet_NaN());
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value FloatBuilder::add(Value a, Value b) {
  return arith::AddFOp::create(*this, a, b);
}
Value FloatBuilder::sub(Value a, Value b) {
  return arith::SubFOp::create(*this, a, b);
}
Value FloatBuilder::mul(Value a, Value b) {
  return arith::MulFOp::create(*this, a, b);
}
Value FloatBuilder::div(Value a, Value b) {
  return arith::DivFOp::create(*this, a, b);
}
Value FloatBuilder::fma(Value a, Value b, Value sum) {
  return math::FmaOp::create(*this, a, b, sum);
}
Value FloatBuilder::neg(Value a) { return arith::NegFOp::create(*this, a); }
Value FloatBuilder::abs(Value a) { return math::AbsFOp::create(*this, a); }
Value FloatBuilder::sqrt(Value a) { return math::SqrtOp::create(*this, a); }
Value FloatBuilder::trunc(Value a) { return math::TruncOp::create(*this, a); }
Value FloatBuilder::min(Value a, Value b) {
  return arith::MinimumFOp::create(*this, a, b);
}
Value FloatBuilder::max(Value a, Value b) {
  return arith::MaximumFOp::create(*this, a, b);
}
Value FloatBuilder::copySign(Value size, Value sign) {
  return math::CopySignOp::create(*this, size, sign);
}
Value FloatBuilder::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(*this, condition, yes, no);
}

Value FloatBuilder::lt(Value a, Value b) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OLT, a, b);
}
Value FloatBuilder::le(Value a, Value b) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OLE, a, b);
}
Value FloatBuilder::eq(Value a, Value b) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OEQ, a, b);
}
Value FloatBuilder::isNaN(Value a) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::UNO, a, a);
}
Value FloatBuilder::both(Value a, Value b) {
  return arith::AndIOp::create(*this, a, b);
}
Value FloatBuilder::either(Value a, Value b) {
  return arith::OrIOp::create(*this, a, b);
}
Value FloatBuilder::negation(Value a) {
  Value yes = splat(*this, a.getType(), getBoolAttr(true));
  return arith::XOrIOp::create(*this, a, yes);
}

Value FloatBuilder::addInt(Value a, Value b) {
  return arith::AddIOp::create(*this, a, b);
}
Value FloatBuilder::subInt(Value a, Value b) {
  return arith::SubIOp::create(*this, a, b);
}
Value FloatBuilder::andInt(Value a, Value b) {
  return arith::AndIOp::create(*this, a, b);
}
Value FloatBuilder::shiftLeft(Value a, int by) {
  return arith::ShLIOp::create(*this, a, integer(by));
}
Value FloatBuilder::shiftRight(Value a, int by) {
  return arith::ShRUIOp::create(*this, a, integer(by));
}
Value FloatBuilder::shiftRightSigned(Value a, int by) {
  return arith::ShRSIOp::create(*this, a, integer(by));
}
Value FloatBuilder::hasBits(Value a, int64_t mask) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::ne,
                               andInt(a, integer(mask)), integer(0));
}
Value FloatBuilder::isNegative(Value a) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::slt, toBits(a),
                               integer(0));
}

Value FloatBuilder::toBits(Value a) {
  return arith::BitcastOp::create(*this, integers, a);
}
Value FloatBuilder::fromBits(Value a) {
  return arith::BitcastOp::create(*this, floats, a);
}
Value FloatBuilder::toFloat(Value integer) {
  return arith::SIToFPOp::create(*this, floats, integer);
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

template <typename Number>
static Value horner(FloatBuilder &b, Value x, ArrayRef<Number> terms) {
  Value sum = b.number(double(terms.front()));
  for (Number term : terms.drop_front())
    sum = b.fma(sum, x, b.number(double(term)));
  return sum;
}

Value FloatBuilder::polynomial(Value x, Terms terms) {
  return isF64 ? horner(*this, x, terms.full) : horner(*this, x, terms.single);
}

Pair FloatBuilder::sum(Value a, Value b) {
  Value high = add(a, b);
  Value fromB = sub(high, a);
  Value fromA = sub(high, fromB);
  return {high, add(sub(a, fromA), sub(b, fromB))};
}

Pair FloatBuilder::sumOrdered(Value a, Value b) {
  Value high = add(a, b);
  return {high, sub(b, sub(high, a))};
}

Pair FloatBuilder::product(Value a, Value b) {
  Value high = mul(a, b);
  return {high, fma(a, b, neg(high))};
}

Pair FloatBuilder::product(Pair a, Value b) {
  Pair high = product(a.high, b);
  return {high.high, fma(a.low, b, high.low)};
}

Pair FloatBuilder::product(Pair a, Pair b) {
  Pair high = product(a.high, b.high);
  return {high.high, fma(a.low, b.high, fma(a.high, b.low, high.low))};
}

Pair FloatBuilder::quotient(Pair a, Pair b) {
  Value high = div(a.high, b.high);
  Value rest = fma(neg(high), b.high, a.high);
  rest = add(rest, fma(neg(high), b.low, a.low));
  return {high, div(rest, b.high)};
}

Pair FloatBuilder::negPair(Pair a) { return {neg(a.high), neg(a.low)}; }

Value FloatBuilder::round(Pair a) { return add(a.high, a.low); }

//===----------------------------------------------------------------------===//
// Exponents
//===----------------------------------------------------------------------===//

FloatBuilder::Whole FloatBuilder::nearest(Value a, Constant factor) {
  // To this number nothing below 1 can be added: the sum is rounded to a whole
  // number, and its lowest bits are that.
  Value rounding = number(std::ldexp(1.5, mantissa));
  Value shifted = fma(a, number(factor), rounding);
  return {sub(shifted, rounding), subInt(toBits(shifted), toBits(rounding))};
}

Value FloatBuilder::powerOf(Value n) {
  return fromBits(shiftLeft(addInt(n, integer(bias)), mantissa));
}

Value FloatBuilder::scale(Value a, Value n) {
  Value half = shiftRightSigned(n, 1);
  return mul(mul(a, powerOf(half)), powerOf(subInt(n, half)));
}
