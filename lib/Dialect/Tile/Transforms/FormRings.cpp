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
#include "RingSlots.h"
#include "RingWriter.h"
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

namespace {

/// Gives the loops of a kernel their rings, one after another.
class RingFormer {
public:
  RingFormer(KernelOp kernel, const FormRingsOptions &options)
      : kernel(kernel), options(options), rewriter(kernel.getContext()) {}
  bool formOne();

private:
  Value countTrips(scf::ForOp loop);
  CountedLoop count(scf::ForOp loop);

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
/// needs one without the other. What meets a sum on the way has a slot of its
/// own. Products by warpgroups that have no part in common may go on next to
/// each other, and so have slots of their own; others are done one by one, and
/// less often waited for with one slot for all.
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

/// Forms a ring for some loop that has none. What is around it is built anew.
bool RingFormer::formOne() {
  WalkResult walked = kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (!isCountable(loop))
      return WalkResult::advance();
    SmallVector<RingPart> parts = ringPartsOf(loop, options.hasEngine);
    int64_t slots =
        parts.empty() ? 0 : RingSlots(kernel, options).slotsFor(loop, parts);
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
