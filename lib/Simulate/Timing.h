//===- Timing.h - when things happen ----------------------------*- C++ -*-===//
//
// All choices that a chip is free to make, made by a seed: small seeds go
// through the extremes, which find most mistakes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_TIMING_H
#define FUSE_LIB_SIMULATE_TIMING_H

#include <cstdint>
#include <limits>

namespace fuse::simulate {

class Timing {
public:
  explicit Timing(uint64_t seed)
      : copies(static_cast<Pace>(seed % 3)),
        products(static_cast<Pace>(seed / 3 % 2 ? (seed + 1) % 3 : seed % 3)),
        state(seed) {}

  /// One step has been done somewhere.
  void advance() { ++steps; }
  uint64_t now() const { return steps; }

  /// When a copy that is set off now will have arrived, unless somebody waits
  /// for it before.
  uint64_t arrival() {
    switch (copies) {
    case Pace::Late:
      return std::numeric_limits<uint64_t>::max();
    case Pace::Early:
      return steps;
    case Pace::Random:
      break;
    }
    return steps + below(64);
  }
  /// Whether a product reads its factors when it ends, not when it begins.
  bool readsLate() {
    return products == Pace::Late || (products == Pace::Random && below(2));
  }
  /// How many ops a role may do before it is another one's turn.
  uint64_t turn() { return uint64_t(1) << below(9); }
  /// A number from 0 to `count` - 1.
  uint64_t below(uint64_t count) {
    // SplitMix64.
    uint64_t x = state += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return (x ^ (x >> 31)) % count;
  }

private:
  enum class Pace : uint8_t { Late, Early, Random };
  Pace copies, products;
  uint64_t state, steps = 0;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_TIMING_H
