//===- SharedMemory.cpp - what lies where in shared memory ----------------===//
//
// One buffer for all trips between registers, then one for each shared tile.
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// What threads tell each other when they reduce across warps: each thread
/// writes each of its results.
static int64_t reductionBytes(ReduceOp op) {
  RankedTensorType type = op.getSource().getType();
  auto reduction =
      layoutOf(type).getValue().reduction(toUnsigned(op.getDims()));
  if (reduction->warpMask == 0)
    return 0;
  return int64_t(reduction->groups.size()) * reduction->layout.numWarps() *
         numLanes * elementBytes(type.getElementType());
}

FailureOr<SharedMemory> SharedMemory::plan(KernelOp kernel) {
  SharedMemory memory;
  int64_t scratch = 0;
  SmallVector<Operation *> users;
  SmallVector<ConvertLayoutOp> tiles;
  WalkResult walked = kernel.walk([&](Operation *op) {
    int64_t bytes = 0;
    if (auto reduce = dyn_cast<ReduceOp>(op))
      bytes = reductionBytes(reduce);
    if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
      if (sharedLayoutOf(convert.getType())) {
        tiles.push_back(convert);
        return WalkResult::advance();
      }
      ConversionOptions options;
      options.elementBytes = elementBytes(convert.getType().getElementType());
      llvm::Expected<Conversion> conversion =
          planConversion(layoutOf(convert.getSource().getType()).getValue(),
                         layoutOf(convert.getType()).getValue(), options);
      if (!conversion) {
        op->emitOpError() << llvm::toString(conversion.takeError());
        return WalkResult::interrupt();
      }
      if (conversion->memory)
        bytes = conversion->memory->bytes;
      memory.conversions.insert({op, std::move(*conversion)});
    }
    if (bytes != 0) {
      memory.ranges[op] = {0, bytes};
      scratch = std::max(scratch, bytes);
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  int64_t next = llvm::alignTo(scratch, 128);
  for (ConvertLayoutOp op : tiles) {
    int64_t bytes = op.getType().getNumElements() *
                    elementBytes(op.getType().getElementType());
    memory.ranges[op] = {next, bytes};
    next = llvm::alignTo(next + bytes, 128);
  }
  memory.total = next;
  return memory;
}

void SharedMemory::collect(Operation *op,
                           SmallVectorImpl<SharedRange> &accesses) const {
  op->walk([&](Operation *inner) {
    if (SharedRange range = rangeOf(inner); range.bytes != 0)
      accesses.push_back(range);
    auto dot = dyn_cast<DotOp>(inner);
    if (!dot)
      return;
    for (Value factor : {dot.getLhs(), dot.getRhs()})
      if (sharedLayoutOf(factor.getType()))
        accesses.push_back(rangeOf(factor.getDefiningOp()));
  });
}

static bool overlapsAny(const SharedRange &range,
                        ArrayRef<SharedRange> others) {
  return llvm::any_of(
      others, [&](const SharedRange &other) { return range.overlaps(other); });
}

bool Hazards::needsBarrierBeforeWrite(const SharedRange &range) const {
  return overlapsAny(range, written) || overlapsAny(range, read);
}

bool Hazards::needsBarrierBeforeRead(const SharedRange &range) const {
  return overlapsAny(range, written);
}
