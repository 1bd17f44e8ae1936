//===- Launch.cpp - run what has been prepared ----------------------------===//
//
// Kernels in order, then copies. An error that a kernel makes comes out when
// somebody waits, and is then only known to be one of those before.
//
//===----------------------------------------------------------------------===//

#include "ExecutorState.h"

using namespace fuse;

static int launchKernel(const CudaDriver &driver,
                        const PreparedLaunch &prepared,
                        CudaStreamHandle stream) {
  const BoundVariant &variant = *prepared.variant;
  const ImageKernel &kernel = *variant.kernel;
  void **parameters = const_cast<void **>(prepared.parameters.data());
  const std::array<uint32_t, 3> &grid = variant.grid;
  const std::array<uint32_t, 3> &threads = kernel.threads;
  if (!driver.launchKernelEx)
    return driver.launchKernel(variant.function->handle, grid[0], grid[1],
                               grid[2], threads[0], threads[1], threads[2],
                               kernel.dynamicSharedBytes, stream, parameters,
                               /*extra=*/nullptr);
  std::array<CudaLaunchAttribute, 2> attributes;
  CudaLaunchConfig config;
  for (size_t i = 0; i < 3; ++i) {
    config.grid[i] = grid[i];
    config.block[i] = threads[i];
  }
  config.sharedBytes = kernel.dynamicSharedBytes;
  config.stream = stream;
  config.attributes = attributes.data();
  if (kernel.cluster != std::array<uint32_t, 3>{1, 1, 1}) {
    CudaLaunchAttribute &cluster = attributes[config.numAttributes++];
    cluster.id = cudaLaunchAttributeCluster;
    for (size_t i = 0; i < 3; ++i)
      cluster.clusterDim[i] = kernel.cluster[i];
  }
  if (kernel.waits && driver.launchesEarly) {
    CudaLaunchAttribute &early = attributes[config.numAttributes++];
    early.id = cudaLaunchAttributeEarly;
    early.mayBeginEarly = 1;
  }
  return driver.launchKernelEx(&config, variant.function->handle, parameters,
                               /*extra=*/nullptr);
}

namespace {

/// Runs prepared arguments; the device's context is current.
class Launcher {
public:
  Launcher(CudaDevice &device, CudaStreamHandle stream, const Nvtx *nvtx)
      : device(device), driver(device.driver()), stream(stream), nvtx(nvtx) {}

  Status launch(const PreparedLaunch &prepared);
  Status copy(const PreparedCopy &copy);
  /// Marks the end of `kernel`, which may have failed already, and waits for
  /// it.
  Status finish(const ImageKernel &kernel, const CudaEvent &end);

private:
  CudaDevice &device;
  const CudaDriver &driver;
  CudaStreamHandle stream;
  const Nvtx *nvtx;
};

} // namespace

Status Launcher::launch(const PreparedLaunch &prepared) {
  if (nvtx)
    nvtx->push(prepared.name);
  int code = launchKernel(driver, prepared, stream);
  if (nvtx)
    nvtx->pop();
  if (code == cuda_result::success)
    return Status::success();
  std::string name = nameKernel(*prepared.variant->kernel);
  return device.failure(
      code, losesContext(code) ? "what was launched before " + name + " failed"
                               : name + " cannot be launched");
}

Status Launcher::copy(const PreparedCopy &copy) {
  if (int code = driver.memcpyDtoDAsync(copy.to, copy.from, copy.bytes, stream))
    return device.failure(code, "copying to " + copy.what + " failed");
  return Status::success();
}

Status Launcher::finish(const ImageKernel &kernel, const CudaEvent &end) {
  int code = driver.eventRecord(end.handle(), stream);
  if (code == cuda_result::success)
    code = driver.streamSynchronize(stream);
  if (code != cuda_result::success)
    return device.failure(code, nameKernel(kernel) + " failed");
  return Status::success();
}

static Status foreignArguments() {
  return RuntimeError(ErrorCode::BadUsage,
                      "the arguments were prepared by another executor");
}

Status CudaExecutor::launch(const CudaArguments &arguments,
                            CudaStreamHandle stream) {
  if (state->waitsForEach)
    return launchAndWait(arguments, stream);
  const CudaArguments::State &prepared = *arguments.state;
  if (prepared.executor != state.get())
    return foreignArguments();
  CudaDevice &device = *state->program->device();
  CudaContextScope scope(device);
  if (Status status = scope.take(); !status)
    return status;
  Launcher launcher(device, stream, state->nvtx);
  for (const PreparedLaunch &launch : prepared.launches)
    if (Status status = launcher.launch(launch); !status)
      return status;
  for (const PreparedCopy &copy : prepared.copies)
    if (Status status = launcher.copy(copy); !status)
      return status;
  return Status::success();
}

Status CudaExecutor::launchAndWait(const CudaArguments &arguments,
                                   CudaStreamHandle stream) {
  const CudaArguments::State &prepared = *arguments.state;
  if (prepared.executor != state.get())
    return foreignArguments();
  const std::shared_ptr<CudaDevice> &device = state->program->device();
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status;
  // Whatever goes wrong from here on was done by our kernels.
  if (Status status = device->wait(stream); !status)
    return std::move(status.takeError()).withContext("before the first kernel");
  Result<CudaEvent> end = CudaEvent::create(device);
  if (!end)
    return end.takeError();
  Launcher launcher(*device, stream, state->nvtx);
  for (const PreparedLaunch &launch : prepared.launches) {
    if (Status status = launcher.launch(launch); !status)
      return status;
    if (Status s = launcher.finish(*launch.variant->kernel, *end); !s)
      return s;
  }
  for (const PreparedCopy &copy : prepared.copies)
    if (Status status = launcher.copy(copy); !status)
      return status;
  return device->wait(stream);
}

Status CudaExecutor::launchMarked(const CudaArguments &arguments,
                                  CudaStreamHandle stream,
                                  std::span<CudaEvent> marks) {
  const CudaArguments::State &prepared = *arguments.state;
  if (prepared.executor != state.get())
    return foreignArguments();
  if (marks.size() != prepared.launches.size() + 1)
    return RuntimeError(ErrorCode::BadUsage,
                        std::to_string(prepared.launches.size() + 1) +
                            " marks are needed, but " +
                            std::to_string(marks.size()) + " were given");
  if (Status status = marks[0].record(stream); !status)
    return status;
  return launchObserved(arguments, stream, [&](size_t kernel, bool isEnd) {
    return isEnd ? marks[kernel + 1].record(stream) : Status::success();
  });
}

Status CudaExecutor::launchObserved(
    const CudaArguments &arguments, CudaStreamHandle stream,
    const std::function<Status(size_t kernel, bool isEnd)> &observe) {
  const CudaArguments::State &prepared = *arguments.state;
  if (prepared.executor != state.get())
    return foreignArguments();
  CudaDevice &device = *state->program->device();
  CudaContextScope scope(device);
  if (Status status = scope.take(); !status)
    return status;
  Launcher launcher(device, stream, state->nvtx);
  for (size_t i = 0; i < prepared.launches.size(); ++i) {
    if (Status status = observe(i, /*isEnd=*/false); !status)
      return status;
    if (Status status = launcher.launch(prepared.launches[i]); !status)
      return status;
    if (Status status = observe(i, /*isEnd=*/true); !status)
      return status;
  }
  for (const PreparedCopy &copy : prepared.copies)
    if (Status status = launcher.copy(copy); !status)
      return status;
  return Status::success();
}

Status CudaExecutor::run(std::span<const DeviceArray> inputs,
                         std::span<const DeviceArray> outputs,
                         CudaStreamHandle stream) {
  Result<CudaArguments> arguments = prepare(inputs, outputs);
  if (!arguments)
    return arguments.takeError();
  return launch(*arguments, stream);
}
