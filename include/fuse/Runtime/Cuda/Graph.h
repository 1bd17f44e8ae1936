//===- Graph.h - launches that are kept and repeated ------------*- C++ -*-===//
//
// What is put into a stream once can be kept as a CUDA graph, and launched as a
// whole, which costs the host far less than its parts do one by one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CUDA_GRAPH_H
#define FUSE_RUNTIME_CUDA_GRAPH_H

#include "fuse/Runtime/Cuda/Device.h"

#include <functional>

namespace fuse {

/// The memory that was used when it was recorded has to be there when it is
/// launched.
class CudaGraph {
public:
  /// Whether the driver has all that is needed.
  static bool isSupported(const CudaDevice &device);

  /// Keeps what `put` puts into `stream`, which runs nothing of it. `put` must
  /// not wait, allocate or load anything.
  static Result<CudaGraph> record(std::shared_ptr<CudaDevice> device,
                                  CudaStreamHandle stream,
                                  const std::function<Status()> &put);
  CudaGraph(CudaGraph &&other) noexcept;
  CudaGraph &operator=(CudaGraph &&other) noexcept;
  ~CudaGraph();

  /// Puts all of it into `stream`, and does not wait.
  Status launch(CudaStreamHandle stream);

private:
  CudaGraph(std::shared_ptr<CudaDevice> device, void *executable)
      : device(std::move(device)), executable(executable) {}

  std::shared_ptr<CudaDevice> device;
  /// A CUgraphExec.
  void *executable = nullptr;
};

} // namespace fuse

#endif // FUSE_RUNTIME_CUDA_GRAPH_H
