//===- SharedPlaces.h - what lies where in shared memory --------*- C++ -*-===//
//
// Tiles and rings that are never needed at the same time may lie in the same
// place. Whoever writes there waits until all have read what was there before.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_SHAREDPLACES_H
#define FUSE_DIALECT_TILE_ANALYSIS_SHAREDPLACES_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuse::tile {

/// What a swizzle is counted from.
inline constexpr int64_t sharedAlignment = 1024;

/// The bytes of a tile in shared memory, without what aligns the next one.
int64_t sharedTileBytes(mlir::RankedTensorType type);

/// The bytes of tiles one behind the other, each aligned; and of a ring's slot,
/// which has room for the largest of its kinds.
int64_t sharedBytesOf(llvm::ArrayRef<mlir::RankedTensorType> tiles);
int64_t slotBytesOf(RingType ring);

/// Gives one buffer after the other a place, the lowest that is free as long as
/// the buffer is needed.
class SharedPlaces {
public:
  explicit SharedPlaces(KernelOp kernel);

  /// For a tile that threads write, from there to where it is read last.
  int64_t placeTile(ConvertLayoutOp op);
  /// For what other blocks write, while all are there.
  int64_t placeCollect(CollectOp op);
  /// For a ring, from the first copy to the last that is read.
  int64_t placeRing(RingOp op, int64_t bytes);
  /// For the ring that a loop is to get.
  int64_t placeRingOf(mlir::scf::ForOp loop, int64_t bytes);
  /// For what is needed all the time.
  int64_t placeAlways(int64_t bytes);

  /// What has been given places, from the beginning on.
  int64_t totalBytes() const { return total; }

private:
  /// From one op to another, both included, in the order of the program.
  struct Lifetime {
    unsigned begin, end;
    /// Roles run next to each other, whatever the order of the program says.
    mlir::Operation *role;

    bool overlaps(const Lifetime &other) const {
      return role != other.role || (begin <= other.end && other.begin <= end);
    }
  };
  struct Placed {
    int64_t offset, bytes;
    Lifetime life;
  };

  void number(mlir::Operation *op);
  Lifetime lifetimeOf(ConvertLayoutOp op) const;
  Lifetime always() const;
  int64_t place(int64_t bytes, const Lifetime &life);

  KernelOp kernel;
  /// Whether somebody copies ahead who knows nothing of tiles.
  bool copiesByRole;
  /// Where an op begins, and where what is in it ends.
  llvm::DenseMap<mlir::Operation *, unsigned> begins, ends;
  unsigned next = 0;
  llvm::SmallVector<Placed> places;
  int64_t total = 0;
};

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_SHAREDPLACES_H
