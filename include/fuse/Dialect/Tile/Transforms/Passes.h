//===- Passes.h - passes on kernels over tiles ------------------*- C++ -*-===//
//
// Constructors of the passes in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_TRANSFORMS_PASSES_H
#define FUSE_DIALECT_TILE_TRANSFORMS_PASSES_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Pass/Pass.h"

namespace fuse {

#define GEN_PASS_DECL
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"

} // namespace fuse

#endif // FUSE_DIALECT_TILE_TRANSFORMS_PASSES_H
