//===- TraceTest.cpp - what profilers are told ----------------------------===//
//
// Timelines on a device whose every launch takes a millisecond, and ranges for
// a profiler that listens.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cuda/Trace.h"
#include "FakeCuda.h"

using namespace fuse;
using ::testing::ElementsAre;

namespace {

class TraceTest : public FakeCuda {
protected:
  HostBuffer x = makeBuffer({8, 64}), y = makeBuffer({8});
};

TEST_F(TraceTest, KernelsAndLaunchesAreThere) {
  auto executor = bind(8);
  const HostBuffer *inputs[] = {&x, &y};
  auto trace = traceRuns(*executor, inputs, 3);
  ASSERT_TRUE(trace) << trace.error().message();
  ASSERT_EQ(trace->kernels.size(), 12u);
  ASSERT_EQ(trace->launches.size(), 12u);
  for (uint32_t i = 0; i < 12; ++i) {
    EXPECT_EQ(trace->kernels[i].launch, i % 4);
    EXPECT_EQ(trace->kernels[i].run, i / 4);
    EXPECT_NEAR(trace->kernels[i].begin, i * 1e-3, 1e-9);
    EXPECT_NEAR(trace->kernels[i].seconds, 1e-3, 1e-9);
    EXPECT_GE(trace->launches[i].begin, 0);
    if (i > 0) {
      EXPECT_GE(trace->launches[i].begin,
                trace->launches[i - 1].begin + trace->launches[i - 1].seconds);
    }
  }
}

TEST_F(TraceTest, LaunchesWithoutBlocksAreNotThere) {
  auto executor = bind(0);
  HostBuffer noX = makeBuffer({0, 64}), noY = makeBuffer({0});
  const HostBuffer *inputs[] = {&noX, &noY};
  auto trace = traceRuns(*executor, inputs, 2);
  ASSERT_TRUE(trace) << trace.error().message();
  EXPECT_TRUE(trace->kernels.empty());
}

TEST_F(TraceTest, ErrorsAreThoseOfRuns) {
  auto executor = bind(8);
  driver->failures["cuEventRecord"] = 1;
  const HostBuffer *inputs[] = {&x, &y};
  EXPECT_FALSE(traceRuns(*executor, inputs, 2));
}

TEST_F(TraceTest, ProfilersThatListenAreToldNames) {
  void *library = dlopen(FAKE_PROFILER, RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(library) << dlerror();
  auto *ranges = reinterpret_cast<std::vector<std::string> *(*)()>(
      dlsym(library, "fuseFakeRanges"))();
  auto depth = reinterpret_cast<int (*)()>(dlsym(library, "fuseFakeDepth"));
  const HostBuffer *inputs[] = {&x, &y};

  ASSERT_TRUE(bind(8)->runOn(inputs));
  EXPECT_TRUE(ranges->empty());
  setenv("NVTX_INJECTION64_PATH", "/no/such/library.so", 1);
  ASSERT_TRUE(bind(8)->runOn(inputs));
  // Something else that is a library.
  setenv("NVTX_INJECTION64_PATH", FAKE_DRIVER, 1);
  ASSERT_TRUE(bind(8)->runOn(inputs));
  EXPECT_TRUE(ranges->empty());

  setenv("NVTX_INJECTION64_PATH", FAKE_PROFILER, 1);
  ASSERT_TRUE(bind(8)->runOn(inputs));
  unsetenv("NVTX_INJECTION64_PATH");
  EXPECT_THAT(*ranges, ElementsAre("scale", "shift", "shift again", "finish"));
  EXPECT_EQ(depth(), 0);
}

} // namespace
