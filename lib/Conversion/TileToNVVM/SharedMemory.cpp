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

int64_t SharedMemory::partOffset(ArrayRef<RankedTensorType> parts,
                                 unsigned part) {
  int64_t offset = 0;
  for (RankedTensorType type : parts.take_front(part))
    offset += llvm::alignTo(sharedTileBytes(type), sharedAlignment);
  return offset;
}

int64_t SharedMemory::slotBytes(RingType ring) {
  return partOffset(ring.getParts(), ring.getParts().size());
}

FailureOr<SharedMemory> SharedMemory::plan(KernelOp kernel) {
  SharedMemory memory;
  int64_t scratch = 0, split = 0;
  SmallVector<ConvertLayoutOp> tiles;
  SmallVector<RingOp> rings;
  SmallVector<StoreOp> stores;
  SmallVector<std::pair<ReduceOp, int64_t>> exchanged;
  SmallVector<CollectOp> collects;
  WalkResult walked = kernel.walk([&](Operation *op) {
    int64_t bytes = 0;
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      bytes = scratchBytes(reduce);
      if (int64_t received = exchangeBytes(reduce))
        exchanged.push_back({reduce, received});
    }
    if (auto collect = dyn_cast<CollectOp>(op)) {
      collects.push_back(collect);
      for (unsigned source = 0; source < collect.getSources().size();
           ++source) {
        std::optional<CollectPlan> plan = planCollect(collect, source);
        if (!plan) {
          op->emitOpError("has a source ")
              << source << " whose shares no registers keep apart";
          return WalkResult::interrupt();
        }
        memory.collectPlans[op].push_back(std::move(*plan));
      }
    }
    if (auto ring = dyn_cast<RingOp>(op))
      rings.push_back(ring);
    if (auto store = dyn_cast<StoreOp>(op); store && store.getStaged())
      stores.push_back(store);
    if (auto dot = dyn_cast<DotOp>(op))
      split = std::max(split, splitBytes(dot));
    if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
      if (sharedLayoutOf(convert.getType())) {
        tiles.push_back(convert);
        return WalkResult::advance();
      }
      if (sharedLayoutOf(convert.getSource().getType()))
        return WalkResult::advance();
      llvm::Expected<Conversion> conversion = planConvert(convert);
      if (!conversion) {
        op->emitOpError() << llvm::toString(conversion.takeError());
        return WalkResult::interrupt();
      }
      if (conversion->memory)
        bytes = conversion->memory->bytes;
      memory.conversions.insert({op, std::move(*conversion)});
    }
    if (bytes != 0) {
      memory.ranges[op] = {0, bytes};
      scratch = std::max(scratch, bytes);
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  SharedPlaces places(kernel), ofCrew(kernel);
  int64_t crews = crewsOf(kernel);
  SharedPlaces &own = crews == 1 ? places : ofCrew;
  int64_t base = llvm::alignTo(scratch, sharedAlignment);
  for (ConvertLayoutOp op : tiles)
    memory.ranges[op] = {base + own.placeTile(op), sharedBytes(op)};
  for (StoreOp op : stores)
    memory.ranges[op] = {base + own.placeAlways(stagedBytes(op)),
                         stagedBytes(op)};
  if (split != 0)
    memory.split = base + own.placeAlways(split);
  for (auto [op, bytes] : exchanged)
    memory.exchanges[op] = base + own.placeAlways(bytes);
  for (CollectOp op : collects)
    memory.collected[op] = base + own.placeCollect(op);
  if (crews != 1) {
    memory.ofCrew = base + llvm::alignTo(ofCrew.totalBytes(), sharedAlignment);
    base = crews * memory.ofCrew;
    scratch = base;
  }
  for (RingOp op : rings) {
    int64_t bytes = op.getType().getSlots() * slotBytes(op.getType());
    memory.ranges[op] = {base + places.placeRing(op, bytes), bytes};
  }
  for (RingOp op : rings) {
    SharedRange own = memory.ranges[op];
    for (const auto &[other, range] : memory.ranges)
      if (other != op && range.offset >= base && own.overlaps(range))
        memory.turns.insert(op);
  }
  int64_t next =
      places.totalBytes() == 0 ? scratch : base + places.totalBytes();
  for (RingOp op : rings)
    if (op.getFeed() == Feed::Tma) {
      memory.barriers[op] = next;
      next += 2 * barrierBytes * op.getType().getSlots();
    }
  memory.total = next;
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
