//===- Machines.cpp - what the cost model knows of machines ---------------===//
//
// The numbers are measured ones; docs/Rationale.md says where they come from.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/CostModel.h"
#include "llvm/Support/MathExtras.h"

using namespace fuse;

int64_t Machine::tileFor(int64_t size) const {
  return hasAnyTile || size <= 1 ? size : llvm::PowerOf2Ceil(size);
}

double Machine::outerPart(double sums, double depth) const {
  return std::pow(std::min(1.0, sums / outerSums), fewSumsLoss) * depth /
         (depth + outerDepth);
}

double Machine::unitsForClusters(int64_t blocks) const {
  // An H200 holds 66 clusters of two, 30 of four and 15 of eight blocks that
  // need a processor each. Blocks that need half of one come together on some
  // of them: D2 of 2048 rows took 33 us in 32 clusters of four, and 19 without.
  constexpr int64_t anywhere = 2;
  constexpr double usable = 120.0 / 132;
  return blocks <= anywhere ? units : usable * units;
}

// What is measured is in docs/Rationale.md. The rates are about half of it, all
// alike: what a block copies for its products, and what it keeps between its
// passes, is counted nowhere else.
Machine Machine::cpu(unsigned numThreads) {
  Machine machine;
  double threads = std::max(1u, numThreads);
  machine.name = "cpu";
  machine.memory = std::min(threads * 8e9, 100e9);
  machine.cache = threads * 40e9;
  machine.units = threads;
  machine.launch = 5e-6;
  machine.round = 0.4e-9 / threads;
  machine.block = 0;
  // Narrow floats are widened when they are packed.
  machine.dotHalf = machine.dotByte = machine.dotTf32 = machine.dotSingle =
      threads * 70e9;
  machine.dotDouble = threads * 35e9;
  machine.simple = threads * 12e9;
  machine.special = threads * 1.5e9;
  machine.accumulators = 512 << 10;
  machine.registers = std::numeric_limits<double>::infinity();
  machine.ahead = std::numeric_limits<double>::infinity();
  machine.making = 0;
  machine.taking = 0;
  machine.fetching = 0;
  machine.starting = 0;
  machine.filling = 0;
  machine.shortest = 0;
  machine.latency = 0;
  machine.unitRate = machine.unitCache = 0;
  machine.turning = 0;
  machine.adding = 0;
  machine.meeting = machine.merging = 0;
  machine.splitting = 0;
  machine.onChip = 1 << 20;
  machine.cacheSize = 16e6;
  machine.nearSize = 0;
  machine.near = machine.cache;
  machine.dotColumns = 32;
  machine.dotRows = 8;
  machine.outerSums = machine.dotColumns * machine.dotRows;
  machine.fewSumsLoss = 1;
  machine.outerDepth = 0;
  machine.copying = machine.unitCopying = 0;
  machine.plainSums = 1;
  machine.leastRows = machine.leastColumns = 1;
  machine.plainCost = 1;
  machine.lanes = 16;
  machine.line = 64;
  machine.streams = 32;
  machine.page = 4096;
  return machine;
}

Machine Machine::h200(unsigned sharedBytes, bool hasWarpgroups,
                      double sharedPart) {
  constexpr double ownSharedBytes = 227 << 10;
  Machine machine;
  machine.name = "h200";
  machine.memory = 4.272e12;
  machine.cache = 7e12;
  machine.units = 132;
  machine.launch = 1.05e-6;
  // Rows of 768 by 16384 blocks of one warp took 20.9 us and by 8192 of two
  // 14.4, rows of 128 by 16384, 8192 and 4096 blocks 20.3, 11.2 and 9.4.
  machine.block = 1.22e-9;
  // A bias and relu of 16384 x 8192 f32 took 256 us in blocks of 1024 elements,
  // 262 of 2048 or more, and 316 of 512, which cannot begin as fast.
  machine.streamedTile = 4096;
  machine.round = 0;
  machine.dotHalf = 672e12;
  machine.dotByte = 1200e12;
  machine.dotTf32 = 353e12;
  machine.dotSingle = 63e12;
  machine.dotDouble = 63e12;
  machine.simple = 25e12;
  machine.special = 3.5e12;
  machine.accumulators = 128 << 10;
  // Two sums may be alive where four warps multiply together. Where each
  // multiplies for itself, its factors take registers, too.
  machine.registers = (hasWarpgroups ? 264 : 200) << 10;
  // What is read once must fit beside what is on its way.
  machine.onChip = 128 << 10;
  if (sharedBytes != 0)
    machine.onChip *= std::min(1.0, sharedBytes / ownSharedBytes);
  machine.onChip *= sharedPart;
  machine.ahead =
      sharedPart * (sharedBytes != 0 ? sharedBytes : ownSharedBytes);
  // An upper bound: a round of L2 that normalises 256 x 64 for a product of
  // 0.8 us took 3.2 us, one of L1 with 128 x 64 took 4, each with its share of
  // what follows the loop, which was slow.
  machine.making = 2e-6;
  // Attention with rounds of 64 keys took 1.15 ms and of 128 keys 0.92, with
  // half as many; with shorter rows 178 and 156 us.
  machine.taking = 0.4e-6;
  machine.hasGroups = hasWarpgroups;
  // M2 for such a chip took 306 us with tiles of 128 x 128, two on a unit, and
  // 369 with 256 x 128 or 128 x 256.
  machine.blockAlone = machine.hasGroups ? 1 : 0.55;
  // For 64 rows: what attention of eight sizes, 40 to 128 features, took by 75
  // schedules, within a tenth for most; docs/Rationale.md has some of them.
  machine.groupTaking = 0.12e-6;
  machine.groupStarting = 1e-6;
  // 1024x3072 by 3072x768 of f16: 192 tiles of 64 x 64, two a unit, took 14.0
  // us, 96 of 128 x 64 11.7, and 48 of 128 x 128 19.8, of which all took 3 to
  // begin. 96 tiles of 64 x 128, with four warps each, took 15.8.
  machine.groupRate = 125e9;
  machine.groupCache = 12e12;
  // In one wave, rows of 2000 bytes come at 4.5 to 5 TB/s to all units:
  // 512x1000 by 1000x3072, both along k, took 15.4 us in tiles of 128 x 128
  // and 12.6 in 128 x 192; 1024x11008 by 11008x1000 62.9 us, and 42.7 turned,
  // along k; 1024x1000 by 1000x1000 9.1 us in pairs of 128 x 64, 10.3 in pairs
  // of 128 x 128.
  machine.crossing = 2.3;
  // 384x3584 by 3584x1792 along k took 13.7 us in 128 x 64, 56 rounds of 192
  // rows of 128 bytes; 256x5120 by 5120x5120 39.7 in 128 x 80 along n, 80 of
  // 448 rows, of which 320 have 32 bytes; causal attention of 1500 tokens with
  // 80 features 302 with 64 rows a block and 195 with 128, which take 294 and
  // 150 for rows of 32 bytes.
  machine.rowOfBox = 1.05e-9;
  machine.groupLatency = 0.6e-6;
  machine.groupAlone = 0.62;
  // 1024x768 by 768x2304: 12.6 us with two tiles of 128 x 128 on some units,
  // 11.0 with one of 256 x 128, which has as much to multiply.
  machine.groupEnding = 1.5e-6;
  // 16x768 by 768x50257, whose rows begin anywhere, took 43 us in 36 rounds.
  machine.fetching = 1.2e-6;
  // 2048x1001 by 1001x4096 of tf32 took 190 us, and 70 where rows begin at
  // multiples of 16 bytes; 65536x100 by 100x200 of bf16 26 us, of 16 that it is
  // counted as otherwise; 1000x1001 by 1001x1000 in f32 78 and 64.
  machine.pieces = 4e9;
  machine.outerPieces = 15e9;
  machine.starting = 0.2e-6;
  // D1 and D2 took 2 to 4 us more in two kernels than in one.
  machine.filling = 2e-6;
  machine.shortest = 0.1e-6;
  machine.latency = 1e-6;
  // Sums of 4096 rows of 4096 bf16 took 13.6 us with 31 KB asked for by a unit
  // at a time, 11.0 with 62 and 10.1 with 124, be it by 2 or 16 blocks.
  machine.roundLatency = 1.2e-6;
  machine.unitRate = 45e9;
  // D2 in f16, 128 blocks of 16 rows that read the same 256 KiB: 4.9 us, and
  // 4.2 where there are eight of them.
  machine.unitCache = 110e9;
  // G1 took 56.3 us with 128 rounds and 51.2 with 64, M4 405 with 512 in a row
  // and 398 with 256.
  machine.turning = 0.03e-6;
  // M5 took 1055 us with 1000 rounds in a row and 1003 with 500.
  machine.adding = 0.15e-6;
  // D1 of 2048 rows took 28.8 us with rounds of 64, 33.0 with 32 and 35.7 with
  // 16.
  machine.meeting = 0.1e-6;
  machine.merging = 2.5e-9;
  // M4i_tf32x3 took 1268 us with tiles of 128 x 256 in rounds of 32 and 1408
  // with as many of 128 x 128, which split a third more numbers.
  machine.splitting = 12 / machine.simple;
  machine.cacheSize = 40e6;
  // Scales of norms, which every row reads.
  machine.nearSize = 64 << 10;
  machine.near = 20e12;
  machine.dotColumns = 64;
  machine.dotRows = 64;
  machine.outerSums = 4096;
  machine.fewSumsLoss = 0.5;
  // The first layer of D1 has 13 numbers to sum, and takes 0.24 us a row.
  machine.outerDepth = 12;
  // D2 of 128 rows, 16 a block, took 23.9 us, and of 2048 rows 28.5, or 22.9
  // where processors share what they read.
  machine.copying = 7e12;
  machine.unitCopying = 55e9;
  machine.plainSums = std::numeric_limits<double>::infinity();
  machine.leastRows = 16;
  machine.leastColumns = 8;
  machine.plainCost = 3;
  machine.turnsProducts = true;
  machine.pitchesRows = true;
  machine.lanes = 128;
  // Rows of 1024 by one, two, four and eight warps each, 7.8 rows a processor:
  // 4.2, 4.0, 3.9 and 4.1 us; of 781, 13.8 rows a processor, by one, two and
  // four: 4.5, 4.5 and 4.6. Of 62 rows of 4096 each four warps are best.
  machine.sharedTile = 64 << 10;
  // Where a plan turned out to need too much: what blocks share goes from one
  // layout to another through memory that each of them has for all of it, and
  // blocks that merge in clusters have room for what they get.
  machine.mostShares = machine.hasGroups && sharedPart == 1 ? 8 : 1;
  // D2 of 128 rows in 8 chunks took 7.2 us with a launch to merge them, and 5.4
  // in clusters, of whose 64 blocks each writes 16 KiB.
  machine.exchange = 7e12;
  machine.exchangeLatency = 0.5e-6;
  // 512x4096 by 4096x1000 took 16.7 us with 16.8 MB of sums of 8 chunks, 14.8
  // with half as much of 4.
  machine.storing = 3.5e12;
  machine.crowding = 0.8e-6;
  // 96 blocks of 128 x 64 took 7.5 us for 48 rounds, of which each reads 32 KiB
  // and writes 24, and is 0.15 us to multiply.
  machine.sharedRate = 350e9;
  machine.busyWarps = 24;
  machine.productWarps = 8;
  // Sums of 16 columns of 4096 x 4096 bf16 took 24.0 us, and 10.3 of 256;
  // attention of 16 queries on pieces of 16, 32 and 64 features 54, 48 and 36.
  machine.line = 64;
  machine.sameTime = 0.002;
  machine.hasAnyTile = false;
  // D1 of 65536 rows takes 478 us in one kernel and 457 in two, A_decode 34.6
  // and 34.4. An MLP of 2048x256-1024-256 took 21 us in one, and 11 in two that
  // store 4 MB.
  machine.leastGainOfStored = 0.23;
  machine.leastGainOfCached = 0.15;
  machine.streams = std::numeric_limits<double>::infinity();
  machine.page = 0;
  return machine;
}
