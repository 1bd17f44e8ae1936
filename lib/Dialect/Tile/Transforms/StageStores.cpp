//===- StageStores.cpp - the copy engine stores tiles ---------------------===//
//
// Where threads hold only few neighbours, as after a product, each store would
// write bits of many rows. Whether the engine can take such a tile over is
// found out by its plan; here is only decided where that pays.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/StagedStore.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"

namespace fuse {
#define GEN_PASS_DEF_STAGESTORES
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// How many bytes of a thread follow each other in memory.
static int64_t runBytes(const MemoryAccess &access, const Layout &layout) {
  std::optional<unsigned> fast = access.fastAxis();
  int64_t bytes = elementBytes(access.tile.getElementType());
  if (!fast)
    return bytes;
  return bytes *
         std::min<int64_t>(access.vectorWidth(), layout.contiguity(*fast));
}

namespace {

struct StageStoresPass final : fuse::impl::StageStoresBase<StageStoresPass> {
  void runOnOperation() final {
    // A piece is written while the engine reads the one before.
    constexpr int64_t rooms = 2, wholeAccess = 16;
    // Where they multiply there is much to store at once.
    if (!multipliesByWarpgroups(getOperation()))
      return;
    getOperation().walk([&](StoreOp op) {
      LayoutAttr layout = layoutOf(op.getSource().getType());
      MemoryAccess access = MemoryAccess::of(op);
      if (!layout || runBytes(access, layout.getValue()) >= wholeAccess)
        return;
      if (auto store = stagedStore(access, layout.getValue()))
        op.setStaged(std::min<int64_t>(rooms, store->pieces.size()));
    });
  }
};

} // namespace
