//===- ExecutorState.h - a program on arguments, in parts -------*- C++ -*-===//
//
// What an executor works out of the sizes (a bound variant), and of the
// addresses (a prepared launch).
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_RUNTIME_CUDA_EXECUTORSTATE_H
#define FUSE_LIB_RUNTIME_CUDA_EXECUTORSTATE_H

#include "Driver.h"
#include "Nvtx.h"
#include "fuse/Runtime/Cuda/Program.h"

namespace fuse {

/// A variant that is possible with these sizes.
struct BoundVariant {
  uint32_t number = 0;
  const LaunchVariant *variant = nullptr;
  const ImageKernel *kernel = nullptr;
  const CudaFunction *function = nullptr;
  /// All 1 beyond the kernel's.
  std::array<uint32_t, 3> grid = {1, 1, 1};
  bool hasBlocks = true;
  /// One for each parameter: a scalar, or what is added to an address.
  std::vector<uint64_t> values;
  /// One for each tensor map, in the order of the parameters.
  std::vector<BoundTensorMap> maps;
};

/// The variants of a launch whose guards hold, as far as sizes say.
struct BoundLaunch {
  const ImageLaunch *launch = nullptr;
  std::vector<BoundVariant> variants;
};

/// Fails if no variant is possible. Shapes are in order of the buffers.
Result<BoundLaunch> bindLaunch(const ImageLaunch &launch,
                               const CudaProgram &program,
                               std::span<const CudaFunction> functions,
                               const SizeBindings &bindings,
                               std::span<const uint64_t> bufferBytes);

struct CudaExecutor::State {
  std::shared_ptr<CudaProgram> program;
  SizeBindings bindings;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<uint64_t> bytes;
  std::vector<BoundLaunch> launches;
  /// The address of every buffer but inputs and outputs.
  std::vector<DevicePointer> addresses;
  /// Null where nothing lies in them.
  std::optional<DeviceBuffer> workspace, counters;
  uint64_t unshared = 0;
  /// For runs on the host's buffers.
  std::optional<CudaStream> stream;
  bool waitsForEach = false;
  /// Null where no profiler listens.
  const Nvtx *nvtx = nullptr;

  const Image &image() const { return program->image(); }

  Status measureBuffers();
  Status bindLaunches();
  Status placeBuffers();
  /// Allocates memory whose bytes are `fill`.
  Status take(std::optional<DeviceBuffer> &place, uint64_t bytes,
              std::string_view what, uint8_t fill);
};

/// A kernel and its parameters, ready for the driver.
struct PreparedLaunch {
  const BoundVariant *variant = nullptr;
  /// What the graph calls it; in the Image.
  const char *name = "";
  std::vector<uint64_t> values;
  std::unique_ptr<CudaTensorMap[]> maps;
  /// What each parameter lies at.
  std::vector<void *> parameters;
};

struct PreparedCopy {
  DevicePointer to = 0, from = 0;
  uint64_t bytes = 0;
  std::string what;
};

struct CudaArguments::State {
  const void *executor = nullptr;
  std::vector<std::optional<uint32_t>> variants;
  /// Those with blocks.
  std::vector<PreparedLaunch> launches;
  /// By launch of `launches`: its number in the Image.
  std::vector<size_t> numbers;
  std::vector<PreparedCopy> copies;
};

/// Checks that `array` can be `buffer`, an input or an output of this shape.
/// The device's context is current.
Status checkArray(CudaDevice &device, const DeviceArray &array,
                  const ImageBuffer &buffer, std::span<const int64_t> shape);

} // namespace fuse

#endif // FUSE_LIB_RUNTIME_CUDA_EXECUTORSTATE_H
