//===- Program.cpp - an Image on a device ---------------------------------===//
//
// All that can go wrong with code is found out here: when a kernel is launched
// it is there, and fits the device.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cuda/Program.h"
#include "Driver.h"
#include "ModuleLoader.h"

#include <algorithm>
#include <map>

using namespace fuse;

static RuntimeError unsupported(std::string message) {
  return RuntimeError(ErrorCode::Unsupported, std::move(message));
}

std::string fuse::nameKernel(const ImageKernel &kernel) {
  return "kernel '" + kernel.symbol + "'" +
         (kernel.location.empty() ? "" : " from " + kernel.location);
}

Result<std::shared_ptr<CudaProgram>>
CudaProgram::load(std::shared_ptr<const Image> image,
                  std::shared_ptr<CudaDevice> device) {
  if (Status status = checkImage(*image); !status)
    return status.takeError();
  // It has no plan that would be done here, and outputs would be left as they
  // are.
  if (!image->isForGpus() && !image->cpus.empty())
    return unsupported("'" + image->name +
                       "' has code for processors only, but the device is a "
                       "GPU");
  std::shared_ptr<CudaProgram> program(
      new CudaProgram(std::move(image), std::move(device)));
  CudaContextScope scope(*program->cudaDevice);
  if (Status status = scope.take(); !status)
    return status.takeError();
  if (Status status = program->loadModules(); !status)
    return status.takeError();
  if (Status status = program->resolveKernels(); !status)
    return status.takeError();
  if (Status status = program->checkLaunches(); !status)
    return status.takeError();
  if (Status status = program->copyConstants(); !status)
    return status.takeError();
  return program;
}

Result<std::shared_ptr<CudaProgram>>
CudaProgram::load(Image image, std::shared_ptr<CudaDevice> device) {
  return load(std::make_shared<const Image>(std::move(image)),
              std::move(device));
}

CudaProgram::~CudaProgram() {
  CudaContextScope scope(*cudaDevice);
  OutsideOfCaptures outside(cudaDevice->driver());
  for (void *module : modules)
    if (module)
      cudaDevice->driver().moduleUnload(module);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Status CudaProgram::loadModules() {
  for (const ImageModule &module : programImage->modules) {
    Result<LoadedModule> loaded = loadModule(*cudaDevice, module);
    if (!loaded)
      return loaded.takeError();
    modules.push_back(loaded->handle);
    moduleOrigins.push_back(std::move(loaded->origin));
  }
  return Status::success();
}

namespace {

/// Makes a function ready to be launched as a kernel says.
class FunctionSetup {
public:
  FunctionSetup(CudaDevice &device, const ImageKernel &kernel, void *function)
      : device(device), driver(device.driver()), kernel(kernel),
        function(function) {}

  /// `dynamicBytes`: the most that any kernel with this function asks for.
  Status run(uint32_t dynamicBytes);

  /// On how many multiprocessors its blocks find room, behind `run`.
  Result<int64_t> countMultiprocessors();

private:
  Status checkThreads();
  Status allowShared(uint32_t dynamicBytes);
  Status allowCluster();
  Result<uint32_t> ask(CudaFunctionAttribute attribute);
  Status set(CudaFunctionAttribute attribute, uint32_t value);

  CudaDevice &device;
  const CudaDriver &driver;
  const ImageKernel &kernel;
  void *function;
};

} // namespace

Result<uint32_t> FunctionSetup::ask(CudaFunctionAttribute attribute) {
  int value = 0;
  if (int code = driver.funcGetAttribute(&value, attribute, function))
    return device.failure(code,
                          nameKernel(kernel) + " does not say what it needs");
  return static_cast<uint32_t>(value);
}

Status FunctionSetup::set(CudaFunctionAttribute attribute, uint32_t value) {
  if (int code = driver.funcSetAttribute(function, attribute, int(value)))
    return device.failure(code, nameKernel(kernel) +
                                    " cannot be given what it needs");
  return Status::success();
}

Status FunctionSetup::checkThreads() {
  uint64_t threads = 1;
  for (size_t i = 0; i < 3; ++i) {
    threads *= kernel.threads[i];
    if (kernel.threads[i] > device.limits().threads[i])
      return unsupported(nameKernel(kernel) + " has " +
                         std::to_string(kernel.threads[i]) +
                         " threads in dimension " + std::to_string(i) +
                         ", but the device takes at most " +
                         std::to_string(device.limits().threads[i]));
  }
  Result<uint32_t> limit = ask(CudaFunctionAttribute::ThreadsPerBlock);
  if (!limit)
    return limit.takeError();
  if (threads > *limit)
    return unsupported(nameKernel(kernel) + " is launched with " +
                       std::to_string(threads) +
                       " threads in a block, but with its registers at most " +
                       std::to_string(*limit) + " fit");
  return Status::success();
}

Status FunctionSetup::allowShared(uint32_t dynamicBytes) {
  Result<uint32_t> fixed = ask(CudaFunctionAttribute::SharedBytes);
  if (!fixed)
    return fixed.takeError();
  uint64_t needed = uint64_t(*fixed) + dynamicBytes;
  if (needed > device.limits().sharedBytesPerBlock)
    return unsupported(nameKernel(kernel) + " needs " + std::to_string(needed) +
                       " bytes of shared memory, but the device has " +
                       std::to_string(device.limits().sharedBytesPerBlock) +
                       " for a block");
  if (dynamicBytes == 0)
    return Status::success();
  return set(CudaFunctionAttribute::MaxDynamicSharedBytes, dynamicBytes);
}

Status FunctionSetup::allowCluster() {
  uint32_t blocks = kernel.cluster[0] * kernel.cluster[1] * kernel.cluster[2];
  if (blocks == 1)
    return Status::success();
  if (device.chip().major < 9)
    return unsupported(nameKernel(kernel) + " needs clusters of blocks, but " +
                       device.chip().str() + " '" + device.name() +
                       "' has none");
  if (!driver.launchKernelEx)
    return unsupported(nameKernel(kernel) +
                       " needs clusters of blocks, and so a driver for CUDA "
                       "11.8 or newer, but this one is for CUDA " +
                       device.cudaVersion().str());
  // Up to 8 every chip with clusters takes.
  if (blocks <= 8)
    return Status::success();
  return set(CudaFunctionAttribute::NonPortableClusterSize, 1);
}

Status FunctionSetup::run(uint32_t dynamicBytes) {
  // Not when it is first launched, which may be while a graph is captured. An
  // older driver loads it for the question about its threads.
  if (driver.funcLoad)
    if (int code = driver.funcLoad(function))
      return device.failure(code, nameKernel(kernel) + " cannot be loaded");
  if (Status status = checkThreads(); !status)
    return status;
  if (Status status = allowShared(dynamicBytes); !status)
    return status;
  return allowCluster();
}

Result<int64_t> FunctionSetup::countMultiprocessors() {
  int64_t all = device.limits().multiprocessors;
  int64_t blocks =
      int64_t(kernel.cluster[0]) * kernel.cluster[1] * kernel.cluster[2];
  if (blocks == 1 || !driver.occupancyMaxActiveClusters)
    return all;
  CudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeCluster;
  CudaLaunchConfig config;
  for (size_t i = 0; i < 3; ++i) {
    cluster.clusterDim[i] = config.grid[i] = kernel.cluster[i];
    config.block[i] = kernel.threads[i];
  }
  config.sharedBytes = kernel.dynamicSharedBytes;
  config.attributes = &cluster;
  config.numAttributes = 1;
  int clusters = 0;
  if (int code =
          driver.occupancyMaxActiveClusters(&clusters, function, &config))
    return device.failure(code, nameKernel(kernel) +
                                    " does not say how many of its clusters "
                                    "there is room for");
  if (clusters <= 0)
    return unsupported(nameKernel(kernel) + " needs clusters of " +
                       std::to_string(blocks) +
                       " blocks, but the device has room for none");
  return std::min(all, clusters * blocks);
}

Status CudaProgram::resolveKernels() {
  const std::vector<ImageKernel> &kernels = programImage->kernels;
  std::map<void *, uint32_t> dynamicBytes;
  for (const ImageKernel &kernel : kernels) {
    void *function = nullptr;
    if (void *module = modules[kernel.module]) {
      int code = cudaDevice->driver().moduleGetFunction(&function, module,
                                                        kernel.symbol.c_str());
      const std::string &name = programImage->modules[kernel.module].name;
      if (code == cuda_result::notFound)
        return RuntimeError(ErrorCode::BadInput, "module '" + name +
                                                     "' has no kernel '" +
                                                     kernel.symbol + "'");
      if (code != cuda_result::success)
        return cudaDevice->failure(code, nameKernel(kernel) +
                                             " cannot be found in module '" +
                                             name + "'");
      uint32_t &most = dynamicBytes[function];
      most = std::max(most, kernel.dynamicSharedBytes);
    }
    functions.push_back({function});
  }
  for (size_t i = 0; i < kernels.size(); ++i)
    if (void *function = functions[i].handle) {
      FunctionSetup setup(*cudaDevice, kernels[i], function);
      if (Status s = setup.run(dynamicBytes[function]); !s)
        return s;
      Result<int64_t> count = setup.countMultiprocessors();
      if (!count)
        return count.takeError();
      functions[i].multiprocessors = *count;
    }
  return Status::success();
}

Status CudaProgram::checkLaunches() const {
  for (const ImageLaunch &launch : programImage->launches) {
    bool runs = false;
    std::string chips;
    for (const LaunchVariant &variant : launch.variants) {
      runs |= functions[variant.kernel].handle != nullptr;
      uint32_t module = programImage->kernels[variant.kernel].module;
      std::string chip = programImage->modules[module].chip.str();
      if (chips.find(chip) == std::string::npos)
        chips += (chips.empty() ? "" : ", ") + chip;
    }
    if (!runs)
      return unsupported("launch '" + launch.name + "' has code for " + chips +
                         ", but the device is " + cudaDevice->chip().str() +
                         " '" + cudaDevice->name() + "'");
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

Status CudaProgram::copyConstants() {
  if (programImage->constants.empty())
    return Status::success();
  Result<CudaStream> stream = CudaStream::create(cudaDevice);
  if (!stream)
    return stream.takeError();
  for (const HostBuffer &constant : programImage->constants) {
    Result<DeviceBuffer> buffer =
        DeviceBuffer::allocate(cudaDevice, constant.sizeInBytes(),
                               "constant " + std::to_string(constants.size()));
    if (!buffer)
      return buffer.takeError();
    if (Status status = buffer->copyFrom(constant, stream->handle()); !status)
      return status;
    constants.push_back(std::move(*buffer));
  }
  return Status::success();
}

Result<std::unique_ptr<CudaExecutor>> CudaProgram::bind(SizeBindings bindings) {
  bindings.multiprocessors = cudaDevice->limits().multiprocessors;
  if (Status status = checkBindings(*programImage, bindings); !status)
    return status.takeError();
  return CudaExecutor::create(shared_from_this(), std::move(bindings));
}

Result<std::unique_ptr<CudaExecutor>>
CudaProgram::bind(std::span<const HostBuffer *const> inputs,
                  std::span<const int64_t> scalars) {
  Result<SizeBindings> bindings = bindSizes(*programImage, inputs, scalars);
  if (!bindings)
    return bindings.takeError();
  return bind(std::move(*bindings));
}
