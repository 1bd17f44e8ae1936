//===- CpuKernels.h - from a graph to LLVM for a CPU ------------*- C++ -*-===//
//
// What code that runs at once and code that is kept have in common.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_CPUKERNELS_H
#define FUSE_LIB_COMPILER_CPUKERNELS_H

#include "LaunchPlan.h"
#include "fuse/Pipeline/Pipelines.h"

namespace fuse {

/// What code may use of a processor.
struct CpuFeatures {
  unsigned vectorBits = 128;
  bool hasF16 = false;
};

struct CpuKernels {
  LaunchPlan plan;
  /// The shapes that were given, of arguments that are tensors.
  llvm::SmallVector<ArgumentShape> inputs;
  /// For each launch, what its kernel is called in the module, and what each
  /// thread needs for itself.
  std::vector<std::string> names;
  std::vector<size_t> workspaces;
};

/// Takes `module` to the stage `llvm`, its kernels for a CPU with these
/// features and for so many threads.
Result<CpuKernels> makeCpuKernels(mlir::ModuleOp module, llvm::StringRef road,
                                  llvm::StringRef entry,
                                  llvm::ArrayRef<ArgumentShape> shapes,
                                  bool leavesSizesOpen,
                                  const FormationOptions &options,
                                  unsigned numThreads, CpuFeatures features,
                                  StageObserver observe);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_CPUKERNELS_H
