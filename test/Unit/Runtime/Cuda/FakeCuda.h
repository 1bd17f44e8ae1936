//===- FakeCuda.h - tests that run on the fake driver -----------*- C++ -*-===//
//
// A fixture with a fresh fake driver, the kernels of the test Image, and the
// look at what was left behind.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_UNIT_RUNTIME_CUDA_FAKECUDA_H
#define FUSE_TEST_UNIT_RUNTIME_CUDA_FAKECUDA_H

#include "FakeDriver.h"
#include "TestImage.h"
#include "fuse/Runtime/Cuda/Program.h"
#include <gmock/gmock.h>

#include <cstdlib>

#include <dlfcn.h>

namespace fuse {

class FakeCuda : public ::testing::Test {
protected:
  void SetUp() override {
    unsetenv("FUSE_CUDA_DEVICE");
    unsetenv("FUSE_CUDA_SYNC");
    use(FAKE_DRIVER);
  }
  void TearDown() override {
    EXPECT_TRUE(driver->isClean());
    unsetenv("FUSE_CUDA_DRIVER");
    unsetenv("FUSE_CUDA_SYNC");
  }

  /// Makes this library the driver, as new.
  void use(const char *path) {
    setenv("FUSE_CUDA_DRIVER", path, 1);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    auto get = reinterpret_cast<decltype(&fuseFakeDriver)>(
        dlsym(library, "fuseFakeDriver"));
    auto getContexts = reinterpret_cast<decltype(&fuseFakeContexts)>(
        dlsym(library, "fuseFakeContexts"));
    ASSERT_TRUE(get && getContexts);
    contexts = getContexts();
    driver = get();
    *driver = fake::State();
    addKernels();
  }

  std::shared_ptr<CudaDevice> open() {
    auto device = CudaDevice::open();
    EXPECT_TRUE(device) << device.error().message();
    return device ? *device : nullptr;
  }

  std::shared_ptr<CudaProgram> load(Image image = makeTestImage()) {
    auto device = open();
    if (!device)
      return nullptr;
    auto program = CudaProgram::load(std::move(image), device);
    EXPECT_TRUE(program) << program.error().message();
    return program ? *program : nullptr;
  }

  std::string loadError(Image image = makeTestImage()) {
    auto device = open();
    if (!device)
      return "";
    auto program = CudaProgram::load(std::move(image), device);
    EXPECT_FALSE(program);
    return program ? "" : program.error().message();
  }

  /// For x of n x 64 and y of n.
  static SizeBindings sizes(int64_t n, int64_t steps = 3) {
    return {{{n, 64}, {n}}, {steps}, 0};
  }

  std::unique_ptr<CudaExecutor> bind(int64_t n, Image image = makeTestImage()) {
    auto program = load(std::move(image));
    if (!program)
      return nullptr;
    auto executor = program->bind(sizes(n));
    EXPECT_TRUE(executor) << executor.error().message();
    return executor ? std::move(*executor) : nullptr;
  }

  std::string bindError(int64_t n, Image image = makeTestImage()) {
    auto program = load(std::move(image));
    if (!program)
      return "";
    auto executor = program->bind(sizes(n));
    EXPECT_FALSE(executor);
    return executor ? "" : executor.error().message();
  }

  /// What the kernels of the test Image compute.
  static double expected(const HostBuffer &x, const HostBuffer &y,
                         int64_t steps, size_t i) {
    double bias = i % 64 % 2 ? 1.5 : 0.5;
    return loadAsDouble(ElementType::F32, x.data(), i) + bias +
           2 * double(steps) + loadAsDouble(ElementType::F32, y.data(), i / 64);
  }

  /// The names of what was launched, in order.
  std::vector<std::string> launched() const {
    std::vector<std::string> names;
    names.reserve(driver->launches.size());
    for (const fake::Launch &launch : driver->launches)
      names.push_back(launch.kernel);
    return names;
  }

  fake::State *driver = nullptr;
  /// Of the thread that runs the test.
  std::vector<void *> *contexts = nullptr;

private:
  void addKernels() {
    fake::State &state = *driver;
    auto scale = [](const float *x, const float *bias, float *a, int64_t n) {
      for (int64_t i = 0; i < n * 64; ++i)
        a[i] = x[i] + bias[i % 64];
    };
    for (auto [name, count] :
         {std::pair("scale", 4), {"scale_tma", 3}, {"shift", 4}, {"finish", 4}})
      state.kernels[name].numParameters = count;
    state.kernels["scale_tma"].numWords = 1;
    state.kernels["scale"].body = [scale](const fake::Launch &launch) {
      EXPECT_EQ(launch.grid[0], launch.get<int64_t>(3));
      scale(launch.pointer<float>(0), launch.pointer<float>(1),
            launch.pointer<float>(2), launch.get<int64_t>(3));
    };
    state.kernels["scale_tma"].body = [scale, &state](const fake::Launch &l) {
      const fake::TensorMap &map = state.maps.at(l.get<uint64_t>(0));
      int32_t n = l.get<int32_t>(3);
      EXPECT_EQ(map.sizes[1], uint64_t(n));
      scale(reinterpret_cast<const float *>(map.address), l.pointer<float>(1),
            l.pointer<float>(2), n);
    };
    state.kernels["shift"].body = [](const fake::Launch &launch) {
      int64_t n = launch.get<int64_t>(3);
      const auto *from = launch.pointer<float>(0);
      auto *to = launch.pointer<float>(1);
      for (int64_t i = 0; i < n * 64; ++i)
        to[i] = from[i] + float(launch.get<int64_t>(2));
    };
    state.kernels["finish"].body = [](const fake::Launch &launch) {
      const auto *c = launch.pointer<float>(0);
      const auto *y = launch.pointer<float>(1);
      auto *counters = launch.pointer<int32_t>(2);
      auto *out = launch.pointer<float>(3);
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ(counters[i], 0);
      for (int64_t i = 0; i < int64_t(launch.grid[1]) * 64; ++i)
        out[i] = c[i] + y[i / 64];
    };
  }
};

} // namespace fuse

#endif // FUSE_TEST_UNIT_RUNTIME_CUDA_FAKECUDA_H
