//===- Places.h - what depends on where a block is --------------*- C++ -*-===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_PLACES_H
#define FUSE_DIALECT_TILE_ANALYSIS_PLACES_H

#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

/// Whether what `value` is computed from in its kernel includes one of
/// `places`, dimensions of its grid. What loops carry is not followed. `known`
/// keeps answers for the same `places`.
bool dependsOn(mlir::Value value, mlir::ValueRange places,
               llvm::SmallDenseMap<mlir::Value, bool> &known);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_PLACES_H
