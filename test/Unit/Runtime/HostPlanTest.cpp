//===- HostPlanTest.cpp - which kernels run on which buffers --------------===//
//
// Plans whose kernels are C++ functions.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Executor.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

using namespace fuse;
using ::testing::HasSubstr;

namespace {

size_t addBuffer(HostPlan &plan, PlanBuffer::Kind kind, size_t number,
                 std::vector<int64_t> shape) {
  PlanBuffer &buffer = plan.buffers.emplace_back();
  buffer.kind = kind;
  buffer.number = number;
  buffer.shape = std::move(shape);
  return plan.buffers.size() - 1;
}

size_t addIntermediate(HostPlan &plan, std::vector<int64_t> shape) {
  return addBuffer(plan, PlanBuffer::Kind::Intermediate, 0, std::move(shape));
}

PlanLaunch &addLaunch(HostPlan &plan, std::vector<size_t> buffers) {
  PlanLaunch &launch = plan.launches.emplace_back();
  launch.buffers = std::move(buffers);
  launch.numOutputs = 1;
  return launch;
}

bool overlap(const PlanBuffer &a, const PlanBuffer &b) {
  return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

TEST(HostPlanTest, AChainNeedsTwoBuffers) {
  HostPlan plan;
  std::vector<size_t> chain;
  for (int i = 0; i < 6; ++i)
    chain.push_back(addIntermediate(plan, {100}));
  for (size_t i = 0; i + 1 < chain.size(); ++i)
    addLaunch(plan, {chain[i], chain[i + 1]});
  ASSERT_TRUE(placeIntermediates(plan));
  // 400 bytes, aligned to 64.
  EXPECT_EQ(plan.intermediateBytes, 896u);
  for (size_t i = 0; i + 1 < chain.size(); ++i)
    EXPECT_FALSE(overlap(plan.buffers[i], plan.buffers[i + 1]));
}

TEST(HostPlanTest, WhatLivesTogetherDoesNotOverlap) {
  // Lifetimes and sizes of all kinds: from a small generator.
  uint32_t state = 1;
  auto random = [&](uint32_t bound) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % bound;
  };
  for (int round = 0; round < 200; ++round) {
    HostPlan plan;
    size_t numBuffers = 1 + random(12), numLaunches = 1 + random(8);
    for (size_t i = 0; i < numBuffers; ++i)
      addIntermediate(plan, {random(5) ? random(1000) : 0});
    plan.launches.resize(numLaunches);
    for (size_t i = 0; i < numBuffers; ++i)
      for (int use = 0; use < 2; ++use)
        plan.launches[random(numLaunches)].buffers.push_back(i);
    ASSERT_TRUE(placeIntermediates(plan));
    size_t sum = 0;
    for (const PlanBuffer &a : plan.buffers) {
      EXPECT_EQ(a.offset % HostBuffer::alignment, 0u);
      EXPECT_LE(a.offset + a.bytes, plan.intermediateBytes);
      sum += a.bytes + HostBuffer::alignment;
      for (const PlanBuffer &b : plan.buffers)
        if (&a != &b && a.firstUse <= b.lastUse && b.firstUse <= a.lastUse)
          EXPECT_FALSE(a.bytes && b.bytes && overlap(a, b));
    }
    EXPECT_LE(plan.intermediateBytes, sum);
  }
}

TEST(HostPlanTest, WhatNoAddressCountsIsRefused) {
  HostPlan plan;
  size_t a = addIntermediate(plan, {int64_t(1) << 60});
  size_t b = addIntermediate(plan, {int64_t(1) << 60});
  addLaunch(plan, {a, b});
  Status status = placeIntermediates(plan);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(),
              HasSubstr("the intermediate results need more than 8.0 EiB"));

  HostPlan single;
  addLaunch(single, {addIntermediate(single, {int64_t(1) << 62})});
  EXPECT_FALSE(placeIntermediates(single));
}

TEST(HostPlanTest, BlocksAreCounted) {
  PlanLaunch launch;
  EXPECT_EQ(launch.numBlocks(), 1);
  launch.grid = {3, 4};
  EXPECT_EQ(launch.numBlocks(), 12);
  launch.grid = {int64_t(1) << 62, int64_t(1) << 62, 0};
  EXPECT_EQ(launch.numBlocks(), 0);
  launch.grid = {int64_t(1) << 32, int64_t(1) << 31};
  EXPECT_EQ(launch.numBlocks(), std::nullopt);
}

TEST(HostPlanTest, ADescriptorIsRowMajor) {
  float data = 0;
  auto address = static_cast<int64_t>(reinterpret_cast<intptr_t>(&data));
  EXPECT_THAT(describeMemRef(&data, {}),
              ::testing::ElementsAre(address, address, 0));
  int64_t shape[] = {2, 3, 4};
  EXPECT_THAT(describeMemRef(&data, shape),
              ::testing::ElementsAre(address, address, 0, 2, 3, 4, 12, 4, 1));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

struct Vector {
  float *data, *aligned;
  int64_t offset, size, stride;
};

/// out[i] = in[i] + 1 for every block i, by way of the workspace.
void addOne(void **arguments) {
  auto *in = *static_cast<Vector **>(arguments[0]);
  auto *out = *static_cast<Vector **>(arguments[1]);
  int64_t begin = *static_cast<int64_t *>(arguments[2]);
  int64_t end = *static_cast<int64_t *>(arguments[3]);
  int64_t extent = *static_cast<int64_t *>(arguments[4]);
  auto *workspace = *static_cast<Vector **>(arguments[5]);
  EXPECT_EQ(extent, in->size);
  EXPECT_EQ(workspace->size, 64);
  for (int64_t i = begin; i < end; ++i) {
    std::memset(workspace->data, 0, 64);
    workspace->data[0] = in->data[i];
    out->data[i] = workspace->data[0] + 1;
  }
}

/// in -> a -> b -> out, each one more than the one before; out again, and in.
HostPlan makeChain(int64_t size) {
  HostPlan plan;
  size_t in = addBuffer(plan, PlanBuffer::Kind::Input, 0, {size});
  size_t a = addIntermediate(plan, {size}), b = addIntermediate(plan, {size});
  size_t out = addBuffer(plan, PlanBuffer::Kind::Output, 0, {size});
  size_t chain[] = {in, a, b, out};
  for (int i = 0; i < 3; ++i) {
    PlanLaunch &launch = addLaunch(plan, {chain[i], chain[i + 1]});
    launch.function = addOne;
    launch.grid = {size};
    launch.workspaceBytes = 64;
  }
  plan.copies = {{out, 1}, {in, 2}};
  EXPECT_TRUE(placeIntermediates(plan));
  return plan;
}

static std::shared_ptr<ThreadPool> makePool(unsigned numThreads) {
  auto pool = ThreadPool::create(numThreads);
  EXPECT_TRUE(pool) << pool.error().message();
  return std::move(*pool);
}

TEST(ExecutorTest, AnyNumberOfThreadsGivesTheSame) {
  for (int64_t size : {0, 1, 5, 1000})
    for (unsigned numThreads : {1u, 2u, 7u}) {
      auto executor =
          Executor::create(makeChain(size), makePool(numThreads), 0);
      ASSERT_TRUE(executor) << executor.error().message();
      auto input = HostBuffer::allocate(ElementType::F32, {size});
      ASSERT_TRUE(input);
      for (int64_t i = 0; i < size; ++i)
        storeDouble(ElementType::F32, input->data(), i, double(i));
      std::vector<HostBuffer> outputs;
      for (int i = 0; i < 3; ++i) {
        auto output = HostBuffer::allocate(ElementType::F32, {size});
        ASSERT_TRUE(output);
        output->poison();
        outputs.push_back(std::move(*output));
      }
      const HostBuffer *inputs[] = {&*input};
      // The second run finds what the first has left behind.
      for (int round = 0; round < 2; ++round) {
        std::vector<LaunchTime> times;
        ASSERT_TRUE((*executor)->run(inputs, outputs, &times));
        ASSERT_EQ(times.size(), 3u);
        // By the clock: what is between two launches is seen.
        for (size_t i = 0; i + 1 < times.size(); ++i)
          EXPECT_LE(times[i].begin + times[i].seconds,
                    times[i + 1].begin + 1e-12);
        for (int64_t i = 0; i < size; ++i) {
          auto at = [&](int output) {
            return loadAsDouble(ElementType::F32, outputs[output].data(), i);
          };
          EXPECT_EQ(at(0), double(i + 3));
          EXPECT_EQ(at(1), double(i + 3));
          EXPECT_EQ(at(2), double(i));
        }
      }
    }
}

TEST(ExecutorTest, MoreMemoryThanThereIsIsRefused) {
  auto executor =
      Executor::create(makeChain(4), makePool(2), uint64_t(1) << 60);
  ASSERT_FALSE(executor);
  EXPECT_EQ(executor.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(executor.error().message(),
              HasSubstr("running the kernels needs 1.0 EiB (1.0 EiB of "
                        "outputs, 128 bytes of intermediate results, 64 bytes "
                        "for each of 2 threads), but "));
}

} // namespace
