//===- VerifyRingOrder.cpp - numbers of rings, one after the other --------===//
//
// A filler opens a number by acquiring it and closes it by committing it; a
// reader waits for it and releases it. `cp.async` may also commit numbers that
// it has not acquired yet: so always equally many groups are under way.
//
// Of several crews each has some of the numbers, and waits for them while it
// has its turn.
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
  int64_t numAcquired = 0;
  /// Those that were waited for, and how many of them were released.
  SmallVector<int64_t> waited;
  size_t numReleased = 0;
  Operation *lastFill = nullptr, *lastRead = nullptr;
  /// The acquired number is not committed yet.
  bool isOpen = false;
  SmallVector<Operation *> copies;
  /// What brought the first part of each number, which says of what kind it is.
  SmallVector<CopyOp> firstCopies;
  /// For each number how many groups there were when it was committed.
  SmallVector<int64_t> groups;
};

class RoleOrder {
public:
  explicit RoleOrder(const RoleTrace &role) : hasCrews(role.crews != 1) {}
  LogicalResult visit(RingStep step);
  LogicalResult finish(bool isComplete);

  /// In the order in which they are first used.
  llvm::MapVector<Operation *, RingState> rings;

private:
  LogicalResult turn(Operation *op);
  LogicalResult acquire(RingStep step, RingState &state);
  LogicalResult copy(RingStep step, RingState &state);
  LogicalResult commit(RingStep step, RingState &state);
  LogicalResult wait(RingStep step, RingState &state);
  LogicalResult release(RingStep step, RingState &state);

  bool hasCrews;
  /// The op that has begun the turn that goes on.
  Operation *turnBegun = nullptr;
  /// The groups of cp.async that the role has committed, of all rings.
  int64_t numGroups = 0;
};

} // namespace

static int64_t kindOf(CopyOp copy) {
  return copy.getRing().getType().kindOf(copy.getPart());
}

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
  auto copy = cast<CopyOp>(step.op);
  Operation *&first = state.copies[copy.getPart()];
  if (first)
    return reportBoth(step.op,
                      "copies part " + Twine(copy.getPart()) + " of number " +
                          Twine(step.number) + " again",
                      first, "it is copied here");
  first = step.op;
  if (state.firstCopies.size() != static_cast<size_t>(state.numAcquired))
    state.firstCopies.push_back(copy);
  else if (CopyOp other = state.firstCopies.back();
           kindOf(other) != kindOf(copy))
    return reportBoth(step.op,
                      "copies part " + Twine(copy.getPart()) + " of kind " +
                          Twine(kindOf(copy)) + " to number " +
                          Twine(step.number) + ", which is of kind " +
                          Twine(kindOf(other)),
                      other, "as this copy says");
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
  RingType type = step.ring.getType();
  bool isCopied =
      state.firstCopies.size() == static_cast<size_t>(state.numAcquired);
  int64_t kind = isCopied ? kindOf(state.firstCopies.back()) : 0;
  for (auto [part, copied] : llvm::enumerate(state.copies))
    if (!copied && type.kindOf(part) == kind)
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
  // Others have the numbers in between.
  int64_t next = hasCrews ? (state.waited.empty() ? 0 : state.waited.back() + 1)
                          : state.waited.size();
  if (hasCrews ? step.number < next : step.number != next)
    return reportOrder(step, "waits for", next, state.lastRead);
  if (hasCrews && !turnBegun)
    return reportBoth(step.op,
                      "waits for number " + Twine(step.number) +
                          " when it is not its crew's turn: whether those "
                          "before it are complete is not known",
                      step.ring, "of this ring");
  state.waited.push_back(step.number);
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
  bool isWaitedFor = state.numReleased < state.waited.size();
  int64_t next = isWaitedFor ? state.waited[state.numReleased]
                 : hasCrews  ? step.number
                             : static_cast<int64_t>(state.numReleased);
  if (step.number != next)
    return reportOrder(step, "releases", next, state.lastRead);
  if (!isWaitedFor)
    return reportBoth(step.op,
                      "releases number " + Twine(step.number) +
                          ", which is not waited for",
                      step.ring, "of this ring");
  ++state.numReleased;
  return success();
}

LogicalResult RoleOrder::turn(Operation *op) {
  bool isBegun = isa<TakeTurnOp>(op);
  if (isBegun && turnBegun)
    return reportBoth(op, "takes a turn that its crew has", turnBegun,
                      "it was taken here");
  if (!isBegun && !turnBegun)
    return op->emitOpError("gives a turn that its crew does not have");
  turnBegun = isBegun ? op : nullptr;
  return success();
}

LogicalResult RoleOrder::visit(RingStep step) {
  if (!step.ring)
    return turn(step.op);
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
    if (state.numReleased != state.waited.size())
      return reportBoth(state.lastRead,
                        "waits for number " + Twine(state.waited.back()) +
                            ", but only " + Twine(state.numReleased) +
                            " numbers are ever released",
                        ring, "of this ring");
  }
  return success();
}

/// Who waits for a number wants the parts that it has.
static LogicalResult
checkKinds(ArrayRef<RoleTrace> roles,
           const DenseMap<Operation *, SmallVector<CopyOp>> &firstCopies) {
  for (const RoleTrace &role : roles)
    for (RingStep step : role.steps) {
      auto wait = dyn_cast<WaitOp>(step.op);
      if (!wait)
        continue;
      auto copies = firstCopies.find(step.ring);
      if (copies == firstCopies.end() ||
          step.number >= static_cast<int64_t>(copies->second.size()))
        continue;
      CopyOp copy = copies->second[step.number];
      if (kindOf(copy) != static_cast<int64_t>(wait.getKind()))
        return reportBoth(wait,
                          "waits for number " + Twine(step.number) +
                              " as kind " + Twine(wait.getKind()) +
                              ", but it is of kind " + Twine(kindOf(copy)),
                          copy, "as this copy says");
    }
  return success();
}

LogicalResult fuse::tile::checkRingOrder(ArrayRef<RoleTrace> roles,
                                         bool isComplete) {
  llvm::MapVector<Operation *, int64_t> unread;
  DenseMap<Operation *, Operation *> fills;
  DenseMap<Operation *, SmallVector<CopyOp>> firstCopies;
  for (const RoleTrace &role : roles) {
    RoleOrder order(role);
    for (RingStep step : role.steps)
      if (failed(order.visit(step)))
        return failure();
    if (failed(order.finish(isComplete)))
      return failure();
    for (auto &[ring, state] : order.rings) {
      unread[ring] +=
          state.numAcquired - static_cast<int64_t>(state.waited.size());
      if (state.lastFill)
        fills[ring] = state.lastFill;
      if (!state.firstCopies.empty())
        firstCopies[ring] = state.firstCopies;
    }
  }
  if (failed(checkKinds(roles, firstCopies)))
    return failure();
  for (auto [ring, count] : unread)
    if (isComplete && count > 0)
      return reportBoth(fills[ring],
                        "is the last of a ring of which " + Twine(count) +
                            " numbers are filled, but not waited for",
                        ring, "this one");
  return success();
}
