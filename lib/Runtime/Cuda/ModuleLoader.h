//===- ModuleLoader.h - code for the device at hand -------------*- C++ -*-===//
//
// Chooses what of a module the device and its driver can run, and loads it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_RUNTIME_CUDA_MODULELOADER_H
#define FUSE_LIB_RUNTIME_CUDA_MODULELOADER_H

#include "fuse/Runtime/Cuda/Device.h"

namespace fuse {

struct LoadedModule {
  /// Null if nothing of it is for the device's chip.
  void *handle = nullptr;
  /// Where the code came from, for people.
  std::string origin;
};

/// The oldest CUDA whose driver assembles PTX of `ptx`.
CodeVersion cudaNeededForPtx(CodeVersion ptx);

/// The device's context is current. Fails where something is for the chip, but
/// the driver cannot take it: the driver is too old, or the code is wrong.
Result<LoadedModule> loadModule(CudaDevice &device, const ImageModule &module);

} // namespace fuse

#endif // FUSE_LIB_RUNTIME_CUDA_MODULELOADER_H
