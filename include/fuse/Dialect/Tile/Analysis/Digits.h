//===- Digits.h - how many digits of a tile are seen ------------*- C++ -*-===//
//
// Some instructions compute with fewer digits than an f32 has. They are used
// where nobody can tell.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_DIGITS_H
#define FUSE_DIALECT_TILE_ANALYSIS_DIGITS_H

#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

/// Whether all that is made of `tile` are floats of 16 bits or fewer, by ops
/// that make a small error of their operands no larger than a small multiple of
/// it.
bool isRoundedTo16Bits(mlir::Value tile);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_DIGITS_H
