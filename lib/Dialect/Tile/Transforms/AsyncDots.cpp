//===- AsyncDots.cpp - products go on while others run --------------------===//
//
// A product by warpgroups becomes its beginning and its end:
//
//   %s = tile.dot a, b, c   ->   %p, %g = tile.dot_issue a, b, c
//                                %s = tile.take %p
//
// Here the end still follows at once. A sum to which only the next product is
// added is never taken: it stays in flight, from round to round of a loop, too.
// What is left of its end then is that somebody waits for the product before
// what it reads is released.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuse {
#define GEN_PASS_DEF_ASYNCDOTS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Whether a product may go on beyond what follows it: what it reads in shared
/// memory is a slot, which is released, or is written before the loop.
static bool canGoOn(DotOp dot, scf::ForOp loop) {
  // Those of 8-bit numbers and of split ones are added up apart, piece by
  // piece.
  if (dot.getAtom() != Atom::Wgmma || dot.getPrecision() == Precision::Tf32x3 ||
      dot.getLhs().getType().getElementTypeBitWidth() == 8)
    return false;
  return llvm::all_of(
      ValueRange{dot.getLhs(), dot.getRhs()}, [&](Value factor) {
        return layoutOf(factor.getType()) || factor.getDefiningOp<WaitOp>() ||
               loop.isDefinedOutsideOfLoop(factor);
      });
}

/// Whether there are products in the regions of a loop's ops.
static bool hasProductsInside(scf::ForOp loop) {
  return loop.getBody()
      ->walk([&](Operation *op) {
        bool isInside = op->getBlock() != loop.getBody();
        return isInside && isa<DotOp, DotIssueOp, TakeOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The sum behind `dot` is taken where the dot was.
static TakeOp split(DotOp dot) {
  OpBuilder b(dot);
  auto issue = DotIssueOp::create(b, dot.getLoc(), dot);
  auto take = TakeOp::create(b, dot.getLoc(), dot.getType(), issue.getResult(),
                             b.getI64IntegerAttr(0));
  dot.replaceAllUsesWith(take.getResult());
  dot.erase();
  return take;
}

/// The first product of those that are added to each other up to `issue`.
static DotIssueOp firstOfChain(DotIssueOp issue) {
  while (auto before = issue.getAcc().getDefiningOp<DotIssueOp>())
    issue = before;
  return issue;
}

/// In place of the wait for its sum comes one for the product alone.
static void retireInstead(TakeOp take) {
  OpBuilder b(take);
  auto issue = take.getPending().getDefiningOp<DotIssueOp>();
  Value group = issue.getGroup();
  RetireOp::create(b, take.getLoc(), group.getType(), group,
                   b.getI64IntegerAttr(0));
  take.erase();
}

/// A sum that is used for nothing but adding the next product to it.
static bool stayInFlight(TakeOp take) {
  if (!take->hasOneUse())
    return false;
  OpOperand &use = *take->use_begin();
  auto next = dyn_cast<DotIssueOp>(use.getOwner());
  if (!next || use != next.getAccMutable() ||
      next->getBlock() != take->getBlock())
    return false;
  use.set(take.getPending());
  retireInstead(take);
  return true;
}

/// The same from one round to the next.
static void carryInFlight(scf::ForOp loop, unsigned carried) {
  auto take = loop.getYieldedValues()[carried].getDefiningOp<TakeOp>();
  if (!take || !take->hasOneUse())
    return;
  auto last = take.getPending().getDefiningOp<DotIssueOp>();
  BlockArgument sum = loop.getRegionIterArg(carried);
  if (!last || last->getBlock() != loop.getBody() || !sum.hasOneUse() ||
      firstOfChain(last).getAcc() != sum)
    return;
  OpBuilder b(loop);
  OpOperand &init = loop.getInitArgsMutable()[carried];
  init.set(StartOp::create(b, loop.getLoc(), init.get()));
  Type pending = init.get().getType();
  sum.setType(pending);
  loop.getResult(carried).setType(pending);
  loop.getBody()->getTerminator()->setOperand(carried, last.getResult());
  b.setInsertionPointAfter(loop);
  Value result = loop.getResult(carried);
  auto taken = TakeOp::create(b, take.getLoc(), take.getType(), result,
                              b.getI64IntegerAttr(0));
  result.replaceAllUsesExcept(taken.getResult(), taken);
  retireInstead(take);
}

/// What the products of a round read is released when they are done.
static void releaseBehindProducts(scf::ForOp loop) {
  for (auto release : loop.getBody()->getOps<ReleaseOp>()) {
    SmallPtrSet<Operation *, 4> readers;
    for (auto wait : loop.getBody()->getOps<WaitOp>())
      if (wait.getRing() == release.getRing() &&
          wait.getNumber() == release.getNumber())
        readers.insert(wait->user_begin(), wait->user_end());
    SmallVector<Value> groups;
    for (auto issue : loop.getBody()->getOps<DotIssueOp>())
      if (readers.contains(issue))
        groups.push_back(issue.getGroup());
    release.getGroupsMutable().assign(groups);
  }
}

/// Products end in order, so that of those that one release waits for only the
/// last has to be waited for; and those whose factors are in registers, which
/// are computed anew.
static void dropRetires(scf::ForOp loop) {
  llvm::SmallDenseSet<Operation *> needed;
  for (auto release : loop.getBody()->getOps<ReleaseOp>()) {
    Operation *last = nullptr;
    for (Value group : release.getGroups())
      last = group.getDefiningOp();
    needed.insert(last);
  }
  for (auto retire :
       llvm::make_early_inc_range(loop.getBody()->getOps<RetireOp>())) {
    auto issue = retire.getGroup().getDefiningOp<DotIssueOp>();
    bool isRead = llvm::any_of(ValueRange{issue.getLhs(), issue.getRhs()},
                               [&](Value factor) {
                                 return layoutOf(factor.getType()) &&
                                        !loop.isDefinedOutsideOfLoop(factor);
                               });
    if (!needed.contains(issue) && !isRead)
      retire.erase();
  }
}

namespace {

struct AsyncDotsPass final : fuse::impl::AsyncDotsBase<AsyncDotsPass> {
  void runOnOperation() final {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](RoleOp role) {
      if (role.getKind() == RoleKind::Math)
        role.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    });
    for (scf::ForOp loop : loops) {
      SmallVector<DotOp> dots(loop.getBody()->getOps<DotOp>());
      // One that is not would wait for all others, and a loop inside waits for
      // its own.
      if (dots.empty() || hasProductsInside(loop) ||
          !llvm::all_of(dots, [&](DotOp dot) { return canGoOn(dot, loop); }))
        continue;
      SmallVector<TakeOp> takes = llvm::map_to_vector(dots, split);
      for (TakeOp &take : takes)
        stayInFlight(take);
      for (unsigned carried = 0; carried < loop.getNumRegionIterArgs();
           ++carried)
        carryInFlight(loop, carried);
      releaseBehindProducts(loop);
      dropRetires(loop);
    }
  }
};

} // namespace
