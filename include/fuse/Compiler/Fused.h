//===- Fused.h - run a graph as few kernels on the CPU ----------*- C++ -*-===//
//
// The road from a graph, or from kernels that were written by hand, through
// tiles to machine code that runs on all threads.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_FUSED_H
#define FUSE_COMPILER_FUSED_H

#include "fuse/Compiler/Compiler.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Pipeline/Pipelines.h"
#include "fuse/Runtime/HostPlan.h"

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace fuse {

class Executor;
struct LaunchPlan;

struct FusedOptions {
  /// 0: as many as defaultNumThreads() says.
  unsigned threads = 0;
  /// How much LLVM optimises, from 0 to 3. 0 is for kernels that are run once:
  /// they are compiled several times as fast.
  unsigned optLevel = 3;
  /// Dynamic sizes are left open: shapes are hints, and others can be bound
  /// later.
  bool leavesSizesOpen = false;
  FormationOptions formation;
};

/// Whether `module` is at the stage `tiles` already: its author wrote the
/// kernels, and no graph is left that could be run in another way.
bool hasTileKernels(mlir::ModuleOp module);

class FusedProgram final : public Program {
public:
  ~FusedProgram() override;

  /// As ReferenceProgram::compile.
  static Result<std::unique_ptr<FusedProgram>>
  compile(mlir::ModuleOp module, llvm::StringRef entry,
          llvm::ArrayRef<ArgumentShape> shapes, const FusedOptions &options,
          StageObserver observe);

  Status bind(llvm::ArrayRef<ArgumentShape> shapes) override;

private:
  FusedProgram();

  Status execute(llvm::ArrayRef<const HostBuffer *> inputs,
                 llvm::MutableArrayRef<HostBuffer> outputs,
                 std::vector<LaunchTime> *times) override;

  std::unique_ptr<mlir::ExecutionEngine> engine;
  std::unique_ptr<Executor> executor;
  std::shared_ptr<LaunchPlan> plan;
  /// Of each launch: its function, and what it needs for itself.
  std::vector<std::pair<KernelFunction, size_t>> functions;
  unsigned numThreads = 1;
};

} // namespace fuse

#endif // FUSE_COMPILER_FUSED_H
