//===- SizeExpression.cpp - numbers that depend on sizes ------------------===//
//
// Evaluation and printing are the same walk over the steps: one with a stack of
// numbers, the other with a stack of texts.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/SizeExpression.h"

#include <algorithm>
#include <limits>

using namespace fuse;

using Kind = SizeExpression::Kind;
using Step = SizeExpression::Step;

static bool isLeaf(Kind kind) { return kind < Kind::Add; }

//===----------------------------------------------------------------------===//
// Making them
//===----------------------------------------------------------------------===//

SizeExpression::SizeExpression(int64_t value) {
  postfix.push_back({Kind::Constant, 0, 0, value});
}

SizeExpression SizeExpression::size(uint32_t input, uint32_t dim) {
  SizeExpression result;
  result.postfix = {{Kind::Size, input, dim, 0}};
  return result;
}

SizeExpression SizeExpression::scalar(uint32_t number) {
  SizeExpression result;
  result.postfix = {{Kind::Scalar, number, 0, 0}};
  return result;
}

SizeExpression SizeExpression::multiprocessors() {
  SizeExpression result;
  result.postfix = {{Kind::Multiprocessors, 0, 0, 0}};
  return result;
}

SizeExpression SizeExpression::combine(Kind kind, const SizeExpression &lhs,
                                       const SizeExpression &rhs) {
  assert(!isLeaf(kind) && "only operations combine");
  // What changes nothing is left out.
  int64_t neutral = kind == Kind::Mul ? 1 : 0;
  if (kind == Kind::Add || kind == Kind::Mul) {
    if (lhs.constant() == neutral)
      return rhs;
    if (rhs.constant() == neutral)
      return lhs;
  }
  SizeExpression result;
  result.postfix = lhs.postfix;
  result.postfix.insert(result.postfix.end(), rhs.postfix.begin(),
                        rhs.postfix.end());
  result.postfix.push_back({kind, 0, 0, 0});
  if (lhs.constant() && rhs.constant())
    // What overflows stays an expression, and says so when it is evaluated.
    if (Result<int64_t> value = result.evaluate(SizeBindings()))
      return SizeExpression(*value);
  return result;
}

Result<SizeExpression> SizeExpression::fromSteps(std::vector<Step> steps) {
  // No sensible expression is longer, and printing is quadratic.
  constexpr size_t maxSteps = 4096;
  if (steps.size() > maxSteps)
    return RuntimeError(ErrorCode::BadInput,
                        "an expression has " + std::to_string(steps.size()) +
                            " steps, but at most " + std::to_string(maxSteps) +
                            " are supported");
  size_t depth = 0;
  for (const Step &step : steps) {
    if (step.kind > Kind::Max)
      return RuntimeError(ErrorCode::BadInput,
                          "an expression has a step of the unknown kind " +
                              std::to_string(unsigned(step.kind)));
    if (isLeaf(step.kind))
      ++depth;
    else if (depth < 2)
      return RuntimeError(ErrorCode::BadInput,
                          "an expression has an operation without operands");
    else
      --depth;
  }
  if (depth != 1)
    return RuntimeError(ErrorCode::BadInput, "an expression leaves " +
                                                 std::to_string(depth) +
                                                 " numbers, but one is needed");
  SizeExpression result;
  result.postfix = std::move(steps);
  return result;
}

std::optional<int64_t> SizeExpression::constant() const {
  if (postfix.size() == 1 && postfix[0].kind == Kind::Constant)
    return postfix[0].value;
  return std::nullopt;
}

bool SizeExpression::isSize(uint32_t input, uint32_t dim) const {
  return postfix.size() == 1 && postfix[0] == Step{Kind::Size, input, dim, 0};
}

SizeExpression fuse::operator+(const SizeExpression &a,
                               const SizeExpression &b) {
  return SizeExpression::combine(Kind::Add, a, b);
}
SizeExpression fuse::operator-(const SizeExpression &a,
                               const SizeExpression &b) {
  return SizeExpression::combine(Kind::Sub, a, b);
}
SizeExpression fuse::operator*(const SizeExpression &a,
                               const SizeExpression &b) {
  return SizeExpression::combine(Kind::Mul, a, b);
}
SizeExpression fuse::operator%(const SizeExpression &a,
                               const SizeExpression &b) {
  return SizeExpression::combine(Kind::Mod, a, b);
}
SizeExpression fuse::floorDiv(const SizeExpression &a,
                              const SizeExpression &b) {
  return SizeExpression::combine(Kind::FloorDiv, a, b);
}
SizeExpression fuse::ceilDiv(const SizeExpression &a, const SizeExpression &b) {
  return SizeExpression::combine(Kind::CeilDiv, a, b);
}
SizeExpression fuse::min(const SizeExpression &a, const SizeExpression &b) {
  return SizeExpression::combine(Kind::Min, a, b);
}
SizeExpression fuse::max(const SizeExpression &a, const SizeExpression &b) {
  return SizeExpression::combine(Kind::Max, a, b);
}

//===----------------------------------------------------------------------===//
// Evaluating them
//===----------------------------------------------------------------------===//

/// Absent where the result does not fit; the divisor is not 0.
static std::optional<int64_t> apply(Kind kind, int64_t a, int64_t b) {
  constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
  int64_t result = 0;
  bool overflows = false;
  // Of numbers of different sign, C++ rounds the quotient up.
  auto isInexact = [&] { return a % b != 0; };
  switch (kind) {
  case Kind::Add:
    overflows = __builtin_add_overflow(a, b, &result);
    break;
  case Kind::Sub:
    overflows = __builtin_sub_overflow(a, b, &result);
    break;
  case Kind::Mul:
    overflows = __builtin_mul_overflow(a, b, &result);
    break;
  case Kind::FloorDiv:
    if (a == lowest && b == -1)
      return std::nullopt;
    result = a / b - ((a < 0) != (b < 0) && isInexact());
    break;
  case Kind::CeilDiv:
    if (a == lowest && b == -1)
      return std::nullopt;
    result = a / b + ((a < 0) == (b < 0) && isInexact());
    break;
  case Kind::Mod:
    // The processor traps on the lowest number modulo -1.
    result = b == -1 ? 0 : a % b;
    if (result != 0 && (result < 0) != (b < 0))
      result += b;
    break;
  case Kind::Min:
    result = std::min(a, b);
    break;
  case Kind::Max:
    result = std::max(a, b);
    break;
  default:
    __builtin_unreachable();
  }
  if (overflows)
    return std::nullopt;
  return result;
}

static Result<int64_t> valueOf(const Step &leaf, const SizeBindings &bindings) {
  switch (leaf.kind) {
  case Kind::Constant:
    return leaf.value;
  case Kind::Size:
    if (leaf.number < bindings.shapes.size() &&
        leaf.dim < bindings.shapes[leaf.number].size())
      return bindings.shapes[leaf.number][leaf.dim];
    return RuntimeError(ErrorCode::BadInput,
                        "size " + std::to_string(leaf.dim) + " of input " +
                            std::to_string(leaf.number) + " is not known");
  case Kind::Scalar:
    if (leaf.number < bindings.scalars.size())
      return bindings.scalars[leaf.number];
    return RuntimeError(ErrorCode::BadInput, "scalar argument " +
                                                 std::to_string(leaf.number) +
                                                 " is not known");
  case Kind::Multiprocessors:
    if (bindings.multiprocessors > 0)
      return bindings.multiprocessors;
    return RuntimeError(ErrorCode::BadInput,
                        "the number of multiprocessors is not known");
  default:
    __builtin_unreachable();
  }
}

Result<int64_t> SizeExpression::evaluate(const SizeBindings &bindings) const {
  std::vector<int64_t> stack;
  for (const Step &step : postfix) {
    if (isLeaf(step.kind)) {
      Result<int64_t> value = valueOf(step, bindings);
      if (!value)
        return value.takeError();
      stack.push_back(*value);
      continue;
    }
    int64_t rhs = stack.back();
    stack.pop_back();
    bool divides = step.kind == Kind::FloorDiv || step.kind == Kind::CeilDiv ||
                   step.kind == Kind::Mod;
    if (divides && rhs == 0)
      return RuntimeError(ErrorCode::BadInput,
                          "'" + str() + "' divides by zero");
    std::optional<int64_t> result = apply(step.kind, stack.back(), rhs);
    if (!result)
      return RuntimeError(ErrorCode::BadInput,
                          "'" + str() + "' does not fit 64 bits");
    stack.back() = *result;
  }
  return stack.back();
}

Result<std::vector<int64_t>>
fuse::evaluateAll(std::span<const SizeExpression> shape,
                  const SizeBindings &bindings) {
  std::vector<int64_t> values;
  for (size_t i = 0; i < shape.size(); ++i) {
    Result<int64_t> value = shape[i].evaluate(bindings);
    if (!value)
      return std::move(value.takeError())
          .withContext("size " + std::to_string(i));
    values.push_back(*value);
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Printing them
//===----------------------------------------------------------------------===//

namespace {

/// What binds stronger has a larger number; 3 needs no parentheses anywhere.
struct Text {
  std::string text;
  int strength = 3;

  std::string within(int needed) const {
    return strength < needed ? "(" + text + ")" : text;
  }
};

} // namespace

static std::string leafText(const Step &leaf) {
  switch (leaf.kind) {
  case Kind::Constant:
    return std::to_string(leaf.value);
  case Kind::Size:
    return "in" + std::to_string(leaf.number) + ".size(" +
           std::to_string(leaf.dim) + ")";
  case Kind::Scalar:
    return "scalar" + std::to_string(leaf.number);
  case Kind::Multiprocessors:
    return "multiprocessors";
  default:
    __builtin_unreachable();
  }
}

static Text operationText(Kind kind, const Text &lhs, const Text &rhs) {
  auto infix = [&](const char *sign, int strength) -> Text {
    return {lhs.within(strength) + sign + rhs.within(strength + 1), strength};
  };
  auto call = [&](const char *name) -> Text {
    return {std::string(name) + "(" + lhs.text + ", " + rhs.text + ")"};
  };
  switch (kind) {
  case Kind::Add:
    return infix(" + ", 1);
  case Kind::Sub:
    return infix(" - ", 1);
  case Kind::Mul:
    return infix(" * ", 2);
  case Kind::Mod:
    return infix(" % ", 2);
  case Kind::FloorDiv:
    return call("floordiv");
  case Kind::CeilDiv:
    return call("ceildiv");
  case Kind::Min:
    return call("min");
  case Kind::Max:
    return call("max");
  default:
    __builtin_unreachable();
  }
}

std::string SizeExpression::str() const {
  std::vector<Text> stack;
  for (const Step &step : postfix) {
    if (isLeaf(step.kind)) {
      stack.push_back({leafText(step)});
      continue;
    }
    Text rhs = std::move(stack.back());
    stack.pop_back();
    stack.back() = operationText(step.kind, stack.back(), rhs);
  }
  return std::move(stack.back().text);
}

std::string fuse::formatShape(std::span<const SizeExpression> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (const SizeExpression &size : shape) {
    if (!text.empty())
      text += 'x';
    bool isAtom = size.steps().size() == 1;
    text += isAtom ? size.str() : "(" + size.str() + ")";
  }
  return text;
}
