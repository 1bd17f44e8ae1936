//===- FillTest.cpp - data for inputs that nobody gave --------------------===//
//
// Bounds and moments, and a few numbers that must never change: whoever reports
// a wrong result with a seed has to be able to get it again.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Fill.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace fuse;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

static std::vector<double> generate(ElementType type, int64_t count,
                                    const FillSpec &spec, uint64_t seed) {
  Result<HostBuffer> buffer = HostBuffer::allocate(type, {count});
  if (!buffer)
    std::abort();
  fill(*buffer, spec, seed);
  std::vector<double> numbers;
  for (size_t i = 0; i < buffer->elementCount(); ++i)
    numbers.push_back(loadAsDouble(type, buffer->data(), i));
  return numbers;
}

static double meanOf(const std::vector<double> &numbers) {
  double sum = 0;
  for (double number : numbers)
    sum += number;
  return sum / static_cast<double>(numbers.size());
}

static double deviationOf(const std::vector<double> &numbers) {
  double mean = meanOf(numbers), sum = 0;
  for (double number : numbers)
    sum += (number - mean) * (number - mean);
  return std::sqrt(sum / static_cast<double>(numbers.size()));
}

static FillSpec parsed(std::string_view text) {
  Result<FillSpec> spec = FillSpec::parse(text);
  if (!spec)
    std::abort();
  return *spec;
}

TEST(Fill, Uniform) {
  auto numbers = generate(ElementType::F64, 100000, parsed("uniform:-1:3"), 1);
  auto [least, largest] = std::ranges::minmax(numbers);
  EXPECT_GE(least, -1);
  EXPECT_LT(least, -0.999);
  EXPECT_LE(largest, 3);
  EXPECT_GT(largest, 2.999);
  EXPECT_NEAR(meanOf(numbers), 1, 0.02);
  EXPECT_NEAR(deviationOf(numbers), 4 / std::sqrt(12.0), 0.02);
}

TEST(Fill, Normal) {
  auto numbers = generate(ElementType::F64, 100000, parsed("normal:5:2"), 1);
  EXPECT_NEAR(meanOf(numbers), 5, 0.03);
  EXPECT_NEAR(deviationOf(numbers), 2, 0.03);
  auto countWithin = [&](double distance) {
    return std::ranges::count_if(
        numbers, [&](double x) { return std::abs(x - 5) < distance; });
  };
  EXPECT_NEAR(countWithin(2), 68270, 600);
  EXPECT_NEAR(countWithin(4), 95450, 300);
  EXPECT_NEAR(countWithin(6), 99730, 100);
  for (double number : numbers)
    ASSERT_TRUE(std::isfinite(number));
}

TEST(Fill, IntegersHaveBothBounds) {
  for (ElementType type : {ElementType::I8, ElementType::I32, ElementType::I64,
                           ElementType::Index, ElementType::F16}) {
    auto numbers = generate(type, 60000, parsed("integers:-2:3"), 1);
    for (int value = -2; value <= 3; ++value)
      EXPECT_NEAR(std::ranges::count(numbers, value), 10000, 500) << value;
    auto [least, largest] = std::ranges::minmax(numbers);
    EXPECT_EQ(least, -2);
    EXPECT_EQ(largest, 3);
  }
}

TEST(Fill, BoundsThatAreEqual) {
  EXPECT_THAT(generate(ElementType::F32, 100, parsed("uniform:2:2"), 1),
              Each(2));
  EXPECT_THAT(generate(ElementType::I32, 100, parsed("integers:-7:-7"), 1),
              Each(-7));
  EXPECT_THAT(generate(ElementType::F32, 100, parsed("normal:1.5:0"), 1),
              Each(1.5));
}

TEST(Fill, Constants) {
  EXPECT_THAT(generate(ElementType::F16, 10, parsed("0.1"), 1),
              Each(0.0999755859375));
  EXPECT_THAT(generate(ElementType::I8, 10, parsed("-3"), 1), Each(-3));
  EXPECT_THAT(generate(ElementType::I1, 10, parsed("1"), 1), Each(1));
  EXPECT_THAT(generate(ElementType::F32, 2, parsed("inf"), 1), Each(HUGE_VAL));
  EXPECT_TRUE(std::isnan(generate(ElementType::F32, 1, parsed("nan"), 1)[0]));
}

TEST(Fill, TruthValuesAreEither) {
  auto numbers = generate(ElementType::I1, 10000,
                          FillSpec::defaultFor(ElementType::I1), 1);
  EXPECT_NEAR(std::ranges::count(numbers, 1.0), 5000, 250);
  EXPECT_EQ(std::ranges::count(numbers, 0.0) + std::ranges::count(numbers, 1.0),
            10000);
}

TEST(Fill, Defaults) {
  for (ElementType type : {ElementType::F8E4M3FN, ElementType::BF16,
                           ElementType::F16, ElementType::F32}) {
    auto numbers = generate(type, 1000, FillSpec::defaultFor(type), 1);
    auto [least, largest] = std::ranges::minmax(numbers);
    EXPECT_GE(least, -1);
    EXPECT_LE(largest, 1);
    EXPECT_LT(least, -0.9);
    EXPECT_GT(largest, 0.9);
  }
  auto numbers =
      generate(ElementType::I8, 1000, FillSpec::defaultFor(ElementType::I8), 1);
  auto [least, largest] = std::ranges::minmax(numbers);
  EXPECT_EQ(least, 0);
  EXPECT_EQ(largest, 7);
}

TEST(Fill, NothingToFill) {
  EXPECT_TRUE(generate(ElementType::F32, 0, FillSpec(), 1).empty());
}

TEST(Fill, TheSeedDecides) {
  FillSpec spec = parsed("uniform:0:1");
  auto numbers = generate(ElementType::F64, 1000, spec, 7);
  EXPECT_EQ(numbers, generate(ElementType::F64, 1000, spec, 7));
  // A shorter array is the start of a longer one.
  auto shorter = generate(ElementType::F64, 10, spec, 7);
  EXPECT_TRUE(std::ranges::equal(shorter, std::span(numbers).first(10)));
  // Other seeds share nothing with it, not even their neighbours.
  for (uint64_t seed : {uint64_t(6), uint64_t(8), uint64_t(0), ~uint64_t(0)}) {
    auto others = generate(ElementType::F64, 1000, spec, seed);
    double correlation = 0;
    for (size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_NE(numbers[i], others[i]);
      correlation += (numbers[i] - 0.5) * (others[i] - 0.5) * 12 / 1000;
    }
    EXPECT_NEAR(correlation, 0, 0.15) << seed;
  }
}

TEST(Fill, NeighboursAreIndependent) {
  auto numbers = generate(ElementType::F64, 100000, parsed("normal:0:1"), 3);
  double correlation = 0;
  for (size_t i = 0; i + 1 < numbers.size(); ++i)
    correlation += numbers[i] * numbers[i + 1] / 100000;
  EXPECT_NEAR(correlation, 0, 0.015);
}

// Computed by a program in Python that follows the definition of SplitMix64.
TEST(Fill, PinnedNumbers) {
  FillSpec spec = parsed("uniform:0:1");
  EXPECT_THAT(
      generate(ElementType::F64, 3, spec, 0),
      ElementsAre(0.8833108082136426, 0.8304632507842628, 0.28265509249286014));
  EXPECT_THAT(
      generate(ElementType::F64, 3, spec, 1),
      ElementsAre(0.8242198252979852, 0.2725117362139119, 0.7224373329621555));
  EXPECT_THAT(generate(ElementType::I32, 8, parsed("integers:-4:4"), 42),
              ElementsAre(3, -4, -4, -2, 4, -3, -2, 1));
  auto normal = generate(ElementType::F64, 2, parsed("normal:0:1"), 1);
  EXPECT_NEAR(normal[0], 1.3855528111461648, 1e-14);
  EXPECT_NEAR(normal[1], -0.768044581301471, 1e-14);
}

TEST(FillSpec, Parses) {
  FillSpec spec = parsed("normal:-1.5:2e-3");
  EXPECT_EQ(spec.kind, FillSpec::Kind::Normal);
  EXPECT_EQ(spec.first, -1.5);
  EXPECT_EQ(spec.second, 2e-3);
  spec = parsed("-12");
  EXPECT_EQ(spec.kind, FillSpec::Kind::Constant);
  EXPECT_EQ(spec.first, -12);
  EXPECT_EQ(spec.second, -12);
  for (const char *text :
       {"uniform:-1:1", "normal:0:0.02", "integers:-4:4", "5", "-0.1"})
    EXPECT_EQ(parsed(text).str(), text);
  EXPECT_EQ(parsed("uniform:0:0").kind, FillSpec::Kind::Uniform);
  EXPECT_EQ(parsed("integers:-4:4").kind, FillSpec::Kind::Integers);
}

TEST(FillSpec, SaysWhatIsWrong) {
  auto expectError = [](std::string_view text, const char *problem) {
    Result<FillSpec> spec = FillSpec::parse(text);
    ASSERT_FALSE(spec) << text;
    EXPECT_EQ(spec.error().code(), ErrorCode::BadUsage);
    EXPECT_THAT(spec.error().message(),
                testing::StartsWith("'" + std::string(text) + "' "));
    EXPECT_THAT(spec.error().message(), HasSubstr(problem));
  };
  for (std::string_view text : {"", " 1", "1 ", "1x", "0x10", "gauss:0:1",
                                "Uniform:0:1", ":1:2", "1:2"})
    expectError(text, "is neither a number nor uniform:LOW:HIGH");
  for (std::string_view text :
       {"uniform", "uniform:", "uniform:1", "uniform:1:", "uniform::1",
        "uniform:1:2:3", "normal:a:b", "integers:0:x", "normal:0:1 "})
    expectError(text, "needs two numbers behind its kind");
  for (std::string_view text :
       {"uniform:-inf:1", "normal:nan:1", "integers:0:inf", "normal:0:inf"})
    expectError(text, "needs finite numbers");
  expectError("normal:0:-1", "has a negative standard deviation");
  expectError("uniform:1:0", "has a lower bound above its upper bound");
  expectError("integers:2:-2", "has a lower bound above its upper bound");
  expectError("uniform:-1.7e308:1.7e308", "has bounds whose difference is");
  expectError("integers:0.5:2", "needs whole numbers for its bounds");
}

/// Threads share the work, and no element depends on which of them made it.
TEST(Fill, ManyElementsAreThoseOfFewOnes) {
  constexpr int64_t many = 300000, few = 1000;
  auto all = generate(ElementType::F32, many, parsed("normal:0:1"), 7);
  auto first = generate(ElementType::F32, few, parsed("normal:0:1"), 7);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), all.begin()));
  EXPECT_NEAR(meanOf(all), 0, 0.01);
  EXPECT_NEAR(deviationOf(all), 1, 0.01);
}
