//===- Number.h - exact values with the error that is allowed -*- C++ -*-===//
//
// The oracle computes every workload in double, without any of the roundings
// that its graph performs. To know how far from that a right answer may be,
// each number carries, beside its value, the size of the error that a
// computation in the graph's own types typically has made on the way to it:
//
//   - an input is exact;
//   - an operation in f32 adds a rounding error of half a unit in the last
//     place, and passes on the errors of its operands, magnified by its
//     derivatives;
//   - a cast that the graph performs (`cast` below) adds the rounding error of
//     its type and leaves the value alone.
//
// Errors are taken as independent: variances add. A result is wrong when it is
// off by more than a few standard deviations (see kDefaultSlack in Main.cpp).
// So the allowance follows the data: it grows where a sum cancels, stays small
// in a row of small probabilities, and is zero where nothing was computed, as
// in the rows that a mask empties.
//
// It is typical error, not a bound on it: a number whose errors all point the
// same way is what the slack is for.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_ORACLE_NUMBER_H
#define FUSE_TEST_ORACLE_NUMBER_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace oracle {

/// What a number is stored in, or multiplied in.
enum class Format { F8E4M3FN, BF16, F16, TF32, TF32x3, F32, F64, Integer };

/// Half a unit in the last place of 1.
inline double roundoffOf(Format format) {
  switch (format) {
  case Format::F8E4M3FN:
    return 0x1p-4;
  case Format::BF16:
    return 0x1p-8;
  case Format::F16:
  case Format::TF32:
    return 0x1p-11;
  case Format::TF32x3: // What the product of the two small parts is worth.
    return 0x1p-21;
  case Format::F32:
    return 0x1p-24;
  case Format::F64:
    return 0x1p-53;
  case Format::Integer:
    return 0;
  }
  return 0;
}

/// The error of rounding something tiny. The smallest normal number counts for
/// the formats with f32's exponents: chips may flush what is below.
inline double underflowOf(Format format) {
  switch (format) {
  case Format::F8E4M3FN:
    return 0x1p-10;
  case Format::F16:
    return 0x1p-25;
  case Format::F64:
  case Format::Integer:
    return 0;
  default:
    return 0x1p-126;
  }
}

/// The largest finite number.
inline double largestOf(Format format) {
  switch (format) {
  case Format::F8E4M3FN:
    return 448;
  case Format::F16:
    return 65504;
  case Format::BF16:
    return 0x1.fep127;
  case Format::F64:
  case Format::Integer:
    return std::numeric_limits<double>::max();
  default:
    return std::numeric_limits<float>::max();
  }
}

struct Number {
  double value = 0;
  /// The square of the typical error.
  double variance = 0;

  Number() = default;
  Number(double value, double variance = 0)
      : value(value), variance(variance) {}

  double error() const { return std::sqrt(variance); }
};

inline double square(double x) { return x * x; }

/// `value`, computed with `variance` so far and now rounded to `format`. Only
/// an exact zero stays exact.
inline Number rounded(double value, double variance, Format format) {
  if (!std::isfinite(value))
    return {value};
  if (value == 0 && variance == 0)
    return {};
  return {value,
          variance + square(std::max(roundoffOf(format) * std::abs(value),
                                     underflowOf(format)))};
}

/// A cast in the graph: the value is kept, the error is not.
inline Number cast(Number x, Format format) {
  return rounded(x.value, x.variance, format);
}

inline Number operator+(Number a, Number b) {
  return rounded(a.value + b.value, a.variance + b.variance, Format::F32);
}
inline Number operator-(Number a, Number b) {
  return rounded(a.value - b.value, a.variance + b.variance, Format::F32);
}
inline Number operator*(Number a, Number b) {
  return rounded(a.value * b.value,
                 square(b.value) * a.variance + square(a.value) * b.variance,
                 Format::F32);
}
inline Number operator/(Number a, Number b) {
  double quotient = a.value / b.value;
  return rounded(quotient,
                 (a.variance + square(quotient) * b.variance) / square(b.value),
                 Format::F32);
}
inline Number &operator+=(Number &a, Number b) { return a = a + b; }

/// A function that is known to about two units in the last place of `scale`:
/// of its own value, or of 1 for a function that approaches 1 and is made of
/// things of that size.
inline Number function(double value, double derivative, Number x,
                       double scale) {
  if (!std::isfinite(value))
    return {value};
  double variance = derivative == 0 ? 0 : square(derivative) * x.variance;
  return {value, variance + square(4 * roundoffOf(Format::F32) * scale +
                                   underflowOf(Format::F32))};
}

/// e^x, by way of the power of two that chips have: x/ln(2) is rounded.
inline Number exp(Number x) {
  Number exponent = x * std::numbers::log2e;
  double value = std::exp(x.value);
  return function(value, value * std::numbers::ln2, exponent, value);
}
inline Number sqrt(Number x) {
  double value = std::sqrt(x.value);
  return function(value, 0.5 / value, x, value);
}
inline Number tanh(Number x) {
  double value = std::tanh(x.value);
  return function(value, 1 - square(value), x, 1);
}
inline Number erf(Number x) {
  double slope = 2 * std::numbers::inv_sqrtpi * std::exp(-square(x.value));
  return function(std::erf(x.value), slope, x, 1);
}
inline Number max(Number a, Number b) {
  return b.value > a.value || std::isnan(b.value) ? b : a;
}
inline Number relu(Number x) { return x.value < 0 ? Number(0, x.variance) : x; }
inline Number sigmoid(Number x) {
  return Number(1) / (Number(1) + exp(Number(-x.value, x.variance)));
}
/// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
inline Number geluTanh(Number x) {
  Number inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return x * 0.5 * (Number(1) + tanh(inner));
}
/// x/2 (1 + erf(x / sqrt(2)))
inline Number geluErf(Number x) {
  return x * 0.5 * (Number(1) + erf(x * (1 / std::numbers::sqrt2)));
}

} // namespace oracle

#endif // FUSE_TEST_ORACLE_NUMBER_H
