//===- MemoryTiming.cpp - how long a launch waits for memory --------------===//
//
// What part of their rates memories reach, and what slows them down.
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "fuse/Analysis/CostModel.h"

using namespace fuse;
using namespace fuse::cost;

/// What a unit gets of memory whose neighbour has nothing to do.
static constexpr double kOfUnit = 115e9;

/// Whether most of what is read are whole lines.
bool Timing::comesInLines() const {
  constexpr double mostCrossing = 0.25;
  return copied.crossing <= mostCrossing * copied.all;
}

/// Whether blocks multiply what the engine brings, as fast as memory has it. To
/// threads, and of f32, it does not come as fast, and of chunks not enough is
/// known but of few rows in clusters.
bool Timing::isFlowing() const {
  return machine.hasGroups && numDots > 0 && onlyHalves && takingRounds == 0 &&
         (!isSplit || (clusterBlocks > 1 && areTurned));
}

/// What two limits leave together, of which neither is sharp.
static double underBoth(double rate, double other, double power) {
  return std::pow(std::pow(rate, -power) + std::pow(other, -power), -1 / power);
}

/// Whether blocks have one product, of few rows, whose factors come in rounds.
bool Timing::isThinStream() const {
  return isFlowing() && areTurned && numDots == 1 && numLoops == 1;
}

/// Whether they are so few that each has a pair of units for itself.
bool Timing::areFewStreams() const {
  return isThinStream() && blocks <= machine.units / 2 && needs.slotBytes > 0 &&
         rounds > blocks;
}

/// What one of them gets by its slots, each of which is asked for, comes, is
/// multiplied, and is asked for again: 2880 terms of 2880 columns took 6.0 us
/// in rounds of 128 and 7.1 in those of 512, of which three slots have room.
double Timing::rateOfSlots() const {
  if (!areFewStreams())
    return std::numeric_limits<double>::infinity();
  constexpr double mostSlots = 8;
  double slots =
      std::clamp(std::floor(machine.ahead / needs.slotBytes), 1.0, mostSlots);
  double ofRound = dotSeconds * machine.units / rounds;
  return slots * needs.slotBytes /
         (machine.latency + needs.slotBytes / kOfUnit + ofRound);
}

/// How long products wait for a first slot that is large, where all that a
/// block reads is little or nobody else reads: 24x2048 by 2048x1280 took 3.9 us
/// in four chunks of rounds of 128, and 4.4 of 256. What a small one takes is
/// counted with what comes before.
double Timing::fillingSlot() const {
  constexpr double small = 20 << 10;
  bool isBrief = isThinStream() && blocks <= machine.units &&
                 memoryBytes <= blocks * kAheadAlone;
  return isBrief || areFewStreams()
             ? std::max(0.0, needs.slotBytes - small) / kOfUnit
             : 0;
}

/// What all blocks together get of memory then, where each has a unit. Units
/// come in pairs with one way to memory, which get the same share each. Blocks
/// that have a pair for themselves are done before the others, and these then
/// read hardly faster: 242 MB of weights took 60.4 us in 58 blocks, 76.6 in 86,
/// 66.5 in 115 and 60.6 in 132, 135 MB 40.4 in 96, and 90 MB 27.0 in 32 and
/// 22.8 in 64. What is asked for at once is too little for that, and pieces of
/// lines come slower to a unit: 16x11008 by 11008x1000 took 8.8 us in 128
/// blocks and 9.8 in 64.
///
/// Clusters have both units of a pair, but where there is room for more: 64
/// blocks with 128 KiB each took 4.4 us in clusters of two, 5.5 and 5.4 in
/// those of four and eight; 48 with 96 KiB 3.5 and 3.6. With less than 72 KiB
/// each they do not hinder each other: 96 with 48 KiB took 3.4 us in eights.
double Timing::flowingRate() const {
  constexpr double ofPair = 95e9, ofFew = 7, ofPairs = 3.5;
  constexpr double mostApart = 48, pairOfBlocks = 2, brief = 72 << 10;
  double pairs = machine.units / 2, shared = blocks - pairs;
  bool arePacked = clusterBlocks > 1 && memoryBytes > blocks * brief &&
                   blocks > (clusterBlocks > pairOfBlocks ? mostApart : pairs);
  if (!arePacked && (shared <= 0 || memoryBytes <= blocks * kAheadAlone))
    return comesInLines() ? underBoth(blocks * std::min(kOfUnit, rateOfSlots()),
                                      machine.memory, ofFew)
                          : blocks * machine.unitRate;
  if (arePacked)
    shared = std::min(blocks / pairOfBlocks, pairs);
  double rate = underBoth(shared * ofPair, machine.memory, ofPairs);
  return arePacked ? rate : blocks / (pairs / machine.memory + shared / rate);
}

/// What all blocks together get of the cache: twice as much as of memory, and
/// 125 GB/s where a unit's neighbour has nothing to do: 16x2048 by 2048x2048
/// took 4.1 us in 32 blocks.
double Timing::ofCaches() const {
  constexpr double alone = 125e9, fromCache = 2;
  double together = fromCache * machine.unitRate;
  double ofUnits = blocks * together;
  if (!isFlowing() || !comesInLines())
    return ofUnits;
  return std::max(ofUnits,
                  std::min(blocks * alone, machine.units / 2 * together));
}

/// What part of their rates memories reach with so many blocks.
void Timing::shareMemory() {
  constexpr double least = 0.02, mostTogether = 4;
  busy = std::clamp(blocks / machine.units, least, 1.0);
  busyMemory = busy;
  cacheRate = machine.cache * busy;
  if (numDots == 0 && roundAhead > 0 && machine.latency > 0) {
    // What a round reads it waits for, and the other blocks of its unit read.
    // However little that is: one block that sums 50257 numbers 64 at a time
    // waits 786 times.
    double asking = std::min(blocks, machine.units * blocksOnUnit(machine));
    roundSeconds = rounds * machine.roundLatency / asking;
    cacheRate = std::min(cacheRate, asking * roundAhead / machine.roundLatency);
  }
  if (mostAhead <= 0 || machine.latency <= 0)
    return;
  // A block takes more than its share, as far as it has asked for it. Where
  // four warps multiply together and each block has a unit, that is nearly all
  // that has room: 16x1000 by 1000x4096 took 4.6 us in 64 blocks of 64 columns,
  // and 6.1 to 7.1 in 128 of 32, which each warp multiplies by itself. Small
  // slots do not come as fast: 16x4096 by 4096x1000 took 6.8 us in rounds of 64
  // terms, of which a slot has 10 KiB, and 4.9 in rounds of 128.
  double room = std::clamp(std::floor(machine.ahead / ring), 1.0, mostTogether);
  double askedByBlock = mostAhead;
  constexpr double smallSlot = 16 << 10;
  bool isByGroup = needs.areByGroups() || (numDots == 1 && areTurned);
  if (machine.hasGroups && isByGroup && numLoops == 1 && !othersCopy &&
      takingRounds == 0 && needs.slotBytes >= smallSlot &&
      blocks <= machine.unitsForClusters(clusterBlocks))
    askedByBlock = std::max(
        mostAhead, std::min(kAheadAlone, rounds / blocks * needs.slotBytes));
  double asked = std::min(blocks, machine.units * room) * askedByBlock;
  auto part = [&](double rate, double ofBlocks) {
    double most = blocks < machine.units
                      ? ofBlocks
                      : std::numeric_limits<double>::infinity();
    return std::clamp(std::min(asked / machine.latency, most) / rate, least,
                      1.0);
  };
  busyMemory = part(machine.memory,
                    isFlowing() ? flowingRate() : blocks * machine.unitRate);
  cacheRate = machine.cache * part(machine.cache, ofCaches());
}

/// Of blocks that each have a unit, the last few are alone with the memory:
/// 16x11008 by 11008x1000 took 12.1 us in 16 clusters of eight, of which 15 fit
/// at a time, and 8.3 without clusters.
double Timing::lastAlone() const {
  bool haveUnits =
      blocks <= machine.units
          ? clusterBlocks > 1
          : onlyMultiplies && takingRounds == 0 && groupsTogether == 1;
  if (!haveUnits || waves < 2 || mostAhead <= 0 || outerDots > 0)
    return 0;
  double last = blocks - (waves - 1) * machine.unitsForClusters(clusterBlocks);
  double bytes = memoryBytes / blocks;
  return std::max(0.0,
                  bytes / machine.unitRate - last * bytes / machine.memory);
}

/// Whether blocks reduce nothing but rows, without products.
bool Timing::isReductionOfRows() const {
  return reduces && reducesOnlyRows && numDots == 0;
}

/// Whether blocks read these at once and do nothing else.
bool Timing::onlyReducesRows() const {
  return isReductionOfRows() && !holdsReduced && rounds == 0 &&
         machine.latency > 0;
}

/// How rows that are reduced come.
double Timing::withRows(double seconds) const {
  if (!isReductionOfRows())
    return seconds;
  // 4096 rows of 4096 f32 took 16.0, 16.7 and 18.7 us with 32, 64 and 128 each.
  constexpr double mostThreads = 512, fewBytes = 32, ofTwice = 0.05;
  double ofThread = largestLoad / mostThreads / fewBytes;
  if (onlyReducesRows() && ofThread > 1)
    seconds *= 1 + ofTwice * std::log2(ofThread);
  // Rows that begin within vectors are cut out of two each, unless a block has
  // one, whose tile begins where a vector does: sums of 768 rows of 50257 bf16
  // took 22.5 us with two to eight rows a block and 20.1 with one, maxima 23.8
  // and 20.7, of 4096 rows 102 and 96, 107 and 99. Of one no more are asked for
  // than threads hold: 300 of 100001 took 29.3 us in rounds of 16384, and 19.8
  // in 8192.
  constexpr double ofCuts = 1.1, ofLong = 1.4, mostOfRound = 16 << 10;
  bool isLong = rounds > 0 && largestLoad > mostOfRound;
  if (!holdsReduced && areRowsLoose)
    seconds *= cutsRows ? ofCuts : isLong ? ofLong : 1;
  // What several blocks reduce each for itself comes from the cache, but not
  // for nothing: batch norm of 32x1024x784 f32 took 104 us where two blocks
  // read each channel, and 59 in one.
  constexpr double ofRepeats = 0.1;
  if (numSummed == 0 && machine.latency > 0)
    seconds *= 1 + ofRepeats * (timesOfLargest - 1);
  return seconds;
}

/// Several rows of two dimensions are no better than one: norms of 512 groups
/// of 20x196 bf16 took 7.6 us with four of them a block, and 3.9 with one,
/// batch norm of 128x2048x49 30 and 26.
double Timing::withSeveralRows(double seconds) const {
  constexpr double ofSeveral = 0.05, mostOfSeveral = 3;
  if (isReductionOfRows() && holdsReduced && axesOfLargest > 2 &&
      machine.latency > 0)
    seconds *=
        1 + ofSeveral * std::min(std::log2(rowsOfLargest), mostOfSeveral);
  return seconds;
}

/// Whether columns in rounds are read again, which then wait for both: softmax
/// along the first of 4096x4096 f32 took 55.6 to 78 us so, by the bytes 48, and
/// 55.2 in two kernels.
bool Timing::readsAgain() const {
  if (numDots != 0 || machine.latency <= 0)
    return false;
  if (isMerge())
    return mergesSums() && largestTensor > 0 &&
           largestTensor == chunks->largestTensor;
  constexpr double twice = 1.5;
  return reduces && !reducesOnlyRows && rounds > 0 &&
         cacheBytes > twice * tensorBytes;
}

/// How factors come that threads sum up.
double Timing::withSummedProducts(double seconds) const {
  // Of a row and a weight units with a block less are done before the others,
  // which then get what one unit can: 1x50257 by 50257x3072 took 114 us in 192
  // blocks, 92 in 1536 and 88 in 3072.
  constexpr double unhelped = 0.5;
  if (numSummed > 0 && blocks > machine.units)
    seconds *= 1 + unhelped * (1 / efficiency - 1);
  // Threads that read what they sum up wait for caches, too: one query on 65536
  // keys took 28 us where halves of columns read all keys, and 24 where not.
  constexpr double fromCaches = 1.3;
  if (numSummed > 0 && numDots == 0)
    seconds = std::max(seconds, cacheBytes / (fromCaches * machine.memory));
  // More warps have less of each, and more to add up among them: one query on
  // 4096 keys, 128 heads with 32 features, took 49.2 us eight heads at a time,
  // and 33.1 one by one in as many blocks.
  constexpr double inProducts = 1.2;
  if (numDots == 0 && summedProducts > 1)
    seconds *= inProducts;
  return seconds;
}

/// How long memory takes for what all blocks read and write.
double Timing::memoryTime() const {
  double seconds = withRows(memoryBytes / machine.memory / busyMemory);
  constexpr double inLargeTiles = 1.03;
  if (isStreaming() && largestLoad > machine.streamedTile)
    seconds *= inLargeTiles;
  constexpr double ofAgain = 1.15;
  if (readsAgain())
    seconds *= ofAgain;
  seconds = std::max(withSummedProducts(seconds), roundSeconds) + lastAlone();
  // Blocks that share a tile wait for each other.
  constexpr double inShares = 1.03;
  if (share > 1)
    seconds *= inShares;
  // What a loop of one round reads nobody has asked for before, but maybe
  // another block. It does not come as fast as by the copy engine: 100000x128
  // by 128x256 took 32 us in blocks of 64 x 128 that read 48 KiB each.
  constexpr double atOnce = 4.5e12;
  if (isOneRound())
    seconds = std::max(seconds, serialBytes / atOnce / busy);
  return seconds;
}

/// How long lines are asked for, beyond what memory hides, whose time is given.
/// A line goes to one unit after the other, and to each for every row of a box
/// that lies in it. 100000x128 by 128x16 along n, 64 lines of four rows each,
/// took 17.1, 12.8 and 10.7 us with 64, 128 and 256 rows a block. Threads have
/// a cache of their own before it.
double Timing::askingTime(double memorySeconds) const {
  constexpr double ofLine = 1.3e-9, little = 0.13;
  bool isAsking = isOnlyProduct() && !isReadByThreads();
  return isAsking ? std::max(0.0, asked * ofLine - little * memorySeconds) : 0;
}
