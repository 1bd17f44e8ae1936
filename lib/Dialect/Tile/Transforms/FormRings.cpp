//===- FormRings.cpp - what a loop reads goes through shared memory -------===//
//
// A load in a loop that is only brought to shared memory becomes a copy into a
// slot of a ring. Here each round still copies what it reads itself:
//
//   for n { acquire; copy..; commit; wait; ..body..; release }
//
// which is right as it stands. Copying ahead is done by those who come later,
// since an address that depends on the round's number only can be computed for
// any round.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Analysis/Scratch.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse {
#define GEN_PASS_DEF_FORMRINGS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// A load and the tile in shared memory that is all it is used for.
struct Part {
  LoadOp load;
  ConvertLayoutOp shared;
};

/// A loop whose round with number `n` of `trips` is `lower + n * step`.
struct CountedLoop {
  scf::ForOp loop;
  Value trips, base;
};

class RingFormer {
public:
  RingFormer(KernelOp kernel, const FormRingsOptions &options)
      : kernel(kernel), options(options), rewriter(kernel.getContext()) {}
  bool formOne();

private:
  SmallVector<Part> partsOf(scf::ForOp loop);
  int64_t bytesUsed();
  int64_t slotsFor(scf::ForOp loop, ArrayRef<Part> parts);
  Value countTrips(scf::ForOp loop);
  CountedLoop count(scf::ForOp loop);
  void form(const CountedLoop &counted, ArrayRef<Part> parts, int64_t slots);

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
  return op && op->getBlock() == loop.getBody() && op->getNumRegions() == 0 &&
         isPure(op) &&
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

SmallVector<Part> RingFormer::partsOf(scf::ForOp loop) {
  SmallVector<Part> parts;
  for (LoadOp load : loop.getBody()->getOps<LoadOp>()) {
    if (!load->hasOneUse())
      continue;
    auto shared = dyn_cast<ConvertLayoutOp>(*load->user_begin());
    if (!shared || shared->getBlock() != loop.getBody() ||
        !sharedLayoutOf(shared.getType()) || !canCopy(load, shared.getType()))
      continue;
    // The slot is released at the end of the round.
    if (llvm::is_contained(shared->getUsers(), loop.getBody()->getTerminator()))
      continue;
    auto isFree = [&](Value value) { return isOfRoundOnly(value, loop); };
    if (llvm::all_of(load.getIndices(), isFree) &&
        llvm::all_of(load.getLimits(), isFree))
      parts.push_back({load, shared});
  }
  return parts;
}

static constexpr int64_t tileAlignment = 1024;

static int64_t bytesOf(RankedTensorType type) {
  return llvm::alignTo(type.getNumElements() *
                           elementBytes(type.getElementType()),
                       tileAlignment);
}

/// Whether registers are enough for two blocks on a processor, as far as what
/// loops carry tells.
static bool hasRegistersForTwo(scf::ForOp loop, int64_t warps) {
  constexpr int64_t processorRegisters = 65536, others = 64;
  int64_t carried = 0;
  for (Operation *op = loop; op; op = op->getParentOp())
    if (auto around = dyn_cast<scf::ForOp>(op))
      for (Value tile : around.getRegionIterArgs())
        if (LayoutAttr layout = layoutOf(tile.getType()))
          carried +=
              layout.getValue().numRegisters() *
              elementBytes(
                  cast<RankedTensorType>(tile.getType()).getElementType()) /
              4;
  return 2 * warps * numLanes * (carried + others) <= processorRegisters;
}

/// As many as are asked for, if two blocks still fit on a processor with them;
/// fewer else, but not one.
int64_t RingFormer::slotsFor(scf::ForOp loop, ArrayRef<Part> parts) {
  int64_t slotBytes = 0;
  for (Part part : parts)
    slotBytes += bytesOf(part.shared.getType());
  // The tiles themselves take no room then.
  int64_t others = bytesUsed() - slotBytes;
  int64_t fitting = (options.sharedBytes / 2 - others) / slotBytes;
  auto warps = kernel->getAttrOfType<IntegerAttr>("tile.warps");
  if (fitting < 2 || (warps && !hasRegistersForTwo(loop, warps.getInt())))
    fitting = (options.sharedBytes - others) / slotBytes;
  if (auto asked = kernel->getAttrOfType<IntegerAttr>("tile.stages"))
    fitting =
        std::min(asked.getInt(), (options.sharedBytes - others) / slotBytes);
  else
    fitting = std::min<int64_t>(options.slots, fitting);
  int64_t slots = fitting;
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

/// Parts that a product multiplies with each other share a slot, since nobody
/// needs one without the other. Products by warpgroups that have no part in
/// common may go on next to each other, and so have slots of their own; others
/// are done one by one, and less often waited for with one slot for all.
static SmallVector<SmallVector<Part>> groupParts(scf::ForOp loop,
                                                 ArrayRef<Part> parts) {
  bool goOn = llvm::all_of(loop.getBody()->getOps<DotOp>(), [](DotOp dot) {
    return dot.getAtom() == Atom::Wgmma;
  });
  SmallVector<SmallVector<Part>> groups;
  for (Part part : parts) {
    auto isShared = [&](const SmallVector<Part> &group) {
      return !goOn || llvm::any_of(group, [&](Part other) {
        return llvm::any_of(part.shared->getUsers(), [&](Operation *user) {
          return llvm::is_contained(other.shared->getUsers(), user);
        });
      });
    };
    // Groups that the part connects become one.
    SmallVector<Part> joined{part};
    SmallVector<SmallVector<Part>> others;
    for (SmallVector<Part> &group : groups) {
      if (isShared(group))
        joined.insert(joined.end() - 1, group.begin(), group.end());
      else
        others.push_back(std::move(group));
    }
    others.push_back(std::move(joined));
    groups = std::move(others);
  }
  return groups;
}

void RingFormer::form(const CountedLoop &counted, ArrayRef<Part> parts,
                      int64_t slots) {
  scf::ForOp loop = counted.loop;
  ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
  SmallVector<RankedTensorType> types;
  for (Part part : parts)
    types.push_back(part.shared.getType());
  b.setInsertionPointToStart(&kernel.getBody().front());
  Value ring = RingOp::create(b, RingType::get(b.getContext(), slots, types),
                              Feed::CpAsync);

  // Where the last of the addresses is known, and no part is used yet: every
  // address is of the round only, so it can be computed at the loop's start.
  SetVector<Operation *> slice;
  BackwardSliceOptions within;
  within.omitBlockArguments = true;
  within.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody();
  };
  for (Part part : parts)
    (void)getBackwardSlice(part.load.getOperation(), &slice, within);
  Block *body = loop.getBody();
  Operation *first = &body->front();
  for (Operation *op : topologicalSort(slice)) {
    if (op == first)
      first = first->getNextNode();
    else
      op->moveBefore(first);
  }
  b.setInsertionPoint(first);
  Value number =
      b.createOrFold<arith::AddIOp>(counted.base, loop.getInductionVar());
  AcquireOp::create(b, ring, number);
  for (auto [index, each] : llvm::enumerate(parts)) {
    Part part = each;
    auto copy = CopyOp::create(b, part.load, ring, number, index);
    copy->setLoc(part.load.getLoc());
    copy.setThreadsAttr(layoutOf(part.load.getResult().getType()));
  }
  CommitOp::create(b, ring, number);
  auto wait = WaitOp::create(b, ring, number);
  for (auto [part, tile] : llvm::zip_equal(parts, wait.getParts())) {
    rewriter.replaceOp(part.shared, tile);
    rewriter.eraseOp(part.load);
  }
  b.setInsertionPoint(body->getTerminator());
  ReleaseOp::create(b, ring, number, ValueRange());
}

int64_t RingFormer::bytesUsed() {
  int64_t bytes = llvm::alignTo(scratchBytes(kernel), tileAlignment);
  kernel.walk([&](ConvertLayoutOp op) {
    if (sharedLayoutOf(op.getType()))
      bytes += bytesOf(op.getType());
  });
  kernel.walk([&](RingOp op) {
    for (RankedTensorType part : op.getType().getParts())
      bytes += op.getType().getSlots() * bytesOf(part);
  });
  return bytes;
}

/// Whether the rounds of a loop can be counted, in the kernel as a whole too.
static bool isCountable(scf::ForOp loop) {
  if (!loop.getInductionVar().getType().isIndex() || loop.getUnsignedCmp())
    return false;
  Operation *op = loop->getParentOp();
  while (isa<scf::ForOp>(op))
    op = op->getParentOp();
  return isa<KernelOp>(op);
}

/// Forms a ring for some loop that has none. What is around it is built anew.
bool RingFormer::formOne() {
  WalkResult walked = kernel.walk([&](scf::ForOp loop) {
    if (!isCountable(loop))
      return WalkResult::advance();
    SmallVector<Part> parts = partsOf(loop);
    int64_t slots = parts.empty() ? 0 : slotsFor(loop, parts);
    if (slots == 0)
      return WalkResult::advance();
    SmallVector<SmallVector<Part>> groups = groupParts(loop, parts);
    CountedLoop counted = count(loop);
    // Each goes to the loop's start, the first one last.
    for (ArrayRef<Part> group : llvm::reverse(groups))
      form(counted, group, slots);
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
    RingFormer former(getOperation(), chosen);
    while (former.formOne()) {
    }
  }
};

} // namespace
