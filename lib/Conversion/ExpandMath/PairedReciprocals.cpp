//===- PairedReciprocals.cpp - two reciprocals by one instruction ---------===//
//
// With a and b the two denominators, each 1 and a power of two,
//
//   r = 1 / (a b),  1 / a = r b,  1 / b = r a
//
// Both are held below 2^126.5, also where they are NaN, so that the other one
// is what it would be alone. One of them is scaled by 2^-126, so that the
// product is a number; where it is beyond 2^126 its reciprocal is 0, and both
// are more than 2^125.
//
// What is below the least normal number is 0, as it would be alone, and so is
// the reciprocal of a number that was held: there an x that is minus infinity
// makes a NaN of it.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuse;

/// x * y, or 0 below the least normal number.
static Value timesOrZero(FloatBuilder &b, Value x, Value y) {
  return instruction(b, "mul.rn.ftz.f32", {x, y});
}

Value fuse::pairedReciprocals(FloatBuilder &b, Value power) {
  auto type = cast<VectorType>(power.getType());
  FloatBuilder one(b.getLoc(), b, type.getElementType());
  // Of a NaN it takes the number.
  Value held = arith::MinNumFOp::create(b, power, b.number(0x1.6a09e6p126));
  auto powers = vector::ToElementsOp::create(b, held).getResults();
  Value unit = one.number(1), scale = one.number(0x1p-126);
  auto reciprocal = [&](Value x) {
    return instruction(one, "rcp.approx.ftz.f32", x);
  };
  SmallVector<Value> results;
  for (size_t at = 0; at + 1 < powers.size(); at += 2) {
    Value scaled = one.fma(powers[at], scale, scale);
    Value other = one.add(powers[at + 1], unit);
    Value shared = reciprocal(one.mul(scaled, other));
    results.push_back(timesOrZero(one, one.mul(shared, other), scale));
    results.push_back(timesOrZero(one, shared, scaled));
  }
  if (results.size() < powers.size()) {
    Value last = vector::ToElementsOp::create(b, power).getResults().back();
    results.push_back(reciprocal(one.add(last, unit)));
  }
  return vector::FromElementsOp::create(b, type, results);
}
