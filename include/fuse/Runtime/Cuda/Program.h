//===- Program.h - an Image on a device -------------------------*- C++ -*-===//
//
// Everything of an Image that does not depend on sizes: its code, loaded for
// good, and its constants in the device's memory.
//
//   image -- load --> CudaProgram -- bind(sizes) --> CudaExecutor -- run
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CUDA_PROGRAM_H
#define FUSE_RUNTIME_CUDA_PROGRAM_H

#include "fuse/Runtime/Cuda/Executor.h"

namespace fuse {

/// What a kernel of an Image is on a device.
struct CudaFunction {
  /// Null where its module is not loaded.
  void *handle = nullptr;
  /// How many multiprocessors its blocks find room on at once, one on each: all
  /// of them, but for those that are no whole cluster.
  int64_t multiprocessors = 0;
};

class CudaProgram : public std::enable_shared_from_this<CudaProgram> {
public:
  /// Loads every module that runs on the device: the machine code that fits it
  /// best, else the PTX, which the driver then assembles. Nothing is left to be
  /// loaded when a kernel is launched.
  static Result<std::shared_ptr<CudaProgram>>
  load(std::shared_ptr<const Image> image, std::shared_ptr<CudaDevice> device);
  static Result<std::shared_ptr<CudaProgram>>
  load(Image image, std::shared_ptr<CudaDevice> device);
  ~CudaProgram();

  CudaProgram(const CudaProgram &) = delete;
  CudaProgram &operator=(const CudaProgram &) = delete;

  const Image &image() const { return *programImage; }
  const std::shared_ptr<CudaDevice> &device() const { return cudaDevice; }

  /// Where the code of each module came from: "cubin for sm_90a", "PTX for
  /// sm_80, assembled by the driver", "not loaded: for sm_90a only".
  const std::vector<std::string> &origins() const { return moduleOrigins; }

  /// Makes what runs the program on arguments of these sizes, and takes the
  /// memory for it. `multiprocessors` is filled in here.
  Result<std::unique_ptr<CudaExecutor>> bind(SizeBindings bindings);
  /// The same for the sizes of these buffers, whose types are checked.
  Result<std::unique_ptr<CudaExecutor>>
  bind(std::span<const HostBuffer *const> inputs,
       std::span<const int64_t> scalars = {});

private:
  friend class CudaExecutor;
  CudaProgram(std::shared_ptr<const Image> image,
              std::shared_ptr<CudaDevice> device)
      : programImage(std::move(image)), cudaDevice(std::move(device)) {}

  Status loadModules();
  Status resolveKernels();
  Status checkLaunches() const;
  Status copyConstants();

  std::shared_ptr<const Image> programImage;
  std::shared_ptr<CudaDevice> cudaDevice;
  std::vector<std::string> moduleOrigins;
  /// Null where one is not loaded.
  std::vector<void *> modules;
  std::vector<CudaFunction> functions;
  std::vector<DeviceBuffer> constants;
};

} // namespace fuse

#endif // FUSE_RUNTIME_CUDA_PROGRAM_H
