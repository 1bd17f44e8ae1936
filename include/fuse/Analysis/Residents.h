//===- Residents.h - how many blocks fit on a processor ---------*- C++ -*-===//
//
// Of blocks in which four warps multiply together and others load: whether so
// many have enough registers and memory at a time. What one block waits for,
// its first tiles, its products, its last stores, others fill.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_RESIDENTS_H
#define FUSE_ANALYSIS_RESIDENTS_H

#include <cmath>
#include <cstdint>
#include <limits>

namespace fuse {

/// What a block needs, in elements and bytes.
struct BlockNeeds {
  /// The fewest rows of a product that four warps do together.
  static constexpr double rowsOfGroup = 64;

  /// Of its products: the fewest rows, the most columns, and all sums.
  double rows = std::numeric_limits<double>::infinity();
  double columns = 0, sums = 0;
  /// What is in registers at a time, at most.
  double liveBytes = 0;
  /// The largest factor that products read from registers.
  double factorBytes = 0;
  /// What a round reads, what is read before, and what the engine's stores take
  /// of the shared memory.
  double slotBytes = 0, heldBytes = 0, stagedBytes = 0;
  /// Whether four warps can do each of its products together, if it has rows
  /// for them.
  bool isByGroups = true;

  bool areByGroups() const {
    return isByGroups && sums > 0 && rows >= rowsOfGroup;
  }

  /// Groups of four warps have as many rows each, in sixty-fours: of 192 one
  /// has all.
  double groups() const {
    constexpr double most = 2;
    return std::fmod(rows, most * rowsOfGroup) == 0 ? most : 1;
  }

  /// Whether a processor with so many bytes of shared memory for one block
  /// holds so many.
  bool fit(int64_t residents, double sharedBytes) const;
};

} // namespace fuse

#endif // FUSE_ANALYSIS_RESIDENTS_H
