//===- Driver.cpp - the part of the CUDA driver that is used --------------===//
//
// The driver is opened when it is asked for: a program that uses no GPU runs
// where there is none. Symbols carry the suffix of the version that is meant.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cstdlib>
#include <iterator>

#include <dlfcn.h>

using namespace fuse;

namespace {

struct Symbol {
  const char *name;
  void **function;
};

} // namespace

template <class F> static Symbol symbol(const char *name, F *&function) {
  return {name, reinterpret_cast<void **>(&function)};
}

static std::string lastProblem() {
  const char *text = dlerror();
  return text ? text : "no reason was given";
}

/// Yields the name of the first that is missing.
static const char *findRequired(void *library, CudaDriver &d) {
  const Symbol symbols[] = {
      symbol("cuInit", d.init),
      symbol("cuDriverGetVersion", d.driverGetVersion),
      symbol("cuGetErrorName", d.getErrorName),
      symbol("cuGetErrorString", d.getErrorString),
      symbol("cuDeviceGetCount", d.deviceGetCount),
      symbol("cuDeviceGet", d.deviceGet),
      symbol("cuDeviceGetName", d.deviceGetName),
      symbol("cuDeviceGetAttribute", d.deviceGetAttribute),
      symbol("cuDeviceTotalMem_v2", d.deviceTotalMem),
      symbol("cuDevicePrimaryCtxRetain", d.devicePrimaryCtxRetain),
      symbol("cuDevicePrimaryCtxRelease_v2", d.devicePrimaryCtxRelease),
      symbol("cuCtxGetCurrent", d.ctxGetCurrent),
      symbol("cuCtxPushCurrent_v2", d.ctxPushCurrent),
      symbol("cuCtxPopCurrent_v2", d.ctxPopCurrent),
      symbol("cuModuleLoadDataEx", d.moduleLoadDataEx),
      symbol("cuModuleUnload", d.moduleUnload),
      symbol("cuModuleGetFunction", d.moduleGetFunction),
      symbol("cuFuncGetAttribute", d.funcGetAttribute),
      symbol("cuFuncSetAttribute", d.funcSetAttribute),
      symbol("cuMemGetInfo_v2", d.memGetInfo),
      symbol("cuMemAlloc_v2", d.memAlloc),
      symbol("cuMemFree_v2", d.memFree),
      symbol("cuMemGetAddressRange_v2", d.memGetAddressRange),
      symbol("cuMemcpyHtoDAsync_v2", d.memcpyHtoDAsync),
      symbol("cuMemcpyDtoHAsync_v2", d.memcpyDtoHAsync),
      symbol("cuMemcpyDtoDAsync_v2", d.memcpyDtoDAsync),
      symbol("cuMemsetD8Async", d.memsetD8Async),
      symbol("cuPointerGetAttributes", d.pointerGetAttributes),
      symbol("cuStreamCreate", d.streamCreate),
      symbol("cuStreamDestroy_v2", d.streamDestroy),
      symbol("cuStreamSynchronize", d.streamSynchronize),
      symbol("cuEventCreate", d.eventCreate),
      symbol("cuEventDestroy_v2", d.eventDestroy),
      symbol("cuEventRecord", d.eventRecord),
      symbol("cuEventSynchronize", d.eventSynchronize),
      symbol("cuEventElapsedTime", d.eventElapsedTime),
      symbol("cuLaunchKernel", d.launchKernel),
  };
  for (const Symbol &symbol : symbols)
    if (!(*symbol.function = dlsym(library, symbol.name)))
      return symbol.name;
  return nullptr;
}

static void findOptional(void *library, CudaDriver &d) {
  const Symbol symbols[] = {
      symbol("cuLaunchKernelEx", d.launchKernelEx),
      symbol("cuOccupancyMaxActiveClusters", d.occupancyMaxActiveClusters),
      symbol("cuThreadExchangeStreamCaptureMode",
             d.threadExchangeStreamCaptureMode),
      symbol("cuStreamGetCtx", d.streamGetCtx),
      symbol("cuFuncLoad", d.funcLoad),
      symbol("cuMemRetainAllocationHandle", d.memRetainAllocationHandle),
      symbol("cuMemRelease", d.memRelease),
      symbol("cuStreamBeginCapture_v2", d.streamBeginCapture),
      symbol("cuStreamEndCapture", d.streamEndCapture),
      symbol("cuGraphInstantiateWithFlags", d.graphInstantiate),
      symbol("cuGraphLaunch", d.graphLaunch),
      symbol("cuGraphExecDestroy", d.graphExecDestroy),
      symbol("cuGraphDestroy", d.graphDestroy),
  };
  for (const Symbol &symbol : symbols)
    *symbol.function = dlsym(library, symbol.name);
  constexpr int graphsKnowEarly = 12030;
  int version = 0;
  d.launchesEarly = d.launchKernelEx && d.driverGetVersion(&version) == 0 &&
                    version >= graphsKnowEarly;

  // Asked of the driver and not of the library: a driver for which something is
  // switched off still has its symbol.
  int (*getProcAddress)(const char *, void **, int, uint64_t, int *) = nullptr;
  *symbol("", getProcAddress).function = dlsym(library, "cuGetProcAddress_v2");
  constexpr int since = 12000;
  void *encode = nullptr;
  int found = 0;
  if (getProcAddress && getProcAddress("cuTensorMapEncodeTiled", &encode, since,
                                       /*flags=*/0, &found) == 0)
    *symbol("", d.tensorMapEncodeTiled).function = encode;
}

Result<std::shared_ptr<const CudaDriver>> CudaDriver::load() {
  const char *chosen = std::getenv("FUSE_CUDA_DRIVER");
  std::string path = chosen && *chosen ? chosen : "libcuda.so.1";
  // Never closed: the driver has threads, and other libraries use it.
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return RuntimeError(ErrorCode::Device, "no CUDA driver: " + path +
                                               " could not be opened (" +
                                               lastProblem() + ")");
  auto driver = std::make_shared<CudaDriver>();
  if (const char *missing = findRequired(library, *driver))
    return RuntimeError(ErrorCode::Unsupported,
                        "no CUDA driver that can be used: " + path +
                            " has no " + missing +
                            ", but CUDA 11.0 or newer is needed");
  findOptional(library, *driver);

  int code = driver->init(/*flags=*/0);
  if (code == cuda_result::noDevice)
    return RuntimeError(ErrorCode::Unsupported,
                        "no CUDA device: the driver finds none on this machine "
                        "(or CUDA_VISIBLE_DEVICES hides them)");
  if (code == cuda_result::driverMismatch)
    return RuntimeError(ErrorCode::Unsupported,
                        "the CUDA library " + path +
                            " and the kernel's driver are of different "
                            "versions: restart the machine, or reload the "
                            "nvidia modules");
  if (code != cuda_result::success)
    return RuntimeError(ErrorCode::Device,
                        "the CUDA driver cannot be initialised: " +
                            driver->describe(code));
  return std::shared_ptr<const CudaDriver>(std::move(driver));
}

int CudaDriver::findMemory(uint64_t address, CudaMemoryPlace &place) const {
  unsigned type = 0, isManaged = 0;
  int ordinal = -1;
  CudaPointerAttribute attributes[] = {CudaPointerAttribute::MemoryType,
                                       CudaPointerAttribute::IsManaged,
                                       CudaPointerAttribute::DeviceOrdinal};
  void *values[] = {&type, &isManaged, &ordinal};
  int code =
      pointerGetAttributes(std::size(attributes), attributes, values, address);
  place = {type == cudaMemoryTypeDevice, isManaged != 0, ordinal};
  return code;
}

std::string CudaDriver::describe(int code) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(code, &name) != 0 || !name)
    return "error " + std::to_string(code);
  if (getErrorString(code, &text) != 0 || !text)
    return name;
  return std::string(name) + " (" + text + ")";
}

/// From the manual: "This leaves the process in an inconsistent state".
bool fuse::losesContext(int code) {
  switch (code) {
  case 214: // ECC_UNCORRECTABLE
  case 220: // NVLINK_UNCORRECTABLE
  case 226: // CONTAINED
  case 700: // ILLEGAL_ADDRESS
  case 702: // LAUNCH_TIMEOUT
  case 709: // CONTEXT_IS_DESTROYED
  case 710: // ASSERT
  case 714: // HARDWARE_STACK_ERROR
  case 715: // ILLEGAL_INSTRUCTION
  case 716: // MISALIGNED_ADDRESS
  case 717: // INVALID_ADDRESS_SPACE
  case 718: // INVALID_PC
  case 719: // LAUNCH_FAILED
  case 721: // TENSOR_MEMORY_LEAK
    return true;
  default:
    return false;
  }
}
