//===- Options.h - the command line of fuse-fuzz ----------------*- C++ -*-===//

#ifndef FUSE_TOOLS_FUSE_FUZZ_OPTIONS_H
#define FUSE_TOOLS_FUSE_FUZZ_OPTIONS_H

#include "Judge.h"

namespace fuse {

struct FuzzOptions {
  /// `count` graphs of `seed`, or the one with the number `only`.
  uint64_t seed = 0, count = 0, only = 0;
  bool isSingle = false;
  /// Whether graphs are printed, and none is run.
  bool isPrinted = false;
  /// After which no graph is begun; 0 if there is no such time.
  double minutes = 0;
  /// Processes next to each other, and how many seconds one has for a graph.
  unsigned jobs = 1, timeLimit = 0;
  /// Of how many ops a graph is, about.
  unsigned maxOps = 0;
  /// A folder for graphs that fail; empty if they are printed.
  std::string out;
  /// As in JudgeOptions.
  unsigned schedules = 0, optLevel = 0;
  std::string swapFrom, swapTo;
  std::optional<GpuChip> chip, simulated;
  ReferenceKind reference = ReferenceKind::Interpreted;
};

/// Parses the command line. On an error, which has then been printed, there are
/// no options.
std::optional<FuzzOptions> parseFuzzOptions(int argc, char **argv);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_FUZZ_OPTIONS_H
