//===- CostModel.h - what a kernel will cost --------------------*- C++ -*-===//
//
// A prediction of a kernel's time, by a static walk over its nest: bytes from
// memory and from cache, products, other arithmetic, and how many blocks there
// are to keep a machine busy. Recomputation, reading again and partial results
// all stand in the nest, so nothing is estimated from the graph.
//
// The numbers are for ranking.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_COSTMODEL_H
#define FUSE_ANALYSIS_COSTMODEL_H

#include "fuse/Analysis/BlockTruths.h"
#include "fuse/Analysis/Nest.h"

#include <limits>

namespace fuse {

/// What a kernel runs on, as far as costs are concerned. Rates are per second,
/// of the whole machine.
struct Machine {
  llvm::StringRef name;
  /// Bytes.
  double memory, cache;
  /// How many blocks run at a time.
  double units;
  /// Seconds that a kernel costs even if it does nothing.
  double launch;
  /// What a block, and a round of a loop, cost beside what they do.
  double round;
  /// Seconds between the starts of two blocks: there are no more than these.
  double block;
  /// Bytes of a tile up to which what is only read and written once comes as
  /// fast as memory can; 0 where that makes no difference.
  double streamedTile = 0;
  /// Products count twice: a multiplication and an addition.
  double dotHalf, dotByte, dotTf32, dotSingle, dotDouble;
  /// Pointwise operations; and those like exp and division.
  double simple, special;
  /// Bytes that a block may accumulate, and hold of what it has read.
  double accumulators, onChip;
  /// Bytes of what loops carry around a tile, and of that tile.
  double registers;
  /// Bytes that can be on their way to a block.
  double ahead;
  /// Seconds that a round of a loop waits if a product's factor is made of what
  /// the round itself has to read: only what goes into a product as it is read
  /// can be copied ahead.
  double making;
  /// The same if the round computes with the sum of a product that it makes
  /// itself.
  double taking;
  /// The same if a factor lies in memory so that it cannot be copied ahead.
  double fetching;
  /// Whether four warps multiply together, and others load for them: then it is
  /// chosen how many blocks share a unit. If such rounds take sums, each waits
  /// so long for 64 rows, and a block at its beginning and end.
  bool hasGroups = false;
  double groupTaking = 0, groupStarting = 0;
  /// Of such blocks: what a unit, and what all, get from the cache in a second,
  /// and how long that takes to come; how long a block neither reads nor
  /// multiplies at its end; and which part of its rate a unit reaches with four
  /// warps alone.
  double groupRate = 0, groupCache = 0, groupLatency = 0, groupEnding = 0,
         groupAlone = 1;
  /// How many times as long the cache takes to give the copy engine what is in
  /// rows that begin within lines.
  double crossing = 1;
  /// How long the copy engine of a unit takes for a row of a box, of whatever
  /// length.
  double rowOfBox = 0;
  /// Where warps multiply for themselves: which part of its rate a unit reaches
  /// with one block, whose threads all copy and then all multiply.
  double blockAlone = 1;
  /// How many pieces of fewer than 16 bytes threads of one unit copy ahead in a
  /// second; the second where they multiply number by number.
  double pieces = std::numeric_limits<double>::infinity(), outerPieces = pieces;
  /// Seconds before a block multiplies: nothing has been read yet.
  double starting;
  /// Seconds of a kernel that multiplies, at its beginning and end, when it
  /// does not.
  double filling;
  /// Seconds of the shortest round that multiplies.
  double shortest;
  /// Seconds between asking for bytes and having them, while many are asked
  /// for; and the most that one block at a time gets. 0: a block gets its share
  /// of the machine's.
  double latency, unitRate;
  /// Seconds between both in a round in which all threads ask, and then all
  /// reduce.
  double roundLatency = 0;
  /// The most that a unit gets of what is in the cache, if others ask for the
  /// same at the same time.
  double unitCache;
  /// Seconds that every round of a loop of products takes beside them: to wait
  /// for what it reads, and to say that it has.
  double turning;
  /// The same where sums are apart at first, and added up as the round ends.
  double adding;
  /// The same where threads multiply number by number: all meet each round.
  double meeting;
  /// Seconds between the starts of two blocks that merge.
  double merging;
  /// Seconds to split a number into parts that are multiplied.
  double splitting;
  /// Tensors larger than this are read again from memory, not from cache.
  double cacheSize;
  /// Tensors up to this size stay next to whoever reads them, from where bytes
  /// come at a rate of their own.
  double nearSize, near;
  /// How many columns and rows a product needs to reach its rate.
  double dotColumns, dotRows;
  /// How many sums a block needs for the full rate without tensor cores, by
  /// which power of a part of them the rate falls, and how many terms of a sum
  /// take as long as what comes before and behind them.
  double outerSums, fewSumsLoss, outerDepth;
  /// And how many sums arithmetic needs for its rate that reads its operands
  /// each time.
  double plainSums;
  /// Bytes a second that threads copy who also multiply: all, and those of one
  /// unit. 0: copying takes no time of its own.
  double copying, unitCopying;
  /// A product with fewer is plain arithmetic, which costs so many times as
  /// much as arithmetic in registers.
  int64_t leastRows, leastColumns;
  double plainCost;
  /// Whether a product with enough columns may be done as the transposed one.
  bool turnsProducts = false;
  /// Whether rows that only kernels see have gaps between them; see rowPitch.
  bool pitchesRows = false;
  /// How many elements are computed at a time: smaller tiles cost as much.
  double lanes;
  /// Bytes of a tile from which on several blocks hold it together, and by how
  /// many of them it may be held; 1 where they cannot tell each other anything.
  double sharedTile = 0;
  int64_t mostShares = 1;
  /// Bytes a second that blocks of clusters write to each other, all together,
  /// and how long they then wait until all have.
  double exchange = 0, exchangeLatency = 0;
  /// Bytes a second that blocks store when all of them end; and how long one
  /// more block in a cluster that merges takes where it has a unit for itself.
  double storing = 0, crowding = 0;
  /// Bytes a second that a unit reads and writes of its shared memory.
  double sharedRate = std::numeric_limits<double>::infinity();
  /// How many warps a unit needs for some to compute while others wait; 0 where
  /// there are none.
  double busyWarps = 0;
  /// The same where threads multiply number by number.
  double productWarps = 0;
  /// Bytes that are fetched at a time.
  double line;
  /// How many runs that end within a page are read ahead at a time. Where a
  /// tile has more of them, memory is slower.
  double streams, page;
  /// What symbolic sizes are taken to be.
  int64_t assumedSize = 1024;
  /// Schedules whose times differ by a smaller part are compared by what they
  /// read.
  double sameTime = 0;
  /// By what part kernels have to be faster that store what one could keep; and
  /// where what is stored stays in the cache.
  double leastGainOfStored = 0, leastGainOfCached = 0;
  /// Whether a tile may have any size. Where it is spread over threads by a
  /// layout, its sizes are powers of two; what is behind the end of a variable
  /// is computed for nothing.
  bool hasAnyTile = true;

  /// The least size of a tile that holds `size` elements.
  int64_t tileFor(int64_t size) const;
  /// How many blocks run at a time if so many form a cluster: a cluster is on
  /// units that are near to each other, of which some are left over.
  double unitsForClusters(int64_t blocks) const;
  /// What part of its rate a product without tensor cores reaches that has so
  /// many sums in a block, of so many terms.
  double outerPart(double sums, double depth) const;

  static Machine cpu(unsigned numThreads);
  /// An H200 whose blocks may have so many bytes of shared memory; 0: what it
  /// has. Kernels are planned for a part of it. Without warpgroups products are
  /// those of single warps, as on chips before and behind it.
  static Machine h200(unsigned sharedBytes = 0, bool hasWarpgroups = true,
                      double sharedPart = 1);
};

/// What a launch takes, or all launches of a kernel, and what they are like.
struct Cost {
  double seconds = 0;
  double memoryBytes = 0, cacheBytes = 0;
  double dotSeconds = 0, otherSeconds = 0;
  double blocks = 0, onChipBytes = 0;
  /// How many blocks a unit is to hold at a time; 0 leaves it open.
  int64_t residents = 0;
  /// Whether blocks leave out some of what the kernel computes.
  bool isChoosing = false;
  /// How many blocks hold a tile together.
  int64_t share = 1;
  /// How many neighbours by dimension of the grid copy for each other; empty:
  /// each block for itself.
  llvm::SmallVector<int64_t> cluster;
  /// How many crews do a unit's blocks in turn.
  int64_t crews = 1;
  /// Whether blocks do nothing but read, compute and write element by element.
  bool isStreaming = false;
  /// Whether they reduce nothing but rows, without products; and whether they
  /// read these at once and do nothing else.
  bool reducesRows = false, onlyReducesRows = false;
  /// Whether they go round a loop.
  bool hasRounds = false;
  /// How many warps a block is to have; 0 leaves it open.
  int64_t warps = 0;
  /// Whether it fits on the machine.
  bool fits = true;

  void add(const Cost &other);
};

/// `roots` are what the kernel writes, `chunks` apart. What is asked of masks
/// stays in `truths`, as long as the kernel's elements do.
Cost costOf(const KernelNest &kernel, llvm::ArrayRef<mlir::Value> roots,
            const SizeAnalysis &sizes, const Machine &machine,
            BlockTruths &truths);

/// The bytes of a tensor.
double bytesOf(mlir::Value tensor, const SizeAnalysis &sizes,
               const Machine &machine);

} // namespace fuse

#endif // FUSE_ANALYSIS_COSTMODEL_H
