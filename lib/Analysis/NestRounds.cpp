//===- NestRounds.cpp - what the rounds of a loop take --------------------===//
//
// The part of the walk that goes through loops: how many rounds they have, what
// these wait for, and what lies on the chip meanwhile.
//
//===----------------------------------------------------------------------===//

#include "NestWalker.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::cost;

/// How many rounds there are at most between two limits that move together:
/// some chunks of a split loop have them all.
double Walk::bandOf(const NestLoop &loop) const {
  double most = std::numeric_limits<double>::infinity();
  for (const NestBound &upper : loop.bounds)
    for (const NestBound &lower : loop.bounds) {
      if (!upper.isUpper || lower.isUpper || upper.computed || lower.computed ||
          upper.var != lower.var || upper.affine.terms.empty() ||
          upper.affine.terms != lower.affine.terms)
        continue;
      double width = static_cast<double>(upper.affine.constant) -
                     static_cast<double>(lower.affine.constant);
      for (const auto &[var, coefficient] : upper.affine.terms)
        width += std::abs(coefficient) * (windowOf(var) - 1);
      most = std::min(most, std::max(1.0, width / windowOf(upper.var) + 1));
    }
  return most;
}

/// How many rounds blocks have, and how much longer the longest one is.
double Walk::countTrips(const NestLoop &loop) {
  double trips = 1;
  for (const IndexVar &var : loop.vars)
    trips *= tilesOf(var);
  trips = std::max(1.0, trips / loop.chunks);
  // A limit that moves with the block leaves half of the rounds, two of them
  // what is between, and then all blocks have as many.
  bool hasMoving = llvm::any_of(loop.bounds, [](const NestBound &bound) {
    return !bound.computed && !bound.affine.terms.empty();
  });
  if (double band = bandOf(loop); std::isfinite(band)) {
    trips = std::min(trips, band);
  } else if (hasMoving) {
    double most = trips;
    trips = trips / 2 + 0.5;
    longest = std::max(longest, most / trips);
  }
  return trips;
}

/// The bytes that a loop carries.
double Walk::countCarried(const NestLoop &loop) {
  double own = 0;
  for (const CarriedTile &tile : loop.carried) {
    sums.insert(tile.next);
    // A product that a sum begins with is not there beside it.
    if (tile.from)
      largestLooseDot = 0;
    double bytes = tileBytes(tile.inside);
    own += bytes;
    largestSum = std::max(largestSum, bytes);
    // What another loop has left goes on in its registers. Threads that copy
    // for themselves need as many again for the addresses of both: a cell of an
    // LSTM, 4096x1024, spilled on sm_80.
    if (!machine.hasGroups || !tile.from || !left.contains(*tile.from))
      accumulatorBytes += bytes;
    left.insert(tile.result);
  }
  return own;
}

/// One in which nothing has been done.
Walk::Round Walk::roundOf(const NestLoop &loop, double times,
                          double trips) const {
  Round begun;
  begun.times = times;
  begun.trips = trips;
  begun.vars.assign(loop.vars.begin(), loop.vars.end());
  for (auto [var, parts] : llvm::zip(loop.vars, loop.partsOf(windows)))
    begun.innerTrips.emplace_back(var, std::max(1.0, tilesOf(var) / parts));
  for (const CarriedTile &tile : loop.carried)
    begun.carried.insert(tile.inside);
  return begun;
}

/// Rounds that wait for what they make, fetch or multiply.
void Walk::countWaits(const Round &done) {
  // Threads that multiply number by number put down what they have made where
  // the others find it, and meet before and behind that. Where they also reduce
  // it nothing else goes on meanwhile, products included: A1 took 17.7 us in
  // two rounds, and 11.8 in one; attention with a cap 299 us with rounds of 32
  // keys, and 259 with 64.
  bool isReducing = done.hasOuter && done.reducesItsOwn;
  bool isWaiting = isReducing && done.takesProduct;
  if (done.multipliesMade && done.hasOuter && !isReducing)
    turningSeconds += done.number() * 4 * machine.meeting;
  else if (done.multipliesMade || isWaiting)
    makingRounds += done.number();
  // Threads wait once for as much as has room in registers beside sums: 16x768
  // by 768x50257, along n, took 1.2 us for a round of 16 KiB, and 3.1 of 32.
  constexpr double atOnce = 12 << 10;
  if (done.multipliesFetched) {
    fetchingRounds += done.number() * std::max(1.0, done.fetchedBytes / atOnce);
    mostFetched = std::max(mostFetched, done.fetchedBytes);
  }
  if (done.takesProduct && !isWaiting)
    takingRounds += done.number();
}

/// What rounds take beside their products, and whether these are long enough to
/// hide it where threads multiply number by number.
void Walk::countTurning(Round &done) {
  bool isAlone = loopsAround == 0 && !done.level.hasLoops;
  bool isByNumbers = done.hasOuter && isAlone && done.trips > 1;
  done.isLong = isByNumbers && done.dotSeconds * machine.units >=
                                   machine.latency * done.times * done.trips;
  done.isBrief = isByNumbers && !done.isLong && !done.takesProduct &&
                 !done.multipliesMade && !hasOtherTerms;
  hasShortRounds |= done.dotSeconds > 0 && !done.isLong && !done.isBrief;
  if (isByNumbers)
    copiesOfRound = std::max(copiesOfRound, done.copies);
  if (done.isBrief) {
    briefSeconds += done.dotSeconds * machine.units;
    briefRounds += done.number();
  }
  // Who computes with a product waits for it anyway, and then its slot is free.
  if (!done.takesProduct)
    (done.isBrief  ? briefTurningSeconds
     : done.isLong ? longTurningSeconds
                   : turningSeconds) += done.number() * done.turning;
}

/// What tensor cores multiply in the same rounds is copied ahead, and they go
/// on while threads multiply: D1 of 65536 rows as tf32x3 took 289 us with 32
/// columns of its first layer a round, number by number, and 341 with 64.
void Walk::countMixed(Round &done) {
  if (!done.isMixed())
    return;
  done.dotSeconds -= done.outerSeconds;
  dotSeconds -= done.outerSeconds;
  otherSeconds += done.outerSeconds;
}

/// What rounds read, and how long products wait for it.
void Walk::countReads(const Round &done) {
  if (done.hasOuter)
    outerBytes +=
        done.number() *
        (done.isMixed() ? std::min(done.outerRead, done.bytes) : done.bytes);
  else if (done.dotSeconds > 0 && done.trips <= 1)
    serialBytes += done.times * done.bytes;
  // One round is not waited for by another.
  bool isAhead = done.trips > 1;
  bool isByThreads = done.hasOuter && !done.isMixed();
  bool isApart =
      (done.takesProduct && needs.isByGroups) || done.turning > machine.turning;
  if (isAhead)
    waitingSeconds += done.dotSeconds * waitingFor(done.bytes, done.splitBytes,
                                                   isApart, isByThreads);
  // What threads sum up of a row and a matrix they have in registers.
  bool isSummed = done.dotSeconds == 0 && numSummed > 0;
  bool hasOneSlot =
      machine.copying > 0 && (isByThreads || !isAhead || isSummed);
  largestSlots = std::max(largestSlots, (hasOneSlot ? 1 : 2) * done.largest);
  if (done.dotSeconds == 0)
    roundAhead = std::max(roundAhead, done.bytes);
}

/// The ring from which rounds multiply: all slots but the one that is read are
/// on their way.
void Walk::countSlots(Round &done) {
  if (done.dotSeconds <= 0)
    return;
  idleSeconds += std::max(0.0, done.number() * machine.shortest -
                                   done.dotSeconds * machine.units);
  // As rings get their slots.
  double mostSlots = done.isLong ? 2 : 4, inTurns = 2;
  double slots = std::floor(machine.ahead / 2 / done.bytes);
  if (slots < 2)
    slots = std::floor(machine.ahead / done.bytes);
  slots = std::min({slots, mostSlots, done.trips + 1});
  double waited = done.isBrief ? std::min(slots, inTurns) : slots;
  done.level.slotsInside += std::max(0.0, waited - 1) * done.bytes;
  if (slots * done.bytes > ring) {
    ring = slots * done.bytes;
    mostAhead = std::max(slots - 1, 0.5) * done.bytes;
  }
}

/// Tells the round around a loop what lay in shared memory inside.
void Walk::raiseLevel(const Level &inside) {
  double factorsInside = inside.all + inside.largestInside;
  loopBytes = std::max(loopBytes, factorsInside + inside.slotsInside);
  Level &level = round.level;
  level.largestInside = std::max(level.largestInside, factorsInside);
  level.slotsInside = std::max(level.slotsInside, inside.slotsInside);
  level.hasLoops = true;
}

/// Whether a loop adds to what others have left: it is more of what they are,
/// and what it reads goes through their slots.
bool Walk::goesOn(const NestLoop &loop) const {
  return machine.hasGroups && !loop.carried.empty() &&
         llvm::all_of(loop.carried, [&](const CarriedTile &tile) {
           return tile.from && left.contains(*tile.from);
         });
}

/// Counts what a loop that goes on has in common with those before it once.
void Walk::joinLoops(const InLoops &before) {
  needs.slotBytes = std::max(needs.slotBytes, before.slotBytes);
  longestDot += before.longestDot;
  if (outerDots > 0)
    return;
  numLoops = before.numLoops;
  numDots = before.numDots;
}

void Walk::visitLoop(const NestLoop &loop, double times) {
  double trips = countTrips(loop);
  InLoops before{numLoops, numDots, longestDot, needs.slotBytes};
  bool isMore = goesOn(loop);
  double own = countCarried(loop);
  rounds += times * trips;
  ++numLoops;
  if (isMore)
    longestDot = needs.slotBytes = 0;
  carriedBytes += own;
  double dotsBefore = dotSeconds;
  Round around = std::exchange(round, roundOf(loop, times, trips));
  ++loopsAround;
  visit(loop.body, times * trips);
  --loopsAround;
  Round done = std::exchange(round, std::move(around));
  done.dotSeconds = dotSeconds - dotsBefore;
  round.bytes += done.stayingBytes;
  for (const CarriedTile &tile : loop.carried)
    if (multiplied.contains(tile.next))
      multiplied.insert(tile.result);
  countWaits(done);
  countTurning(done);
  countMixed(done);
  countReads(done);
  countSlots(done);
  raiseLevel(done.level);
  carriedBytes -= own;
  if (isMore)
    joinLoops(before);
}
