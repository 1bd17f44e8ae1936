//===- Children.h - judge graphs where a crash does no harm -----*- C++ -*-===//
//
// A compiler that crashes, or never ends, is as much a finding as one that is
// wrong. Graphs are judged in child processes: each takes many, since starting
// one costs more than a small graph does, and another takes its place when it
// dies.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_FUZZ_CHILDREN_H
#define FUSE_TOOLS_FUSE_FUZZ_CHILDREN_H

#include "Judge.h"
#include <chrono>

namespace fuse {

using Clock = std::chrono::steady_clock;

struct ChildrenOptions {
  unsigned numJobs = 1;
  /// The numbers from `first` on, `count` of them, until `end`.
  uint64_t first = 0, count = 0;
  Clock::time_point end = Clock::time_point::max();
  std::chrono::seconds timeLimit{60};
};

/// Judges one graph; see `judge` about the second argument.
using JudgeOne = llvm::function_ref<Judgement(
    uint64_t number, llvm::function_ref<void(llvm::StringRef)> announce)>;

/// Calls `judgeOne` for every number, in child processes, and `report` for what
/// comes of it, in this one.
void judgeInChildren(
    const ChildrenOptions &options, JudgeOne judgeOne,
    llvm::function_ref<void(uint64_t, const Judgement &)> report);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_FUZZ_CHILDREN_H
