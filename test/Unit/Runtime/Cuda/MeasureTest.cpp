//===- MeasureTest.cpp - how long programs take, and how alike they run ---===//
//
// On a device whose every launch takes a millisecond, and with kernels that do
// not always write the same.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cuda/Measure.h"
#include "FakeCuda.h"
#include "fuse/Runtime/Cuda/Graph.h"

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
  options.sampleSeconds = 0;
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

TEST_F(MeasureTest, ASampleIsAGraphOfRuns) {
  auto executor = bind(8);
  CudaBenchOptions options;
  options.samples = 3;
  options.warmUps = 2;
  // A run takes 4 ms.
  options.sampleSeconds = 18e-3;
  auto result = bench(*executor, inputs, options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->runsPerSample, 5u);
  EXPECT_THAT(result->seconds, SizeIs(3));
  for (double seconds : result->seconds)
    EXPECT_NEAR(seconds, 4e-3, 1e-9);
  // One to see whether it works, warm-ups, four to see how long a run takes,
  // the graph once in advance, samples, samples of launches.
  EXPECT_THAT(driver->launches, SizeIs(4 * (1 + 2 + 4 + 5 + 3 * 5 + 3)));
  // All sets have their turn in every sample.
  options.sampleSeconds = 1e-6;
  result = bench(*executor, inputs, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->argumentSets, 3u);
  EXPECT_EQ(result->runsPerSample, 3u);
}

TEST_F(MeasureTest, RestsAreNotTimed) {
  auto executor = bind(8);
  CudaBenchOptions options;
  options.samples = 3;
  options.restSeconds = 1e-3;
  for (double sampleSeconds : {0.0, 9e-3}) {
    options.sampleSeconds = sampleSeconds;
    auto result = bench(*executor, inputs, options);
    ASSERT_TRUE(result) << result.error().message();
    EXPECT_THAT(result->seconds, SizeIs(3));
    for (double seconds : result->seconds)
      EXPECT_NEAR(seconds, 4e-3, 1e-9);
  }
}

/// Makes the kernel that reads clocks: five processors of 1.5 GHz and a slow
/// one, each with counters that began anywhere. `numCalls` runs are told apart.
static void addClocks(fake::State &driver, uint64_t &numCalls) {
  fake::Kernel &kernel = driver.kernels["fuse_read_clocks"];
  kernel.numParameters = 1;
  kernel.body = [&](const fake::Launch &launch) {
    ++numCalls;
    for (uint64_t block = 0; block < launch.grid[0]; ++block) {
      uint64_t processor = block * 7 % 6, time = 1000000 * driver.clock;
      uint64_t *reading = launch.pointer<uint64_t>(0) + 3 * block;
      reading[0] = processor;
      // A counter may run over.
      reading[1] = processor * (~uint64_t(0) / 5) +
                   (processor == 3 ? time / 2 : 3 * time / 2);
      reading[2] = time;
    }
  };
}

TEST_F(MeasureTest, TheClockIsKnown) {
  uint64_t numCalls = 0;
  addClocks(*driver, numCalls);
  auto executor = bind(8);
  CudaBenchOptions options;
  options.samples = 3;
  auto result = bench(*executor, inputs, options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_FALSE(result->clock);
  EXPECT_EQ(numCalls, 0u);
  options.readsClock = true;
  // Rests are no part of it: each sample is read, and the last one counts.
  for (auto [rest, calls] : {std::pair(0.0, 2u), {1e-3, 6u}}) {
    numCalls = 0;
    options.restSeconds = rest;
    result = bench(*executor, inputs, options);
    ASSERT_TRUE(result) << result.error().message();
    ASSERT_TRUE(result->clock);
    EXPECT_NEAR(*result->clock, 1.5e9, 1);
    EXPECT_EQ(numCalls, calls);
    for (double seconds : result->seconds)
      EXPECT_NEAR(seconds, 4e-3, 1e-9);
  }
}

TEST_F(MeasureTest, AClockThatCannotBeReadIsAnError) {
  auto executor = bind(8);
  CudaBenchOptions options;
  options.readsClock = true;
  auto result = bench(*executor, inputs, options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(),
              HasSubstr("the kernel that reads clocks is not found"));
  uint64_t numCalls = 0;
  addClocks(*driver, numCalls);
  driver->failures = {{"cuModuleLoadDataEx", 1}};
  result = bench(*executor, inputs, options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(),
              HasSubstr("the kernel that reads clocks is refused"));
}

TEST_F(MeasureTest, WithoutReadingsNoClockIsKnown) {
  auto executor = bind(8);
  CudaBenchOptions options;
  options.readsClock = true;
  uint64_t numCalls = 0;
  addClocks(*driver, numCalls);
  // There is nothing to assemble the kernel with.
  for (int code : {221, 223}) {
    driver->failures = {{"cuModuleLoadDataEx", code}};
    auto result = bench(*executor, inputs, options);
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->clock);
  }
  driver->failures.clear();
  EXPECT_EQ(numCalls, 0u);
  // Nothing is written, or nearly the same twice.
  driver->kernels["fuse_read_clocks"].body = nullptr;
  auto result = bench(*executor, inputs, options);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->clock);
  driver->kernels["fuse_read_clocks"].body = [](const fake::Launch &launch) {
    launch.pointer<uint64_t>(0)[1] = launch.pointer<uint64_t>(0)[2] = 5;
  };
  result = bench(*executor, inputs, options);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->clock);
}

TEST_F(MeasureTest, WhereThereAreNoGraphsASampleIsOneRun) {
  use(FAKE_DRIVER_OLD);
  Image image = makeTestImage();
  image.kernels[0].cluster = {1, 1, 1};
  image.launches[0].variants.erase(image.launches[0].variants.begin());
  image.kernels[0].cluster = {1, 1, 1};
  auto executor = bind(8, std::move(image));
  ASSERT_TRUE(executor);
  auto result = bench(*executor, inputs);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->runsPerSample, 1u);
}

TEST_F(MeasureTest, WaitingForEachKernelNeedsNoGraph) {
  setenv("FUSE_CUDA_SYNC", "1", 1);
  auto executor = bind(8);
  auto result = bench(*executor, inputs);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->runsPerSample, 1u);
}

TEST_F(MeasureTest, AGraphThatCannotBeMadeIsAnError) {
  auto executor = bind(8);
  for (auto [function, what] :
       {std::pair("cuStreamBeginCapture_v2", "a graph cannot be recorded"),
        {"cuStreamEndCapture", "a graph cannot be made of what was recorded"},
        {"cuGraphInstantiateWithFlags",
         "a graph cannot be made of what was recorded"},
        {"cuGraphLaunch", "a graph cannot be launched"}}) {
    driver->failures = {{function, 1}};
    auto result = bench(*executor, inputs);
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message(), HasSubstr(what));
  }
  driver->failures.clear();
  // What fails while it is recorded ends the recording.
  auto stream = CudaStream::create(executor->device());
  ASSERT_TRUE(stream);
  auto graph =
      CudaGraph::record(executor->device(), stream->handle(), []() -> Status {
        return RuntimeError(ErrorCode::Device, "not today");
      });
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().message(), "not today");
}

TEST_F(MeasureTest, SetsTakeTurns) {
  auto executor = bind(8);
  // x, out and same take 2048 bytes each, and y 32; the cache 4096.
  CudaBenchOptions options;
  options.l2Multiple = 2;
  options.sampleSeconds = 0;
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

TEST_F(MeasureTest, ReplaysGiveTheSameBits) {
  auto executor = bind(8);
  auto difference = repeatBits(*executor, inputs, 5, /*replaysGraph=*/true);
  ASSERT_TRUE(difference) << difference.error().message();
  EXPECT_FALSE(*difference);
  EXPECT_THAT(driver->launches, SizeIs(4 * 6));
  EXPECT_EQ(driver->graphs, 0);
}

TEST_F(MeasureTest, OldDriversHaveNoGraphs) {
  use(FAKE_DRIVER_OLD);
  Image image = makeTestImage();
  // What needs a newer driver, too.
  image.launches[0].variants.erase(image.launches[0].variants.begin());
  image.kernels[0].cluster = {1, 1, 1};
  auto executor = bind(8, std::move(image));
  ASSERT_TRUE(executor);
  auto difference = repeatBits(*executor, inputs, 1, /*replaysGraph=*/true);
  ASSERT_FALSE(difference);
  EXPECT_EQ(difference.error().message(),
            "the driver has no graphs, which need CUDA 11.4");
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
