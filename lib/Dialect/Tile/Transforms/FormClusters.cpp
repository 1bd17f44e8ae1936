//===- FormClusters.cpp - neighbouring blocks copy for each other ---------===//
//
// Blocks next to each other in the grid read the same rows of one factor, or
// the same columns. In a cluster each of them brings a share of that to all,
// so that the second cache is read less.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/Collect.h"
#include "fuse/Dialect/Tile/Analysis/Places.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuse {
#define GEN_PASS_DEF_FORMCLUSTERS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static constexpr StringLiteral clusterName = "tile.cluster";

/// The numbers by which blocks of a cluster differ.
static SmallVector<Value> placeInCluster(KernelOp kernel,
                                         ArrayRef<int64_t> sizes) {
  SmallVector<Value> place;
  for (auto [at, size] : llvm::zip_equal(kernel.getPlace(), sizes))
    if (size != 1)
      place.push_back(at);
  return place;
}

/// Why blocks do not copy for each other; empty if they can.
static std::string whyNoCopies(KernelOp kernel, ArrayRef<int64_t> sizes) {
  if (!fillsProcessor(kernel) || kernel->hasAttr("tile.order"))
    return "only blocks that multiply by warpgroups and have a processor each, "
           "in any order, copy for each other";
  // Chunks of a split loop have, but their blocks are in clusters of their own.
  if (!areEqualBlocks(kernel, placeInCluster(kernel, sizes)))
    return "blocks have unequally much to do";
  return std::string();
}

/// Marks what all blocks of a cluster load; false if there is nothing.
static bool markLoads(KernelOp kernel, ArrayRef<int64_t> sizes) {
  PlaceUses uses(placeInCluster(kernel, sizes));
  bool isAny = false;
  kernel.walk([&](LoadOp load) {
    if (!isa<scf::ForOp>(load->getParentOp()) ||
        uses.reaches(load.getIndices()))
      return;
    load->setAttr("tile.multicast", UnitAttr::get(kernel.getContext()));
    isAny = true;
  });
  return isAny;
}

namespace {

struct FormClustersPass final : fuse::impl::FormClustersBase<FormClustersPass> {
  using FormClustersBase::FormClustersBase;

  void runOnOperation() final {
    KernelOp kernel = getOperation();
    auto asked = kernel->getAttrOfType<DenseI64ArrayAttr>(clusterName);
    // They form one already, whatever they copy.
    if (collects(kernel))
      return;
    if (!asked || blocksOfCluster(kernel) == 1) {
      kernel->removeAttr(clusterName);
      return;
    }
    std::string why =
        hasEngine ? whyNoClusters(kernel, asked)
                  : "the code for this chip copies by threads, each block for "
                    "itself";
    if (why.empty())
      why = whyNoCopies(kernel, asked);
    if (why.empty() && !markLoads(kernel, asked))
      why = "they load nothing that is the same";
    if (why.empty())
      return;
    kernel->removeAttr(clusterName);
    kernel.emitRemark("has no clusters: ") << why;
  }
};

} // namespace
