//===- TileBlocks.cpp - tiles that several blocks hold together -----------===//

#include "TileBlocks.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Layout/Atoms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// The one shape that tiles have; nothing where they have several.
static std::optional<SmallVector<int64_t>> onlyShapeOf(KernelOp kernel) {
  std::optional<SmallVector<int64_t>> shape;
  auto walked = kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto tile = dyn_cast<RankedTensorType>(type);
      if (!tile || tile.getRank() == 0)
        continue;
      if (shape && tile.getShape() != ArrayRef(*shape))
        return WalkResult::interrupt();
      shape.emplace(tile.getShape());
    }
    return WalkResult::advance();
  });
  return walked.wasInterrupted() ? std::nullopt : shape;
}

/// How many elements along each axis are there, as far as that is known.
static SmallVector<int64_t> elementsOf(KernelOp kernel,
                                       ArrayRef<int64_t> shape) {
  SmallVector<int64_t> there(shape);
  kernel.walk([&](LoadOp load) {
    if (load.getType().getShape() != shape)
      return;
    for (auto [limit, axis] : llvm::zip_equal(load.getLimits(), load.getAxes()))
      if (std::optional<int64_t> number = getConstantIntValue(limit))
        there[axis] = std::clamp<int64_t>(*number, 1, there[axis]);
  });
  return there;
}

/// Tiles of several shapes are divided along the last axis, so that those of
/// one need nothing of other blocks to be laid out as those of another. If
/// there is one shape, the first axis may do as well, and better where more is
/// there of it: of channels of 256x784 in 256 x 1024 the last of eight blocks
/// had nothing and the seventh next to nothing.
TileBlocks::TileBlocks(KernelOp kernel, unsigned number) : numBlocks(number) {
  std::optional<SmallVector<int64_t>> shape = onlyShapeOf(kernel);
  if (number == 1 || !shape)
    return;
  SmallVector<int64_t> there = elementsOf(kernel, *shape);
  // How much longer the longest takes than it would if all had as much. What
  // cannot be divided all have.
  auto loss = [&](unsigned axis) {
    if ((*shape)[axis] % numBlocks != 0)
      return static_cast<double>(numBlocks);
    int64_t part = (*shape)[axis] / numBlocks;
    return static_cast<double>(numBlocks * std::min(part, there[axis])) /
           static_cast<double>(there[axis]);
  };
  unsigned best = shape->size() - 1;
  for (unsigned other = 0; other < shape->size(); ++other)
    if (loss(other) < loss(best))
      best = other;
  if (best + 1 != shape->size())
    axis = best;
}

unsigned TileBlocks::axisOf(ArrayRef<int64_t> extents) const {
  return axis.value_or(extents.size() - 1);
}

Coordinates TileBlocks::partOf(ArrayRef<int64_t> extents) const {
  Coordinates part(extents);
  if (!part.empty() && part[axisOf(extents)] % numBlocks == 0)
    part[axisOf(extents)] /= numBlocks;
  return part;
}

Layout TileBlocks::together(const Layout &part,
                            ArrayRef<int64_t> extents) const {
  if (numBlocks == 1)
    return part;
  return part.tile() == TileShape(extents)
             ? copiedToBlocks(part, numBlocks)
             : dividedAmongBlocks(part, axisOf(extents), numBlocks);
}
