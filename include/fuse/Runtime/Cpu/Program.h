//===- Program.h - an Image on this processor -------------------*- C++ -*-===//
//
// Code that was compiled before, put into memory and run on all threads. The
// counterpart of CudaProgram where there is no GPU.
//
//   image -- load --> CpuProgram -- bind(sizes) --> CpuExecutor -- run
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CPU_PROGRAM_H
#define FUSE_RUNTIME_CPU_PROGRAM_H

#include "fuse/Runtime/Executor.h"
#include "fuse/Runtime/Image.h"

#include <map>
#include <mutex>

namespace fuse {

class CpuExecutor;
class LoadedObject;

class CpuProgram : public std::enable_shared_from_this<CpuProgram> {
public:
  /// Takes the code for the highest level that this machine has. Several
  /// programs may have the same threads.
  static Result<std::shared_ptr<CpuProgram>>
  load(std::shared_ptr<const Image> image, std::shared_ptr<ThreadPool> pool);
  ~CpuProgram();

  const Image &image() const { return *programImage; }
  const CpuCode &code() const { return *cpuCode; }
  unsigned numThreads() const { return pool->numThreads(); }

  /// What runs the program on arguments of these sizes, which are checked, and
  /// the memory for it: what was bound for the same sizes, and is still there,
  /// or another one.
  Result<std::shared_ptr<CpuExecutor>> bind(const SizeBindings &bindings);

private:
  using Sizes = std::pair<std::vector<std::vector<int64_t>>, //
                          std::vector<int64_t>>;

  CpuProgram() = default;
  Result<HostPlan> makePlan(const SizeBindings &bindings) const;

  std::shared_ptr<const Image> programImage;
  std::shared_ptr<ThreadPool> pool;
  const CpuCode *cpuCode = nullptr;
  std::unique_ptr<LoadedObject> object;
  /// Of each launch.
  std::vector<KernelFunction> functions;

  std::mutex boundMutex;
  std::map<Sizes, std::weak_ptr<CpuExecutor>> bound;
};

/// A program for certain sizes.
class CpuExecutor {
public:
  CpuExecutor(std::shared_ptr<CpuProgram> program,
              std::unique_ptr<Executor> executor)
      : program(std::move(program)), executor(std::move(executor)) {}

  const HostPlan &plan() const { return executor->plan(); }
  /// Of intermediates, and of what each thread needs for itself.
  uint64_t workspaceBytes() const;

  /// Runs on arrays that have the types of the contract and the shapes that
  /// were bound, row-major; outputs are aligned to cpuOutputAlignment and share
  /// no memory with others. Callers take turns. If `times` is given it is told
  /// of each launch.
  Status run(std::span<const void *const> inputs,
             std::span<void *const> outputs,
             std::vector<LaunchTime> *times = nullptr);

private:
  /// Its code runs.
  std::shared_ptr<CpuProgram> program;
  std::unique_ptr<Executor> executor;
  std::mutex turns;
};

} // namespace fuse

#endif // FUSE_RUNTIME_CPU_PROGRAM_H
