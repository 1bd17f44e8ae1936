//===- Tiles.h - from a module to kernels over tiles ------------*- C++ -*-===//
//
// What the fused roads to the CPU and to GPUs have in common.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_TILES_H
#define FUSE_LIB_COMPILER_TILES_H

#include "LaunchPlan.h"
#include "fuse/Compiler/Fused.h"
#include "fuse/Target/GpuChip.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {

/// A function that launches kernels, and what is known of its arguments.
struct TiledGraph {
  mlir::func::FuncOp function;
  /// Of the inputs: numbers, or expressions where they are left open.
  OpenSizes sizes;
  /// The arguments that are no tensors.
  llvm::SmallVector<int64_t> scalars;
  /// What `shapes` was for the inputs.
  llvm::SmallVector<ArgumentShape> inputs;
  /// What the function launches.
  LaunchPlan plan;
};

/// Cuts the graph `entry` of `module` into kernels, or takes those that its
/// author wrote. The sizes of its arguments are those of `shapes`; those that
/// are dynamic are only a hint if they are left open.
Result<TiledGraph>
makeTiles(mlir::ModuleOp module, llvm::StringRef road, llvm::StringRef entry,
          llvm::ArrayRef<ArgumentShape> shapes, bool leavesSizesOpen,
          const FormationOptions &options, StageObserver observe);

/// Takes kernels over tiles to the form in which they copy ahead, for a chip.
Status stageTiles(mlir::ModuleOp module, llvm::StringRef road,
                  const GpuChip &chip, StageObserver observe);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_TILES_H
