//===- VerifyClusters.cpp - blocks that copy for each other ---------------===//
//
// All blocks of a cluster fill each other's slots, and tell each other when
// they have read theirs. So they have to do the same, as often, and while all
// of them are there: then what holds in one block holds in all.
//
//===----------------------------------------------------------------------===//

#include "StagedChecks.h"
#include "fuse/Dialect/Tile/Analysis/Collect.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// What is not the same in all blocks of a cluster.
class RankUses {
public:
  RankUses(KernelOp kernel, ArrayRef<int64_t> cluster);

  bool reachesAny(ValueRange values) const {
    return llvm::any_of(values, [&](Value value) { return reaches(value); });
  }

private:
  bool reaches(Value value) const { return uses.contains(value); }
  void visit(Operation *op);
  void add(Value value) { hasGrown |= uses.insert(value).second; }
  bool leavesOutRank(Operation *op) const;

  /// How many blocks next to each other are in one cluster, by number of their
  /// place.
  llvm::SmallDenseMap<Value, int64_t> places;
  DenseSet<Value> uses;
  bool hasGrown = true;
};

} // namespace

RankUses::RankUses(KernelOp kernel, ArrayRef<int64_t> cluster) {
  if (kernel.getWalks())
    places[kernel.getPlace().front()] = llvm::product_of(cluster);
  else
    for (auto [place, size] : llvm::zip_equal(kernel.getPlace(), cluster))
      if (size != 1)
        places[place] = size;
  for (auto [place, size] : places)
    uses.insert(place);
  // What loops carry comes from further down.
  while (hasGrown) {
    hasGrown = false;
    kernel.walk([&](Operation *op) { visit(op); });
  }
}

/// Whether `op` divides a place by the size of the cluster there, or by a
/// multiple.
bool RankUses::leavesOutRank(Operation *op) const {
  auto division = dyn_cast<arith::DivUIOp>(op);
  APInt divisor;
  if (!division || !matchPattern(division.getRhs(), m_ConstantInt(&divisor)))
    return false;
  auto place = places.find(division.getLhs());
  return place != places.end() && !divisor.isZero() &&
         divisor.getSExtValue() % place->second == 0;
}

void RankUses::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    // What stands in such a loop is reported for that.
    bool hasOwnRounds = reachesAny(
        {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    for (auto [argument, result, init, yielded] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults(),
                         loop.getInitArgs(), loop.getYieldedValues()))
      if (reaches(init) || reaches(yielded)) {
        add(argument);
        add(result);
      } else if (hasOwnRounds) {
        add(result);
      }
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (auto [number, result] : llvm::enumerate(branch.getResults()))
      if (reaches(branch.getCondition()) ||
          reaches(branch.thenYield().getOperand(number)) ||
          reaches(branch.elseYield().getOperand(number)))
        add(result);
    return;
  }
  if (reachesAny(op->getOperands()) && !leavesOutRank(op))
    for (Value result : op->getResults())
      add(result);
}

/// Whether blocks of a cluster fill each other's slots.
static CopyOp findShared(RingOp ring) {
  if (ring.getFeed() != Feed::Tma)
    return nullptr;
  CopyOp shared;
  ring->getParentOfType<KernelOp>().walk([&](CopyOp copy) {
    if (copy.getRing() == ring.getRing() && copy.getMulticast() && !shared)
      shared = copy;
  });
  return shared;
}

static LogicalResult checkUser(Operation *user, CopyOp shared,
                               const RankUses &uses) {
  if (!user->getParentOfType<RoleOp>())
    return reportBoth(user,
                      "fills or frees slots of other blocks, too, but only in "
                      "roles are all blocks of a cluster there",
                      shared, "this is for all of them");
  for (Operation *parent = user->getParentOp(); !isa<RoleOp>(parent);
       parent = parent->getParentOp()) {
    bool differs = false;
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      differs = uses.reachesAny(branch.getCondition());
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      differs = uses.reachesAny(
          {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    if (differs)
      return reportBoth(user,
                        "stands where not all blocks of a cluster come, or not "
                        "equally often",
                        parent, "that depends on which of them it is");
  }
  auto copy = dyn_cast<CopyOp>(user);
  if (copy && copy.getMulticast() &&
      (uses.reachesAny(copy.getIndices()) || uses.reachesAny(copy.getLimits())))
    return copy.emitOpError("is for all blocks of a cluster, but what it "
                            "copies depends on which of them it is");
  return success();
}

LogicalResult fuse::tile::checkClusters(KernelOp kernel) {
  if (std::string why = whyNoClusters(kernel); !why.empty())
    return kernel.emitOpError("cannot have its clusters: ") << why;
  if (std::string why = whyNoCollecting(kernel); !why.empty())
    return kernel.emitOpError("cannot have its clusters: ") << why;
  if (blocksOfCluster(kernel) == 1)
    return success();
  RankUses uses(kernel,
                kernel->getAttrOfType<DenseI64ArrayAttr>("tile.cluster"));
  llvm::SmallDenseMap<Operation *, CopyOp> shared;
  WalkResult walked = kernel.walk([&](Operation *op) {
    if (auto ring = dyn_cast<RingOp>(op))
      shared[ring] = findShared(ring);
    for (Value operand : op->getOperands())
      if (CopyOp copy = shared.lookup(operand.getDefiningOp());
          copy && failed(checkUser(op, copy, uses)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}
