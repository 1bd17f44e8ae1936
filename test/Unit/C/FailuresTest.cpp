//===- FailuresTest.cpp - what is left when the driver fails --------------===//
//
// Everything from opening a GPU to waiting for its kernels, and each call of
// the driver in it fails once: with an error of its own, after which a process
// goes on, and with one that loses the context.
//
//===----------------------------------------------------------------------===//

#include "CTest.h"
#include "Cuda/FakeCuda.h"

using namespace fuse;

namespace {

class CFailures : public FakeCuda {
protected:
  /// Opens, loads, plans, calls, launches, waits, and closes; what failed.
  FuseStatus runAll() {
    FuseStatus status = run();
    // The last thing that failed has the sentence.
    message = status == FUSE_OK ? "" : fuse_last_error();
    close(call, fuse_call_destroy);
    close(plan, fuse_plan_destroy);
    close(program, fuse_program_destroy);
    close(image, fuse_image_destroy);
    close(device, fuse_device_destroy);
    return status;
  }

  template <class Handle, class Destroy>
  static void close(Handle &handle, Destroy destroy) {
    if (handle) {
      EXPECT_EQ(destroy(handle), FUSE_OK);
    }
    handle = nullptr;
  }

  /// The memory of whoever calls, which no failure of ours concerns.
  void *allocate(uint64_t floats) {
    auto memory = std::make_unique<float[]>(floats + 64);
    auto address =
        (reinterpret_cast<uintptr_t>(memory.get()) + 255) / 256 * 256;
    theirs[address] = floats * sizeof(float);
    owned.push_back(std::move(memory));
    return reinterpret_cast<void *>(address);
  }

  void SetUp() override {
    FakeCuda::SetUp();
    for (TestArray *array : {&x, &y, &out, &same})
      array->array.data = allocate(3 * 64);
    renew();
  }
  void TearDown() override {
    for (auto [address, bytes] : theirs)
      driver->sizes.erase(address);
    FakeCuda::TearDown();
  }

  /// A driver as new, which knows their memory.
  void renew() {
    use(FAKE_DRIVER);
    driver->sizes = theirs;
  }

  void expectClean(const std::string &when) {
    for (auto [address, bytes] : theirs)
      EXPECT_EQ(driver->sizes[address], bytes) << when;
    EXPECT_EQ(driver->sizes.size(), theirs.size()) << when;
    EXPECT_EQ(driver->allocated, 0u) << when;
    EXPECT_TRUE(driver->isClean()) << when;
    EXPECT_TRUE(contexts->empty()) << when;
  }

  TestArray x{{3, 64}, nullptr, FUSE_CUDA}, y{{3}, nullptr, FUSE_CUDA},
      out{{3, 64}, nullptr, FUSE_CUDA}, same{{3, 64}, nullptr, FUSE_CUDA};
  std::string message;

private:
  FuseStatus run() {
    image = parse(makeTestImage());
    if (FuseStatus s = fuse_device_open(FUSE_CUDA, -1, &device))
      return s;
    if (FuseStatus s = fuse_program_load(image, device, &program))
      return s;
    FuseArray inputs[] = {x.array, y.array};
    FuseArray outputs[] = {out.array, same.array};
    const int64_t steps = 3;
    if (FuseStatus s = fuse_plan_create(program, inputs, 2, &steps, 1, &plan))
      return s;
    if (FuseStatus s = fuse_call_create(plan, inputs, 2, outputs, 2, &call))
      return s;
    if (FuseStatus s = fuse_call_launch(call, nullptr))
      return s;
    return fuse_device_wait(device, nullptr);
  }

  FuseDevice device = nullptr;
  FuseImage image = nullptr;
  FuseProgram program = nullptr;
  FusePlan plan = nullptr;
  FuseCall call = nullptr;
  std::map<uint64_t, uint64_t> theirs;
  std::vector<std::unique_ptr<float[]>> owned;
};

TEST_F(CFailures, WhatThereIsNotIsSaid) {
  auto expect = [&](FuseStatus status, const char *text) {
    EXPECT_EQ(runAll(), status);
    EXPECT_THAT(message, ::testing::HasSubstr(text));
    EXPECT_EQ(message.find('\n'), std::string::npos);
    expectClean(text);
    renew();
    EXPECT_EQ(runAll(), FUSE_OK) << message;
  };
  setenv("FUSE_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  expect(FUSE_DEVICE, "no CUDA driver: /nowhere/libcuda.so.1 could not be "
                      "opened (");
  driver->deviceCount = 0;
  expect(FUSE_UNSUPPORTED, "no CUDA device: the driver finds none");
  driver->major = 7;
  expect(FUSE_UNSUPPORTED, "has code for sm_90a, but the device is sm_70");
  driver->driverVersion = 11080;
  expect(FUSE_UNSUPPORTED, "or newer, but this one is for CUDA 11.8");
}

TEST_F(CFailures, EveryCallOfTheDriverMayFailOnce) {
  ASSERT_EQ(runAll(), FUSE_OK) << message;
  expectClean("nothing fails");
  const std::map<std::string, uint64_t> calls = driver->calls;
  ASSERT_GT(calls.size(), 20u);
  // What the runtime can do without, machine code beside which there is PTX
  // included, and what is needed to release only.
  const std::set<std::string> optional = {
      "cuMemGetAddressRange_v2", "cuDriverGetVersion", "cuModuleLoadDataEx",
      "cuCtxPushCurrent_v2"};
  unsigned numFailures = 0;
  for (const auto &[function, count] : calls)
    for (uint64_t number = 1; number <= count; ++number)
      for (int code : {1, 700}) {
        std::string when = function + " " + std::to_string(number) +
                           " yields " + std::to_string(code);
        SCOPED_TRACE(when);
        renew();
        driver->failuresAt[function] = {number, code};
        FuseStatus status = runAll();
        expectClean(when);
        if (status == FUSE_OK) {
          EXPECT_TRUE(optional.count(function));
          continue;
        }
        ++numFailures;
        EXPECT_TRUE(status == FUSE_DEVICE || status == FUSE_UNSUPPORTED);
        EXPECT_THAT(message, ::testing::HasSubstr("CUDA_ERROR_"));
        EXPECT_EQ(message.find('\n'), std::string::npos);
        // It was that call alone, so the same process goes on.
        if (code == 1) {
          EXPECT_EQ(runAll(), FUSE_OK) << message;
          expectClean(when);
        }
      }
  EXPECT_GT(numFailures, 60u);
}

TEST_F(CFailures, EveryAllocationMayBeTheOneThatDoesNotFit) {
  ASSERT_EQ(runAll(), FUSE_OK) << message;
  uint64_t count = driver->calls["cuMemAlloc_v2"];
  ASSERT_GE(count, 3u);
  for (uint64_t number = 1; number <= count; ++number) {
    renew();
    driver->failuresAt["cuMemAlloc_v2"] = {number, 2};
    EXPECT_EQ(runAll(), FUSE_UNSUPPORTED);
    EXPECT_THAT(message,
                ::testing::ContainsRegex("needs .* bytes|needs .* KiB"));
    EXPECT_THAT(message, ::testing::HasSubstr("but the device has"));
    expectClean("no memory");
    EXPECT_EQ(runAll(), FUSE_OK) << message;
  }
}

TEST_F(CFailures, AKernelThatFaultsIsToldOfWhenSomebodyWaits) {
  for (const char *sync : {"", "1"}) {
    renew();
    setenv("FUSE_CUDA_SYNC", sync, 1);
    driver->kernels["shift"].fault = 700;
    EXPECT_EQ(runAll(), FUSE_DEVICE);
    EXPECT_THAT(message, ::testing::StartsWith(
                             *sync ? "kernel 'shift' from model.mlir:12:8 "
                                     "failed: CUDA_ERROR_ILLEGAL_ADDRESS"
                                   : "waiting for what was launched failed: "
                                     "CUDA_ERROR_ILLEGAL_ADDRESS"));
    EXPECT_THAT(message, ::testing::HasSubstr("start it anew"));
    expectClean("a fault");
    // What is lost stays so, and is said again, however often it is tried.
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(runAll(), FUSE_DEVICE);
      EXPECT_THAT(message, ::testing::HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
      expectClean("after a fault");
    }
  }
}

} // namespace
