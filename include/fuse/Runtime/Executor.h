//===- Executor.h - run a plan on the threads of this machine ---*- C++ -*-===//
//
// Owns what a plan needs beside its inputs and outputs: threads, a workspace
// for each, and the memory of the intermediate results.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_EXECUTOR_H
#define FUSE_RUNTIME_EXECUTOR_H

#include "fuse/Runtime/HostPlan.h"
#include "fuse/Runtime/ThreadPool.h"

namespace fuse {

/// When a launch began, in seconds since its run did, and how long it took.
struct LaunchTime {
  double begin = 0, seconds = 0;
};

class Executor {
public:
  /// Takes a plan whose intermediates have been placed. Fails where there is
  /// not enough memory for it and for `outputBytes`, what the outputs will
  /// take. Several may have the same threads.
  static Result<std::unique_ptr<Executor>>
  create(HostPlan plan, std::shared_ptr<ThreadPool> pool, uint64_t outputBytes);

  const HostPlan &plan() const { return hostPlan; }
  unsigned numThreads() const { return pool->numThreads(); }

  /// Runs every launch once. The buffers have the types and shapes that the
  /// plan says. If `times` is given it is told of each launch.
  Status run(std::span<const HostBuffer *const> inputs,
             std::span<HostBuffer> outputs,
             std::vector<LaunchTime> *times = nullptr);
  /// The same on arrays that somebody else owns; outputs are aligned like
  /// HostBuffers.
  Status runOn(std::span<const void *const> inputs,
               std::span<void *const> outputs,
               std::vector<LaunchTime> *times = nullptr);

private:
  Executor(HostPlan plan, std::shared_ptr<ThreadPool> pool,
           HostBuffer intermediates, std::vector<HostBuffer> workspaces)
      : hostPlan(std::move(plan)), pool(std::move(pool)),
        intermediates(std::move(intermediates)),
        workspaces(std::move(workspaces)) {}

  Status launch(const PlanLaunch &launch,
                std::span<std::vector<int64_t>> descriptors);

  HostPlan hostPlan;
  std::shared_ptr<ThreadPool> pool;
  HostBuffer intermediates;
  std::vector<HostBuffer> workspaces;
};

/// The memref descriptor of a row-major array, as compiled code reads it.
std::vector<int64_t> describeMemRef(const void *data,
                                    std::span<const int64_t> shape);

} // namespace fuse

#endif // FUSE_RUNTIME_EXECUTOR_H
