//===- Nest.cpp - a kernel as a loop nest of tiles ------------------------===//
//
// Tile sizes.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Nest.h"

using namespace mlir;
using namespace fuse;

int64_t TileSizes::sizeOf(const IndexVar &var) const {
  auto known = sizes.find(key(var));
  if (known != sizes.end())
    return known->second;
  if (!var.size.isNumber())
    return byDefault;
  return std::max<int64_t>(1, std::min(byDefault, var.size.getNumber()));
}
