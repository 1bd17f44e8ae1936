//===- GroupTiming.cpp - blocks whose warps multiply together -------------===//
//
// How fast slots come to groups of four warps, and what they wait for between
// rounds and between blocks.
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "fuse/Analysis/CostModel.h"
#include <cmath>

using namespace fuse;
using namespace fuse::cost;

/// Which part of its rate a unit reaches with one block, of 64 rows: wide
/// products read fewer rows for each. 1024x4096 by 4096x1024 took 14.8 us in 64
/// x 128 and 16.2 in 128 x 64, 2000x3072 by 3072x1024 19.0 in 64 x 256 and 18.8
/// in 128 x 128.
static double ofGroupAlone(double columns) {
  constexpr double narrow = 64, wide = 192, least = 0.65, most = 0.92;
  double part = std::clamp((columns - narrow) / (wide - narrow), 0.0, 1.0);
  return least + part * (most - least);
}

/// Where four warps multiply together the copy engine brings what they read as
/// fast as a unit can take it. Blocks with two such groups have a unit for
/// themselves.
void Timing::feedGroups() {
  if (!onlyMultiplies)
    return;
  constexpr double mostSumsOfTwo = 64 * 128, mostSlots = 8, mostSlotsAlone = 16;
  // A short product before the long one has its factors beside the slots, and
  // so has what chunks send: 200x6144 by two of 6144x2304 took 65 us in 128 x
  // 128, two of which merge beside two slots, and 50 in 128 x 64 with six.
  double ahead = std::max(0.0, machine.ahead - looseFactors - receivedBytes);
  bool isOnly = blocks <= machine.unitsForClusters(clusterBlocks);
  // Where chunks send sums there may be room for one: 160x8192 by 8192x2560, in
  // four chunks that merge in clusters, took 36 us in 64 x 128 with rounds of
  // 128, and 27 with 64.
  bool areTooLarge =
      isSplit && receivedBytes > 0 &&
      !needs.fit(2, std::max(0.0, machine.ahead - 2 * receivedBytes));
  bool isAlone = isOnly || areTooLarge || needs.groups() > 1 ||
                 isGroupOfMany() ||
                 (needs.sums > mostSumsOfTwo && !areGroupsInPairs()) ||
                 4 * needs.slotBytes > ahead;
  groupsTogether = isAlone ? 1 : 2;
  // What nobody has read before comes from memory.
  double wanted = isOnly ? std::clamp(std::floor(kAheadAlone / needs.slotBytes),
                                      mostSlots, mostSlotsAlone)
                         : mostSlots;
  double latency = isOnly ? machine.latency : machine.groupLatency;
  double slots =
      std::min(wanted, std::floor(ahead / groupsTogether / needs.slotBytes));
  double unitRate =
      std::min(machine.groupRate, groupsTogether * std::max(0.5, slots - 1) *
                                      needs.slotBytes / latency);
  cacheRate =
      std::max(cacheRate, std::min(machine.groupCache,
                                   machine.units * unitRate * efficiency));
  bool hasOneGroup =
      needs.groups() == 1 && (isAlone || blocks <= machine.units);
  // Of an odd number of blocks the last one is alone.
  double alone = hasOneGroup ? 1
                 : isAlone   ? 0
                             : static_cast<int64_t>(waves) % 2 / waves;
  // Three times as many rows are as long to multiply, and waited for as often:
  // 192 x 96 took 44.7 us for that, and 46.8 with two blocks on a unit.
  constexpr double manyAlone = 0.93;
  // Short rows are read before it is at its rate: 6000x640 by 640x192 took 5.8
  // us in 192 x 64 and 6.4 in 64 x 192. And from memory comes what two blocks
  // read later than what one does: 128x4096 by 4096x4096 took 12.7 us in 128 x
  // 64, in two chunks, and 14.2 in 64 x 128.
  constexpr double shortRow = 3072, fewReaders = 2.5;
  double rowBytes = rounds / blocks * needs.slotBytes /
                    std::max(needs.rows + needs.columns, 1.0);
  // Threads that hold more sums have no registers for what these are added to.
  constexpr double mostBesides = 64 * 128;
  bool haveRoom =
      looseElements <= needs.rows + needs.columns || needs.sums <= mostBesides;
  bool isFed = isOnly && numLoops == 1 && fetchingRounds == 0 && !isSplit &&
               haveRoom && rowBytes >= shortRow && timesOfLargest > fewReaders;
  double rate = isGroupOfMany() ? manyAlone
                : isFed         ? ofGroupAlone(needs.sums / needs.rows)
                                : machine.groupAlone;
  dotSeconds *= 1 + alone * (1 / rate - 1);
  // 3000x1600 by 1600x1600 took 36.9 us in 64 x 128 and 33.6 in 128 x 128.
  constexpr double inPairs = 1.1;
  if (groupsTogether > 1 && areGroupsInPairs())
    dotSeconds *= inPairs;
}

/// Who only multiplies does nothing while it stores its sums and reads the
/// first round of the next block, unless another one does. Of the last block
/// that is in what a kernel takes to begin and end.
double Timing::betweenBlocks() const {
  // Others have less to begin with: 4096x64 by 64x4096 with a gelu took 31.4 us
  // in 2752 blocks of 128 x 48, two a unit, and 17.9 in 512 of 128 x 256.
  if (areNarrow())
    return (waves - 1) / together * machine.groupEnding;
  // Of few columns or one round that is less: 500000x32 by 32x32 took 40, 28
  // and 22 us with 64, 128 and 256 rows a block where one block has a unit.
  constexpr double least = 0.1e-6, perSum = 0.08e-9;
  if (!isByGroups && isOnlyProduct() && isForTwoGroups() && !isSplit)
    return (waves - 1) *
           std::min(machine.groupEnding, least + perSum * needs.sums);
  if (!onlyMultiplies || takingRounds != 0)
    return 0;
  return (waves - 1) / groupsTogether * machine.groupEnding +
         std::max(1.0, waves / groupsTogether) * needs.slotBytes /
             machine.groupRate;
}

/// What rounds wait where two slots are all that has room beside what the
/// engine stores: one of them is read by the product that goes on, and the
/// other one is filled meanwhile. 8000x1792 by 1792x320 took 28.8 us in 128 x
/// 160 with rounds of 128, and 18.2 with five slots of 64, in 512 x 64 47;
/// 6000x2560 by 2560x512 and as much of rank 32 74.4 with rounds of 128, 38.3
/// with 64.
double Timing::refilling() const {
  constexpr double fewest = 3;
  bool isFull = machine.hasGroups && needs.areByGroups() && mostAhead > 0 &&
                takingRounds == 0 && numLoops == 1 && !othersCopy &&
                rounds > 0 &&
                fewest * needs.slotBytes + needs.stagedBytes + receivedBytes >
                    machine.ahead;
  if (!isFull)
    return 0;
  // Nobody has read before what the first blocks read.
  constexpr double few = 2;
  double filling = (waves <= few ? machine.latency : machine.groupLatency) +
                   needs.slotBytes / machine.groupRate;
  double multiplying = dotSeconds * machine.units / rounds;
  return rounds * std::max(0.0, filling - multiplying) / machine.units /
         efficiency;
}

/// Whether two groups of warps can have 128 rows each of up to 176 columns.
/// That saves turns, and asks for fewer pieces of lines for each product:
/// 3000x3000 by 3000x3000, along k, took 85 us in 256 x 160, of which four
/// blocks copy for each other, and 93 in pairs of 128 x 192. Where rows are
/// whole sectors it gains nothing: 4096x4096 by 4096x4096 took 181 us in 256 x
/// 176, 174 in 128 x 256. A polynomial of each sum leaves no room, nor does
/// what is read for each behind the loop, and with 192 columns some spill.
bool Timing::mayHoldMany() const {
  constexpr double twoEach = 4;
  return onlyMultiplies && isTensorProduct() && copied.withinSectors > 0 &&
         numLoops == 1 && !isSplit && !hasPolynomials && !othersCopy &&
         !othersStore && numStores == 1 && needs.groups() == 2 &&
         needs.rows == twoEach * BlockNeeds::rowsOfGroup &&
         takingRounds + makingRounds + fetchingRounds == 0 &&
         looseElements <= needs.rows + needs.columns;
}

/// Whether two crews of four warps can do a unit's blocks in turn: while one
/// stores its sums the other one multiplies. Rounds of 128 terms, of which
/// three slots have room, took 1.4 times as long as rounds of 64, and 64
/// columns 1.4 times as long as 192. What is read behind the loop for each sum,
/// and a second result, have no room beside so many; and what the copy engine
/// cannot store takes all threads: 4096x768 by 768x50257 took 1227 us, and 1321
/// in turns. A polynomial of each sum needs registers that 192 sums a thread do
/// not leave: 4096x768 by 768x11008 with a gelu by erf took 142 us so, and 113
/// with 128.
bool Timing::mayTakeTurns() const {
  constexpr double leastSums = 128, threads = 4 * 32, fewestWaves = 2,
                   fewestSlots = 5;
  double mostSums = hasPolynomials ? 128 : 192;
  return onlyMultiplies && (isTensorProduct() || areSideBySide()) &&
         numLoops == 1 && groupsTogether == 1 && waves >= fewestWaves &&
         longest == 1 && !isSplit && !othersCopy && !othersStore &&
         readsAlong && numStores == 1 && makingRounds + fetchingRounds == 0 &&
         (needs.rows == 2 * BlockNeeds::rowsOfGroup || isGroupOfMany()) &&
         needs.sums >= leastSums * threads &&
         needs.sums <= mostSums * threads &&
         fewestSlots * needs.slotBytes <= machine.ahead &&
         looseElements <= needs.rows + needs.columns;
}
