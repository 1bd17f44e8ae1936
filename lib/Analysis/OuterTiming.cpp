//===- OuterTiming.cpp - blocks whose threads multiply by numbers ---------===//
//
// How long threads take that multiply number by number, and copy for
// themselves what they multiply.
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "fuse/Analysis/CostModel.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace fuse;
using namespace fuse::cost;

/// Whether threads multiply number by number, and do nothing else.
bool Timing::isOuter() const {
  return machine.productWarps > 0 && outerDots > 0 && outerDots == numDots;
}

/// Whether the blocks of a unit take turns for long enough that what the next
/// round of one reads is there when the others are done.
bool Timing::areRoundsLong() const {
  return briefRounds == 0 ||
         (together >= 2 && !reducesOthers &&
          together * briefSeconds >= machine.latency * briefRounds);
}

/// How many warps a block has for so many sums or factors.
int64_t Timing::usualWarps(double numbers) {
  constexpr double usualSums = 64 * 32, most = 8;
  return llvm::bit_floor(
      static_cast<uint64_t>(std::clamp(numbers / usualSums, 1.0, most)));
}

/// How many blocks that multiply number by number have registers on a unit. The
/// addresses of many copies take some: of 1536x1536 by 1536x1152, both along k,
/// a thread has 122 with 16 copies a round, and 161 where rows begin anywhere.
double Timing::blocksByRegisters(int64_t warps) const {
  constexpr double all = 65536, warp = 32, others = 64, few = 12, ofMany = 32;
  double threads = warp * static_cast<double>(warps);
  double registers = needs.sums / threads + others +
                     (copiesOfRound > few * threads ? ofMany : 0);
  return std::max(1.0, std::floor(all / threads / registers));
}

/// Where the largest factor asks for more warps than its sums do, each has
/// fewer of these for as much that it reads: D4 of 2048 rows took 351 us with
/// 256 x 16 sums for 8 warps, 298 for 4. Few blocks are glad of the warps.
double Timing::thinning() const {
  constexpr double thin = 1.15;
  bool isThin = isOuter() && together >= 2 && outerMade == 0 &&
                usualWarps(outerFactor) > 2 * usualWarps(outerSums);
  return isThin ? thin : 1;
}

/// How much longer one product takes with so many warps a block, of which some
/// wait while others go on. 68 products in f32, by 1100 and 842 schedules, took
/// 1.5 times as long as multiplying does with 16 warps on a unit, 1.64 with 12,
/// 1.67 with 8 and 1.83 with 4. Where all blocks are there at once the four
/// parts of a unit have as many warps as they get: 2.1 with 6, 1.9 with 10. A
/// thread that copies 64 numbers a round, one by one, took 1.1 times as long as
/// with 32, and with 96 1.2 times; one that has 32 sums where 64 would do reads
/// more for each, and took 1.12 times as long, 1.33 times with 16.
double Timing::waitingWith(int64_t warps) const {
  constexpr double all = 16, ofAll = 0.27, parts = 4;
  double number = static_cast<double>(warps);
  double there = std::min(together, blocksByRegisters(warps)) * number;
  // Few sums take longer by themselves.
  constexpr double manySums = 2048;
  if (needs.sums < manySums)
    there = std::max(there, parts);
  double longer = 1 + ofAll * std::max(0.0, all - there) / all;
  if (waves <= together)
    longer *= std::ceil(there / parts) * parts / there;
  constexpr double many = 48, step = 16, ofStep = 0.1, most = 2, warp = 32;
  double copies = copiesOfRound / (number * warp);
  longer *= 1 + ofStep * std::clamp((copies - many) / step, 0.0, most);
  constexpr double ofHalf = 1.12, ofQuarter = 1.33;
  double parting = number / static_cast<double>(usualWarps(needs.sums));
  if (areRoundsFew())
    return longer;
  return longer * (parting > 2 ? ofQuarter : parting > 1 ? ofHalf : 1);
}

/// Whether that is known.
bool Timing::isOneProductByNumbers() const {
  return isOuter() && numLoops == 1 && numDots == 1 && numSummed == 0 &&
         !reducesOthers && outerMade == 0 && takingRounds == 0 &&
         makingRounds == 0 && !hasOtherTerms;
}

/// Whether blocks have few rounds, so that others begin and end meanwhile: 4096
/// products of 27x64 by 64x27, in two rounds, took 35.5 us with 2 warps
/// and 46.5 with 4, 12 of 512x128 by 128x64 6.8 with 8 and 9.2 with 2.
bool Timing::areRoundsFew() const {
  constexpr double few = 6;
  return rounds < few * blocks;
}

double Timing::waitingForWarps() const {
  if (!isOneProductByNumbers())
    return 1;
  int64_t asked = warpsOfOuter();
  return waitingWith(asked != 0 ? asked : warpsForSums());
}

/// How many warps a block has that is asked for nothing else.
int64_t Timing::warpsForSums() const {
  return usualWarps(std::max(needs.sums, outerFactor));
}

/// How many warps a block is to have that multiplies number by number, 0 for
/// the usual number. A thread that has 64 sums reads least, but where a unit
/// has few blocks some warps have to compute while others wait, even with
/// fewer: A2 with blocks of 64 x 64 took 17.3 us with 4 warps and 13.7 with 8,
/// A1 with 32 x 64 11.4 with 2, 10.0 with 4 and 13.1 with 8.
int64_t Timing::warpsOfOuter() const {
  constexpr double leastSums = 16 * 32;
  constexpr int64_t most = 8;
  if (!isOuter())
    return 0;
  int64_t usual = warpsForSums(), warps = usual;
  if (isOneProductByNumbers() && !areRoundsFew()) {
    for (int64_t more = 2 * usual;
         more <= most && outerSums >= leastSums * more; more *= 2)
      if (waitingWith(more) < waitingWith(warps))
        warps = more;
    return warps == usual ? 0 : warps;
  }
  // No more blocks count than a unit has at a time: 2560x896 by 896x1000 took
  // 163 us in 640 blocks of 64 x 64 with 2 warps, two on a unit, 139 with 4
  // and 146 with 8.
  double there =
      areRoundsFew() ? blocks : std::min(blocks, together * machine.units);
  while (warps < most && outerSums >= 2 * leastSums * warps &&
         warps * there < machine.productWarps * machine.units)
    warps *= 2;
  return warps == usual ? 0 : warps;
}

/// Threads that multiply number by number copy what they multiply, and do
/// nothing else meanwhile, unless another block does. D2 of 2048 rows took 43.8
/// us with 8 rows a block, two blocks on a unit, 28.5 with 16 and 35.3 with 32;
/// G1i 396 us with 256 x 64, and 368 with 64 x 128, of which a unit has two.
/// What blocks leave of the shared memory is the first cache, through which all
/// comes: M4i took 2831 us with 192 KiB in slots, 2778 with 128 and 2732 with
/// 64, D2 of 2048 rows 21.7 with 208 and 18.3 with 140.
double Timing::copying() const {
  if (machine.copying <= 0)
    return 0;
  constexpr double all = 256 << 10, mostLeft = 0.75, usual = 0.55,
                   withOthers = 0.63, gainWithOthers = 0.33, gainAlone = 0.15;
  double left = std::clamp(1 - together * sharedBytes / all, 0.0, mostLeft);
  // That was seen where threads do nothing but multiply, in long rounds.
  bool isUsual = hasShortRounds || !areRoundsLong() || makingRounds > 0;
  double alone = isUsual ? 1 : 1 - gainAlone * left;
  double shared = isUsual ? usual : withOthers - gainWithOthers * left;
  double there = std::min(blocks, machine.units);
  double rate = std::min(machine.unitCopying, machine.copying / there);
  return outerBytes * waves / blocks / rate * (together >= 2 ? shared : alone);
}
