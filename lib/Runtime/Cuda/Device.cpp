//===- Device.cpp - a GPU of this machine ---------------------------------===//
//
// What a device is and can do, and what to say when it fails.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cuda/Device.h"
#include "Driver.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

using namespace fuse;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static Result<uint32_t> chosenOrdinal(std::optional<uint32_t> ordinal) {
  if (ordinal)
    return *ordinal;
  const char *text = std::getenv("FUSE_CUDA_DEVICE");
  if (!text || !*text)
    return uint32_t(0);
  uint32_t number = 0;
  const char *end = text + std::strlen(text);
  auto [stop, failed] = std::from_chars(text, end, number);
  if (failed != std::errc() || stop != end)
    return RuntimeError(ErrorCode::BadUsage,
                        "FUSE_CUDA_DEVICE is '" + std::string(text) +
                            "', but the number of a device is needed");
  return number;
}

Status CudaDevice::query() {
  int code = 0;
  auto ask = [&](CudaDeviceAttribute attribute) -> uint32_t {
    int value = 0;
    if (code == cuda_result::success)
      code = cudaDriver->deviceGetAttribute(&value, attribute, handle);
    return static_cast<uint32_t>(value);
  };
  using enum CudaDeviceAttribute;
  deviceChip.major = ask(Major);
  deviceChip.minor = ask(Minor);
  deviceLimits.multiprocessors = ask(Multiprocessors);
  deviceLimits.threadsPerBlock = ask(ThreadsPerBlock);
  deviceLimits.sharedBytesPerBlock = ask(SharedBytesPerBlockOptIn);
  deviceLimits.l2Bytes = ask(L2Bytes);
  deviceLimits.threads = {ask(BlockX), ask(BlockY), ask(BlockZ)};
  deviceLimits.grid = {ask(GridX), ask(GridY), ask(GridZ)};
  char text[256] = {};
  size_t bytes = 0;
  if (code == cuda_result::success)
    code = cudaDriver->deviceGetName(text, sizeof(text) - 1, handle);
  if (code == cuda_result::success)
    code = cudaDriver->deviceTotalMem(&bytes, handle);
  if (code != cuda_result::success)
    return failure(code, "device " + std::to_string(number) +
                             " does not say what it is");
  deviceName = text;
  deviceLimits.memoryBytes = bytes;
  return Status::success();
}

Result<std::shared_ptr<CudaDevice>>
CudaDevice::open(std::optional<uint32_t> ordinal) {
  Result<uint32_t> number = chosenOrdinal(ordinal);
  if (!number)
    return number.takeError();
  Result<std::shared_ptr<const CudaDriver>> driver = CudaDriver::load();
  if (!driver)
    return driver.takeError();
  std::shared_ptr<CudaDevice> device(new CudaDevice);
  device->cudaDriver = *driver;
  device->number = *number;

  int version = 0, count = 0;
  int code = device->cudaDriver->driverGetVersion(&version);
  if (code == cuda_result::success)
    code = device->cudaDriver->deviceGetCount(&count);
  if (code != cuda_result::success)
    return device->failure(code, "the CUDA driver does not say what there is");
  // 12040 is 12.4.
  device->driverCuda = {uint32_t(version) / 1000,
                        uint32_t(version) % 1000 / 10};
  if (*number >= static_cast<uint32_t>(count))
    return RuntimeError(
        ErrorCode::Unsupported,
        "CUDA device " + std::to_string(*number) +
            " was asked for, but there " +
            (count == 1 ? "is 1 device"
                        : "are " + std::to_string(count) + " devices") +
            ", counted from 0");
  code = device->cudaDriver->deviceGet(&device->handle, int(*number));
  if (code != cuda_result::success)
    return device->failure(code, "device " + std::to_string(*number) +
                                     " cannot be opened");
  if (Status status = device->query(); !status)
    return status.takeError();
  void *context = nullptr;
  code = device->cudaDriver->devicePrimaryCtxRetain(&context, device->handle);
  if (code != cuda_result::success)
    return device->failure(code, "device " + std::to_string(*number) + " '" +
                                     device->deviceName + "' cannot be used");
  device->context = context;
  return device;
}

CudaDevice::~CudaDevice() {
  if (context)
    cudaDriver->devicePrimaryCtxRelease(handle);
}

//===----------------------------------------------------------------------===//
// Using
//===----------------------------------------------------------------------===//

Result<uint64_t> CudaDevice::freeBytes() {
  CudaContextScope scope(*this);
  if (Status status = scope.take(); !status)
    return status.takeError();
  size_t free = 0, total = 0;
  if (int code = cudaDriver->memGetInfo(&free, &total))
    return failure(code, "the free memory is not known");
  return uint64_t(free);
}

Status CudaDevice::wait(CudaStreamHandle stream) {
  CudaContextScope scope(*this);
  if (Status status = scope.take(); !status)
    return status;
  if (int code = cudaDriver->streamSynchronize(stream))
    return failure(code, "waiting for what was launched failed");
  return Status::success();
}

Status CudaDevice::checkStream(CudaStreamHandle stream) {
  // What no stream is allocated at: the legacy one and that of each thread.
  bool isDefault = reinterpret_cast<uintptr_t>(stream) <= 2;
  if (isDefault || !cudaDriver->streamGetCtx)
    return Status::success();
  CudaContextScope scope(*this);
  if (Status status = scope.take(); !status)
    return status;
  void *own = nullptr;
  if (int code = cudaDriver->streamGetCtx(stream, &own))
    return failure(code, "the driver does not know the stream");
  if (own == context)
    return Status::success();
  return RuntimeError(ErrorCode::BadInput,
                      "the stream is of another device or context, but one of "
                      "device " +
                          std::to_string(number) + " is needed");
}

Result<std::optional<uint32_t>> fuse::findCudaDeviceOf(DevicePointer address) {
  Result<std::shared_ptr<const CudaDriver>> driver = CudaDriver::load();
  if (!driver)
    return driver.takeError();
  CudaMemoryPlace place;
  int code = (*driver)->findMemory(address, place);
  // Every context knows all memory, so whoever made the array has one; but it
  // need not be this thread's.
  if (code == cuda_result::invalidContext) {
    Result<std::shared_ptr<CudaDevice>> device = CudaDevice::open(0);
    if (!device)
      return device.takeError();
    CudaContextScope scope(**device);
    if (Status status = scope.take(); !status)
      return status.takeError();
    code = (*driver)->findMemory(address, place);
  }
  if (code != cuda_result::success)
    return RuntimeError(ErrorCode::Device,
                        "the driver does not say whose memory an address is: " +
                            (*driver)->describe(code));
  if (!place.isDevices && !place.isManaged)
    return std::optional<uint32_t>();
  // Managed memory may be of no device in particular.
  return std::optional<uint32_t>(std::max(place.ordinal, 0));
}

//===----------------------------------------------------------------------===//
// Failing
//===----------------------------------------------------------------------===//

std::optional<std::string> CudaDevice::lostBy() const {
  std::lock_guard lock(mutex);
  return loss;
}

static RuntimeError lostEarlier(const std::string &loss) {
  return RuntimeError(ErrorCode::Device,
                      "the device cannot be used any more in this process, "
                      "since: " +
                          loss);
}

RuntimeError CudaDevice::failure(int code, std::string_view what) {
  std::string text = std::string(what) + ": " + cudaDriver->describe(code);
  std::lock_guard lock(mutex);
  if (loss)
    return lostEarlier(*loss);
  if (!losesContext(code))
    return RuntimeError(ErrorCode::Device, text);
  loss = text;
  isLost = true;
  return RuntimeError(ErrorCode::Device,
                      text + "; the device cannot be used any more in this "
                             "process: start it anew (FUSE_CUDA_SYNC=1 tells "
                             "which kernel goes wrong, compute-sanitizer "
                             "where)");
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

CudaContextScope::CudaContextScope(CudaDevice &device) : device(device) {
  // Most callers have it current, and asking costs less than changing.
  void *current = nullptr;
  if (device.driver().ctxGetCurrent(&current) == cuda_result::success &&
      current == device.context)
    return;
  code = device.driver().ctxPushCurrent(device.context);
  isPushed = code == cuda_result::success;
}

CudaContextScope::~CudaContextScope() {
  void *ours = nullptr;
  if (isPushed)
    device.driver().ctxPopCurrent(&ours);
}

Status CudaContextScope::take() {
  if (device.isLost.load(std::memory_order_relaxed))
    if (std::optional<std::string> loss = device.lostBy())
      return lostEarlier(*loss);
  if (code != cuda_result::success)
    return device.failure(code, "the device's context cannot be used");
  return Status::success();
}
