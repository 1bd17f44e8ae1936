//===- Warpgroups.cpp - kernels that multiply by four warps ---------------===//

#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"

using namespace mlir;
using namespace fuse::tile;

bool fuse::tile::multipliesByWarpgroups(KernelOp kernel) {
  return kernel
      .walk([](DotOp dot) {
        return dot.getAtom() == Atom::Wgmma ? WalkResult::interrupt()
                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

bool fuse::tile::fillsProcessor(KernelOp kernel) {
  // With four warps that multiply, each thread may have all that it can name.
  constexpr int64_t fewestWarps = 8;
  auto numberOf = [&](StringRef name, int64_t otherwise) {
    auto number = kernel->getAttrOfType<IntegerAttr>(name);
    return number ? number.getInt() : otherwise;
  };
  int64_t warps = numberOf("tile.warps", 0);
  return multipliesByWarpgroups(kernel) && warps >= fewestWarps &&
         warps % 4 == 0 && numberOf("tile.roles", 2) != 1 &&
         numberOf("tile.residents", 1) == 1;
}
