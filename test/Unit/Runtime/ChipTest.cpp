//===- ChipTest.cpp - for which GPUs code was made ------------------------===//
//
// Names, and what runs where.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Chip.h"
#include <gtest/gtest.h>

using namespace fuse;

namespace {

Chip chip(std::string_view name) {
  Result<Chip> parsed = Chip::parse(name);
  EXPECT_TRUE(parsed) << name;
  return parsed ? *parsed : Chip();
}

TEST(ChipTest, NamesGoBothWays) {
  for (const char *name : {"sm_80", "sm_90a", "sm_100f", "sm_120", "sm_121a"})
    EXPECT_EQ(chip(name).str(), name);
  EXPECT_EQ(chip("sm_103a").major, 10u);
  EXPECT_EQ(chip("sm_103a").minor, 3u);
  for (const char *name :
       {"", "sm_", "sm_9", "sm_a", "sm_90b", "sm_09", "sm_9000", "compute_90",
        "sm_90aa", "sm_-9", "sm_90 "}) {
    Result<Chip> parsed = Chip::parse(name);
    ASSERT_FALSE(parsed) << name;
    EXPECT_EQ(parsed.error().message(),
              "found '" + std::string(name) +
                  "', but a chip such as sm_80 or sm_90a is needed");
  }
}

TEST(ChipTest, MachineCodeRunsOnLaterChipsOfItsMajorNumber) {
  EXPECT_TRUE(chip("sm_80").runsCubinOn(chip("sm_86")));
  EXPECT_FALSE(chip("sm_86").runsCubinOn(chip("sm_80")));
  EXPECT_FALSE(chip("sm_80").runsCubinOn(chip("sm_90")));
  EXPECT_TRUE(chip("sm_90a").runsCubinOn(chip("sm_90")));
  EXPECT_FALSE(chip("sm_90a").runsCubinOn(chip("sm_100")));
  EXPECT_FALSE(chip("sm_100a").runsCubinOn(chip("sm_103")));
  EXPECT_TRUE(chip("sm_100f").runsCubinOn(chip("sm_103")));
}

TEST(ChipTest, PtxRunsOnEveryLaterChipUnlessItIsForOne) {
  EXPECT_TRUE(chip("sm_80").runsPtxOn(chip("sm_80")));
  EXPECT_TRUE(chip("sm_80").runsPtxOn(chip("sm_120")));
  EXPECT_FALSE(chip("sm_86").runsPtxOn(chip("sm_80")));
  EXPECT_FALSE(chip("sm_90").runsPtxOn(chip("sm_89")));
  EXPECT_TRUE(chip("sm_90a").runsPtxOn(chip("sm_90")));
  EXPECT_FALSE(chip("sm_90a").runsPtxOn(chip("sm_100")));
  EXPECT_TRUE(chip("sm_100f").runsPtxOn(chip("sm_103")));
  EXPECT_FALSE(chip("sm_100f").runsPtxOn(chip("sm_120")));
}

} // namespace
