//===- Executor.h - run an Image on arguments of known sizes ----*- C++ -*-===//
//
// Owns what a program needs beside its inputs and outputs. When sizes are
// known, grids and the places of intermediates are; when addresses are known,
// which variant of each launch is run. A launch then does no more than
// launching.
//
//   bind: sizes     -> grids, scalars, workspace
//   prepare: arrays -> checks, variants, tensor maps
//   launch          -> one call of the driver for each kernel
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CUDA_EXECUTOR_H
#define FUSE_RUNTIME_CUDA_EXECUTOR_H

#include "fuse/Runtime/ArrayLayout.h"
#include "fuse/Runtime/Cuda/DeviceBuffer.h"

#include <functional>

namespace fuse {

class CudaProgram;

/// "kernel 'gemm' from model.mlir:12:8".
std::string nameKernel(const ImageKernel &kernel);

/// An array that somebody else owns in the device's memory.
struct DeviceArray {
  DevicePointer address = 0;
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
  /// In elements; none means row-major without gaps.
  std::vector<int64_t> strides;
};

/// Arguments that have been checked, and what to launch on them. Good for any
/// number of launches, as long as the arrays live; of no use for another
/// executor.
class CudaArguments {
public:
  CudaArguments(CudaArguments &&) noexcept;
  CudaArguments &operator=(CudaArguments &&) noexcept;
  ~CudaArguments();

  /// Which variant of each launch was chosen; absent where it has no blocks.
  std::vector<std::optional<uint32_t>> variants() const;

private:
  friend class CudaExecutor;
  struct State;
  explicit CudaArguments(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// Runs of one executor share a workspace: they must follow each other, on one
/// stream or with events between them. One thread at a time.
class CudaExecutor {
public:
  ~CudaExecutor();
  CudaExecutor(const CudaExecutor &) = delete;
  CudaExecutor &operator=(const CudaExecutor &) = delete;

  const Image &image() const;
  const std::shared_ptr<CudaDevice> &device() const;
  const SizeBindings &bindings() const;
  /// The shape of each of the Image's buffers, and of each output.
  const std::vector<std::vector<int64_t>> &bufferShapes() const;
  std::vector<std::vector<int64_t>> outputShapes() const;
  /// What intermediates and counters take, and what the intermediates would
  /// take if no two of them shared memory.
  uint64_t workspaceBytes() const;
  uint64_t unsharedBytes() const;
  /// Whether FUSE_CUDA_SYNC=1 makes launches wait.
  bool waitsForEach() const;

  /// Checks the arrays against the contract: types, shapes, strides, alignment,
  /// and that they lie in this device's memory and inside of what was allocated
  /// there.
  Result<CudaArguments> prepare(std::span<const DeviceArray> inputs,
                                std::span<const DeviceArray> outputs);

  /// Launches everything and does not wait. Allocates nothing, loads nothing,
  /// and can be captured into a graph. With FUSE_CUDA_SYNC=1 in the environment
  /// it waits for each kernel, so that an error is told of the right one.
  Status launch(const CudaArguments &arguments, CudaStreamHandle stream);

  /// The same, waiting for each kernel.
  Status launchAndWait(const CudaArguments &arguments, CudaStreamHandle stream);

  /// Launches with a mark before the first kernel and one after each, so many
  /// more than kernels that have blocks. Does not wait.
  Status launchMarked(const CudaArguments &arguments, CudaStreamHandle stream,
                      std::span<CudaEvent> marks);

  /// Launches and calls `observe` before and after each kernel that has blocks,
  /// with its number among them. Does not wait.
  Status launchObserved(
      const CudaArguments &arguments, CudaStreamHandle stream,
      const std::function<Status(size_t kernel, bool isEnd)> &observe);

  /// Prepares and launches.
  Status run(std::span<const DeviceArray> inputs,
             std::span<const DeviceArray> outputs, CudaStreamHandle stream);

  /// Runs on the host's buffers: copies, poisons the outputs on the device,
  /// runs each kernel and waits for it, copies back. `layouts` says where there
  /// are gaps on the device; those of outputs have to stay as they are.
  Status run(std::span<const HostBuffer *const> inputs,
             std::span<HostBuffer> outputs,
             const ArgumentLayouts &layouts = {});
  /// The same with new outputs.
  Result<std::vector<HostBuffer>>
  runOn(std::span<const HostBuffer *const> inputs);

private:
  friend class CudaProgram;
  struct State;
  explicit CudaExecutor(std::unique_ptr<State> state);

  static Result<std::unique_ptr<CudaExecutor>>
  create(std::shared_ptr<CudaProgram> program, SizeBindings bindings);

  std::unique_ptr<State> state;
};

/// One set of inputs and outputs in the device's memory.
class DeviceArguments {
public:
  /// Copies the inputs; the outputs are not initialised.
  static Result<DeviceArguments>
  create(const CudaExecutor &executor,
         std::span<const HostBuffer *const> inputs, CudaStreamHandle stream,
         const ArgumentLayouts &layouts = {});

  const std::vector<DeviceArray> &inputs() const { return inputArrays; }
  const std::vector<DeviceArray> &outputs() const { return outputArrays; }

  Status poisonOutputs(CudaStreamHandle stream);
  /// The buffers have the types and shapes of the outputs.
  Status copyOutputs(std::span<HostBuffer> outputs, CudaStreamHandle stream);

private:
  DeviceArguments() = default;
  std::vector<DeviceBuffer> inputBuffers, outputBuffers;
  std::vector<DeviceArray> inputArrays, outputArrays;
  ArgumentLayouts layouts;
};

} // namespace fuse

#endif // FUSE_RUNTIME_CUDA_EXECUTOR_H
