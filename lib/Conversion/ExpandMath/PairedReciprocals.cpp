//===- PairedReciprocals.cpp - two reciprocals by one instruction ---------===//
//
// With a and b the two denominators, each 1 and a power of two,
//
//   r = 1 / (a b),  1 / a = r b,  1 / b = r a
//
// a and b are held below 2^124, and that of a NaN is, so that the other one is
// what it would be alone. One of them is scaled by 2^-124, so that the product
// is a number that has a reciprocal.
//
// From the results 2^-123 is subtracted, and what is below 0 then is 0: there
// an x that is minus infinity makes a NaN of it, as it would of 1 / infinity.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuse;

/// x * y - 2^-123, and between 0 and 1.
static Value timesInUnit(FloatBuilder &b, Value x, Value y) {
  return instruction(b, "fma.rn.sat.f32", {x, y, b.number(-0x1p-123)});
}

Value fuse::pairedReciprocals(FloatBuilder &b, Value power) {
  auto type = cast<VectorType>(power.getType());
  FloatBuilder one(b.getLoc(), b, type.getElementType());
  // Of a NaN it takes the number.
  Value held = arith::MinNumFOp::create(b, power, b.number(0x1p124));
  auto powers = vector::ToElementsOp::create(b, held).getResults();
  Value unit = one.number(1), scale = one.number(0x1p-124);
  auto reciprocal = [&](Value x) {
    return instruction(one, "rcp.approx.ftz.f32", x);
  };
  SmallVector<Value> results;
  for (size_t at = 0; at + 1 < powers.size(); at += 2) {
    Value scaled = one.fma(powers[at], scale, scale);
    Value other = one.add(powers[at + 1], unit);
    Value shared = reciprocal(one.mul(scaled, other));
    results.push_back(timesInUnit(one, one.mul(shared, other), scale));
    results.push_back(timesInUnit(one, shared, scaled));
  }
  if (results.size() < powers.size()) {
    Value last = vector::ToElementsOp::create(b, power).getResults().back();
    results.push_back(reciprocal(one.add(last, unit)));
  }
  return vector::FromElementsOp::create(b, type, results);
}
