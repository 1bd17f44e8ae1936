//===- DeviceTest.cpp - drivers, devices, and their memory ----------------===//
//
// What is said where there is no driver, none that fits, or no device; and that
// whoever else uses the device in this process is left alone.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

using namespace fuse;
using ::testing::HasSubstr;

namespace {

class DeviceTest : public FakeCuda {
protected:
  static std::string openError(std::optional<uint32_t> ordinal = std::nullopt) {
    auto device = CudaDevice::open(ordinal);
    EXPECT_FALSE(device);
    return device ? "" : device.error().message();
  }
};

//===----------------------------------------------------------------------===//
// Drivers
//===----------------------------------------------------------------------===//

TEST_F(DeviceTest, WithoutADriverThereIsASentence) {
  unsetenv("FUSE_CUDA_DRIVER");
  if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL))
    GTEST_SKIP() << "this machine has a driver";
  auto device = CudaDevice::open();
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().message(),
            "no CUDA driver: libcuda.so.1 could not be opened (libcuda.so.1: "
            "cannot open shared object file: No such file or directory)");
  EXPECT_EQ(device.error().code(), ErrorCode::Device);
}

TEST_F(DeviceTest, TheEnvironmentNamesTheDriver) {
  setenv("FUSE_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  EXPECT_THAT(openError(), HasSubstr("no CUDA driver: /nowhere/libcuda.so.1 "
                                     "could not be opened ("));
  setenv("FUSE_CUDA_DRIVER", FAKE_DRIVER_BROKEN, 1);
  EXPECT_EQ(openError(), "no CUDA driver that can be used: " FAKE_DRIVER_BROKEN
                         " has no cuModuleLoadDataEx, but CUDA 11.0 or newer "
                         "is needed");
}

TEST_F(DeviceTest, InitialisationCanFail) {
  driver->failures["cuInit"] = 803;
  EXPECT_THAT(openError(), HasSubstr("are of different versions: restart"));
  driver->failures["cuInit"] = 1;
  EXPECT_EQ(openError(), "the CUDA driver cannot be initialised: "
                         "CUDA_ERROR_INVALID_VALUE");
  driver->failures["cuInit"] = 987;
  EXPECT_EQ(openError(), "the CUDA driver cannot be initialised: error 987");
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

TEST_F(DeviceTest, ADeviceSaysWhatItIs) {
  auto device = open();
  EXPECT_EQ(device->name(), "Fake GPU");
  EXPECT_EQ(device->chip().str(), "sm_90");
  EXPECT_EQ(device->cudaVersion().str(), "12.4");
  EXPECT_EQ(device->limits().multiprocessors, 132u);
  EXPECT_EQ(device->limits().sharedBytesPerBlock, 232448u);
  EXPECT_EQ(device->limits().grid[1], 65535u);
  EXPECT_EQ(device->limits().threads[2], 64u);
  EXPECT_EQ(device->limits().memoryBytes, uint64_t(1) << 30);
  Result<uint64_t> free = device->freeBytes();
  ASSERT_TRUE(free);
  EXPECT_EQ(*free, uint64_t(1) << 30);
}

TEST_F(DeviceTest, OneOfSeveralIsChosen) {
  driver->deviceCount = 3;
  setenv("FUSE_CUDA_DEVICE", "2", 1);
  EXPECT_EQ(open()->ordinal(), 2u);
  auto chosen = CudaDevice::open(1);
  ASSERT_TRUE(chosen);
  EXPECT_EQ((*chosen)->ordinal(), 1u);
  setenv("FUSE_CUDA_DEVICE", "3", 1);
  EXPECT_EQ(openError(), "CUDA device 3 was asked for, but there are 3 "
                         "devices, counted from 0");
  setenv("FUSE_CUDA_DEVICE", "gpu", 1);
  EXPECT_EQ(openError(),
            "FUSE_CUDA_DEVICE is 'gpu', but the number of a device is needed");
  driver->deviceCount = 1;
  EXPECT_EQ(openError(1), "CUDA device 1 was asked for, but there is 1 device, "
                          "counted from 0");
}

TEST_F(DeviceTest, WithoutADeviceThereIsASentence) {
  driver->deviceCount = 0;
  EXPECT_EQ(openError(), "no CUDA device: the driver finds none on this "
                         "machine (or CUDA_VISIBLE_DEVICES hides them)");
}

TEST_F(DeviceTest, EveryQuestionCanFail) {
  const std::pair<const char *, const char *> questions[] = {
      {"cuDriverGetVersion", "the CUDA driver does not say what there is"},
      {"cuDeviceGetCount", "the CUDA driver does not say what there is"},
      {"cuDeviceGet", "device 0 cannot be opened"},
      {"cuDeviceGetAttribute", "device 0 does not say what it is"},
      {"cuDeviceGetName", "device 0 does not say what it is"},
      {"cuDeviceTotalMem_v2", "device 0 does not say what it is"},
      {"cuDevicePrimaryCtxRetain", "device 0 'Fake GPU' cannot be used"},
  };
  for (auto [function, message] : questions) {
    driver->failures = {{function, 1}};
    EXPECT_EQ(openError(), std::string(message) + ": CUDA_ERROR_INVALID_VALUE");
  }
  driver->failures.clear();
  auto device = open();
  driver->failures["cuMemGetInfo_v2"] = 1;
  Result<uint64_t> free = device->freeBytes();
  ASSERT_FALSE(free);
  EXPECT_EQ(free.error().message(),
            "the free memory is not known: CUDA_ERROR_INVALID_VALUE");
  driver->failures = {{"cuCtxPushCurrent_v2", 201}};
  Status status = device->wait(nullptr);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(), "the device's context cannot be used: "
                                      "CUDA_ERROR_INVALID_CONTEXT");
}

TEST_F(DeviceTest, TheCallersContextStaysCurrent) {
  int theirs = 0;
  contexts->push_back(&theirs);
  {
    auto device = open();
    EXPECT_EQ(driver->retained, 1);
    EXPECT_TRUE(CudaStream::create(device));
    EXPECT_TRUE(DeviceBuffer::allocate(device, 4, "it"));
    driver->failures["cuMemAlloc_v2"] = 1;
    EXPECT_FALSE(DeviceBuffer::allocate(device, 4, "it"));
    ASSERT_EQ(contexts->size(), 1u);
    EXPECT_EQ(contexts->back(), &theirs);
  }
  EXPECT_EQ(driver->retained, 0);
  contexts->clear();
}

TEST_F(DeviceTest, ALostDeviceIsToldOfOnce) {
  auto device = open();
  EXPECT_FALSE(device->lostBy());
  driver->failures["cuStreamSynchronize"] = 700;
  Status status = device->wait(nullptr);
  ASSERT_FALSE(status);
  std::string loss = "waiting for what was launched failed: "
                     "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was "
                     "encountered)";
  EXPECT_EQ(
      status.error().message(),
      loss + "; the device cannot be used any more in this process: "
             "start it anew (FUSE_CUDA_SYNC=1 tells which kernel goes wrong, "
             "compute-sanitizer where)");
  EXPECT_EQ(device->lostBy(), loss);
  for (int i = 0; i < 2; ++i) {
    Result<DeviceBuffer> buffer = DeviceBuffer::allocate(device, 4, "it");
    ASSERT_FALSE(buffer);
    EXPECT_EQ(buffer.error().message(),
              "the device cannot be used any more in this process, since: " +
                  loss);
  }
}

//===----------------------------------------------------------------------===//
// Memory, streams and events
//===----------------------------------------------------------------------===//

TEST_F(DeviceTest, BuffersAreCopiedAndFilled) {
  auto device = open();
  auto stream = CudaStream::create(device);
  ASSERT_TRUE(stream);
  HostBuffer host = makeBuffer({5, 3});
  auto buffer = DeviceBuffer::allocate(device, host.sizeInBytes(), "it");
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->address() % 256, 0u);
  ASSERT_TRUE(buffer->copyFrom(host, stream->handle()));
  HostBuffer back = makeBuffer({5, 3}, {0});
  ASSERT_TRUE(buffer->copyTo(back, stream->handle()));
  EXPECT_EQ(loadAsDouble(ElementType::F32, back.data(), 14), 14);
  for (ElementType type : {ElementType::F32, ElementType::I32}) {
    auto poisoned = HostBuffer::allocate(type, {5, 3});
    auto found = HostBuffer::allocate(type, {5, 3});
    ASSERT_TRUE(poisoned && found);
    poisoned->poison();
    ASSERT_TRUE(buffer->poison(type, stream->handle()));
    ASSERT_TRUE(buffer->copyTo(*found, stream->handle()));
    EXPECT_EQ(loadBits(type, found->data(), 7),
              loadBits(type, poisoned->data(), 7));
  }
  DeviceBuffer moved = std::move(*buffer);
  *buffer = std::move(moved);
  EXPECT_EQ(buffer->sizeInBytes(), 60u);
}

TEST_F(DeviceTest, AnEmptyBufferIsOne) {
  auto device = open();
  auto buffer = DeviceBuffer::allocate(device, 0, "nothing");
  ASSERT_TRUE(buffer);
  EXPECT_NE(buffer->address(), 0u);
  HostBuffer host = makeBuffer({0, 3});
  EXPECT_TRUE(buffer->copyFrom(host, nullptr));
  EXPECT_TRUE(buffer->copyTo(host, nullptr));
  EXPECT_TRUE(buffer->fill(1, nullptr));
}

TEST_F(DeviceTest, WhatDoesNotFitIsCompared) {
  auto device = open();
  auto buffer =
      DeviceBuffer::allocate(device, uint64_t(4) << 40, "the workspace");
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().message(), "the workspace needs 4.0 TiB, but the "
                                      "device has 1.0 GiB free");
  EXPECT_EQ(buffer.error().code(), ErrorCode::Unsupported);
  driver->failures["cuMemAlloc_v2"] = 1;
  auto failed = DeviceBuffer::allocate(device, 4, "the workspace");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(),
            "the workspace cannot be allocated on the device: "
            "CUDA_ERROR_INVALID_VALUE");
}

TEST_F(DeviceTest, CopiesCanFail) {
  auto device = open();
  auto buffer = DeviceBuffer::allocate(device, 8, "it");
  ASSERT_TRUE(buffer);
  HostBuffer large = makeBuffer({3}), small = makeBuffer({2});
  auto messageOf = [](Status status) {
    EXPECT_FALSE(status);
    return status ? "" : status.error().message();
  };
  const char *tooLarge = "a copy of 12 bytes does not fit the device's buffer "
                         "of 8 bytes";
  EXPECT_EQ(messageOf(buffer->copyFrom(large, nullptr)), tooLarge);
  EXPECT_EQ(messageOf(buffer->copyTo(large, nullptr)), tooLarge);
  driver->failures = {{"cuMemcpyHtoDAsync_v2", 1},
                      {"cuMemcpyDtoHAsync_v2", 1},
                      {"cuMemsetD8Async", 1}};
  EXPECT_EQ(messageOf(buffer->copyFrom(small, nullptr)),
            "copying to the device failed: CUDA_ERROR_INVALID_VALUE");
  EXPECT_EQ(messageOf(buffer->copyTo(small, nullptr)),
            "copying from the device failed: CUDA_ERROR_INVALID_VALUE");
  EXPECT_EQ(messageOf(buffer->fill(0, nullptr)),
            "filling memory of the device failed: CUDA_ERROR_INVALID_VALUE");
}

TEST_F(DeviceTest, StreamsAndEventsAreReleased) {
  auto device = open();
  {
    auto stream = CudaStream::create(device);
    auto other = CudaStream::create(device);
    ASSERT_TRUE(stream && other);
    CudaStream moved = std::move(*stream);
    *other = std::move(moved);
    auto start = CudaEvent::create(device), end = CudaEvent::create(device);
    ASSERT_TRUE(start && end);
    CudaEvent event = std::move(*start);
    EXPECT_TRUE(event.record(other->handle()));
    driver->clock = 5;
    EXPECT_TRUE(end->record(other->handle()));
    Result<double> took = end->secondsSince(event);
    ASSERT_TRUE(took);
    EXPECT_DOUBLE_EQ(*took, 5e-3);
    driver->failures = {{"cuEventRecord", 1}, {"cuEventElapsedTime", 1}};
    EXPECT_FALSE(event.record(nullptr));
    EXPECT_FALSE(end->secondsSince(event));
  }
  EXPECT_EQ(driver->streams, 0);
  EXPECT_EQ(driver->events, 0);
  driver->failures = {{"cuStreamCreate", 1}, {"cuEventCreate", 1}};
  auto stream = CudaStream::create(device);
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().message(),
            "no stream can be made: CUDA_ERROR_INVALID_VALUE");
  auto event = CudaEvent::create(device);
  ASSERT_FALSE(event);
  EXPECT_EQ(event.error().message(),
            "no event can be made: CUDA_ERROR_INVALID_VALUE");
}

} // namespace
