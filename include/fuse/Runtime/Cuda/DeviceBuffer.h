//===- DeviceBuffer.h - memory of a GPU -------------------------*- C++ -*-===//
//
// Owns bytes in a device's memory. Copies go through a stream and are done when
// the call returns, so that they come in the right order with kernels on it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CUDA_DEVICEBUFFER_H
#define FUSE_RUNTIME_CUDA_DEVICEBUFFER_H

#include "fuse/Runtime/Buffer.h"
#include "fuse/Runtime/Cuda/Device.h"

namespace fuse {

class DeviceBuffer {
public:
  /// Not initialised. Where the memory does not suffice the error says for
  /// `what`, how much it needs and how much there is. An empty buffer has an
  /// address, too.
  static Result<DeviceBuffer> allocate(std::shared_ptr<CudaDevice> device,
                                       uint64_t bytes, std::string_view what);

  DeviceBuffer(DeviceBuffer &&other) noexcept;
  DeviceBuffer &operator=(DeviceBuffer &&other) noexcept;
  ~DeviceBuffer();

  DevicePointer address() const { return pointer; }
  uint64_t sizeInBytes() const { return bytes; }

  /// As many bytes as the host's buffer has, which must not be more.
  Status copyFrom(const HostBuffer &host, CudaStreamHandle stream);
  Status copyTo(HostBuffer &host, CudaStreamHandle stream) const;
  /// Does not wait.
  Status fill(uint8_t byte, CudaStreamHandle stream);
  /// What HostBuffer::poison does, on the device. Does not wait.
  Status poison(ElementType type, CudaStreamHandle stream);

private:
  DeviceBuffer(std::shared_ptr<CudaDevice> device, DevicePointer pointer,
               uint64_t bytes)
      : device(std::move(device)), pointer(pointer), bytes(bytes) {}

  std::shared_ptr<CudaDevice> device;
  DevicePointer pointer = 0;
  uint64_t bytes = 0;
};

} // namespace fuse

#endif // FUSE_RUNTIME_CUDA_DEVICEBUFFER_H
