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

} // namespace fuse

#endif // FUSE_COMPILER_LARGESTACK_H
