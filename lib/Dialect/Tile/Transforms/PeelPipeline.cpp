//===- PeelPipeline.cpp - one role copies ahead ---------------------------===//
//
// From a loop that copies what it reads to one that copies what it will read:
//
//   for j < slots - 1 { copy j }              unrolled, before the loop
//   for n { wait n; copy n + slots - 1; ..body..; release n }
//
// Whoever waits knows that all have released the number before, whose slot is
// filled next: so the copies stand behind the wait. Numbers beyond the last are
// committed without copies, so that always equally many are under way.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/Rounds.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse {
#define GEN_PASS_DEF_PEELPIPELINE
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// What fills one number, in the loop whose rounds it belongs to.
class Filling {
public:
  explicit Filling(CommitOp commit);
  LogicalResult peel();

private:
  LogicalResult check();
  bool isOfRoundOnly(Value value);
  void emit(ImplicitLocOpBuilder &b, Value round);

  CommitOp commit;
  scf::ForOp loop;
  AcquireOp acquire;
  WaitOp wait;
  SmallVector<CopyOp> copies;
  /// What numbers and addresses are computed by, in order.
  SetVector<Operation *> slice;
};

} // namespace

Filling::Filling(CommitOp commit)
    : commit(commit), loop(cast<scf::ForOp>(commit->getParentOp())) {
  auto isOwn = [&](auto op) {
    return op && op.getRing() == commit.getRing() &&
           op.getNumber() == commit.getNumber();
  };
  for (Operation &op : *loop.getBody()) {
    if (auto own = dyn_cast<AcquireOp>(op); isOwn(own))
      acquire = own;
    if (auto own = dyn_cast<CopyOp>(op); isOwn(own))
      copies.push_back(own);
    if (auto own = dyn_cast<WaitOp>(op); isOwn(own))
      wait = own;
  }
  BackwardSliceOptions within;
  within.omitBlockArguments = true;
  within.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody();
  };
  SetVector<Operation *> needed;
  for (Operation *copy : copies)
    (void)getBackwardSlice(copy, &needed, within);
  slice = topologicalSort(needed);
}

bool Filling::isOfRoundOnly(Value value) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && slice.contains(op) && canBeOfAnyRound(op, loop);
}

LogicalResult Filling::check() {
  if (!acquire || !wait || copies.empty())
    return commit.emitOpError("stands in a loop that does not also acquire, "
                              "copy and wait for what it commits");
  if (commit.getRing().getType().getSlots() < 2)
    return commit.emitOpError("fills the only slot of its ring, but copying "
                              "ahead needs another one");
  auto checkOperands = [&](Operation *op) -> LogicalResult {
    for (Value operand : op->getOperands())
      if (!isOfRoundOnly(operand))
        return op->emitOpError("needs what only its own round can tell, but "
                               "is to be done rounds before");
    return success();
  };
  for (CopyOp copy : copies)
    if (failed(checkOperands(copy)))
      return failure();
  for (Operation *op : slice)
    if (failed(checkOperands(op)))
      return failure();
  return success();
}

/// Fills the number that the round of the loop with this induction variable
/// has, if there is such a round.
void Filling::emit(ImplicitLocOpBuilder &b, Value round) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), round);
  // The number of a round is computed in any case, since it is committed.
  for (Operation *op : slice)
    b.clone(*op, mapping);
  auto isBelow = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                       : arith::CmpIPredicate::slt;
  Value isThere =
      arith::CmpIOp::create(b, isBelow, round, loop.getUpperBound());
  auto fill = scf::IfOp::create(b, isThere, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(fill.thenBlock());
    b.clone(*acquire, mapping);
    for (Operation *copy : copies)
      b.clone(*copy, mapping);
  }
  b.clone(*commit, mapping);
}

LogicalResult Filling::peel() {
  if (failed(check()))
    return failure();
  int64_t ahead = commit.getRing().getType().getSlots() - 1;
  ImplicitLocOpBuilder b(commit.getLoc(), loop);
  Type type = loop.getInductionVar().getType();
  // The induction variable of the round that is `count` rounds behind `start`.
  auto later = [&](Value start, int64_t count) {
    Value number = arith::ConstantOp::create(b, b.getIntegerAttr(type, count));
    Value distance = b.createOrFold<arith::MulIOp>(number, loop.getStep());
    return b.createOrFold<arith::AddIOp>(start, distance);
  };
  for (int64_t round = 0; round < ahead; ++round)
    emit(b, later(loop.getLowerBound(), round));
  // The commits of the numbers between this one and the last that was.
  wait.setBehind(ahead - 1);
  b.setInsertionPointAfter(wait);
  emit(b, later(loop.getInductionVar(), ahead));
  acquire.erase();
  for (CopyOp copy : copies)
    copy.erase();
  commit.erase();
  return success();
}

namespace {

struct PeelPipelinePass final : fuse::impl::PeelPipelineBase<PeelPipelinePass> {
  void runOnOperation() final {
    SmallVector<CommitOp> commits;
    getOperation()->walk([&](CommitOp commit) {
      auto ring = commit.getRing().getDefiningOp<RingOp>();
      if (ring && ring.getFeed() == Feed::CpAsync &&
          isa<scf::ForOp>(commit->getParentOp()))
        commits.push_back(commit);
    });
    for (CommitOp commit : commits)
      if (failed(Filling(commit).peel()))
        return signalPassFailure();
  }
};

} // namespace
