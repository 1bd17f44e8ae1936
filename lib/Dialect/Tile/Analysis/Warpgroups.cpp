//===- Warpgroups.cpp - kernels that multiply by four warps ---------------===//

#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Dialect/Tile/Analysis/BoxCopy.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fuse::tile;

std::optional<fuse::Layout> fuse::tile::sumAsMatrix(RankedTensorType lhs,
                                                    RankedTensorType sum) {
  // Only one axis is contracted, and the batch is of one.
  int64_t rows = lhs.getNumElements() / lhs.getShape().back();
  return layoutOf(sum).getValue().reshape({rows, sum.getNumElements() / rows});
}

bool fuse::tile::readsAsynchronously(Operation *op) {
  auto dot = dyn_cast<DotOp>(op);
  return isa<DotIssueOp>(op) || (dot && dot.getAtom() == Atom::Wgmma);
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

/// An H200's.
static constexpr int64_t processors = 132;

std::optional<int64_t> fuse::tile::blocksForProcessor(KernelOp kernel) {
  auto blocks = kernel->getAttrOfType<IntegerAttr>("tile.blocks");
  if (!blocks)
    return std::nullopt;
  return llvm::divideCeil(blocks.getInt(), processors);
}

bool fuse::tile::hasFewBlocks(KernelOp kernel) {
  // Clusters of more than two leave some of them out.
  constexpr int64_t forClusters = 120, pair = 2;
  auto blocks = kernel->getAttrOfType<IntegerAttr>("tile.blocks");
  return blocks &&
         blocks.getInt() <=
             (blocksOfCluster(kernel) > pair ? forClusters : processors);
}

/// Where each processor has one block at most they release a slot as soon as
/// they have read it: 1024x2048 by 2048x2048 in 128 x 128 took 13.4 us by eight
/// warps and 12.9 by four, 1024x11008 by 11008x2048 64.8 and 61.0. What else is
/// read for each sum takes registers, or threads: 2048x1024 by 1024x1024 with a
/// residual took 9.7 and 10.0; nor pays that for short products, of which the
/// end is a large part: two layers of 2048x256-1024-256 took 9.9 and 10.7.
/// Blocks that copy for each other have eight.
bool fuse::tile::isForOneGroup(KernelOp kernel, int64_t sums) {
  constexpr int64_t fewest = 128 * 64, most = 128 * 128;
  if (sums < fewest || sums > most || !hasFewBlocks(kernel) ||
      blocksOfCluster(kernel) != 1 || blocksOfTile(kernel) != 1)
    return false;
  SmallVector<DotOp> dots;
  WalkResult others = kernel.walk([&](Operation *op) -> WalkResult {
    bool isExpected = !isa<ReduceOp, CollectOp>(op);
    if (auto dot = dyn_cast<DotOp>(op))
      dots.push_back(dot);
    if (auto load = dyn_cast<LoadOp>(op))
      isExpected = load->getParentOfType<scf::ForOp>()
                       ? isMadeOfBoxes(MemoryAccess::of(load))
                       : load.getType().getRank() < 2;
    return isExpected ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (others.wasInterrupted() || dots.size() != 1)
    return false;
  constexpr int64_t rows = 128, fewestTerms = 768;
  DotOp dot = dots.front();
  RankedTensorType lhs = dot.getLhs().getType();
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  std::optional<APInt> rounds = loop ? loop.getStaticTripCount() : std::nullopt;
  return rounds &&
         rounds->getSExtValue() * lhs.getShape().back() >= fewestTerms &&
         lhs.getElementTypeBitWidth() == 16 && dot.getType().getRank() == 2 &&
         dot.getType().getDimSize(0) == rows;
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
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (grid[dim] % size != 0)
      return "dimension " + std::to_string(dim) + " of the grid is " +
             std::to_string(grid[dim]) + ", no multiple of " +
             std::to_string(size);
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
