//===- RowPitch.cpp - how rows lie that only kernels see ------------------===//

#include "fuse/Analysis/RowPitch.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;

int64_t fuse::rowPitch(int64_t elements, int64_t elementBytes) {
  constexpr int64_t vector = 16, shortest = 64, line = 128;
  // What is added is less than a quarter of a row. Shorter ones follow each
  // other.
  int64_t bytes = elements * elementBytes;
  if (elements == 0 || vector % elementBytes != 0 || bytes < shortest)
    return elements;
  int64_t unit = bytes < 4 * line ? vector : line;
  return static_cast<int64_t>(llvm::alignTo(bytes, unit)) / elementBytes;
}

bool fuse::isSeenByKernelsOnly(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto kernel = dyn_cast<KernelOp>(argument.getOwner()->getParentOp());
    return kernel &&
           isSeenByKernelsOnly(kernel.getInputs()[argument.getArgNumber()]);
  }
  if (isa<arith::ConstantOp>(value.getDefiningOp()))
    return false;
  return llvm::none_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tensor::CastOp>(user))
      return !isSeenByKernelsOnly(user->getResult(0));
    // Of a kernel that a user drew the result is what is seen.
    if (isa<YieldOp>(user))
      return !isSeenByKernelsOnly(
          user->getParentOp()->getResult(use.getOperandNumber()));
    return isa<func::ReturnOp>(user);
  });
}

bool fuse::haveRowsAt(int64_t bytes, Value tensor, bool pitchesRows) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getRank() < 2)
    return true;
  if (type.isDynamicDim(type.getRank() - 1))
    return false;
  constexpr int64_t bitsOfByte = 8;
  int64_t width =
      type.getElementType().isIntOrFloat()
          ? llvm::divideCeil(type.getElementTypeBitWidth(), bitsOfByte)
          : bitsOfByte;
  int64_t size = type.getShape().back();
  if (pitchesRows && isSeenByKernelsOnly(tensor))
    size = rowPitch(size, width);
  return size * width % bytes == 0;
}
