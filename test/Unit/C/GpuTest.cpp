//===- GpuTest.cpp - running on a GPU from C ------------------------------===//
//
// On a driver without a GPU, whose kernels are functions of the tests.
//
//===----------------------------------------------------------------------===//

#include "CTest.h"
#include "Cuda/FakeCuda.h"

#include <cstdlib>
#include <mutex>
#include <thread>

#include <new>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fuse;

//===----------------------------------------------------------------------===//
// What a thread does beside its work
//===----------------------------------------------------------------------===//

namespace {

/// Locks and memory of this thread, while it is watched. Each function of the
/// fake driver takes the driver's lock, and what it does until it opens it
/// again is its own matter.
struct Watch {
  bool isOn = false;
  pthread_mutex_t *driver = nullptr;
  size_t depth = 0, driverCalls = 0, otherLocks = 0, allocations = 0;
};
thread_local Watch watch;

using MutexFunction = int (*)(pthread_mutex_t *);

MutexFunction next(MutexFunction &known, const char *name) {
  if (!known)
    known = reinterpret_cast<MutexFunction>(dlsym(RTLD_NEXT, name));
  return known;
}
MutexFunction realLock = nullptr, realUnlock = nullptr;

} // namespace

// The libraries call these, too.

extern "C" int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (watch.isOn && !watch.driver)
    watch.driver = mutex;
  if (watch.isOn && mutex == watch.driver)
    watch.driverCalls += watch.depth++ == 0;
  else if (watch.isOn)
    ++watch.otherLocks;
  return next(realLock, "pthread_mutex_lock")(mutex);
}

extern "C" int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (watch.isOn && mutex == watch.driver)
    --watch.depth;
  return next(realUnlock, "pthread_mutex_unlock")(mutex);
}

void *operator new(size_t bytes) {
  if (watch.isOn && watch.depth == 0)
    ++watch.allocations;
  if (void *memory = std::malloc(bytes ? bytes : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {

/// The image of the tests on a device, and a plan for 3 rows.
class CGpu : public FakeCuda {
protected:
  void SetUp() override {
    FakeCuda::SetUp();
    image = parse(makeTestImage());
    ASSERT_EQ(fuse_device_open(FUSE_CUDA, -1, &device), FUSE_OK)
        << fuse_last_error();
    ASSERT_EQ(fuse_program_load(image, device, &program), FUSE_OK)
        << fuse_last_error();
    FuseArray inputs[] = {x.array, y.array};
    ASSERT_EQ(fuse_plan_create(program, inputs, 2, &steps, 1, &plan), FUSE_OK)
        << fuse_last_error();
    for (TestArray *array : {&x, &y, &out, &same})
      array->array.data = allocate(3 * 64 * 4);
    for (int64_t i = 0; i < 3 * 64; ++i)
      static_cast<float *>(x.array.data)[i] = float(i);
    for (int64_t i = 0; i < 3; ++i)
      static_cast<float *>(y.array.data)[i] = float(100 * i);
  }

  void TearDown() override {
    // The program lives as long as the plan, and the device as long as that.
    EXPECT_EQ(fuse_image_destroy(image), FUSE_OK);
    EXPECT_EQ(fuse_device_destroy(device), FUSE_OK);
    EXPECT_EQ(fuse_program_destroy(program), FUSE_OK);
    EXPECT_EQ(fuse_plan_destroy(plan), FUSE_OK);
    buffers.clear();
    memoryDevice.reset();
    EXPECT_EQ(driver->strictReleases, 0u);
    FakeCuda::TearDown();
  }

  void *allocate(uint64_t bytes) {
    if (!memoryDevice)
      memoryDevice = open();
    auto made = DeviceBuffer::allocate(memoryDevice, bytes, "a test");
    EXPECT_TRUE(made);
    buffers.push_back(std::move(*made));
    return reinterpret_cast<void *>(buffers.back().address());
  }

  FuseStatus make(FuseCall *call) {
    FuseArray inputs[] = {x.array, y.array};
    FuseArray outputs[] = {out.array, same.array};
    return fuse_call_create(plan, inputs, 2, outputs, 2, call);
  }
  FuseStatus make() {
    FuseCall call = nullptr;
    FuseStatus status = make(&call);
    EXPECT_EQ(call == nullptr, status != FUSE_OK);
    if (call) {
      EXPECT_EQ(fuse_call_destroy(call), FUSE_OK);
    }
    return status;
  }

  void expectRight() {
    for (int64_t i = 0; i < 3 * 64; ++i) {
      float bias = i % 2 ? 1.5f : 0.5f;
      EXPECT_EQ(static_cast<float *>(out.array.data)[i],
                float(i) + bias + 2 * float(steps) + float(100 * (i / 64)));
    }
  }

  int64_t steps = 3;
  TestArray x{{3, 64}, nullptr, FUSE_CUDA}, y{{3}, nullptr, FUSE_CUDA},
      out{{3, 64}, nullptr, FUSE_CUDA}, same{{3, 64}, nullptr, FUSE_CUDA};
  FuseImage image = nullptr;
  FuseDevice device = nullptr;
  FuseProgram program = nullptr;
  FusePlan plan = nullptr;
  std::shared_ptr<CudaDevice> memoryDevice;
  std::vector<DeviceBuffer> buffers;
  FuseDeviceKind kind = 0;
  int32_t ordinal = 0;
};

TEST_F(CGpu, Runs) {
  const char *name = nullptr;
  EXPECT_EQ(fuse_device_name(device, &name), FUSE_OK);
  EXPECT_STREQ(name, "Fake GPU");
  uint64_t bytes = 0;
  EXPECT_EQ(fuse_plan_workspace_bytes(plan, &bytes), FUSE_OK);
  EXPECT_GT(bytes, 2 * 3 * 64 * 4u);
  FuseArgument argument = {};
  argument.struct_bytes = sizeof(argument);
  ASSERT_EQ(fuse_plan_output(plan, 0, &argument), FUSE_OK);
  EXPECT_STREQ(argument.name, "out");
  EXPECT_EQ(argument.shape[0], 3);
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_plan_output(plan, 2, &argument),
               "output 2 was asked for, but there are 2");

  FuseCall call = nullptr;
  ASSERT_EQ(make(&call), FUSE_OK) << fuse_last_error();
  uint64_t allocations = driver->numAllocations;
  int stream = 0;
  ASSERT_EQ(fuse_call_launch(call, &stream), FUSE_OK) << fuse_last_error();
  expectRight();
  EXPECT_EQ(driver->numAllocations, allocations);
  EXPECT_EQ(driver->launches.back().stream, &stream);
  ASSERT_EQ(fuse_call_launch(call, nullptr), FUSE_OK);
  EXPECT_EQ(driver->launches.back().stream, nullptr);
  EXPECT_EQ(fuse_call_destroy(call), FUSE_OK);
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_call_launch(call, nullptr),
               "a call is needed, but what was given is closed");

  FuseArray inputs[] = {x.array, y.array}, outputs[] = {out.array, same.array};
  EXPECT_EQ(fuse_plan_run(plan, inputs, 2, outputs, 2, nullptr), FUSE_OK);
  expectRight();
}

// One call of the driver for each kernel and each copy, and two around them
// where the context is not current; no lock, and no memory.
TEST_F(CGpu, LaunchingIsCallingTheDriver) {
  FuseCall call = nullptr;
  ASSERT_EQ(make(&call), FUSE_OK) << fuse_last_error();
  int stream = 0;
  ASSERT_EQ(fuse_call_launch(call, &stream), FUSE_OK) << fuse_last_error();
  // This is what is watched.
  watch = Watch();
  watch.isOn = true;
  std::string text(100, 'x');
  std::mutex other;
  FuseStatus found = fuse_device_find(x.array.data, &kind, &ordinal);
  other.lock();
  watch.isOn = false;
  other.unlock();
  ASSERT_EQ(found, FUSE_OK);
  EXPECT_EQ(text.size(), 100u);
  EXPECT_GE(watch.allocations, 1u);
  EXPECT_GE(watch.driverCalls, 1u);
  EXPECT_GE(watch.otherLocks, 1u);

  size_t before = driver->launches.size();
  watch = Watch();
  watch.isOn = true;
  FuseStatus launched = fuse_call_launch(call, &stream);
  watch.isOn = false;
  ASSERT_EQ(launched, FUSE_OK);
  size_t kernels = driver->launches.size() - before;
  EXPECT_GE(kernels, 2u);
  EXPECT_EQ(watch.driverCalls, kernels + makeTestImage().copies.size() + 2);
  EXPECT_EQ(watch.otherLocks, 0u);
  EXPECT_EQ(watch.allocations, 0u);
  EXPECT_EQ(fuse_call_destroy(call), FUSE_OK);
}

TEST_F(CGpu, SixteenThreadsRunTheirPlans) {
  std::vector<std::thread> threads;
  std::vector<void *> places;
  for (int i = 0; i < 16; ++i)
    places.push_back(allocate(2 * 3 * 64 * 4));
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&, i] {
      FuseArray inputs[] = {x.array, y.array};
      FusePlan own = nullptr;
      ASSERT_EQ(fuse_plan_create(program, inputs, 2, &steps, 1, &own), FUSE_OK)
          << fuse_last_error();
      auto *result = static_cast<float *>(places[i]);
      FuseArray outputs[] = {out.array, same.array};
      outputs[0].data = result;
      outputs[1].data = result + 3 * 64;
      FuseCall call = nullptr;
      ASSERT_EQ(fuse_call_create(own, inputs, 2, outputs, 2, &call), FUSE_OK)
          << fuse_last_error();
      for (int round = 0; round < 20; ++round) {
        result[5] = 0;
        ASSERT_EQ(fuse_call_launch(call, nullptr), FUSE_OK);
        EXPECT_EQ(result[5], 5 + 1.5f + 6);
      }
      EXPECT_EQ(fuse_call_destroy(call), FUSE_OK);
      EXPECT_EQ(fuse_plan_destroy(own), FUSE_OK);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(CGpu, ArraysThatDoNotFitAreRefusedByName) {
  EXPECT_EQ(make(), FUSE_OK) << fuse_last_error();
  auto expect = [&](const char *message) {
    EXPECT_FAILS(FUSE_BAD_INPUT, make(), message);
  };
  FuseArray good = x.array;
  x.array.device_ordinal = 1;
  expect("input 0 'x': it is in the memory of device 1, but memory of device 0 "
         "is needed");
  x.array = good;
  x.array.device_kind = FUSE_CPU;
  expect("input 0 'x': it is in the memory of the host, but memory of device 0 "
         "is needed");
  x.array = good;
  x.array.type = FUSE_F16;
  expect("input 0 'x': it has elements of f16, but f32 is needed");
  x.array.type = 77;
  expect("input 0 'x': its type is 77, which is none of FuseType");
  x.array = good;
  x.array.device_kind = 9;
  expect("input 0 'x': its device_kind is 9, which is none of FuseDeviceKind");
  x.array = good;
  int64_t strides[] = {-64, 1};
  x.array.strides = strides;
  expect("input 0 'x': its stride 0 is -64, but negative strides are not "
         "supported: make a copy");
  x.array = good;
  x.shape = {4, 64};
  x.array.shape = x.shape.data();
  expect("input 0 'x': it has the shape 4x64, but 3x64 is needed");
  x.shape = {-3, 64};
  x.array.shape = x.shape.data();
  expect("input 0 'x': its size 0 is -3");
  x.shape = {3, 64};
  x.array = good;
  x.array.shape = nullptr;
  expect("input 0 'x': it has 2 dimensions, but no shape");
  x.array = good;
  x.array.data = out.array.data;
  expect("output 0 'out' shares memory with input 0 'x'");
  x.array = good;
}

TEST_F(CGpu, MemoryThatIsNotTheDevicesIsRefused) {
  float host[3 * 64];
  x.array.data = host;
  EXPECT_FAILS(FUSE_BAD_INPUT, make(), "input 0 'x': its address 0x");
  EXPECT_THAT(fuse_last_error(),
              ::testing::HasSubstr("memory of device 0 is needed"));
  // It was freed.
  x.array.data = allocate(3 * 64 * 4);
  buffers.pop_back();
  EXPECT_FAILS(FUSE_BAD_INPUT, make(), "memory of device 0 is needed");
  // It is there, but on another device than it says.
  x.array.data = allocate(3 * 64 * 4);
  driver->ordinals[reinterpret_cast<uintptr_t>(x.array.data)] = 1;
  EXPECT_FAILS(FUSE_BAD_INPUT, make(),
               "is of device 1, but memory of device 0 is needed");
}

TEST_F(CGpu, MemoryIsFoundByItsAddress) {
  FuseDeviceKind kind = 0;
  int32_t ordinal = -1;
  auto find = [&](const void *address) {
    return fuse_device_find(address, &kind, &ordinal);
  };
  // In the middle of an array, too, and without a context of this thread.
  ASSERT_TRUE(contexts->empty());
  ASSERT_EQ(find(static_cast<float *>(x.array.data) + 7), FUSE_OK)
      << fuse_last_error();
  EXPECT_EQ(kind, FUSE_CUDA);
  EXPECT_EQ(ordinal, 0);
  driver->ordinals[reinterpret_cast<uintptr_t>(x.array.data)] = 1;
  ASSERT_EQ(find(x.array.data), FUSE_OK);
  EXPECT_EQ(ordinal, 1);
  EXPECT_TRUE(contexts->empty());
  // Whoever has one keeps it, and no other is made.
  int theirs = 0;
  contexts->push_back(&theirs);
  int retained = driver->retained;
  driver->failures["cuDevicePrimaryCtxRetain"] = 1;
  ASSERT_EQ(find(x.array.data), FUSE_OK) << fuse_last_error();
  EXPECT_EQ(driver->retained, retained);
  contexts->clear();
  driver->failures.clear();
  for (const void *host : {static_cast<const void *>(&theirs),
                           static_cast<const void *>(nullptr)}) {
    ASSERT_EQ(find(host), FUSE_OK);
    EXPECT_EQ(kind, FUSE_CPU);
    EXPECT_EQ(ordinal, 0);
  }
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_device_find(&theirs, &kind, nullptr),
               "a place for the number is needed, but NULL was given");
  EXPECT_EQ(kind, 0);
  driver->failures["cuPointerGetAttributes"] = 1;
  EXPECT_FAILS(FUSE_DEVICE, find(x.array.data),
               "the driver does not say whose memory an address is: "
               "CUDA_ERROR_INVALID_VALUE");
}

TEST_F(CGpu, StreamsOfOtherDevicesAreRefused) {
  FuseCall call = nullptr;
  ASSERT_EQ(make(&call), FUSE_OK);
  int good = 0, other = 0, strange = 0;
  driver->streamContexts[&other] = &strange;
  ASSERT_EQ(fuse_call_launch(call, &good), FUSE_OK);
  size_t launches = driver->launches.size();
  EXPECT_FAILS(FUSE_BAD_INPUT, fuse_call_launch(call, &other),
               "the stream is of another device or context, but one of device "
               "0 is needed");
  EXPECT_EQ(driver->launches.size(), launches);
  driver->failures["cuStreamGetCtx"] = 1;
  EXPECT_FAILS(FUSE_DEVICE, fuse_call_launch(call, &strange),
               "the driver does not know the stream: CUDA_ERROR_INVALID_VALUE");
  EXPECT_EQ(fuse_call_destroy(call), FUSE_OK);
}

TEST_F(CGpu, CountsAreCompared) {
  FuseArray inputs[] = {x.array, y.array};
  FusePlan other = nullptr;
  EXPECT_FAILS(FUSE_BAD_USAGE,
               fuse_plan_create(program, inputs, 1, &steps, 1, &other),
               "'chain' has 2 inputs, but 1 was given");
  EXPECT_FAILS(FUSE_BAD_USAGE,
               fuse_plan_create(program, inputs, 2, nullptr, 0, &other),
               "'chain' has 1 scalars, but 0 were given");
  // Nothing is read that cannot be right.
  EXPECT_FAILS(FUSE_BAD_USAGE,
               fuse_plan_create(program, inputs, 2, &steps, SIZE_MAX, &other),
               "'chain' has 1 scalars, but 18446744073709551615 were given");
  inputs[1].rank = 1 << 30;
  EXPECT_FAILS(FUSE_BAD_INPUT,
               fuse_plan_create(program, inputs, 2, &steps, 1, &other),
               "it has 1073741824 dimensions, but ");
  inputs[1] = y.array;
  EXPECT_FAILS(FUSE_BAD_USAGE,
               fuse_plan_create(program, nullptr, 2, &steps, 1, &other),
               "a list of inputs is needed, but NULL was given");
  FuseCall call = nullptr;
  EXPECT_FAILS(FUSE_BAD_USAGE,
               fuse_call_create(plan, inputs, 2, nullptr, 0, &call),
               "'chain' has 2 outputs, but 0 were given");
}

TEST_F(CGpu, DevicesThatAreNotThereAreRefused) {
  FuseDevice other = nullptr;
  EXPECT_FAILS(FUSE_UNSUPPORTED, fuse_device_open(FUSE_CUDA, 7, &other),
               "CUDA device 7 was asked for, but there is 1 device");
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_device_open(FUSE_CUDA, -2, &other),
               "the device's number is -2, but -1 or more is needed");
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_device_open(13, 0, &other),
               "13 is no kind of devices");
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_device_open(FUSE_CPU, 0, &other),
               "the number of threads is 0, but -1 or 1 to 1024 is needed");
  ASSERT_EQ(fuse_device_open(FUSE_CPU, 1, &other), FUSE_OK);
  FuseProgram none = nullptr;
  EXPECT_FAILS(FUSE_UNSUPPORTED, fuse_program_load(image, other, &none),
               "'chain' has no code for processors, but this processor is a "
               "x86-64");
  EXPECT_EQ(fuse_device_destroy(other), FUSE_OK);
}

/// The exit status of a child that runs `body`.
int inChild(const std::function<bool()> &body) {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(body() ? 0 : 1);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(CGpu, NothingIsUsedInAChild) {
  FuseCall call = nullptr;
  ASSERT_EQ(make(&call), FUSE_OK);
  auto says = [](const char *text) {
    return std::string(fuse_last_error()).find(text) != std::string::npos;
  };
  EXPECT_EQ(inChild([&] {
              return fuse_call_launch(call, nullptr) == FUSE_BAD_USAGE &&
                     says("a call was made before this process was forked, and "
                          "cannot be used in the child");
            }),
            0);
  EXPECT_EQ(inChild([&] {
              FuseDevice other = nullptr;
              return fuse_device_open(FUSE_CUDA, 0, &other) == FUSE_BAD_USAGE &&
                     says("a GPU was used before this process was forked");
            }),
            0);
  // What is closed there stays with the parent.
  EXPECT_EQ(inChild([&] {
              return fuse_call_destroy(call) == FUSE_OK &&
                     fuse_image_destroy(image) == FUSE_OK;
            }),
            0);
  EXPECT_EQ(fuse_call_launch(call, nullptr), FUSE_OK) << fuse_last_error();
  EXPECT_EQ(fuse_call_destroy(call), FUSE_OK);
}

} // namespace
