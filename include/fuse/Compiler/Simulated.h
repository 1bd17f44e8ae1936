//===- Simulated.h - run what is made for a GPU on the CPU ------*- C++ -*-===//
//
// The road to GPUs as far as kernels are tiles, and then an interpreter: slow,
// but strict about everything that a GPU would leave to chance.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_SIMULATED_H
#define FUSE_COMPILER_SIMULATED_H

#include "fuse/Compiler/Compiler.h"
#include "fuse/Compiler/MemoryClass.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Pipeline/Pipelines.h"
#include "fuse/Runtime/ArrayLayout.h"
#include "fuse/Runtime/HostPlan.h"
#include "fuse/Target/GpuChip.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuse {

struct LaunchPlan;

struct SimulatedOptions {
  GpuChip chip;
  /// As FusedOptions.
  bool leavesSizesOpen = false;
  FormationOptions formation;
  /// What chooses the times at which things happen.
  uint64_t seed = 0;
  /// With how many more seeds every kernel has to give the same bits.
  unsigned moreSeeds = 0;
  /// How inputs and outputs lie; they are dense if there is none.
  std::function<Result<ArgumentLayouts>(
      llvm::ArrayRef<TensorSignature> inputs,
      llvm::ArrayRef<TensorSignature> outputs)>
      layouts;
  /// In order: what kernels may know of it. The first one is taken that all
  /// arguments are of.
  llvm::SmallVector<MemoryClass> classes = {MemoryClass::Aligned};
};

class SimulatedProgram final : public Program {
public:
  /// As ReferenceProgram::compile.
  static Result<std::unique_ptr<SimulatedProgram>>
  compile(mlir::ModuleOp module, llvm::StringRef entry,
          llvm::ArrayRef<ArgumentShape> shapes, const SimulatedOptions &options,
          StageObserver observe);

  Status bind(llvm::ArrayRef<ArgumentShape> shapes) override;

private:
  SimulatedProgram(const SimulatedOptions &options) : options(options) {}

  Status execute(llvm::ArrayRef<const HostBuffer *> inputs,
                 llvm::MutableArrayRef<HostBuffer> outputs,
                 std::vector<LaunchTime> *times) override;
  /// A buffer of a run, and how it lies.
  struct Array {
    void *data = nullptr;
    /// All of the memory that it is in.
    void *memory = nullptr;
    size_t memoryBytes = 0;
    llvm::ArrayRef<int64_t> strides;
  };
  Status launch(size_t number, llvm::ArrayRef<Array> arrays);

  SimulatedOptions options;
  ArgumentLayouts layouts;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::shared_ptr<LaunchPlan> plan;
  HostPlan host;
  /// By launch.
  std::vector<tile::KernelOp> kernels;
};

} // namespace fuse

#endif // FUSE_COMPILER_SIMULATED_H
