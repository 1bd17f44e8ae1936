//===- ArrayLayoutTest.cpp - dense arrays with gaps between them ----------===//
//
// What was laid out is taken out again, and what is written beside it is seen.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/ArrayLayout.h"
#include "TestImage.h"
#include <gmock/gmock.h>

using namespace fuse;
using ::testing::ElementsAre;

namespace {

std::vector<float> valuesOf(const HostBuffer &buffer) {
  const auto *data = static_cast<const float *>(buffer.data());
  return {data, data + buffer.elementCount()};
}

TEST(ArrayLayoutTest, WhatIsLaidOutIsTakenOutAgain) {
  HostBuffer dense = makeBuffer({2, 3});
  for (ArrayLayout layout : {ArrayLayout{0, {3, 1}}, ArrayLayout{5, {4, 1}},
                             ArrayLayout{1, {1, 2}}, ArrayLayout{0, {10, 3}}}) {
    Result<HostBuffer> memory = layOut(dense, layout);
    ASSERT_TRUE(memory);
    HostBuffer again = makeBuffer({2, 3}, {-1});
    ASSERT_TRUE(gather(*memory, layout, again));
    EXPECT_EQ(valuesOf(again), valuesOf(dense));
  }
}

TEST(ArrayLayoutTest, ElementsAreWhereStridesSay) {
  Result<HostBuffer> memory = layOut(makeBuffer({2, 2}), {1, {1, 3}});
  ASSERT_TRUE(memory);
  ASSERT_EQ(memory->elementCount(), 6u);
  std::vector<float> values = valuesOf(*memory);
  EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[3]));
  EXPECT_EQ(values[1], 0);
  EXPECT_EQ(values[4], 1);
  EXPECT_EQ(values[2], 2);
  EXPECT_EQ(values[5], 3);
}

TEST(ArrayLayoutTest, WhatIsWrittenIntoAGapIsSeen) {
  ArrayLayout layout{0, {3, 1}};
  HostBuffer dense = makeBuffer({2, 2});
  Result<HostBuffer> memory = layOut(dense, layout);
  ASSERT_TRUE(memory);
  static_cast<float *>(memory->data())[2] = 0;
  Status status = gather(*memory, layout, dense);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "element 2 of its memory is in a gap, but was written");
}

TEST(ArrayLayoutTest, WhatNeedsNoMemoryTakesNone) {
  EXPECT_EQ(*laidOutElements({7, {0, 0}}, std::vector<int64_t>{0, 3}), 7);
  EXPECT_EQ(*laidOutElements({7, {}}, std::vector<int64_t>{}), 8);
  // Of one element the stride says nothing.
  EXPECT_EQ(*laidOutElements({0, {0, 1}}, std::vector<int64_t>{1, 3}), 3);
}

TEST(ArrayLayoutTest, WhatCannotBeIsASentence) {
  auto error = [](ArrayLayout layout) {
    Result<int64_t> elements =
        laidOutElements(layout, std::vector<int64_t>{2, 3});
    return elements ? "" : elements.error().message();
  };
  EXPECT_EQ(error({0, {1}}), "1 strides for the shape 2x3");
  EXPECT_EQ(error({-1, {3, 1}}), "the offset -1 is negative");
  EXPECT_EQ(error({0, {3, -1}}), "the stride -1 is negative");
  EXPECT_EQ(error({0, {2, 1}}),
            "the strides 2x1 put elements of the shape 2x3 into one place");
  int64_t half = int64_t(1) << 62;
  EXPECT_EQ(error({0, {1, half}}), "the strides 1x4611686018427387904 reach "
                                   "further than 64 bits count");
  EXPECT_EQ(error({INT64_MAX, {3, 1}}),
            "the offset 9223372036854775807 reaches further than 64 bits "
            "count");
}

TEST(ArrayLayoutTest, StridesOfDenseArraysAreRowMajor) {
  EXPECT_THAT(rowMajorStrides(std::vector<int64_t>{2, 3, 4}),
              ElementsAre(12, 4, 1));
  EXPECT_TRUE(rowMajorStrides(std::vector<int64_t>{}).empty());
}

} // namespace
