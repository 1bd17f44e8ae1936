//===- MeasureTest.cpp - how long programs take, and how alike they run ---===//
//
// On a device whose every launch takes a millisecond, and with kernels that do
// not always write the same.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cuda/Measure.h"
#include "FakeCuda.h"

using namespace fuse;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;

namespace {

class MeasureTest : public FakeCuda {
protected:
  void SetUp() override {
    FakeCuda::SetUp();
    inputs = {&x, &y};
  }

  HostBuffer x = makeBuffer({8, 64}), y = makeBuffer({8});
  std::vector<const HostBuffer *> inputs;
};

TEST_F(MeasureTest, EverySampleIsThere) {
  auto executor = bind(8);
  CudaBenchOptions options;
  options.samples = 7;
  options.warmUps = 2;
  auto result = bench(*executor, inputs, options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_THAT(result->seconds, SizeIs(7));
  for (double seconds : result->seconds)
    EXPECT_NEAR(seconds, 4e-3, 1e-9);
  ASSERT_THAT(result->launchSeconds, SizeIs(4));
  for (const std::vector<double> &launch : result->launchSeconds) {
    EXPECT_THAT(launch, SizeIs(7));
    for (double seconds : launch)
      EXPECT_NEAR(seconds, 1e-3, 1e-9);
  }
  // One run to see whether it works, warm-ups, samples, samples of launches.
  EXPECT_THAT(driver->launches, SizeIs(4 * (1 + 2 + 7 + 7)));
}

TEST_F(MeasureTest, SetsTakeTurns) {
  auto executor = bind(8);
  // x, out and same take 2048 bytes each, and y 32; the cache 4096.
  CudaBenchOptions options;
  auto result = bench(*executor, inputs, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->argumentBytes, 6176u);
  EXPECT_EQ(result->argumentSets, 2u);
  auto outOf = [&](size_t run) {
    return driver->launches[4 * run + 3].values[3];
  };
  EXPECT_NE(outOf(1), outOf(2));
  EXPECT_EQ(outOf(1), outOf(3));
  options.l2Multiple = 0;
  result = bench(*executor, inputs, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->argumentSets, 1u);
  // No more than there are runs, and than there is memory for.
  options.l2Multiple = 1e9;
  options.samples = 3;
  options.warmUps = 2;
  result = bench(*executor, inputs, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->argumentSets, 5u);
  driver->memoryBytes = driver->allocated + 2 * 6176 + 100;
  result = bench(*executor, inputs, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->argumentSets, 2u);
}

TEST_F(MeasureTest, LaunchesWithoutBlocksTakeNoTime) {
  auto executor = bind(0);
  HostBuffer noX = makeBuffer({0, 64}), noY = makeBuffer({0});
  const HostBuffer *none[] = {&noX, &noY};
  auto result = bench(*executor, none);
  ASSERT_TRUE(result) << result.error().message();
  ASSERT_THAT(result->launchSeconds, SizeIs(4));
  EXPECT_THAT(result->launchSeconds[2], Each(0.0));
}

TEST_F(MeasureTest, ErrorsAreThoseOfRuns) {
  auto executor = bind(8);
  driver->kernels["shift"].fault = 700;
  auto result = bench(*executor, inputs);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(),
              HasSubstr("kernel 'shift' from model.mlir:12:8 failed"));
}

TEST_F(MeasureTest, EqualRunsAreEqual) {
  auto executor = bind(8);
  auto difference = repeatBits(*executor, inputs, 5);
  ASSERT_TRUE(difference) << difference.error().message();
  EXPECT_FALSE(*difference);
  EXPECT_THAT(driver->launches, SizeIs(4 * 6));
}

TEST_F(MeasureTest, TheFirstDifferenceIsTold) {
  auto executor = bind(8);
  auto finish = driver->kernels["finish"].body;
  int run = 0;
  driver->kernels["finish"].body = [&, finish](const fake::Launch &launch) {
    finish(launch);
    auto *out = launch.pointer<uint32_t>(3);
    // The sign of a number, and one more bit further on.
    if (run++ == 3) {
      out[2 * 64 + 5] ^= 0x80000000;
      out[2 * 64 + 6] ^= 1;
    }
  };
  auto difference = repeatBits(*executor, inputs, 5);
  ASSERT_TRUE(difference) << difference.error().message();
  ASSERT_TRUE(*difference);
  EXPECT_EQ((*difference)->run, 3u);
  EXPECT_EQ((*difference)->count, 2u);
  // 133 + 1.5 + 6 + 2 = 142.5.
  EXPECT_EQ((*difference)->describe(*executor),
            "output 0 'out' of run 3 differs from that of run 0 in 2 elements, "
            "first in [2, 5]: 0xc30e8000 instead of 0x430e8000");
}

TEST_F(MeasureTest, WhatIsOnlySometimesWrittenDiffers) {
  auto executor = bind(8);
  auto finish = driver->kernels["finish"].body;
  int run = 0;
  driver->kernels["finish"].body = [&, finish](const fake::Launch &launch) {
    if (run++ < 2)
      finish(launch);
  };
  auto difference = repeatBits(*executor, inputs, 5);
  ASSERT_TRUE(difference && *difference);
  EXPECT_EQ((*difference)->run, 2u);
  EXPECT_EQ((*difference)->foundBits, 0xFFFFFFFFu);
}

} // namespace
