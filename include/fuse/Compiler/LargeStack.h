//===- LargeStack.h - work that recurses ------------------------*- C++ -*-===//
//
// MLIR's parser, printer and passes recurse with the depth of what they are
// given, and a caller's thread may have a small stack.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_LARGESTACK_H
#define FUSE_COMPILER_LARGESTACK_H

#include "fuse/Runtime/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuse {

/// Runs `work` on a thread with a stack of 512 MiB, and waits for it. Fails
/// where there can be no such thread.
Status runOnLargeStack(llvm::function_ref<void()> work);

/// Does `work` for every number below `count`, on as many threads as there are
/// processors for this process, of which the caller's is one and the others
/// have such stacks. Where there can be no more threads, fewer do it.
void forEachOnLargeStacks(size_t count, llvm::function_ref<void(size_t)> work);

} // namespace fuse

#endif // FUSE_COMPILER_LARGESTACK_H
