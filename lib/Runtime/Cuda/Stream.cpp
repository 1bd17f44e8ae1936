//===- Stream.cpp - streams and events ------------------------------------===//
//
// Owners of what the driver makes. They are released without a look at the
// outcome: after a kernel's failure there is nothing left to be told.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "fuse/Runtime/Cuda/Device.h"

using namespace fuse;

Result<CudaStream> CudaStream::create(std::shared_ptr<CudaDevice> device) {
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status.takeError();
  void *stream = nullptr;
  if (int code = device->driver().streamCreate(&stream, cudaStreamNonBlocking))
    return device->failure(code, "no stream can be made");
  return CudaStream(std::move(device), stream);
}

CudaStream::CudaStream(CudaStream &&other) noexcept
    : device(std::move(other.device)),
      stream(std::exchange(other.stream, nullptr)) {}

CudaStream &CudaStream::operator=(CudaStream &&other) noexcept {
  std::swap(device, other.device);
  std::swap(stream, other.stream);
  return *this;
}

CudaStream::~CudaStream() {
  if (!stream)
    return;
  CudaContextScope scope(*device);
  OutsideOfCaptures outside(device->driver());
  device->driver().streamDestroy(stream);
}

Result<CudaEvent> CudaEvent::create(std::shared_ptr<CudaDevice> device) {
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status.takeError();
  void *event = nullptr;
  if (int code = device->driver().eventCreate(&event, /*flags=*/0))
    return device->failure(code, "no event can be made");
  return CudaEvent(std::move(device), event);
}

CudaEvent::CudaEvent(CudaEvent &&other) noexcept
    : device(std::move(other.device)),
      event(std::exchange(other.event, nullptr)) {}

CudaEvent &CudaEvent::operator=(CudaEvent &&other) noexcept {
  std::swap(device, other.device);
  std::swap(event, other.event);
  return *this;
}

CudaEvent::~CudaEvent() {
  if (!event)
    return;
  CudaContextScope scope(*device);
  device->driver().eventDestroy(event);
}

Status CudaEvent::record(CudaStreamHandle stream) {
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status;
  if (int code = device->driver().eventRecord(event, stream))
    return device->failure(code, "an event cannot be recorded");
  return Status::success();
}

Result<double> CudaEvent::secondsSince(const CudaEvent &start) const {
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status.takeError();
  float milliseconds = 0;
  if (int code =
          device->driver().eventElapsedTime(&milliseconds, start.event, event))
    return device->failure(code, "the time between two events is not known");
  return double(milliseconds) * 1e-3;
}
