//===- VerifyRingOrder.cpp - numbers of rings, one after the other --------===//
//
// A filler opens a number by acquiring it and closes it by committing it; a
// reader waits for it and releases it. `cp.async` may also commit numbers that
// it has not acquired yet: so always equally many groups are under way.
//
//===----------------------------------------------------------------------===//

#include "StagedChecks.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

LogicalResult fuse::tile::reportBoth(Operation *op, const Twine &what,
                                     Operation *other, const Twine &whatOther) {
  InFlightDiagnostic error = op->emitOpError(what);
  error.attachNote(other->getLoc()) << whatOther;
  return error;
}

namespace {

/// What one role did to one ring so far.
struct RingState {
  int64_t numAcquired = 0, numWaited = 0, numReleased = 0;
  Operation *lastFill = nullptr, *lastRead = nullptr;
  /// The acquired number is not committed yet.
  bool isOpen = false;
  SmallVector<Operation *> copies;
  /// For each number how many groups there were when it was committed.
  SmallVector<int64_t> groups;
};

class RoleOrder {
public:
  LogicalResult visit(RingStep step);
  LogicalResult finish(bool isComplete);

  /// In the order in which they are first used.
  llvm::MapVector<Operation *, RingState> rings;

private:
  LogicalResult acquire(RingStep step, RingState &state);
  LogicalResult copy(RingStep step, RingState &state);
  LogicalResult commit(RingStep step, RingState &state);
  LogicalResult wait(RingStep step, RingState &state);
  LogicalResult release(RingStep step, RingState &state);

  /// The groups of cp.async that the role has committed, of all rings.
  int64_t numGroups = 0;
};

} // namespace

static LogicalResult reportOrder(RingStep step, StringRef does, int64_t next,
                                 Operation *last) {
  return reportBoth(step.op,
                    does + " number " + Twine(step.number) + ", but " +
                        Twine(next) + " comes next",
                    last ? last : step.ring.getOperation(),
                    last ? "behind this" : "it is the ring's first");
}

LogicalResult RoleOrder::acquire(RingStep step, RingState &state) {
  if (state.isOpen)
    return reportBoth(step.op,
                      "acquires number " + Twine(step.number) + ", but " +
                          Twine(state.numAcquired - 1) + " is not committed",
                      state.lastFill, "it is acquired here");
  if (step.number != state.numAcquired)
    return reportOrder(step, "acquires", state.numAcquired, state.lastFill);
  ++state.numAcquired;
  state.isOpen = true;
  state.lastFill = step.op;
  state.copies.assign(step.ring.getType().getParts().size(), nullptr);
  return success();
}

LogicalResult RoleOrder::copy(RingStep step, RingState &state) {
  if (!state.isOpen || step.number != state.numAcquired - 1)
    return reportBoth(
        step.op,
        "copies number " + Twine(step.number) + ", which is not acquired",
        state.lastFill ? state.lastFill : step.ring.getOperation(),
        state.lastFill ? "behind this" : "to this ring");
  Operation *&first = state.copies[cast<CopyOp>(step.op).getPart()];
  if (first)
    return reportBoth(step.op,
                      "copies part " + Twine(cast<CopyOp>(step.op).getPart()) +
                          " of number " + Twine(step.number) + " again",
                      first, "it is copied here");
  first = step.op;
  return success();
}

LogicalResult RoleOrder::commit(RingStep step, RingState &state) {
  bool isAsync = step.ring.getFeed() == Feed::CpAsync;
  numGroups += isAsync;
  if (!state.isOpen && isAsync && step.number >= state.numAcquired)
    return success();
  if (!state.isOpen || step.number != state.numAcquired - 1)
    return reportBoth(
        step.op,
        "commits number " + Twine(step.number) + ", which is not acquired",
        state.lastFill ? state.lastFill : step.ring.getOperation(),
        state.lastFill ? "behind this" : "of this ring");
  for (auto [part, copied] : llvm::enumerate(state.copies))
    if (!copied)
      return reportBoth(step.op,
                        "commits number " + Twine(step.number) + ", but part " +
                            Twine(part) + " is not copied",
                        state.lastFill, "since it was acquired");
  state.isOpen = false;
  state.lastFill = step.op;
  state.groups.push_back(numGroups);
  return success();
}

LogicalResult RoleOrder::wait(RingStep step, RingState &state) {
  if (step.number != state.numWaited)
    return reportOrder(step, "waits for", state.numWaited, state.lastRead);
  ++state.numWaited;
  state.lastRead = step.op;
  std::optional<int64_t> behind = cast<WaitOp>(step.op).getBehind();
  if (!behind)
    return success();
  if (state.numAcquired == 0)
    return reportBoth(step.op,
                      "says how many commits may be under way, but its role "
                      "does not fill the ring",
                      step.ring, "this one");
  // Where it is not filled yet, nobody can go on from here.
  if (step.ring.getFeed() != Feed::CpAsync ||
      step.number >= static_cast<int64_t>(state.groups.size()))
    return success();
  int64_t since = numGroups - state.groups[step.number];
  if (*behind > since)
    return reportBoth(
        step.op,
        "lets " + Twine(*behind) + " commits be under way, but since number " +
            Twine(step.number) + " there were only " + Twine(since),
        state.lastFill, "the last that was filled");
  return success();
}

LogicalResult RoleOrder::release(RingStep step, RingState &state) {
  if (step.number != state.numReleased)
    return reportOrder(step, "releases", state.numReleased, state.lastRead);
  if (step.number >= state.numWaited)
    return reportBoth(step.op,
                      "releases number " + Twine(step.number) +
                          ", which is not waited for",
                      step.ring, "of this ring");
  ++state.numReleased;
  return success();
}

LogicalResult RoleOrder::visit(RingStep step) {
  RingState &state = rings[step.ring];
  if (isa<AcquireOp>(step.op))
    return acquire(step, state);
  if (isa<CopyOp>(step.op))
    return copy(step, state);
  if (isa<CommitOp>(step.op))
    return commit(step, state);
  if (isa<WaitOp>(step.op))
    return wait(step, state);
  return release(step, state);
}

LogicalResult RoleOrder::finish(bool isComplete) {
  if (!isComplete)
    return success();
  for (auto &[ring, state] : rings) {
    if (state.isOpen)
      return reportBoth(state.lastFill,
                        "acquires number " + Twine(state.numAcquired - 1) +
                            ", which is never committed",
                        ring, "of this ring");
    if (state.numReleased != state.numWaited)
      return reportBoth(state.lastRead,
                        "waits for number " + Twine(state.numWaited - 1) +
                            ", but only " + Twine(state.numReleased) +
                            " numbers are ever released",
                        ring, "of this ring");
  }
  return success();
}

LogicalResult fuse::tile::checkRingOrder(ArrayRef<RoleTrace> roles,
                                         bool isComplete) {
  llvm::MapVector<Operation *, int64_t> unread;
  DenseMap<Operation *, Operation *> fills;
  for (const RoleTrace &role : roles) {
    RoleOrder order;
    for (RingStep step : role.steps)
      if (failed(order.visit(step)))
        return failure();
    if (failed(order.finish(isComplete)))
      return failure();
    for (auto &[ring, state] : order.rings) {
      unread[ring] += state.numAcquired - state.numWaited;
      if (state.lastFill)
        fills[ring] = state.lastFill;
    }
  }
  for (auto [ring, count] : unread)
    if (isComplete && count > 0)
      return reportBoth(fills[ring],
                        "is the last of a ring of which " + Twine(count) +
                            " numbers are filled, but not waited for",
                        ring, "this one");
  return success();
}
