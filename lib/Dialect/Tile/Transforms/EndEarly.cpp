//===- EndEarly.cpp - rounds that only other warps need -------------------===//
//
// A loop ends where nothing is left to do for any row of a block. Of a block of
// 128 rows, of which each comes a column further than the one before, the first
// four warps are done a round of 64 columns before the others:
//
//   %last = tile.most %rows               of the warps that ask
//   %own = (%last + 1) / 64               in place of (%row + 128) / 64
//   scf.for %j = 0 to %own { ... }
//   scf.for %j = %own to %all { wait %ring[%j]; release %ring[%j] }
//
// The loop's bound was derived for the rows that a block has. It holds for any
// rows, so for those that a group of warps has, as long as groups do not need
// each other in the loop.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse {
#define GEN_PASS_DEF_ENDEARLY
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Whether the four warps of a group do an op without those of other groups.
static bool isOfOneGroup(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    LayoutAttr layout = layoutOf(reduce.getSource().getType());
    return layout && layout.getValue()
                             .reduction(toUnsigned(reduce.getDims()))
                             ->warpMask == 0;
  }
  if (isa<WaitOp, ReleaseOp, DotIssueOp, TakeOp, RetireOp, PinOp, HoldOp,
          scf::IfOp, scf::YieldOp, BroadcastOp, IotaOp, LeastOp, MostOp>(op))
    return true;
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         (OpTrait::hasElementwiseMappableTraits(op) ||
          isa<arith::ConstantOp>(op));
}

/// Rows of a block, of which each group of warps has some in a loop.
static SmallVector<IotaOp> findRows(scf::ForOp loop) {
  SmallVector<IotaOp> found;
  auto add = [&](Operation *op) {
    auto iota = dyn_cast_or_null<IotaOp>(op);
    if (!iota || iota.getCoefficients() != ArrayRef<int64_t>(1) ||
        llvm::is_contained(found, iota) ||
        !loop.isDefinedOutsideOfLoop(iota.getBase()))
      return;
    LayoutAttr layout = layoutOf(iota.getType());
    if (layout && !sharesOfGroups(layout.getValue(), 0).empty())
      found.push_back(iota);
  };
  loop.walk([&](Operation *op) {
    add(op);
    for (Value operand : op->getOperands())
      add(operand.getDefiningOp());
  });
  return found;
}

namespace {

/// Rewrites what a bound is computed from.
class OwnBound {
public:
  OwnBound(ImplicitLocOpBuilder &b, ArrayRef<IotaOp> rows) : b(b), rows(rows) {}
  /// The same for the rows that a group has; null if it is not known to be no
  /// more than `bound`, or does not depend on them.
  Value of(Value bound);

private:
  Value endOfRows(arith::AddIOp sum);

  ImplicitLocOpBuilder &b;
  ArrayRef<IotaOp> rows;
};

} // namespace

/// Of `first + size`, which is behind the last row.
Value OwnBound::endOfRows(arith::AddIOp sum) {
  APInt size;
  if (!matchPattern(sum.getRhs(), m_ConstantInt(&size)))
    return Value();
  for (IotaOp iota : rows)
    if (iota.getBase() == sum.getLhs() &&
        iota.getType().getDimSize(0) == size.getSExtValue()) {
      // Where the loop is, the rows are perhaps not counted yet.
      auto own = IotaOp::create(b, iota.getType(), iota.getBase(),
                                iota.getCoefficients());
      Value last = MostOp::create(b, b.getIndexType(), own);
      return arith::AddIOp::create(b, last,
                                   arith::ConstantIndexOp::create(b, 1));
    }
  return Value();
}

Value OwnBound::of(Value bound) {
  Operation *op = bound.getDefiningOp();
  if (!op)
    return Value();
  if (auto sum = dyn_cast<arith::AddIOp>(op))
    if (Value end = endOfRows(sum))
      return end;
  // What does not fall where an operand grows, or the first of two.
  bool byBoth = isa<arith::AddIOp, arith::MinSIOp, arith::MaxSIOp>(op);
  APInt divisor;
  bool byFirst = isa<arith::SubIOp>(op) ||
                 (isa<arith::DivUIOp, arith::DivSIOp>(op) &&
                  matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) &&
                  divisor.isStrictlyPositive());
  if (!byBoth && !byFirst)
    return Value();
  IRMapping mapping;
  for (Value operand : op->getOperands().take_front(byBoth ? 2 : 1))
    if (Value own = of(operand))
      mapping.map(operand, own);
  if (mapping.getValueMap().empty())
    return Value();
  return b.clone(*op, mapping)->getResult(0);
}

/// Whether a number of a ring is the round's, or that behind some number that
/// the loop does not change.
static bool isOfRound(Value number, scf::ForOp loop) {
  if (number == loop.getInductionVar())
    return true;
  auto sum = number.getDefiningOp<arith::AddIOp>();
  return sum && ((sum.getLhs() == loop.getInductionVar() &&
                  loop.isDefinedOutsideOfLoop(sum.getRhs())) ||
                 (sum.getRhs() == loop.getInductionVar() &&
                  loop.isDefinedOutsideOfLoop(sum.getLhs())));
}

/// What a loop does to rings, if each round releases what it waits for, and
/// nobody else reads them; none otherwise.
static SmallVector<Operation *> ringOps(scf::ForOp loop) {
  SmallVector<Operation *> ops;
  DenseMap<Value, int64_t> waits, releases;
  for (Operation &op : *loop.getBody()) {
    if (!isa<WaitOp, ReleaseOp>(op))
      continue;
    if (!isOfRound(op.getOperand(1), loop))
      return {};
    ++(isa<WaitOp>(op) ? waits : releases)[op.getOperand(0)];
    ops.push_back(&op);
  }
  for (auto [ring, count] : waits) {
    bool isReadElsewhere = llvm::any_of(ring.getUsers(), [&](Operation *user) {
      return isa<WaitOp, ReleaseOp>(user) && user->getBlock() != loop.getBody();
    });
    if (isReadElsewhere || count != 1 || releases.lookup(ring) != 1)
      return {};
  }
  return ops;
}

static void endEarly(scf::ForOp loop) {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isOne())
    return;
  bool isShared = loop.getBody()
                      ->walk([](Operation *op) {
                        return isOfOneGroup(op) ? WalkResult::advance()
                                                : WalkResult::interrupt();
                      })
                      .wasInterrupted();
  SmallVector<IotaOp> rows = findRows(loop);
  SmallVector<Operation *> ring = ringOps(loop);
  if (isShared || rows.empty() || ring.empty())
    return;
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value all = loop.getUpperBound();
  Value own = OwnBound(b, rows).of(all);
  if (!own)
    return;
  loop.setUpperBound(own);
  b.setInsertionPointAfter(loop);
  // A loop that does not begin does nothing either.
  Value first = arith::MaxSIOp::create(b, own, loop.getLowerBound());
  auto rest = scf::ForOp::create(b, first, all, loop.getStep());
  b.setInsertionPointToStart(rest.getBody());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), rest.getInductionVar());
  for (Operation *op : ring) {
    Value number = op->getOperand(1);
    if (number != loop.getInductionVar() && !mapping.contains(number))
      b.clone(*number.getDefiningOp(), mapping);
    auto copy = b.clone(*op, mapping);
    if (auto release = dyn_cast<ReleaseOp>(copy))
      release.getGroupsMutable().clear();
  }
}

namespace {

struct EndEarlyPass final : fuse::impl::EndEarlyBase<EndEarlyPass> {
  void runOnOperation() final {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](RoleOp role) {
      if (role.getKind() == RoleKind::Math)
        role.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    });
    llvm::for_each(loops, endEarly);
  }
};

} // namespace
