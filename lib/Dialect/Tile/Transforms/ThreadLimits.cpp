//===- ThreadLimits.cpp - what a thread may have of a tile ----------------===//
//
// A thread has code of its own for each element. For thousands it takes minutes
// to compile, if LLVM does not end before: a schedule by hand with 113100
// elements a thread was seen to end it.
//
//===----------------------------------------------------------------------===//

#include "ThreadLimits.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Layout/Atoms.h"
#include "fuse/Layout/RoleRegisters.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

LogicalResult fuse::tile::checkThreads(KernelOp kernel) {
  constexpr unsigned most = 1024;
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

void fuse::tile::limitResidents(KernelOp kernel, int64_t numWarps) {
  auto asked = kernel->getAttrOfType<IntegerAttr>("tile.residents");
  if (!asked)
    return;
  int64_t columns = 0;
  kernel.walk([&](DotOp dot) {
    if (dot.getAtom() != Atom::Wgmma)
      return;
    auto sum = sumAsMatrix(dot.getLhs().getType(), dot.getType());
    auto form = sum ? wgmmaFormOf(*sum) : std::nullopt;
    if (!form)
      return;
    bool isApart = dot.getPrecision() == Precision::Tf32x3 ||
                   dot.getLhs().getType().getElementTypeBitWidth() == 8;
    int64_t all = sum->tile().extents()[form->isTransposed ? 0 : 1];
    columns = std::max(columns, wgmmaColumns(all, isApart));
  });
  int64_t residents = asked.getInt();
  while (columns != 0 && residents > 1 &&
         !RoleRegisters::of(numWarps, residents).areEnoughFor(columns))
    --residents;
  kernel->setAttr("tile.residents",
                  Builder(kernel).getI64IntegerAttr(residents));
}

/// Lanes are along the last axis, as memory is.
bool fuse::tile::waitsForWarps(KernelOp kernel) {
  return kernel
      .walk([](ReduceOp reduce) {
        RankedTensorType tile = reduce.getSource().getType();
        if (llvm::is_contained(reduce.getDims(), tile.getRank() - 1))
          return WalkResult::advance();
        auto axes = toUnsigned(reduce.getDims());
        auto comesBack = [&](BroadcastOp other) {
          return other.getType().getShape() == tile.getShape() &&
                 llvm::equal(other.getNewAxes(), axes);
        };
        return llvm::any_of(reduce->getBlock()->getOps<BroadcastOp>(),
                            comesBack)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

int64_t fuse::tile::registersOf(RankedTensorType type) {
  LayoutAttr layout = layoutOf(type);
  if (!layout)
    return 0;
  constexpr int64_t registerBytes = 4;
  int64_t bytes = int64_t(layout.getValue().numRegisters()) *
                  elementBytes(type.getElementType());
  return llvm::divideCeil(bytes, registerBytes);
}
