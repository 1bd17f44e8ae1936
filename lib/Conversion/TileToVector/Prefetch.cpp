//===- Prefetch.cpp - what the next block will read -----------------------===//
//
// A block that walks over its tile several times reads memory in the first walk
// and computes in the others, while memory idles. So the second walk asks for
// the tile of the next block.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuse::tile;

/// What an index grows by from one block to the next, if that is always the
/// same.
static std::optional<int64_t> advanceOf(Value index, KernelOp kernel) {
  if (getConstantIntValue(index))
    return 0;
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    // The last dimension of the grid runs fastest.
    auto place = kernel.getPlace();
    if (!llvm::is_contained(place, argument))
      return std::nullopt;
    return argument == place.back() ? 1 : 0;
  }
  Operation *op = index.getDefiningOp();
  if (!isa<arith::AddIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<int64_t> a = advanceOf(op->getOperand(0), kernel),
                         c = advanceOf(op->getOperand(1), kernel);
  if (!a || !c)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return *a + *c;
  if (*a == 0 && *c == 0)
    return 0;
  std::optional<int64_t> factor = getConstantIntValue(op->getOperand(1));
  return factor ? std::optional(*a * *factor) : std::nullopt;
}

bool Emitter::isSecondWalk(LoadOp op) {
  if (!walk || !isa<KernelOp>(op->getParentOp()) ||
      !isa<KernelOp>(walk->getParentOp()))
    return false;
  auto [known, isNew] = walks.try_emplace(op, Walks{walk, nullptr});
  if (!isNew && known->second.first != walk && !known->second.second)
    known->second.second = walk;
  return known->second.second == walk;
}

void Emitter::prefetchNext(LoadOp op, Value memory, ArrayRef<Value> position) {
  auto type = cast<MemRefType>(memory.getType());
  auto bytesOf = [](ShapedType type) {
    return type.getNumElements() * storedBytes(type.getElementType());
  };
  // An array that stays in the cache is not worth the instructions, and a tile
  // that takes much of it would drive out the one at hand.
  if (!type.hasStaticShape() || bytesOf(type) < kCacheBytes ||
      bytesOf(op.getResult().getType()) > kCacheBytes / 4)
    return;
  SmallVector<Value> next;
  bool moves = false;
  for (auto [index, at] : llvm::zip_equal(op.getIndices(), position)) {
    std::optional<int64_t> advance =
        advanceOf(index, op->getParentOfType<KernelOp>());
    if (!advance)
      return;
    moves |= *advance != 0;
    next.push_back(*advance == 0 ? at : add(at, this->index(*advance)));
  }
  // Into the second level of the caches: the first one is full of this block.
  // Behind the last block there may be no memory, which is no fault.
  if (moves)
    memref::PrefetchOp::create(b, memory, next, /*isWrite=*/false,
                               /*localityHint=*/2, /*isDataCache=*/true);
}
