//===- Conversion.h - from one layout to another ----------------*- C++ -*-===//
//
// What it takes to bring a tile from one layout to another: nothing but other
// names for registers, shuffles inside each warp, or a trip through shared
// memory. Each is a plan that can be executed step by step, the same for every
// cell of the tile.
//
// *Shuffles.* "Which register of which lane has the element that I need in
// register d" is a linear question: the answer (s, lane') is linear in (d,
// lane, warp). If every lane asks for the same d in one round, two lanes may
// need different registers of one lane, which can send only one. So lanes ask
// in different orders: in round t lane l asks for d = t ^ D(l), with D such
// that lane -> lane' becomes one to one. Example, register bit 0 swapped with
// lane bit 0: round 0 keeps own elements, round 1 exchanges with lane ^ 1; each
// lane first swaps its registers if its bit is set, and swaps again afterwards.
// One shuffle and four selects, for two registers.
//
// *Shared memory.* Offsets are positions in another basis, which is chosen:
// lowest the positions that a vector access covers, highest the differences
// that may share a bank, H. An access is free of conflicts if H meets the span
// of the lanes that are served together in 0 only. For the lanes S that store
// and D that load there is such an H of any size that fits: with s_i and d_i
// outside of the common part of S and D, take the sums s_i ^ d_i, and whatever
// is outside of both. These sums are what is known as a swizzle.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LAYOUT_CONVERSION_H
#define FUSE_LAYOUT_CONVERSION_H

#include "fuse/Layout/SharedLayout.h"

namespace fuse {

enum class ConversionKind { Registers, Shuffles, Shared };

/// registers[r] = parity(thread, threadMask) ? registers[r ^ flip]
///                                           : registers[r]
/// for all registers r at once. The thread is lane + 32 * warp.
struct RegisterFlip {
  unsigned threadMask;
  unsigned flip;
};

/// Every lane sends register `sent`, and lane l receives from lane
/// `plan.sourceLane(thread) ^ laneMask`. With `isButterfly` that is
/// l ^ laneMask, and no shuffle at all for 0.
struct ShuffleRound {
  unsigned sent;
  unsigned laneMask;
};

/// For each cell: `before` on its registers; round t fills received[t]; `after`
/// on what was received; then register d of the result is
/// received[resultOf[d]]. Within a list, flips go one after another.
struct ShufflePlan {
  llvm::SmallVector<RegisterFlip, 4> before, after;
  /// The lane that thread bit i contributes to the source lane.
  BitVectors lanes;
  bool isButterfly;
  llvm::SmallVector<ShuffleRound> rounds;
  llvm::SmallVector<unsigned> resultOf;
  /// So many registers from a multiple of it form one word, which is sent
  /// whole. All numbers here count words, not registers.
  unsigned packed;
  /// For one cell. Words of 8 bytes need two of each.
  unsigned numShuffles, numSelects;

  unsigned sourceLane(unsigned thread) const { return BitMap(lanes)(thread); }
};

/// Store, barrier, load. Where the buffer is smaller than the tile, this goes
/// in rounds: of `vectorAccesses` for both sides, those with offsets from k *
/// roundElements to (k + 1) * roundElements - 1 take part in round k, at offset
/// % roundElements of the buffer. Bits of threads never change the round. The
/// buffer must be free before each round's stores. Only threads in which no bit
/// of `from.freeMask` is set store.
struct SharedPlan {
  explicit SharedPlan(SharedLayout memory) : memory(std::move(memory)) {}

  SharedLayout memory;
  unsigned storeWidth = 1, loadWidth = 1; ///< elements of a vector
  int64_t roundElements = 1;
  unsigned rounds = 1;
  int64_t bytes = 0;                              ///< of the buffer
  unsigned storeConflicts = 1, loadConflicts = 1; ///< 1 is none
  /// Relative time: 2 for each pass through the banks, 1 for each instruction.
  unsigned cost = 0;
  /// Whether warps read only what they wrote: a warp-wide barrier will do.
  bool staysInWarp = false;
};

struct Conversion {
  ConversionKind kind;
  /// Kind Registers: for each register of the result that of the source.
  llvm::SmallVector<unsigned> sources;
  std::optional<ShufflePlan> shuffles;
  std::optional<SharedPlan> memory;
};

struct ConversionOptions {
  unsigned elementBytes = 4;
  /// The largest buffer. What is larger goes in rounds of whole cells, or of
  /// parts of a cell that both sides have in registers: `SharedPlan::bytes` is
  /// more only where that is not enough.
  int64_t maxBytes = 1 << 16;
  unsigned maxVectorBytes = 16;
};

/// Fails if the layouts are of different tiles or numbers of warps, or if CTAs
/// would have to exchange data.
llvm::Expected<Conversion> planConversion(const Layout &from, const Layout &to,
                                          const ConversionOptions &options);

/// Only the kind; nothing if `planConversion` fails.
std::optional<ConversionKind> classifyConversion(const Layout &from,
                                                 const Layout &to,
                                                 unsigned elementBytes = 4);

/// For each register of `to` the register of `from` that holds the same element
/// in the same thread, if that is so in every thread.
std::optional<llvm::SmallVector<unsigned>> renameRegisters(const Layout &from,
                                                           const Layout &to);

/// The plan inside of warps, if every element that a warp needs is in it.
std::optional<ShufflePlan> planShuffles(const Layout &from, const Layout &to,
                                        unsigned elementBytes);

/// The memory, vector widths and conflicts of the plan are those of the least
/// cost among all splits of vectors between the two sides.
SharedPlan planShared(const Layout &from, const Layout &to,
                      const ConversionOptions &options);

} // namespace fuse

#endif // FUSE_LAYOUT_CONVERSION_H
