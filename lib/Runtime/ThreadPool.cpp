//===- ThreadPool.cpp - a fixed number of threads that share work ---------===//
//
// Parts are handed out in order by a counter, so that a thread that is slow,
// or has difficult parts, takes fewer of them.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/ThreadPool.h"
#include "fuse/Runtime/File.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <pthread.h>

using namespace fuse;

/// Whether this thread is running a part, of whichever pool.
static thread_local bool isWorking = false;

namespace {

/// One call of parallelFor.
struct Job {
  int64_t begin = 0, end = 0, grain = 1;
  const ThreadPool::Work *work = nullptr;
};

struct Worker {
  void *state = nullptr; ///< The pool's; its type is private.
  unsigned number = 0;
  pthread_t thread{};
};

} // namespace

struct ThreadPool::State {
  // One caller at a time.
  std::mutex callers;

  // Guards what follows, but for the counter.
  std::mutex mutex;
  std::condition_variable started, finished;
  Job job;
  uint64_t numJobs = 0;
  // Whether threads may still join the job, and how many have. Who wakes up
  // when all parts are taken goes back to sleep: nobody waits for that.
  bool isOpen = false;
  unsigned numBusy = 0;
  bool isOver = false;
  // The next part that nobody has taken.
  std::atomic<int64_t> next = 0;

  std::vector<Worker> workers;

  void runParts(const Job &job, unsigned thread);
  void serve(unsigned thread);
  static void *enter(void *worker);
  void stop();
};

void ThreadPool::State::runParts(const Job &job, unsigned thread) {
  isWorking = true;
  // Parts are counted, not elements: a counter of elements could overflow.
  int64_t size = job.end - job.begin;
  int64_t numParts = size / job.grain + (size % job.grain != 0);
  for (int64_t part; (part = next.fetch_add(1)) < numParts;) {
    int64_t begin = job.begin + part * job.grain;
    int64_t length = std::min(job.grain, job.end - begin);
    (*job.work)(begin, begin + length, thread);
  }
  isWorking = false;
}

void ThreadPool::State::serve(unsigned thread) {
  uint64_t numSeen = 0;
  for (;;) {
    Job current;
    {
      std::unique_lock lock(mutex);
      started.wait(lock,
                   [&] { return isOver || (isOpen && numJobs != numSeen); });
      if (isOver)
        return;
      numSeen = numJobs;
      current = job;
      ++numBusy;
    }
    runParts(current, thread);
    std::lock_guard lock(mutex);
    if (--numBusy == 0)
      finished.notify_one();
  }
}

void *ThreadPool::State::enter(void *argument) {
  auto *worker = static_cast<Worker *>(argument);
  static_cast<State *>(worker->state)->serve(worker->number);
  return nullptr;
}

void ThreadPool::State::stop() {
  {
    std::lock_guard lock(mutex);
    isOver = true;
  }
  started.notify_all();
  for (Worker &worker : workers)
    pthread_join(worker.thread, nullptr);
  workers.clear();
}

ThreadPool::ThreadPool(unsigned numThreads, std::unique_ptr<State> state)
    : threadCount(numThreads), state(std::move(state)) {}

ThreadPool::~ThreadPool() { state->stop(); }

Result<std::unique_ptr<ThreadPool>> ThreadPool::create(unsigned numThreads) {
  if (numThreads == 0 || numThreads > maxThreads)
    return RuntimeError(ErrorCode::BadUsage,
                        "a number of threads from 1 to " +
                            std::to_string(maxThreads) + " is needed, but " +
                            std::to_string(numThreads) + " was given");
  auto state = std::make_unique<State>();
  // The threads know their entries by address.
  state->workers.reserve(numThreads - 1);
  for (unsigned number = 1; number < numThreads; ++number) {
    Worker &worker = state->workers.emplace_back();
    worker.state = state.get();
    worker.number = number;
    // Not std::thread, which throws where there can be no more threads.
    int failed = pthread_create(&worker.thread, nullptr, State::enter, &worker);
    if (failed == 0)
      continue;
    state->workers.pop_back();
    state->stop();
    return RuntimeError(ErrorCode::Unsupported,
                        "thread " + std::to_string(number + 1) + " of " +
                            std::to_string(numThreads) +
                            " cannot be started: " + describeErrno(failed));
  }
  return std::unique_ptr<ThreadPool>(
      new ThreadPool(numThreads, std::move(state)));
}

Status ThreadPool::parallelFor(int64_t begin, int64_t end, int64_t grain,
                               const Work &work) {
  if (isWorking)
    return RuntimeError(ErrorCode::BadUsage,
                        "parallel work was asked for inside of parallel work");
  if (begin >= end)
    return Status::success();
  std::lock_guard turn(state->callers);
  Job job{begin, end, std::max<int64_t>(grain, 1), &work};
  state->next = 0;
  // Waking the others takes longer than a single part that nobody can share.
  bool isShared = threadCount > 1 && end - begin > job.grain;
  if (isShared) {
    {
      std::lock_guard lock(state->mutex);
      state->job = job;
      ++state->numJobs;
      state->isOpen = true;
    }
    state->started.notify_all();
  }
  state->runParts(job, /*thread=*/0);
  if (isShared) {
    std::unique_lock lock(state->mutex);
    state->isOpen = false;
    state->finished.wait(lock, [&] { return state->numBusy == 0; });
  }
  return Status::success();
}

Result<unsigned> fuse::defaultNumThreads() {
  const char *text = std::getenv("FUSE_NUM_THREADS");
  if (!text || !*text)
    return std::clamp(std::thread::hardware_concurrency(), 1u, maxThreads);
  unsigned number = 0;
  const char *end = text + std::strlen(text);
  auto [stop, failed] = std::from_chars(text, end, number);
  if (failed != std::errc() || stop != end || number == 0 ||
      number > maxThreads)
    return RuntimeError(ErrorCode::BadUsage,
                        "FUSE_NUM_THREADS is '" + std::string(text) +
                            "', but a number of threads from 1 to " +
                            std::to_string(maxThreads) + " is needed");
  return number;
}
