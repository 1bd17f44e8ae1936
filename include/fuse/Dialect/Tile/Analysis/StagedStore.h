//===- StagedStore.h - tiles that the copy engine stores --------*- C++ -*-===//
//
// Registers that hold only few neighbours would write memory in bits and
// pieces. Instead a team of warps writes a piece of the tile to shared memory,
// in the order that the copy engine wants, which brings whole rows of it to
// memory. Which pieces there are follows from the layout: those that all lanes
// of a team fill.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_STAGEDSTORE_H
#define FUSE_DIALECT_TILE_ANALYSIS_STAGEDSTORE_H

#include "fuse/Dialect/Tile/Analysis/BoxCopy.h"

namespace fuse::tile {

/// A block has 16 barriers with numbers. Before those of teams are that of all
/// its warps and that of a role; or those of two crews, and of their turns.
inline constexpr unsigned firstCrewBarrier = 1, firstTeamBarrier = 2,
                          barriersOfCrews = 3,
                          mostTeams = 16 - firstTeamBarrier;

struct StagedStore {
  /// How the tile would lie in shared memory as a whole: pieces follow each
  /// other in it, each as the engine wants it.
  SharedLayout memory;
  /// How many elements of a thread follow each other there.
  unsigned width;
  /// A power of two.
  int64_t pieceElements;
  /// What the engine is told of a piece.
  BoxCopy box;
  /// The team of a warp has the number that the bits from this one on say.
  unsigned teamBit;
  unsigned numTeams;
  /// Where pieces begin in `memory` that the first team writes, in elements.
  llvm::SmallVector<int64_t> pieces;
};

/// Nothing if the engine cannot do it, or other teams would have to fill other
/// places of pieces.
std::optional<StagedStore> stagedStore(const MemoryAccess &access,
                                       const Layout &layout);

/// The teams of all staged stores of a kernel.
struct StoringTeams {
  unsigned most = 0;
  /// Whether those of one store are others than those of another, so that a
  /// warp of the one may come to the other's barriers too early.
  bool areMixed = false;
};
StoringTeams storingTeams(KernelOp kernel);

/// The shared memory that a store needs, if it is staged.
int64_t stagedBytes(StoreOp op);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_STAGEDSTORE_H
