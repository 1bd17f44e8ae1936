//===- SharedCopies.cpp - blocks that copy for each other -----------------===//
//
// What it saves the cache, and what it costs.
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "fuse/Analysis/CostModel.h"

using namespace fuse;
using namespace fuse::cost;

/// Whether blocks next to each other can copy for each other: those that have a
/// unit for themselves, as many slots as two of them can wait for, and as much
/// to do.
bool Timing::mayShareCopies() const {
  constexpr double fewestSums = 8 * 32 * 32, fewestSlots = 3;
  return machine.hasGroups && numDots > 0 && areAllByGroups && !othersCopy &&
         makingRounds + fetchingRounds + takingRounds == 0 && longest == 1 &&
         !isSplit && needs.groups() > 1 && needs.sums >= fewestSums &&
         fewestSlots * needs.slotBytes <= machine.ahead;
}

/// How long the cache takes for what blocks ask of it, where they save so much
/// by copying for each other.
double Timing::cacheTime(const Copied &saved) const {
  // Units that ask for the same at the same time get it together; when some
  // are done before others, they no longer do.
  double alikeRate =
      waves > 1 ? cacheRate : std::max(cacheRate, blocks * machine.unitCache);
  double seconds =
      (cacheBytes - alikeBytes) / cacheRate + alikeBytes / alikeRate;
  if (!machine.hasGroups || numDots == 0)
    return seconds;
  // What lies in whole lines comes no faster where blocks copy for each other:
  // 1024x11008 by 11008x1000, along k, took 42.7 us alone, and 48.4 in pairs.
  if (onlyMultiplies)
    seconds -= saved.crossing / cacheRate;
  // Threads that multiply number by number copy for themselves.
  double ofRows = numDots > outerDots ? machine.rowOfBox : 0;
  return std::max({seconds, linesTime(saved),
                   copied.rows / efficiency / machine.units * ofRows});
}

/// How long the cache takes for lines and their pieces.
double Timing::linesTime(const Copied &saved) const {
  double rate = machine.groupCache;
  // Of pieces each unit takes its share: 512x3000 by 3000x3000 took 36 us in 96
  // blocks that take 340 MB of lines, 3000x3000 by 3000x3000 128 in 384 that
  // take 1700.
  bool isDivided = copied.crossing > 0 && onlyMultiplies &&
                   needs.rows >= 2 * BlockNeeds::rowsOfGroup;
  // That share is of a pair of units: 1000x3000 by 3000x1000 took 18.4 us in 64
  // blocks of 128 x 128 of which four copy for each other, and 19.0 in 128 of
  // 128 x 64 in pairs. In one turn clocks are high.
  constexpr double alone = 1.75, brief = 1.15;
  if (isDivided && copied.withinSectors <= 0)
    rate *= busy;
  else if (isDivided && waves > 1)
    rate *= efficiency;
  else if (isDivided)
    rate *= busy * (blocks <= machine.units / 2 ? alone : brief);
  return (linesOf(copied) - linesOf(saved)) / rate;
}

/// How long products take that wait for pieces of lines, the longer the more of
/// them there are: 3000x3000 by 3000x3000 took 93 us in pairs, which is 74 for
/// its products, as of 3008, and 80 for what it asks the cache.
double Timing::waitingForPieces(double products, const Copied &saved) const {
  constexpr double power = 5;
  if (!onlyMultiplies || copied.withinSectors <= 0 ||
      needs.rows < 2 * BlockNeeds::rowsOfGroup)
    return products;
  return std::pow(std::pow(products, power) + std::pow(linesTime(saved), power),
                  1 / power);
}

/// How much longer a launch takes for blocks that wait for each other from turn
/// to turn: the more there are, the less they hide of it.
double Timing::waitingOfMany(int64_t share) const {
  constexpr double ofDoubling = 0.005, pair = 2;
  return waves > 1
             ? 1 + ofDoubling * std::log2(static_cast<double>(share) / pair)
             : 1;
}

/// Lets blocks copy for each other where that pays.
void Timing::shareCopies(
    Cost &cost,
    llvm::function_ref<double(const Copied &)> secondsSaving) const {
  // Where a unit gets a few blocks, the cache also has others to wait for: M4
  // took 382 us in pairs that share the larger factor and 391 alone, D3 215 and
  // 219, M4i_tf32x3 1295 and 1306, M2 as long; M1, with 16 a unit, 1574 and
  // 1556, M3, with one, 14.7 and 14.2. Pieces of lines are asked for half as
  // often: 128x1000 by 1000x3072, along k, took 6.5 and 7.5 us.
  constexpr double fewestTurns = 2, mostTurns = 8, usualGain = 0.02;
  // Whoever waits for another has to gain by it, since they begin together and
  // end together: 24 products of 512x96 by 96x1024, three blocks a unit, took
  // 11.0 us in pairs and 9.6 alone, 64 of 500x512 by 512x1024, with eight, 58.0
  // and 55.7, 16 of 256x48 by 48x256, with one, 3.1 and 2.8.
  // Longer loops hide half of that.
  constexpr double leastGain = 0.01, longLoop = 16;
  double waiting = rounds < longLoop * blocks ? 0.4e-6 : 0.2e-6;
  // What a block copies for others is whole patterns of a swizzle: 3000x3000 by
  // 3000x3000, along k, took 120 us in 256 x 152 where each of four copies 38
  // rows of 152, and 86 where it copies 64 of 256.
  constexpr int64_t atOnce = 8;
  bool isInTurns = waves >= fewestTurns && waves <= mostTurns;
  double alone = cost.seconds, most = 0;
  auto consider = [&](size_t dim, int64_t share) {
    const Neighbours &along = neighbours[dim];
    if (std::fmod(along.blocks, static_cast<double>(share)) != 0 ||
        along.rows % (share * atOnce) != 0)
      return;
    double part = 1 - 1.0 / static_cast<double>(share);
    Copied saved{along.alike.all * part, along.alike.crossing * part};
    bool isLarger = isInTurns && saved.all > copied.all / 4;
    double seconds = secondsSaving(saved) * waitingOfMany(share) *
                         (isLarger || saved.crossing > 0 ? 1 - usualGain : 1) +
                     waves * waiting;
    if (seconds > alone * (1 - leastGain) || seconds > cost.seconds ||
        (seconds == cost.seconds && linesOf(saved) <= most))
      return;
    cost.seconds = seconds;
    most = linesOf(saved);
    cost.cluster.assign(neighbours.size(), 1);
    cost.cluster[dim] = share;
  };
  for (size_t dim = 0; dim < neighbours.size(); ++dim) {
    consider(dim, 2);
    // Fewer units have room for more. Pieces of lines are worth that where it
    // needs no further turn: 512x3000 by 3000x3000 took 36.3, 27.9, 23.2 and
    // 21.7 us in 96 blocks of which 1, 2, 4 and 8 copy for each other,
    // 5000x5000 by 5000x1000 in 240 144, 120, 98 and 86; but 3000x3000 by
    // 3000x3000 in 384 127, 93 and 102 of which 1, 2 and 4 do.
    for (int64_t share : {4, 8})
      if (neighbours[dim].alike.crossing > 0 &&
          std::ceil(blocks / machine.unitsForClusters(share)) <= waves)
        consider(dim, share);
  }
}
