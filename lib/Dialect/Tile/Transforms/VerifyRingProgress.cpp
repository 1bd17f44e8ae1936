//===- VerifyRingProgress.cpp - nobody waits for ever ---------------------===//
//
// Each role goes on as long as it can. No order among them matters: what lets
// one go on is never taken back. If all stand still before their ends, they
// always would.
//
// In that order crews wait for numbers, too, each of which the turns have to
// give to one of them.
//
//===----------------------------------------------------------------------===//

#include "StagedChecks.h"
#include <set>

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

struct RingCounts {
  /// Numbers that are complete, that were waited for, and of which all were
  /// released.
  int64_t numFilled = 0, numWaited = 0, numReleased = 0;
  /// Those that crews have released before others have released theirs.
  std::set<int64_t> released;
  /// Released before the last wait, which all threads of a role have passed.
  int64_t numReleasedByAll = 0;
  /// The acquired number that is filled now.
  int64_t filling = -1;
};

struct RoleState {
  const RoleTrace *trace;
  size_t next = 0;
  bool isDone() const { return next == trace->steps.size(); }
  RingStep step() const { return trace->steps[next]; }
};

class Progress {
public:
  explicit Progress(ArrayRef<RoleTrace> traces);
  LogicalResult run();

private:
  bool canGoOn(const RoleState &role);
  LogicalResult advance(RoleState &role);
  LogicalResult reportStuck(RoleState &role);

  SmallVector<RoleState> roles;
  DenseMap<Operation *, RingCounts> rings;
  /// Of the crews of a role how many turns were given; and that whose turn it
  /// is.
  DenseMap<Operation *, int64_t> turns;
  llvm::MapVector<Operation *, Operation *> turnBegun;
  /// Rings whose filler is their reader, too, and that role.
  llvm::MapVector<Operation *, const RoleTrace *> ownRings;
};

} // namespace

Progress::Progress(ArrayRef<RoleTrace> traces) {
  for (const RoleTrace &trace : traces) {
    roles.push_back({&trace});
    DenseSet<Operation *> read;
    for (RingStep step : trace.steps)
      if (isa<WaitOp>(step.op))
        read.insert(step.ring);
    for (RingStep step : trace.steps)
      if (isa<AcquireOp>(step.op) && read.contains(step.ring))
        ownRings[step.ring] = &trace;
  }
}

static int64_t slotsOf(RingOp ring) { return ring.getType().getSlots(); }

bool Progress::canGoOn(const RoleState &role) {
  RingStep step = role.step();
  const RoleTrace &trace = *role.trace;
  if (isa<TakeTurnOp>(step.op))
    return turns[trace.role] % trace.crews == trace.crew;
  if (!step.ring)
    return true;
  const RingCounts &counts = rings[step.ring];
  if (isa<AcquireOp>(step.op))
    return step.number - slotsOf(step.ring) < counts.numReleased;
  if (isa<WaitOp>(step.op))
    return step.number < counts.numFilled;
  return true;
}

LogicalResult Progress::advance(RoleState &role) {
  RingStep step = role.step();
  if (!step.ring) {
    bool isBegun = isa<TakeTurnOp>(step.op);
    turnBegun[role.trace->role] = isBegun ? step.op : nullptr;
    turns[role.trace->role] += !isBegun;
    ++role.next;
    return success();
  }
  RingCounts &counts = rings[step.ring];
  if (isa<AcquireOp>(step.op)) {
    counts.filling = step.number;
    // The threads of one role meet when they wait. Before, some of them may be
    // behind and still read.
    if (ownRings.contains(step.ring) &&
        step.number - slotsOf(step.ring) >= counts.numReleasedByAll)
      return reportBoth(
          step.op,
          "fills the slot of number " +
              Twine(step.number - slotsOf(step.ring)) +
              ", which other threads may still read: none has waited since "
              "it was released",
          step.ring, "a slot of this ring");
  }
  if (isa<CommitOp>(step.op) && counts.filling == step.number)
    counts.numFilled = step.number + 1;
  if (isa<ReleaseOp>(step.op)) {
    counts.released.insert(step.number);
    while (counts.released.erase(counts.numReleased))
      ++counts.numReleased;
  }
  if (isa<WaitOp>(step.op) && step.number != counts.numWaited++)
    return reportBoth(step.op,
                      "waits for number " + Twine(step.number) +
                          " in its crew's turn, but " +
                          Twine(counts.numWaited - 1) +
                          " is the next that nobody has waited for",
                      step.ring, "of this ring");
  if (isa<WaitOp>(step.op))
    for (auto [ring, owner] : ownRings)
      if (owner == role.trace)
        rings[ring].numReleasedByAll = rings[ring].numReleased;
  ++role.next;
  return success();
}

LogicalResult Progress::reportStuck(RoleState &role) {
  RingStep step = role.step();
  InFlightDiagnostic error = step.op->emitOpError("waits for ever: ");
  if (!step.ring)
    error << "crew " << role.trace->crew << " never gets its turn";
  else if (isa<AcquireOp>(step.op))
    error << "number " << step.number - slotsOf(step.ring)
          << ", which is in its slot, is not released before";
  else
    error << "number " << step.number << " is not filled before";
  for (RoleState &other : roles)
    if (&other != &role && !other.isDone()) {
      Diagnostic &note = error.attachNote(other.step().op->getLoc());
      if (other.step().ring)
        note << "while this waits for number " << other.step().number
             << " of its ring";
      else
        note << "while this waits for its turn";
    }
  if (step.ring)
    error.attachNote(step.ring.getLoc()) << "of this ring";
  return error;
}

LogicalResult Progress::run() {
  for (bool hasMoved = true; hasMoved;) {
    hasMoved = false;
    for (RoleState &role : roles)
      for (; !role.isDone() && canGoOn(role); hasMoved = true)
        if (failed(advance(role)))
          return failure();
  }
  for (RoleState &role : roles)
    if (!role.isDone())
      return reportStuck(role);
  // Who was given the last turn would be taken for somebody else later.
  for (auto [role, begun] : turnBegun)
    if (!begun)
      return role->emitOpError("ends with a turn that no crew has taken");
  return success();
}

LogicalResult fuse::tile::checkRingProgress(ArrayRef<RoleTrace> roles) {
  return Progress(roles).run();
}
