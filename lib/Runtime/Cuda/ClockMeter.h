//===- ClockMeter.h - at which clock a GPU ran ------------------*- C++ -*-===//
//
// Cards run at the clock that their power allows. A time says little without
// it, and what the management library says of it is late, and not of what was
// timed.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_RUNTIME_CUDA_CLOCKMETER_H
#define FUSE_LIB_RUNTIME_CUDA_CLOCKMETER_H

#include "fuse/Runtime/Cuda/DeviceBuffer.h"

#include <memory>
#include <optional>

namespace fuse {

/// Has the multiprocessors' counters of cycles and of nanoseconds read before
/// and after something on a stream.
class ClockMeter {
public:
  /// Absent where the driver has nothing to assemble its kernel with.
  static Result<std::optional<ClockMeter>>
  create(std::shared_ptr<CudaDevice> device, CudaStreamHandle stream);
  ClockMeter(ClockMeter &&other) noexcept;
  ClockMeter &operator=(ClockMeter &&) = delete;
  ~ClockMeter();

  /// Do not wait. What is between the last two calls counts.
  Status begin(CudaStreamHandle stream) { return read(first, stream); }
  Status end(CudaStreamHandle stream) { return read(last, stream); }

  /// The mean clock in Hz: of all multiprocessors that were seen at both ends
  /// the median. Absent where there is none, or hardly any time between: the
  /// counter of nanoseconds moves by a thousand at a time on some chips. Waits
  /// for the stream.
  Result<std::optional<double>> hertz(CudaStreamHandle stream) const;

private:
  ClockMeter(std::shared_ptr<CudaDevice> device, void *module, void *function,
             DeviceBuffer first, DeviceBuffer last)
      : device(std::move(device)), module(module), function(function),
        first(std::move(first)), last(std::move(last)) {}
  Status read(DeviceBuffer &readings, CudaStreamHandle stream);

  std::shared_ptr<CudaDevice> device;
  void *module, *function;
  DeviceBuffer first, last;
};

} // namespace fuse

#endif // FUSE_LIB_RUNTIME_CUDA_CLOCKMETER_H
