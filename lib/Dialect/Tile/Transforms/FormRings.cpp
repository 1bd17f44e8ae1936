//===- FormRings.cpp - what a loop reads goes through shared memory -------===//
//
// A load in a loop that is only brought to shared memory becomes a copy into a
// slot of a ring, and so does one that a factor of a product by warpgroups is
// computed from, which threads then read from the slot. Here each round still
// copies what it reads itself:
//
//   for n { acquire; copy..; commit; wait; ..body..; release }
//
// which is right as it stands. Copying ahead is done by those who come later,
// since an address that depends on the round's number only can be computed for
// any round.
//
//===----------------------------------------------------------------------===//

#include "RingRounds.h"
#include "RingWriter.h"
#include "fuse/Dialect/Tile/Analysis/BoxCopy.h"
#include "fuse/Dialect/Tile/Analysis/Rounds.h"
#include "fuse/Dialect/Tile/Analysis/Scratch.h"
#include "fuse/Dialect/Tile/Analysis/SharedPlaces.h"
#include "fuse/Dialect/Tile/Analysis/StagedStore.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "fuse/Layout/Atoms.h"
#include "fuse/Layout/RoleRegisters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse {
#define GEN_PASS_DEF_FORMRINGS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

class RingFormer {
public:
  RingFormer(KernelOp kernel, const FormRingsOptions &options)
      : kernel(kernel), options(options), rewriter(kernel.getContext()) {}
  bool formOne();

private:
  std::optional<RingPart> partOf(LoadOp load, RoundOp round);
  SmallVector<RingPart> candidatesOf(scf::ForOp loop);
  SmallVector<RingPart> partsOf(scf::ForOp loop);
  bool isForEngine(scf::ForOp loop);
  int64_t bytesWith(scf::ForOp loop, ArrayRef<RingPart> parts, int64_t slots);
  int64_t bytesForInner(scf::ForOp loop);
  int64_t slotsOfOuter(scf::ForOp loop, ArrayRef<RingPart> parts,
                       int64_t cycles);
  int64_t slotsFor(scf::ForOp loop, ArrayRef<RingPart> parts);
  Value countTrips(scf::ForOp loop);
  CountedLoop count(scf::ForOp loop);

  KernelOp kernel;
  const FormRingsOptions &options;
  IRRewriter rewriter;
};

} // namespace

//===----------------------------------------------------------------------===//
// What can be copied ahead
//===----------------------------------------------------------------------===//

/// Whether `value` can be computed for any round of `loop` at any time, and for
/// rounds that there are not.
static bool isOfRoundOnly(Value value, scf::ForOp loop) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() && canBeOfAnyRound(op, loop) &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isOfRoundOnly(operand, loop);
         });
}

static bool canCopy(LoadOp load, RankedTensorType shared) {
  return asyncWidth(MemoryAccess::of(load),
                    layoutOf(load.getResult().getType()).getValue(),
                    sharedLayoutOf(shared).getValue()) != 0;
}

/// The dots that a tile becomes a factor of, in its block.
static SetVector<Operation *> dotsFedBy(Value tile, Block *block) {
  SetVector<Value> tiles;
  SetVector<Operation *> dots;
  tiles.insert(tile);
  for (unsigned next = 0; next < tiles.size(); ++next)
    for (OpOperand &use : tiles[next].getUses()) {
      Operation *user = use.getOwner();
      if (user->getBlock() != block || user->getNumRegions() != 0)
        continue;
      auto dot = dyn_cast<DotOp>(user);
      if (!dot)
        tiles.insert_range(
            llvm::make_filter_range(user->getResults(), [](Value result) {
              return isa<RankedTensorType>(result.getType());
            }));
      else if (use != dot.getAccMutable())
        dots.insert(dot);
    }
  return dots;
}

/// Whether a tile becomes a factor of a product that four warps do together:
/// what they wait for.
static bool feedsWarpgroups(Value tile, Block *block) {
  return llvm::any_of(dotsFedBy(tile, block), [](Operation *dot) {
    return cast<DotOp>(dot).getAtom() == Atom::Wgmma;
  });
}

/// Whether a tile is a factor that threads hold in registers for the products
/// by warpgroups of all rounds of a loop in it.
static bool isHeld(Value tile, Block *block) {
  if (!tile.hasOneUse())
    return false;
  auto convert = dyn_cast<ConvertLayoutOp>(*tile.user_begin());
  return convert && convert->getBlock() == block &&
         layoutOf(convert.getType()) && !convert->use_empty() &&
         llvm::all_of(convert->getUsers(), [&](Operation *user) {
           auto dot = dyn_cast<DotOp>(user);
           return dot && dot.getAtom() == Atom::Wgmma &&
                  dot->getBlock() != block;
         });
}

/// How a load lies in a slot that threads read; null if it cannot be copied.
/// The copy engine takes as long for a piece of a line as for all of it, which
/// is more than threads lose where they read from whole lines: 256 heads of 128
/// on 8192 with a bias of f32 took 348 us with boxes of 8 x 128, and 235 with
/// 32 x 128, 512 heads of 577 on 4096 1576 and 1238.
static RankedTensorType typeOfReadSlot(LoadOp load, Value value,
                                       bool hasEngine) {
  constexpr unsigned lineBytes = 128;
  MemoryAccess access = MemoryAccess::of(load);
  std::optional<unsigned> fast = access.fastAxis();
  auto type = cast<RankedTensorType>(value.getType());
  if (!fast || value.use_empty())
    return {};
  const Layout &wanted = wantedBy(*value.user_begin(), value).getValue();
  unsigned bytes = elementBytes(type.getElementType());
  std::optional<SharedLayout> memory;
  if (hasEngine)
    memory = swizzledShared(wanted.tile().extents(), *fast, bytes, lineBytes);
  if (!memory || !boxCopy(access, *memory))
    memory = sharedForReads(wanted, *fast, bytes);
  if (!memory)
    return {};
  return place(type, SharedLayoutAttr::get(load.getContext(), *memory));
}

std::optional<RingPart> RingFormer::partOf(LoadOp load, RoundOp round) {
  Block *block = load->getBlock();
  RingPart part{load, round, {}, {}};
  Value value = part.value();
  if (value.hasOneUse())
    part.shared = dyn_cast<ConvertLayoutOp>(*value.user_begin());
  if (part.shared && (part.shared->getBlock() != block ||
                      !sharedLayoutOf(part.shared.getType())))
    part.shared = nullptr;
  if (part.shared)
    part.type = part.shared.getType();
  else if (feedsWarpgroups(value, block) || isHeld(value, block))
    part.type = typeOfReadSlot(load, value, options.hasEngine);
  if (!part.type || !canCopy(load, part.type))
    return std::nullopt;
  // The slot is released at the end of the round.
  if (part.shared &&
      llvm::is_contained(part.shared->getUsers(), block->getTerminator()))
    return std::nullopt;
  // What the copy engine does not copy there it does not round, either, and
  // warpgroups need the engine for the other factor. Who multiplies without
  // them rounds what it has copied: 48x640 by 640x2560 took 91 us where each
  // load was rounded before the next one was asked for.
  if (round && options.hasEngine && feedsWarpgroups(value, block) &&
      !boxCopy(MemoryAccess::of(load), sharedLayoutOf(part.type).getValue()))
    return std::nullopt;
  return part;
}

static bool isCopiedByEngine(const RingPart &part) {
  return boxCopy(MemoryAccess::of(part.load),
                 sharedLayoutOf(part.type).getValue())
      .has_value();
}

/// Whether there are loops in `loop`, and the copy engine copies all that has
/// or gets a ring there.
bool RingFormer::isForEngine(scf::ForOp loop) {
  bool isAny = false, isAll = options.hasEngine;
  loop.getBody()->walk([&](Operation *op) {
    if (auto copy = dyn_cast<CopyOp>(op)) {
      isAny = true;
      isAll &= boxCopy(copy).has_value();
    }
    if (auto inner = dyn_cast<scf::ForOp>(op))
      for (const RingPart &part : partsOf(inner)) {
        isAny = true;
        isAll &= isCopiedByEngine(part);
      }
  });
  return isAny && isAll;
}

/// What a loop copies ahead. One ring that threads fill makes them fill all, so
/// where the engine copies what inner loops read, threads load the rest
/// themselves: a product of 4 terms before one of 1600, 10000 rows and 2304
/// columns, took 588 us in rings of threads.
SmallVector<RingPart> RingFormer::partsOf(scf::ForOp loop) {
  SmallVector<RingPart> parts = candidatesOf(loop);
  if (!llvm::all_of(parts, isCopiedByEngine) && isForEngine(loop))
    llvm::erase_if(
        parts, [](const RingPart &part) { return !isCopiedByEngine(part); });
  return parts;
}

SmallVector<RingPart> RingFormer::candidatesOf(scf::ForOp loop) {
  SmallVector<RingPart> parts;
  for (LoadOp load : loop.getBody()->getOps<LoadOp>()) {
    auto isFree = [&](Value value) { return isOfRoundOnly(value, loop); };
    // What begins before its row is aligned for the threads that hold it.
    if (!llvm::all_of(load.getIndices(), isFree) ||
        !llvm::all_of(load.getLimits(), isFree) || !load.getStarts().empty())
      continue;
    std::optional<RingPart> part;
    if (load->hasOneUse())
      if (auto round = dyn_cast<RoundOp>(*load->user_begin());
          round && round->getBlock() == loop.getBody())
        part = partOf(load, round);
    if (!part)
      part = partOf(load, RoundOp());
    if (part)
      parts.push_back(*part);
  }
  return parts;
}

static int64_t bytesOf(RankedTensorType type) {
  return llvm::alignTo(sharedTileBytes(type), sharedAlignment);
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

/// How many slots are enough where threads multiply number by number: what is
/// on its way when a round begins has to last until the next one is there. The
/// blocks of a processor take turns, so a round takes as long as all of them,
/// and those that share it do more than further slots: 64 x 64 in rounds of 32
/// has room for two blocks with seven slots, and for six with two.
int64_t RingFormer::slotsOfOuter(scf::ForOp loop, ArrayRef<RingPart> parts,
                                 int64_t cycles) {
  constexpr int64_t cyclesAlone = 2000, cyclesTogether = 4000, perBlock = 1024;
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
  kernel->setAttr("tile.together", rewriter.getI64IntegerAttr(blocks));
  int64_t slots = 2;
  for (; slots < options.slots && (slots - 1) * cycles < cyclesAlone; ++slots) {
    int64_t fitting = (options.sharedBytes + perBlock) /
                      (bytesWith(loop, parts, slots) + perBlock);
    if ((slots - 1) * cycles * std::min(blocks, fitting) >= cyclesTogether)
      break;
  }
  return slots;
}

/// What loops in `loop` need for a second slot of what they read. They go round
/// more often than it, and so come first.
int64_t RingFormer::bytesForInner(scf::ForOp loop) {
  int64_t bytes = 0;
  loop.getBody()->walk([&](scf::ForOp inner) {
    for (RingPart part : partsOf(inner))
      bytes += (part.shared ? 1 : 2) * bytesOf(part.type);
  });
  return bytes;
}

/// What reads the slots of parts.
static SmallVector<Operation *> readersOf(ArrayRef<RingPart> parts) {
  SmallVector<Operation *> readers;
  for (RingPart part : parts)
    for (Operation *user : part.value().getUsers())
      if (user == part.shared)
        llvm::append_range(readers, user->getUsers());
      else
        readers.push_back(user);
  return readers;
}

/// As many as are asked for, if two blocks still fit on a processor with them;
/// fewer else, but not one. Where the kernel says how many share a processor,
/// or its blocks have one for themselves, their part of it is filled.
int64_t RingFormer::slotsFor(scf::ForOp loop, ArrayRef<RingPart> parts) {
  // Each block takes a KiB beside its own, and barriers their part.
  constexpr int64_t perBlock = 1024, barriers = 1024;
  int64_t inner = bytesForInner(loop);
  auto warps = kernel->getAttrOfType<IntegerAttr>("tile.warps");
  auto residents = kernel->getAttrOfType<IntegerAttr>("tile.residents");
  auto asked = kernel->getAttrOfType<IntegerAttr>("tile.stages");
  int64_t most = options.sharedBytes;
  if (residents || (options.hasEngine && fillsProcessor(kernel)))
    most = (most + perBlock) / (residents ? residents.getInt() : 1) - perBlock -
           barriers;
  // More than are needed would only take from the first cache, through which
  // blocks share what they read: M4i took 2732 us with two slots of rounds of
  // 16, and 2794 with three.
  int64_t cycles = cyclesOfRound(loop);
  int64_t usual =
      cycles != 0 ? slotsOfOuter(loop, parts, cycles) : int64_t(options.slots);
  // Where a processor has one block, what is on its way to that is all that the
  // processor gets: 80 KiB in a microsecond. 64x3072 by 3072x4096 took 12.5 us
  // with six slots of 16 KiB, 10.3 with eight and 9.4 with thirteen, and 10.7
  // with eight of 12 KiB, 10.1 with twelve; 16x4096 by 4096x4096 10.7 with
  // eight of 20 KiB and 11.6 with twelve.
  constexpr int64_t usualAhead = 176 << 10;
  // What threads read by themselves comes through the first cache, which has
  // what slots leave: rows of 50257 took 83 us with eleven slots, 63 with
  // eight.
  auto isCopied = [&](LoadOp load) {
    return llvm::any_of(parts,
                        [&](RingPart part) { return part.load == load; });
  };
  bool isAlone = options.hasEngine && !residents &&
                 isAloneOnProcessor(kernel) &&
                 llvm::all_of(loop.getBody()->getOps<LoadOp>(), isCopied);
  int64_t slotBytes = 0;
  for (const RingPart &part : parts)
    slotBytes += bytesOf(part.type);
  // As many as a schedule may ask for.
  constexpr int64_t mostSlots = 16;
  if (isAlone && isOnlyLoop(loop)) {
    int64_t ahead = std::min(usualAhead / slotBytes, mostSlots);
    usual = std::max(usual, std::min(ahead, mostRounds(loop).value_or(ahead)));
  }
  int64_t wanted = asked ? asked.getInt() : usual;
  // What a loop never needs others can have. Blocks that multiply by groups
  // have a processor for themselves, and begin early for that, unless there are
  // more of them: 100000x128 by 128x16, two rounds each, took 12.7 us with room
  // for eight.
  constexpr int64_t fewest = 2;
  bool isAmongOthers = !multipliesByWarpgroups(kernel) ||
                       blocksForProcessor(kernel).value_or(1) > 1;
  if (isAmongOthers && isa<KernelOp>(loop->getParentOp()))
    if (std::optional<int64_t> rounds = mostRounds(loop))
      wanted = std::min(wanted, std::max(*rounds, fewest));
  auto fitting = [&](int64_t bytes) {
    int64_t slots = wanted;
    while (slots > 0 && bytesWith(loop, parts, slots) + inner > bytes)
      --slots;
    return slots;
  };
  int64_t slots = fitting(most);
  // Nobody else comes to a processor that one block has: attention of 16
  // queries, 128 blocks, took 48 us with room for two of them and 36 with
  // twice as many slots.
  if (most == options.sharedBytes && !asked && !isAlone) {
    int64_t twice = fitting(most / 2);
    if (twice >= 2 &&
        (!warps || hasRegistersForTwo(loop, warps.getInt(), options.hasEngine)))
      slots = twice;
  }
  // A round that consists of others is long enough to copy for the next one,
  // and even into the same slot, if that is free before they begin. What it
  // leaves is theirs: of 128 terms behind 4096, 8192x4096 by 4096x4096, two
  // slots left two, and took 773 us for 400.
  // Threads that copy for the next round do so before they release anything.
  bool isByEngine = isForEngine(loop) && llvm::all_of(parts, isCopiedByEngine);
  if (inner != 0 && slots > 0 && isByEngine &&
      lastBeforeLoops(loop, readersOf(parts)))
    return 1;
  if (inner != 0)
    slots = std::min<int64_t>(slots, 2);
  return slots < 2 ? 0 : slots;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// How many rounds a loop has; stands before it.
Value RingFormer::countTrips(scf::ForOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
  b.setInsertionPoint(loop);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value length =
      b.createOrFold<arith::SubIOp>(loop.getUpperBound(), loop.getLowerBound());
  length = b.createOrFold<arith::MaxSIOp>(length, number(0));
  Value rounded = b.createOrFold<arith::AddIOp>(
      length, b.createOrFold<arith::SubIOp>(loop.getStep(), number(1)));
  return b.createOrFold<arith::DivUIOp>(rounded, loop.getStep());
}

/// Makes `loop` count rounds from 0 on, and loops around it carry the number of
/// rounds that there were before.
CountedLoop RingFormer::count(scf::ForOp loop) {
  Value trips = countTrips(loop);
  ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
  b.setInsertionPoint(loop);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Operation *first = &loop.getBody()->front();
  b.setInsertionPoint(first);
  Value at =
      b.createOrFold<arith::MulIOp>(loop.getInductionVar(), loop.getStep());
  at = b.createOrFold<arith::AddIOp>(at, loop.getLowerBound());
  loop.getInductionVar().replaceUsesWithIf(at, [&](OpOperand &use) {
    return use.getOwner()->getBlock() != loop.getBody() ||
           !use.getOwner()->isBeforeInBlock(first);
  });
  loop.setLowerBound(zero);
  loop.setUpperBound(trips);
  loop.setStep(one);

  SmallVector<scf::ForOp> around;
  for (Operation *op = loop->getParentOp(); op != kernel;
       op = op->getParentOp())
    around.push_back(cast<scf::ForOp>(op));
  b.setInsertionPointToStart(&kernel.getBody().front());
  Value base = arith::ConstantIndexOp::create(b, 0);
  for (scf::ForOp &outer : llvm::reverse(around)) {
    outer = cast<scf::ForOp>(*outer.replaceWithAdditionalYields(
        rewriter, base, /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
          return SmallVector<Value>(carried.begin(), carried.end());
        }));
    base = outer.getRegionIterArgs().back();
  }
  b.setInsertionPointAfter(loop);
  Value next = base;
  if (!around.empty())
    next = arith::AddIOp::create(b, base, trips);
  for (scf::ForOp outer : around) {
    Operation *yield = outer.getBody()->getTerminator();
    yield->setOperand(yield->getNumOperands() - 1, next);
    next = outer.getResults().back();
  }
  return {loop, trips, base};
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// Whether a tile meets the sum of a product on its way to the next one: a
/// mask or a bias, which is needed long before the other factor.
static bool joinsSum(Value tile, Block *block) {
  SetVector<Value> sums, tiles;
  for (DotOp dot : block->getOps<DotOp>())
    sums.insert(dot.getResult());
  auto spread = [&](SetVector<Value> &values) {
    for (unsigned next = 0; next < values.size(); ++next)
      for (Operation *user : values[next].getUsers())
        if (user->getBlock() == block && !isa<DotOp>(user))
          values.insert_range(user->getResults());
  };
  spread(sums);
  tiles.insert(tile);
  spread(tiles);
  return llvm::any_of(tiles, [&](Value value) { return sums.contains(value); });
}

/// Parts that a product multiplies with each other share a slot, since nobody
/// needs one without the other. So has what meets a sum on the way a slot of
/// its own. Products by warpgroups that have no part in
/// common may go on next to each other, and so have slots of their own; others
/// are done one by one, and less often waited for with one slot for all.
static SmallVector<SmallVector<RingPart>> groupParts(scf::ForOp loop,
                                                     ArrayRef<RingPart> parts) {
  bool goOn = llvm::all_of(loop.getBody()->getOps<DotOp>(), [](DotOp dot) {
    return dot.getAtom() == Atom::Wgmma;
  });
  struct Group {
    SmallVector<RingPart> parts;
    SetVector<Operation *> dots;
  };
  SmallVector<Group> groups;
  for (RingPart part : parts) {
    Group joined{{part}, {}};
    if (!goOn || !joinsSum(part.value(), loop.getBody()))
      joined.dots = dotsFedBy(part.value(), loop.getBody());
    // Groups that the part connects become one.
    SmallVector<Group> others;
    for (Group &group : groups) {
      bool isShared = !goOn || llvm::any_of(group.dots, [&](Operation *dot) {
        return joined.dots.contains(dot);
      });
      if (!isShared) {
        others.push_back(std::move(group));
        continue;
      }
      joined.parts.insert(joined.parts.begin(), group.parts.begin(),
                          group.parts.end());
      joined.dots.insert_range(group.dots);
    }
    others.push_back(std::move(joined));
    groups = std::move(others);
  }
  return llvm::map_to_vector(groups, [](Group &group) { return group.parts; });
}

/// What threads read before a product begins has a slot of its own beside what
/// the product reads itself: it is free, and copied anew, while that goes on.
static SmallVector<SmallVector<RingPart>>
separateRead(ArrayRef<SmallVector<RingPart>> groups) {
  SmallVector<SmallVector<RingPart>> separate;
  for (ArrayRef<RingPart> group : groups) {
    SmallVector<RingPart> read, multiplied;
    for (RingPart part : group)
      (part.shared ? multiplied : read).push_back(part);
    if (!read.empty())
      separate.push_back(read);
    if (!multiplied.empty())
      separate.push_back(multiplied);
  }
  return separate;
}

/// What a kernel needs if a loop has a ring for `parts`. Loads that become
/// parts, and what users of them would have needed, take no room. Each crew has
/// its own of all but rings.
int64_t RingFormer::bytesWith(scf::ForOp loop, ArrayRef<RingPart> parts,
                              int64_t slots) {
  auto isOfPart = [&](Operation *op) {
    return isa<ConvertLayoutOp>(op) && llvm::any_of(parts, [&](RingPart part) {
             return op->getOperand(0) == part.value() &&
                    (!sharedLayoutOf(op->getResult(0).getType()) ||
                     op == part.shared);
           });
  };
  SharedPlaces places(kernel), ofCrew(kernel);
  int64_t crews = crewsOf(kernel);
  SharedPlaces &own = crews == 1 ? places : ofCrew;
  int64_t scratch = 0, split = 0, slotBytes = 0;
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
    int64_t bytes = 0;
    for (RankedTensorType part : op.getType().getParts())
      bytes += op.getType().getSlots() * bytesOf(part);
    places.placeRing(op, bytes);
  });
  for (RingPart part : parts)
    slotBytes += bytesOf(part.type);
  places.placeRingOf(loop, slots * slotBytes);
  auto aligned = [](int64_t bytes) {
    return int64_t(llvm::alignTo(bytes, sharedAlignment));
  };
  return crews * (aligned(scratch) + aligned(ofCrew.totalBytes())) +
         aligned(places.totalBytes());
}

/// Forms a ring for some loop that has none. What is around it is built anew.
bool RingFormer::formOne() {
  WalkResult walked = kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (!isCountable(loop))
      return WalkResult::advance();
    SmallVector<RingPart> parts = partsOf(loop);
    int64_t slots = parts.empty() ? 0 : slotsFor(loop, parts);
    if (slots == 0)
      return WalkResult::advance();
    SmallVector<SmallVector<RingPart>> groups = groupParts(loop, parts);
    // With two slots, one of which is being read, both are needed at the same
    // time anyway, and are waited for twice: M5 took 950 us so for 931.
    constexpr int64_t fewestSlots = 3;
    bool isEarly =
        options.hasEngine && fillsProcessor(kernel) && slots >= fewestSlots;
    if (isEarly)
      groups = separateRead(groups);
    CountedLoop counted = count(loop);
    // Each goes to the loop's start, the first one last. What is read once for
    // many rounds is free for as long.
    for (ArrayRef<RingPart> group : llvm::reverse(groups))
      writeRing(rewriter, counted, group, slots,
                isEarly || llvm::all_of(group, [&](RingPart part) {
                  return isHeld(part.value(), loop.getBody());
                }));
    return WalkResult::interrupt();
  });
  return walked.wasInterrupted();
}

namespace {

struct FormRingsPass final : fuse::impl::FormRingsBase<FormRingsPass> {
  using FormRingsBase::FormRingsBase;

  void runOnOperation() final {
    FormRingsOptions chosen;
    chosen.slots = slots;
    chosen.sharedBytes = sharedBytes;
    chosen.hasEngine = hasEngine;
    RingFormer former(getOperation(), chosen);
    while (former.formOne()) {
    }
  }
};

} // namespace
