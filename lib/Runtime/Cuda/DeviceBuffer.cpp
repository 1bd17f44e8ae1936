//===- DeviceBuffer.cpp - memory of a GPU ---------------------------------===//
//
// Not the driver's plain copies: those return before the data have arrived, and
// a stream of its own would not wait for them.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cuda/DeviceBuffer.h"
#include "Driver.h"

#include <algorithm>

using namespace fuse;

Result<DeviceBuffer> DeviceBuffer::allocate(std::shared_ptr<CudaDevice> device,
                                            uint64_t bytes,
                                            std::string_view what) {
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status.takeError();
  uint64_t pointer = 0;
  // The driver refuses to allocate nothing.
  int code = device->driver().memAlloc(&pointer, std::max<uint64_t>(bytes, 1));
  if (code == cuda_result::outOfMemory) {
    Result<uint64_t> free = device->freeBytes();
    if (!free)
      return free.takeError();
    return RuntimeError(ErrorCode::Unsupported,
                        std::string(what) + " needs " + formatBytes(bytes) +
                            ", but the device has " + formatBytes(*free) +
                            " free");
  }
  if (code != cuda_result::success)
    return device->failure(code, std::string(what) +
                                     " cannot be allocated on the device");
  return DeviceBuffer(std::move(device), pointer, bytes);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer &&other) noexcept
    : device(std::move(other.device)), pointer(std::exchange(other.pointer, 0)),
      bytes(std::exchange(other.bytes, 0)) {}

DeviceBuffer &DeviceBuffer::operator=(DeviceBuffer &&other) noexcept {
  std::swap(device, other.device);
  std::swap(pointer, other.pointer);
  std::swap(bytes, other.bytes);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (!pointer)
    return;
  CudaContextScope scope(*device);
  OutsideOfCaptures outside(device->driver());
  device->driver().memFree(pointer);
}

static Status tooLarge(uint64_t host, uint64_t device) {
  return RuntimeError(ErrorCode::BadUsage,
                      "a copy of " + formatBytes(host) +
                          " does not fit the device's buffer of " +
                          formatBytes(device));
}

Status DeviceBuffer::copyFrom(const HostBuffer &host, CudaStreamHandle stream) {
  if (host.sizeInBytes() > bytes)
    return tooLarge(host.sizeInBytes(), bytes);
  if (host.sizeInBytes() == 0)
    return Status::success();
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status;
  int code = device->driver().memcpyHtoDAsync(pointer, host.data(),
                                              host.sizeInBytes(), stream);
  if (code != cuda_result::success)
    return device->failure(code, "copying to the device failed");
  return device->wait(stream);
}

Status DeviceBuffer::copyTo(HostBuffer &host, CudaStreamHandle stream) const {
  if (host.sizeInBytes() > bytes)
    return tooLarge(host.sizeInBytes(), bytes);
  if (host.sizeInBytes() == 0)
    return Status::success();
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status;
  int code = device->driver().memcpyDtoHAsync(host.data(), pointer,
                                              host.sizeInBytes(), stream);
  if (code != cuda_result::success)
    return device->failure(code, "copying from the device failed");
  return device->wait(stream);
}

Status DeviceBuffer::fill(uint8_t byte, CudaStreamHandle stream) {
  if (bytes == 0)
    return Status::success();
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status;
  if (int code = device->driver().memsetD8Async(pointer, byte, bytes, stream))
    return device->failure(code, "filling memory of the device failed");
  return Status::success();
}

Status DeviceBuffer::poison(ElementType type, CudaStreamHandle stream) {
  return fill(poisonByte(type), stream);
}
