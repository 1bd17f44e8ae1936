//===- Fill.cpp - data for inputs that nobody gave ------------------------===//
//
// A counter-based generator: element i is a function of the seed and i.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Fill.h"
#include "fuse/Runtime/ThreadPool.h"

#include <charconv>
#include <cmath>
#include <memory>
#include <numbers>

using namespace fuse;

/// SplitMix64's output function: every bit of the result depends on every bit
/// of the argument.
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// A number in [0, 1) with 53 random bits.
static double unit(uint64_t random) {
  return static_cast<double>(random >> 11) * 0x1p-53;
}

static double draw(const FillSpec &spec, uint64_t seed, size_t index) {
  uint64_t random = mix(seed ^ mix(2 * index));
  switch (spec.kind) {
  case FillSpec::Kind::Uniform:
    return spec.first + (spec.second - spec.first) * unit(random);
  case FillSpec::Kind::Normal: {
    // Box and Muller; 1 - u is never 0.
    double radius = std::sqrt(-2 * std::log(1 - unit(random)));
    double angle = 2 * std::numbers::pi * unit(mix(seed ^ mix(2 * index + 1)));
    return spec.first + spec.second * radius * std::cos(angle);
  }
  case FillSpec::Kind::Integers: {
    double count = spec.second - spec.first + 1;
    return std::min(spec.first + std::floor(count * unit(random)), spec.second);
  }
  case FillSpec::Kind::Constant:
    return spec.first;
  }
  return 0;
}

/// The threads that this process may have, if there is work for more than one.
static std::unique_ptr<ThreadPool> threadsFor(int64_t count, int64_t grain) {
  if (count <= grain)
    return nullptr;
  Result<unsigned> number = defaultNumThreads();
  if (!number)
    return nullptr;
  Result<std::unique_ptr<ThreadPool>> pool = ThreadPool::create(*number);
  return pool ? std::move(*pool) : nullptr;
}

void fuse::fill(HostBuffer &buffer, const FillSpec &spec, uint64_t seed) {
  uint64_t mixed = mix(seed);
  auto fillPart = [&](int64_t begin, int64_t end, unsigned) {
    for (int64_t i = begin; i < end; ++i)
      storeDouble(buffer.type(), buffer.data(), i, draw(spec, mixed, i));
  };
  // No element depends on another one, so that threads change none of them. A
  // normal one takes 50 ns, and a weight has half a billion.
  constexpr int64_t grain = 1 << 16;
  auto count = static_cast<int64_t>(buffer.elementCount());
  std::unique_ptr<ThreadPool> pool = threadsFor(count, grain);
  if (!pool || !pool->parallelFor(0, count, grain, fillPart))
    fillPart(0, count, 0);
}

FillSpec FillSpec::defaultFor(ElementType type) {
  if (isFloat(type))
    return {Kind::Uniform, -1, 1};
  return {Kind::Integers, 0, type == ElementType::I1 ? 1.0 : 7.0};
}

/// The shortest text that is read as this number.
static std::string print(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

std::string FillSpec::str() const {
  std::string both = print(first) + ":" + print(second);
  switch (kind) {
  case Kind::Uniform:
    return "uniform:" + both;
  case Kind::Normal:
    return "normal:" + both;
  case Kind::Integers:
    return "integers:" + both;
  case Kind::Constant:
    return print(first);
  }
  __builtin_unreachable();
}

static bool parseNumber(std::string_view text, double &number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() &&
         !text.empty();
}

Result<FillSpec> FillSpec::parse(std::string_view text) {
  auto fail = [&](std::string_view problem) {
    return RuntimeError(ErrorCode::BadUsage,
                        "'" + std::string(text) + "' " + std::string(problem));
  };
  FillSpec spec;
  if (parseNumber(text, spec.first)) {
    spec.kind = Kind::Constant;
    spec.second = spec.first;
    return spec;
  }
  size_t colon = text.find(':');
  std::string_view kind = text.substr(0, colon);
  if (kind == "uniform")
    spec.kind = Kind::Uniform;
  else if (kind == "normal")
    spec.kind = Kind::Normal;
  else if (kind == "integers")
    spec.kind = Kind::Integers;
  else
    return fail("is neither a number nor uniform:LOW:HIGH, "
                "normal:MEAN:DEVIATION or integers:LOW:HIGH");
  size_t second = colon == std::string_view::npos ? std::string_view::npos
                                                  : text.find(':', colon + 1);
  if (second == std::string_view::npos ||
      !parseNumber(text.substr(colon + 1, second - colon - 1), spec.first) ||
      !parseNumber(text.substr(second + 1), spec.second))
    return fail("needs two numbers behind its kind, as in uniform:-1:1");
  if (!std::isfinite(spec.first) || !std::isfinite(spec.second))
    return fail("needs finite numbers");
  if (spec.kind == Kind::Normal ? spec.second < 0 : spec.first > spec.second)
    return fail(spec.kind == Kind::Normal
                    ? "has a negative standard deviation"
                    : "has a lower bound above its upper bound");
  if (spec.kind != Kind::Normal && !std::isfinite(spec.second - spec.first))
    return fail("has bounds whose difference is more than a double can hold");
  if (spec.kind == Kind::Integers && (spec.first != std::floor(spec.first) ||
                                      spec.second != std::floor(spec.second)))
    return fail("needs whole numbers for its bounds");
  return spec;
}
