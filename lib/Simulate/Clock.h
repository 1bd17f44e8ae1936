//===- Clock.h - what happened before what ----------------------*- C++ -*-===//
//
// Vector clocks. Everybody who does something counts the times at which others
// are told of it; a clock says how far those are whose past is known.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_CLOCK_H
#define FUSE_LIB_SIMULATE_CLOCK_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fuse::simulate {

/// When somebody did something. Times are counted from 1.
struct Moment {
  unsigned actor = 0;
  uint64_t time = 0;
};

class Clock {
public:
  void join(const Clock &other) {
    if (times.size() < other.times.size())
      times.resize(other.times.size());
    for (size_t actor = 0; actor < other.times.size(); ++actor)
      times[actor] = std::max(times[actor], other.times[actor]);
  }
  void advanceTo(Moment moment) {
    if (times.size() <= moment.actor)
      times.resize(moment.actor + 1);
    times[moment.actor] = std::max(times[moment.actor], moment.time);
  }
  uint64_t timeOf(unsigned actor) const {
    return actor < times.size() ? times[actor] : 0;
  }
  /// Whether it happened before.
  bool knows(Moment moment) const {
    return moment.time <= timeOf(moment.actor);
  }

private:
  std::vector<uint64_t> times;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_CLOCK_H
