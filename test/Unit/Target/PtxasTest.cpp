//===- PtxasTest.cpp - what ptxas says ------------------------------------===//
//
// Its log, as CUDA 13.0 writes it; and what becomes of it where something else
// than ptxas is wrong.
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/Ptxas.h"
#include "gtest/gtest.h"

#include <csignal>

#include <sys/resource.h>

using namespace fuse;

namespace {

/// As if the disk were full behind so many bytes of a file.
class FullDisk {
public:
  explicit FullDisk(rlim_t bytes) : handler(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before);
    rlimit limited = before;
    limited.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }

private:
  void (*handler)(int);
  rlimit before;
};

} // namespace

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
  EXPECT_EQ(result.warnings, std::vector<std::string>{"(C7510) Potential "
                                                      "Performance Loss"});
}

TEST(PtxasTest, WarningsAreOfTheKernelThatTheyName) {
  PtxasResult result;
  parsePtxasLog(
      "ptxas info    : (C7519) warpgroup.arrive is injected in around line 18 "
      "by compiler to allow use of registers in GMMA in function 'second'\n"
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'first' for 'sm_90a'\n"
      "ptxas info    : Compiling entry function 'second' for 'sm_90a'\n"
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async "
      "instructions are serialized in the function 'second'\n"
      "ptxas warning : Unresolved extern in function 'third'\n"
      "ptxas info    : Used 18 registers, used 0 barriers\n",
      result);
  ASSERT_EQ(result.kernels.size(), 2u);
  EXPECT_TRUE(result.kernels[0].warnings.empty());
  ASSERT_EQ(result.kernels[1].warnings.size(), 2u);
  EXPECT_TRUE(result.kernels[1].warnings[0].starts_with("(C7519) "));
  EXPECT_TRUE(result.kernels[1].warnings[1].starts_with("(C7510) "));
  EXPECT_EQ(result.kernels[1].registers, 18u);
  EXPECT_EQ(result.warnings,
            std::vector<std::string>{"Unresolved extern in function 'third'"});
}

TEST(PtxasTest, NoneCanBeAskedFor) {
  ASSERT_EQ(setenv("FUSE_PTXAS", "/opt/ptxas", 1), 0);
  EXPECT_EQ(findPtxas(), "/opt/ptxas");
  ASSERT_EQ(setenv("FUSE_PTXAS", "none", 1), 0);
  EXPECT_EQ(findPtxas(), std::nullopt);
  ASSERT_EQ(unsetenv("FUSE_PTXAS"), 0);
}

// Of CUDA's occupancy calculator.
TEST(PtxasTest, WhicheverRunsOutLimitsHowManyBlocksThereAre) {
  GpuChip hopper = *GpuChip::byName("sm_90a"), ada = *GpuChip::byName("sm_89");
  EXPECT_EQ(hopper.residentBlocksOf(1, 16, 0), 32u); // blocks
  EXPECT_EQ(ada.residentBlocksOf(1, 16, 0), 24u);
  EXPECT_EQ(hopper.residentBlocksOf(4, 32, 0), 16u); // warps
  EXPECT_EQ(ada.residentBlocksOf(4, 32, 0), 12u);
  EXPECT_EQ(hopper.residentBlocksOf(8, 255, 0), 1u); // registers
  EXPECT_EQ(hopper.residentBlocksOf(4, 168, 0), 3u);
  EXPECT_EQ(hopper.residentBlocksOf(4, 169, 0), 2u);
  EXPECT_EQ(hopper.residentBlocksOf(4, 32, 100 << 10), 2u); // shared memory
  EXPECT_EQ(hopper.residentBlocksOf(4, 32, 227 << 10), 1u);
  EXPECT_EQ(ada.residentBlocksOf(4, 32, 100 << 10), 0u);
  EXPECT_EQ(hopper.residentBlocksOf(16, 255, 0), 0u);
}

TEST(PtxasTest, ChipsAreKnownByName) {
  auto chip = GpuChip::byName("sm_90a");
  ASSERT_TRUE(chip);
  EXPECT_EQ(chip->capability, 90u);
  EXPECT_TRUE(chip->isSpecific);
  EXPECT_FALSE(GpuChip::byName("sm_1"));
}

TEST(PtxasTest, VersionsAreFoundInWhatItSays) {
  PtxasVersion version =
      parsePtxasVersion("ptxas: NVIDIA (R) Ptx optimizing assembler\n"
                        "Cuda compilation tools, release 13.0, V13.0.88\n");
  EXPECT_EQ(version.toolkit.str(), "13.0");
  EXPECT_NE(version.text.find("V13.0.88"), std::string::npos);
  EXPECT_EQ(parsePtxasVersion("something else").toolkit.str(), "0.0");
  EXPECT_EQ(parsePtxasVersion("release x.y").toolkit.str(), "0.0");
}

TEST(PtxasTest, AFullDiskIsAnError) {
  std::optional<GpuChip> chip = GpuChip::byName("sm_90a");
  ASSERT_TRUE(chip);
  std::string ptx(1 << 20, ' ');
  FullDisk full(4096);
  Result<PtxasResult> result = runPtxas("/bin/true", ptx, *chip, 3);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::Unsupported);
  EXPECT_EQ(result.error().message(),
            "ptxas needs a temporary file, but it cannot be written: File too "
            "large");
}

TEST(PtxasTest, WhatLeavesNothingIsNoPtxas) {
  std::optional<GpuChip> chip = GpuChip::byName("sm_90a");
  ASSERT_TRUE(chip);
  Result<PtxasResult> result = runPtxas("/bin/true", "", *chip, 3);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::Unsupported);
  EXPECT_EQ(result.error().message(),
            "ptxas ('/bin/true') left no code for sm_90a");
}
