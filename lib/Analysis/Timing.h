//===- Timing.h - how long one launch takes ---------------------*- C++ -*-===//

#ifndef FUSE_LIB_ANALYSIS_TIMING_H
#define FUSE_LIB_ANALYSIS_TIMING_H

#include "NestWalk.h"

namespace fuse::cost {

/// What a block that is alone on its unit has on its way.
inline constexpr double kAheadAlone = 176 << 10;

/// How long one launch takes.
class Timing : NestCounts {
public:
  Timing(const NestCounts &counts, const Machine &machine);

  /// `first`: what makes the chunks that this merges, if it does.
  Cost cost(const NestCounts *first);

private:
  void shareTiles();
  double bytesOfRow() const;
  double excess() const;
  void divideBlocks();
  void shareMemory();
  void feedGroups();
  void placeBlocks();
  bool areSplitInPairs() const;
  bool areGroupsInPairs() const;
  bool isGroupOfMany() const;
  bool isByRoles() const;
  bool convertsFactor() const;
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
  bool mayShareCopies() const;
  void
  shareCopies(Cost &cost,
              llvm::function_ref<double(const Copied &)> secondsSaving) const;
  double linesOf(const Copied &bytes) const {
    return bytes.all + (machine.crossing - 1) * bytes.crossing;
  }
  double cacheTime(const Copied &saved) const;
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
  double betweenBlocks() const;
  double refilling() const;
  bool mayTakeTurns() const;
  double copying() const;
  double lastAlone() const;
  double beginning() const;

  const Machine &machine;
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
