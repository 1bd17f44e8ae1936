//===- Placement.h - buffers that share memory ------------------*- C++ -*-===//
//
// Gives buffers that live for a while their places in one block of memory, so
// that two overlap only if they are never needed at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_PLACEMENT_H
#define FUSE_RUNTIME_PLACEMENT_H

#include "fuse/Runtime/Error.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace fuse {

struct Placement {
  size_t bytes = 0;
  /// The first and the last step that needs it. Nothing shares memory with what
  /// is needed from `firstUse` to `lastUse`, both included.
  size_t firstUse = 0, lastUse = 0;
  /// What placeBuffers finds out.
  size_t offset = 0;
};

/// Sets every offset: the largest buffer first, each at the lowest place that
/// is free for as long as it lives. Offsets and the result, which is the size
/// of all together, are multiples of `alignment`. Fails for what no address
/// counts.
Result<size_t> placeBuffers(std::span<Placement> buffers, size_t alignment);

} // namespace fuse

#endif // FUSE_RUNTIME_PLACEMENT_H
