//===- PrepareTest.cpp - arrays that can be arguments, or not -------------===//
//
// Every way in which an array on the device can be wrong ends in a sentence,
// before anything is launched; and addresses decide which variant is run.
//
//===----------------------------------------------------------------------===//

#include "Cuda/ExecutorState.h"
#include "FakeCuda.h"

using namespace fuse;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// Arrays for n rows, as the test Image needs them.
class PrepareTest : public FakeCuda {
protected:
  void start(int64_t n, Image image = makeTestImage()) {
    executor = bind(n, std::move(image));
    ASSERT_TRUE(executor);
    HostBuffer x = makeBuffer({n, 64}), y = makeBuffer({n});
    const HostBuffer *hostInputs[] = {&x, &y};
    auto made = DeviceArguments::create(*executor, hostInputs, nullptr);
    ASSERT_TRUE(made);
    arrays.emplace(std::move(*made));
    inputs = arrays->inputs();
    outputs = arrays->outputs();
  }
  void TearDown() override {
    arrays.reset();
    executor.reset();
    FakeCuda::TearDown();
  }

  std::string error() {
    auto arguments = executor->prepare(inputs, outputs);
    EXPECT_FALSE(arguments);
    return arguments ? "" : arguments.error().message();
  }
  std::vector<std::optional<uint32_t>> variants() {
    auto arguments = executor->prepare(inputs, outputs);
    EXPECT_TRUE(arguments) << arguments.error().message();
    return arguments ? arguments->variants()
                     : std::vector<std::optional<uint32_t>>();
  }

  std::unique_ptr<CudaExecutor> executor;
  std::optional<DeviceArguments> arrays;
  std::vector<DeviceArray> inputs, outputs;
};

/// "0x7f..", as messages have it.
std::string hex(DevicePointer address) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llx", (unsigned long long)(address));
  return text;
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

TEST_F(PrepareTest, AddressesChooseVariants) {
  start(8);
  EXPECT_THAT(variants(), ElementsAre(0, 0, 0, 0));
  // An input that starts 4 bytes into a larger allocation.
  auto larger = DeviceBuffer::allocate(executor->device(), 8 * 64 * 4 + 4, "x");
  ASSERT_TRUE(larger);
  inputs[0].address = larger->address() + 4;
  EXPECT_THAT(variants(), ElementsAre(1, 0, 0, 0));
}

TEST_F(PrepareTest, WithoutBlocksThereIsNoVariant) {
  start(0);
  EXPECT_THAT(variants(), ElementsAre(std::nullopt, std::nullopt, std::nullopt,
                                      std::nullopt));
  // Of an empty array the address may be anything.
  inputs[0].address = outputs[0].address = 0;
  variants();
}

TEST_F(PrepareTest, WithoutAVariantThereIsASentence) {
  Image image = makeTestImage();
  image.launches[0].variants.pop_back();
  start(8, std::move(image));
  auto larger = DeviceBuffer::allocate(executor->device(), 8 * 64 * 4 + 4, "x");
  ASSERT_TRUE(larger);
  inputs[0].address = larger->address() + 4;
  EXPECT_EQ(error(), "launch 'scale' has no variant for these arrays: "
                     "'scale_tma' needs %0 'x' aligned to 16 bytes");
}

//===----------------------------------------------------------------------===//
// The form of arrays
//===----------------------------------------------------------------------===//

TEST_F(PrepareTest, AsManyAreNeededAsThereAre) {
  start(2);
  inputs.pop_back();
  EXPECT_EQ(error(), "'chain' has 2 inputs, but 1 was given");
  inputs = arrays->inputs();
  outputs.pop_back();
  EXPECT_EQ(error(), "'chain' has 2 outputs, but 1 was given");
}

TEST_F(PrepareTest, TypesAndShapesHaveToFit) {
  start(2);
  inputs[0].type = ElementType::BF16;
  EXPECT_EQ(error(), "input 0 'x': it has elements of bf16, but f32 is needed");
  inputs = arrays->inputs();
  inputs[1].shape = {3};
  EXPECT_EQ(error(), "input 1 'y': it has the shape 3, but 2 is needed");
  inputs = arrays->inputs();
  outputs[1].shape = {64, 2};
  EXPECT_EQ(error(),
            "output 1 'same': it has the shape 64x2, but 2x64 is needed");
}

TEST_F(PrepareTest, StridesHaveToBeRowMajor) {
  start(2);
  inputs[0].strides = {64, 1};
  variants();
  inputs[0].strides = {128, 1};
  EXPECT_EQ(error(), "input 0 'x': its strides are 128x1 for the shape 2x64, "
                     "but row-major order without gaps is needed");
  inputs[0].strides = {1, 2};
  EXPECT_THAT(error(), HasSubstr("its strides are 1x2"));
  inputs[0].strides = {1};
  EXPECT_EQ(error(), "input 0 'x': it has 1 strides for 2 dimensions");
}

TEST_F(PrepareTest, StridesOfOneElementSayNothing) {
  start(1);
  inputs[0].strides = {999, 1};
  inputs[1].strides = {0};
  variants();
}

TEST_F(PrepareTest, AddressesHaveToBeAligned) {
  start(2);
  inputs[0].address += 2;
  EXPECT_EQ(error(), "input 0 'x': its address " + hex(inputs[0].address) +
                         " is not divisible by 4, as is needed");
  inputs = arrays->inputs();
  outputs[0].address += 8;
  EXPECT_THAT(error(), HasSubstr("is not divisible by 16, as is needed"));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST_F(PrepareTest, TheHostsMemoryIsRefused) {
  start(2);
  HostBuffer host = makeBuffer({2, 64});
  inputs[0].address = reinterpret_cast<uintptr_t>(host.data());
  EXPECT_EQ(error(), "input 0 'x': its address " + hex(inputs[0].address) +
                         " is of the host's memory, but memory of device 0 is "
                         "needed");
  inputs[0].address = 0;
  EXPECT_THAT(error(), HasSubstr("its address 0x0 is of the host's memory"));
}

TEST_F(PrepareTest, AnotherDevicesMemoryIsRefused) {
  start(2);
  driver->ordinals[inputs[1].address] = 3;
  EXPECT_EQ(error(), "input 1 'y': its address " + hex(inputs[1].address) +
                         " is of device 3, but memory of device 0 is needed");
}

TEST_F(PrepareTest, WhatIsTooSmallIsRefused) {
  start(2);
  auto small = DeviceBuffer::allocate(executor->device(), 2 * 64 * 4 - 1, "x");
  ASSERT_TRUE(small);
  inputs[0].address = small->address();
  EXPECT_EQ(error(), "input 0 'x': it takes 512 bytes, but 511 are allocated "
                     "from its address " +
                         hex(inputs[0].address));
  inputs = arrays->inputs();
  outputs[0].address += 256;
  EXPECT_THAT(error(), HasSubstr("output 0 'out': it takes 512 bytes, but 256 "
                                 "are allocated"));
}

TEST_F(PrepareTest, WhatIsMappedPiecewiseMayGoOn) {
  start(2);
  // Two allocations that lie side by side: one array only if both were mapped.
  DevicePointer address = inputs[0].address;
  driver->sizes[address] = 300;
  driver->sizes[address + 300] = 212;
  EXPECT_THAT(error(), HasSubstr("it takes 512 bytes, but 300 are allocated"));
  driver->mapped = {address, address + 300};
  variants();
  driver->sizes[address + 300] = 211;
  EXPECT_THAT(error(), HasSubstr("it takes 512 bytes, but 511 are allocated"));
  driver->sizes.erase(address + 300);
  driver->sizes[address] = 512;
}

TEST_F(PrepareTest, OutputsHaveToBeApart) {
  start(2);
  outputs[1].address = inputs[0].address;
  EXPECT_EQ(error(), "output 1 'same' shares memory with input 0 'x', but has "
                     "to be apart");
  outputs[1].address = outputs[0].address;
  EXPECT_EQ(error(), "output 1 'same' shares memory with output 0 'out', but "
                     "has to be apart");
}

TEST_F(PrepareTest, QuestionsCanFail) {
  start(2);
  driver->failures["cuPointerGetAttributes"] = 1;
  EXPECT_EQ(error(), "input 0 'x': the driver does not say what is at " +
                         hex(inputs[0].address) + ": CUDA_ERROR_INVALID_VALUE");
  // Memory of another process has no range here.
  driver->failures = {{"cuMemGetAddressRange_v2", 500}};
  variants();
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

/// Takes `x` in any strides, in variants for none, for rows and for any;
/// nothing is copied.
Image makeStridedImage(ArgumentStrides strides = ArgumentStrides::Any) {
  using Parameter = KernelParameter;
  namespace at = test_image;
  Image image = makeTestImage();
  image.buffers[at::x].strides = image.buffers[at::out].strides = strides;
  image.copies[0].from = at::bias;
  image.buffers[at::same].shape = {64};
  TensorMap map = image.kernels[0].parameters[0].map;
  map.strides.clear();
  map.hasArgumentStrides = true;
  SizeExpression n = SizeExpression::size(0, 0);
  image.kernels.push_back(
      makeKernel("scale_rows",
                 {Parameter::tensorMap(map), Parameter::stride(at::x, 0),
                  Parameter::pointer(at::a, /*isWritten=*/true)},
                 {n}));
  image.kernels.push_back(
      makeKernel("scale_any",
                 {Parameter::pointer(at::x), Parameter::stride(at::x, 0),
                  Parameter::stride(at::x, 1),
                  Parameter::pointer(at::a, /*isWritten=*/true)},
                 {n}));
  image.launches[0].variants = {
      {0, {Condition::contiguous(at::x)}, ""},
      {5, {Condition::aligned(at::x, 16), Condition::rows(at::x, 16)}, ""},
      {6, {}, ""}};
  return image;
}

/// Prepares arguments of which `x` has these strides, in memory of so many
/// elements, from one of them on.
class StridesTest : public PrepareTest {
protected:
  void SetUp() override {
    PrepareTest::SetUp();
    for (const char *name : {"scale_rows", "scale_any"}) {
      driver->kernels[name].body = [](const fake::Launch &) {};
      driver->kernels[name].numParameters = 3;
    }
    driver->kernels["scale_any"].numParameters = 4;
  }
  void lay(std::vector<int64_t> strides, int64_t offset = 0,
           uint64_t elements = 4096) {
    auto made = DeviceBuffer::allocate(executor->device(), elements * 4, "x");
    ASSERT_TRUE(made);
    memory.emplace(std::move(*made));
    inputs[0].address = memory->address() + uint64_t(offset) * 4;
    inputs[0].strides = std::move(strides);
  }
  void TearDown() override {
    memory.reset();
    PrepareTest::TearDown();
  }
  std::optional<uint32_t> variant() { return variants()[0]; }
  /// The parameters of the first kernel when it is launched.
  std::vector<uint64_t> launched() {
    auto arguments = executor->prepare(inputs, outputs);
    EXPECT_TRUE(arguments) << arguments.error().message();
    driver->launches.clear();
    EXPECT_TRUE(executor->launch(*arguments, nullptr));
    return driver->launches[0].values;
  }
  std::optional<DeviceBuffer> memory;
};

TEST_F(StridesTest, ChooseVariants) {
  start(8, makeStridedImage());
  lay({64, 1});
  EXPECT_EQ(variant(), 0u);
  lay({68, 1});
  EXPECT_EQ(variant(), 1u);
  // Rows that begin anywhere, and such that no row is.
  lay({67, 1});
  EXPECT_EQ(variant(), 2u);
  lay({68, 1}, 1);
  EXPECT_EQ(variant(), 2u);
  lay({1, 8});
  EXPECT_EQ(variant(), 2u);
  // The same row eight times: no tensor map can have that.
  lay({0, 1});
  EXPECT_EQ(variant(), 2u);
}

TEST_F(StridesTest, AreParameters) {
  start(8, makeStridedImage());
  lay({1, 9}, 3);
  EXPECT_THAT(launched(),
              ElementsAre(memory->address() + 12, 1, 9, ::testing::_));
  driver->maps.clear();
  lay({72, 1});
  EXPECT_EQ(launched()[1], 72u);
  ASSERT_EQ(driver->maps.size(), 1u);
  EXPECT_THAT(driver->maps[0].strides, ElementsAre(288));
}

TEST_F(StridesTest, OfOneElementSuitTensorMaps) {
  start(1, makeStridedImage());
  lay({7, 1}, 4);
  EXPECT_EQ(variant(), 0u);
  Image image = makeStridedImage();
  image.launches[0].variants.erase(image.launches[0].variants.begin());
  arrays.reset();
  executor.reset();
  start(1, std::move(image));
  lay({7, 1}, 4);
  EXPECT_EQ(variant(), 0u);
  EXPECT_THAT(driver->maps.back().strides, ElementsAre(16));
}

TEST_F(StridesTest, ThatAreNotSupportedAreNamed) {
  start(8, makeStridedImage());
  lay({-64, 1}, 2048);
  EXPECT_EQ(error(), "input 0 'x': its strides are -64x1 for the shape 8x64, "
                     "but negative ones are not supported");
  lay({64, 1});
  outputs[0].strides = {32, 1};
  EXPECT_EQ(error(), "output 0 'out': its strides are 32x1 for the shape 8x64, "
                     "but elements of an output have to be apart");
  outputs[0].strides = {0, 1};
  EXPECT_THAT(error(), HasSubstr("elements of an output have to be apart"));
  outputs[0].strides = {};
  lay({int64_t(1) << 62, 1});
  EXPECT_EQ(error(),
            "input 0 'x': its strides reach further than 64 bits count");
  arrays.reset();
  executor.reset();
  memory.reset();
  start(8, makeStridedImage(ArgumentStrides::Rows));
  lay({1, 8});
  EXPECT_EQ(error(), "input 0 'x': its strides are 1x8 for the shape 8x64, but "
                     "a last one of 1 is needed");
}

TEST_F(StridesTest, OfOneRowMayBeNegative) {
  start(1, makeStridedImage());
  lay({-5, 2});
  EXPECT_EQ(variant(), 2u);
}

TEST_F(StridesTest, OfTwoColumnsCount) {
  start(8, makeStridedImage(ArgumentStrides::Rows));
  lay({4, 2});
  inputs[0].shape = {8, 2};
  Status status =
      checkArray(*executor->device(), inputs[0],
                 executor->image().buffers[test_image::x], inputs[0].shape);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(),
              HasSubstr("but a last one of 1 is needed"));
}

TEST_F(StridesTest, TellHowMuchMemoryThereHasToBe) {
  start(8, makeStridedImage());
  lay({100, 1}, 0, 763);
  EXPECT_EQ(error(), "input 0 'x': it takes 3056 bytes, but 3052 are allocated "
                     "from its address " +
                         hex(inputs[0].address));
  lay({100, 1}, 0, 764);
  variants();
}

TEST_F(StridesTest, WithoutAVariantThereIsASentence) {
  Image image = makeStridedImage();
  image.launches[0].variants.pop_back();
  start(8, std::move(image));
  lay({67, 1});
  EXPECT_EQ(error(), "launch 'scale' has no variant for these arrays: "
                     "'scale_tma' needs %0 'x' without gaps; 'scale_rows' "
                     "needs %0 'x' in rows at multiples of 16 bytes");
}

TEST_F(StridesTest, OfTensorMapsAreLimited) {
  start(2, makeStridedImage());
  // The terabyte that x spans begins behind the outputs, wherever they are.
  lay({int64_t(1) << 38, 1}, 1024);
  outputs[0].address = memory->address();
  outputs[1].address = memory->address() + 2048;
  driver->failures["cuMemGetAddressRange_v2"] = 500;
  EXPECT_EQ(error(), "kernel 'scale_rows' from model.mlir:12:8: parameter 0: a "
                     "tensor map has a stride of 1099511627776 bytes, but less "
                     "than 2^40 are possible");
}

TEST_F(StridesTest, ArraysMayLieInEachOthersGaps) {
  start(8, makeStridedImage());
  lay({128, 1});
  outputs[0].address = memory->address() + 64 * 4;
  outputs[0].strides = {128, 1};
  variants();
  // One element too near, on either side.
  std::string shared = "output 0 'out' shares memory with input 0 'x', but has "
                       "to be apart";
  outputs[0].address -= 16;
  EXPECT_EQ(error(), shared);
  outputs[0].address += 32;
  EXPECT_EQ(error(), shared);
  // Rows that are not equally far apart meet somewhere.
  outputs[0].address -= 16;
  outputs[0].strides = {132, 1};
  EXPECT_EQ(error(), shared);
  outputs[0].strides = {128, 2};
  EXPECT_EQ(error(), shared);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

TEST_F(PrepareTest, TensorMapsNeedADriverThatKnowsThem) {
  driver->hasTensorMaps = false;
  start(8);
  EXPECT_EQ(error(), "kernel 'scale_tma' from model.mlir:12:8: parameter 0: it "
                     "needs a tensor map, and so a driver for CUDA 12.0 or "
                     "newer, but this one is for CUDA 12.4");
}

TEST_F(PrepareTest, TensorMapsCanBeRefused) {
  start(8);
  driver->failures["cuTensorMapEncodeTiled"] = 1;
  EXPECT_EQ(error(), "kernel 'scale_tma' from model.mlir:12:8: parameter 0: a "
                     "tensor map cannot be encoded: CUDA_ERROR_INVALID_VALUE");
}

TEST_F(PrepareTest, AGuardThatForgotTheAlignmentIsToldOf) {
  Image image = makeTestImage();
  image.launches[0].variants[0].guard.erase(
      image.launches[0].variants[0].guard.begin());
  start(8, std::move(image));
  auto larger = DeviceBuffer::allocate(executor->device(), 8 * 64 * 4 + 4, "x");
  ASSERT_TRUE(larger);
  inputs[0].address = larger->address() + 4;
  EXPECT_EQ(error(), "kernel 'scale_tma' from model.mlir:12:8: parameter 0: a "
                     "tensor map starts at an address that is not divisible by "
                     "16: the variant's guard should have said so");
}

} // namespace
