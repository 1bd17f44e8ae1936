//===- LargeStack.cpp - work that recurses --------------------------------===//
//
// Not llvm::thread, which ends the process where there can be no more threads.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/LargeStack.h"
#include "fuse/Runtime/File.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Threading.h"

#include <atomic>
#include <pthread.h>

using namespace fuse;

static constexpr size_t stackBytes = size_t(1) << 29;

using Work = llvm::function_ref<void()>;

/// Starts a thread that does `work`, which has to be there until it is joined.
/// What went wrong, as errno has it, else 0.
static int start(pthread_t &thread, Work &work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  auto enter = [](void *work) -> void * {
    (*static_cast<Work *>(work))();
    return nullptr;
  };
  int failed = pthread_create(&thread, &attributes, enter, &work);
  pthread_attr_destroy(&attributes);
  return failed;
}

Status fuse::runOnLargeStack(Work work) {
  pthread_t thread;
  if (int failed = start(thread, work))
    return RuntimeError(ErrorCode::Unsupported,
                        "a thread with a stack of 512 MiB, which compiling "
                        "needs, cannot be started: " +
                            describeErrno(failed));
  pthread_join(thread, nullptr);
  return Status::success();
}

void fuse::forEachOnLargeStacks(size_t count,
                                llvm::function_ref<void(size_t)> work) {
  std::atomic<size_t> next = 0;
  auto takeAll = [&] {
    for (size_t number; (number = next++) < count;)
      work(number);
  };
  Work takes = takeAll;
  llvm::SmallVector<pthread_t> others;
  size_t most = std::min<size_t>(
      count, llvm::hardware_concurrency().compute_thread_count());
  while (others.size() + 1 < most) {
    pthread_t thread;
    if (start(thread, takes) != 0)
      break;
    others.push_back(thread);
  }
  takeAll();
  for (pthread_t thread : others)
    pthread_join(thread, nullptr);
}
