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

namespace {

/// Finds whose memory a value is. In a chain of ops every one writes into the
/// result of the one before it, so what has been found is kept.
class Owners {
public:
  /// The value whose memory `value` is: that of the tensor that an op writes
  /// into, or of the one that it looks at in another shape.
  Value of(Value value) {
    SmallVector<Value> path;
    while (true) {
      auto known = owners.find(value);
      if (known != owners.end()) {
        value = known->second;
        break;
      }
      path.push_back(value);
      Value next = step(value);
      if (next == value)
        break;
      value = next;
    }
    for (Value passed : path)
      owners[passed] = value;
    return value;
  }

private:
  static Value step(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return value;
    auto writer = dyn_cast<DestinationStyleOpInterface>(op);
    if (writer && writer.hasPureTensorSemantics())
      return writer.getTiedOpOperand(cast<OpResult>(value))->get();
    if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
      return op->getOperand(0);
    return value;
  }

  llvm::DenseMap<Value, Value> owners;
};

} // namespace

PeakMemory fuse::findPeakMemory(func::FuncOp function) {
  Block &body = function.getBody().front();
  Owners owners;
  // Which ops read the memory of a value last.
  llvm::DenseMap<Value, Operation *> lastRead;
  for (Operation &op : body)
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        lastRead[owners.of(operand)] = &op;
    });
  llvm::DenseMap<Operation *, SmallVector<Value>> lastReads;
  for (auto [value, op] : lastRead)
    lastReads[op].push_back(value);

  // Arguments are the caller's, who has them already.
  uint64_t alive = 0;
  PeakMemory peak;
  for (Operation &op : body) {
    for (Value result : op.getResults())
      if (owners.of(result) == result)
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
      if (owners.of(result) == result && !lastRead.contains(result))
        alive -= sizeInBytes(result.getType());
  }
  return peak;
}
