//===- NestLoads.cpp - what a launch reads --------------------------------===//
//
// The part of the walk that counts what comes from memory and from the cache,
// and how it is copied.
//
//===----------------------------------------------------------------------===//

#include "NestWalker.h"
#include <numeric>

using namespace mlir;
using namespace fuse;
using namespace fuse::cost;

/// Around the end of a row a block may read what another one does, too.
static constexpr double kNearlyOnce = 1.5;

/// Whether blocks read different parts.
bool Walk::isDivided(const Statement &load) const {
  return llvm::any_of(grid, [&](const IndexVar &var) {
    return tilesOf(var) > 1 && llvm::is_contained(axesOf(load.result), var);
  });
}

/// In how many rounds one after the other a tile is the same, since it varies
/// with none of the variables that run inside.
double Walk::stayingOf(TileId tile) const {
  double rounds = 1;
  for (const auto &[var, trips] : llvm::reverse(round.innerTrips)) {
    if (llvm::is_contained(axesOf(tile), var))
      break;
    rounds *= trips;
  }
  return rounds;
}

/// How many bytes come for each that is wanted.
double Walk::perByteOf(const Reading &reading) const {
  // What is read around a short run is read for nothing.
  double perByte = std::max(1.0, machine.line / reading.run);
  // Where rows begin within words a run has a part of a line at both ends,
  // which as a rule is there when the next round asks for it. 3072 rows of
  // 50257 bf16 came in 118 us in runs of 64, 110 of 128, 100 of 256 and 96 of
  // 512, eight or sixteen rows at a time.
  constexpr double seldom = 0.05;
  if (machine.latency > 0 && reading.isAlongLoop &&
      !canBeCopiedAhead(reading.load.element))
    perByte = std::max(perByte, 1 + seldom * machine.line / reading.run);
  // Two lines that memory opens together come a little faster than each alone:
  // sums of 4096 rows of 4096 f32 took 18.5 us, 16 columns at a time, and 17.3
  // with 32 or 64.
  constexpr double alone = 1.06;
  if (machine.latency > 0 && !isOnlyPointwise && reading.run <= machine.line)
    perByte = std::max(perByte, alone);
  return perByte;
}

Walk::Reading Walk::readingOf(const Statement &load, double times) const {
  const Element *element = load.element;
  const VarSet &axes = axesOf(load.result);
  double width = widthOf(element->type());
  Reading reading{load, element->tensor()};
  bool isOfLoop = llvm::any_of(axes, [&](const IndexVar &var) {
    return llvm::is_contained(round.vars, var);
  });
  reading.stays = isOfLoop ? stayingOf(load.result) : 1;
  reading.times = times / reading.stays;
  reading.isOfRound = isOfLoop && reading.stays == 1;
  reading.isAlongLoop = llvm::any_of(
      round.vars, [&](const IndexVar &var) { return element->liesAlong(var); });
  // A chunk of a split loop is its own.
  reading.isAlike = !isDivided(load) && !(isSplit && isOfLoop);
  reading.bytes = width;
  for (const IndexVar &var : axes)
    reading.bytes *= insideOf(var);
  reading.volume = volumeOf(axes);
  reading.tileBytes = reading.volume * width;
  reading.whole = bytesOf(reading.tensor, sizes, machine);
  reading.run = runOf(element);
  reading.perByte = perByteOf(reading);
  reading.traffic = reading.times * reading.bytes * reading.perByte;
  reading.fromCache =
      reading.whole > machine.nearSize
          ? reading.traffic
          : std::min(reading.traffic, machine.units * reading.whole);
  return reading;
}

/// Where a block keeps what it reads.
void Walk::countRead(const Reading &reading) {
  mostElements = std::max(mostElements, reading.volume);
  // A few bytes stay near, and what does not change from round to round is
  // read once.
  constexpr double fewBytes = 128;
  if (machine.fetching > 0 && reading.isOfRound &&
      reading.tileBytes > fewBytes && !canBeCopiedAhead(reading.load.element)) {
    round.fetched.insert(reading.load.result);
    round.fetchedBytes += reading.tileBytes;
  }
  largestLoad = std::max(largestLoad, reading.tileBytes);
  if (reading.isOfRound) {
    round.largest = std::max(round.largest, reading.tileBytes);
    needs.slotBytes += reading.tileBytes;
  } else {
    largestSlots = std::max(largestSlots, 2 * reading.tileBytes);
    looseElements += reading.volume;
    needs.heldBytes += reading.tileBytes;
  }
  (reading.stays > 1 ? round.stayingBytes : round.bytes) += reading.tileBytes;
  bool isByWord = reading.isAlongLoop || !haveRowsAt(word, reading.tensor);
  round.copies += isByWord ? reading.volume : reading.tileBytes / word;
}

/// Of which tensors how much is read.
void Walk::countTensor(const Reading &reading) {
  if (!unique.contains(reading.tensor))
    tensorBytes += reading.whole;
  if (reading.whole > largestTensor) {
    largestTensor = reading.whole;
    timesOfLargest = 1;
  }
  double read = reading.times * reading.bytes;
  if (reading.whole == largestTensor && read > kNearlyOnce * reading.whole)
    timesOfLargest = std::max(timesOfLargest, read / reading.whole);
}

/// Notes what the copy engine cannot take as it is, or threads not in vectors.
void Walk::noteRows(const Reading &reading) {
  const Statement &load = reading.load;
  bool haveWords = haveRowsAt(word, reading.tensor);
  readsAlong &= !reading.isOfRound || hasOwnVariables(load.element);
  haveColumns &= !reading.isOfRound || fitsInColumns(load);
  othersCopy |= reading.isOfRound && !haveWords;
  auto hasSeveral = [&](bool ofBlock) {
    return llvm::any_of(axesOf(load.result), [&](const IndexVar &var) {
      return insideOf(var) > 1 && llvm::is_contained(grid, var) == ofBlock &&
             (ofBlock || load.element->liesAlong(var));
    });
  };
  areRowsLoose =
      !haveWords && loads.size() == 1 && hasSeveral(/*ofBlock=*/false);
  cutsRows = areRowsLoose && hasSeveral(/*ofBlock=*/true);
  areLooseWords &= reading.isOfRound || haveWords;
}

/// What threads copy ahead of rounds, in pieces of a word.
void Walk::countPieces(const Reading &reading) {
  bool isOpen =
      cast<RankedTensorType>(reading.tensor.getType()).getShape().back() ==
      ShapedType::kDynamic;
  if (isOpen)
    return;
  // Two words at a time take half as long as one.
  constexpr double ofTwo = 0.5;
  if (haveRowsAt(word / 2, reading.tensor))
    copiedPieces += ofTwo * reading.times * reading.bytes / (word / 2);
  else if (haveRowsAt(word / 4, reading.tensor))
    copiedPieces += reading.times * reading.bytes / (word / 4);
}

/// What is copied ahead of rounds. Where rows begin within lines, each piece of
/// one is in two of them.
void Walk::countCopies(const Reading &reading) {
  // Shorter rows that begin within sectors take longer than a line: attention
  // with 40 features took 52 us with 64 rows a block, however many on a unit,
  // and 37 with 128.
  constexpr int64_t line = 128, sector = 32;
  constexpr double ofShort = 1.5;
  // The engine asks for each row of a box, which has as many bytes as swizzles
  // have.
  double row = rowOf(reading.load.element);
  double ofBox = std::gcd(static_cast<int64_t>(row), line);
  asked = std::max(asked, reading.times * reading.bytes / reading.whole * line /
                              ofBox);
  if (!reading.isOfRound)
    return;
  if (!haveRowsAt(word, reading.tensor)) {
    countPieces(reading);
    return;
  }
  double crossing = crossingOf(reading);
  if (row < line && !haveRowsAt(sector, reading.tensor))
    crossing = ofShort * line / row;
  Copied own{reading.fromCache, crossing * reading.fromCache,
             reading.times * reading.bytes / ofBox,
             haveRowsAt(sector, reading.tensor) ? 0 : reading.fromCache};
  copied.add(own);
  for (auto [var, along] : llvm::zip_equal(grid, neighbours))
    if (!llvm::is_contained(axesOf(reading.load.result), var)) {
      along.alike.add(own);
      along.rows =
          std::gcd(along.rows, static_cast<int64_t>(reading.tileBytes / row));
    }
}

/// What of it comes from memory.
void Walk::countMemory(const Reading &reading) {
  double whole = reading.whole, traffic = reading.traffic;
  // Parts of a loop read different parts of it.
  for (const IndexVar &var : reading.load.element->freeVars())
    if (var.isOfPart())
      traffic = inParts[{reading.tensor, var.level}] += reading.traffic;
  // What does not stay in cache is read again, an eighth of the times: blocks
  // that run side by side read the same. On a GPU half a line takes as long as
  // all of it, even if another block reads the other half at the same time:
  // sums of 16 columns of 4096x4096 of bf16 took 24 us, and 10.3 of 256.
  double once = machine.latency > 0 ? whole * reading.perByte : whole;
  double fromMemory = whole < machine.cacheSize
                          ? std::min(once, traffic)
                          : std::min(traffic, std::max(once, traffic / 8));
  // Measured: sums of 128 rows at a time against 16.
  constexpr double scattered = 1.4;
  if (whole >= machine.cacheSize && reading.run < machine.page &&
      reading.bytes / reading.run > machine.streams)
    fromMemory *= scattered;
  double &known = unique[reading.tensor];
  known = std::max(known, fromMemory);
  if (traffic <= kNearlyOnce * whole)
    divided[reading.tensor] += std::min(reading.traffic, whole);
}

void Walk::visitLoad(const Statement &statement, double times) {
  Reading reading = readingOf(statement, times);
  loads[statement.result] = statement.element;
  staying[statement.result] = reading.stays;
  round.read.insert(statement.result);
  wasRead.insert(statement.result);
  isGathered |= llvm::any_of(statement.element->indices(),
                             [](const Index &at) { return at.computed; });
  countRead(reading);
  countTensor(reading);
  cacheBytes += reading.fromCache;
  if (reading.isAlike)
    alikeBytes += reading.fromCache;
  nearBytes += reading.traffic - reading.fromCache;
  noteRows(reading);
  countCopies(reading);
  countMemory(reading);
}
