//===- LargeStack.cpp - work that recurses --------------------------------===//
//
// Not llvm::thread, which ends the process where there can be no more threads.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/LargeStack.h"
#include "fuse/Runtime/File.h"

#include <pthread.h>

using namespace fuse;

static constexpr size_t stackBytes = size_t(1) << 29;

Status fuse::runOnLargeStack(llvm::function_ref<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  auto enter = [](void *work) -> void * {
    (*static_cast<llvm::function_ref<void()> *>(work))();
    return nullptr;
  };
  pthread_t thread;
  int failed = pthread_create(&thread, &attributes, enter, &work);
  pthread_attr_destroy(&attributes);
  if (failed != 0)
    return RuntimeError(ErrorCode::Unsupported,
                        "a thread with a stack of 512 MiB, which compiling "
                        "needs, cannot be started: " +
                            describeErrno(failed));
  pthread_join(thread, nullptr);
  return Status::success();
}
