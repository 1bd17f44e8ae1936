//===- Timing.h - how long one launch takes ---------------------*- C++ -*-===//
//
// CostModel.cpp has how blocks are spread, and the sum; MemoryTiming.cpp what
// memory takes, GroupTiming.cpp and OuterTiming.cpp products with tensor cores
// and without, SharedCopies.cpp what blocks copy for each other.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_ANALYSIS_TIMING_H
#define FUSE_LIB_ANALYSIS_TIMING_H

#include "NestWalk.h"

namespace fuse::cost {

/// What a block that is alone on its unit has on its way.
inline constexpr double kAheadAlone = 176 << 10;

/// How long one launch takes.
class Timing : NestCounts {
public:
  /// `chunks`: what the launch before it leaves, if it merges that.
  Timing(const NestCounts &counts, const Machine &machine,
         const NestCounts *chunks);

  Cost cost();

private:
  /// What a launch does at the same time, in seconds, and what it does before
  /// and after it.
  struct Parts {
    double memory = 0, products = 0, others = 0, launching = 0, gathering = 0;
    double beginning = 0, asking = 0, merging = 0;
    bool isInTurns = false;
  };

  bool isMerge() const { return chunks != nullptr; }
  /// Whether it merges what is reduced without products.
  bool mergesSums() const { return isMerge() && chunks->numDots == 0; }
  double linesOf(const Copied &bytes) const {
    return bytes.all + (machine.crossing - 1) * bytes.crossing;
  }

  // CostModel.cpp
  bool isLaunchOfMerge() const;
  bool isReadyToMerge() const;
  Cost describe() const;
  bool fits(double tooLarge) const;
  double secondsOf(const Parts &parts, const Copied &saved) const;
  double withMerging(double seconds) const;
  double waitingPart() const;
  double productsAndBetween(const Cost &cost, double reading) const;
  double productsInTurns(const Cost &cost, double reading) const;
  double launchingTime() const;
  double readingTime() const;
  bool isStreaming() const;
  void shareTiles();
  double bytesOfRow() const;
  double excess() const;
  bool mayHoldMany() const;
  void divideBlocks();
  void placeBlocks();
  bool areSplitInPairs() const;
  bool areGroupsInPairs() const;
  bool isGroupOfMany() const;
  bool isByRoles() const;
  bool convertsFactor() const;
  double multiplyingTime() const;
  bool isOnlyProduct() const;
  bool isOneRound() const;
  bool isForTwoGroups() const;
  bool areNarrow() const;
  double togetherByRegisters() const;
  bool isReadByThreads() const;
  double loadingRounds() const;
  double besideProducts() const;
  double takingByGroups() const;
  double besideEachOther(double dots, double others) const;
  double beginning() const;

  // MemoryTiming.cpp
  bool isFlowing() const;
  bool isThinStream() const;
  bool areFewStreams() const;
  double rateOfSlots() const;
  double fillingSlot() const;
  double flowingRate() const;
  bool comesInLines() const;
  double ofCaches() const;
  double memoryTime() const;
  double askingTime(double memorySeconds) const;
  bool isReductionOfRows() const;
  bool onlyReducesRows() const;
  bool readsAgain() const;
  double withRows(double seconds) const;
  double withSeveralRows(double seconds) const;
  double withSummedProducts(double seconds) const;
  void shareMemory();
  double lastAlone() const;

  // GroupTiming.cpp
  void feedGroups();
  double betweenBlocks() const;
  double refilling() const;
  bool mayTakeTurns() const;

  // OuterTiming.cpp
  bool isOuter() const;
  static int64_t usualWarps(double numbers);
  bool areRoundsLong() const;
  double blocksByRegisters(int64_t warps) const;
  double thinning() const;
  bool isOneProductByNumbers() const;
  bool areRoundsFew() const;
  double waitingWith(int64_t warps) const;
  double waitingForWarps() const;
  int64_t warpsForSums() const;
  int64_t warpsOfOuter() const;
  double copying() const;

  // SharedCopies.cpp
  bool mayShareCopies() const;
  void
  shareCopies(Cost &cost,
              llvm::function_ref<double(const Copied &)> secondsSaving) const;
  double cacheTime(const Copied &saved) const;
  double waitingOfMany(int64_t share) const;
  double linesTime(const Copied &saved) const;
  double waitingForPieces(double products, const Copied &saved) const;

  const Machine &machine;
  /// Null where nothing is merged.
  const NestCounts *chunks;
  /// Whether four warps multiply together, and whether they do nothing else.
  bool isByGroups, onlyMultiplies;
  /// How often a unit gets a block, and what part of all units has one.
  double waves = 1, efficiency = 1;
  /// What part of their rates memories reach, and what the cache does.
  double busy = 1, busyMemory = 1, cacheRate = 0;
  /// How long blocks wait for what rounds read that only reduce.
  double roundSeconds = 0;
  /// How many blocks on a unit fill each other's gaps, and how many that only
  /// multiply.
  double together = 1, groupsTogether = 1;
  /// What a block takes of the shared memory, where threads copy.
  double sharedBytes = 0;
  /// Blocks that are to share a unit; 0 leaves it open.
  int64_t residents = 0;
  /// Blocks that hold a tile together.
  int64_t share = 1;
  /// What one block may hold of a row by itself.
  double mostOfRow = 0;
};

} // namespace fuse::cost

#endif // FUSE_LIB_ANALYSIS_TIMING_H
