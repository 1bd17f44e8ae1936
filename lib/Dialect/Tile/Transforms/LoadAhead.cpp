//===- LoadAhead.cpp - what the next round reads is asked for in this one -===//
//
// A loop that reduces rows waits for each round's load, and then computes,
// which takes longest where functions are. Where no product is in it, whose
// factors have a ring, threads ask for the next round before they compute with
// this one:
//
//   for n { x = load(n); .. }
//
//   x = load(0); for n { y = load(n + 1); .. ; x = y }
//
//===----------------------------------------------------------------------===//

#include "RingRounds.h"
#include "ThreadLimits.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse {
#define GEN_PASS_DEF_LOADAHEAD
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// A loop, and what of it can be asked for a round ahead.
class Ahead {
public:
  Ahead(scf::ForOp loop, IRRewriter &rewriter)
      : loop(loop), rewriter(rewriter) {}
  bool canRun();
  void run();

private:
  bool isOfRound(Value value, SetVector<Operation *> &slice);
  LoadOp loadAt(LoadOp load, Value round, OpBuilder &b);

  scf::ForOp loop;
  IRRewriter &rewriter;
  SmallVector<LoadOp> loads;
};

} // namespace

/// Whether a number is made of the round's only; adds to `slice` how.
bool Ahead::isOfRound(Value value, SetVector<Operation *> &slice) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() != 0 ||
      !isPure(op) || !value.getType().isIntOrIndex() ||
      !llvm::all_of(op->getOperands(),
                    [&](Value operand) { return isOfRound(operand, slice); }))
    return false;
  slice.insert(op);
  return true;
}

/// Whether a function is computed of more elements than threads have one each.
static bool isFunctionOfMany(Operation &op) {
  if (!isa<math::MathDialect>(op.getDialect()) || op.getNumResults() != 1)
    return false;
  LayoutAttr layout = layoutOf(op.getResult(0).getType());
  constexpr unsigned many = 16;
  return layout && layout.getValue().numRegisters() >= many;
}

/// Whether a thread reads whole words.
static bool isInVectors(LoadOp load) {
  MemoryAccess access = MemoryAccess::of(load);
  constexpr unsigned wordBytes = 4;
  return access.vectorWidth() *
             elementBytes(load.getResult().getType().getElementType()) >=
         wordBytes;
}

bool Ahead::canRun() {
  // Registers for more would leave no room for other blocks: losses of
  // 2048x128256 bf16 take 151 us for 190, of 8192x32000 148 for 161, but what
  // is cut out of chunks, in 4096x50257, 200 for 137. Without functions other
  // blocks do the same: variances of 64x256x56x56 39.5 for 34.7.
  constexpr int64_t mostRegisters = 32, fewestRounds = 4;
  std::optional<int64_t> rounds = mostRounds(loop);
  if (rounds && *rounds < fewestRounds)
    return false;
  int64_t registers = 0;
  bool hasFunctions = false;
  for (Operation &op : *loop.getBody()) {
    auto load = dyn_cast<LoadOp>(op);
    if (!load) {
      // Others copy ahead, or something may be written.
      bool isOther =
          isa<DotOp, StoreOp, GatherOp, WaitOp, AcquireOp, scf::ForOp>(op);
      op.walk([&](StoreOp) { isOther = true; });
      if (isOther)
        return false;
      hasFunctions |= isFunctionOfMany(op);
      continue;
    }
    SetVector<Operation *> slice;
    auto isFree = [&](Value value) { return isOfRound(value, slice); };
    bool isOfLoop = llvm::any_of(load.getIndices(), [&](Value value) {
      return !loop.isDefinedOutsideOfLoop(value);
    });
    if (!isOfLoop || load.getResult().getType().getRank() == 0 ||
        !llvm::all_of(load->getOperands(), isFree))
      continue;
    if (!isInVectors(load))
      return false;
    registers += registersOf(load.getResult().getType());
    loads.push_back(load);
  }
  return hasFunctions && !loads.empty() && registers <= mostRegisters;
}

/// What `load` reads in the round whose number `round` is; nothing if there is
/// no such round.
LoadOp Ahead::loadAt(LoadOp load, Value round, OpBuilder &builder) {
  ImplicitLocOpBuilder b(load.getLoc(), builder);
  SetVector<Operation *> slice;
  for (Value operand : load->getOperands())
    (void)isOfRound(operand, slice);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), round);
  for (Operation *op : slice)
    b.clone(*op, mapping);
  auto mapped = [&](ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, round,
                                        loop.getUpperBound());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Value> limits = mapped(load.getLimits());
  SmallVector<int64_t> axes(load.getAxes());
  if (limits.empty()) {
    limits.push_back(arith::ConstantIndexOp::create(
        b, load.getResult().getType().getDimSize(0)));
    axes.push_back(0);
  }
  limits.front() = arith::SelectOp::create(b, isThere, limits.front(), zero);
  auto made = LoadOp::create(
      b, load.getResult().getType(), load.getMemory(),
      mapped(load.getIndices()),
      load.getMapAttr() ? load.getAxisMap() : AffineMap(), limits, axes,
      load.getGuarded(), mapped(load.getStarts()), load.getDisjoint());
  for (NamedAttribute attribute : load->getDiscardableAttrs())
    made->setAttr(attribute.getName(), attribute.getValue());
  return made;
}

void Ahead::run() {
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> first;
  for (LoadOp load : loads)
    first.push_back(loadAt(load, loop.getLowerBound(), rewriter));
  // Behind what is read of this round, whose registers are free then.
  auto made = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument>) {
        SmallVector<Value> next;
        b.setInsertionPoint(loads.back());
        Value round = arith::AddIOp::create(b, loc, loop.getInductionVar(),
                                            loop.getStep());
        for (LoadOp load : loads)
          next.push_back(loadAt(load, round, b));
        return next;
      }));
  for (auto [load, carried] :
       llvm::zip_equal(loads, made.getRegionIterArgs().take_back(loads.size())))
    rewriter.replaceOp(load, carried);
}

namespace {

struct LoadAheadPass final : fuse::impl::LoadAheadBase<LoadAheadPass> {
  void runOnOperation() final {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      if (Ahead ahead(loop, rewriter); ahead.canRun())
        ahead.run();
  }
};

} // namespace
