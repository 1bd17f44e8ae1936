//===- RowPitches.cpp - gaps between rows that only kernels see -----------===//

#include "LaunchPlan.h"
#include "fuse/Analysis/RowPitch.h"

using namespace mlir;
using namespace fuse;

std::vector<SizeExpression> LaunchPlan::Buffer::shapeInMemory() const {
  std::vector<SizeExpression> whole = shape;
  if (pitch != 0)
    whole.back() = pitch;
  return whole;
}

void fuse::pitchRows(LaunchPlan &plan) {
  for (LaunchPlan::Buffer &buffer : plan.buffers) {
    if (buffer.kind != PlanBuffer::Kind::Intermediate ||
        buffer.shape.size() < 2)
      continue;
    // All distances have to be known when kernels are compiled.
    bool isKnown = llvm::all_of(
        ArrayRef(buffer.shape).drop_front(),
        [](const SizeExpression &size) { return size.constant().has_value(); });
    if (!isKnown)
      continue;
    int64_t row = *buffer.shape.back().constant();
    int64_t pitch = rowPitch(row, byteSize(buffer.type));
    if (pitch != row)
      buffer.pitch = pitch;
  }
}
