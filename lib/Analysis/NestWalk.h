//===- NestWalk.h - what one launch does, counted ---------------*- C++ -*-===//
//
// What the two halves of the cost model share: a walk goes through a nest and
// counts (NestWalker.h), and from that follows how long it takes (Timing.h).
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_ANALYSIS_NESTWALK_H
#define FUSE_LIB_ANALYSIS_NESTWALK_H

#include "fuse/Analysis/CostModel.h"
#include "fuse/Analysis/Residents.h"

namespace fuse::cost {

/// Of all blocks together, unless it says otherwise. Seconds are those of a
/// machine that is busy everywhere.
struct NestCounts {
  double blocks = 1;
  /// Rounds of all loops, and how many loops there are.
  double rounds = 0;
  unsigned numLoops = 0;
  double memoryBytes = 0, cacheBytes = 0, nearBytes = 0;
  /// Whether blocks share rounds of a loop.
  bool isSplit = false;
  /// What blocks that merge in a cluster write to each other, and how many do.
  double exchangedBytes = 0;
  int64_t clusterBlocks = 1;
  /// What blocks store of a split loop's sums for others to merge.
  double partBytes = 0;
  /// What all blocks read alike, of the bytes from cache.
  double alikeBytes = 0;
  /// What the engine copies for products, of the bytes from cache: all, what
  /// lies in rows that begin within lines, how many rows of boxes it is, and
  /// what lies in rows that begin within sectors of 32 bytes.
  struct Copied {
    double all = 0, crossing = 0, rows = 0, withinSectors = 0;

    void add(const Copied &other) {
      all += other.all;
      crossing += other.crossing;
      withinSectors += other.withinSectors;
      rows += other.rows;
    }
  };
  Copied copied;
  /// How often the engine asks for a line, of all that are read most often.
  double asked = 0;
  /// Whether threads copy some of it, since the engine cannot; and whether they
  /// store what is made.
  bool othersCopy = false, othersStore = false;
  /// Whether blocks read nothing but rows that begin within vectors, and
  /// whether they read several.
  bool areRowsLoose = false, cutsRows = false;
  /// Whether what is read outside of loops is in vectors of 16 bytes.
  bool areLooseWords = true;
  /// Whether what the engine copies can lie in shared memory as it lays it, and
  /// what rounds read is along variables of its own.
  bool haveColumns = true, readsAlong = true;
  /// Whether four warps multiply together because columns are their rows;
  /// whether columns that warps have as rows are no power of two.
  bool areTurned = true, hasOddTurned = false;
  /// Whether all products are of numbers of 16 bits.
  bool onlyHalves = true;
  /// Whether functions are made of sums and products, as erf is.
  bool hasPolynomials = false;
  /// How many tiles are stored.
  unsigned numStores = 0;
  /// What a block has room for that others of its cluster send.
  double receivedBytes = 0;
  /// For each variable of the grid, how many blocks there are along it, and
  /// what those next to each other read alike of that.
  struct Neighbours {
    double blocks = 1;
    Copied alike;
    /// What the rows of each of these tiles are a multiple of.
    int64_t rows = 0;
  };
  llvm::SmallVector<Neighbours> neighbours;
  double dotSeconds = 0, otherSeconds = 0;
  /// Of dotSeconds, those of the longest product.
  double longestDot = 0;
  /// Of dotSeconds, what splitting numbers takes; and what a block has in
  /// shared memory that does so with one group of four warps, 0 for others.
  double splitSeconds = 0, splitBlockBytes = 0;
  /// What products by groups of warps read of shared memory.
  double multipliedBytes = 0;
  /// How much longer products take that wait for what they read.
  double waitingSeconds = 0;
  /// What rounds of products take beside their own time; and the same of rounds
  /// that multiply number by number for longer than memory takes to answer.
  double turningSeconds = 0, longTurningSeconds = 0;
  /// Of shorter rounds that multiply number by number, and of no others around
  /// or inside: what they take beside their own time, how long a unit
  /// multiplies in all of them, and how many there are.
  double briefTurningSeconds = 0, briefSeconds = 0, briefRounds = 0;
  /// Whether there are other rounds of products.
  bool hasShortRounds = false;
  /// What blocks spend in short rounds, beside multiplying.
  double idleSeconds = 0;

  /// The rounds that multiply with what they have made of what they read; that
  /// multiply what can only be read when it is needed; and that compute with a
  /// product of their own.
  double makingRounds = 0, fetchingRounds = 0, takingRounds = 0;
  /// The rounds with products of loops that some blocks leave out.
  double branchRounds = 0;
  /// Whether blocks leave out what they do not choose.
  bool isChoosing = false;
  /// Whether it is read from memory where something else is read.
  bool isGathered = false;
  /// What threads copy ahead in pieces of fewer than 16 bytes: how many.
  double copiedPieces = 0;
  /// The most that a round copies that multiplies number by number: how many
  /// copies there are for it.
  double copiesOfRound = 0;

  /// Of a block: what its loops carry, the largest tile of it, the largest tile
  /// that it reads, once or, where the next one is copied ahead, twice, and
  /// that it makes, and the most that is held at a time.
  double accumulatorBytes = 0, largestSum = 0, largestLoad = 0,
         largestSlots = 0, largestTile = 0, largestLive = 0;
  /// How many places of the grid the largest tile has that it makes, and along
  /// how many axes it has more than one element.
  double rowsOfLargest = 1;
  unsigned axesOfLargest = 0;
  /// All tensors that are read, the largest of them, and how often all blocks
  /// together read that in one place.
  double tensorBytes = 0, largestTensor = 0, timesOfLargest = 1;
  /// The factors of products that have to be in shared memory at a time, and
  /// those of one loop with all slots of its rings.
  double factorBytes = 0, loopBytes = 0;
  /// The most that threads hold of what cannot be copied ahead.
  double mostFetched = 0;
  /// What the largest ring of a loop with products takes, one of its slots,
  /// and what of it is on its way.
  double ring = 0, mostAhead = 0;
  /// The most that a round reads where there are no products.
  double roundAhead = 0;
  /// What is read outside of loops, by a block; and what loops of products with
  /// a single round read.
  double looseBytes = 0, serialBytes = 0;
  /// The elements that a block reads outside of loops, and those of its largest
  /// tile.
  double looseElements = 0, mostElements = 0;
  /// What rounds read that multiply number by number.
  double outerBytes = 0;

  /// Whether anything is reduced, and whether all of it is rows.
  bool reduces = false, reducesOnlyRows = true;
  /// Whether a product that threads do number by number has terms along several
  /// variables, or all of them in one round.
  bool hasOtherTerms = false;
  /// Whether something is reduced that is no product.
  bool reducesOthers = false;
  /// Whether something that no loop reads is needed again behind a reduction.
  bool holdsReduced = false;
  unsigned numDots = 0;
  /// Of these, those that no loop carries, and the largest sum of one; and the
  /// factors of such products that do nothing but read them, once.
  unsigned looseDots = 0;
  double largestLooseDot = 0, looseFactors = 0;
  /// Those that threads multiply number by number; the sums of the largest, the
  /// numbers of the largest factor, and of the largest that a round has made.
  unsigned outerDots = 0;
  double outerSums = 0, outerFactor = 0, outerMade = 0;
  /// Whether some multiply in parts, which takes longer and copies as much.
  bool multipliesParts = false;
  /// Whether four warps can do each of them together, whatever its type.
  bool areAllByGroups = true;
  /// The largest factor that a round makes of integers.
  double convertedBytes = 0;
  /// Products that have one row or one column, and are sums instead; and how
  /// many of them a block has side by side.
  unsigned numSummed = 0;
  double summedProducts = 1;
  /// The fewest rows that an instruction of four warps may have to divide, if
  /// it may be the transposed product's, whose rows are columns.
  double fewestRows = std::numeric_limits<double>::infinity();
  /// The fewest rows of products of which a block makes several side by side.
  double rowsOfMany = std::numeric_limits<double>::infinity();
  /// How many times as many rounds the longest block has as most.
  double longest = 1;
  /// What a block with products in its rounds needs.
  BlockNeeds needs;

  /// Whether its only product is one of tensor cores, with which no round goes
  /// on.
  bool isTensorProduct() const {
    return numDots == 1 && outerDots == 0 && takingRounds == 0;
  }
  /// Whether it has products of tensor cores that share all their rounds, as a
  /// gate has.
  bool areSideBySide() const {
    return numDots > 1 && numLoops == 1 && looseDots + outerDots == 0 &&
           makingRounds + takingRounds == 0;
  }
  /// How many blocks there are on a unit at a time, where nothing is
  /// multiplied.
  double blocksOnUnit(const Machine &machine) const;
};

NestCounts countNest(const KernelNest &kernel, const Nest &nest,
                     llvm::ArrayRef<mlir::Value> roots,
                     const SizeAnalysis &sizes, const Machine &machine,
                     BlockTruths &truths);

} // namespace fuse::cost

#endif // FUSE_LIB_ANALYSIS_NESTWALK_H
