//===- WidestAccess.h - how widely a tile may be read or written *- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_WIDESTACCESS_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_WIDESTACCESS_H

#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"

namespace fuse::tile {

/// Of what goes between memory and a tile.
struct WidestAccess {
  /// That which moves the widest vectors, and how many elements these have.
  std::optional<MemoryAccess> access;
  int64_t vector = 1;
  /// How many elements loads get at a time by cutting them out of two chunks,
  /// where no vector has as many as a word holds; else 0. If it is no factor,
  /// only where all of them can do so.
  int64_t cut = 0;
};

/// `isFactor`: of a product, for which vectors are copied that count as a
/// whole.
WidestAccess widestAccess(llvm::ArrayRef<mlir::Operation *> memory,
                          bool isFactor);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_WIDESTACCESS_H
