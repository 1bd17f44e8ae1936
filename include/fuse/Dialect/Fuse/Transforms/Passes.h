//===- Passes.h - passes from graphs to graphs ------------------*- C++ -*-===//
//
// Constructors and options of the passes in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_TRANSFORMS_PASSES_H
#define FUSE_DIALECT_FUSE_TRANSFORMS_PASSES_H

#include "fuse/Analysis/Cascade.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"

namespace fuse {

/// What becomes of the casts between floats when all floats become f64.
enum class WidenedCasts { Drop, Round };

/// Whose costs decide what is fused.
enum class MachineKind { Cpu, H200 };

/// The value of an argument that stands for a size, or the shape of a tensor.
using ArgumentShape = llvm::SmallVector<int64_t>;

/// Makes all sizes of `function` static; see the pass `fuse-bind-sizes`.
mlir::LogicalResult bindSizes(mlir::func::FuncOp function,
                              llvm::ArrayRef<ArgumentShape> shapes);

#define GEN_PASS_DECL
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"

/// Leaves the report in `report`, for whoever writes it to say what keeps it
/// from being written.
std::unique_ptr<mlir::Pass> createFormKernels(FormKernelsOptions options,
                                              std::string &report);

#define GEN_PASS_REGISTRATION
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"

} // namespace fuse

#endif // FUSE_DIALECT_FUSE_TRANSFORMS_PASSES_H
