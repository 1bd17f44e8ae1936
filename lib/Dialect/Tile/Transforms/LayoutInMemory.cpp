//===- LayoutInMemory.cpp - how threads read and write tiles --------------===//

#include "LayoutInMemory.h"
#include "fuse/Layout/Atoms.h"

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
    int64_t vector = isFactor ? access.copyWidth() : access.raggedWidth();
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

std::optional<Layout> fuse::tile::layoutInMemory(ArrayRef<Operation *> memory,
                                                 ArrayRef<int64_t> part,
                                                 bool isFactor,
                                                 int64_t mostVector,
                                                 unsigned numWarps) {
  auto [best, vector, cut] = widestAccess(memory, isFactor);
  if (!best || part.empty())
    return std::nullopt;
  vector = std::min(vector, mostVector);
  int64_t numbers = llvm::product_of(part);
  int64_t perThread = numbers / (int64_t(numLanes) * numWarps);
  // A factor has to wait for what cannot be copied ahead, so that few
  // instructions should ask for it; and so they should for what is only
  // reduced: 1x50257 by 50257x3072 along k, four rows at a time, took 100 us
  // element by element, and 88 so.
  if (isFactor || perThread >= cut)
    vector = std::max(vector, cut);
  vector = std::min<int64_t>(vector, llvm::bit_floor(static_cast<uint64_t>(
                                         std::max<int64_t>(perThread, 1))));
  SmallVector<unsigned> order = best->order();
  // Warps first take whole rows, and share one where there are too few.
  int64_t rows = numbers / part[order.front()];
  unsigned fastWarps = std::clamp<int64_t>(
      numWarps /
          llvm::bit_floor(static_cast<uint64_t>(std::max<int64_t>(rows, 1))),
      1, numWarps);
  return blockedLayout(part, vector, order, numWarps, fastWarps);
}

int64_t fuse::tile::bytesInRow(const Layout &layout,
                               const MemoryAccess &access) {
  constexpr int64_t mostBytes = 16;
  int64_t bytes = elementBytes(access.tile.getElementType());
  std::optional<unsigned> fast = access.fastAxis();
  if (!fast)
    return bytes;
  int64_t run = std::min<int64_t>({layout.contiguity(*fast),
                                   std::max<int64_t>(1, mostBytes / bytes),
                                   access.copyWidth()});
  Layout::Bases bases = layout.bases();
  Coordinates next(layout.tile().rank(), 0);
  do {
    next[*fast] = static_cast<Coordinates::value_type>(run);
    run *= 2;
  } while (llvm::is_contained(bases.lane, next));
  return run / 2 * bytes;
}
