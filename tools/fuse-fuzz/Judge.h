//===- Judge.h - whether the roads agree on a graph -------------*- C++ -*-===//
//
// Runs one graph on the fused road and on the reference road, in this process,
// and compares.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_FUZZ_JUDGE_H
#define FUSE_TOOLS_FUSE_FUZZ_JUDGE_H

#include "Generator.h"
#include "fuse/Target/GpuChip.h"

namespace fuse {

enum class Verdict : uint8_t {
  Right,
  Refused,
  Wrong,
  Crashed,
  TimedOut,
  /// A device cannot be opened, so that no further graph can be judged.
  NoDevice
};

struct Judgement {
  Verdict verdict = Verdict::Right;
  /// What is wrong: a diagnostic, an element, a signal.
  std::string text;
  /// The schedules under which it is, if they were not chosen by the compiler:
  /// "kernel:schedule", one a line.
  std::string schedules;
  /// How many schedules were tried, and how many of them were refused.
  unsigned numSchedules = 0, numRefusedSchedules = 0;
  /// Whether the device stopped at it, which this process cannot use any more.
  bool hasLostDevice = false;
};

/// What the fused road is compared with. Compiling the reference takes longer
/// than all the rest.
enum class ReferenceKind {
  Interpreted,
  Compiled,
  /// The first, once it agrees with the second.
  Both
};

struct JudgeOptions {
  /// How many random schedules to try, and the seed from which they come.
  unsigned numSchedules = 0;
  uint64_t scheduleSeed = 0;
  /// As in a Judgement: the kernels' schedules, and no others.
  std::string schedules;
  /// How much LLVM optimises the kernels, from 0 to 3.
  unsigned optLevel = 0;
  ReferenceKind reference = ReferenceKind::Interpreted;
  /// The GPU to run on, which has to be there; none is the CPU.
  std::optional<GpuChip> chip;
  /// The GPU whose code is made, and whose kernels are simulated.
  std::optional<GpuChip> simulated;
  /// For tests: on the fused road every op of the first name is one of the
  /// second, or the end of the process if that is `abort`.
  std::string swapFrom, swapTo;
};

/// Tells `announce` the schedules that it is about to try: it may be the last
/// thing it does.
Judgement judge(const FuzzGraph &graph, const JudgeOptions &options,
                llvm::function_ref<void(llvm::StringRef)> announce);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_FUZZ_JUDGE_H
