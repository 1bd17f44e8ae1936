//===- Warpgroups.cpp - kernels that multiply by four warps ---------------===//

#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"

using namespace mlir;
using namespace fuse::tile;

std::optional<fuse::Layout> fuse::tile::sumAsMatrix(RankedTensorType lhs,
                                                    RankedTensorType sum) {
  // Only one axis is contracted, and the batch is of one.
  int64_t rows = lhs.getNumElements() / lhs.getShape().back();
  return layoutOf(sum).getValue().reshape({rows, sum.getNumElements() / rows});
}

/// Whether `holds` for a product that four warps do together.
static bool hasProduct(KernelOp kernel, llvm::function_ref<bool(DotOp)> holds) {
  return kernel
      .walk([&](DotOp dot) {
        return dot.getAtom() == Atom::Wgmma && holds(dot)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool fuse::tile::multipliesByWarpgroups(KernelOp kernel) {
  return hasProduct(kernel, [](DotOp) { return true; });
}

bool fuse::tile::addsUpApart(KernelOp kernel) {
  return hasProduct(kernel, [](DotOp dot) {
    return dot.getLhs().getType().getElementTypeBitWidth() == 8;
  });
}

bool fuse::tile::fillsProcessor(KernelOp kernel) {
  // With four warps that multiply, each thread may have all that it can name.
  constexpr int64_t fewestWarps = 8;
  auto numberOf = [&](StringRef name, int64_t otherwise) {
    auto number = kernel->getAttrOfType<IntegerAttr>(name);
    return number ? number.getInt() : otherwise;
  };
  int64_t warps = numberOf("tile.warps", 0) * crewsOf(kernel);
  return multipliesByWarpgroups(kernel) && warps >= fewestWarps &&
         warps % 4 == 0 && numberOf("tile.roles", 2) != 1 &&
         numberOf("tile.residents", 1) == 1;
}

bool fuse::tile::hasFewBlocks(KernelOp kernel) {
  // An H200's. Clusters of more than two leave some of them out.
  constexpr int64_t processors = 132, forClusters = 120, pair = 2;
  auto blocks = kernel->getAttrOfType<IntegerAttr>("tile.blocks");
  return blocks &&
         blocks.getInt() <=
             (blocksOfCluster(kernel) > pair ? forClusters : processors);
}

bool fuse::tile::isAloneOnProcessor(KernelOp kernel) {
  return multipliesByWarpgroups(kernel) && hasFewBlocks(kernel);
}

int64_t fuse::tile::blocksOfCluster(KernelOp kernel) {
  int64_t blocks = 1;
  if (auto cluster = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.cluster"))
    for (int64_t size : cluster.asArrayRef())
      blocks *= size;
  return blocks;
}

int64_t fuse::tile::crewsOf(KernelOp kernel) {
  std::optional<int64_t> most;
  kernel.walk([&](RoleOp role) {
    most = std::max<int64_t>(most.value_or(1), role.getCrews());
  });
  auto asked = kernel->getAttrOfType<IntegerAttr>("tile.crews");
  return most.value_or(asked ? asked.getInt() : 1);
}

int64_t fuse::tile::blocksOfTile(KernelOp kernel) {
  auto share = kernel->getAttrOfType<IntegerAttr>("tile.share");
  return share ? share.getInt() : 1;
}

std::string fuse::tile::whyNoClusters(KernelOp kernel,
                                      ArrayRef<int64_t> sizes) {
  auto grid = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.grid");
  size_t rank = kernel.getGridRank();
  if (sizes.size() != rank)
    return "the grid has " + std::to_string(rank) + " dimensions, and not " +
           std::to_string(sizes.size());
  if (!grid)
    return "nobody knows how many blocks there are";
  if (grid.size() != static_cast<int64_t>(rank))
    return "the grid has " + std::to_string(rank) + " dimensions, but " +
           std::to_string(grid.size()) + " extents";
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size < 1)
      return "there are " + std::to_string(size) + " blocks in dimension " +
             std::to_string(dim) + " of one";
    if (grid[dim] % size != 0)
      return "dimension " + std::to_string(dim) + " of the grid is " +
             std::to_string(grid[dim]) + ", no multiple of " +
             std::to_string(size);
  }
  return std::string();
}

std::string fuse::tile::whyNoClusters(KernelOp kernel) {
  auto cluster = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.cluster");
  return cluster ? whyNoClusters(kernel, cluster) : std::string();
}

SmallVector<int64_t> fuse::tile::sharesOfGroups(const Layout &layout,
                                                unsigned axis) {
  constexpr size_t groupBits = 2;
  SmallVector<int64_t> shares;
  int64_t ofGroups = 0, ofOthers = 0;
  for (Place place : {Place::Register, Place::Lane, Place::Warp})
    for (auto [bit, basis] : llvm::enumerate(layout.bases(place))) {
      int64_t moved = layout.tile().unpack(basis)[axis];
      bool isOfGroup = place == Place::Warp && bit >= groupBits;
      (isOfGroup ? ofGroups : ofOthers) |= moved;
      if (isOfGroup)
        shares.push_back(moved);
    }
  if (ofGroups == 0 || (ofGroups & ofOthers) != 0)
    shares.clear();
  return shares;
}
