//===- Logistic.cpp - quotients by 1 and a power --------------------------===//

#include "fuse/Dialect/Tile/Analysis/Logistic.h"
#include "fuse/Dialect/Tile/Analysis/SeenDigits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

bool fuse::tile::isOne(Value value) {
  std::optional<APFloat> number = numberOf(value);
  return number && number->isExactlyValue(1);
}

Value fuse::tile::exponentOf(Value denominator) {
  auto sum = denominator.getDefiningOp<arith::AddFOp>();
  if (!sum)
    return Value();
  for (auto [one, power] : {std::pair(sum.getLhs(), sum.getRhs()),
                            std::pair(sum.getRhs(), sum.getLhs())})
    if (isOne(one))
      if (Operation *op = power.getDefiningOp();
          isa_and_nonnull<math::ExpOp, math::Exp2Op>(op))
        return op->getOperand(0);
  return Value();
}

static bool isFiniteFactor(Value value) {
  std::optional<APFloat> number = numberOf(value);
  return number && number->isFiniteNonZero();
}

static bool isFiniteTerm(Value value) {
  std::optional<APFloat> number = numberOf(value);
  return number && number->isFinite();
}

static bool isNumberOf(Value value, Value x, unsigned depth) {
  constexpr unsigned deepest = 8;
  if (value == x)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || depth == deepest)
    return false;
  auto isPart = [&](unsigned number) {
    return isNumberOf(op->getOperand(number), x, depth + 1);
  };
  if (isa<arith::NegFOp>(op))
    return isPart(0);
  if (isa<arith::MulFOp>(op))
    return (isPart(0) || isFiniteFactor(op->getOperand(0))) &&
           (isPart(1) || isFiniteFactor(op->getOperand(1)));
  if (isa<arith::AddFOp>(op))
    return (isPart(0) && isFiniteTerm(op->getOperand(1))) ||
           (isPart(1) && isFiniteTerm(op->getOperand(0)));
  if (isa<math::FmaOp>(op))
    return (isPart(0) || isFiniteFactor(op->getOperand(0))) &&
           (isPart(1) || isFiniteFactor(op->getOperand(1))) &&
           isFiniteTerm(op->getOperand(2));
  return false;
}

bool fuse::tile::isNumberOf(Value value, Value x) {
  return ::isNumberOf(value, x, 0);
}
