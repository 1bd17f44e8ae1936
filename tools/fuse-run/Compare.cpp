//===- Compare.cpp - whether a result is right ----------------------------===//
//
// All comparisons are one loop with another idea of what is allowed.
//
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include <cmath>
#include <limits>

using namespace fuse;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// |a - b| where two NaNs, and two equal infinities, are the same.
static double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  double difference = std::abs(a - b);
  return std::isnan(difference) ? infinity : difference;
}

/// Calls `allowed(index, wanted)` for every element.
template <typename Allowed>
static Comparison compare(const HostBuffer &result, const HostBuffer &wanted,
                          Allowed allowed) {
  Comparison comparison;
  double worst = -1;
  for (size_t i = 0, e = result.elementCount(); i < e; ++i) {
    double want = loadAsDouble(wanted.type(), wanted.data(), i);
    double got = loadAsDouble(result.type(), result.data(), i);
    double error = distance(got, want), limit = allowed(i, want);
    bool isWrong = !(error <= limit);
    comparison.numWrong += isWrong;
    comparison.maxError = std::max(comparison.maxError, error);
    // Wrong elements are worse than right ones, however close.
    double badness = error == 0 ? 0 : limit > 0 ? error / limit : infinity;
    if (badness <= worst)
      continue;
    worst = badness;
    comparison.worstIndex = i;
    comparison.got = got;
    comparison.wanted = want;
    comparison.error = error;
    comparison.allowed = limit;
  }
  return comparison;
}

Comparison fuse::compareWithUnfused(const HostBuffer &result,
                                    const HostBuffer &unfused,
                                    const HostBuffer &exact) {
  size_t count = result.elementCount();
  double unfusedError = 0, squares = 0;
  size_t numFinite = 0;
  for (size_t i = 0; i < count; ++i) {
    double want = loadAsDouble(exact.type(), exact.data(), i);
    double error =
        distance(loadAsDouble(unfused.type(), unfused.data(), i), want);
    if (std::isfinite(error))
      unfusedError = std::max(unfusedError, error);
    if (!std::isfinite(want))
      continue;
    squares += want * want;
    ++numFinite;
  }
  // Few elements may all be exact by luck: some roundings of a number of
  // typical size are always allowed.
  double typical = numFinite ? std::sqrt(squares / double(numFinite)) : 0;
  double unit = 4 * epsilon(result.type());
  auto allowed = [&](size_t i, double want) {
    double own = loadAsDouble(unfused.type(), unfused.data(), i);
    // Where the types themselves overflow, or make a NaN, anything is right
    // that they make.
    if (distance(own, want) == infinity)
      return infinity;
    if (!std::isfinite(want))
      return 0.0;
    if (isInteger(result.type()))
      return distance(own, want);
    return 2 * unfusedError + unit * std::max(std::abs(want), typical);
  };
  Comparison comparison = compare(result, exact, allowed);
  comparison.unfusedError = unfusedError;
  return comparison;
}

Comparison fuse::compareExactly(const HostBuffer &result,
                                const HostBuffer &exact) {
  return compare(result, exact, [](size_t, double) { return 0.0; });
}

Comparison fuse::compareWithin(const HostBuffer &result,
                               const HostBuffer &expected, double relative,
                               double absolute) {
  return compare(result, expected, [&](size_t, double want) {
    return std::isfinite(want) ? absolute + relative * std::abs(want) : 0.0;
  });
}
