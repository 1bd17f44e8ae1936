//===- Measure.h - how long programs take, and how alike they run -*- C++ -*-=//
//
// Timing on a GPU, and the search for races: runs that should give the same
// bits, and do not.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CUDA_MEASURE_H
#define FUSE_RUNTIME_CUDA_MEASURE_H

#include "fuse/Runtime/Cuda/Executor.h"

namespace fuse {

struct CudaBenchOptions {
  uint32_t samples = 50;
  /// Runs before the first sample. A card settles on its clock under load,
  /// which takes far longer than a few runs: say how many.
  uint32_t warmUps = 10;
  /// Sets of inputs and outputs are taken in turn, so that together they take
  /// this many times the L2 cache and no run finds its data there. 0: one set.
  double l2Multiple = 4;
  /// A sample is a CUDA graph of as many runs as take this long, since between
  /// two events there is time that is nobody's. 0, or a driver without graphs:
  /// one run, and no graph.
  double sampleSeconds = 4e-3;
  /// How long the device rests before each sample. Without a rest it comes to
  /// the clock at which it can go on for ever, which may be far below the one
  /// that it has for a short time.
  double restSeconds = 0;
  /// Whether a small kernel at both ends of the samples, with rests of the last
  /// sample, is to find out the clock.
  bool readsClock = false;
};

struct CudaBench {
  /// Of each sample: one run of the whole program.
  std::vector<double> seconds;
  /// How many runs, one after the other, a sample is.
  uint32_t runsPerSample = 1;
  /// Mean clock of a multiprocessor in Hz, where it was asked for and known.
  std::optional<double> clock;
  /// For each launch, one time for each sample, from runs of their own: events
  /// between kernels cost time. 0 where a launch has no blocks.
  std::vector<std::vector<double>> launchSeconds;
  /// How many sets of arguments took turns, and the bytes of one.
  uint32_t argumentSets = 0;
  uint64_t argumentBytes = 0;
};

Result<CudaBench> bench(CudaExecutor &executor,
                        std::span<const HostBuffer *const> inputs,
                        const CudaBenchOptions &options = {});

/// Where two runs differ first.
struct BitDifference {
  /// The number of the run, from 1; run 0 is what it is compared with.
  uint32_t run = 0;
  uint32_t output = 0;
  uint64_t element = 0;
  uint64_t expectedBits = 0, foundBits = 0;
  /// How many elements of that output differ in that run.
  uint64_t count = 0;

  /// "output 0 'y' of run 7 differs from that of run 0 in 3 elements, ...".
  std::string describe(const CudaExecutor &executor) const;
};

/// Runs once and then `runs` times more on the same inputs, with poisoned
/// outputs each time, and yields the first difference. The runs may be replays
/// of a CUDA graph that has recorded one.
Result<std::optional<BitDifference>>
repeatBits(CudaExecutor &executor, std::span<const HostBuffer *const> inputs,
           uint32_t runs, bool replaysGraph = false);

} // namespace fuse

#endif // FUSE_RUNTIME_CUDA_MEASURE_H
