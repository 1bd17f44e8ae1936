//===- Gpu.h - compile a graph for GPUs -------------------------*- C++ -*-===//
//
// The road from a graph, or from kernels that were written by hand, through
// tiles, layouts and PTX to an Image, which runs without this compiler.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_GPU_H
#define FUSE_COMPILER_GPU_H

#include "fuse/Compiler/Compiler.h"
#include "fuse/Compiler/MemoryClass.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Pipeline/Pipelines.h"
#include "fuse/Runtime/Cuda/Program.h"
#include "fuse/Runtime/Image.h"
#include "fuse/Target/GpuChip.h"

namespace fuse {

struct GpuOptions {
  /// For which chips: the first one in the list that a device runs is used.
  llvm::SmallVector<GpuChip> chips;
  /// Assemble the PTX where there is a ptxas.
  bool assembles = true;
  unsigned optLevel = 3;
  /// In order: what arguments may be like. A kernel has a variant for each
  /// class that makes a difference to it.
  llvm::SmallVector<MemoryClass> classes = {MemoryClass::Aligned};
  /// As FusedOptions. The Image is then for all sizes.
  bool leavesSizesOpen = false;
  FormationOptions formation;
};

/// A compiled graph, and what it is like for arguments of certain shapes.
struct GpuCode {
  Image image;
  std::vector<TensorSignature> inputs, outputs;
  std::vector<PlanStep> steps;
};

/// Compiles the function `entry` of `module`, which stays as it is, for
/// arguments of the given shapes. What is wrong with the graph has been
/// reported as a diagnostic where it is; the error says what followed.
Result<GpuCode> compileForGpu(mlir::ModuleOp module, llvm::StringRef entry,
                              llvm::ArrayRef<ArgumentShape> shapes,
                              const GpuOptions &options, StageObserver observe);

/// The chip that a device is, or the last one before it whose code it runs.
Result<GpuChip> gpuChipOf(const CudaDevice &device);

/// Code on the GPU of this machine.
class GpuProgram final : public Program {
public:
  ~GpuProgram() override;

  static Result<std::unique_ptr<GpuProgram>>
  load(GpuCode code, std::shared_ptr<CudaDevice> device);

  CudaExecutor &executor() { return *cudaExecutor; }
  const Image &image() const { return cudaProgram->image(); }

  Status bind(llvm::ArrayRef<ArgumentShape> shapes) override;

  /// How arguments are laid out on the device from now on.
  void layOut(ArgumentLayouts newLayouts) { layouts = std::move(newLayouts); }

private:
  GpuProgram();

  Status execute(llvm::ArrayRef<const HostBuffer *> inputs,
                 llvm::MutableArrayRef<HostBuffer> outputs,
                 std::vector<LaunchTime> *times) override;

  std::shared_ptr<CudaProgram> cudaProgram;
  std::unique_ptr<CudaExecutor> cudaExecutor;
  ArgumentLayouts layouts;
};

} // namespace fuse

#endif // FUSE_COMPILER_GPU_H
