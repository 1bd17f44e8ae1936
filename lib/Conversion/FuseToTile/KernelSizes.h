//===- KernelSizes.h - where the sizes of a kernel come from ----*- C++ -*-===//
//
// A size that is known only when a kernel is launched is that of an operand, or
// made of others by an op of the kernel. It is computed in front of the kernel,
// for its grid and its results, and once more in the body of what it becomes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_FUSETOTILE_KERNELSIZES_H
#define FUSE_LIB_CONVERSION_FUSETOTILE_KERNELSIZES_H

#include "fuse/Analysis/Sizes.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"

namespace fuse {

class KernelSizes {
public:
  /// Where a size is; null if it is not known there.
  using Finder = llvm::function_ref<mlir::Value(Size)>;

  /// A size that is the sum or the product of others, or the first of them
  /// divided by the rest.
  struct Made {
    llvm::SmallVector<Size> parts;
    bool isSum = false, isProduct = false, isQuotient = false;

    mlir::Value combine(mlir::OpBuilder &b, mlir::Location loc,
                        llvm::ArrayRef<mlir::Value> parts) const;
  };

  /// `host` stands in front of the kernel.
  KernelSizes(KernelOp op, const SizeAnalysis &sizes, mlir::OpBuilder &host)
      : op(op), sizes(sizes), host(host) {}

  /// Fails, and says so, if it is made of nothing that an operand has.
  llvm::FailureOr<mlir::Value> onHost(Size size);

  std::optional<Made> makerOf(Size size);
  /// The index in the kernel that says a size; null if there is none.
  mlir::Value numberOf(Size size);
  mlir::Value compute(mlir::OpBuilder &b, mlir::Value number, Finder sizeOf);

private:
  mlir::Value findOnHost(Size size);
  mlir::Value sizeOfOperand(Size size);

  KernelOp op;
  const SizeAnalysis &sizes;
  mlir::OpBuilder &host;
  /// What `compute` asks for.
  llvm::SmallVector<Size> computing;
};

} // namespace fuse

#endif // FUSE_LIB_CONVERSION_FUSETOTILE_KERNELSIZES_H
