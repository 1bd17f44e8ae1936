//===- ZeroSigns.h - whether anybody sees which zero it is ------*- C++ -*-===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_ZEROSIGNS_H
#define FUSE_DIALECT_TILE_ANALYSIS_ZEROSIGNS_H

#include "mlir/IR/Value.h"

namespace fuse::tile {

/// Whether a result may depend on the sign of those elements of `value` that
/// are zeros. What is stored or carried does.
bool seesSignOfZero(mlir::Value value);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_ZEROSIGNS_H
