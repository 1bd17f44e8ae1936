//===- HostPlan.cpp - which kernels run on which buffers ------------------===//
//
// How long buffers live, and so where they lie.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/HostPlan.h"
#include "fuse/Runtime/Placement.h"

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

Status fuse::placeIntermediates(HostPlan &plan) {
  findLifetimes(plan);
  std::vector<PlanBuffer *> intermediates;
  std::vector<Placement> placements;
  for (PlanBuffer &buffer : plan.buffers) {
    if (buffer.kind != PlanBuffer::Kind::Intermediate)
      continue;
    Result<size_t> bytes = requiredBytes(buffer.type, buffer.shape);
    if (!bytes)
      return bytes.takeError();
    buffer.bytes = *bytes;
    intermediates.push_back(&buffer);
    placements.push_back({*bytes, buffer.firstUse, buffer.lastUse});
  }
  Result<size_t> total = placeBuffers(placements, HostBuffer::alignment);
  if (!total)
    return total.takeError();
  for (size_t i = 0; i < intermediates.size(); ++i)
    intermediates[i]->offset = placements[i].offset;
  plan.intermediateBytes = *total;
  return Status::success();
}
