//===- Warpgroups.h - kernels that multiply by four warps -------*- C++ -*-===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_WARPGROUPS_H
#define FUSE_DIALECT_TILE_ANALYSIS_WARPGROUPS_H

#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

/// The sum of a product that four warps do together as a matrix. Axes of rows
/// and of columns are one each, which is nothing where they cannot be merged.
std::optional<Layout> sumAsMatrix(mlir::RankedTensorType lhs,
                                  mlir::RankedTensorType sum);

/// Whether an op reads shared memory otherwise than threads do.
bool readsAsynchronously(mlir::Operation *op);

/// Whether there are products that four warps do together.
bool multipliesByWarpgroups(KernelOp kernel);

/// Whether sums of some of its products are kept apart for a while, as those of
/// numbers of 8 bits are: two pieces of them at a time are in registers, beside
/// all others.
bool addsUpApart(KernelOp kernel);

/// Whether a block of a kernel whose loading becomes a role of its own has a
/// processor for itself: so many warps divide all its registers, unless the
/// kernel says that several blocks share it.
bool fillsProcessor(KernelOp kernel);

/// How many blocks of a kernel come to a processor, if that is known.
std::optional<int64_t> blocksForProcessor(KernelOp kernel);

/// Whether there are no more blocks of a kernel than processors, or clusters
/// than fit on them.
bool hasFewBlocks(KernelOp kernel);

/// Whether that is so of one that multiplies by groups of warps, so that each
/// block has a processor to itself.
bool isAloneOnProcessor(KernelOp kernel);

/// Whether four warps are to have both halves of 128 rows of a kernel's only
/// product, of so many sums.
bool isForOneGroup(KernelOp kernel, int64_t sums);

/// How many neighbouring blocks of its grid form a cluster, which is 1 if there
/// are none.
int64_t blocksOfCluster(KernelOp kernel);

/// How many crews of warps a kernel is to have, which take turns; or has, where
/// there are roles.
int64_t crewsOf(KernelOp kernel);

/// How many blocks stand at each place of a kernel's grid, and hold its tiles
/// together. They are a cluster, too.
int64_t blocksOfTile(KernelOp kernel);

/// Why the blocks of a kernel cannot be clusters of `sizes`, by dimension of
/// its grid; empty if they can. Clusters that do not divide the grid would run
/// blocks that are not there, and leave out others.
std::string whyNoClusters(KernelOp kernel, llvm::ArrayRef<int64_t> sizes);
/// The same for those that the kernel says it has, if it says so.
std::string whyNoClusters(KernelOp kernel);

/// How far the bits of the number of a group of four warps move along an axis,
/// where each group has a part of it to itself; empty where they share it.
llvm::SmallVector<int64_t> sharesOfGroups(const Layout &layout, unsigned axis);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_WARPGROUPS_H
