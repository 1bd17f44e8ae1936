//===- Program.h - an Image on this processor -------------------*- C++ -*-===//
//
// Code that was compiled before, put into memory and run on all threads. The
// counterpart of CudaProgram where there is no GPU.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CPU_PROGRAM_H
#define FUSE_RUNTIME_CPU_PROGRAM_H

#include "fuse/Runtime/Executor.h"
#include "fuse/Runtime/Image.h"

#include <mutex>

namespace fuse {

class LoadedObject;

class CpuProgram {
public:
  /// Takes the code for the highest level that this machine has, and memory
  /// for the intermediates. Several programs may have the same threads.
  static Result<std::unique_ptr<CpuProgram>>
  load(std::shared_ptr<const Image> image, std::shared_ptr<ThreadPool> pool);
  ~CpuProgram();

  const Image &image() const { return *programImage; }
  const CpuCode &code() const { return *cpuCode; }
  unsigned numThreads() const { return executor->numThreads(); }
  /// Of intermediates, and of what each thread needs for itself.
  uint64_t workspaceBytes() const;

  /// Runs on arrays that have the types and shapes of the contract, row-major;
  /// outputs are aligned to cpuOutputAlignment and share no memory with others.
  /// Callers take turns. If `times` is given it is told of each launch.
  Status run(std::span<const void *const> inputs,
             std::span<void *const> outputs,
             std::vector<LaunchTime> *times = nullptr);

private:
  CpuProgram() = default;

  std::shared_ptr<const Image> programImage;
  const CpuCode *cpuCode = nullptr;
  std::unique_ptr<LoadedObject> object;
  std::unique_ptr<Executor> executor;
  std::mutex turns;
};

} // namespace fuse

#endif // FUSE_RUNTIME_CPU_PROGRAM_H
