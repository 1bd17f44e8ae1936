//===- Combine.h - what two elements of a reduction give --------*- C++ -*-===//
//
// The op that a kind of reduction stands for, on scalars, vectors or tiles.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_COMBINE_H
#define FUSE_DIALECT_TILE_ANALYSIS_COMBINE_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse::tile {

mlir::Value combine(mlir::ImplicitLocOpBuilder &b, CombineKind kind,
                    mlir::Value lhs, mlir::Value rhs);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_COMBINE_H
