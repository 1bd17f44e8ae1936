//===- LaunchPlan.h - what a host function does -----------------*- C++ -*-===//
//
// A function that launches kernels, evaluated for arguments of known shapes.
// What is left is a list of launches; nothing of the function is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_LAUNCHPLAN_H
#define FUSE_LIB_COMPILER_LAUNCHPLAN_H

#include "fuse/Compiler/Compiler.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Runtime/HostPlan.h"

namespace fuse {

struct LaunchPlan {
  std::vector<TensorSignature> inputs, outputs;
  /// The launches have no functions yet.
  HostPlan host;
  /// For each launch: its kernel, and what there is to say about it.
  std::vector<tile::KernelOp> kernels;
  std::vector<PlanStep> steps;
};

/// Evaluates `function`, which is at the stage `tiles`. What is wrong with it
/// has been reported as a diagnostic where it is.
Result<LaunchPlan> planLaunches(mlir::func::FuncOp function,
                                llvm::ArrayRef<ArgumentShape> shapes);

/// The operations in the products of one block: a multiplication and an
/// addition are two. Absent where a loop around one ends at a number that is
/// not known.
std::optional<uint64_t> countDotFlops(tile::KernelOp kernel);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_LAUNCHPLAN_H
