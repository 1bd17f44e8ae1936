//===- ForkGate.cpp - no fork while others compile ------------------------===//
//
// Not a lock for readers and writers: those that go on reading would keep a
// fork waiting for ever, and glibc's is not to be opened in a child.
//
//===----------------------------------------------------------------------===//

#include "ForkGate.h"

#include <condition_variable>
#include <mutex>
#include <new>

#include <pthread.h>

using namespace fuse;

namespace {

class ForkGate {
public:
  static ForkGate &get() {
    // Never freed: others may compile while a process ends.
    static ForkGate *gate = create();
    return *gate;
  }

  void enter() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !isForking; });
    ++numInside;
  }
  void leave() {
    std::lock_guard lock(mutex);
    if (--numInside == 0)
      changed.notify_all();
  }

private:
  static ForkGate *create() {
    auto *gate = new ForkGate;
    ::pthread_atfork([] { get().close(); }, [] { get().open(); },
                     [] { new (&get()) ForkGate; });
    return gate;
  }

  /// Leaves the mutex locked.
  void close() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !isForking; });
    isForking = true;
    changed.wait(lock, [&] { return numInside == 0; });
    lock.release();
  }
  void open() {
    isForking = false;
    mutex.unlock();
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  unsigned numInside = 0;
  bool isForking = false;
};

} // namespace

WithoutForks::WithoutForks() { ForkGate::get().enter(); }
WithoutForks::~WithoutForks() { ForkGate::get().leave(); }
