//===- Device.h - a GPU of this machine -------------------------*- C++ -*-===//
//
// Opens the driver, which is found when the program runs and not before, and
// one device of it. Its primary context is used, the one that other libraries
// in this process use, too; whatever context the caller has stays current.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CUDA_DEVICE_H
#define FUSE_RUNTIME_CUDA_DEVICE_H

#include "fuse/Runtime/Chip.h"
#include "fuse/Runtime/Error.h"
#include "fuse/Runtime/Image.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace fuse {

/// A CUdeviceptr.
using DevicePointer = uint64_t;
/// A CUstream; null is the legacy default stream.
using CudaStreamHandle = void *;

struct CudaDriver;

struct CudaLimits {
  uint32_t multiprocessors = 0;
  uint32_t threadsPerBlock = 0;
  /// What a kernel may ask for, beyond the usual 48 KiB.
  uint32_t sharedBytesPerBlock = 0;
  uint64_t l2Bytes = 0;
  uint64_t memoryBytes = 0;
  std::array<uint32_t, 3> threads = {}, grid = {};
};

class CudaDevice {
public:
  /// Without a number it is the one that the environment variable
  /// FUSE_CUDA_DEVICE holds, or 0. The driver is libcuda.so.1, or what
  /// FUSE_CUDA_DRIVER names.
  static Result<std::shared_ptr<CudaDevice>>
  open(std::optional<uint32_t> ordinal = std::nullopt);
  ~CudaDevice();

  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  uint32_t ordinal() const { return number; }
  /// "NVIDIA H100 80GB HBM3".
  const std::string &name() const { return deviceName; }
  const Chip &chip() const { return deviceChip; }
  /// The newest CUDA that the driver knows.
  const CodeVersion &cudaVersion() const { return driverCuda; }
  const CudaLimits &limits() const { return deviceLimits; }

  /// What can be allocated now.
  Result<uint64_t> freeBytes();

  /// Waits for everything on `stream`. A kernel that failed is told about here.
  Status wait(CudaStreamHandle stream);

  /// Whether `stream` is one of this device. The default streams always are.
  Status checkStream(CudaStreamHandle stream);

  /// The first error after which nothing works any more in this process.
  std::optional<std::string> lostBy() const;

  const CudaDriver &driver() const { return *cudaDriver; }

  /// Makes the error of a driver's call: `what` could not be done. Notes
  /// whether the device is lost; the advice is given once.
  RuntimeError failure(int code, std::string_view what);

private:
  friend class CudaContextScope;
  CudaDevice() = default;
  Status query();

  std::shared_ptr<const CudaDriver> cudaDriver;
  uint32_t number = 0;
  int handle = 0;
  void *context = nullptr;
  std::string deviceName;
  Chip deviceChip;
  CodeVersion driverCuda;
  CudaLimits deviceLimits;
  mutable std::mutex mutex;
  std::optional<std::string> loss;
  /// Whether there is a loss: who launches takes no lock to know.
  std::atomic<bool> isLost = false;
};

/// Which GPU's memory an address is in; absent for the host's, and for what the
/// driver knows nothing of. For arrays that do not say it.
Result<std::optional<uint32_t>> findCudaDeviceOf(DevicePointer address);

/// Makes the device's context current, and afterwards the one that was before.
class CudaContextScope {
public:
  explicit CudaContextScope(CudaDevice &device);
  ~CudaContextScope();
  CudaContextScope(const CudaContextScope &) = delete;
  CudaContextScope &operator=(const CudaContextScope &) = delete;

  /// Whether that was possible; to be looked at before anything else is done.
  Status take();

private:
  CudaDevice &device;
  int code = 0;
  /// Where the context was current already, nothing is to be restored.
  bool isPushed = false;
};

/// A stream that waits for no other.
class CudaStream {
public:
  static Result<CudaStream> create(std::shared_ptr<CudaDevice> device);
  CudaStream(CudaStream &&other) noexcept;
  CudaStream &operator=(CudaStream &&other) noexcept;
  ~CudaStream();

  CudaStreamHandle handle() const { return stream; }
  Status wait() { return device->wait(stream); }

private:
  CudaStream(std::shared_ptr<CudaDevice> device, CudaStreamHandle stream)
      : device(std::move(device)), stream(stream) {}

  std::shared_ptr<CudaDevice> device;
  CudaStreamHandle stream = nullptr;
};

/// A mark in a stream, which knows when it was passed.
class CudaEvent {
public:
  static Result<CudaEvent> create(std::shared_ptr<CudaDevice> device);
  CudaEvent(CudaEvent &&other) noexcept;
  CudaEvent &operator=(CudaEvent &&other) noexcept;
  ~CudaEvent();

  /// A CUevent.
  void *handle() const { return event; }

  Status record(CudaStreamHandle stream);
  /// Both have been passed, and `start` first.
  Result<double> secondsSince(const CudaEvent &start) const;

private:
  CudaEvent(std::shared_ptr<CudaDevice> device, void *event)
      : device(std::move(device)), event(event) {}

  std::shared_ptr<CudaDevice> device;
  void *event = nullptr;
};

} // namespace fuse

#endif // FUSE_RUNTIME_CUDA_DEVICE_H
