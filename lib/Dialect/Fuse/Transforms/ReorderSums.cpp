//===- ReorderSums.cpp - sum the same terms in another order --------------===//
//
// Moves the terms, not the sum: what is summed is taken apart into every nth
// term and put together again, which is a graph like any other.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/Transforms/Passes.h"

namespace fuse {
#define GEN_PASS_DEF_REORDERSUMS
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// Elements 0, stride, 2 * stride, ... along `dim`, then 1, 1 + stride, ...
static Value interleave(OpBuilder &builder, Location loc, Value value,
                        int64_t dim, int64_t stride) {
  auto type = cast<RankedTensorType>(value.getType());
  // With fewer terms there would be parts without any.
  stride = std::min(stride, type.getDimSize(dim));
  if (stride < 2)
    return value;
  SmallVector<int64_t> starts(type.getRank(), 0), steps(type.getRank(), 1);
  SmallVector<int64_t> stops(type.getRank(), SliceOp::kEnd);
  steps[dim] = stride;
  SmallVector<Value> parts;
  for (starts[dim] = 0; starts[dim] < stride; ++starts[dim])
    parts.push_back(SliceOp::create(builder, loc, value, starts, stops, steps));
  return ConcatOp::create(builder, loc, parts, dim);
}

namespace {

struct ReorderSumsPass final : fuse::impl::ReorderSumsBase<ReorderSumsPass> {
  using fuse::impl::ReorderSumsBase<ReorderSumsPass>::ReorderSumsBase;

  void runOnOperation() final {
    // The list is made first: what is put in is not to be looked at.
    SmallVector<Operation *> sums;
    getOperation().walk([&](Operation *op) {
      if (isa<MatmulOp, ReduceOp>(op))
        sums.push_back(op);
    });
    for (Operation *op : sums)
      reorder(op);
  }

private:
  void reorder(Operation *op) {
    auto apply = [&](OpOperand &operand, int64_t dim) {
      OpBuilder builder(op);
      // Of a size that is not known yet nobody knows how many parts it has.
      if (!cast<RankedTensorType>(operand.get().getType()).isDynamicDim(dim))
        operand.set(
            interleave(builder, op->getLoc(), operand.get(), dim, stride));
    };
    if (auto matmul = dyn_cast<MatmulOp>(op)) {
      int64_t rank = matmul.getLhs().getType().getRank();
      int64_t left = matmul.getLhs().getType().getDimSize(rank - 1);
      int64_t right = matmul.getRhs().getType().getDimSize(rank - 2);
      // Both or none.
      if (left != right)
        return;
      apply(matmul.getLhsMutable(), rank - 1);
      apply(matmul.getRhsMutable(), rank - 2);
      return;
    }
    auto reduce = cast<ReduceOp>(op);
    // Of the others any order gives the same.
    if (reduce.getKind() == CombineKind::Max ||
        reduce.getKind() == CombineKind::Min)
      return;
    for (int64_t dim : reduce.getDims())
      apply(reduce.getSourceMutable(), dim);
  }
};

} // namespace
