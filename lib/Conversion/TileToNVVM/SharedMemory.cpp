//===- SharedMemory.cpp - what lies where in shared memory ----------------===//
//
// One buffer for all trips between registers, then shared tiles, stores of the
// copy engine and rings, those that are not needed at the same time in the same
// place. Of several crews each has all but rings for itself.
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include "fuse/Dialect/Tile/Analysis/Scratch.h"
#include "fuse/Dialect/Tile/Analysis/SharedPlaces.h"
#include "fuse/Dialect/Tile/Analysis/StagedStore.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

int64_t SharedMemory::partOffset(RingType ring, int64_t part) {
  int64_t kind = ring.kindOf(part);
  return sharedBytesOf(
      ring.partsOf(kind).take_front(part - ring.firstPartOf(kind)));
}

/// What has to have a place in shared memory.
struct SharedMemory::Users {
  SmallVector<ConvertLayoutOp> tiles;
  SmallVector<RingOp> rings;
  SmallVector<StoreOp> stores;
  SmallVector<std::pair<ReduceOp, int64_t>> exchanged;
  SmallVector<CollectOp> collects;
  /// The most that a trip between registers takes, and that a product of split
  /// numbers does.
  int64_t scratch = 0, split = 0;
};

LogicalResult SharedMemory::planCollects(CollectOp op) {
  for (unsigned source = 0; source < op.getSources().size(); ++source) {
    std::optional<CollectPlan> plan = planCollect(op, source);
    if (!plan)
      return op->emitOpError("has a source ")
             << source << " whose shares no registers keep apart";
    collectPlans[op].push_back(std::move(*plan));
  }
  return success();
}

/// Yields the bytes that it takes, if it goes from registers to registers.
FailureOr<int64_t> SharedMemory::planConversion(ConvertLayoutOp op) {
  if (sharedLayoutOf(op.getSource().getType()))
    return 0;
  llvm::Expected<Conversion> conversion = planConvert(op);
  if (!conversion)
    return op->emitOpError() << llvm::toString(conversion.takeError());
  int64_t bytes = conversion->memory ? conversion->memory->bytes : 0;
  conversions.insert({op, std::move(*conversion)});
  return bytes;
}

/// Finds out how each op uses shared memory.
LogicalResult SharedMemory::findUser(Operation *op, Users &users) {
  int64_t bytes = 0;
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    bytes = scratchBytes(reduce);
    if (int64_t received = exchangeBytes(reduce))
      users.exchanged.push_back({reduce, received});
  } else if (auto collect = dyn_cast<CollectOp>(op)) {
    users.collects.push_back(collect);
    if (failed(planCollects(collect)))
      return failure();
  } else if (auto ring = dyn_cast<RingOp>(op)) {
    users.rings.push_back(ring);
  } else if (auto store = dyn_cast<StoreOp>(op); store && store.getStaged()) {
    users.stores.push_back(store);
  } else if (auto dot = dyn_cast<DotOp>(op)) {
    users.split = std::max(users.split, splitBytes(dot));
  } else if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
    if (sharedLayoutOf(convert.getType())) {
      users.tiles.push_back(convert);
      return success();
    }
    FailureOr<int64_t> scratch = planConversion(convert);
    if (failed(scratch))
      return failure();
    bytes = *scratch;
  }
  if (bytes != 0) {
    ranges[op] = {0, bytes};
    users.scratch = std::max(users.scratch, bytes);
  }
  return success();
}

/// Which rings are where something else is at another time, from `base` on.
void SharedMemory::findTurns(ArrayRef<RingOp> rings, int64_t base) {
  for (RingOp op : rings) {
    SharedRange own = ranges[op];
    for (const auto &[other, range] : ranges)
      if (other != op && range.offset >= base && own.overlaps(range))
        turns.insert(op);
  }
}

void SharedMemory::place(KernelOp kernel, const Users &users) {
  SharedPlaces places(kernel), placesOfCrew(kernel);
  int64_t crews = crewsOf(kernel);
  SharedPlaces &own = crews == 1 ? places : placesOfCrew;
  int64_t end = users.scratch;
  int64_t base = llvm::alignTo(end, sharedAlignment);
  for (ConvertLayoutOp op : users.tiles)
    ranges[op] = {base + own.placeTile(op), sharedBytes(op)};
  for (StoreOp op : users.stores)
    ranges[op] = {base + own.placeAlways(stagedBytes(op)), stagedBytes(op)};
  if (users.split != 0)
    split = base + own.placeAlways(users.split);
  for (auto [op, bytes] : users.exchanged)
    exchanges[op] = base + own.placeAlways(bytes);
  for (CollectOp op : users.collects)
    collected[op] = base + own.placeCollect(op);
  if (crews != 1) {
    ofCrew = base + llvm::alignTo(placesOfCrew.totalBytes(), sharedAlignment);
    base = end = crews * ofCrew;
  }
  for (RingOp op : users.rings) {
    int64_t bytes = op.getType().getSlots() * slotBytesOf(op.getType());
    ranges[op] = {base + places.placeRing(op, bytes), bytes};
  }
  findTurns(users.rings, base);
  if (places.totalBytes() != 0)
    end = base + places.totalBytes();
  for (RingOp op : users.rings)
    if (op.getFeed() == Feed::Tma) {
      barriers[op] = end;
      end += 2 * barrierBytes * op.getType().getSlots();
    }
  total = end;
}

FailureOr<SharedMemory> SharedMemory::plan(KernelOp kernel) {
  SharedMemory memory;
  Users users;
  WalkResult walked = kernel.walk(
      [&](Operation *op) { return WalkResult(memory.findUser(op, users)); });
  if (walked.wasInterrupted())
    return failure();
  memory.place(kernel, users);
  return memory;
}

void Hazards::collect(Operation *op, const SharedMemory &memory,
                      llvm::function_ref<bool(Operation *)> isElsewhere) {
  op->walk([&](Operation *inner) {
    if (isElsewhere(inner))
      return;
    SharedRange range = memory.rangeOf(inner);
    // Rings and stores that the engine does see to their own order.
    if (range.bytes != 0 && !isa<RingOp, StoreOp>(inner)) {
      written.push_back(range);
      // A tile is read by those that use it, all else where it is written.
      auto convert = dyn_cast<ConvertLayoutOp>(inner);
      if (!convert || !sharedLayoutOf(convert.getType()))
        read.push_back(range);
    }
    if (auto copy = dyn_cast<CopyOp>(inner)) {
      auto ring = copy.getRing().getDefiningOp<RingOp>();
      if (memory.takesTurns(ring))
        written.push_back(memory.rangeOf(ring));
    }
    if (auto release = dyn_cast<ReleaseOp>(inner)) {
      auto ring = release.getRing().getDefiningOp<RingOp>();
      if (memory.takesTurns(ring))
        read.push_back(memory.rangeOf(ring));
    }
    if (!isa<DotOp, DotIssueOp, ConvertLayoutOp>(inner))
      return;
    for (Value operand : inner->getOperands())
      if (auto convert = operand.getDefiningOp<ConvertLayoutOp>();
          convert && sharedLayoutOf(convert.getType()))
        read.push_back(memory.rangeOf(convert));
  });
}

static bool overlapsAny(const SharedRange &range,
                        ArrayRef<SharedRange> others) {
  return llvm::any_of(
      others, [&](const SharedRange &other) { return range.overlaps(other); });
}

bool Hazards::needsBarrierBeforeWrite(const SharedRange &range) const {
  return overlapsAny(range, written) || overlapsAny(range, read);
}

bool Hazards::needsBarrierBeforeRead(const SharedRange &range) const {
  return overlapsAny(range, written);
}

bool Hazards::needsBarrierBeforeFilling(const SharedRange &ring) const {
  auto isOther = [&](const SharedRange &range) {
    return range.overlaps(ring) && !(range == ring);
  };
  return llvm::any_of(written, isOther) || llvm::any_of(read, isOther);
}
