//===- ThreadPool.h - a fixed number of threads that share work -*- C++ -*-===//
//
// Runs the independent parts of a range on several threads. Which thread runs
// which part is not promised, so results are the same for any number of them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_THREADPOOL_H
#define FUSE_RUNTIME_THREADPOOL_H

#include "fuse/Runtime/Error.h"

#include <functional>
#include <memory>

namespace fuse {

/// More threads than any machine has processors are a mistake.
inline constexpr unsigned maxThreads = 1024;

/// How many threads to use when nobody says: what the environment variable
/// FUSE_NUM_THREADS holds, else as many as this process has processors.
Result<unsigned> defaultNumThreads();

class ThreadPool {
public:
  /// What runs a part, [begin, end), on the thread with the given number. It
  /// must not throw.
  using Work = std::function<void(int64_t begin, int64_t end, unsigned thread)>;

  /// `numThreads` from 1 to maxThreads; the caller's thread is one of them.
  static Result<std::unique_ptr<ThreadPool>> create(unsigned numThreads);
  /// Waits for the threads to end.
  ~ThreadPool();

  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned numThreads() const { return threadCount; }

  /// Cuts [begin, end) into parts of at most `grain` elements, runs each once,
  /// and returns when all are done. Two callers take turns. Fails, before
  /// anything runs, inside of `work`: no thread would be left to wait for.
  Status parallelFor(int64_t begin, int64_t end, int64_t grain,
                     const Work &work);

private:
  struct State;
  ThreadPool(unsigned numThreads, std::unique_ptr<State> state);

  unsigned threadCount;
  std::unique_ptr<State> state;
};

} // namespace fuse

#endif // FUSE_RUNTIME_THREADPOOL_H
