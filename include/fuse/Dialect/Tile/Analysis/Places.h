//===- Places.h - what depends on where a block is --------------*- C++ -*-===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_PLACES_H
#define FUSE_DIALECT_TILE_ANALYSIS_PLACES_H

#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

/// What is computed from numbers that say where in the grid a block is.
class PlaceUses {
public:
  explicit PlaceUses(mlir::ValueRange place)
      : place(place.begin(), place.end()) {}

  /// Whether one of `values` is computed from one of the numbers.
  bool reaches(mlir::ValueRange values);

private:
  bool reaches(mlir::Value value);

  llvm::SmallVector<mlir::Value> place;
  llvm::SmallDenseMap<mlir::Value, bool> known;
};

/// Whether all blocks have equally much to do: else, if nobody knows which have
/// more, those that are done take what is left.
bool areEqualBlocks(KernelOp kernel);

/// The same of blocks that differ in some of their numbers only.
bool areEqualBlocks(KernelOp kernel, mlir::ValueRange place);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_PLACES_H
