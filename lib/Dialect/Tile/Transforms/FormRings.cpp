//===- FormRings.cpp - what a loop reads goes through shared memory -------===//
//
// A load in a loop that is only brought to shared memory becomes a copy into a
// slot of a ring, and so does one that a factor of a product by warpgroups is
// computed from, which threads then read from the slot. Here each round still
// copies what it reads itself:
//
//   for n { acquire; copy..; commit; wait; ..body..; release }
//
// Where a role of its own will load, loops that read one after another have one
// ring. Its numbers go on from one of them to the next, and are of several
// kinds where slots have to hold different tiles.
//
// It is right as it stands. Copying ahead is done by those who come later,
// since an address that depends on the round's number only can be computed for
// any round.
//
//===----------------------------------------------------------------------===//

#include "RingRounds.h"
#include "RingSlots.h"
#include "RingWriter.h"
#include "fuse/Dialect/Tile/Analysis/SharedPlaces.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse {
#define GEN_PASS_DEF_FORMRINGS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Parts that have a slot together.
using Groups = SmallVector<SmallVector<RingPart>>;

namespace {

/// Gives the loops of a kernel their rings, one after another.
class RingFormer {
public:
  RingFormer(KernelOp kernel, const FormRingsOptions &options)
      : kernel(kernel), options(options), rewriter(kernel.getContext()) {}
  bool formOne();

private:
  using Loops = SmallVector<scf::ForOp>;

  Value countTrips(scf::ForOp loop);
  Value countRounds(scf::ForOp loop);
  Value carry(Loops &around);
  void goOn(ArrayRef<scf::ForOp> around, Operation *last, Value base,
            Value rounds);
  CountedLoop count(scf::ForOp loop);

  bool canShare(const RingLoop &loop) const;
  SmallVector<RingLoop> loopsTogether(scf::ForOp loop,
                                      ArrayRef<RingPart> parts);
  SmallVector<RingLoop> loopsBehind(scf::ForOp loop);
  int64_t slotsTogether(ArrayRef<RingLoop> loops);
  bool isEarly(int64_t slots) const;
  Groups groupsOf(scf::ForOp loop, ArrayRef<RingPart> parts,
                  int64_t slots) const;
  SmallVector<CountedLoop> countTogether(ArrayRef<RingLoop> loops);
  bool formTogether(scf::ForOp loop, ArrayRef<RingPart> parts);
  bool form(scf::ForOp loop, ArrayRef<RingPart> parts);

  KernelOp kernel;
  const FormRingsOptions &options;
  IRRewriter rewriter;
};

} // namespace

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

/// Makes `loop` count rounds from 0 on; returns how many there are.
Value RingFormer::countRounds(scf::ForOp loop) {
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
  return trips;
}

/// A loop and those around it, the innermost first.
static SmallVector<scf::ForOp> loopsFrom(Operation *op) {
  SmallVector<scf::ForOp> loops;
  for (; !isa<KernelOp>(op); op = op->getParentOp())
    loops.push_back(cast<scf::ForOp>(op));
  return loops;
}

/// Makes loops carry the number of rounds that there were before, and returns
/// what the innermost one has of it.
Value RingFormer::carry(Loops &around) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&kernel.getBody().front());
  Value base = arith::ConstantIndexOp::create(rewriter, kernel.getLoc(), 0);
  for (scf::ForOp &outer : llvm::reverse(around)) {
    outer = cast<scf::ForOp>(*outer.replaceWithAdditionalYields(
        rewriter, base, /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
          return SmallVector<Value>(carried.begin(), carried.end());
        }));
    base = outer.getRegionIterArgs().back();
  }
  return base;
}

/// So many rounds more there were behind the last loop that has any.
void RingFormer::goOn(ArrayRef<scf::ForOp> around, Operation *last, Value base,
                      Value rounds) {
  if (around.empty())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(last);
  Value next = arith::AddIOp::create(rewriter, last->getLoc(), base, rounds);
  for (scf::ForOp outer : around) {
    Operation *yield = outer.getBody()->getTerminator();
    yield->setOperand(yield->getNumOperands() - 1, next);
    next = outer.getResults().back();
  }
}

CountedLoop RingFormer::count(scf::ForOp loop) {
  Value rounds = countRounds(loop);
  Loops around = loopsFrom(loop->getParentOp());
  Value base = carry(around);
  goOn(around, loop, base, rounds);
  return {loop, base};
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
/// needs one without the other. What meets a sum on the way has a slot of its
/// own. Products by warpgroups that have no part in common may go on next to
/// each other, and so have slots of their own; others are done one by one, and
/// less often waited for with one slot for all.
static Groups groupParts(scf::ForOp loop, ArrayRef<RingPart> parts) {
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
static Groups separateRead(ArrayRef<SmallVector<RingPart>> groups) {
  Groups separate;
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

static bool hasLoops(scf::ForOp loop) {
  return !loop.getBody()->getOps<scf::ForOp>().empty();
}

/// Whether the engine copies all that a loop reads.
bool RingFormer::canShare(const RingLoop &loop) const {
  return isCountable(loop.loop) && !loop.parts.empty() &&
         llvm::all_of(loop.parts, isCopiedByEngine);
}

/// Loops that read one after another: those that follow a loop, or those in it,
/// if it has read all of its own when they begin. Roles keep them in order,
/// where one fills and one reads.
SmallVector<RingLoop> RingFormer::loopsTogether(scf::ForOp loop,
                                                ArrayRef<RingPart> parts) {
  SmallVector<RingLoop> loops{{loop, llvm::to_vector(parts)}};
  bool isAround = hasLoops(loop);
  if (!isLoadedByRole(kernel, options.hasEngine) || !canShare(loops.front()) ||
      (isAround && !lastBeforeLoops(loop, readersOf(parts))))
    return loops;
  Operation *next = isAround ? &loop.getBody()->front() : loop->getNextNode();
  for (; next; next = next->getNextNode()) {
    auto other = dyn_cast<scf::ForOp>(next);
    if (!other)
      continue;
    RingLoop own{other, ringPartsOf(other, options.hasEngine)};
    if (hasLoops(other) || !canShare(own))
      break;
    loops.push_back(std::move(own));
  }
  return loops;
}

/// How many slots loops can have in common, each with room for what the largest
/// of them reads; 0 if that would have as many beside what is around it.
int64_t RingFormer::slotsTogether(ArrayRef<RingLoop> loops) {
  SmallVector<RingLoop> others(loops);
  auto *largest = llvm::max_element(others, [](const RingLoop &a,
                                               const RingLoop &b) {
    return sharedBytesOf(typesOf(a.parts)) < sharedBytesOf(typesOf(b.parts));
  });
  RingLoop main = *largest;
  others.erase(largest);
  SmallVector<RingLoop> behind = loopsBehind(loops.back().loop);
  RingSlots shared(kernel, options);
  shared.share(others);
  shared.leaveRoomFor(behind, /*slots=*/2);
  int64_t slots = shared.slotsFor(main.loop, main.parts);
  constexpr int64_t fewest = 2;
  if (!hasLoops(loops.front().loop) || slots < fewest)
    return slots < fewest ? 0 : slots;
  RingSlots apart(kernel, options);
  apart.leaveRoomFor(others, /*slots=*/1);
  return slots > apart.slotsFor(main.loop, main.parts) ? slots : 0;
}

/// With two slots, one of which is being read, both are needed at the same time
/// anyway, and are waited for twice: M5 took 950 us so for 931.
bool RingFormer::isEarly(int64_t slots) const {
  constexpr int64_t fewestSlots = 3;
  return options.hasEngine && fillsProcessor(kernel) && slots >= fewestSlots;
}

Groups RingFormer::groupsOf(scf::ForOp loop, ArrayRef<RingPart> parts,
                            int64_t slots) const {
  Groups groups = groupParts(loop, parts);
  return isEarly(slots) ? separateRead(groups) : groups;
}

static bool areHeld(scf::ForOp loop, ArrayRef<RingPart> parts) {
  return llvm::all_of(parts, [&](RingPart part) {
    return isHeld(part.value(), loop.getBody());
  });
}

/// What loops read as one group each becomes one ring. What is of the same
/// types is of the same kind, of which each loop gets the number.
static SmallVector<SmallVector<RankedTensorType>>
kindsOf(ArrayRef<Groups> groups, size_t place, SmallVectorImpl<int64_t> &kind) {
  SmallVector<SmallVector<RankedTensorType>> kinds;
  for (const Groups &own : groups) {
    SmallVector<RankedTensorType> types = typesOf(own[place]);
    auto *known = llvm::find(kinds, types);
    kind.push_back(known - kinds.begin());
    if (known == kinds.end())
      kinds.push_back(types);
  }
  return kinds;
}

/// Whether rings of these groups have no more in their slots than the largest
/// of the loops has.
static bool haveRoomTogether(ArrayRef<Groups> loops) {
  size_t numPlaces = loops.front().size();
  int64_t largest = 0, all = 0;
  for (const Groups &own : loops) {
    int64_t bytes = 0;
    for (ArrayRef<RingPart> group : own)
      bytes += sharedBytesOf(typesOf(group));
    largest = std::max(largest, bytes);
    if (own.size() != numPlaces)
      return false;
  }
  for (size_t place = 0; place < numPlaces; ++place) {
    int64_t most = 0;
    for (const Groups &own : loops)
      most = std::max(most, sharedBytesOf(typesOf(own[place])));
    all += most;
  }
  return all <= largest;
}

/// Makes loops that have rings in common count their rounds, one behind the
/// other.
SmallVector<CountedLoop> RingFormer::countTogether(ArrayRef<RingLoop> loops) {
  scf::ForOp first = loops.front().loop;
  bool isAround = hasLoops(first);
  Loops around = loopsFrom(isAround ? first : first->getParentOp());
  Value base = carry(around);
  ImplicitLocOpBuilder b(
      around.empty() ? first.getLoc() : around.front().getLoc(), rewriter);
  b.setInsertionPointToStart(&kernel.getBody().front());
  Value before = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<CountedLoop> counted;
  for (const RingLoop &own : loops) {
    bool isOwn = isAround && counted.empty();
    scf::ForOp loop = isOwn ? around.front() : own.loop;
    Value rounds = isOwn ? one : countRounds(loop);
    b.setInsertionPoint(isOwn ? &loop.getBody()->front() : loop.getOperation());
    Value number = b.createOrFold<arith::AddIOp>(base, before);
    before = b.createOrFold<arith::AddIOp>(before, rounds);
    counted.push_back({loop, number, !isOwn});
  }
  goOn(around, counted.back().loop, base, before);
  return counted;
}

/// Forms the same rings for loops that read one after another: while one of
/// them is run, all slots are its own, and what the next one reads first is on
/// its way at its end.
bool RingFormer::formTogether(scf::ForOp loop, ArrayRef<RingPart> parts) {
  SmallVector<RingLoop> loops = loopsTogether(loop, parts);
  if (loops.size() == 1)
    return false;
  int64_t slots = slotsTogether(loops);
  if (slots == 0)
    return false;
  SmallVector<Groups> groups =
      llvm::map_to_vector(loops, [&](const RingLoop &own) {
        return groupsOf(own.loop, own.parts, slots);
      });
  if (!haveRoomTogether(groups))
    return false;
  SmallVector<CountedLoop> counted = countTogether(loops);
  for (size_t place = groups.front().size(); place-- > 0;) {
    SmallVector<int64_t> kinds;
    TypedValue<RingType> ring = createRing(
        rewriter, counted.front().loop, slots, kindsOf(groups, place, kinds));
    for (auto [own, group, kind] : llvm::zip_equal(counted, groups, kinds))
      writeRing(rewriter, own, group[place], ring, kind,
                isEarly(slots) || areHeld(own.loop, group[place]));
  }
  return true;
}

/// The loops behind one. Where a role may load, which does so ahead of them,
/// none has the memory of another.
SmallVector<RingLoop> RingFormer::loopsBehind(scf::ForOp loop) {
  SmallVector<RingLoop> loops;
  if (multipliesByWarpgroups(kernel))
    for (Operation *next = loop->getNextNode(); next;
         next = next->getNextNode())
      if (auto other = dyn_cast<scf::ForOp>(next); other && isCountable(other))
        loops.push_back({other, ringPartsOf(other, options.hasEngine)});
  return loops;
}

/// Forms a ring of its own for a loop, if there is room for one.
bool RingFormer::form(scf::ForOp loop, ArrayRef<RingPart> parts) {
  SmallVector<RingLoop> behind = loopsBehind(loop);
  RingSlots room(kernel, options);
  room.leaveRoomFor(behind, /*slots=*/2);
  int64_t slots = room.slotsFor(loop, parts);
  if (slots == 0)
    return false;
  Groups groups = groupsOf(loop, parts, slots);
  CountedLoop counted = count(loop);
  // Each goes to the loop's start, the first one last. What is read once for
  // many rounds is free for as long.
  for (ArrayRef<RingPart> group : llvm::reverse(groups))
    writeRing(rewriter, counted, group,
              createRing(rewriter, loop, slots, typesOf(group)), /*kind=*/0,
              isEarly(slots) || areHeld(loop, group));
  return true;
}

/// Forms a ring for some loop that has none. What is around it is built anew.
bool RingFormer::formOne() {
  WalkResult walked = kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (!isCountable(loop))
      return WalkResult::advance();
    SmallVector<RingPart> parts = ringPartsOf(loop, options.hasEngine);
    if (parts.empty() || !(formTogether(loop, parts) || form(loop, parts)))
      return WalkResult::advance();
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
