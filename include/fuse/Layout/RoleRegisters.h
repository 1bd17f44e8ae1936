//===- RoleRegisters.h - how roles share registers --------------*- C++ -*-===//
//
// All threads of a block start with the same number of registers, then those
// that load hand over what they do not need to those that compute. Whoever
// places kernels and whoever predicts what they cost go by the same numbers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LAYOUT_ROLEREGISTERS_H
#define FUSE_LAYOUT_ROLEREGISTERS_H

#include <algorithm>
#include <cstdint>

namespace fuse {

struct RoleRegisters {
  /// Four warps load, and registers are handed over by four warps at a time.
  static constexpr int64_t loadWarps = 4;

  /// Of a thread: at the start, and then of those that compute and that load.
  int64_t atStart, math, load;

  bool areDivided() const { return math != load; }
  /// Whether ptxas takes products of so many columns with the registers that
  /// threads start with: it wants a place for their sums and a few more.
  bool areEnoughFor(int64_t columns) const {
    constexpr int64_t others = 26;
    return atStart >= others + columns / 2;
  }

  /// Of so many warps that compute, in blocks of which a processor holds so
  /// many. Who takes turns in walking through a grid has more to count, unless
  /// the grid is known. Where those who compute are tight, the others have as
  /// few as they can do with.
  static RoleRegisters of(int64_t mathWarps, int64_t residents,
                          bool takesTurns = false, bool isTight = false) {
    constexpr int64_t perProcessor = 65536, lanes = 32;
    constexpr int64_t most = 255, mostGiven = 240;
    int64_t threads = (mathWarps + loadWarps) * lanes;
    int64_t equal = perProcessor / (threads * residents) / 8 * 8;
    if (equal >= mostGiven)
      return {most, most, most};
    // What the division at the start leaves over cannot be asked for later: a
    // role that did would wait for ever.
    int64_t load = residents > 1 || isTight ? 24 : takesTurns ? 56 : 40;
    auto leftBy = [&](int64_t load) {
      int64_t left = equal * threads - loadWarps * lanes * load;
      return std::min(left / (mathWarps * lanes) / 8 * 8, mostGiven);
    };
    // What division leaves over does not help those who compute.
    int64_t math = leftBy(load);
    while (load + 8 <= equal && leftBy(load + 8) == math)
      load += 8;
    return {equal, math, load};
  }
};

} // namespace fuse

#endif // FUSE_LAYOUT_ROLEREGISTERS_H
