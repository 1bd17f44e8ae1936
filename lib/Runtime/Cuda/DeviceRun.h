//===- DeviceRun.h - runs on data that stay on the device -------*- C++ -*-===//
//
// What those who time and compare runs begin with.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_RUNTIME_CUDA_DEVICERUN_H
#define FUSE_LIB_RUNTIME_CUDA_DEVICERUN_H

#include "fuse/Runtime/Cuda/Executor.h"

namespace fuse {

/// A stream, and arguments in the device's memory that kernels can be launched
/// with on it.
struct DeviceRun {
  static Result<DeviceRun> create(CudaExecutor &executor,
                                  std::span<const HostBuffer *const> inputs);

  CudaStream stream;
  DeviceArguments arrays;
  CudaArguments arguments;
};

} // namespace fuse

#endif // FUSE_LIB_RUNTIME_CUDA_DEVICERUN_H
