//===- Graph.cpp - launches that are kept and repeated --------------------===//
//
// A stream that is being recorded runs nothing. The recording has to be ended
// whatever happened meanwhile, or the stream is of no use any more.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cuda/Graph.h"
#include "Driver.h"

using namespace fuse;

bool CudaGraph::isSupported(const CudaDevice &device) {
  const CudaDriver &driver = device.driver();
  return driver.streamBeginCapture && driver.streamEndCapture &&
         driver.graphInstantiate && driver.graphLaunch &&
         driver.graphExecDestroy && driver.graphDestroy;
}

Result<CudaGraph> CudaGraph::record(std::shared_ptr<CudaDevice> device,
                                    CudaStreamHandle stream,
                                    const std::function<Status()> &put) {
  if (!isSupported(*device))
    return RuntimeError(ErrorCode::Unsupported,
                        "the driver has no graphs, which need CUDA 11.4");
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status.takeError();
  const CudaDriver &driver = device->driver();
  if (int code = driver.streamBeginCapture(stream, cudaCaptureThreadLocal))
    return device->failure(code, "a graph cannot be recorded");
  Status status = put();
  void *graph = nullptr;
  int code = driver.streamEndCapture(stream, &graph);
  void *executable = nullptr;
  if (status && code == cuda_result::success)
    code = driver.graphInstantiate(&executable, graph, /*flags=*/0);
  if (graph)
    driver.graphDestroy(graph);
  // The first problem is the one to tell; the others follow from it.
  if (!status)
    return status.takeError();
  if (code != cuda_result::success)
    return device->failure(code, "a graph cannot be made of what was recorded");
  return CudaGraph(std::move(device), executable);
}

CudaGraph::CudaGraph(CudaGraph &&other) noexcept
    : device(std::move(other.device)),
      executable(std::exchange(other.executable, nullptr)) {}

CudaGraph &CudaGraph::operator=(CudaGraph &&other) noexcept {
  std::swap(device, other.device);
  std::swap(executable, other.executable);
  return *this;
}

CudaGraph::~CudaGraph() {
  if (!executable)
    return;
  CudaContextScope scope(*device);
  device->driver().graphExecDestroy(executable);
}

Status CudaGraph::launch(CudaStreamHandle stream) {
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status;
  if (int code = device->driver().graphLaunch(executable, stream))
    return device->failure(code, "a graph cannot be launched");
  return Status::success();
}
