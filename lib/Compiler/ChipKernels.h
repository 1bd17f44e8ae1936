//===- ChipKernels.h - the kernels of a plan for one chip -------*- C++ -*-===//

#ifndef FUSE_LIB_COMPILER_CHIPKERNELS_H
#define FUSE_LIB_COMPILER_CHIPKERNELS_H

#include "KernelCompiler.h"
#include "KernelVariants.h"
#include "fuse/Compiler/Gpu.h"

namespace fuse {

/// What errors call it.
inline constexpr llvm::StringLiteral gpuRoad = "the road to GPUs";

/// A kernel for which there is not enough shared memory, or not enough
/// registers; by all of its names.
struct Shortage {
  std::vector<std::string> kernels;
  /// What it needs of shared memory, of what there is.
  double ratio = 0;
  bool isOfRegisters = false;
};

/// What is alike for all chips.
struct ChipKernelsOf {
  const GpuOptions &options;
  const LaunchPlan &plan;
  llvm::ArrayRef<KernelVariant> variants;
};

/// Lowers the kernels of `tiles` for one chip, and adds them to the launches of
/// `image`.
Status addChipKernels(mlir::ModuleOp tiles, const GpuChip &chip,
                      const ChipKernelsOf &what, KernelCompiler &compiler,
                      StageObserver observe, Image &image, Shortage &shortage);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_CHIPKERNELS_H
