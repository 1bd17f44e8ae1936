//===- Objects.h - what handles stand for ------------------------*- C++ -*-=//
//
// Each keeps alive what it needs.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_C_OBJECTS_H
#define FUSE_LIB_C_OBJECTS_H

#include "Handles.h"
#include "fuse/Runtime/Arguments.h"
#include "fuse/Runtime/Cpu/Program.h"
#include "fuse/Runtime/Cuda/Program.h"

#include <atomic>
#include <mutex>

namespace fuse::c {

class ImageObject final : public Object {
public:
  static constexpr HandleKind handleKind = HandleKind::Image;
  explicit ImageObject(Image image);

  std::shared_ptr<const Image> image;
  /// By buffer; -1 for sizes that are not known.
  std::vector<std::vector<int64_t>> shapes;
  /// By buffer: each size as an expression.
  std::vector<std::vector<std::string>> sizes;
};

class DeviceObject final : public Object {
public:
  static constexpr HandleKind handleKind = HandleKind::Device;
  DeviceObject() : Object(handleKind) {}

  /// One of them: a GPU, or the threads of a processor, which all programs on
  /// it have.
  std::shared_ptr<CudaDevice> cuda;
  std::shared_ptr<ThreadPool> threads;
  std::string name;
};

class ProgramObject final : public Object {
public:
  static constexpr HandleKind handleKind = HandleKind::Program;
  ProgramObject() : Object(handleKind) {}

  std::shared_ptr<const Image> image;
  std::shared_ptr<DeviceObject> device;
  /// One of them.
  std::shared_ptr<CudaProgram> cuda;
  std::shared_ptr<CpuProgram> cpu;
};

class PlanObject final : public Object {
public:
  static constexpr HandleKind handleKind = HandleKind::Plan;
  PlanObject() : Object(handleKind) {}

  std::shared_ptr<ProgramObject> program;
  /// One of them.
  std::unique_ptr<CudaExecutor> cuda;
  std::shared_ptr<CpuExecutor> cpu;
  /// Buffers of the image, in order of the arguments, and the shapes they have.
  std::vector<uint32_t> inputs, outputs;
  std::vector<std::vector<int64_t>> inputShapes, outputShapes;
};

class CallObject final : public Object {
public:
  static constexpr HandleKind handleKind = HandleKind::Call;
  CallObject() : Object(handleKind) {}

  Status launch(void *stream);

  std::shared_ptr<PlanObject> plan;
  std::optional<CudaArguments> cuda;
  /// On a processor.
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  /// Outputs that start where code for a processor cannot write to: it writes
  /// to `memory`, which is copied.
  struct Copied {
    void *output;
    HostBuffer memory;
  };
  std::vector<Copied> copied;

private:
  Status launchOnGpu(void *stream);
  Status launchOnCpu();

  /// The last stream that was found to be the device's: asking costs more than
  /// a part of a launch.
  std::atomic<void *> knownStream = nullptr;
  /// Who launches and copies.
  std::mutex copying;
};

Result<std::shared_ptr<PlanObject>>
makePlan(std::shared_ptr<ProgramObject> program,
         std::span<const FuseArray> inputs, std::span<const int64_t> scalars);
Result<std::shared_ptr<CallObject>>
makeCall(std::shared_ptr<PlanObject> plan, std::span<const FuseArray> inputs,
         std::span<const FuseArray> outputs);

/// What can be said of an array without a device: that it has a shape and a
/// type, and no strides below zero.
Status checkForm(const FuseArray &array, const ImageBuffer &buffer);
/// Checks what kernels on a processor need.
Status checkCpuArray(const FuseArray &array, const ImageBuffer &buffer,
                     std::span<const int64_t> shape);
/// Outputs may share memory with nothing; sizes are those of `plan`.
Status checkCpuOverlaps(const PlanObject &plan,
                        std::span<const FuseArray> inputs,
                        std::span<const FuseArray> outputs);

/// Fills what the caller's version of the struct has.
FuseStatus fillArgument(const ImageBuffer &buffer,
                        std::span<const int64_t> shape, bool isOnCpu,
                        FuseArgument *argument);

} // namespace fuse::c

#endif // FUSE_LIB_C_OBJECTS_H
