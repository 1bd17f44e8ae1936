//===- GraphCombine.h - how a graph's reductions combine --------*- C++ -*-===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_GRAPHCOMBINE_H
#define FUSE_DIALECT_TILE_ANALYSIS_GRAPHCOMBINE_H

#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

/// What a reduction of a graph does with tiles. A mean is a sum that somebody
/// divides.
inline CombineKind combineKindFor(fuse::CombineKind kind) {
  switch (kind) {
  case fuse::CombineKind::Sum:
  case fuse::CombineKind::Mean:
    return CombineKind::Sum;
  case fuse::CombineKind::Prod:
    return CombineKind::Prod;
  case fuse::CombineKind::Max:
    return CombineKind::Max;
  case fuse::CombineKind::Min:
    return CombineKind::Min;
  }
  llvm_unreachable("all kinds are above");
}

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_GRAPHCOMBINE_H
