//===- CompareTest.cpp - whether a result is right ------------------------===//
//
// A comparison that is too kind hides every other mistake: what it must find
// wrong, and what it must not.
//
//===----------------------------------------------------------------------===//

#include "../../../tools/fuse-run/Compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

using namespace fuse;

static constexpr double inf = std::numeric_limits<double>::infinity();
static constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

static HostBuffer makeBuffer(ElementType type, size_t count) {
  Result<HostBuffer> buffer =
      HostBuffer::allocate(type, {static_cast<int64_t>(count)});
  if (!buffer) {
    ADD_FAILURE() << buffer.error().message();
    std::abort();
  }
  return std::move(*buffer);
}

static HostBuffer make(ElementType type, const std::vector<double> &values) {
  HostBuffer buffer = makeBuffer(type, values.size());
  for (size_t i = 0; i < values.size(); ++i)
    storeDouble(type, buffer.data(), i, values[i]);
  return buffer;
}

static HostBuffer f32(const std::vector<double> &values) {
  return make(ElementType::F32, values);
}

static HostBuffer f64(const std::vector<double> &values) {
  return make(ElementType::F64, values);
}

static HostBuffer i64(const std::vector<int64_t> &values) {
  HostBuffer buffer = makeBuffer(ElementType::I64, values.size());
  std::copy(values.begin(), values.end(),
            static_cast<int64_t *>(buffer.data()));
  return buffer;
}

/// All bits of an f32.
static HostBuffer f32Bits(const std::vector<uint32_t> &values) {
  HostBuffer buffer = makeBuffer(ElementType::F32, values.size());
  std::copy(values.begin(), values.end(),
            static_cast<uint32_t *>(buffer.data()));
  return buffer;
}

//===----------------------------------------------------------------------===//
// Within a tolerance
//===----------------------------------------------------------------------===//

TEST(CompareWithin, NamesTheWorst) {
  Comparison found =
      compareWithin(f32({1, 2, 4}), f32({1, 2.5, 4.25}), 0.0625, 0);
  EXPECT_EQ(found.numWrong, 1u);
  EXPECT_EQ(found.worstIndex, 1u);
  EXPECT_EQ(found.got, 2);
  EXPECT_EQ(found.wanted, 2.5);
  EXPECT_EQ(found.error, 0.5);
  EXPECT_EQ(found.allowed, 2.5 * 0.0625);
  EXPECT_EQ(found.maxError, 0.5);
}

TEST(CompareWithin, BothTolerancesAreAdded) {
  EXPECT_TRUE(compareWithin(f32({8.5}), f32({8}), 0.03125, 0.25).isRight());
  EXPECT_FALSE(compareWithin(f32({8.75}), f32({8}), 0.03125, 0.25).isRight());
  EXPECT_FALSE(compareWithin(f32({8.5}), f32({8}), 0.03125, 0).isRight());
  EXPECT_FALSE(compareWithin(f32({8.5}), f32({8}), 0, 0.25).isRight());
  EXPECT_TRUE(compareWithin(f32({-8.5}), f32({-8}), 0.0625, 0).isRight());
  // Any part of a number may be wrong, but 0 has none.
  EXPECT_TRUE(compareWithin(f32({3, 0}), f32({8, 0}), inf, 0).isRight());
  EXPECT_FALSE(compareWithin(f32({1}), f32({0}), inf, 0).isRight());
}

TEST(CompareWithin, IntegersBeyondDoubles) {
  constexpr int64_t even = int64_t(1) << 53;
  Comparison found = compareWithin(i64({even + 1, 5}), i64({even, 5}), 0, 0);
  EXPECT_EQ(found.numWrong, 1u);
  EXPECT_EQ(found.worstIndex, 0u);
  EXPECT_EQ(found.error, 1);
  EXPECT_FALSE(compareWithin(i64({even}), i64({even + 1}), 0, 0).isRight());
  EXPECT_FALSE(compareWithin(i64({-even - 1}), i64({-even}), 0, 0).isRight());
  EXPECT_TRUE(compareWithin(i64({even + 1}), i64({even + 1}), 0, 0).isRight());
  EXPECT_TRUE(compareWithin(i64({even + 1}), i64({even}), 0, 1).isRight());
  // However far apart they are, and where doubles are far apart themselves.
  constexpr int64_t huge = int64_t(1) << 60;
  EXPECT_EQ(compareWithin(i64({huge + 100}), i64({huge}), 0, 0).error, 100);
  EXPECT_EQ(compareWithin(i64({huge}), i64({huge + 100}), 0, 0).error, 100);
  EXPECT_EQ(compareWithin(i64({-huge}), i64({-huge - 100}), 0, 0).error, 100);
  EXPECT_FALSE(compareWithin(i64({huge + 100}), i64({huge}), 0, 99).isRight());
  constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(compareWithin(i64({largest}), i64({-largest - 1}), 0, 0).error,
            0x1p64);
  EXPECT_FALSE(
      compareWithin(i64({largest}), i64({largest - 1}), 0, 0).isRight());
}

TEST(CompareWithin, NaNIsNothingButNaN) {
  EXPECT_TRUE(compareWithin(f32({NaN}), f32({NaN}), 0, 0).isRight());
  EXPECT_FALSE(compareWithin(f32({NaN}), f32({1}), 1e30, 1e30).isRight());
  EXPECT_FALSE(compareWithin(f32({1}), f32({NaN}), 1e30, 1e30).isRight());
  EXPECT_FALSE(compareWithin(f32({NaN}), f32({inf}), 1e30, 1e30).isRight());
}

TEST(CompareWithin, InfinityIsNothingButItself) {
  EXPECT_TRUE(
      compareWithin(f32({inf, -inf}), f32({inf, -inf}), 0, 0).isRight());
  EXPECT_FALSE(compareWithin(f32({inf}), f32({-inf}), 1, 1).isRight());
  EXPECT_FALSE(compareWithin(f32({3e38}), f32({inf}), 1, 1e38).isRight());
  EXPECT_FALSE(compareWithin(f32({inf}), f32({3e38}), 1, 1e38).isRight());
}

TEST(CompareWithin, AWrongElementIsWorstHoweverClose) {
  // The first is far off but may be; the second is not.
  Comparison found = compareWithin(f32({1000, 0.5}), f32({1500, 0}), 0.5, 0);
  EXPECT_EQ(found.numWrong, 1u);
  EXPECT_EQ(found.worstIndex, 1u);
  EXPECT_EQ(found.maxError, 500);
}

TEST(CompareWithin, OfNothingAllIsRight) {
  Comparison found = compareWithin(f32({}), f32({}), 0, 0);
  EXPECT_TRUE(found.isRight());
  EXPECT_EQ(found.maxError, 0);
}

//===----------------------------------------------------------------------===//
// Bit for bit
//===----------------------------------------------------------------------===//

TEST(CompareExactly, RoundsToTheTypeOfTheResult) {
  EXPECT_TRUE(compareExactly(f32({1.0 / 3}), f64({1.0 / 3})).isRight());
  float third = 1.0f / 3, next = std::nextafter(third, 1.0f);
  Comparison found = compareExactly(f32({1, next}), f64({1, 1.0 / 3}));
  EXPECT_EQ(found.numWrong, 1u);
  EXPECT_EQ(found.worstIndex, 1u);
  EXPECT_EQ(found.allowed, 0);
  // Ties go to even: 2049 is half-way in f16.
  EXPECT_TRUE(
      compareExactly(make(ElementType::F16, {2048}), f64({2049})).isRight());
  EXPECT_FALSE(
      compareExactly(make(ElementType::F16, {2050}), f64({2049})).isRight());
  EXPECT_TRUE(
      compareExactly(make(ElementType::BF16, {256}), f64({257})).isRight());
  EXPECT_FALSE(
      compareExactly(make(ElementType::BF16, {258}), f64({257})).isRight());
}

TEST(CompareExactly, WhatIsTooLargeOverflows) {
  EXPECT_TRUE(
      compareExactly(make(ElementType::F16, {inf}), f64({65520})).isRight());
  EXPECT_FALSE(
      compareExactly(make(ElementType::F16, {65504}), f64({65520})).isRight());
  EXPECT_TRUE(
      compareExactly(make(ElementType::F8E4M3FN, {448, -448}), f64({1e9, -inf}))
          .isRight());
}

TEST(CompareExactly, ZerosDiffer) {
  EXPECT_FALSE(compareExactly(f32({0.0}), f64({-0.0})).isRight());
  EXPECT_FALSE(compareExactly(f32({-0.0}), f64({0.0})).isRight());
  EXPECT_TRUE(compareExactly(f32({-0.0, 0.0}), f64({-0.0, 0.0})).isRight());
  // What is too small keeps its sign.
  EXPECT_TRUE(compareExactly(f32({-0.0}), f64({-1e-60})).isRight());
  EXPECT_FALSE(compareExactly(f32({0.0}), f64({-1e-60})).isRight());
}

TEST(CompareExactly, NaNsAreOne) {
  HostBuffer nans = f32Bits({0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff});
  EXPECT_TRUE(compareExactly(nans, f64({NaN, -NaN, NaN, NaN})).isRight());
  EXPECT_FALSE(compareExactly(f32({NaN}), f64({1})).isRight());
  EXPECT_FALSE(compareExactly(f32({NaN}), f64({inf})).isRight());
  EXPECT_FALSE(compareExactly(f32({inf}), f64({NaN})).isRight());
  EXPECT_TRUE(compareExactly(f32({inf, -inf}), f64({inf, -inf})).isRight());
  EXPECT_FALSE(compareExactly(f32({inf}), f64({-inf})).isRight());
}

TEST(CompareExactly, Integers) {
  constexpr int64_t even = int64_t(1) << 53;
  EXPECT_TRUE(compareExactly(i64({even + 1}), i64({even + 1})).isRight());
  EXPECT_FALSE(compareExactly(i64({even + 1}), i64({even})).isRight());
}

//===----------------------------------------------------------------------===//
// Against running op by op
//===----------------------------------------------------------------------===//

TEST(CompareWithUnfused, TwiceItsErrorIsRight) {
  auto withOthers = [](std::vector<double> values) {
    values.resize(256, 1.0);
    return values;
  };
  HostBuffer exact = f64(withOthers({1, 2, 3, 4}));
  HostBuffer unfused = f32(withOthers({1, 2, 3.25, 4}));
  Comparison found =
      compareWithUnfused(f32(withOthers({1.5, 1.5, 3.5, 4.5})), unfused, exact);
  EXPECT_TRUE(found.isRight());
  EXPECT_EQ(found.maxError, 0.5);
  EXPECT_EQ(found.unfusedError, 0.25);
  found =
      compareWithUnfused(f32(withOthers({1, 2, 3, 4.53125})), unfused, exact);
  EXPECT_EQ(found.numWrong, 1u);
  EXPECT_EQ(found.worstIndex, 3u);
}

TEST(CompareWithUnfused, OtherOrdersCountWhereTheyWereTried) {
  HostBuffer exact = f64({1, 2, 3, 4});
  HostBuffer unfused = f32({1, 2, 3.25, 4}), other = f32({1, 2.5, 3, 4});
  HostBuffer result = f32({2, 1, 4, 5});
  EXPECT_EQ(compareWithUnfused(result, unfused, exact).numWrong, 4u);
  double error = largestError(other, exact);
  EXPECT_EQ(error, 0.5);
  Comparison found = compareWithUnfused(result, unfused, exact, error);
  EXPECT_TRUE(found.isRight());
  EXPECT_EQ(found.unfusedError, 0.5);
  EXPECT_EQ(compareWithUnfused(f32({1, 2, 3, 5.03125}), unfused, exact, error)
                .numWrong,
            1u);
  // A smaller one changes nothing.
  EXPECT_FALSE(compareWithUnfused(result, unfused, exact, 0.125).isRight());
}

TEST(CompareWithUnfused, TheFewerElementsTheMoreOrders) {
  EXPECT_EQ(ordersToTry(0), 16u);
  EXPECT_EQ(ordersToTry(37), 16u);
  EXPECT_EQ(ordersToTry(1024), 4u);
  EXPECT_EQ(ordersToTry(4097), 4u);
  EXPECT_EQ(ordersToTry((1 << 20) + 1), 0u);
}

TEST(CompareWithUnfused, SomeRoundingsAreRightWhereItIsExactByLuck) {
  HostBuffer exact = f64({1, 1, 1});
  HostBuffer close = f32({1, std::nextafter(1.0f, 2.0f), 1});
  EXPECT_TRUE(compareWithUnfused(close, f32({1, 1, 1}), exact).isRight());
  HostBuffer apart = f32({1, 1 + 1e-5, 1});
  EXPECT_FALSE(compareWithUnfused(apart, f32({1, 1, 1}), exact).isRight());
}

TEST(CompareWithUnfused, OneHugeElementAllowsTheOthersNothing) {
  // Their sum, and more so one of squares, would be infinite.
  std::vector<double> wanted(100, 1.0);
  wanted[7] = 1.7e308;
  wanted[8] = 1.7e308;
  std::vector<double> got = wanted;
  got[50] = 1.5;
  HostBuffer exact = f64(wanted);
  Comparison found = compareWithUnfused(f64(got), f64(wanted), exact);
  EXPECT_EQ(found.numWrong, 1u);
  EXPECT_EQ(found.worstIndex, 50u);
  EXPECT_LT(found.allowed, 1e-14);
  EXPECT_TRUE(compareWithUnfused(f64(wanted), f64(wanted), exact).isRight());

  // Nor does one that is merely large.
  wanted[7] = 1e20;
  wanted[8] = 1;
  got = wanted;
  got[50] = 1.5;
  found = compareWithUnfused(f64(got), f64(wanted), f64(wanted));
  EXPECT_EQ(found.numWrong, 1u);
  EXPECT_EQ(found.worstIndex, 50u);
}

TEST(CompareWithUnfused, OneHugeElementOfTwoAllowsTheOtherNothing) {
  HostBuffer exact = f64({1, 1e30});
  EXPECT_EQ(compareWithUnfused(f64({1.5, 1e30}), exact, exact).numWrong, 1u);
  EXPECT_EQ(compareWithUnfused(f64({1, 2e30}), exact, exact).numWrong, 1u);
}

TEST(CompareWithUnfused, AnInfiniteElementAllowsTheOthersNothing) {
  HostBuffer exact = f64({inf, NaN, 1, 1});
  HostBuffer unfused = f32({inf, NaN, 1, 1});
  Comparison found =
      compareWithUnfused(f32({inf, NaN, 1, 1.5}), unfused, exact);
  EXPECT_EQ(found.numWrong, 1u);
  EXPECT_EQ(found.worstIndex, 3u);
  // And has to be what it is.
  EXPECT_EQ(compareWithUnfused(f32({3e38, 1, 1, 1}), unfused, exact).numWrong,
            2u);
}

TEST(CompareWithUnfused, WhereTheTypesOverflowAllIsRight) {
  HostBuffer exact = f64({1e6, 1, 1});
  HostBuffer unfused = make(ElementType::F16, {inf, 1, 1});
  HostBuffer finite = make(ElementType::F16, {60000, 1, 1});
  EXPECT_TRUE(compareWithUnfused(finite, unfused, exact).isRight());
  // But only there.
  HostBuffer wrong = make(ElementType::F16, {inf, 2, 1});
  Comparison found = compareWithUnfused(wrong, unfused, exact);
  EXPECT_EQ(found.numWrong, 1u);
  EXPECT_EQ(found.worstIndex, 1u);
  EXPECT_EQ(found.unfusedError, 0);
}

TEST(CompareWithUnfused, IntegersAreAsOpByOp) {
  HostBuffer exact = i64({1, 2, 3});
  EXPECT_TRUE(
      compareWithUnfused(i64({1, 2, 3}), i64({1, 2, 3}), exact).isRight());
  // An error in one place is no excuse in another.
  Comparison found = compareWithUnfused(i64({1, 3, 4}), i64({1, 2, 4}), exact);
  EXPECT_EQ(found.numWrong, 1u);
  EXPECT_EQ(found.worstIndex, 1u);
}
