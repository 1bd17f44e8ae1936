//===- Placement.cpp - buffers that share memory --------------------------===//
//
// Finding the smallest arena is hard; taking the largest first is close to it,
// as what is small fits into the gaps.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Placement.h"
#include "fuse/Runtime/Buffer.h"

#include <algorithm>
#include <limits>
#include <vector>

using namespace fuse;

static bool liveTogether(const Placement &a, const Placement &b) {
  return a.firstUse <= b.lastUse && b.firstUse <= a.lastUse;
}

Result<size_t> fuse::placeBuffers(std::span<Placement> buffers,
                                  size_t alignment) {
  std::vector<Placement *> order;
  for (Placement &buffer : buffers)
    order.push_back(&buffer);
  // By number where sizes are equal, so that plans are always the same.
  std::sort(order.begin(), order.end(),
            [](const Placement *a, const Placement *b) {
              return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
            });

  constexpr size_t limit = std::numeric_limits<ptrdiff_t>::max();
  auto alignedSize = [&](size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  };
  size_t total = 0;
  std::vector<const Placement *> placed;
  for (Placement *buffer : order) {
    // `placed` is kept in the order of offsets: the first gap is the lowest.
    size_t offset = 0;
    for (const Placement *other : placed) {
      if (!liveTogether(*buffer, *other))
        continue;
      if (other->offset >= offset && other->offset - offset >= buffer->bytes)
        break;
      offset = std::max(offset, other->offset + alignedSize(other->bytes));
    }
    // Two numbers of at most `limit` do not overflow.
    if (buffer->bytes > limit || offset > limit ||
        alignedSize(buffer->bytes) > limit - offset)
      return RuntimeError(ErrorCode::Unsupported,
                          "the intermediate results need more than " +
                              formatBytes(limit) + ", the most there can be");
    buffer->offset = offset;
    total = std::max(total, offset + alignedSize(buffer->bytes));
    auto after = std::upper_bound(placed.begin(), placed.end(), buffer,
                                  [](const Placement *a, const Placement *b) {
                                    return a->offset < b->offset;
                                  });
    placed.insert(after, buffer);
  }
  return total;
}
