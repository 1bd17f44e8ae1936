//===- Driver.h - the part of the CUDA driver that is used ------*- C++ -*-===//
//
// Declared here, so that fuse builds where CUDA is not installed: the types as
// they are in memory, the numbers, and the functions, which are found when a
// program runs. Names in comments are those of the driver's manual.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_RUNTIME_CUDA_DRIVER_H
#define FUSE_LIB_RUNTIME_CUDA_DRIVER_H

#include "fuse/Runtime/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace fuse {

//===----------------------------------------------------------------------===//
// Types and numbers
//===----------------------------------------------------------------------===//

/// CUresult: what is told apart here.
namespace cuda_result {
inline constexpr int success = 0;
inline constexpr int outOfMemory = 2;
inline constexpr int noDevice = 100;
inline constexpr int invalidContext = 201;
inline constexpr int noJitCompiler = 221;
inline constexpr int jitDisabled = 223;
inline constexpr int notFound = 500;
inline constexpr int driverMismatch = 803;
} // namespace cuda_result

/// Whether every later call on the context yields the same error. It need not
/// be of the call that yields it: kernels fail while others are being launched.
bool losesContext(int code);

/// CUdevice_attribute.
enum class CudaDeviceAttribute : int {
  ThreadsPerBlock = 1,
  BlockX = 2,
  BlockY = 3,
  BlockZ = 4,
  GridX = 5,
  GridY = 6,
  GridZ = 7,
  Multiprocessors = 16,
  L2Bytes = 38,
  Major = 75,
  Minor = 76,
  SharedBytesPerBlockOptIn = 97,
};

/// CUfunction_attribute.
enum class CudaFunctionAttribute : int {
  ThreadsPerBlock = 0,
  SharedBytes = 1,
  Registers = 4,
  MaxDynamicSharedBytes = 8,
  NonPortableClusterSize = 14,
};

/// CUjit_option.
enum class CudaJitOption : int {
  ErrorLog = 5,
  ErrorLogBytes = 6,
};

/// CUpointer_attribute.
enum class CudaPointerAttribute : int {
  MemoryType = 2,
  IsManaged = 8,
  DeviceOrdinal = 9,
};

/// CUmemorytype.
inline constexpr unsigned cudaMemoryTypeDevice = 2;

/// What the driver says of an address.
struct CudaMemoryPlace {
  /// Of what it never heard of it says no.
  bool isDevices = false;
  /// All devices may use it.
  bool isManaged = false;
  /// Below 0 where it is no device's.
  int ordinal = -1;
};

/// CU_STREAM_NON_BLOCKING.
inline constexpr unsigned cudaStreamNonBlocking = 1;

/// CU_STREAM_CAPTURE_MODE_THREAD_LOCAL: what other threads do is not captured,
/// and may be anything.
inline constexpr int cudaCaptureThreadLocal = 1;
/// CU_STREAM_CAPTURE_MODE_RELAXED.
inline constexpr int cudaCaptureRelaxed = 2;

/// CUtensorMap, with the alignment that CUDA 13 gives it; 12 was content
/// with 64.
struct alignas(128) CudaTensorMap {
  std::byte opaque[128];
};

/// CUlaunchAttribute, whose value has room for 64 bytes.
struct CudaLaunchAttribute {
  int id = 0;
  char pad[4] = {};
  union {
    char room[64] = {};
    uint32_t clusterDim[3];
    /// Whether the kernel may begin before those before it in the stream end.
    int mayBeginEarly;
  };
};
static_assert(sizeof(CudaLaunchAttribute) == 72);

/// CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, and
/// CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION.
inline constexpr int cudaLaunchAttributeCluster = 4;
inline constexpr int cudaLaunchAttributeEarly = 6;

/// CUlaunchConfig.
struct CudaLaunchConfig {
  uint32_t grid[3] = {};
  uint32_t block[3] = {};
  uint32_t sharedBytes = 0;
  void *stream = nullptr;
  CudaLaunchAttribute *attributes = nullptr;
  uint32_t numAttributes = 0;
};
static_assert(offsetof(CudaLaunchConfig, stream) == 32 &&
              sizeof(CudaLaunchConfig) == 56);

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Contexts, modules, functions, streams and events are pointers that only the
/// driver looks behind. Every function yields a CUresult.
struct CudaDriver {
  int (*init)(unsigned flags);
  int (*driverGetVersion)(int *version);
  int (*getErrorName)(int code, const char **text);
  int (*getErrorString)(int code, const char **text);

  int (*deviceGetCount)(int *count);
  int (*deviceGet)(int *device, int ordinal);
  int (*deviceGetName)(char *name, int length, int device);
  int (*deviceGetAttribute)(int *value, CudaDeviceAttribute attribute,
                            int device);
  int (*deviceTotalMem)(size_t *bytes, int device);

  int (*devicePrimaryCtxRetain)(void **context, int device);
  int (*devicePrimaryCtxRelease)(int device);
  int (*ctxGetCurrent)(void **context);
  int (*ctxPushCurrent)(void *context);
  int (*ctxPopCurrent)(void **context);

  int (*moduleLoadDataEx)(void **module, const void *image, unsigned numOptions,
                          CudaJitOption *options, void **values);
  int (*moduleUnload)(void *module);
  int (*moduleGetFunction)(void **function, void *module, const char *name);
  int (*funcGetAttribute)(int *value, CudaFunctionAttribute attribute,
                          void *function);
  int (*funcSetAttribute)(void *function, CudaFunctionAttribute attribute,
                          int value);

  int (*memGetInfo)(size_t *free, size_t *total);
  int (*memAlloc)(uint64_t *pointer, size_t bytes);
  int (*memFree)(uint64_t pointer);
  int (*memGetAddressRange)(uint64_t *base, size_t *size, uint64_t pointer);
  int (*memcpyHtoDAsync)(uint64_t to, const void *from, size_t bytes,
                         void *stream);
  int (*memcpyDtoHAsync)(void *to, uint64_t from, size_t bytes, void *stream);
  int (*memcpyDtoDAsync)(uint64_t to, uint64_t from, size_t bytes,
                         void *stream);
  int (*memsetD8Async)(uint64_t pointer, unsigned char value, size_t bytes,
                       void *stream);
  int (*pointerGetAttributes)(unsigned count, CudaPointerAttribute *attributes,
                              void **values, uint64_t pointer);

  int (*streamCreate)(void **stream, unsigned flags);
  int (*streamDestroy)(void *stream);
  int (*streamSynchronize)(void *stream);
  int (*eventCreate)(void **event, unsigned flags);
  int (*eventDestroy)(void *event);
  int (*eventRecord)(void *event, void *stream);
  int (*eventSynchronize)(void *event);
  int (*eventElapsedTime)(float *milliseconds, void *start, void *end);

  int (*launchKernel)(void *function, unsigned gridX, unsigned gridY,
                      unsigned gridZ, unsigned blockX, unsigned blockY,
                      unsigned blockZ, unsigned sharedBytes, void *stream,
                      void **parameters, void **extra);

  // Null where the driver is too old for them.

  /// From CUDA 11.8.
  int (*launchKernelEx)(const CudaLaunchConfig *config, void *function,
                        void **parameters, void **extra);
  /// How many clusters of such a launch find room at once: from CUDA 11.8.
  int (*occupancyMaxActiveClusters)(int *number, void *function,
                                    const CudaLaunchConfig *config);
  /// Whether kernels may begin early, also in graphs: from CUDA 12.3.
  bool launchesEarly = false;
  /// From CUDA 10.1.
  int (*threadExchangeStreamCaptureMode)(int *mode);
  /// From CUDA 9.2.
  int (*streamGetCtx)(void *stream, void **context);
  /// From CUDA 12.4.
  int (*funcLoad)(void *function);
  /// From CUDA 12.0.
  int (*tensorMapEncodeTiled)(CudaTensorMap *map, int type, uint32_t rank,
                              void *address, const uint64_t *sizes,
                              const uint64_t *strides, const uint32_t *box,
                              const uint32_t *elementStrides, int interleave,
                              int swizzle, int promotion, int fill);
  /// From CUDA 11.0. Only for memory that was mapped piece by piece.
  int (*memRetainAllocationHandle)(uint64_t *handle, void *pointer);
  int (*memRelease)(uint64_t handle);
  /// From CUDA 11.4, all of them.
  int (*streamBeginCapture)(void *stream, int mode);
  int (*streamEndCapture)(void *stream, void **graph);
  int (*graphInstantiate)(void **executable, void *graph, uint64_t flags);
  int (*graphLaunch)(void *executable, void *stream);
  int (*graphExecDestroy)(void *executable);
  int (*graphDestroy)(void *graph);

  /// Opens the driver, which stays open, and initialises it.
  static Result<std::shared_ptr<const CudaDriver>> load();

  /// Asks where memory is.
  int findMemory(uint64_t address, CudaMemoryPlace &place) const;

  /// "CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
  std::string describe(int code) const;
};

/// Lets this thread allocate, release and wait while somebody captures a graph,
/// which is forbidden otherwise: what is done here is no part of it.
class OutsideOfCaptures {
public:
  explicit OutsideOfCaptures(const CudaDriver &driver) : driver(driver) {
    exchange();
  }
  ~OutsideOfCaptures() { exchange(); }
  OutsideOfCaptures(const OutsideOfCaptures &) = delete;
  OutsideOfCaptures &operator=(const OutsideOfCaptures &) = delete;

private:
  void exchange() {
    if (driver.threadExchangeStreamCaptureMode)
      driver.threadExchangeStreamCaptureMode(&mode);
  }

  const CudaDriver &driver;
  int mode = cudaCaptureRelaxed;
};

} // namespace fuse

#endif // FUSE_LIB_RUNTIME_CUDA_DRIVER_H
