//===- Pointwise.cpp - random pointwise ops -------------------------------===//
//
// What is left out are functions that make much of a rounding: quotients by
// numbers near zero, and steps (comparisons, floors, casts to integers) at
// numbers that have been rounded.
//
//===----------------------------------------------------------------------===//

#include "GraphWriter.h"
#include <cmath>

using namespace mlir;
using namespace fuse;

static Facts merge(const Facts &x, const Facts &y, double bound) {
  return {bound, /*least=*/0, x.isPure && y.isPure,
          x.hasInfinity || y.hasInfinity};
}

Value GraphWriter::add(Value x, Value y) {
  Facts known =
      merge(factsOf(x), factsOf(y), factsOf(x).bound + factsOf(y).bound);
  return keepRounded(arith::AddFOp::create(builder, x, y), known);
}

Value GraphWriter::subtract(Value x, Value y) {
  Facts known =
      merge(factsOf(x), factsOf(y), factsOf(x).bound + factsOf(y).bound);
  return keepRounded(arith::SubFOp::create(builder, x, y), known);
}

Value GraphWriter::multiply(Value x, Value y) {
  Facts known =
      merge(factsOf(x), factsOf(y), factsOf(x).bound * factsOf(y).bound);
  return keepRounded(arith::MulFOp::create(builder, x, y), known);
}

/// What is clearly above 0. If it is that already nothing is added, so that a
/// 0 which somebody makes of it, as behind the end of a row, is divided by.
Value GraphWriter::positive(Value x) {
  if (factsOf(x).least > 0 && random.chance(70))
    return x;
  Value size = keep(math::AbsFOp::create(builder, x), factsOf(x));
  return size ? add(size, constant(elementOf(x), shapeOf(x), 0.5)) : Value();
}

Value GraphWriter::divideBySum(Value x, Value y) {
  Value divisor = positive(y);
  if (!divisor)
    return {};
  Facts known = merge(factsOf(x), factsOf(y), 2 * factsOf(x).bound);
  return keepRounded(arith::DivFOp::create(builder, x, divisor), known);
}

Value GraphWriter::exponential(Value x) {
  Facts known = factsOf(x);
  if (known.bound > 5)
    return {};
  known.bound = std::exp(known.bound);
  return keepRounded(math::ExpOp::create(builder, x), known);
}

/// An op of one operand, whose result is no larger than `bound`.
template <typename Op, typename... Args>
static Value unary(ImplicitLocOpBuilder &builder, Value x, Args &&...args) {
  return Op::create(builder, x.getType(), x, std::forward<Args>(args)...);
}

bool GraphWriter::addFloatUnary(Value x) {
  constexpr unsigned numPlain = 8, numCurved = 16;
  bool isPlain = graph.isExact || factsOf(x).hasInfinity;
  unsigned number = random.below(isPlain ? numPlain : numPlain + numCurved);
  return number < numPlain ? addPlainUnary(number, x)
                           : addCurvedUnary(number - numPlain, x);
}

/// What keeps whole numbers whole, and infinities what they are.
bool GraphWriter::addPlainUnary(unsigned number, Value x) {
  Facts known = factsOf(x);
  switch (number) {
  case 0:
    return !!keep(unary<arith::NegFOp>(builder, x), known);
  case 1:
    return !!keep(unary<math::AbsFOp>(builder, x), known);
  case 2:
    return !!keep(unary<ReluOp>(builder, x), known);
  case 3: {
    double high = random.between(1, 3);
    known.bound = high;
    known.hasInfinity = false;
    return !!keep(
        unary<ClampOp>(builder, x, llvm::APFloat(-high), llvm::APFloat(high)),
        known);
  }
  case 4: {
    double factor = random.pick({-1.0, 2.0, -2.0, 3.0});
    if (!graph.isExact)
      factor = random.pick({0.125, -0.7, 1.5});
    known.bound *= std::abs(factor);
    if (known.hasInfinity)
      return false;
    return !!keepRounded(unary<ScaleOp>(builder, x, llvm::APFloat(factor)),
                         known);
  }
  case 5:
    if (known.hasInfinity)
      return false;
    known.bound *= 2;
    return !!keepRounded(
        unary<LeakyReluOp>(builder, x,
                           llvm::APFloat(graph.isExact ? 2.0 : 0.1)),
        known);
  case 6:
    if (!known.isPure)
      return false;
    known.bound += 1;
    return !!keep(random.chance(50) ? unary<math::FloorOp>(builder, x)
                                    : unary<math::CeilOp>(builder, x),
                  known);
  default:
    return !known.hasInfinity && !!multiply(x, x);
  }
}

/// What rounds, and has no infinite operands.
bool GraphWriter::addCurvedUnary(unsigned number, Value x) {
  Facts known = factsOf(x);
  switch (number) {
  case 0:
  case 1:
    return !!exponential(x);
  case 2:
    known.bound = 1;
    return !!keepRounded(unary<math::TanhOp>(builder, x), known);
  case 3:
    known.bound = 1;
    return !!keepRounded(unary<math::ErfOp>(builder, x), known);
  case 4:
    known.bound = 1;
    return !!keepRounded(unary<SigmoidOp>(builder, x), known);
  case 5:
    return !!keepRounded(unary<SiluOp>(builder, x), known);
  case 6:
    return !!keepRounded(GeluOp::create(builder, x.getType(), GeluForm::Erf, x),
                         known);
  case 7:
    if (known.bound > 5)
      return false;
    return !!keepRounded(
        GeluOp::create(builder, x.getType(), GeluForm::Tanh, x), known);
  case 8:
  case 9:
  case 10:
  case 11:
    return addRoot(x);
  case 12:
    if (known.bound > 20)
      return false;
    known.bound = 1;
    return !!keepRounded(random.chance(50) ? unary<math::SinOp>(builder, x)
                                           : unary<math::CosOp>(builder, x),
                         known);
  case 13:
    if (known.bound > 5)
      return false;
    known.bound = std::exp2(known.bound);
    return !!keepRounded(unary<math::Exp2Op>(builder, x), known);
  case 14:
    if (known.bound > 5)
      return false;
    known.bound = std::exp(known.bound);
    return !!keepRounded(unary<math::ExpM1Op>(builder, x), known);
  default:
    return !!add(x, constant(elementOf(x), shapeOf(x), 0.25));
  }
}

/// Roots, logarithms and reciprocals, of what is clearly above 0.
bool GraphWriter::addRoot(Value x) {
  Value positive = this->positive(x);
  if (!positive)
    return false;
  Facts known = factsOf(x);
  double bound = factsOf(positive).bound;
  switch (random.below(4)) {
  case 0:
    known.bound = 1.5;
    return !!keepRounded(unary<math::RsqrtOp>(builder, positive), known);
  case 1:
    known.bound = bound;
    return !!keepRounded(unary<math::SqrtOp>(builder, positive), known);
  case 2:
    known.bound = std::max(1.0, std::log(bound));
    return !!keepRounded(unary<math::LogOp>(builder, positive), known);
  default:
    known.bound = 2;
    return !!keepRounded(
        arith::DivFOp::create(builder, constant(elementOf(x), shapeOf(x), 1),
                              positive),
        known);
  }
}

bool GraphWriter::addFloatBinary(Value x, Value y) {
  const Facts &a = factsOf(x), &b = factsOf(y);
  bool hasInfinity = a.hasInfinity || b.hasInfinity;
  Facts larger = merge(a, b, std::max(a.bound, b.bound));
  switch (random.below(graph.isExact ? 8 : 9)) {
  case 0:
  case 1:
    return !hasInfinity && !!add(x, y);
  case 2:
    return !hasInfinity && !!subtract(x, y);
  case 3:
  case 4:
    return !hasInfinity && !!multiply(x, y);
  case 5:
    return !!keep(arith::MaximumFOp::create(builder, x, y), larger);
  case 6:
    return !!keep(arith::MinimumFOp::create(builder, x, y), larger);
  case 7: {
    Value condition = valueOf(builder.getI1Type(), shapeOf(x));
    return !!keep(arith::SelectOp::create(builder, condition, x, y), larger);
  }
  default:
    return !hasInfinity && !!divideBySum(x, y);
  }
}

bool GraphWriter::addIntBinary(Value x, Value y) {
  const Facts &a = factsOf(x), &b = factsOf(y);
  Type type = elementOf(x);
  Facts larger = merge(a, b, std::max(a.bound, b.bound));
  Facts sum = merge(a, b, a.bound + b.bound);
  // Bits of a negative number, so the whole type.
  Facts any = merge(a, b, 0x1p63);
  switch (random.below(9)) {
  case 0:
    return !!keep(arith::AddIOp::create(builder, x, y), sum);
  case 1:
    return !!keep(arith::SubIOp::create(builder, x, y), sum);
  case 2:
    return !!keep(arith::MulIOp::create(builder, x, y),
                  merge(a, b, a.bound * b.bound));
  case 3:
    return !!keep(arith::MaxSIOp::create(builder, x, y), larger);
  case 4:
    return !!keep(arith::MinSIOp::create(builder, x, y), larger);
  case 5:
    return !!keep(arith::AndIOp::create(builder, x, y), any);
  case 6:
    return !!keep(arith::XOrIOp::create(builder, x, y), any);
  case 7:
    return !!keep(
        arith::RemSIOp::create(
            builder, x, constant(type, shapeOf(x), random.between(2, 7))),
        a);
  default: {
    Value condition = valueOf(builder.getI1Type(), shapeOf(x));
    return !!keep(arith::SelectOp::create(builder, condition, x, y), larger);
  }
  }
}

bool GraphWriter::addBoolOp(Value x) {
  Value y = valueOf(builder.getI1Type(), shapeOf(x));
  switch (random.below(4)) {
  case 0:
    return !!keep(arith::AndIOp::create(builder, x, y), {});
  case 1:
    return !!keep(arith::OrIOp::create(builder, x, y), {});
  case 2:
    return !!keep(arith::XOrIOp::create(builder, x, y), {});
  default:
    return !!castTo(x, random.chance(50) ? Type(mainFloat)
                                         : Type(builder.getI32Type()));
  }
}

bool GraphWriter::addComparison(Value x, Value y) {
  if (isFloatTensor(x)) {
    if (!factsOf(x).isPure || !factsOf(y).isPure)
      return false;
    auto predicate =
        random.pick({arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
                     arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE,
                     arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE});
    return !!keep(arith::CmpFOp::create(builder, predicate, x, y), {});
  }
  auto predicate =
      random.pick({arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
                   arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge,
                   arith::CmpIPredicate::eq, arith::CmpIPredicate::ne,
                   arith::CmpIPredicate::ult});
  return !!keep(arith::CmpIOp::create(builder, predicate, x, y), {});
}

Value GraphWriter::castTo(Value x, Type element) {
  Type from = elementOf(x);
  Facts known = factsOf(x);
  auto type = typeOf(x).clone(element);
  if (from == element)
    return {};
  if (isa<FloatType>(from) && isa<FloatType>(element)) {
    unsigned old = from.getIntOrFloatBitWidth(),
             width = element.getIntOrFloatBitWidth();
    if (old < width)
      return keep(arith::ExtFOp::create(builder, type, x), known);
    if (old == width || known.hasInfinity)
      return {};
    return keepRounded(arith::TruncFOp::create(builder, type, x), known);
  }
  if (isa<FloatType>(element)) {
    if (from.isInteger(1))
      return keep(arith::UIToFPOp::create(builder, type, x), known);
    // Beyond it whole numbers are rounded.
    bool isHeld = known.bound <= (element.isF16()    ? 0x1p11
                                  : element.isBF16() ? 0x1p8
                                                     : 0x1p24);
    return isHeld ? keep(arith::SIToFPOp::create(builder, type, x), known)
                  : Value();
  }
  if (isa<FloatType>(from)) {
    if (!known.isPure || known.hasInfinity || element.isInteger(1) ||
        known.bound >= std::ldexp(1, element.getIntOrFloatBitWidth() - 1))
      return {};
    return keep(arith::FPToSIOp::create(builder, type, x), known);
  }
  if (from.isInteger(1))
    return keep(arith::ExtUIOp::create(builder, type, x), known);
  return from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth()
             ? keep(arith::ExtSIOp::create(builder, type, x), known)
             : keep(arith::TruncIOp::create(builder, type, x),
                    {0x1p63, 0, true, false});
}

bool GraphWriter::addCast(Value x) {
  Type element = drawFloat();
  if (random.chance(20))
    element = random.chance(70) ? builder.getI32Type() : builder.getI64Type();
  return !!castTo(x, element);
}

bool GraphWriter::addPointwise() {
  if (random.chance(12))
    if (Value x = pickValue([](Value value) { return isIntTensor(value); })) {
      Value y = valueOf(elementOf(x), shapeOf(x));
      return random.chance(25) ? addComparison(x, y) : addIntBinary(x, y);
    }
  if (random.chance(8))
    if (Value x = pickValue([](Value value) { return isBoolTensor(value); }))
      return addBoolOp(x);
  Value x = anyFloat();
  switch (random.below(10)) {
  case 0:
    return addCast(x);
  case 1:
    return addComparison(x, valueOf(elementOf(x), shapeOf(x)));
  case 2:
  case 3:
  case 4:
    return addFloatUnary(x);
  default:
    return addFloatBinary(x, valueOf(elementOf(x), shapeOf(x)));
  }
}
