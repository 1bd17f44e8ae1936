//===- FactorPlaces.h - where factors of products are -----------*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_FACTORPLACES_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_FACTORPLACES_H

#include "DotAtoms.h"

namespace fuse::tile {

/// Where a factor of a dot is to be: in registers if it is there already, can
/// be nowhere else, or is held there; else in shared memory, from where the dot
/// reads it bit by bit.
mlir::Attribute factorPlace(mlir::MLIRContext *context,
                            mlir::RankedTensorType type, const DotAtom &atom,
                            bool isLeft, bool isCopied, bool isHeld);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_FACTORPLACES_H
