//===- SpillPlacesTest.cpp - where machine code spills --------------------===//
//
// Of kernels with many numbers beside a loop, or in it, by ptxas for each chip.
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/SpillPlaces.h"
#include "fuse/Target/Ptxas.h"
#include "gtest/gtest.h"

using namespace fuse;

/// A kernel whose loop computes with so many of 120 numbers in each round, one
/// with the other. A thread has 64 registers.
static std::string kernelWith(const GpuChip &chip, unsigned inLoop) {
  constexpr unsigned count = 120;
  std::string text = ".version 8.7\n.target " + chip.name +
                     "\n.address_size 64\n"
                     ".visible .entry k(.param .u64 p, .param .u32 n)\n"
                     ".maxntid 1024 {\n"
                     ".reg .u64 %a, %b; .reg .u32 %n, %i; .reg .pred %q;\n"
                     ".reg .f32 %f<120>;\n"
                     "ld.param.u64 %a, [p]; ld.param.u32 %n, [n];\n"
                     "cvta.to.global.u64 %b, %a;\nmov.u32 %i, 0;\n";
  auto number = [](unsigned i) { return "%f" + std::to_string(i); };
  auto place = [](unsigned i) { return "[%b+" + std::to_string(4 * i) + "]"; };
  for (unsigned i = 0; i < count; ++i)
    text += "ld.global.f32 " + number(i) + ", " + place(i) + ";\n";
  text += "ROUND:\n";
  for (unsigned i = 0; i < inLoop; ++i)
    text += "fma.rn.f32 " + number(i) + ", " + number(i) + ", " +
            number((7 * i + 1) % inLoop) + ", " + number((3 * i + 5) % inLoop) +
            ";\n";
  text += "add.u32 %i, %i, 1; setp.lt.u32 %q, %i, %n; @%q bra ROUND;\n";
  for (unsigned i = 0; i < count; ++i)
    text += "st.global.f32 " + place(i) + ", " + number(i) + ";\n";
  return text + "ret; }\n";
}

class SpillPlacesTest : public testing::TestWithParam<GpuChip> {
protected:
  /// Which part of the rounds of such a kernel moves spilled registers.
  static std::optional<double> partOf(unsigned inLoop) {
    Result<PtxasResult> made =
        runPtxas(*findPtxas(), kernelWith(GetParam(), inLoop), GetParam(), 3);
    if (!made) {
      ADD_FAILURE() << made.error().message();
      return std::nullopt;
    }
    EXPECT_GT(made->kernels.at(0).spillStoreBytes, 0u);
    Result<Chip> chip = Chip::parse(GetParam().name);
    return chip ? spilledPart(made->cubin, *chip, "k") : std::nullopt;
  }
};

TEST_P(SpillPlacesTest, WhatIsBesideALoopIsNotInIt) {
  if (!findPtxas())
    GTEST_SKIP() << "there is no ptxas";
  std::optional<double> part = partOf(8);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(*part, 0);
}

TEST_P(SpillPlacesTest, WhatALoopNeedsIsInIt) {
  if (!findPtxas())
    GTEST_SKIP() << "there is no ptxas";
  std::optional<double> part = partOf(120);
  ASSERT_TRUE(part.has_value());
  EXPECT_GT(*part, 0.05);
  EXPECT_LT(*part, 0.9);
}

// Both ways in which branches say where they go.
INSTANTIATE_TEST_SUITE_P(Chips, SpillPlacesTest,
                         testing::Values(*GpuChip::byName("sm_80"),
                                         *GpuChip::byName("sm_90a")),
                         [](const auto &info) { return info.param.name; });

TEST(SpillPlacesTest, WhatIsNoMachineCodeIsNotUnderstood) {
  Chip chip;
  chip.major = 9;
  EXPECT_FALSE(spilledPart("", chip, "k").has_value());
  EXPECT_FALSE(spilledPart(std::string(4096, '\x7f'), chip, "k").has_value());
}
