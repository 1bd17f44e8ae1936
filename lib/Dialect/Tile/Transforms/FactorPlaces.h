//===- FactorPlaces.h - where factors of products are -----------*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_FACTORPLACES_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_FACTORPLACES_H

#include "DotAtoms.h"

namespace fuse::tile {

/// Whether a loop multiplies with the same left factor in all of its rounds,
/// which comes from memory.
bool hasSameLeft(DotOp dot);

/// The elements of the largest tile of floats that the loop around a dot
/// computes of no product, such as a bias of positions: it is there while
/// products go on.
int64_t elementsBesideProducts(DotOp dot);

/// Whether a factor can go to shared memory by a copy for each round of a loop.
bool isCopiedAhead(mlir::Value factor, DotOp dot);

/// Where a factor of a dot is to be: in registers if it is there already, can
/// be nowhere else, or is held there; else in shared memory, from where the dot
/// reads it bit by bit.
mlir::Attribute factorPlace(mlir::MLIRContext *context,
                            mlir::RankedTensorType type, const DotAtom &atom,
                            bool isLeft, bool isCopied, bool isHeld);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_FACTORPLACES_H
