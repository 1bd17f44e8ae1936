//===- Logistic.cpp - quotients by 1 and a power --------------------------===//

#include "fuse/Dialect/Tile/Analysis/Logistic.h"
#include "fuse/Dialect/Tile/Analysis/SeenDigits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

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

namespace {

/// What a number is at least where |x| is large, slope * |x|, and how often x
/// is a factor of it.
struct Growth {
  double slope = 1;
  unsigned degree = 1;
};

/// Of what is computed from an x.
class Grower {
public:
  explicit Grower(Value x) : x(x) {}
  std::optional<Growth> of(Value value, unsigned depth = 0);

private:
  std::optional<Growth> ofProduct(Value lhs, Value rhs, unsigned depth);
  /// `value`, if `term` is a constant that it outgrows soon.
  std::optional<Growth> ofSum(std::optional<Growth> value, Value term);

  Value x;
};

} // namespace

std::optional<Growth> Grower::ofProduct(Value lhs, Value rhs, unsigned depth) {
  constexpr unsigned mostDegree = 4;
  constexpr double least = 0x1p-10, most = 0x1p7;
  for (auto [value, other] : {std::pair(lhs, rhs), std::pair(rhs, lhs)})
    if (std::optional<APFloat> number = numberOf(other)) {
      double factor = std::abs(number->convertToDouble());
      std::optional<Growth> growth = of(value, depth);
      // Which what is no number is not.
      bool isInRange = least <= factor && factor <= most;
      if (!growth || !isInRange)
        return std::nullopt;
      return Growth{growth->slope * factor, growth->degree};
    }
  std::optional<Growth> first = of(lhs, depth), second = of(rhs, depth);
  if (!first || !second || first->degree + second->degree > mostDegree)
    return std::nullopt;
  return Growth{first->slope * second->slope, first->degree + second->degree};
}

std::optional<Growth> Grower::ofSum(std::optional<Growth> value, Value term) {
  constexpr double most = 0x1p10;
  std::optional<APFloat> number = numberOf(term);
  if (!number || !(std::abs(number->convertToDouble()) <= most))
    return std::nullopt;
  return value;
}

std::optional<Growth> Grower::of(Value value, unsigned depth) {
  constexpr unsigned deepest = 8;
  if (value == x)
    return Growth();
  Operation *op = value.getDefiningOp();
  if (!op || depth == deepest)
    return std::nullopt;
  if (isa<arith::NegFOp>(op))
    return of(op->getOperand(0), depth + 1);
  if (isa<arith::MulFOp>(op))
    return ofProduct(op->getOperand(0), op->getOperand(1), depth + 1);
  if (isa<arith::AddFOp>(op)) {
    bool isFirst = !numberOf(op->getOperand(0));
    return ofSum(of(op->getOperand(isFirst ? 0 : 1), depth + 1),
                 op->getOperand(isFirst ? 1 : 0));
  }
  if (isa<math::FmaOp>(op))
    return ofSum(ofProduct(op->getOperand(0), op->getOperand(1), depth + 1),
                 op->getOperand(2));
  return std::nullopt;
}

bool fuse::tile::growsWith(Value value, Value x) {
  constexpr double least = 0x1p-10;
  std::optional<Growth> growth = Grower(x).of(value);
  return growth && growth->slope >= least;
}
