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
  void emit(ImplicitLocOpBuilder &b, Value round);

  CommitOp commit;
  scf::ForOp loop;
  AcquireOp acquire;
  WaitOp wait;
  SmallVector<Operation *> copies;
  /// What numbers and addresses are computed by, in order.
  SetVector<Operation *> slice;
};

} // namespace

Filling::Filling(CommitOp commit)
    : commit(commit), loop(cast<scf::ForOp>(commit->getParentOp())) {
  Value ring = commit.getRing();
  for (Operation &op : *loop.getBody()) {
    if (auto own = dyn_cast<AcquireOp>(op); own && own.getRing() == ring)
      acquire = own;
    if (auto own = dyn_cast<CopyOp>(op); own && own.getRing() == ring)
      copies.push_back(own);
    if (auto own = dyn_cast<WaitOp>(op); own && own.getRing() == ring)
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

/// Fills the number that `round` of the loop has, if there is such a round.
void Filling::emit(ImplicitLocOpBuilder &b, Value round) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), round);
  // The number of a round is computed in any case, since it is committed.
  for (Operation *op : slice)
    b.clone(*op, mapping);
  Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, round,
                                        loop.getUpperBound());
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
  if (!acquire || !wait || copies.empty())
    return commit.emitOpError("stands in a loop that does not also acquire, "
                              "copy and wait for what it commits");
  int64_t ahead = commit.getRing().getType().getSlots() - 1;
  ImplicitLocOpBuilder b(commit.getLoc(), loop);
  for (int64_t round = 0; round < ahead; ++round)
    emit(b, arith::ConstantIndexOp::create(b, round));
  wait.setBehind(std::max<int64_t>(0, ahead - 1));
  b.setInsertionPointAfter(wait);
  Value distance = arith::ConstantIndexOp::create(b, ahead);
  emit(b, arith::AddIOp::create(b, loop.getInductionVar(), distance));
  acquire.erase();
  for (Operation *copy : copies)
    copy->erase();
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
