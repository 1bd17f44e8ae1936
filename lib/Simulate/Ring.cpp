//===- Ring.cpp - slots that are filled and read in turn ------------------===//
//
// The rules of rings, each with the message that names who broke it.
//
//===----------------------------------------------------------------------===//

#include "Ring.h"
#include "Issue.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

bool Ring::isFilledByOthers(tile::RingOp op, size_t blocks) {
  return blocks > 1 && op.getFeed() == tile::Feed::Tma &&
         llvm::any_of(op->getUsers(), [](Operation *user) {
           auto copy = dyn_cast<tile::CopyOp>(user);
           return copy && copy.getMulticast();
         });
}

static int64_t kindOf(tile::CopyOp copy) {
  return copy.getRing().getType().kindOf(copy.getPart());
}

Ring::Ring(tile::RingOp op, Timing &timing, unsigned rank,
           MutableArrayRef<Ring *> all)
    : op(op), timing(timing), rank(rank), slots(op.getType().getSlots()) {
  all[rank] = this;
  peers = isFilledByOthers(op, all.size()) ? all : all.slice(rank, 1);
  SmallPtrSet<Operation *, 4> users, waiting;
  for (Operation *user : op->getUsers()) {
    Operation *role = user->getParentOfType<tile::RoleOp>();
    users.insert(role);
    if (isa<tile::WaitOp>(user))
      waiting.insert(role);
  }
  isCounted = op.getFeed() == tile::Feed::CpAsync && users.size() == 1;
  readers = waiting.size();
  for (Slot &slot : slots)
    slot.parts.resize(op.getType().getParts().size());
}

/// An error at `op`, with a note at `other`.
static Outcome fail(InFlightDiagnostic diagnostic, Operation *other,
                    StringRef note) {
  if (other)
    diagnostic.attachNote(other->getLoc()) << note;
  return Outcome::Failed;
}

LogicalResult Ring::checkOrder(Operation *user, StringRef verb, int64_t number,
                               int64_t &next) {
  if (number != next)
    return user->emitOpError()
           << verb << " number " << number << ", but " << next << " is next";
  return success();
}

IssuePtr Ring::unfinishedBorrower(Slot &slot) {
  llvm::erase_if(slot.borrowers,
                 [](const IssuePtr &issue) { return issue->isDone; });
  return slot.borrowers.empty() ? nullptr : slot.borrowers.front();
}

//===----------------------------------------------------------------------===//
// Filling
//===----------------------------------------------------------------------===//

ArrayRef<Ring *> Ring::findPeers(Operation *user) {
  for (auto [other, peer] : llvm::enumerate(peers))
    if (!peer || peer->isClosed) {
      user->emitOpError("reaches into block ")
          << other << " of its cluster, which "
          << (peer ? "has ended" : "has not made the ring yet")
          << ": only in 'tile.roles' are all of them there";
      return {};
    }
  return peers;
}

void Ring::open(Slot &slot, int64_t number) {
  slot.number = number;
  slot.acquired = nullptr;
  slot.isCommitted = false;
  for (auto &part : slot.parts)
    part.clear();
  slot.first = nullptr;
  slot.waited.clear();
  slot.released.clear();
}

Outcome Ring::acquire(tile::AcquireOp user, int64_t number) {
  if (failed(checkOrder(user, "acquires", number, nextAcquire)))
    return Outcome::Failed;
  Slot &slot = slotOf(number);
  // Slots are empty at first, which is as if the signal had been given once.
  if (!isCounted && !seems(slot.empty + 1, number))
    return Outcome::Blocked;
  // Others may have begun to fill it.
  if (slot.number != number && !slot.isReleased(readers))
    return fail(user.emitOpError("fills the slot of number ")
                    << *slot.number << ", which has not been released",
                slot.acquired, "it was acquired here");
  ++nextAcquire;
  if (slot.number != number)
    open(slot, number);
  slot.acquired = user;
  return Outcome::Done;
}

/// What an asynchronous copy must not overwrite.
LogicalResult Ring::checkOverwrite(tile::CopyOp user, Slot &slot,
                                   const Strand &strand) {
  if (IssuePtr issue = unfinishedBorrower(slot)) {
    InFlightDiagnostic diagnostic =
        user.emitOpError("overwrites a slot that a product may still read");
    diagnostic.attachNote(issue->op.getLoc()) << "the product is set off here";
    return diagnostic;
  }
  if (isCounted && slot.reader && slot.readerBarriers == strand.barriers) {
    InFlightDiagnostic diagnostic =
        user.emitOpError("overwrites a slot that has been read since the "
                         "threads last waited for each other");
    diagnostic.attachNote(slot.reader->getLoc()) << "it is read here";
    return diagnostic;
  }
  return success();
}

/// Whether two tiles have the same numbers; those that are none are the same.
static bool areEqual(const Array &a, const Array &b) {
  return const_cast<Array &>(a).visit([&](auto *left) {
    using T = std::remove_pointer_t<decltype(left)>;
    return std::equal(left, left + a.size(), b.get<T>(),
                      [](T x, T y) { return x == y || (x != x && y != y); });
  });
}

Outcome Ring::receive(tile::CopyOp user, int64_t number,
                      const FlightPtr &flight, const Strand &strand) {
  Slot &slot = slotOf(number);
  if (slot.number != number) {
    assert(slot.isReleased(readers) && "signals come from all blocks");
    open(slot, number);
  }
  SmallVectorImpl<FlightPtr> &part = slot.parts[user.getPart()];
  for (const FlightPtr &other : part) {
    if (flight->isShare && other->isShare && flight->from != other->from) {
      if (areEqual(*flight->tile, *other->tile))
        continue;
      return fail(user.emitOpError("brings a share of part ")
                      << user.getPart() << " of number " << number
                      << " to all blocks of the cluster, but block "
                      << other->from->rank << " copies something else",
                  other->op, "it is copied here");
    }
    return fail(user.emitOpError("copies part ")
                    << user.getPart() << " of number " << number << " again",
                other->op, "it is copied here");
  }
  if (failed(checkOverwrite(user, slot, strand)))
    return Outcome::Failed;
  if (!slot.first)
    slot.first = user;
  if (kindOf(user) != kindOf(slot.first))
    return fail(user.emitOpError("copies part ")
                    << user.getPart() << " of kind " << kindOf(user)
                    << " to number " << number << ", which is of kind "
                    << kindOf(slot.first),
                slot.first, "as this copy says");
  part.push_back(flight);
  flight->arrival = timing.arrival();
  if (flight->arrival <= timing.now())
    land(slot, *flight);
  return Outcome::Done;
}

Outcome Ring::copy(tile::CopyOp user, int64_t number, ArrayPtr tile,
                   Strand &strand) {
  Slot &slot = slotOf(number);
  if (slot.number != number || !slot.acquired || slot.isCommitted) {
    user.emitOpError("copies number ") << number << ", which is not acquired";
    return Outcome::Failed;
  }
  auto setOff = [&](Ring &to, bool isShare) {
    auto flight = std::make_shared<Flight>();
    flight->op = user;
    flight->tile = tile;
    flight->from = this;
    flight->isShare = isShare;
    if (isCounted)
      strand.uncommitted.push_back(flight);
    return to.receive(user, number, flight, strand);
  };
  if (!user.getMulticast() || peers.size() == 1)
    return setOff(*this, /*isShare=*/false);
  ArrayRef<Ring *> filled = findPeers(user);
  if (filled.empty())
    return Outcome::Failed;
  for (Ring *peer : filled)
    if (setOff(*peer, /*isShare=*/true) != Outcome::Done)
      return Outcome::Failed;
  return Outcome::Done;
}

Outcome Ring::commit(tile::CommitOp user, int64_t number, Strand &strand) {
  uint64_t group = 0;
  if (isCounted) {
    group = strand.commits++;
    for (FlightPtr &flight : strand.uncommitted) {
      flight->commit = group;
      strand.committed.push_back(std::move(flight));
    }
    strand.uncommitted.clear();
    // A group without copies, which only counts.
    if (number >= nextAcquire)
      return Outcome::Done;
  }
  Slot &slot = slotOf(number);
  if (slot.number != number || !slot.acquired || slot.isCommitted) {
    user.emitOpError("commits number ") << number << ", which is not acquired";
    return Outcome::Failed;
  }
  auto isOwn = [&](const FlightPtr &flight) { return flight->from == this; };
  for (const auto &part : partsOf(slot))
    if (llvm::none_of(part, isOwn))
      return fail(user.emitOpError("commits number ")
                      << number << " without part " << &part - &slot.parts[0],
                  slot.acquired, "it was acquired here");
  slot.isCommitted = true;
  slot.commit = group;
  signalIfFull(slot);
  return Outcome::Done;
}

ArrayRef<SmallVector<FlightPtr, 1>> Ring::partsOf(const Slot &slot) const {
  tile::RingType type = tile::RingOp(op).getType();
  int64_t kind = slot.first ? kindOf(slot.first) : 0;
  return ArrayRef(slot.parts)
      .slice(type.firstPartOf(kind), type.partsOf(kind).size());
}

bool Ring::isThere(ArrayRef<FlightPtr> part) const {
  return !part.empty() &&
         part.size() == (part.front()->isShare ? peers.size() : 1) &&
         llvm::all_of(
             part, [](const FlightPtr &flight) { return flight->hasLanded; });
}

void Ring::signalIfFull(Slot &slot) {
  if (slot.isCommitted && llvm::all_of(partsOf(slot), [&](const auto &part) {
        return isThere(part);
      }))
    ++slot.full;
}

void Ring::land(Slot &slot, Flight &flight) {
  flight.hasLanded = true;
  signalIfFull(slot);
}

void Ring::landDue() {
  for (Slot &slot : slots)
    for (auto &part : slot.parts)
      for (FlightPtr &flight : part)
        if (!flight->hasLanded && flight->arrival <= timing.now())
          land(slot, *flight);
}

bool Ring::landOne() {
  if (isCounted)
    return false;
  std::vector<std::pair<Slot *, Flight *>> flying;
  for (Slot &slot : slots)
    for (auto &part : slot.parts)
      for (FlightPtr &flight : part)
        if (!flight->hasLanded)
          flying.emplace_back(&slot, flight.get());
  if (flying.empty())
    return false;
  auto [slot, flight] = flying[timing.below(flying.size())];
  land(*slot, *flight);
  return true;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Outcome Ring::wait(tile::WaitOp user, int64_t number, Strand &strand) {
  int64_t &next = nextWait[&strand];
  // Other crews have the numbers in between.
  if (strand.isCrew)
    next = std::max(next, number);
  if (failed(checkOrder(user, "waits for", number, next)))
    return Outcome::Failed;
  Slot &slot = slotOf(number);
  if (!isCounted) {
    landDue();
    if (!seems(slot.full, number))
      return Outcome::Blocked;
    // Where numbers are waited for in order, the signal is at most one round
    // behind: what its parity says is the truth. Crews see to that by turns.
    if (slot.number != number || !slot.isCommitted)
      return fail(
          user.emitOpError("takes the parity of another number for that "
                           "of number ")
              << number << ", which is not complete",
          slot.acquired, "the last one was acquired here");
  } else {
    uint64_t behind = user.getBehind().value_or(0);
    uint64_t certain = strand.commits - std::min(strand.commits, behind);
    // Of all rings: the chip counts groups, whatever they are for.
    llvm::erase_if(strand.committed, [&](const FlightPtr &flight) {
      if (flight->commit >= certain)
        return false;
      flight->hasLanded = true;
      return true;
    });
    ++strand.barriers;
    if (slot.number != number || !slot.isCommitted) {
      user.emitOpError("waits for number ")
          << number << ", which is not committed";
      return Outcome::Failed;
    }
    if (slot.commit >= certain)
      return fail(user.emitOpError("waits for number ")
                      << number << " and lets " << behind
                      << " commits be under way, but since its own there were "
                      << strand.commits - slot.commit - 1,
                  slot.acquired, "it was acquired here");
  }
  if (int64_t kind = user.getKind(); kind != kindOf(slot.first))
    return fail(user.emitOpError("waits for number ")
                    << number << " as kind " << kind << ", but it is of kind "
                    << kindOf(slot.first),
                slot.first, "as this copy says");
  ++next;
  slot.waited.insert(&strand);
  return Outcome::Done;
}

ArrayPtr Ring::read(const SharedTile &tile, Operation *user,
                    const Strand &strand) {
  Slot &slot = slotOf(tile.number);
  if (slot.number != tile.number) {
    fail(user->emitOpError("reads number ")
             << tile.number << ", in whose slot is number " << *slot.number,
         slot.acquired, "the slot was acquired here");
    return nullptr;
  }
  if (slot.released.contains(&strand)) {
    fail(user->emitOpError("reads number ")
             << tile.number << ", which has been released",
         slot.acquired, "it was acquired here");
    return nullptr;
  }
  markRead(tile, user, strand);
  ArrayRef<FlightPtr> part = slot.parts[tile.part];
  // All shares are of one tile.
  if (isThere(part))
    return part.front()->tile;
  auto rubbish = std::make_shared<Array>(*part.front()->tile);
  rubbish->spoil();
  return rubbish;
}

void Ring::markRead(const SharedTile &tile, Operation *user,
                    const Strand &strand) {
  Slot &slot = slotOf(tile.number);
  slot.reader = user;
  slot.readerBarriers = strand.barriers;
}

void Ring::lend(const SharedTile &tile, IssuePtr issue) {
  slotOf(tile.number).borrowers.push_back(std::move(issue));
}

Outcome Ring::release(tile::ReleaseOp user, int64_t number,
                      ArrayRef<IssuePtr> groups, Strand &strand) {
  int64_t &next = nextRelease[&strand];
  if (strand.isCrew)
    next = std::max(next, number);
  if (failed(checkOrder(user, "releases", number, next)))
    return Outcome::Failed;
  Slot &slot = slotOf(number);
  if (slot.number != number || !slot.waited.contains(&strand)) {
    user.emitOpError("releases number ")
        << number << ", which nobody here has waited for";
    return Outcome::Failed;
  }
  for (const IssuePtr &group : groups)
    if (!group->isDone)
      return fail(user.emitOpError("releases number ")
                      << number << " after a product that may be under way",
                  group->op, "the product is set off here");
  if (IssuePtr issue = unfinishedBorrower(slot))
    return fail(user.emitOpError("releases number ")
                    << number << ", which a product may still read",
                issue->op, "the product is set off here");
  ArrayRef<Ring *> filled = findPeers(user);
  if (filled.empty())
    return Outcome::Failed;
  ++next;
  slot.released.insert(&strand);
  for (Ring *peer : filled) {
    Slot &there = peer->slotOf(number);
    if (++there.arrivals == readers * filled.size()) {
      there.arrivals = 0;
      ++there.empty;
    }
  }
  return Outcome::Done;
}

LogicalResult Ring::finish() {
  for (Slot &slot : slots) {
    if (slot.isReleased(readers))
      continue;
    if (slot.acquired)
      return slot.acquired->emitOpError("acquires number ")
             << *slot.number << ", which is never released";
    for (auto &part : slot.parts)
      for (FlightPtr &flight : part)
        return flight->op->emitOpError("brings a share of number ")
               << *slot.number << " to block " << rank
               << " of its cluster, which never acquires it";
  }
  return success();
}
