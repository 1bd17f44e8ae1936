//===- Collect.h - what blocks of a cluster write for each other *- C++ -*-===//
//
// Each block writes every share of what it has to where the block that collects
// it will read, in an order that suits both.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_COLLECT_H
#define FUSE_DIALECT_TILE_ANALYSIS_COLLECT_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Layout/SharedLayout.h"

namespace fuse::tile {

/// How the shares of one source are written and read.
struct CollectPlan {
  /// The layout of the source, whose axis is two: the number of the share, at
  /// `axis`, and the place in it.
  Layout source;
  unsigned axis;
  /// The same for whatever share; and where in memory its elements are.
  Layout share;
  SharedLayout memory;
  /// Of vectors, in elements.
  unsigned storeWidth, loadWidth;

  /// Registers whose elements follow each other in memory, all of one share:
  /// the part of its number that is the same in all threads.
  struct Store {
    llvm::SmallVector<unsigned, 4> registers;
    int64_t share;
    /// As in a VectorAccess.
    Bits offset;
  };
  llvm::SmallVector<Store> stores;
};

/// Nothing if `from` does not keep shares apart: registers that move from one
/// to another have to move nowhere else.
std::optional<CollectPlan> planCollect(const Layout &from, const Layout &to,
                                       unsigned axis, int64_t blocks,
                                       unsigned elementBytes);

/// The plan for one source of an op on placed tiles.
std::optional<CollectPlan> planCollect(CollectOp op, unsigned source);

/// Where in the buffer of an op the shares of a source begin, in bytes; and how
/// large that is.
int64_t collectOffset(CollectOp op, unsigned source);
int64_t collectBytes(CollectOp op);

/// Whether blocks of a kernel collect anything.
bool collects(KernelOp kernel);

/// Why blocks of a kernel cannot collect what they are to; empty if they can.
/// Those of a cluster have to be neighbours in the first dimension.
std::string whyNoCollecting(KernelOp kernel);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_COLLECT_H
