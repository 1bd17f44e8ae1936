//===- Nest.cpp - a kernel as a loop nest of tiles ------------------------===//
//
// Tile sizes.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Nest.h"

using namespace mlir;
using namespace fuse;

TileSizes KernelNest::sizesOf(const Nest &nest) const {
  TileSizes own = sizes;
  if (!nest.isMerge)
    return own;
  // Two vectors for each thread of a warp.
  constexpr int64_t mostElements = 256, leastColumns = 32;
  int64_t elements = 1;
  for (const PartBuffer &part : parts) {
    int64_t each = 1;
    for (const IndexVar &var : part.axes)
      each *= own.sizeOf(var);
    elements = std::max(elements, each);
  }
  for (auto [place, var] : llvm::enumerate(nest.grid)) {
    bool isLast = place + 1 == nest.grid.size();
    int64_t window = own.sizeOf(var);
    while (elements > mostElements && window > (isLast ? leastColumns : 1)) {
      window = llvm::divideCeil(window, 2);
      elements = llvm::divideCeil(elements, 2);
    }
    own.set(var, window);
  }
  return own;
}

int64_t TileSizes::sizeOf(const IndexVar &var) const {
  auto known = sizes.find(key(var));
  if (known != sizes.end())
    return known->second;
  if (!var.size.isNumber())
    return byDefault;
  return std::max<int64_t>(1, std::min(byDefault, var.size.getNumber()));
}
