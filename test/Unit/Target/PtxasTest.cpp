//===- PtxasTest.cpp - what ptxas says ------------------------------------===//
//
// Its log, as CUDA 13.0 writes it.
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/Ptxas.h"
#include "gtest/gtest.h"

using namespace fuse;

TEST(PtxasTest, TheLogTellsOfEachKernel) {
  PtxasResult result;
  parsePtxasLog(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'first' for 'sm_90a'\n"
      "ptxas info    : Function properties for first\n"
      "    56 bytes stack frame, 52 bytes spill stores, 48 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 1 barriers, 1024 bytes smem\n"
      "ptxas warning : (C7510) Potential Performance Loss\n"
      "ptxas info    : Compiling entry function 'second' for 'sm_90a'\n"
      "ptxas info    : Used 18 registers, used 0 barriers\n",
      result);
  ASSERT_EQ(result.kernels.size(), 2u);
  const PtxasKernel &first = result.kernels[0], &second = result.kernels[1];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.stackBytes, 56u);
  EXPECT_EQ(first.spillStoreBytes, 52u);
  EXPECT_EQ(first.spillLoadBytes, 48u);
  EXPECT_EQ(first.registers, 255u);
  EXPECT_EQ(first.barriers, 1u);
  EXPECT_EQ(first.sharedBytes, 1024u);
  EXPECT_EQ(second.name, "second");
  EXPECT_EQ(second.registers, 18u);
  EXPECT_EQ(second.spillStoreBytes, 0u);
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_NE(result.warnings[0].find("C7510"), std::string::npos);
}

TEST(PtxasTest, ChipsAreKnownByName) {
  auto chip = GpuChip::byName("sm_90a");
  ASSERT_TRUE(chip);
  EXPECT_EQ(chip->capability, 90u);
  EXPECT_TRUE(chip->isSpecific);
  EXPECT_FALSE(GpuChip::byName("sm_1"));
}
