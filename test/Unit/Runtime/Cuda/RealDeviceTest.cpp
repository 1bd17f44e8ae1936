//===- RealDeviceTest.cpp - the runtime on a GPU --------------------------===//
//
// A few programs whose kernels were written by hand in PTX, on the driver of
// this machine: what the fake one only claims. Skipped where there is no GPU.
//
//===----------------------------------------------------------------------===//

#include "TestImage.h"
#include "fuse/Runtime/Cuda/Measure.h"
#include "fuse/Runtime/Cuda/Program.h"
#include <gmock/gmock.h>

#include <cstdlib>

using namespace fuse;
using ::testing::HasSubstr;

namespace {

/// out[i] = x[i] + y[i].
const char *addPtx = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 x, .param .u64 y, .param .u64 out,
                    .param .u32 n) {
  .reg .pred %p; .reg .b32 %r<5>; .reg .b64 %d<5>; .reg .f32 %f<4>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r1, %r2, %r3;
  ld.param.u32 %r4, [n];
  setp.ge.u32 %p, %r1, %r4;
  @%p ret;
  mul.wide.u32 %d1, %r1, 4;
  ld.param.u64 %d2, [x];
  ld.param.u64 %d3, [y];
  ld.param.u64 %d4, [out];
  add.u64 %d2, %d2, %d1;
  add.u64 %d3, %d3, %d1;
  add.u64 %d4, %d4, %d1;
  ld.global.f32 %f1, [%d2];
  ld.global.f32 %f2, [%d3];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%d4], %f3;
  ret;
}
)";

/// Copies 8 rows of 32 elements by way of shared memory; and writes the number
/// of blocks of its cluster behind the 8 rows of the first block.
const char *copyPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry copy(.param .align 64 .b8 map[128], .param .u64 out,
                     .param .u64 blocks) {
  .shared .align 128 .b8 tile[1024];
  .shared .align 8 .b8 arrived[8];
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<6>; .reg .f32 %f;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, tile;
  mov.u32 %r4, arrived;
  shl.b32 %r5, %r2, 3;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra start;
  mbarrier.init.shared::cta.b64 [%r4], 1;
  fence.proxy.async.shared::cta;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 1024;
  mov.b64 %d1, map;
  cvta.param.u64 %d1, %d1;
  mov.u32 %r6, 0;
  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
    [%r3], [%d1, {%r6, %r5}], [%r4];
  mov.u32 %r7, %cluster_nctaid.x;
  ld.param.u64 %d2, [blocks];
  mul.wide.u32 %d3, %r2, 4;
  add.u64 %d2, %d2, %d3;
  st.global.u32 [%d2], %r7;
start:
  bar.sync 0;
wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r4], 0;
  @!%p2 bra wait;
  shl.b32 %r8, %r1, 2;
  add.u32 %r8, %r3, %r8;
  ld.shared.f32 %f, [%r8];
  mad.lo.u32 %r5, %r2, 256, %r1;
  mul.wide.u32 %d4, %r5, 4;
  ld.param.u64 %d5, [out];
  add.u64 %d5, %d5, %d4;
  st.global.f32 [%d5], %f;
  ret;
}
)";

Image makeAddImage() {
  using Kind = ImageBuffer::Kind;
  using Parameter = KernelParameter;
  Image image;
  image.producer = "a test";
  image.name = "add";
  image.modules.push_back({"add", addPtx, {8, 0}, {7, 0}, {}});
  SizeExpression n = SizeExpression::size(0, 0);
  image.buffers = {makeImageBuffer(Kind::Input, 0, "x", {n}),
                   makeImageBuffer(Kind::Input, 1, "y", {n}),
                   makeImageBuffer(Kind::Intermediate, 0, "sum", {n}),
                   makeImageBuffer(Kind::Output, 0, "out", {n}),
                   makeImageBuffer(Kind::Output, 1, "same", {n})};
  image.kernels = {
      makeKernel("add",
                 {Parameter::pointer(0), Parameter::pointer(1),
                  Parameter::pointer(2, true), Parameter::scalar32(n)},
                 {ceilDiv(n, 128)}),
      makeKernel("add",
                 {Parameter::pointer(2), Parameter::pointer(1),
                  Parameter::pointer(3, true), Parameter::scalar32(n)},
                 {ceilDiv(n, 128)})};
  // More than a kernel has without asking.
  image.kernels[0].dynamicSharedBytes = 60000;
  image.launches = {{"first", {{0, {}, ""}}}, {"second", {{1, {}, ""}}}};
  image.copies = {{0, 4}};
  return image;
}

Image makeCopyImage() {
  using Kind = ImageBuffer::Kind;
  Image image;
  image.producer = "a test";
  image.name = "copy";
  image.modules.push_back({"copy", copyPtx, {9, 0}, {8, 0}, {}});
  SizeExpression n = SizeExpression::size(0, 0);
  // Two blocks are a cluster.
  SizeExpression blocks = ceilDiv(n, 16) * 2;
  image.buffers = {makeImageBuffer(Kind::Input, 0, "x", {n, 32}, 16),
                   makeImageBuffer(Kind::Output, 0, "out", {blocks * 8, 32}),
                   makeImageBuffer(Kind::Output, 1, "blocks", {blocks})};
  image.buffers[2].type = ElementType::I32;
  TensorMap map;
  map.type = TensorMapType::F32;
  map.sizes = {32, n};
  map.strides = {128};
  map.box = {32, 8};
  map.elementStrides = {1, 1};
  image.kernels = {makeKernel("copy",
                              {KernelParameter::tensorMap(map),
                               KernelParameter::pointer(1, true),
                               KernelParameter::pointer(2, true)},
                              {blocks})};
  image.kernels[0].threads = {256, 1, 1};
  image.kernels[0].cluster = {2, 1, 1};
  image.launches = {{"copy", {{0, {}, ""}}}};
  return image;
}

class RealDeviceTest : public ::testing::Test {
protected:
  void SetUp() override {
    unsetenv("FUSE_CUDA_DRIVER");
    auto opened = CudaDevice::open();
    if (!opened)
      GTEST_SKIP() << opened.error().message();
    device = *opened;
  }

  std::unique_ptr<CudaExecutor>
  bind(Image image, std::span<const HostBuffer *const> inputs) {
    auto program = CudaProgram::load(std::move(image), device);
    EXPECT_TRUE(program) << program.error().message();
    if (!program)
      return nullptr;
    auto executor = (*program)->bind(inputs);
    EXPECT_TRUE(executor) << executor.error().message();
    return executor ? std::move(*executor) : nullptr;
  }

  std::shared_ptr<CudaDevice> device;
};

TEST_F(RealDeviceTest, APlanRuns) {
  for (int64_t n : {0, 1, 127, 100003}) {
    HostBuffer x = makeBuffer({n}), y = makeBuffer({n}, {0.5f, -1.0f, 3.25f});
    const HostBuffer *inputs[] = {&x, &y};
    auto executor = bind(makeAddImage(), inputs);
    ASSERT_TRUE(executor);
    auto outputs = executor->runOn(inputs);
    ASSERT_TRUE(outputs) << outputs.error().message();
    for (int64_t i = 0; i < n; ++i) {
      double first = loadAsDouble(ElementType::F32, x.data(), i);
      double second = loadAsDouble(ElementType::F32, y.data(), i);
      ASSERT_EQ(loadAsDouble(ElementType::F32, (*outputs)[0].data(), i),
                first + 2 * second);
      ASSERT_EQ(loadAsDouble(ElementType::F32, (*outputs)[1].data(), i), first);
    }
    auto difference = repeatBits(*executor, inputs, 20);
    ASSERT_TRUE(difference) << difference.error().message();
    EXPECT_FALSE(*difference);
  }
}

TEST_F(RealDeviceTest, TensorMapsAndClustersWork) {
  if (device->chip().major < 9)
    GTEST_SKIP() << device->chip().str() << " has no tensor maps";
  int64_t n = 37;
  HostBuffer x = makeBuffer({n, 32});
  const HostBuffer *inputs[] = {&x};
  auto executor = bind(makeCopyImage(), inputs);
  ASSERT_TRUE(executor);
  auto outputs = executor->runOn(inputs);
  ASSERT_TRUE(outputs) << outputs.error().message();
  ASSERT_EQ((*outputs)[0].shape(), (std::vector<int64_t>{48, 32}));
  // Beyond the last row there are zeros.
  for (int64_t i = 0; i < 48 * 32; ++i)
    ASSERT_EQ(loadAsDouble(ElementType::F32, (*outputs)[0].data(), i),
              i < n * 32 ? double(i) : 0.0);
  for (size_t i = 0; i < 6; ++i)
    EXPECT_EQ(loadAsInt(ElementType::I32, (*outputs)[1].data(), i), 2);
}

TEST_F(RealDeviceTest, RunsAreTimed) {
  HostBuffer x = makeBuffer({1 << 20}), y = makeBuffer({1 << 20});
  const HostBuffer *inputs[] = {&x, &y};
  auto executor = bind(makeAddImage(), inputs);
  ASSERT_TRUE(executor);
  auto result = bench(*executor, inputs);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_GT(result->argumentSets, 1u);
  for (double seconds : result->seconds) {
    EXPECT_GT(seconds, 1e-6);
    EXPECT_LT(seconds, 1e-1);
  }
}

TEST_F(RealDeviceTest, WrongMemoryIsRefused) {
  HostBuffer x = makeBuffer({1000}), y = makeBuffer({1000});
  const HostBuffer *inputs[] = {&x, &y};
  auto executor = bind(makeAddImage(), inputs);
  ASSERT_TRUE(executor);
  auto arrays = DeviceArguments::create(*executor, inputs, nullptr);
  ASSERT_TRUE(arrays);
  std::vector<DeviceArray> given = arrays->inputs();
  given[0].address = reinterpret_cast<uintptr_t>(x.data());
  auto arguments = executor->prepare(given, arrays->outputs());
  ASSERT_FALSE(arguments);
  EXPECT_THAT(arguments.error().message(),
              HasSubstr("is of the host's memory"));
  auto large = DeviceBuffer::allocate(device, uint64_t(1) << 24, "it");
  ASSERT_TRUE(large);
  given[0].address = large->address() + (uint64_t(1) << 24) - 400;
  arguments = executor->prepare(given, arrays->outputs());
  ASSERT_FALSE(arguments);
  EXPECT_THAT(arguments.error().message(),
              HasSubstr("it takes 4000 bytes, but 400 are allocated"));
}

TEST_F(RealDeviceTest, MemoryEnds) {
  auto buffer = DeviceBuffer::allocate(device, uint64_t(1) << 45, "it");
  ASSERT_FALSE(buffer);
  EXPECT_THAT(buffer.error().message(),
              HasSubstr("it needs 32.0 TiB, but the device has "));
}

TEST_F(RealDeviceTest, TheAssemblersLogIsShown) {
  Image image = makeAddImage();
  std::string &ptx = image.modules[0].ptx;
  ptx.replace(ptx.find("add.f32"), 7, "bad.f32");
  auto program = CudaProgram::load(std::move(image), device);
  ASSERT_FALSE(program);
  EXPECT_THAT(program.error().message(), HasSubstr("'bad"));
}

} // namespace
