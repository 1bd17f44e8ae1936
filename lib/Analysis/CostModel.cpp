//===- CostModel.cpp - what a kernel will cost ----------------------------===//
//
// From what the launches of a kernel do to how long that takes.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/CostModel.h"
#include "Timing.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::cost;

Timing::Timing(const NestCounts &counts, const Machine &machine,
               const NestCounts *chunks)
    : NestCounts(counts), machine(machine), chunks(chunks) {
  // A short one before it does not change what a kernel waits for, nor one of
  // a tenth whose factors are read as those of the long one.
  constexpr double nearlyAll = 0.98, most = 0.9;
  bool isOneProduct =
      numDots == 1 || areSideBySide() || longestDot >= nearlyAll * dotSeconds ||
      (looseFactors > 0 && numDots == 2 && longestDot >= most * dotSeconds);
  isByGroups = machine.hasGroups && needs.areByGroups() && mostAhead > 0 &&
               ((isOneProduct && needs.columns >= machine.dotColumns) ||
                takingRounds > 0);
  onlyMultiplies = isByGroups && isOneProduct;
  // Each of two products reads the rows for itself. Of 8192x1024 by two of
  // 1024x8192 in turns 96 columns took 340 us, 64 took 392.
  constexpr double narrow = 96, perNarrow = 0.1 / 32;
  if (onlyMultiplies && areSideBySide())
    dotSeconds *= 1 + perNarrow * std::max(0.0, narrow - needs.columns);
  shareTiles();
}

/// A row that is too long for a block is held by several, so that it need not
/// be read twice; several rows are not: softmax of 512 rows of 12288 bf16 took
/// 23 us with sixteen rows for eight blocks, and 8.4 with one for one; nor is
/// what is read once: the sum of 4096x4096 bf16 took 25 us with 64 columns of
/// 4096 for eight blocks, and 11 with 256 for one. Of rows of three dimensions
/// much is not there: variances of 64x256x56x56 took 118 us, and 50 in rounds.
/// A cluster that merges chunks is one already.
void Timing::shareTiles() {
  constexpr unsigned mostAxes = 2;
  bool mayShare = holdsReduced && reducesOnlyRows && numDots == 0 &&
                  clusterBlocks == 1 && rowsOfLargest <= 1 &&
                  axesOfLargest <= mostAxes;
  // Where there are few rows more blocks may as well have parts of them. What
  // one block can hold it holds, unless most units have nothing else to do:
  // layer norm of 128 rows of 50257 bf16 took 15.6 us in four parts and 10.0 in
  // one, of 32 rows 5.9 in four, 5.5 in two and 5.7 in one.
  // Rows of two dimensions have tiles that are partly empty, so that two blocks
  // may as well have them: batch norm of 64 channels of 256x196 bf16 took 8.6
  // us in one each, 6.8 in two and 8.7 in four.
  auto wantsMore = [&] {
    if (largestTile <= machine.sharedTile)
      return false;
    bool isOfTwo = axesOfLargest > 1;
    if (largestTile / (isOfTwo ? share : 1) <= mostOfRow)
      return (isOfTwo ? 2 : 4) * share * blocks <= machine.units;
    return largestTile / share > machine.sharedTile ||
           2 * share * blocks <= machine.units;
  };
  mostOfRow = bytesOfRow();
  while (mayShare && share < machine.mostShares && wantsMore())
    share *= 2;
  blocks *= share;
  largestSlots /= share;
  largestTile /= share;
  largestLive /= share;
  mostElements /= share;
  looseElements /= share;
}

/// How many bytes a block may hold of one row, with 128 registers for each of
/// 512 threads, or 255 for each of 256: narrow numbers are packed until they
/// are computed with. 0 where that is not what it does, or there are rows
/// enough for units to have several blocks, of which some compute while others
/// wait. Batch norm of 128 channels of 256x784 bf16 took 53 us with eight
/// blocks for each, and 42 with four.
double Timing::bytesOfRow() const {
  constexpr double narrow = 256 << 10, wide = 128 << 10;
  bool isRow = machine.sharedTile > 0 && holdsReduced && reducesOnlyRows &&
               numDots == 0 && rowsOfLargest <= 1 && axesOfLargest <= 2;
  constexpr double mostTurns = 2;
  if (!isRow || blocks > mostTurns * machine.units)
    return 0;
  bool isNarrow = 2 * largestLoad <= largestTile;
  // Rows of two dimensions are held so where they are written, too: logarithms
  // of sums of 100x256x256 f32 took 11.5 us in four blocks for each and 14.0 in
  // two. And not where all clusters of eight are there at once, and wait
  // together: 32 groups of 40x4096 f32 took 27.4 us, and 22.5 in two kernels;
  // 256 channels of 64x3136 140, and 158 in rounds.
  constexpr double most = 8, andWritten = 1.5;
  if (axesOfLargest > 1 && (memoryBytes < andWritten * largestTensor ||
                            (!isNarrow && largestTile > wide * most / 2 &&
                             most * blocks <= mostTurns * machine.units)))
    return 0;
  return isNarrow ? narrow : wide;
}

/// By how much it does not fit, so that a search sees which way to go; 1 if it
/// does.
double Timing::excess() const {
  double excess = 1;
  auto limit = [&](double bytes, double most) {
    excess *= std::max(1.0, bytes / most);
  };
  // What a loop has summed is still there when another product is made.
  constexpr double bothSums = 1.5;
  // A maximum and a sum of each row are little beside the rows, if these take
  // all of it.
  constexpr double little = 1.0 / 32;
  bool isOneSum = accumulatorBytes - largestSum <= little * largestSum;
  constexpr double many = 1.375;
  double mostOfSums = machine.accumulators * (mayHoldMany() ? many : 1);
  limit(isOneSum ? largestSum : accumulatorBytes, mostOfSums);
  limit(accumulatorBytes + largestLooseDot, bothSums * machine.accumulators);
  limit(factorBytes, machine.ahead);
  if (mostOfRow > 0) {
    limit(largestTile, mostOfRow);
  } else {
    limit(largestSlots, machine.onChip);
    limit(largestTile, mostOfSums);
  }
  limit(largestLive, machine.registers);
  // Every 16 rows have a warp, at most, and what it holds a thread can name:
  // 512 scores of 64 rows at once spilled 1840 bytes a thread.
  constexpr double rowsOfWarp = 16, mostWarps = 8, warpBytes = 32 * 4,
                   mostSums = 200, mostWithProduct = 240;
  double warps = std::clamp(fewestRows / rowsOfWarp, 4.0, mostWarps);
  if (onlyMultiplies && takingRounds == 0 && isGroupOfMany())
    warps = 4;
  if (std::isfinite(fewestRows)) {
    limit(accumulatorBytes / (warps * warpBytes), mostSums);
    limit((accumulatorBytes + largestLooseDot) / (warps * warpBytes),
          mostWithProduct);
  }
  // Of products side by side each warp has all: eight heads of 64 x 32 in a
  // block spilled 1492 bytes a thread, and took 37 us for a copy's 8.
  constexpr double mostAlive = 160;
  if (std::isfinite(rowsOfMany))
    limit(largestLive /
              (std::min(rowsOfMany / rowsOfWarp, mostWarps) * warpBytes),
          mostAlive);
  // What is not copied ahead is in registers before it is multiplied.
  constexpr double heldByGroup = 32 << 10;
  limit(mostFetched, heldByGroup);
  // What is multiplied number by number is in registers where it is made, 64
  // numbers of it a thread: D4 of 2048 rows took 782 us with 128, 594 with 64.
  constexpr double madeByThread = 64, mostThreads = 256;
  if (!machine.hasAnyTile)
    limit(outerMade / mostThreads, madeByThread);
  // A tile of many pieces is read from each of them, element by element: D4's
  // 27, with 1700 words for a thread, took minutes to compile, and spilled.
  constexpr double elementsOfThread = 32, mostRead = 400;
  double threads = std::clamp(mostElements / elementsOfThread, elementsOfThread,
                              mostThreads);
  if (!machine.hasAnyTile)
    limit(looseElements / threads, mostRead);
  return excess;
}

/// Whether two blocks share a unit that multiply in parts with a group of warps
/// each: while one splits and adds up the other one multiplies. D4's product,
/// 2048 rows, took 163 us with one block of 64 rows on a unit, 131 with two.
bool Timing::areSplitInPairs() const {
  constexpr double pair = 2;
  return machine.hasGroups && numDots == 1 && splitBlockBytes > 0 &&
         pair * splitBlockBytes <= machine.ahead && fetchingRounds == 0 &&
         blocks >= pair * machine.units;
}

/// Whether two blocks with 64 rows each share a unit: while one waits or stores
/// the other one multiplies. 3000x3072 by 3072x1536 took 61.9 us in 64 x 128
/// with one of them on a unit, 50.8 with two.
bool Timing::areGroupsInPairs() const {
  constexpr int64_t pair = 2;
  return onlyMultiplies && isTensorProduct() &&
         needs.rows == BlockNeeds::rowsOfGroup && blocks > machine.units &&
         numLoops == 1 && !othersCopy && needs.fit(pair, machine.ahead);
}

/// Whether one group of warps has all of 192 rows, as many as have a unit for
/// themselves.
bool Timing::isGroupOfMany() const {
  return needs.groups() == 1 && needs.rows > BlockNeeds::rowsOfGroup;
}

/// How blocks are spread over units.
void Timing::divideBlocks() {
  // No unit is done before it has done the longest block.
  waves = std::max(isByGroups ? longest : 1.0,
                   std::ceil(blocks / machine.unitsForClusters(clusterBlocks)));
  // Pairs of blocks begin and end together: D4's product took 123 us in 768
  // blocks, 131 in 1152, which are not quite nine for each unit.
  if (areSplitInPairs())
    waves = 2 * std::ceil(blocks / (2 * machine.units));
  efficiency = std::max(1e-9, std::min(1.0, blocks / (machine.units * waves)));
}

/// How many blocks are on a unit at a time: while one waits, others work.
void Timing::placeBlocks() {
  constexpr int64_t usual = 4, mostByNumbers = 8;
  int64_t most = isOneProductByNumbers() ? mostByNumbers : usual;
  if (areSplitInPairs()) {
    residents = 2;
    together = 2;
    dotSeconds -= splitSeconds;
    return;
  }
  if (onlyMultiplies && takingRounds == 0) {
    together = groupsTogether;
    if (groupsTogether > 1 && areGroupsInPairs())
      residents = 2;
    return;
  }
  if (!machine.hasGroups || takingRounds == 0 || !needs.areByGroups()) {
    together = std::clamp<double>(
        machine.accumulators / std::max(accumulatorBytes, 1.0), 1, most);
    if (isReadByThreads() || areNarrow())
      together = std::min(together, togetherByRegisters());
    // No more than share the memory, and than there are.
    sharedBytes = std::max(factorBytes, loopBytes);
    // What is made lies beside two slots of what it is made of.
    constexpr double slots = 2;
    if (convertsFactor())
      sharedBytes =
          std::max(sharedBytes, slots * needs.slotBytes + convertedBytes);
    if (sharedBytes > 0)
      together =
          std::clamp(std::floor(machine.ahead / sharedBytes), 1.0, together);
    together = std::min(together, waves);
    return;
  }
  residents = 1;
  // More than there are do not come together.
  int64_t there =
      std::clamp<int64_t>(std::ceil(blocks / machine.units), 1, most);
  for (int64_t number = 2; number <= there; ++number)
    if (needs.fit(number, machine.ahead))
      residents = number;
  if (!othersCopy && outerDots == 0)
    cacheRate = std::max(cacheRate, machine.groupCache * efficiency);
  together = std::clamp<double>(blocks / machine.units, 1, residents);
}

/// Whether groups of four warps multiply and compute with their sums, and
/// others load for them.
bool Timing::isByRoles() const {
  return residents > 0 && outerDots == 0 && !areSplitInPairs() &&
         !areGroupsInPairs();
}

/// Whether a single product has a factor that each round makes of integers.
bool Timing::convertsFactor() const {
  return machine.hasGroups && numDots == 1 && outerDots == 0 &&
         makingRounds > 0 && convertedBytes > 0;
}

/// Whether all that blocks do is one product, by groups of warps.
bool Timing::isOnlyProduct() const {
  return machine.hasGroups && needs.areByGroups() && isTensorProduct() &&
         numSummed == 0 && numLoops <= 1 && !reducesOthers;
}

/// Whether all that blocks do is one product of which they read all terms at
/// once, in vectors. While one waits for them others multiply and store. 24
/// products of 1000x80 by 80x77 took 6.9 us in two blocks of 128 x 128 a unit,
/// and 12.6 in three of 64 x 128, whose threads store single numbers; with
/// 64 sums a thread there are few others: 100000x64 by 64x128 took 13.4 us in
/// 64 x 128, and 11.5 in 128 x 128.
bool Timing::isOneRound() const {
  constexpr double mostSums = 32 * 4 * 32;
  return isOnlyProduct() && looseDots == 1 && numLoops == 0 && !isSplit &&
         areLooseWords && !othersStore &&
         (needs.sums <= mostSums || isForTwoGroups());
}

/// Whether one group of warps multiplies few columns in rounds, while others
/// load for it.
bool Timing::areNarrow() const {
  return isOnlyProduct() && !isByGroups && numLoops > 0 &&
         fetchingRounds == 0 && !isSplit && !isForTwoGroups();
}

/// How many blocks have registers on a unit, whose threads hold all sums, and
/// all that they read if nobody loads for them.
double Timing::togetherByRegisters() const {
  constexpr double group = 4 * 32, registers = 64 << 10, most = 4;
  constexpr double ofReading = 8, ofRounds = 40;
  bool isByThreads = isReadByThreads();
  double threads = isByThreads ? group : 2 * group;
  double ofThread =
      needs.sums / group +
      (isByThreads ? looseBytes / group / 4 + ofReading : ofRounds);
  return std::clamp(std::floor(registers / threads / ofThread), 1.0, most);
}

/// Whether threads read it all, since there are not as many as have a unit for
/// themselves, and others for the engine.
bool Timing::isReadByThreads() const {
  return isOneRound() && !isForTwoGroups();
}

/// Whether two groups of warps have a block, which then has a unit.
bool Timing::isForTwoGroups() const {
  constexpr double fewestSums = 2 * BlockNeeds::rowsOfGroup * 64;
  return machine.hasGroups && needs.areByGroups() && needs.groups() > 1 &&
         needs.sums >= fewestSums;
}

/// A product without a loop has nothing copied ahead, and few threads ask for
/// little at a time: of one product and nothing else for more, since they have
/// the registers. 100000x128 by 128x32 of f16 took 10.0 us in one round of 128
/// x 32, 320 bytes a thread, and 12.9 in two.
double Timing::loadingRounds() const {
  if (looseDots != 1 || accumulatorBytes != 0)
    return 0;
  constexpr double threadSums = 64 * 4, warp = 32;
  double threadBytes = isOneRound() ? 256 : 128;
  double fewest = isOneRound() ? 4 * warp : 2 * warp;
  double threads = std::clamp(largestLooseDot / threadSums, fewest, 8 * warp);
  return blocks * std::max(0.0, looseBytes / (threads * threadBytes) - 1);
}

/// How long products take. All units together have the power for some rate, and
/// where some have nothing to do in the last of few turns the others have a
/// part of what they leave: 1000x3584 by 3584x6144 took 75 us in 192 blocks of
/// 128 x 256, which are 1.45 for each unit, and 63 in 256 of 128 x 192,
/// 3000x3072 by 3072x7168 239 in 672, which are 5.1, and 217 in 912; but
/// 20000x2048 by 2048x1536 246 in 942, 7.1, and 225 in 1256. None is faster
/// than tensor cores are, and than their shared memory, from which they read
/// what was written there before: of narrow tiles that is most of it.
double Timing::multiplyingTime() const {
  if (!onlyMultiplies || (takingRounds != 0 && waves > 1))
    return dotSeconds / efficiency;
  constexpr double fastest = 0.72, power = 6, recovered = 0.4, few = 2,
                   many = 8;
  // Clusters that merge begin together: 640x5000 by 5000x777 took 28 us in 140
  // blocks of 128 x 128, four of which merge, and 20 in 120 of 128 x 144.
  // Who multiplies alone on a unit, and in chunks, is not what power limits:
  // 128x11008 by 11008x768 took 10.3 us in 64 x 64, and 8.9 in 128 x 64.
  bool isAlone =
      needs.areByGroups() && needs.groups() == 1 && groupsTogether == 1;
  double part = isSplit && (waves > 1 || isAlone)
                    ? 0
                    : std::clamp((many - waves) / (many - few), 0.0, 1.0);
  double ofAll = dotSeconds / std::pow(efficiency, 1 - recovered * part);
  if (takingRounds != 0)
    return ofAll;
  double ofCores = fastest * dotSeconds;
  double ofMemory =
      (multipliedBytes + copied.all) / machine.units / machine.sharedRate;
  double ofUnit =
      std::pow(std::pow(ofCores, power) + std::pow(ofMemory, power), 1 / power);
  // In turns two groups lose more by that: 5000x5000 by 5000x1000 took 112 us
  // in 256 x 64 and 86 in 128 x 192, of both eight that copy for each other.
  constexpr double narrow = 64, slower = 1.35;
  bool isNarrow =
      waves > 1 && needs.groups() > 1 && needs.sums <= narrow * needs.rows;
  return std::max(ofAll, (isNarrow ? slower : 1) * ofUnit / efficiency);
}

/// What blocks do when they do not multiply, and nobody else on their unit does
/// it for them.
double Timing::besideProducts() const {
  double starting = dotSeconds > 0 ? blocks * machine.starting : 0;
  // In a long round one block multiplies while another meets.
  double turning = turningSeconds +
                   (areRoundsLong() ? 0 : briefTurningSeconds) +
                   (together >= 2 ? 0 : longTurningSeconds);
  // To convert 256x64 weights of 8 bits takes a block 1.2 us, and a unit 0.5.
  // Before the first nothing is there: 16x4096 by 4096x11008 took 20.9, 23.2
  // and 24.9 us in 2, 4 and 8 chunks.
  constexpr double shortest = 0.2e-6, ofByte = 3.2e-11, byUnit = 1.6e-11;
  double making = machine.making, conversions = makingRounds;
  if (convertsFactor()) {
    making = std::max(shortest + ofByte * convertedBytes,
                      together * byUnit * convertedBytes);
    conversions += blocks;
  }
  double waits = conversions * making + turning + starting;
  // A round of 64 x 64 sums takes that beside its products, be it of 48 terms
  // or of 96.
  constexpr double takingInPairs = 0.22e-6;
  if (!isByRoles())
    waits +=
        takingRounds * (areSplitInPairs() ? takingInPairs : machine.taking);
  double fetches = (fetchingRounds + loadingRounds()) * machine.fetching;
  double pieces = numDots == 0 ? 0
                  : isOuter()  ? copiedPieces / machine.outerPieces
                               : copiedPieces / machine.pieces;
  double seconds =
      waits / (machine.units * together) + pieces / machine.units +
      fetches / std::clamp(blocks, machine.units, machine.units * together) +
      idleSeconds / machine.units;
  if (isByRoles())
    seconds += takingByGroups() / machine.units;
  // Other blocks on the unit have less to do, and are done before.
  seconds += branchRounds * machine.fetching / machine.units;
  return seconds / efficiency;
}

/// While one group of warps computes with its sums another one multiplies, so
/// that a kernel takes hardly longer than the longer one of both. A4 took 950
/// us, of 883 for products and 690 for all else as it is counted; with heads of
/// 64 1271, of 883 and 1332. Groups of one block have the same rounds, and
/// where limits move wait for each other, the longer the more they compute: of
/// 8192 causal tokens with 32 features blocks of 128 rows took 2331 us, and two
/// of 64 rows 1959. Those copy twice as much: A4 with a window took 318 and
/// 312.
double Timing::besideEachOther(double dots, double others) const {
  constexpr double counted = 0.8, power = 3, hidden = 0.6, perPart = 0.12,
                   ofOneGroup = 1.08;
  double computing = counted * others;
  double seconds =
      std::pow(std::pow(dots, power) + std::pow(computing, power), 1 / power);
  if (needs.rows <= BlockNeeds::rowsOfGroup)
    return ofOneGroup * seconds;
  bool isUneven = longest > 1 && together < 2;
  return isUneven ? seconds *
                        (1 + perPart * std::max(0.0, computing / dots - hidden))
                  : seconds;
}

/// What rounds that take their sums cost where four warps multiply together.
/// Two groups fill each other's gaps, and more do not help: attention of 4096
/// tokens with 64 features took 361 us with one group of 64 rows and rounds of
/// 64, 234 with two, be it in one block or in two, and 221 with four; with
/// rounds of 128, half as many, 190 and 192. While all of two groups begin or
/// end nobody multiplies, of four others do.
double Timing::takingByGroups() const {
  constexpr double filled = 2, leastOfStart = 0.2;
  double parts = needs.rows / BlockNeeds::rowsOfGroup;
  double groups = together * std::min(parts, filled);
  double starting = std::clamp(filled - groups / filled, leastOfStart, filled);
  return takingRounds * parts / std::clamp(groups, 1.0, filled) *
             machine.groupTaking +
         blocks * parts * starting * machine.groupStarting;
}

/// How long it takes until products begin. Those of one group of four warps, of
/// which each block has a unit, are sooner there, unless most of what they read
/// are pieces of lines: 512x768 by 768x768 took 3.9 us in tiles of 64 x 64 and
/// 5.3 in 128 x 64, of which 1.6 are to multiply, 16x1000 by 1000x4096 4.6 us.
double Timing::beginning() const {
  constexpr double byOneGroup = 0.35, ofOneRound = 0.75;
  if (isReadByThreads())
    return ofOneRound * machine.filling;
  bool isTurned = areTurned && makingRounds == 0;
  bool isOneGroup = needs.areByGroups() &&
                    needs.rows == BlockNeeds::rowsOfGroup && comesInLines();
  bool isSooner = machine.hasGroups && (isOneGroup || isTurned) &&
                  numDots == 1 && numLoops == 1 && !othersCopy &&
                  !othersStore && blocks <= machine.units;
  return (isSooner ? byOneGroup : 1) * machine.filling;
}

/// How much longer products take that wait for what they read.
double Timing::waitingPart() const {
  return dotSeconds > 0 ? waitingSeconds / dotSeconds : 0;
}

/// What is known of a launch without its time.
Cost Timing::describe() const {
  Cost cost;
  cost.blocks = blocks;
  cost.cacheBytes = cacheBytes;
  cost.memoryBytes = memoryBytes;
  cost.onChipBytes = accumulatorBytes + 2 * largestLoad;
  cost.residents = residents;
  cost.isChoosing = isChoosing;
  // Whose threads bring what they multiply waits, unless another block goes on.
  // Where registers do not suffice for that ptxas at least asks for more at a
  // time: 512x50257 by 50257x3072, along k, took 1666 us, and 1042 so.
  constexpr double pair = 2, mostSums = 128 * 128;
  if (machine.hasGroups && fetchingRounds > 0 && needs.areByGroups() &&
      blocks > machine.units && needs.sums <= mostSums)
    cost.residents = std::max<int64_t>(residents, pair);
  cost.warps = isMerge() ? 0 : warpsOfOuter();
  cost.share = isMerge() ? 1 : share;
  cost.isStreaming = isStreaming();
  cost.hasRounds = rounds > 0;
  cost.reducesRows = isReductionOfRows();
  cost.onlyReducesRows = onlyReducesRows();
  return cost;
}

/// Whether a machine can do it at all, or should: `tooLarge` is its excess.
bool Timing::fits(double tooLarge) const {
  // Who cuts them would put them down element by element: 128x50257 by
  // 50257x11008, along k, took 1.8 ms in 128 x 48 with 128 terms a round. Few
  // rows or columns, of which four warps have the other ones as rows, are no
  // better: 48x8192 by 8192x5120, along k, took 173 us in 64 x 48 with 128
  // terms, 25 in 64 x 96 with 64; 48x7168 by 7168x1536 39.2 in 48 x 64 with
  // 128, 8.4 in 64 x 64.
  bool isByNumbers = numDots == outerDots || multipliesParts;
  if (!haveColumns && ((machine.hasGroups && !isByNumbers) || onlyMultiplies ||
                       fetchingRounds > 0))
    return false;
  // Between two products they are exchanged number by number: attention of one
  // query with 80 features on 77 keys took 14.0 us with its row padded to 8,
  // and 4.9 to 16.
  if (numDots > 1 && hasOddTurned)
    return false;
  // Where four warps go on to multiply what they have got, ptxas makes them
  // wait for each product (D1 of f16).
  if (isMerge() && clusterBlocks > 1 && numDots != outerDots)
    return false;
  return tooLarge <= 1 &&
         (residents == 0 || areSplitInPairs() || needs.fit(1, machine.ahead));
}

/// Whether blocks do nothing but read, compute and write element by element.
bool Timing::isStreaming() const {
  return !reduces && rounds == 0 && machine.streamedTile > 0;
}

/// How long it takes until all blocks are there. Some are before anything has
/// come: a tanh of a million bf16 took 9.9, 5.1, 2.7, 1.8, 1.6 and 1.6 us in
/// 7813, 3907, 1954, 977, 489 and 245 blocks.
double Timing::launchingTime() const {
  double late = blocks > 16 * machine.units ? blocks
                : isStreaming()             ? blocks - 4 * machine.units
                                            : 0;
  return std::max(0.0, late) * machine.block;
}

/// Whether blocks of a launch of their own merge chunks.
bool Timing::isLaunchOfMerge() const { return isMerge() && clusterBlocks == 1; }

/// Whether it is launched before the chunks that it merges are done. Behind
/// products by the copy engine, and sums, it is there by then: 16x3072 by
/// 3072x768 in 8 chunks took 4.9 us so, and 4.8 in clusters, and 512x4096 by
/// 4096x1000 in 4 as long with 256, 512 and 2048 blocks that merge. The sums of
/// 1024 columns of 8192 numbers took 9.6 us in 16 chunks, of which 8.9 are to
/// read them.
bool Timing::isReadyToMerge() const {
  return isLaunchOfMerge() && machine.hasGroups &&
         (mergesSums() ||
          (chunks->isTensorProduct() && chunks->fetchingRounds == 0));
}

/// How long blocks do nothing but read.
double Timing::readingTime() const {
  double reading =
      serialBytes / cacheRate / (isOneRound() ? together : 1) + copying();
  // The one warp of a block that merges asks for so much at a time. D1 of 1024
  // rows, split over what its second layer sums, took 22 us to merge.
  constexpr double warpAhead = 4096;
  if (isLaunchOfMerge() && dotSeconds > 0)
    reading += looseBytes / warpAhead * machine.latency;
  // 1024 and 2048 such blocks took 5.3 and 7.7 us for as many bytes.
  constexpr double fewBlocks = 256;
  if (isLaunchOfMerge() && !isReadyToMerge())
    reading += std::max(0.0, blocks - fewBlocks) * machine.merging;
  return reading;
}

/// What part of a launch that is not multiplied goes on beside products.
static constexpr double kOverlap = 0.5;

/// How long it takes to multiply, and what blocks do between that.
double Timing::productsAndBetween(const Cost &cost, double reading) const {
  if (isByRoles())
    return besideEachOther(cost.dotSeconds, cost.otherSeconds) +
           besideProducts() + reading;
  double beside = kOverlap * cost.otherSeconds + besideProducts() + reading;
  return cost.dotSeconds + beside + betweenBlocks() + refilling();
}

/// The same for two groups of warps that do blocks in turns. Nothing keeps one
/// from its products while the other one is not as far; narrow tiles read more
/// for each product. Between blocks there is one hand-over, whatever they
/// multiply. docs/Rationale.md has what was measured.
double Timing::productsInTurns(const Cost &cost, double reading) const {
  constexpr double wide = 192, rate = 0.985, perColumn = 0.07 / 64,
                   handingOver = 0.6e-6 / (128 * wide);
  double columns = needs.sums / needs.rows;
  double slower = rate + perColumn * std::max(0.0, wide - columns);
  return slower * cost.dotSeconds + waves * needs.sums * handingOver +
         besideProducts() + reading + kOverlap * cost.otherSeconds / waves;
}

/// How long a launch takes whose blocks save so much by copying for each other.
double Timing::secondsOf(const Parts &parts, const Copied &saved) const {
  return (1 + waitingPart()) *
             std::max({parts.memory, cacheTime(saved),
                       nearBytes / machine.near / busy,
                       parts.isInTurns
                           ? parts.products
                           : waitingForPieces(parts.products, saved),
                       parts.others, parts.launching, parts.gathering}) +
         (blocks + rounds) * machine.round + machine.launch + parts.beginning +
         parts.asking + parts.merging;
}

/// What a launch does beside all that: writes what others merge, and merges.
double Timing::withMerging(double seconds) const {
  if (exchangedBytes > 0)
    seconds += exchangedBytes / machine.exchange / busy;
  // All blocks end at the same time, where none waits for what it reads.
  if (machine.hasGroups && isTensorProduct() && fetchingRounds == 0)
    seconds += partBytes / machine.storing;
  // 128x11008 by 11008x768 took 9.0 us in 8 chunks and 10.2 in clusters of
  // eight, 64x11008 by 11008x1000 13.0 in 4 chunks, 13.9 in clusters of four
  // and 18.1 of eight; 128x4096 by 4096x4096 14.8 in 2 chunks and 12.8 in
  // clusters. The sums of 4096 columns of 8192 bf16 took 17.7 us in 8 chunks
  // and 27 in clusters.
  constexpr double pair = 2;
  if (isMerge() && (mergesSums() || chunks->needs.areByGroups()) &&
      clusterBlocks > pair)
    seconds += (static_cast<double>(clusterBlocks) - pair) * machine.crowding;
  // Clusters of blocks that share units are packed: in two and four chunks of
  // rounds of 128, 16x4096 by 4096x11008 of 8 bits took 22.2 and 23.9 us, and
  // 31.3 and 39.0 in clusters.
  constexpr double packed = 1.4;
  if (convertsFactor() && clusterBlocks > 1)
    seconds *= packed;
  // Nothing is launched, but all have to have written what they have.
  if (isMerge() && clusterBlocks > 1)
    seconds += machine.exchangeLatency - machine.launch;
  return seconds;
}

Cost Timing::cost() {
  divideBlocks();
  shareMemory();
  feedGroups();
  placeBlocks();
  if (together < 2 && !isOuter() && !multipliesParts)
    dotSeconds /= machine.blockAlone;
  Cost cost = describe();
  cost.dotSeconds =
      multiplyingTime() * (isMerge() ? 1 : thinning() * waitingForWarps());
  cost.otherSeconds = otherSeconds / efficiency;
  double reading = readingTime();
  Parts parts;
  parts.memory = memoryTime();
  parts.products = productsAndBetween(cost, reading);
  parts.others = cost.otherSeconds;
  parts.launching = launchingTime();
  // Where to read is read first, and what is there has been near to nothing
  // else: 128 rows of 26 tables took 5.1 us, with 128 blocks to 2048.
  constexpr double trips = 4;
  parts.gathering = isGathered ? trips * machine.latency : 0;
  parts.beginning = dotSeconds > 0 && !isMerge() ? beginning() : 0;
  parts.beginning += fillingSlot();
  parts.asking = askingTime(parts.memory);
  parts.merging = isReadyToMerge()    ? -machine.launch / 2
                  : isLaunchOfMerge() ? machine.latency
                                      : 0;
  cost.seconds = withMerging(withSeveralRows(secondsOf(parts, {})));
  if (mayShareCopies())
    shareCopies(cost,
                [&](const Copied &saved) { return secondsOf(parts, saved); });
  if (mayTakeTurns()) {
    parts.products = productsInTurns(cost, reading);
    parts.isInTurns = true;
    if (double seconds = secondsOf(parts, {}); seconds <= cost.seconds) {
      cost.seconds = seconds;
      cost.crews = 2;
      cost.residents = 0;
      cost.cluster.clear();
    }
  }
  double tooLarge = excess();
  cost.fits = fits(tooLarge);
  if (!cost.fits)
    cost.seconds *= 1000 * tooLarge;
  return cost;
}

Cost fuse::costOf(const KernelNest &kernel, ArrayRef<Value> roots,
                  const SizeAnalysis &sizes, const Machine &machine,
                  BlockTruths &truths) {
  Cost cost;
  std::optional<NestCounts> first;
  for (const Nest &nest : kernel.nests) {
    NestCounts counts = countNest(kernel, nest, roots, sizes, machine, truths);
    assert((first || !nest.isMerge) && "there are chunks before they merge");
    cost.add(Timing(counts, machine, nest.isMerge ? &*first : nullptr).cost());
    if (!nest.isMerge && kernel.isSplit())
      first = counts;
  }
  return cost;
}
