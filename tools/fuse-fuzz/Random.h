//===- Random.h - random choices that are the same everywhere ---*- C++ -*-===//
//
// All choices about one graph come from one number. The standard library's
// distributions differ between implementations, so there are none here.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_FUZZ_RANDOM_H
#define FUSE_TOOLS_FUSE_FUZZ_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <initializer_list>

namespace fuse {

class Random {
public:
  /// Graph `number` of `seed`; neighbouring numbers share nothing.
  Random(uint64_t seed, uint64_t number)
      : state(mix(seed) ^ mix(~number * 0x2545f4914f6cdd1d)) {}

  uint64_t next() { return mix(state += 0x9e3779b97f4a7c15); }

  /// A number from 0 to `count` - 1.
  uint64_t below(uint64_t count) { return count ? next() % count : 0; }

  /// A number from `low` to `high`, both included.
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(below(high - low + 1));
  }

  bool chance(unsigned percent) { return below(100) < percent; }

  template <typename T> const T &pick(llvm::ArrayRef<T> list) {
    return list[below(list.size())];
  }
  template <typename T> T pick(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }

private:
  /// SplitMix64.
  static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  uint64_t state;
};

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_FUZZ_RANDOM_H
