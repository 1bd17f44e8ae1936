//===- CheckArray.cpp - whether an array can be an argument ---------------===//
//
// A wrong argument would give a wrong answer or end the process; here it ends
// in a sentence. The driver is asked where the memory is and how far it goes.
//
//===----------------------------------------------------------------------===//

#include "ExecutorState.h"
#include "Strides.h"
#include "fuse/Runtime/Arguments.h"

#include <algorithm>

#include <cstdio>

using namespace fuse;

static RuntimeError badInput(std::string message) {
  return RuntimeError(ErrorCode::BadInput, std::move(message));
}

static std::string hex(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx",
                static_cast<unsigned long long>(number));
  return text;
}

static RuntimeError badStrides(const DeviceArray &array, const char *needed) {
  return badInput("its strides are " + formatShape(array.strides) +
                  " for the shape " + formatShape(array.shape) + ", but " +
                  needed);
}

static Status checkStrides(const DeviceArray &array,
                           const ImageBuffer &buffer) {
  if (array.strides.empty())
    return Status::success();
  if (array.strides.size() != array.shape.size())
    return badInput("it has " + std::to_string(array.strides.size()) +
                    " strides for " + std::to_string(array.shape.size()) +
                    " dimensions");
  if (isRowMajor(array))
    return Status::success();
  for (size_t dim = 0; dim < array.shape.size(); ++dim)
    if (array.shape[dim] > 1 && array.strides[dim] < 0)
      return badStrides(array, "negative ones are not supported");
  if (buffer.strides == ArgumentStrides::Contiguous)
    return badStrides(array, "row-major order without gaps is needed");
  if (buffer.strides == ArgumentStrides::Rows && array.shape.back() > 1 &&
      array.strides.back() != 1)
    return badStrides(array, "a last one of 1 is needed");
  if (buffer.kind == ImageBuffer::Kind::Output && repeatsElements(array))
    return badStrides(array, "elements of an output have to be apart");
  return Status::success();
}

static Status checkForm(const DeviceArray &array, const ImageBuffer &buffer,
                        std::span<const int64_t> shape) {
  if (array.type != buffer.type)
    return badInput("it has elements of " + std::string(typeName(array.type)) +
                    ", but " + std::string(typeName(buffer.type)) +
                    " is needed");
  if (!std::equal(array.shape.begin(), array.shape.end(), shape.begin(),
                  shape.end()))
    return badInput("it has the shape " + formatShape(array.shape) + ", but " +
                    formatShape(shape) + " is needed");
  if (Status status = checkStrides(array, buffer); !status)
    return status;
  if (array.address % buffer.alignment != 0)
    return badInput("its address " + hex(array.address) +
                    " is not divisible by " + std::to_string(buffer.alignment) +
                    ", as is needed");
  return Status::success();
}

namespace {

class MemoryCheck {
public:
  explicit MemoryCheck(CudaDevice &device)
      : device(device), driver(device.driver()) {}

  /// Whether `address` is memory of this device.
  Status checkPlace(DevicePointer address);
  Status checkRange(DevicePointer address, uint64_t bytes);

private:
  bool isMappedPiecewise(DevicePointer address);

  CudaDevice &device;
  const CudaDriver &driver;
};

} // namespace

Status MemoryCheck::checkPlace(DevicePointer address) {
  CudaMemoryPlace place;
  if (int code = driver.findMemory(address, place))
    return device.failure(code,
                          "the driver does not say what is at " + hex(address));
  if (!place.isDevices && !place.isManaged)
    return badInput("its address " + hex(address) +
                    " is of the host's memory, but memory of device " +
                    std::to_string(device.ordinal()) + " is needed");
  if (!place.isManaged && place.ordinal != int(device.ordinal()))
    return badInput("its address " + hex(address) + " is of device " +
                    std::to_string(place.ordinal) + ", but memory of device " +
                    std::to_string(device.ordinal()) + " is needed");
  return Status::success();
}

/// Allocators that reserve addresses and map memory to them later make one
/// array of several allocations. Only of such memory there is a handle.
bool MemoryCheck::isMappedPiecewise(DevicePointer address) {
  if (!driver.memRetainAllocationHandle || !driver.memRelease)
    return false;
  uint64_t handle = 0;
  if (driver.memRetainAllocationHandle(
          &handle, reinterpret_cast<void *>(address)) != cuda_result::success)
    return false;
  driver.memRelease(handle);
  return true;
}

Status MemoryCheck::checkRange(DevicePointer address, uint64_t bytes) {
  DevicePointer end = address + bytes;
  for (DevicePointer covered = address; covered < end;) {
    uint64_t base = 0;
    size_t size = 0;
    int code = driver.memGetAddressRange(&base, &size, covered);
    // Memory that was not allocated here has no range, such as another
    // process's: then there is nothing to compare with.
    if (code != cuda_result::success && covered == address)
      return Status::success();
    uint64_t reached = code == cuda_result::success ? base + size : covered;
    if (reached >= end)
      return Status::success();
    if (reached <= covered || !isMappedPiecewise(covered))
      return badInput("it takes " + std::to_string(bytes) + " bytes, but " +
                      std::to_string(reached - address) +
                      " are allocated from its address " + hex(address));
    covered = reached;
  }
  return Status::success();
}

Status fuse::checkArray(CudaDevice &device, const DeviceArray &array,
                        const ImageBuffer &buffer,
                        std::span<const int64_t> shape) {
  Status status = checkForm(array, buffer, shape);
  if (status) {
    Result<uint64_t> bytes = spannedBytes(array);
    if (!bytes) {
      status = bytes.takeError();
    } else if (*bytes != 0) {
      // Of an empty array the address may be anything.
      MemoryCheck memory(device);
      status = memory.checkPlace(array.address);
      if (status)
        status = memory.checkRange(array.address, *bytes);
    }
  }
  if (!status)
    return std::move(status.takeError()).withContext(nameArgument(buffer));
  return status;
}
