//===- RingSlots.cpp - how many slots a ring has --------------------------===//

#include "RingSlots.h"
#include "RingRounds.h"
#include "fuse/Dialect/Tile/Analysis/Scratch.h"
#include "fuse/Dialect/Tile/Analysis/SharedPlaces.h"
#include "fuse/Dialect/Tile/Analysis/StagedStore.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Layout/RoleRegisters.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// What each block takes of shared memory beside its own.
static constexpr int64_t perBlock = 1024;

//===----------------------------------------------------------------------===//
// Room
//===----------------------------------------------------------------------===//

/// What a kernel needs if a loop has a ring for `parts`. Loads that become
/// parts, and what users of them would have needed, take no room. Each crew has
/// its own of all but rings.
int64_t RingSlots::bytesWith(scf::ForOp loop, ArrayRef<RingPart> parts,
                             int64_t slots) {
  auto isOf = [](Operation *op, ArrayRef<RingPart> parts) {
    return llvm::any_of(parts, [&](RingPart part) {
      return op->getOperand(0) == part.value() &&
             (!sharedLayoutOf(op->getResult(0).getType()) || op == part.shared);
    });
  };
  auto isOfPart = [&](Operation *op) {
    return isa<ConvertLayoutOp>(op) &&
           (isOf(op, parts) ||
            llvm::any_of(
                llvm::concat<const RingLoop>(others, apart),
                [&](const RingLoop &other) { return isOf(op, other.parts); }));
  };
  SharedPlaces places(kernel), ofCrew(kernel);
  int64_t crews = crewsOf(kernel);
  SharedPlaces &own = crews == 1 ? places : ofCrew;
  int64_t scratch = 0, split = 0;
  kernel.walk([&](Operation *op) {
    if (isOfPart(op))
      return;
    scratch = std::max(scratch, scratchBytes(op));
    if (auto store = dyn_cast<StoreOp>(op))
      own.placeAlways(stagedBytes(store));
    if (auto collect = dyn_cast<CollectOp>(op))
      own.placeCollect(collect);
    if (auto dot = dyn_cast<DotOp>(op))
      split = std::max(split, splitBytes(dot));
    if (auto convert = dyn_cast<ConvertLayoutOp>(op);
        convert && sharedLayoutOf(convert.getType()))
      own.placeTile(convert);
  });
  own.placeAlways(split);
  kernel.walk([&](RingOp op) {
    places.placeRing(op, op.getType().getSlots() * slotBytesOf(op.getType()));
  });
  places.placeRingOf(loop, slots * sharedBytesOf(typesOf(parts)));
  auto aligned = [](int64_t bytes) {
    return int64_t(llvm::alignTo(bytes, sharedAlignment));
  };
  return crews * (aligned(scratch) + aligned(ofCrew.totalBytes())) +
         aligned(places.totalBytes());
}

void RingSlots::leaveRoomFor(ArrayRef<RingLoop> loops, int64_t slots) {
  apart = loops;
  reserved = 0;
  for (const RingLoop &loop : loops)
    reserved += slots * sharedBytesOf(typesOf(loop.parts));
}

/// What loops in `loop` need for a second slot of what they read. They go round
/// more often than it, and so come first.
int64_t RingSlots::bytesForInner(scf::ForOp loop) {
  int64_t bytes = 0;
  loop.getBody()->walk([&](scf::ForOp inner) {
    for (RingPart part : ringPartsOf(inner, options.hasEngine))
      bytes += (part.shared ? 1 : 2) * sharedBytesOf(part.type);
  });
  return bytes;
}

/// What a block may have: all of a processor's, or its part of that.
int64_t RingSlots::bytesForBlock() {
  constexpr int64_t barriers = 1024;
  auto residents = kernel->getAttrOfType<IntegerAttr>("tile.residents");
  if (!residents && !(options.hasEngine && fillsProcessor(kernel)))
    return options.sharedBytes;
  return (options.sharedBytes + perBlock) /
             (residents ? residents.getInt() : 1) -
         perBlock - barriers;
}

/// Whether registers are enough for two blocks on a processor.
static bool hasRegistersForTwo(scf::ForOp loop, int64_t warps, bool hasEngine) {
  // Of eight warps and those that load for them, a block gets all there are.
  constexpr int64_t twoWarpgroups = 8;
  bool isByGroups =
      llvm::any_of(loop.getBody()->getOps<DotOp>(),
                   [](DotOp dot) { return dot.getAtom() == Atom::Wgmma; });
  if (isByGroups && warps >= twoWarpgroups)
    return false;
  // All threads begin with as many.
  if (isByGroups && hasEngine)
    warps += RoleRegisters::loadWarps;
  return blocksByRegisters(loop, warps) >= 2;
}

/// Whether a processor has one block, all of whose memory comes through slots.
/// What threads read by themselves comes through the first cache, which has
/// what slots leave: rows of 50257 took 83 us with eleven slots, 63 with eight.
bool RingSlots::isAlone(scf::ForOp loop, ArrayRef<RingPart> parts) {
  auto isCopied = [&](LoadOp load) {
    return llvm::any_of(
        parts, [&](const RingPart &part) { return part.load == load; });
  };
  return options.hasEngine && !kernel->hasAttr("tile.residents") &&
         isAloneOnProcessor(kernel) &&
         llvm::all_of(loop.getBody()->getOps<LoadOp>(), isCopied);
}

//===----------------------------------------------------------------------===//
// Numbers of slots
//===----------------------------------------------------------------------===//

/// How many slots are enough where threads multiply number by number: what is
/// on its way when a round begins has to last until the next one is there. The
/// blocks of a processor take turns, so a round takes as long as all of them,
/// and those that share it do more than further slots: 64 x 64 in rounds of 32
/// has room for two blocks with seven slots, and for six with two.
int64_t RingSlots::slotsOfOuter(scf::ForOp loop, ArrayRef<RingPart> parts,
                                int64_t cycles) {
  constexpr int64_t cyclesAlone = 2000, cyclesTogether = 4000;
  // What is made of a factor takes time of its own.
  llvm::SmallDenseSet<Operation *> copied;
  for (const RingPart &part : parts)
    copied.insert(part.shared);
  bool isCopied = llvm::all_of(loop.getBody()->getOps<DotOp>(), [&](DotOp dot) {
    return copied.contains(dot.getLhs().getDefiningOp()) &&
           copied.contains(dot.getRhs().getDefiningOp());
  });
  if (!isCopied)
    return cycles >= cyclesAlone ? 2 : int64_t(options.slots);
  auto warps = kernel->getAttrOfType<IntegerAttr>("tile.warps");
  int64_t blocks = warps ? blocksByRegisters(loop, warps.getInt()) : 1;
  blocks = std::min(blocks, blocksForProcessor(kernel).value_or(blocks));
  kernel->setAttr("tile.together", Builder(kernel).getI64IntegerAttr(blocks));
  int64_t slots = 2;
  for (; slots < options.slots && (slots - 1) * cycles < cyclesAlone; ++slots) {
    int64_t fitting = (options.sharedBytes + perBlock) /
                      (bytesWith(loop, parts, slots) + perBlock);
    if ((slots - 1) * cycles * std::min(blocks, fitting) >= cyclesTogether)
      break;
  }
  return slots;
}

/// How many slots are best where nobody asks for others.
int64_t RingSlots::usualSlots(scf::ForOp loop, ArrayRef<RingPart> parts) {
  // More than are needed would only take from the first cache, through which
  // blocks share what they read: M4i took 2732 us with two slots of rounds of
  // 16, and 2794 with three.
  int64_t cycles = cyclesOfRound(loop);
  int64_t usual =
      cycles != 0 ? slotsOfOuter(loop, parts, cycles) : int64_t(options.slots);
  SmallVector<scf::ForOp> loops{loop};
  for (const RingLoop &other : others)
    loops.push_back(other.loop);
  if (!isAlone(loop, parts) || !areOnlyLoops(loops))
    return usual;
  // Where a processor has one block, what is on its way to that is all that the
  // processor gets: 80 KiB in a microsecond. 64x3072 by 3072x4096 took 12.5 us
  // with six slots of 16 KiB, 10.3 with eight and 9.4 with thirteen, and 10.7
  // with eight of 12 KiB, 10.1 with twelve; 16x4096 by 4096x4096 10.7 with
  // eight of 20 KiB and 11.6 with twelve.
  constexpr int64_t usualAhead = 176 << 10;
  // As many as a schedule may ask for.
  constexpr int64_t mostSlots = 16;
  int64_t ahead =
      std::min(usualAhead / sharedBytesOf(typesOf(parts)), mostSlots);
  return std::max(usual, std::min(ahead, roundsOf(loop).value_or(ahead)));
}

/// At most, of all that have the slots.
std::optional<int64_t> RingSlots::roundsOf(scf::ForOp loop) {
  std::optional<int64_t> rounds = mostRounds(loop);
  for (const RingLoop &other : others) {
    std::optional<int64_t> more =
        other.loop->isAncestor(loop) ? 1 : mostRounds(other.loop);
    if (!rounds || !more)
      return std::nullopt;
    *rounds += *more;
  }
  return rounds;
}

/// What a loop never needs others can have. Blocks that multiply by groups have
/// a processor for themselves, and begin early for that, unless there are more
/// of them: 100000x128 by 128x16, two rounds each, took 12.7 us with room for
/// eight.
int64_t RingSlots::mostNeeded(scf::ForOp loop) {
  constexpr int64_t fewest = 2, any = std::numeric_limits<int64_t>::max();
  bool isAmongOthers = !multipliesByWarpgroups(kernel) ||
                       blocksForProcessor(kernel).value_or(1) > 1;
  if (!isAmongOthers || !isa<KernelOp>(loop->getParentOp()))
    return any;
  std::optional<int64_t> rounds = roundsOf(loop);
  return rounds ? std::max(*rounds, fewest) : any;
}

int64_t RingSlots::slotsFor(scf::ForOp loop, ArrayRef<RingPart> parts) {
  auto asked = kernel->getAttrOfType<IntegerAttr>("tile.stages");
  int64_t usual = usualSlots(loop, parts);
  int64_t wanted = std::min(asked ? asked.getInt() : usual, mostNeeded(loop));
  int64_t inner = bytesForInner(loop), most = bytesForBlock();
  auto fitting = [&](int64_t bytes) {
    int64_t slots = wanted;
    while (slots > 0 &&
           bytesWith(loop, parts, slots) + inner + reserved > bytes)
      --slots;
    return slots;
  };
  int64_t slots = fitting(most);
  // Nobody else comes to a processor that one block has: attention of 16
  // queries, 128 blocks, took 48 us with room for two of them and 36 with
  // twice as many slots.
  if (most == options.sharedBytes && !asked && !isAlone(loop, parts)) {
    int64_t twice = fitting(most / 2);
    auto warps = kernel->getAttrOfType<IntegerAttr>("tile.warps");
    if (twice >= 2 &&
        (!warps || hasRegistersForTwo(loop, warps.getInt(), options.hasEngine)))
      slots = twice;
  }
  // A round that consists of others is long enough to copy for the next one,
  // and even into the same slot, if that is free before they begin. What it
  // leaves is theirs: of 128 terms behind 4096, 8192x4096 by 4096x4096, two
  // slots left two, and took 773 us for 400. Threads that copy for the next
  // round do so before they release anything.
  bool isByEngine = isForEngine(loop, options.hasEngine) &&
                    llvm::all_of(parts, isCopiedByEngine);
  if (inner != 0 && slots > 0 && isByEngine &&
      isLoadedByRole(kernel, options.hasEngine) &&
      lastBeforeLoops(loop, readersOf(parts)))
    return 1;
  if (inner != 0)
    slots = std::min<int64_t>(slots, 2);
  return slots < 2 ? 0 : slots;
}
