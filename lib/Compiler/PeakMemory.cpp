//===- PeakMemory.cpp - how much memory a graph takes ---------------------===//
//
// One walk with the set of living tensors.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/PeakMemory.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuse;

static uint64_t sizeInBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return 0;
  Type element = tensor.getElementType();
  uint64_t bytes = element.isIndex()
                       ? 8
                       : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  for (int64_t size : tensor.getShape())
    if (size == 0)
      return 0;
  for (int64_t size : tensor.getShape())
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, size);
  return bytes;
}

/// The value whose memory `value` is: that of the tensor that an op writes
/// into, or of the one that it looks at in another shape.
static Value ownerOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto result = cast<OpResult>(value);
    if (auto writer = dyn_cast<DestinationStyleOpInterface>(op)) {
      if (writer.hasPureTensorSemantics()) {
        value = writer.getTiedOpOperand(result)->get();
        continue;
      }
    }
    if (!isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
            op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

PeakMemory fuse::findPeakMemory(func::FuncOp function) {
  Block &body = function.getBody().front();
  // Which ops read the memory of a value last.
  llvm::DenseMap<Value, Operation *> lastRead;
  for (Operation &op : body)
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        lastRead[ownerOf(operand)] = &op;
    });
  llvm::DenseMap<Operation *, SmallVector<Value>> lastReads;
  for (auto [value, op] : lastRead)
    lastReads[op].push_back(value);

  // Arguments are the caller's, who has them already.
  uint64_t alive = 0;
  PeakMemory peak;
  for (Operation &op : body) {
    for (Value result : op.getResults())
      if (ownerOf(result) == result)
        alive = llvm::SaturatingAdd(alive, sizeInBytes(result.getType()));
    if (alive > peak.bytes)
      peak = {alive, &op};
    // A sum that saturated stays so: nothing can be taken from it.
    if (alive == std::numeric_limits<uint64_t>::max())
      continue;
    for (Value value : lastReads.lookup(&op))
      if (!isa<BlockArgument>(value))
        alive -= sizeInBytes(value.getType());
    for (Value result : op.getResults())
      if (ownerOf(result) == result && !lastRead.contains(result))
        alive -= sizeInBytes(result.getType());
  }
  return peak;
}
