//===- Tiles.h - from a module to kernels over tiles ------------*- C++ -*-===//
//
// What the fused roads to the CPU and to GPUs have in common.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_TILES_H
#define FUSE_LIB_COMPILER_TILES_H

#include "fuse/Compiler/Fused.h"
#include "fuse/Target/GpuChip.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {

/// Cuts the graph `entry` of `module` into kernels, or takes those that its
/// author wrote, and yields the function that launches them. `shapes` are then
/// those of its arguments.
Result<mlir::func::FuncOp>
makeTiles(mlir::ModuleOp module, llvm::StringRef road, llvm::StringRef entry,
          llvm::SmallVectorImpl<ArgumentShape> &shapes,
          const FormationOptions &options, StageObserver observe);

/// Takes kernels over tiles to the form in which they copy ahead, for a chip.
Status stageTiles(mlir::ModuleOp module, llvm::StringRef road,
                  const GpuChip &chip, StageObserver observe);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_TILES_H
