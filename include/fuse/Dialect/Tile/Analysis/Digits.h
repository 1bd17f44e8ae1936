//===- Digits.h - how many digits of a tile are seen ------------*- C++ -*-===//
//
// Some instructions compute with fewer digits than an f32 has. They are used
// where nobody can tell.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_DIGITS_H
#define FUSE_DIALECT_TILE_ANALYSIS_DIGITS_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include <optional>

namespace fuse::tile {

/// How many binary digits are kept at most of all that is made of `tile`, if
/// these are floats of 16 bits or fewer, made by ops that make a small error of
/// their operands no larger than a small multiple of it. Nothing if not.
std::optional<unsigned> digitsIn16Bits(mlir::Value tile);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_DIGITS_H
