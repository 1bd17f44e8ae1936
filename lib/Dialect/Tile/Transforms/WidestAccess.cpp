//===- WidestAccess.cpp - how widely a tile may be read or written --------===//

#include "WidestAccess.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

WidestAccess fuse::tile::widestAccess(ArrayRef<Operation *> memory,
                                      bool isFactor) {
  WidestAccess widest;
  int64_t bestWidth = 0, cut = 0;
  bool canAllBeCut = !memory.empty();
  for (Operation *op : memory) {
    MemoryAccess access = MemoryAccess::of(op);
    int64_t vector = isFactor ? access.vectorWidth() : access.raggedWidth();
    int64_t width = access.fastAxis() ? 2 * vector : 1;
    if (width > bestWidth) {
      widest.access = access;
      bestWidth = width;
      cut = access.cutWidth();
    }
    canAllBeCut &= access.cutWidth() != 0;
  }
  widest.vector = std::max<int64_t>(1, bestWidth / 2);
  constexpr int64_t wordBytes = 4;
  if (widest.access && (isFactor || canAllBeCut) &&
      widest.vector * elementBytes(widest.access->tile.getElementType()) <
          wordBytes)
    widest.cut = cut;
  return widest;
}
