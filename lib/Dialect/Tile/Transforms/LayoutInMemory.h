//===- LayoutInMemory.h - how threads read and write tiles ------*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_LAYOUTINMEMORY_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_LAYOUTINMEMORY_H

#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Layout/Layout.h"

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

/// A layout in which threads side by side move what lies side by side, in
/// vectors of at most `mostVector` elements. `part`: the extents of what one
/// block has of the tile.
std::optional<Layout> layoutInMemory(llvm::ArrayRef<mlir::Operation *> memory,
                                     llvm::ArrayRef<int64_t> part,
                                     bool isFactor, int64_t mostVector,
                                     unsigned numWarps);

/// How many bytes that follow each other in memory a warp moves at a time.
int64_t bytesInRow(const Layout &layout, const MemoryAccess &access);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_LAYOUTINMEMORY_H
