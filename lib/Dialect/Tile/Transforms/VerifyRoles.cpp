//===- VerifyRoles.cpp - what holds without following control flow --------===//
//
// Who fills and reads which ring, what roles may have, conditions that are the
// same for all threads, and sums that are carried.
//
//===----------------------------------------------------------------------===//

#include "StagedChecks.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// The role that an op belongs to; the kernel where there is none.
static Operation *roleOf(Operation *op) {
  if (auto role = op->getParentOfType<RoleOp>())
    return role;
  return op->getParentOfType<KernelOp>();
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// Every ring has one role that fills it and one that reads it.
static LogicalResult checkSides(RingOp ring) {
  Operation *filler = nullptr, *reader = nullptr;
  // In the order of the kernel, not in that of the list of uses.
  SmallVector<Operation *> users;
  ring->getParentOfType<KernelOp>().walk([&](Operation *op) {
    if (llvm::is_contained(op->getOperands(), ring.getRing()))
      users.push_back(op);
  });
  for (Operation *user : users) {
    bool isFill = isa<AcquireOp, CopyOp, CommitOp>(user);
    if (!isFill && !isa<WaitOp, ReleaseOp>(user))
      return reportBoth(user, "hands on a ring, but rings have one name only",
                        ring, "this one");
    Operation *&side = isFill ? filler : reader;
    if (side && roleOf(side) != roleOf(user))
      return reportBoth(user,
                        isFill ? "fills a ring that another role fills, too"
                               : "reads a ring that another role reads, too",
                        side, "here");
    side = user;
  }
  if (!filler && !reader)
    return success();
  if (!filler || !reader)
    return reportBoth(filler ? filler : reader,
                      filler ? "fills a ring that nobody reads"
                             : "reads a ring that nobody fills",
                      ring, "this one");
  return success();
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// An element of a tile that some threads have and others do not.
static Operation *findUneven(Value condition) {
  auto isUneven = [](Operation *op) {
    auto extract = dyn_cast<tensor::ExtractOp>(op);
    return extract && extract.getTensor().getType().getRank() != 0;
  };
  BackwardSliceOptions options;
  options.inclusive = true;
  SetVector<Operation *> slice;
  (void)getBackwardSlice(condition, &slice, options);
  auto it = llvm::find_if(slice, isUneven);
  return it == slice.end() ? nullptr : *it;
}

/// All threads of a role have to reach an op that they do together.
static LogicalResult checkConditions(Operation *op) {
  for (Operation *parent = op->getParentOp(); !isa<KernelOp>(parent);
       parent = parent->getParentOp()) {
    SmallVector<Value> conditions;
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      conditions.push_back(branch.getCondition());
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      conditions.append(
          {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    for (Value condition : conditions)
      if (Operation *uneven = findUneven(condition))
        return reportBoth(op,
                          "stands where threads come that need not all agree",
                          uneven, "not every thread has this element");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// What one thread cannot do for all.
static bool needsAllThreads(Operation *op) {
  if (isa<CopyOp, AcquireOp, CommitOp>(op))
    return false;
  auto isWide = [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile && tile.getRank() != 0;
  };
  return isStagedOp(op) || llvm::any_of(op->getOperandTypes(), isWide) ||
         llvm::any_of(op->getResultTypes(), isWide);
}

static LogicalResult checkLoader(RoleOp role) {
  RingOp engine;
  role.walk([&](CopyOp copy) {
    auto ring = copy.getRing().getDefiningOp<RingOp>();
    if (ring && ring.getFeed() == Feed::Tma)
      engine = ring;
  });
  if (!engine)
    return success();
  WalkResult walked = role.walk([&](Operation *op) {
    if (op == role || !needsAllThreads(op))
      return WalkResult::advance();
    (void)reportBoth(op,
                     "needs all threads of its role, but one thread alone "
                     "fills rings for the copy engine",
                     engine, "such as this one");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

static LogicalResult checkRegisters(RolesOp roles) {
  constexpr int64_t fewest = 24, most = 256, perProcessor = 65536,
                    mostWarps = 32;
  int64_t warps = 0;
  for (RoleOp role : roles.getBody().getOps<RoleOp>())
    warps += role.getAllWarps();
  if (warps > mostWarps)
    return roles.emitOpError("has ")
           << warps << " warps, but a block has " << mostWarps << " at most";
  // All threads start with the same number, and nobody gets more than others
  // hand over: who asked for it would wait for ever.
  int64_t threads = std::max<int64_t>(warps, 1) * 32, residents = 1;
  if (auto given =
          roles->getParentOfType<KernelOp>()->getAttrOfType<IntegerAttr>(
              "tile.residents"))
    residents = std::max<int64_t>(given.getInt(), 1);
  int64_t equal = std::min(perProcessor / (threads * residents) / 8 * 8, most);
  int64_t sum = 0;
  for (RoleOp role : roles.getBody().getOps<RoleOp>()) {
    bool hasProducts =
        role.walk([](DotIssueOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if ((role.getRegisters() || hasProducts) && role.getWarps() % 4 != 0)
      return role.emitOpError("has ")
             << role.getWarps() << " warps, but where they "
             << (hasProducts ? "set off products" : "have registers given")
             << ", they come in fours";
    if (!role.getRegisters()) {
      sum += role.getAllWarps() * 32 * equal;
      continue;
    }
    int64_t registers = *role.getRegisters();
    if (registers % 8 != 0 || registers < fewest || registers > most)
      return role.emitOpError("has ")
             << registers << " registers a thread, but needs a multiple of 8 "
             << "from " << fewest << " to " << most;
    sum += role.getAllWarps() * 32 * registers;
  }
  if (sum > equal * threads)
    return roles.emitOpError("takes ")
           << sum << " registers, but its " << warps << " warps start with "
           << equal * threads;
  return success();
}

//===----------------------------------------------------------------------===//
// Carried sums
//===----------------------------------------------------------------------===//

/// The sum in flight that `pending` goes on with, as far back as its loop goes.
static Value startOf(Value pending) {
  while (Operation *op = pending.getDefiningOp()) {
    auto issue = dyn_cast<DotIssueOp>(op);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      pending = loop.getInitArgs()[cast<OpResult>(pending).getResultNumber()];
    else if (issue && isa<PendingType>(issue.getAcc().getType()))
      pending = issue.getAcc();
    else
      break;
  }
  return pending;
}

/// A sum that is in flight from one round to the next is that of the round
/// before: else two of them would be copied while both are written.
static LogicalResult checkCarriedSums(scf::ForOp loop) {
  for (auto [carried, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!isa<PendingType>(carried.getType()))
      continue;
    Value start = startOf(yielded);
    if (start == carried)
      continue;
    Operation *made = start.getDefiningOp();
    return reportBoth(loop.getBody()->getTerminator(),
                      "carries a sum in flight that does not go on with the "
                      "one that was carried",
                      made ? made : loop.getOperation(), "but with this one");
  }
  return success();
}

LogicalResult fuse::tile::checkRoles(KernelOp kernel) {
  auto warps = kernel->getAttrOfType<IntegerAttr>("tile.warps");
  WalkResult walked = kernel.walk([&](Operation *op) {
    bool isWrong = false;
    if (auto ring = dyn_cast<RingOp>(op))
      isWrong = failed(checkSides(ring));
    if (isStagedOp(op) || isa<DotOp>(op))
      isWrong |= failed(checkConditions(op));
    if (auto role = dyn_cast<RoleOp>(op))
      isWrong |= failed(checkLoader(role));
    if (auto roles = dyn_cast<RolesOp>(op))
      isWrong |= failed(checkRegisters(roles));
    if (auto loop = dyn_cast<scf::ForOp>(op))
      isWrong |= failed(checkCarriedSums(loop));
    if (isa<DotIssueOp>(op) && isa<KernelOp>(roleOf(op)) && warps &&
        warps.getInt() % 4 != 0) {
      op->emitOpError("is set off by ")
          << warps.getInt() << " warps, but they come in fours";
      isWrong = true;
    }
    for (Value operand : op->getOperands())
      if (isa<RingType>(operand.getType()) && !operand.getDefiningOp<RingOp>())
        isWrong |= failed(op->emitOpError(
            "needs a ring as 'tile.ring' made it, under no other name"));
    return isWrong ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}
