//===- HostPlan.cpp - which kernels run on which buffers ------------------===//
//
// Where buffers lie. Finding the smallest arena is hard; taking the largest
// first is close to it, as what is small fits into the gaps.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/HostPlan.h"

#include <algorithm>
#include <limits>

using namespace fuse;

std::optional<int64_t> PlanLaunch::numBlocks() const {
  int64_t count = 1;
  for (int64_t extent : grid)
    if (extent <= 0)
      return 0;
  for (int64_t extent : grid) {
    if (count > std::numeric_limits<int64_t>::max() / extent)
      return std::nullopt;
    count *= extent;
  }
  return count;
}

static size_t alignedSize(size_t bytes) {
  constexpr size_t alignment = HostBuffer::alignment;
  return (bytes + alignment - 1) / alignment * alignment;
}

/// From the first launch that reads or writes a buffer to the last.
static void findLifetimes(HostPlan &plan) {
  for (PlanBuffer &buffer : plan.buffers)
    buffer.firstUse = std::numeric_limits<size_t>::max();
  for (size_t i = 0; i < plan.launches.size(); ++i)
    for (size_t number : plan.launches[i].buffers) {
      PlanBuffer &buffer = plan.buffers[number];
      buffer.firstUse = std::min(buffer.firstUse, i);
      buffer.lastUse = i;
    }
}

static bool liveTogether(const PlanBuffer &a, const PlanBuffer &b) {
  return a.firstUse <= b.lastUse && b.firstUse <= a.lastUse;
}

Status fuse::placeIntermediates(HostPlan &plan) {
  findLifetimes(plan);
  std::vector<PlanBuffer *> order;
  for (PlanBuffer &buffer : plan.buffers) {
    if (buffer.kind != PlanBuffer::Kind::Intermediate)
      continue;
    Result<size_t> bytes = requiredBytes(buffer.type, buffer.shape);
    if (!bytes)
      return bytes.takeError();
    buffer.bytes = *bytes;
    order.push_back(&buffer);
  }
  // By number where sizes are equal, so that plans are always the same.
  std::sort(order.begin(), order.end(),
            [](const PlanBuffer *a, const PlanBuffer *b) {
              return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
            });

  constexpr size_t limit = std::numeric_limits<ptrdiff_t>::max();
  plan.intermediateBytes = 0;
  std::vector<const PlanBuffer *> placed;
  for (PlanBuffer *buffer : order) {
    // `placed` is kept in the order of offsets: the first gap is the lowest.
    size_t offset = 0;
    for (const PlanBuffer *other : placed) {
      if (!liveTogether(*buffer, *other))
        continue;
      if (other->offset >= offset && other->offset - offset >= buffer->bytes)
        break;
      offset = std::max(offset, other->offset + alignedSize(other->bytes));
    }
    // Two numbers of at most `limit` do not overflow.
    if (offset > limit || alignedSize(buffer->bytes) > limit - offset)
      return RuntimeError(ErrorCode::Unsupported,
                          "the intermediate results need more than " +
                              formatBytes(limit) + ", the most there can be");
    buffer->offset = offset;
    plan.intermediateBytes =
        std::max(plan.intermediateBytes, offset + alignedSize(buffer->bytes));
    auto after = std::upper_bound(placed.begin(), placed.end(), buffer,
                                  [](const PlanBuffer *a, const PlanBuffer *b) {
                                    return a->offset < b->offset;
                                  });
    placed.insert(after, buffer);
  }
  return Status::success();
}
