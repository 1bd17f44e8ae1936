//===- StreamBlocks.cpp - neighbours read the larger matrix together ------===//
//
// Blocks begin one after the other, so what is read by neighbours comes from
// memory once, at the same time for all of them. What is read by blocks that
// are far from each other comes from memory for the first of them, and late for
// those that wait for the same: 384x5120 by 5120x2048 took 24.2 us in tiles of
// 64 x 128 while neighbours shared rows, and 16.2 since they share columns.
//
//===----------------------------------------------------------------------===//

#include "BlockTraffic.h"
#include "fuse/Dialect/Tile/Analysis/Places.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"

namespace fuse {
#define GEN_PASS_DEF_STREAMBLOCKS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Whether columns of a plane of the grid read the matrix that is to be gone
/// through once.
static bool areColumnsSlower(BlockTraffic traffic, int64_t rows,
                             int64_t columns) {
  // Whole tiles of matrices that are as large may be more.
  constexpr double asLarge = 1.25;
  double ofRows = static_cast<double>(rows) * traffic.byRow,
         ofColumns = static_cast<double>(columns) * traffic.byColumn;
  if (std::max(ofRows, ofColumns) < asLarge * std::min(ofRows, ofColumns))
    return traffic.byColumn > traffic.byRow;
  return ofColumns > ofRows;
}

namespace {

struct StreamBlocksPass final : fuse::impl::StreamBlocksBase<StreamBlocksPass> {
  using StreamBlocksBase::StreamBlocksBase;

  void runOnOperation() final {
    KernelOp kernel = getOperation();
    auto grid = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.grid");
    if (!grid || kernel.getWalks() || kernel->hasAttr("tile.order"))
      return;
    // Those who write kernels by hand are told of it where threads are made.
    if (static_cast<size_t>(grid.size()) != kernel.getPlace().size() ||
        !whyNoClusters(kernel).empty())
      return;
    BlockTraffic traffic = BlockTraffic::of(kernel);
    if (!traffic.isShared())
      return;
    // Of blocks that do not begin together the last ones find in the cache what
    // has room there: 360 of 192 x 64, of 1536x5120 by 5120x2880, took 82 us in
    // the order of rows, and 97 in that of columns; 232 of 64 x 192, of
    // 200x11008 by 11008x11008, 230 and 112.
    constexpr int64_t cacheBytes = 50 << 20;
    PlaceUses onColumn(kernel.getPlace().back());
    auto isOfColumns = [&](LoadOp load) {
      return onColumn.reaches(load.getIndices());
    };
    if (llvm::product_of(grid.asArrayRef()) > processors &&
        bytesReadInLoops(kernel, isOfColumns).value_or(0) <= cacheBytes)
      return;
    int64_t row = grid.size() - 2, column = grid.size() - 1;
    // A cluster reads as much as all of its blocks, and is one of fewer.
    SmallVector<int64_t> places(grid.asArrayRef());
    if (auto sizes = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.cluster"))
      for (auto [extent, size] : llvm::zip_equal(places, sizes.asArrayRef()))
        extent /= size;
    if (places[row] == 1 || places[column] == 1 ||
        !areColumnsSlower(traffic, places[row], places[column]))
      return;
    SmallVector<int64_t> slowest =
        llvm::to_vector(llvm::seq<int64_t>(grid.size() - 2));
    slowest.push_back(column);
    kernel->setAttr("tile.order",
                    OrderAttr::get(&getContext(), slowest, /*down=*/{}));
  }
};

} // namespace
