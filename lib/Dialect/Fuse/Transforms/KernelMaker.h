//===- KernelMaker.h - a kernel of a part of a graph ------------*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_FUSE_TRANSFORMS_KERNELMAKER_H
#define FUSE_LIB_DIALECT_FUSE_TRANSFORMS_KERNELMAKER_H

#include "fuse/Analysis/Sizes.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace fuse {

/// Copies everything between the leaves and the roots into a kernel of its own.
/// `stored` has what kernels before this one stored of the graph, and is told
/// what this one does.
KernelOp makeKernel(mlir::OpBuilder &builder, llvm::StringRef name,
                    llvm::ArrayRef<mlir::Value> roots,
                    const llvm::SetVector<mlir::Value> &leaves,
                    const SizeAnalysis &sizes, ScheduleAttr schedule,
                    mlir::IRMapping &stored);

} // namespace fuse

#endif // FUSE_LIB_DIALECT_FUSE_TRANSFORMS_KERNELMAKER_H
