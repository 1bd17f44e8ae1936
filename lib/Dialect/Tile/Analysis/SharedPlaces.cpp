//===- SharedPlaces.cpp - what lies where in shared memory ----------------===//
//
// Lifetimes by the order of the program, and the first place that is free.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/SharedPlaces.h"
#include "fuse/Dialect/Tile/Analysis/Collect.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Analysis/Scratch.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

int64_t fuse::tile::sharedTileBytes(RankedTensorType type) {
  return type.getNumElements() * elementBytes(type.getElementType());
}

int64_t fuse::tile::sharedBytesOf(ArrayRef<RankedTensorType> tiles) {
  int64_t bytes = 0;
  for (RankedTensorType tile : tiles)
    bytes += llvm::alignTo(sharedTileBytes(tile), sharedAlignment);
  return bytes;
}

int64_t fuse::tile::slotBytesOf(RingType ring) {
  int64_t most = 0;
  for (int64_t kind : llvm::seq(ring.numKinds()))
    most = std::max(most, sharedBytesOf(ring.partsOf(kind)));
  return most;
}

/// Whether a role of its own copies, or may be given that to do: for products
/// by warpgroups one does.
static bool mayCopyByRole(KernelOp kernel) {
  return multipliesByWarpgroups(kernel) ||
         kernel.walk([](RolesOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
}

SharedPlaces::SharedPlaces(KernelOp kernel)
    : kernel(kernel), copiesByRole(mayCopyByRole(kernel)) {
  number(kernel);
}

void SharedPlaces::number(Operation *op) {
  begins[op] = next++;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      number(&inner);
  ends[op] = next++;
}

/// The loop around an op whose rounds have no other loops in them, or null.
static scf::ForOp innermostLoopOf(Operation *op) {
  auto loop = op->getParentOfType<scf::ForOp>();
  if (!loop)
    return {};
  WalkResult inner =
      loop.getBody()->walk([](scf::ForOp) { return WalkResult::interrupt(); });
  return inner.wasInterrupted() ? scf::ForOp() : loop;
}

SharedPlaces::Lifetime SharedPlaces::lifetimeOf(ConvertLayoutOp op) const {
  Lifetime life{begins.lookup(op), ends.lookup(op),
                op->getParentOfType<RoleOp>()};
  Block *block = op->getBlock();
  for (Operation *user : op->getUsers()) {
    Operation *last = block->findAncestorOpInBlock(*user);
    // A product that is set off reads for longer than its op tells, and what
    // is handed on is needed in the next round.
    if (!last || last == block->getTerminator() || isa<DotIssueOp>(user)) {
      last = block->getParentOp();
      life.begin = std::min(life.begin, begins.lookup(last));
    }
    life.end = std::max(life.end, ends.lookup(last));
  }
  // Tiles of one round that shared a place would wait for each other in every
  // round, which takes more time than memory is worth.
  if (scf::ForOp loop = innermostLoopOf(op)) {
    life.begin = std::min(life.begin, begins.lookup(loop));
    life.end = std::max(life.end, ends.lookup(loop));
  }
  return life;
}

SharedPlaces::Lifetime SharedPlaces::always() const {
  // No role is the kernel itself, so that it overlaps those of all roles, too.
  return {0, next, kernel};
}

int64_t SharedPlaces::place(int64_t bytes, const Lifetime &life) {
  SmallVector<Placed> others(llvm::make_filter_range(
      places, [&](const Placed &other) { return life.overlaps(other.life); }));
  llvm::sort(others, [](const Placed &a, const Placed &b) {
    return a.offset < b.offset;
  });
  int64_t offset = 0;
  for (const Placed &other : others) {
    if (offset + bytes <= other.offset)
      break;
    offset = std::max(offset, int64_t(llvm::alignTo(other.offset + other.bytes,
                                                    sharedAlignment)));
  }
  places.push_back({offset, bytes, life});
  total = std::max(total, offset + bytes);
  return offset;
}

int64_t SharedPlaces::placeTile(ConvertLayoutOp op) {
  return place(sharedBytes(op), lifetimeOf(op));
}

int64_t SharedPlaces::placeCollect(CollectOp op) {
  // Other blocks write when all have come there.
  return place(collectBytes(op), {begins.lookup(op), ends.lookup(op),
                                  op->getParentOfType<RoleOp>()});
}

int64_t SharedPlaces::placeRing(RingOp op, int64_t bytes) {
  if (copiesByRole || op.getFeed() == Feed::Tma)
    return placeAlways(bytes);
  Lifetime life{next, 0, nullptr};
  for (Operation *user : op->getUsers()) {
    Operation *outermost = op->getBlock()->findAncestorOpInBlock(*user);
    life.begin = std::min(life.begin, begins.lookup(outermost));
    life.end = std::max(life.end, ends.lookup(outermost));
  }
  return place(bytes, life);
}

int64_t SharedPlaces::placeRingOf(scf::ForOp loop, int64_t bytes) {
  if (copiesByRole)
    return placeAlways(bytes);
  Operation *outermost =
      kernel.getBody().front().findAncestorOpInBlock(*loop.getOperation());
  return place(bytes,
               {begins.lookup(outermost), ends.lookup(outermost), nullptr});
}

int64_t SharedPlaces::placeAlways(int64_t bytes) {
  return place(bytes, always());
}
