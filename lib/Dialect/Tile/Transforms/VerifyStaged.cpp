//===- VerifyStaged.cpp - the staged form holds together ------------------===//
//
// A kernel is gone through as a chip would, role by role and round by round,
// once for each set of the numbers that nobody knows yet; what happens to rings
// and to products is checked in that order. So it does not matter which pass
// has turned which loop around.
//
//===----------------------------------------------------------------------===//

#include "StagedChecks.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"

namespace fuse {
#define GEN_PASS_DEF_VERIFYSTAGED
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// Writes down what one role does to rings, and checks its products.
class RoleListener final : public RunListener {
public:
  RoleListener(Operation *role, StagedRun &run, ControlNumbers &numbers,
               std::vector<RoleTrace> &traces, int64_t crew = 0)
      : run(run), numbers(numbers), traces(traces), products(role) {
    trace.role = role;
    trace.crew = crew;
    if (auto own = dyn_cast<RoleOp>(role))
      trace.crews = own.getCrews();
  }

  LogicalResult runBlock(Block &block);
  LogicalResult visit(Operation *op) override;
  LogicalResult rename(ValueRange from, ValueRange to,
                       Operation *yield) override {
    return products.rename(from, to, yield);
  }

private:
  LogicalResult visitRingOp(Operation *op, Value ring, Value number);

  StagedRun &run;
  ControlNumbers &numbers;
  std::vector<RoleTrace> &traces;
  RoleTrace trace;
  ProductChecker products;
};

} // namespace

LogicalResult RoleListener::runBlock(Block &block) {
  if (failed(run.run(block, *this)) ||
      (!run.isCut() && failed(products.finish())))
    return failure();
  traces.push_back(std::move(trace));
  return success();
}

LogicalResult RoleListener::visitRingOp(Operation *op, Value ring,
                                        Value number) {
  std::optional<APInt> found = numbers.get(number);
  if (!found)
    return op->emitOpError("has a number that is not counted, but depends on "
                           "sizes, data or the block's place");
  trace.steps.push_back(
      {op, ring.getDefiningOp<RingOp>(), found->getSExtValue()});
  return success();
}

LogicalResult RoleListener::visit(Operation *op) {
  if (auto roles = dyn_cast<RolesOp>(op)) {
    for (RoleOp role : roles.getBody().getOps<RoleOp>())
      for (int64_t crew = 0, crews = role.getCrews(); crew < crews; ++crew) {
        numbers.beginCrew(crew);
        if (failed(RoleListener(role, run, numbers, traces, crew)
                       .runBlock(role.getBody().front())))
          return failure();
      }
    return success();
  }
  if (isa<TakeTurnOp, GiveTurnOp>(op))
    trace.steps.push_back({op, RingOp(), 0});
  auto checkRingOp = [&](auto ringOp) {
    return visitRingOp(ringOp, ringOp.getRing(), ringOp.getNumber());
  };
  LogicalResult result = success();
  if (auto acquire = dyn_cast<AcquireOp>(op))
    result = checkRingOp(acquire);
  else if (auto copy = dyn_cast<CopyOp>(op))
    result = checkRingOp(copy);
  else if (auto commit = dyn_cast<CommitOp>(op))
    result = checkRingOp(commit);
  else if (auto wait = dyn_cast<WaitOp>(op))
    result = checkRingOp(wait);
  else if (auto release = dyn_cast<ReleaseOp>(op))
    result = checkRingOp(release);
  return failed(result) ? failure() : products.visit(op, numbers);
}

namespace {

struct VerifyStagedPass final : fuse::impl::VerifyStagedBase<VerifyStagedPass> {
  using VerifyStagedBase::VerifyStagedBase;

  LogicalResult checkRun(ControlNumbers &numbers, int64_t &stepsLeft) {
    StagedRun run(numbers, stepsLeft);
    std::vector<RoleTrace> traces;
    do {
      traces.clear();
      numbers.beginRun();
      if (failed(RoleListener(getOperation(), run, numbers, traces)
                     .runBlock(getOperation().getBody().front())))
        return failure();
    } while (numbers.decidedLate() && !run.isCut());
    if (failed(checkRingOrder(traces, !run.isCut())))
      return failure();
    return run.isCut() ? success() : checkRingProgress(traces);
  }

  void runOnOperation() final {
    markAllAnalysesPreserved();
    if (failed(checkRoles(getOperation())) ||
        failed(checkClusters(getOperation())))
      return signalPassFailure();
    ControlNumbers numbers(getOperation());
    int64_t stepsLeft = steps;
    do {
      if (failed(checkRun(numbers, stepsLeft)))
        return signalPassFailure();
    } while (stepsLeft > 0 && numbers.nextRun());
  }
};

} // namespace
