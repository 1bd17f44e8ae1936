//===- ArrayStridesTest.cpp - which memory an array takes -----------------===//
//
// Answers at their edges: one byte further, and they would be others.
//
//===----------------------------------------------------------------------===//

#include "Cuda/Strides.h"
#include <gtest/gtest.h>

using namespace fuse;

namespace {

DeviceArray bytesAt(DevicePointer address, std::vector<int64_t> shape,
                    std::vector<int64_t> strides = {}) {
  return {address, ElementType::I8, std::move(shape), std::move(strides)};
}

TEST(ArrayStridesTest, WithoutElementsTheySayNothing) {
  EXPECT_TRUE(isRowMajor(bytesAt(0, {0, 4}, {9, 9})));
  EXPECT_FALSE(isRowMajor(bytesAt(0, {1, 4}, {9, 9})));
}

TEST(ArrayStridesTest, BytesAreCountedWithASign) {
  DeviceArray array{0, ElementType::F32, {2}, {int64_t(1) << 60}};
  Result<uint64_t> bytes = spannedBytes(array);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(*bytes, (uint64_t(1) << 62) + 4);
  // They fit 64 bits, but not those of a size.
  array.strides = {int64_t(1) << 61};
  EXPECT_FALSE(spannedBytes(array));
}

TEST(ArrayStridesTest, RowsMayEndWhereTheNextOnesBegin) {
  EXPECT_FALSE(repeatsElements(bytesAt(0, {4, 8}, {9, 1})));
  EXPECT_FALSE(repeatsElements(bytesAt(0, {8, 4}, {1, 8})));
  // The last element of a row is the first one of the next.
  EXPECT_TRUE(repeatsElements(bytesAt(0, {4, 8}, {7, 1})));
}

TEST(ArrayStridesTest, NeighboursDoNotOverlap) {
  DeviceArray a = bytesAt(1000, {64});
  EXPECT_FALSE(overlap(a, bytesAt(1064, {64})));
  EXPECT_FALSE(overlap(a, bytesAt(936, {64})));
  EXPECT_TRUE(overlap(a, bytesAt(1063, {64})));
  EXPECT_TRUE(overlap(a, bytesAt(937, {64})));
  EXPECT_FALSE(overlap(a, bytesAt(1063, {0})));
}

TEST(ArrayStridesTest, RowsFillEachOthersGaps) {
  DeviceArray a = bytesAt(1000, {3, 4}, {10, 1});
  EXPECT_FALSE(overlap(a, bytesAt(1004, {3, 6}, {10, 1})));
  EXPECT_TRUE(overlap(a, bytesAt(1003, {3, 6}, {10, 1})));
  EXPECT_TRUE(overlap(a, bytesAt(1004, {3, 7}, {10, 1})));
  // What has no gaps has no rows that could be compared.
  EXPECT_TRUE(overlap(a, bytesAt(1004, {6})));
  EXPECT_TRUE(overlap(bytesAt(1004, {6}), a));
}

TEST(ArrayStridesTest, RowsThatAreUnequallyFarApartAreNone) {
  // Rows of four bytes at 0, 8, 20 and 28: the other array has the last two.
  EXPECT_TRUE(overlap(bytesAt(1000, {2, 2, 4}, {20, 8, 1}),
                      bytesAt(1020, {2, 4}, {8, 1})));
}

TEST(ArrayStridesTest, OfOneColumnAKernelGetsOne) {
  EXPECT_EQ(strideFor({}, std::vector<int64_t>{4, 1}, 4, 1), 1u);
  EXPECT_EQ(strideFor({}, std::vector<int64_t>{1, 4}, 4, 0), 4u);
}

TEST(ArrayStridesTest, ElementsOfRowsFollowEachOther) {
  std::vector<int64_t> shape = {8, 16};
  DeviceArray array{0, ElementType::F32, shape, {64, 1}};
  BufferPlace place{0, &array};
  EXPECT_TRUE(isInRows(place, shape, 4, 16));
  array.strides = {62, 1};
  EXPECT_FALSE(isInRows(place, shape, 4, 16));
  array.strides = {64, 2};
  EXPECT_FALSE(isInRows(place, shape, 4, 16));
  array.strides = {0, 1};
  EXPECT_FALSE(isInRows(place, shape, 4, 16));
}

} // namespace
