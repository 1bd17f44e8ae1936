//===- HostPlan.cpp - which kernels run on which buffers ------------------===//
//
// What sizes make of it; how long buffers live, and so where they lie.
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

static RuntimeError badInput(std::string message) {
  return RuntimeError(ErrorCode::BadInput, std::move(message));
}

Result<std::vector<int64_t>>
fuse::evaluateShape(std::span<const SizeExpression> shape,
                    const SizeBindings &bindings) {
  Result<std::vector<int64_t>> sizes = evaluateAll(shape, bindings);
  if (sizes && std::ranges::any_of(*sizes, [](int64_t s) { return s < 0; }))
    return badInput("a tensor would have the shape " + formatShape(*sizes));
  return sizes;
}

Status fuse::addLaunch(HostPlan &plan, PlanLaunch launch) {
  std::optional<int64_t> numBlocks = launch.numBlocks();
  if (!numBlocks ||
      std::ranges::any_of(launch.grid, [](int64_t e) { return e < 0; }))
    return badInput("a grid of " + formatShape(launch.grid) +
                    " cannot be launched");
  auto inputs = std::span(launch.buffers)
                    .first(launch.buffers.size() - launch.numOutputs);
  auto outputs = std::span(launch.buffers).subspan(inputs.size());
  bool isEmpty = *numBlocks == 0;
  // The parts of sums of no columns have rows, but nobody reads them.
  for (size_t number : isEmpty ? outputs : inputs) {
    PlanBuffer &buffer = plan.buffers[number];
    bool hasElements = std::ranges::find(buffer.shape, 0) == buffer.shape.end();
    if (isEmpty && buffer.kind == PlanBuffer::Kind::Intermediate)
      buffer.isUnwritten = hasElements;
    else if (isEmpty ? hasElements : buffer.isUnwritten)
      return badInput("no blocks would run to write an output of shape " +
                      formatShape(buffer.shape));
  }
  plan.launches.push_back(std::move(launch));
  return Status::success();
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
