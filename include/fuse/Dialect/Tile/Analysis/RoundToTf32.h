//===- RoundToTf32.h - numbers that tensor cores multiply -------*- C++ -*-===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_ROUNDTOTF32_H
#define FUSE_DIALECT_TILE_ANALYSIS_ROUNDTOTF32_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse::tile {

/// A tile or a vector of f32 as `tile.round` makes it, by arithmetic on bits:
/// to nearest even with 10 bits of mantissa; infinities and NaNs stay.
mlir::Value roundToTf32(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_ROUNDTOTF32_H
