//===- BoxCopy.h - what the copy engine can copy ----------------*- C++ -*-===//
//
// The copy engine copies boxes of a tensor to shared memory, where it swizzles
// them; what lies outside of the tensor is 0. Whether this gives the tile that
// a load would give, in the layout that a ring wants, is found out here.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_BOXCOPY_H
#define FUSE_DIALECT_TILE_ANALYSIS_BOXCOPY_H

#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"

namespace fuse::tile {

struct BoxCopy {
  /// A dimension of the memory, or one of several into which it is divided.
  struct Dim {
    unsigned of;
    /// By how much it moves along that one.
    int64_t step;
    int64_t size;
    /// Which axis of the tile moves along it, if one does.
    std::optional<unsigned> axis;
    /// Where the engine is to see an end that comes before the memory's.
    std::optional<int64_t> end;

    /// The same where it has none of its own.
    int64_t seenSize() const { return end.value_or(size); }
    bool isPart(mlir::MemRefType memory) const {
      return size != memory.getDimSize(of);
    }
  };
  llvm::SmallVector<Dim> dims;
  /// The sizes of a box, by dimension.
  llvm::SmallVector<int64_t> extents;
  /// 0 if chunks stay where they are.
  unsigned swizzleBytes = 0;

  struct Box {
    /// Where it starts, from the indices of the access on, by dimension.
    llvm::SmallVector<int64_t> start;
    /// And from the start of the tile in shared memory on.
    int64_t offsetBytes = 0;
  };
  llvm::SmallVector<Box> boxes;
};

/// What there is of the last tile along an axis whose end lies inside of it, if
/// nobody uses what is behind the end: fewer boxes, or shorter ones. The engine
/// fetches what lies outside of a tensor, too, and slower than what does not.
struct BoxRest {
  /// It is this one where the limit is less than the tile's size.
  mlir::Value limit;
  int64_t size;
  /// Of its boxes.
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<BoxCopy::Box> boxes;

  /// By how many elements it has less than a whole tile.
  int64_t lessThan(const BoxCopy &whole) const;
};

/// Whether a tile is boxes of its memory, wherever it goes.
bool isMadeOfBoxes(const MemoryAccess &access);

/// Nothing if the engine cannot do it. What lies in shared memory is the tile,
/// or a part of it that begins at a multiple of its extents. With `shares`, as
/// many boxes as that divides.
std::optional<BoxCopy> boxCopy(const MemoryAccess &access,
                               const SharedLayout &shared, int64_t shares = 1);

/// The same for what a copy brings to a ring: if it is for all blocks of a
/// cluster each of them has its share.
std::optional<BoxCopy> boxCopy(CopyOp copy);

/// The rest of what `whole` brings to a ring. Nothing if there is none, or if
/// it is not known how large it is.
std::optional<BoxRest> boxRest(CopyOp copy, const BoxCopy &whole);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_BOXCOPY_H
