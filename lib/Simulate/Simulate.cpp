//===- Simulate.cpp - run kernels on the CPU, op by op --------------------===//
//
// The grid: cluster by cluster, of one block where there are none.
//
//===----------------------------------------------------------------------===//

#include "fuse/Simulate/Simulate.h"
#include "Cluster.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

/// Calls `function` with every place below `extents`, the last one running
/// fastest.
static LogicalResult
forEachPlace(ArrayRef<int64_t> extents,
             llvm::function_ref<LogicalResult(ArrayRef<int64_t>)> function) {
  if (llvm::is_contained(extents, 0))
    return success();
  SmallVector<int64_t> place(extents.size());
  while (true) {
    if (failed(function(place)))
      return failure();
    size_t dim = extents.size();
    while (dim > 0 && ++place[dim - 1] == extents[dim - 1])
      place[--dim] = 0;
    if (dim == 0)
      return success();
  }
}

/// Blocks that go through the places of the grid themselves: as many as there
/// are places at most, and fewer with most seeds.
static LogicalResult runWalkers(Simulation &simulation, ArrayRef<int64_t> grid,
                                uint64_t seed) {
  int64_t items = llvm::product_of(grid);
  int64_t fewer =
      items == 0 ? 0 : static_cast<int64_t>(seed) * (items / 3 + 1) % items;
  int64_t together = tile::blocksOfCluster(simulation.kernel);
  int64_t blocks = std::max((items - fewer) / together * together,
                            std::min(items, together));
  for (int64_t first = 0; first < blocks; first += together) {
    SmallVector<SmallVector<int64_t>> places;
    for (int64_t rank = 0; rank < together; ++rank) {
      auto &place =
          places.emplace_back(SmallVector<int64_t>{first + rank, blocks});
      llvm::append_range(place, grid);
    }
    if (failed(Cluster(simulation, places, first + 1).run()))
      return failure();
  }
  return success();
}

static LogicalResult runBlocks(Simulation &simulation, ArrayRef<int64_t> grid) {
  SmallVector<int64_t> sizes(grid.size(), 1), clusters(grid);
  if (auto given =
          simulation.kernel->getAttrOfType<DenseI64ArrayAttr>("tile.cluster"))
    sizes.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  for (auto [clusters, size] : llvm::zip_equal(clusters, sizes))
    clusters /= size;
  uint64_t number = 1;
  return forEachPlace(clusters, [&](ArrayRef<int64_t> cluster) {
    SmallVector<SmallVector<int64_t>> places;
    (void)forEachPlace(sizes, [&](ArrayRef<int64_t> own) {
      auto &place = places.emplace_back(own);
      for (auto [at, first, size] : llvm::zip_equal(place, cluster, sizes))
        at += first * size;
      return success();
    });
    LogicalResult result = Cluster(simulation, places, number).run();
    number += places.size();
    return result;
  });
}

/// Every dimension of the grid consists of whole clusters.
static LogicalResult checkClusters(tile::KernelOp kernel,
                                   ArrayRef<int64_t> grid) {
  auto sizes = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.cluster");
  if (!sizes)
    return success();
  if (sizes.size() != static_cast<int64_t>(grid.size()))
    return kernel.emitOpError("has clusters of ")
           << sizes.size() << " dimensions, but its grid has " << grid.size();
  for (auto [dim, size] : llvm::enumerate(sizes.asArrayRef()))
    if (size < 1 || grid[dim] % size != 0)
      return kernel.emitOpError("has clusters of ")
             << size << " blocks in dimension " << dim
             << " of its grid, which has " << grid[dim] << " there";
  return success();
}

LogicalResult fuse::simulateKernel(tile::KernelOp kernel,
                                   ArrayRef<int64_t> grid,
                                   ArrayRef<SimulatedMemory> memory,
                                   const SimulationOptions &options) {
  if (failed(checkClusters(kernel, grid)))
    return failure();
  // Whether somebody reads what no block was to write the plan has asked.
  if (llvm::is_contained(grid, 0))
    return success();
  Simulation simulation(kernel, memory, options);
  // What goes wrong says where, and how it is seen again.
  ScopedDiagnosticHandler handler(
      kernel.getContext(), [&](Diagnostic &diagnostic) {
        std::string block;
        llvm::raw_string_ostream stream(block);
        llvm::interleaveComma(simulation.place, stream);
        diagnostic.attachNote(kernel.getLoc())
            << "seen in block [" << block << "] of '" << kernel.getName()
            << "' with seed " << options.seed;
        return failure();
      });
  if (failed(kernel.getWalks() ? runWalkers(simulation, grid, options.seed)
                               : runBlocks(simulation, grid)))
    return failure();
  return simulation.checkWritten();
}
