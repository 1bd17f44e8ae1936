//===- ExecutorTest.cpp - plans, from sizes to results --------------------===//
//
// Whole plans on the fake device, whose kernels compute: what is launched, with
// which numbers, in which memory. And what is said when it goes wrong.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

using namespace fuse;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

class CudaExecutorTest : public FakeCuda {
protected:
  /// Runs on the host's buffers and compares.
  void expectRight(CudaExecutor &executor, int64_t n) {
    HostBuffer x = makeBuffer({n, 64}), y = makeBuffer({n});
    const HostBuffer *inputs[] = {&x, &y};
    auto outputs = executor.runOn(inputs);
    ASSERT_TRUE(outputs) << outputs.error().message();
    ASSERT_EQ(outputs->size(), 2u);
    ASSERT_EQ((*outputs)[0].shape(), (std::vector<int64_t>{n, 64}));
    for (size_t i = 0; i < size_t(n) * 64; ++i) {
      ASSERT_EQ(loadAsDouble(ElementType::F32, (*outputs)[0].data(), i),
                expected(x, y, 3, i));
      ASSERT_EQ(loadAsDouble(ElementType::F32, (*outputs)[1].data(), i),
                loadAsDouble(ElementType::F32, x.data(), i));
    }
  }

  std::string runError(CudaExecutor &executor, int64_t n) {
    HostBuffer x = makeBuffer({n, 64}), y = makeBuffer({n});
    const HostBuffer *inputs[] = {&x, &y};
    auto outputs = executor.runOn(inputs);
    EXPECT_FALSE(outputs);
    return outputs ? "" : outputs.error().message();
  }
};

//===----------------------------------------------------------------------===//
// What is launched
//===----------------------------------------------------------------------===//

TEST_F(CudaExecutorTest, AnyNumberOfRowsGivesTheRightResult) {
  auto program = load();
  ASSERT_TRUE(program);
  for (int64_t n : {1, 3, 4, 13, 128, 197}) {
    auto executor = program->bind(sizes(n));
    ASSERT_TRUE(executor) << executor.error().message();
    // Twice: what is kept between runs must not matter.
    expectRight(**executor, n);
    expectRight(**executor, n);
  }
}

TEST_F(CudaExecutorTest, VariantsFollowTheSizes) {
  expectRight(*bind(8), 8);
  EXPECT_THAT(launched(), ElementsAre("scale_tma", "shift", "shift", "finish"));
  driver->launches.clear();
  expectRight(*bind(9), 9);
  EXPECT_THAT(launched(), ElementsAre("scale", "shift", "shift", "finish"));
}

TEST_F(CudaExecutorTest, ALaunchIsAsTheImageSays) {
  expectRight(*bind(200), 200);
  const fake::Launch &scale = driver->launches[0];
  EXPECT_THAT(scale.grid, ElementsAre(50, 1, 1));
  EXPECT_THAT(scale.block, ElementsAre(128, 1, 1));
  EXPECT_THAT(scale.cluster, ElementsAre(2, 1, 1));
  EXPECT_EQ(scale.sharedBytes, 100000u);
  // As many blocks as there are multiprocessors, where there are more rows.
  EXPECT_THAT(driver->launches[1].grid, ElementsAre(132, 1, 1));
  EXPECT_THAT(driver->launches[1].cluster, ElementsAre(0, 0, 0));
  EXPECT_THAT(driver->launches[3].grid, ElementsAre(1, 200, 1));
  const fake::TensorMap &map = driver->maps.back();
  EXPECT_EQ(map.type, 7);
  EXPECT_THAT(map.sizes, ElementsAre(64, 200));
  EXPECT_THAT(map.strides, ElementsAre(256));
  EXPECT_THAT(map.box, ElementsAre(32, 8));
  EXPECT_EQ(map.swizzle, 3);
  EXPECT_EQ(map.promotion, 3);
  EXPECT_EQ(map.fill, 0);
}

TEST_F(CudaExecutorTest, ClustersDoNotFillAllMultiprocessors) {
  // Six parts of 22 multiprocessors have room for five clusters of four each.
  Image image = makeTestImage();
  SizeExpression all = SizeExpression::multiprocessors();
  image.kernels[0].cluster = {4, 1, 1};
  image.kernels[0].grid = {floorDiv(all, 4) * 4};
  expectRight(*bind(200, std::move(image)), 200);
  EXPECT_THAT(driver->launches[0].grid, ElementsAre(120, 1, 1));
  EXPECT_THAT(driver->launches[1].grid, ElementsAre(132, 1, 1));
}

TEST_F(CudaExecutorTest, AClusterNeedsRoom) {
  auto failure = [&] {
    Image image = makeTestImage();
    image.kernels[0].cluster = {4, 1, 1};
    return loadError(std::move(image));
  };
  driver->partSize = 3;
  EXPECT_EQ(failure(),
            "kernel 'scale_tma' from model.mlir:12:8 needs clusters of 4 "
            "blocks, but the device has room for none");
  driver->partSize = 22;
  driver->failures["cuOccupancyMaxActiveClusters"] = 1;
  EXPECT_THAT(failure(),
              HasSubstr("'scale_tma' from model.mlir:12:8 does not say how "
                        "many of its clusters there is room for"));
}

TEST_F(CudaExecutorTest, AKernelThatWaitsItselfMayBeginEarly) {
  Image image = makeTestImage();
  image.kernels[0].waits = image.kernels[3].waits = true;
  expectRight(*bind(8, std::move(image)), 8);
  std::vector<bool> early;
  for (const fake::Launch &launch : driver->launches)
    early.push_back(launch.isEarly);
  EXPECT_THAT(early, ElementsAre(true, false, true, false));
  // With a cluster, too.
  EXPECT_THAT(driver->launches[0].cluster, ElementsAre(2, 1, 1));
}

TEST_F(CudaExecutorTest, ADriverWhoseGraphsDoNotKnowItBeginsNothingEarly) {
  ASSERT_TRUE(driver->isClean());
  use(FAKE_DRIVER);
  driver->driverVersion = 12020;
  Image image = makeTestImage();
  image.kernels[0].waits = true;
  expectRight(*bind(8, std::move(image)), 8);
  EXPECT_FALSE(driver->launches[0].isEarly);
}

TEST_F(CudaExecutorTest, WithoutBlocksNothingIsLaunched) {
  expectRight(*bind(0), 0);
  EXPECT_THAT(launched(), ElementsAre());
}

TEST_F(CudaExecutorTest, AnOldDriverLaunchesWithoutClusters) {
  ASSERT_TRUE(driver->isClean());
  use(FAKE_DRIVER_OLD);
  Image image = makeTestImage();
  image.kernels[0].cluster = {1, 1, 1};
  image.launches[0].variants.erase(image.launches[0].variants.begin());
  expectRight(*bind(8, std::move(image)), 8);
  EXPECT_THAT(launched(), ElementsAre("scale", "shift", "shift", "finish"));
  EXPECT_THAT(driver->launches[3].grid, ElementsAre(1, 8, 1));
}

TEST_F(CudaExecutorTest, IntermediatesShareTheirMemory) {
  auto executor = bind(8);
  ASSERT_TRUE(executor);
  // Of a, b and c two live at a time; the counters lie apart.
  uint64_t bytes = 8 * 64 * 4;
  EXPECT_EQ(executor->unsharedBytes(), 3 * bytes);
  EXPECT_EQ(executor->workspaceBytes(), 2 * bytes + 256);
  expectRight(*executor, 8);
  uint64_t a = driver->launches[1].values[0];
  uint64_t b = driver->launches[2].values[0];
  uint64_t c = driver->launches[3].values[0];
  EXPECT_EQ(a, c);
  EXPECT_NE(a, b);
  EXPECT_EQ(a % workspaceAlignment, 0u);
}

TEST_F(CudaExecutorTest, WhatOnlyAnotherVariantUsesTakesNoMemory) {
  // The variant for many rows has an intermediate of its own.
  auto makeImage = [] {
    Image image = makeTestImage();
    image.buffers.push_back(makeImageBuffer(ImageBuffer::Kind::Intermediate, 0,
                                            "partial", {1000000}));
    image.kernels[0].parameters.push_back(
        KernelParameter::pointer(9, /*isWritten=*/true));
    return image;
  };
  EXPECT_LT(bind(9, makeImage())->workspaceBytes(), 10000u);
  EXPECT_GT(bind(8, makeImage())->workspaceBytes(), 4000000u);
}

TEST_F(CudaExecutorTest, WhatNobodyWroteIsSeen) {
  // A kernel that writes nothing: its output stays poisoned.
  driver->kernels["finish"].body = nullptr;
  auto executor = bind(1);
  HostBuffer x = makeBuffer({1, 64}), y = makeBuffer({1});
  const HostBuffer *inputs[] = {&x, &y};
  auto outputs = executor->runOn(inputs);
  ASSERT_TRUE(outputs);
  EXPECT_EQ(loadBits(ElementType::F32, (*outputs)[0].data(), 5), 0xFFFFFFFFu);
}

TEST_F(CudaExecutorTest, LaunchingDoesNothingElse) {
  auto executor = bind(8);
  auto device = executor->device();
  auto stream = CudaStream::create(device);
  ASSERT_TRUE(stream);
  HostBuffer x = makeBuffer({8, 64}), y = makeBuffer({8});
  const HostBuffer *inputs[] = {&x, &y};
  auto arrays = DeviceArguments::create(*executor, inputs, stream->handle());
  ASSERT_TRUE(arrays);
  auto arguments = executor->prepare(arrays->inputs(), arrays->outputs());
  ASSERT_TRUE(arguments) << arguments.error().message();
  EXPECT_THAT(arguments->variants(), ElementsAre(0, 0, 0, 0));
  uint64_t allocations = driver->numAllocations;
  // Nothing of all that may be asked for.
  for (const char *function :
       {"cuMemAlloc_v2", "cuModuleLoadDataEx", "cuFuncLoad", "cuMemGetInfo_v2",
        "cuTensorMapEncodeTiled", "cuPointerGetAttributes",
        "cuMemGetAddressRange_v2", "cuStreamSynchronize", "cuEventCreate"})
    driver->failures[function] = 1;
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(executor->launch(*arguments, stream->handle()));
  driver->failures.clear();
  EXPECT_EQ(driver->numAllocations, allocations);
  EXPECT_EQ(driver->launches.size(), 12u);
  EXPECT_EQ(driver->launches[0].stream, stream->handle());
  std::vector<HostBuffer> outputs;
  outputs.push_back(makeBuffer({8, 64}, {0}));
  outputs.push_back(makeBuffer({8, 64}, {0}));
  ASSERT_TRUE(arrays->copyOutputs(outputs, stream->handle()));
  EXPECT_EQ(loadAsDouble(ElementType::F32, outputs[0].data(), 100),
            expected(x, y, 3, 100));
  ASSERT_TRUE(
      executor->run(arrays->inputs(), arrays->outputs(), stream->handle()));
  EXPECT_EQ(driver->launches.size(), 16u);
}

TEST_F(CudaExecutorTest, LaunchesAreTimed) {
  auto executor = bind(8);
  HostBuffer x = makeBuffer({8, 64}), y = makeBuffer({8});
  const HostBuffer *inputs[] = {&x, &y};
  std::vector<HostBuffer> outputs;
  outputs.push_back(makeBuffer({8, 64}, {0}));
  outputs.push_back(makeBuffer({8, 64}, {0}));
  ASSERT_TRUE(executor->run(inputs, outputs));
}

//===----------------------------------------------------------------------===//
// What cannot be launched
//===----------------------------------------------------------------------===//

TEST_F(CudaExecutorTest, SizesHaveToFitTheContract) {
  auto program = load();
  auto executor = program->bind({{{2, 64}, {3}}, {1}, 0});
  ASSERT_FALSE(executor);
  EXPECT_EQ(executor.error().message(),
            "input 1 'y' has the shape 3, but its size 0 has to be 2 "
            "(in0.size(0))");
}

TEST_F(CudaExecutorTest, WithoutAVariantThereIsASentence) {
  Image image = makeTestImage();
  image.launches[0].variants.pop_back();
  EXPECT_EQ(bindError(9, std::move(image)),
            "launch 'scale' has no variant for these sizes: 'scale_tma' (TMA) "
            "needs in0.size(0) divisible by 4, and in0.size(0) is 9");
}

TEST_F(CudaExecutorTest, VariantsForOtherChipsAreNamed) {
  Image image = makeTestImage();
  image.modules.push_back(
      {"other", ".version 8.6\n.target sm_100a, debug", {10, 0}, {8, 6}, {}});
  image.modules[1].chip.features = ChipFeatures::Specific;
  image.kernels[1].module = 1;
  EXPECT_EQ(bindError(9, std::move(image)),
            "launch 'scale' has no variant for these sizes: 'scale_tma' (TMA) "
            "needs in0.size(0) divisible by 4, and in0.size(0) is 9; 'scale' "
            "(any size) is for sm_100a");
}

TEST_F(CudaExecutorTest, GridsHaveToFitTheDevice) {
  EXPECT_EQ(bindError(65536), "kernel 'finish' from model.mlir:12:8: the grid "
                              "is 1x65536, but the device takes 0 to 65535 "
                              "blocks in dimension 1");
  Image image = makeTestImage();
  image.kernels[1].grid = {SizeExpression::size(0, 0) - 10};
  EXPECT_THAT(bindError(9, std::move(image)), HasSubstr("the grid is -1, but"));
  image = makeTestImage();
  image.kernels[0].grid = {5};
  EXPECT_EQ(bindError(8, std::move(image)),
            "kernel 'scale_tma' from model.mlir:12:8: the grid is 5, but in "
            "dimension 0 a cluster has 2 blocks");
  image = makeTestImage();
  image.kernels[1].grid = {SizeExpression::size(0, 0) * INT64_MAX};
  EXPECT_THAT(bindError(9, std::move(image)),
              HasSubstr("the grid: size 0: 'in0.size(0) * "
                        "9223372036854775807' does not fit 64 bits"));
}

TEST_F(CudaExecutorTest, ParametersHaveToFit) {
  Image image = makeTestImage();
  image.kernels[0].parameters[3].value =
      SizeExpression::size(0, 0) + 2147483640;
  EXPECT_EQ(bindError(8, std::move(image)),
            "kernel 'scale_tma' from model.mlir:12:8: parameter 3: "
            "'in0.size(0) + 2147483640' is 2147483648, which does not fit 32 "
            "bits");
  image = makeTestImage();
  image.kernels[1].parameters[0].value = 9 * 64 * 4 + 1;
  EXPECT_EQ(bindError(9, std::move(image)),
            "kernel 'scale' from model.mlir:12:8: parameter 0: it points 2305 "
            "bytes into a buffer of 2304");
  image = makeTestImage();
  image.kernels[0].parameters[0].map.sizes[0] = 65;
  EXPECT_EQ(bindError(8, std::move(image)),
            "kernel 'scale_tma' from model.mlir:12:8: parameter 0: a tensor "
            "map reaches to byte 2051, but its buffer has 2048 bytes");
}

TEST_F(CudaExecutorTest, BuffersHaveToBeMeasurable) {
  Image image = makeTestImage();
  image.buffers[test_image::a].shape[0] =
      SizeExpression::size(0, 0) * (int64_t(1) << 60);
  EXPECT_THAT(bindError(4, std::move(image)),
              HasSubstr("buffer 'a': a buffer of shape 4611686018427387904x64 "
                        "of f32 needs more than"));
  image = makeTestImage();
  image.buffers[test_image::a].shape[0] = SizeExpression::size(0, 0) % 0;
  EXPECT_EQ(bindError(4, std::move(image)),
            "buffer 'a': size 0: 'in0.size(0) % 0' divides by zero");
  image = makeTestImage();
  image.buffers[test_image::same].shape[1] = 63;
  EXPECT_EQ(bindError(4, std::move(image)),
            "output 'same' has the shape 4x63, but is a copy of 4x64");
  image = makeTestImage();
  for (uint32_t buffer : {test_image::a, test_image::b})
    image.buffers[buffer].shape[0] = int64_t(1) << 54;
  EXPECT_EQ(bindError(4, std::move(image)),
            "the intermediate results need more than 8.0 EiB, the most there "
            "can be");
}

TEST_F(CudaExecutorTest, TheWorkspaceNeedsMemory) {
  auto program = load();
  driver->memoryBytes = 100000;
  auto executor = program->bind(sizes(400));
  ASSERT_FALSE(executor);
  EXPECT_EQ(executor.error().message(),
            "the workspace of 'chain' needs 200.0 KiB, but the device has 97.4 "
            "KiB free");
  driver->memoryBytes = 256 + 400 * 512 + 8;
  executor = program->bind(sizes(400));
  ASSERT_FALSE(executor);
  EXPECT_EQ(executor.error().message(),
            "the counters of 'chain' needs 256 bytes, but the device has 8 "
            "bytes free");
}

//===----------------------------------------------------------------------===//
// What goes wrong while it runs
//===----------------------------------------------------------------------===//

TEST_F(CudaExecutorTest, AKernelThatFailsIsNamed) {
  auto executor = bind(8);
  driver->kernels["shift"].fault = 700;
  std::string loss = "kernel 'shift' from model.mlir:12:8 failed: "
                     "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was "
                     "encountered)";
  EXPECT_THAT(runError(*executor, 8),
              HasSubstr(loss + "; the device cannot be used any more"));
  EXPECT_EQ(runError(*executor, 8),
            "the device cannot be used any more in this process, since: " +
                loss);
  // Even then everything is released; TearDown looks.
}

TEST_F(CudaExecutorTest, AKernelThatFailsAtOnceIsNamed) {
  // Before its end is marked in the stream.
  auto executor = bind(8);
  driver->kernels["shift"].body = [&](const fake::Launch &) {
    driver->sticky = 700;
  };
  EXPECT_THAT(runError(*executor, 8),
              HasSubstr("kernel 'shift' from model.mlir:12:8 failed: "
                        "CUDA_ERROR_ILLEGAL_ADDRESS"));
}

TEST_F(CudaExecutorTest, AnErrorFromBeforeIsNotBlamedOnAKernel) {
  auto executor = bind(8);
  HostBuffer x = makeBuffer({8, 64}), y = makeBuffer({8});
  const HostBuffer *inputs[] = {&x, &y};
  auto made = DeviceArguments::create(*executor, inputs, nullptr);
  ASSERT_TRUE(made);
  auto arguments = executor->prepare(made->inputs(), made->outputs());
  ASSERT_TRUE(arguments);
  driver->failures["cuStreamSynchronize"] = 719;
  Status status = executor->launchAndWait(*arguments, nullptr);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(),
              HasSubstr("before the first kernel: waiting for what was "
                        "launched failed: CUDA_ERROR_LAUNCH_FAILED"));
}

TEST_F(CudaExecutorTest, AKernelIsNotBlamedForThoseBeforeIt) {
  auto executor = bind(8);
  HostBuffer x = makeBuffer({8, 64}), y = makeBuffer({8});
  const HostBuffer *inputs[] = {&x, &y};
  auto arrays = DeviceArguments::create(*executor, inputs, nullptr);
  ASSERT_TRUE(arrays);
  auto arguments = executor->prepare(arrays->inputs(), arrays->outputs());
  ASSERT_TRUE(arguments);
  driver->failures["cuLaunchKernelEx"] = 700;
  Status status = executor->launch(*arguments, nullptr);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(),
              HasSubstr("what was launched before kernel 'scale_tma' from "
                        "model.mlir:12:8 failed: CUDA_ERROR_ILLEGAL_ADDRESS"));
}

TEST_F(CudaExecutorTest, ALaunchThatFailsIsNamed) {
  auto executor = bind(8);
  driver->failures["cuLaunchKernelEx"] = 1;
  EXPECT_EQ(runError(*executor, 8),
            "kernel 'scale_tma' from model.mlir:12:8 cannot be launched: "
            "CUDA_ERROR_INVALID_VALUE");
  driver->failures = {{"cuMemcpyDtoDAsync_v2", 1}};
  EXPECT_EQ(runError(*executor, 8),
            "copying to output 1 'same' failed: CUDA_ERROR_INVALID_VALUE");
  // Neither lost the device.
  driver->failures.clear();
  expectRight(*executor, 8);
}

TEST_F(CudaExecutorTest, OneCanWaitForEveryKernel) {
  HostBuffer x = makeBuffer({8, 64}), y = makeBuffer({8});
  const HostBuffer *inputs[] = {&x, &y};
  for (bool waits : {false, true}) {
    setenv("FUSE_CUDA_SYNC", waits ? "1" : "0", 1);
    ASSERT_TRUE(driver->isClean());
    use(FAKE_DRIVER);
    auto executor = bind(8);
    auto arrays = DeviceArguments::create(*executor, inputs, nullptr);
    ASSERT_TRUE(arrays);
    auto arguments = executor->prepare(arrays->inputs(), arrays->outputs());
    ASSERT_TRUE(arguments);
    driver->kernels["shift"].fault = 700;
    Status status = executor->launch(*arguments, nullptr);
    EXPECT_EQ(bool(status), !waits);
    if (!status)
      EXPECT_THAT(status.error().message(),
                  HasSubstr("kernel 'shift' from model.mlir:12:8 failed"));
  }
}

TEST_F(CudaExecutorTest, ArgumentsBelongToTheirExecutor) {
  auto program = load();
  auto first = program->bind(sizes(8)), second = program->bind(sizes(8));
  ASSERT_TRUE(first && second);
  HostBuffer x = makeBuffer({8, 64}), y = makeBuffer({8});
  const HostBuffer *inputs[] = {&x, &y};
  auto arrays = DeviceArguments::create(**first, inputs, nullptr);
  ASSERT_TRUE(arrays);
  auto arguments = (*first)->prepare(arrays->inputs(), arrays->outputs());
  ASSERT_TRUE(arguments);
  auto messageOf = [](Status status) {
    EXPECT_FALSE(status);
    return status ? "" : status.error().message();
  };
  const char *message = "the arguments were prepared by another executor";
  EXPECT_EQ(messageOf((*second)->launch(*arguments, nullptr)), message);
  EXPECT_EQ(messageOf((*second)->launchAndWait(*arguments, nullptr)), message);
  EXPECT_EQ(messageOf((*second)->launchMarked(*arguments, nullptr, {})),
            message);
  EXPECT_EQ(messageOf((*first)->launchMarked(*arguments, nullptr, {})),
            "5 marks are needed, but 0 were given");
}

TEST_F(CudaExecutorTest, TheHostsBuffersHaveToFit) {
  auto executor = bind(2);
  HostBuffer x = makeBuffer({2, 64}), y = makeBuffer({3});
  const HostBuffer *inputs[] = {&x, &y};
  auto messageOf = [](Status status) {
    EXPECT_FALSE(status);
    return status ? "" : status.error().message();
  };
  std::vector<HostBuffer> outputs;
  EXPECT_EQ(messageOf(executor->run(inputs, outputs)),
            "'chain' has 2 outputs, but 0 were given");
  outputs.push_back(makeBuffer({2, 64}, {0}));
  outputs.push_back(makeBuffer({2, 65}, {0}));
  EXPECT_EQ(messageOf(executor->run(inputs, outputs)),
            "output 1 'same' is 2x65 of f32, but 2x64 of f32 is needed");
  outputs[1] = makeBuffer({2, 64}, {0});
  EXPECT_EQ(messageOf(executor->run(inputs, outputs)),
            "input 1 'y' is 3 of f32, but 2 of f32 is needed");
  EXPECT_EQ(messageOf(executor->run(std::span(inputs, 1), outputs)),
            "'chain' has 2 inputs, but 1 was given");
}

} // namespace
