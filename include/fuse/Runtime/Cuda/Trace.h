//===- Trace.h - what happens when in a run ---------------------*- C++ -*-===//
//
// Kernels on the device and launches on the host, on one clock.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CUDA_TRACE_H
#define FUSE_RUNTIME_CUDA_TRACE_H

#include "fuse/Runtime/Cuda/Executor.h"

namespace fuse {

struct TraceSpan {
  /// Which of the Image's launches, of which run.
  uint32_t launch = 0, run = 0;
  /// Seconds; from the moment when the first run began.
  double begin = 0, seconds = 0;
};

struct CudaTrace {
  std::vector<TraceSpan> kernels, launches;
};

/// Runs so many times without waiting in between, with marks around each
/// kernel, which cost about a microsecond each. The clocks of host and device
/// are set by the first mark, on a stream where nothing waits.
Result<CudaTrace> traceRuns(CudaExecutor &executor,
                            std::span<const HostBuffer *const> inputs,
                            uint32_t runs);

} // namespace fuse

#endif // FUSE_RUNTIME_CUDA_TRACE_H
