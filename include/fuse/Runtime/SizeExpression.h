//===- SizeExpression.h - numbers that depend on sizes ----------*- C++ -*-===//
//
// An Image is made before anyone knows how long its inputs are. What depends on
// that, such as a grid, is kept as an expression and evaluated when they come.
//
// An expression is a list of steps in postfix order: it can be copied, compared
// and written to a file as it is, and cannot refer to itself.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_SIZEEXPRESSION_H
#define FUSE_RUNTIME_SIZEEXPRESSION_H

#include "fuse/Runtime/Error.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fuse {

/// What is known when a program is run.
struct SizeBindings {
  /// The shape of every input.
  std::vector<std::vector<int64_t>> shapes;
  /// The arguments that are numbers, not tensors.
  std::vector<int64_t> scalars;
  /// How many multiprocessors the device has, or a kernel's blocks find room on
  /// where its grid is meant. Filled in by whoever knows the device.
  int64_t multiprocessors = 0;
};

class SizeExpression {
public:
  enum class Kind : uint8_t {
    Constant,        ///< `value`.
    Size,            ///< Size `dim` of input `number`.
    Scalar,          ///< The scalar argument `number`.
    Multiprocessors, ///< See SizeBindings.
    Add,
    Sub,
    Mul,
    FloorDiv, ///< Rounds down, also for negative numbers.
    CeilDiv,  ///< Rounds up, also for negative numbers.
    Mod,      ///< What FloorDiv leaves: never negative for a positive divisor.
    Min,
    Max,
  };

  /// One step: a leaf pushes a number, an operation combines the last two.
  struct Step {
    Kind kind = Kind::Constant;
    uint32_t number = 0, dim = 0;
    int64_t value = 0;
    bool operator==(const Step &) const = default;
  };

  /// Implicit, so that numbers can be written where an expression is needed.
  SizeExpression(int64_t value = 0);
  static SizeExpression size(uint32_t input, uint32_t dim);
  static SizeExpression scalar(uint32_t number);
  static SizeExpression multiprocessors();

  /// `kind` is one of the operations. Two constants become one, unless the
  /// result cannot be said.
  static SizeExpression combine(Kind kind, const SizeExpression &lhs,
                                const SizeExpression &rhs);

  /// Fails unless the steps leave exactly one number.
  static Result<SizeExpression> fromSteps(std::vector<Step> steps);

  /// Never wraps: what does not fit 64 bits, a division by zero, and a size
  /// that is not bound are errors that print the expression.
  Result<int64_t> evaluate(const SizeBindings &bindings) const;

  std::optional<int64_t> constant() const;
  /// Whether this is the expression `size(input, dim)`.
  bool isSize(uint32_t input, uint32_t dim) const;

  std::span<const Step> steps() const { return postfix; }

  /// "ceildiv(in0.size(1), 128) * 4".
  std::string str() const;

  bool operator==(const SizeExpression &) const = default;

private:
  std::vector<Step> postfix;
};

SizeExpression operator+(const SizeExpression &a, const SizeExpression &b);
SizeExpression operator-(const SizeExpression &a, const SizeExpression &b);
SizeExpression operator*(const SizeExpression &a, const SizeExpression &b);
SizeExpression operator%(const SizeExpression &a, const SizeExpression &b);
SizeExpression floorDiv(const SizeExpression &a, const SizeExpression &b);
SizeExpression ceilDiv(const SizeExpression &a, const SizeExpression &b);
SizeExpression min(const SizeExpression &a, const SizeExpression &b);
SizeExpression max(const SizeExpression &a, const SizeExpression &b);

/// Evaluates each; errors say which one it was.
Result<std::vector<int64_t>> evaluateAll(std::span<const SizeExpression> shape,
                                         const SizeBindings &bindings);

/// "in0.size(0)x512", or "scalar".
std::string formatShape(std::span<const SizeExpression> shape);

} // namespace fuse

#endif // FUSE_RUNTIME_SIZEEXPRESSION_H
