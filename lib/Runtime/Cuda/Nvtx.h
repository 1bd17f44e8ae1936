//===- Nvtx.h - names for profilers -----------------------------*- C++ -*-===//
//
// Tells a profiler that listens which kernel is being launched. NVTX is headers
// alone, which nobody has where fuse is built; what they do is little: they
// load what the environment names and give it places for its functions.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_RUNTIME_CUDA_NVTX_H
#define FUSE_LIB_RUNTIME_CUDA_NVTX_H

namespace fuse {

struct Nvtx {
  /// Begins a range on this thread, and ends the last one.
  int (*push)(const char *name) = nullptr;
  int (*pop)() = nullptr;

  /// Null where no profiler has set NVTX_INJECTION64_PATH, or is in the process
  /// already, or it does not want ranges.
  static const Nvtx *find();
};

} // namespace fuse

#endif // FUSE_LIB_RUNTIME_CUDA_NVTX_H
