//===- ThreadLimits.cpp - what a thread may have of a tile ----------------===//
//
// A thread has code of its own for each element. For thousands it takes minutes
// to compile, if LLVM does not end before: a schedule by hand with 113100
// elements a thread was seen to end it.
//
//===----------------------------------------------------------------------===//

#include "ThreadLimits.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

LogicalResult fuse::tile::checkThreads(KernelOp kernel) {
  constexpr unsigned most = 16384;
  WalkResult walked = kernel.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (LayoutAttr layout = layoutOf(result.getType());
          layout && layout.getValue().numRegisters() > most) {
        op->emitOpError("leaves ")
            << layout.getValue().numRegisters() << " elements of "
            << getElementTypeOrSelf(result.getType())
            << " to each thread, but there may be at most " << most
            << "; smaller windows, or more warps, have fewer";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}
