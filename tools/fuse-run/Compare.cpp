//===- Compare.cpp - whether a result is right ----------------------------===//
//
// All comparisons are one loop with another idea of what is allowed.
//
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace fuse;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// |a - b| where two NaNs, and two equal infinities, are the same.
static double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  double difference = std::abs(a - b);
  return std::isnan(difference) ? infinity : difference;
}

/// The distance of two elements. Integers are subtracted as integers: beyond
/// 2^53 they may differ although their doubles do not.
static double distanceAt(const HostBuffer &a, const HostBuffer &b, size_t i) {
  if (!isInteger(a.type()) || !isInteger(b.type()))
    return distance(loadAsDouble(a.type(), a.data(), i),
                    loadAsDouble(b.type(), b.data(), i));
  auto x = static_cast<uint64_t>(loadAsInt(a.type(), a.data(), i));
  auto y = static_cast<uint64_t>(loadAsInt(b.type(), b.data(), i));
  // The larger minus the smaller is right as an unsigned number, whatever the
  // signs are.
  bool isLess = static_cast<int64_t>(x) < static_cast<int64_t>(y);
  return static_cast<double>(isLess ? y - x : x - y);
}

/// Looks at every element: how far it may be off is `allowed(index, wanted)`,
/// whether it is wrong `isWrong(index, error, allowed)`.
template <typename Allowed, typename IsWrong>
static Comparison compare(const HostBuffer &result, const HostBuffer &wanted,
                          Allowed allowed, IsWrong isWrong) {
  Comparison comparison;
  double worst = -1;
  for (size_t i = 0, e = result.elementCount(); i < e; ++i) {
    double want = loadAsDouble(wanted.type(), wanted.data(), i);
    double error = distanceAt(result, wanted, i), limit = allowed(i, want);
    bool wrong = isWrong(i, error, limit);
    comparison.numWrong += wrong;
    comparison.maxError = std::max(comparison.maxError, error);
    // Wrong elements are worse than right ones, however close.
    double badness =
        error == 0 || limit == infinity || limit == 0 ? 0 : error / limit;
    if (wrong)
      badness = infinity;
    if (badness <= worst)
      continue;
    worst = badness;
    comparison.worstIndex = i;
    comparison.got = loadAsDouble(result.type(), result.data(), i);
    comparison.wanted = want;
    comparison.error = error;
    comparison.allowed = limit;
  }
  return comparison;
}

static bool exceeds(size_t, double error, double limit) {
  return !(error <= limit);
}

/// The size of a typical element: the median of those that are finite, the
/// lower one if there are two. A mean, or the upper median of two elements,
/// would follow a single large one, and allow the others anything.
static double typicalSize(const HostBuffer &buffer) {
  constexpr size_t enough = 1 << 16;
  size_t count = buffer.elementCount();
  size_t step = std::max<size_t>(1, count / enough);
  std::vector<double> sizes;
  for (size_t i = 0; i < count; i += step) {
    double size = std::abs(loadAsDouble(buffer.type(), buffer.data(), i));
    if (std::isfinite(size))
      sizes.push_back(size);
  }
  if (sizes.empty())
    return 0;
  auto middle = sizes.begin() + static_cast<ptrdiff_t>((sizes.size() - 1) / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

double fuse::largestError(const HostBuffer &unfused, const HostBuffer &exact) {
  double largest = 0;
  for (size_t i = 0, e = exact.elementCount(); i < e; ++i) {
    double error = distanceAt(unfused, exact, i);
    if (std::isfinite(error))
      largest = std::max(largest, error);
  }
  return largest;
}

unsigned fuse::ordersToTry(size_t numElements) {
  // About as many roundings as a result of this size has; and some of a larger
  // one, which may be made of one sum.
  constexpr size_t enough = 4096, most = 16, least = 4, large = 1 << 20;
  if (numElements > large)
    return 0;
  return std::clamp(enough / std::max<size_t>(numElements, 1), least, most);
}

Comparison fuse::compareWithUnfused(const HostBuffer &result,
                                    const HostBuffer &unfused,
                                    const HostBuffer &exact,
                                    double otherError) {
  double unfusedError = std::max(largestError(unfused, exact), otherError);
  // Few elements may all be exact by luck: some roundings of a number of
  // typical size are always allowed.
  double typical = typicalSize(exact);
  double unit = 4 * epsilon(result.type());
  auto allowed = [&](size_t i, double want) {
    double own = distanceAt(unfused, exact, i);
    // Where the types themselves overflow, or make a NaN, anything is right
    // that they make.
    if (own == infinity)
      return infinity;
    if (!std::isfinite(want))
      return 0.0;
    if (isInteger(result.type()))
      return own;
    return 2 * unfusedError + unit * std::max(std::abs(want), typical);
  };
  Comparison comparison = compare(result, exact, allowed, exceeds);
  comparison.unfusedError = unfusedError;
  return comparison;
}

Comparison fuse::compareExactly(const HostBuffer &result,
                                const HostBuffer &exact) {
  // Bit for bit, except that all NaNs are one: how they look is nobody's
  // promise.
  auto differs = [&](size_t i, double, double) {
    if (isInteger(result.type()))
      return distanceAt(result, exact, i) != 0;
    double want = loadAsDouble(exact.type(), exact.data(), i);
    if (std::isnan(want))
      return !std::isnan(loadAsDouble(result.type(), result.data(), i));
    uint64_t rounded = 0;
    storeDouble(result.type(), &rounded, 0, want);
    return loadBits(result.type(), &rounded, 0) !=
           loadBits(result.type(), result.data(), i);
  };
  auto nothing = [](size_t, double) { return 0.0; };
  return compare(result, exact, nothing, differs);
}

Comparison fuse::compareWithin(const HostBuffer &result,
                               const HostBuffer &expected, double relative,
                               double absolute) {
  auto allowed = [&](size_t, double want) {
    if (!std::isfinite(want))
      return 0.0;
    // Any multiple of 0 is 0, also where any error is right.
    return want == 0 ? absolute : absolute + relative * std::abs(want);
  };
  return compare(result, expected, allowed, exceeds);
}
