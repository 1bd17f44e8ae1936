//===- PlacementTest.cpp - where intermediate results lie -----------------===//

#include "fuse/Runtime/Placement.h"
#include <gtest/gtest.h>

#include <vector>

using namespace fuse;

namespace {

TEST(PlacementTest, AGapIsTakenByWhatFitsOnly) {
  // Where the first one was, the third leaves 256 bytes before the second.
  std::vector<Placement> buffers = {{1000, /*firstUse=*/0, /*lastUse=*/0},
                                    {900, 0, 1},
                                    {600, 1, 1},
                                    {257, 1, 1}};
  Result<size_t> total = placeBuffers(buffers, 256);
  ASSERT_TRUE(total);
  EXPECT_EQ(buffers[1].offset, 1024u);
  EXPECT_EQ(buffers[2].offset, 0u);
  EXPECT_EQ(buffers[3].offset, 2048u);
  EXPECT_EQ(*total, 2560u);
  buffers[3].bytes = 256;
  total = placeBuffers(buffers, 256);
  ASSERT_TRUE(total);
  EXPECT_EQ(buffers[3].offset, 768u);
  EXPECT_EQ(*total, 2048u);
}

} // namespace
