//===- PeakMemory.cpp - how much memory a graph takes ---------------------===//
//
// One walk with the set of living tensors.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/PeakMemory.h"
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

/// The op of `block` that is, or contains, `op`.
static Operation *ancestorIn(Block &block, Operation *op) {
  return block.findAncestorOpInBlock(*op);
}

PeakMemory fuse::findPeakMemory(func::FuncOp function) {
  Block &body = function.getBody().front();
  llvm::DenseMap<Operation *, SmallVector<Value>> lastReads;
  auto recordLastRead = [&](Value value) {
    Operation *last = nullptr;
    for (Operation *user : value.getUsers()) {
      Operation *at = ancestorIn(body, user);
      if (!last || last->isBeforeInBlock(at))
        last = at;
    }
    if (last)
      lastReads[last].push_back(value);
  };
  uint64_t alive = 0;
  PeakMemory peak;
  for (BlockArgument argument : body.getArguments())
    alive = llvm::SaturatingAdd(alive, sizeInBytes(argument.getType()));
  peak.bytes = alive;
  for (Operation &op : body) {
    for (Value result : op.getResults()) {
      alive = llvm::SaturatingAdd(alive, sizeInBytes(result.getType()));
      recordLastRead(result);
    }
    if (alive > peak.bytes)
      peak = {alive, &op};
    // A sum that saturated stays so: nothing can be taken from it.
    if (alive == std::numeric_limits<uint64_t>::max())
      continue;
    for (Value value : lastReads.lookup(&op))
      alive -= sizeInBytes(value.getType());
    for (Value result : op.getResults())
      if (result.use_empty())
        alive -= sizeInBytes(result.getType());
  }
  return peak;
}
