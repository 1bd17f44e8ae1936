//===- SplitVectors.cpp - functions of a few elements at a time -----------===//
//
// A function takes dozens of steps, each with numbers of its own. If all of a
// thread's elements took one step at a time, there would not be registers
// enough; a few of them at a time still keep a processor busy.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace fuse {
#define GEN_PASS_DEF_SPLITVECTORS
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;

/// Of these there is an instruction, so nothing is gained.
static bool isShort(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::FmaOp>(op);
}

static VectorType splitType(Operation *op, int64_t elements) {
  bool isFunction = isa_and_present<math::MathDialect>(op->getDialect()) ||
                    isa<arith::DivFOp, arith::RemFOp>(op);
  if (!isFunction || isShort(op) || op->getNumResults() != 1)
    return {};
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!type || type.getRank() != 1 || type.isScalable() ||
      type.getDimSize(0) <= elements)
    return {};
  return type;
}

static VectorType partOf(Type type, int64_t count) {
  return VectorType::get(count, cast<VectorType>(type).getElementType());
}

static void split(Operation *op, VectorType type, int64_t elements) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  SmallVector<SmallVector<Value>> operands;
  for (Value operand : op->getOperands()) {
    SmallVector<Value> &own = operands.emplace_back();
    if (isa<VectorType>(operand.getType()))
      llvm::append_range(
          own, vector::ToElementsOp::create(b, loc, operand).getResults());
  }
  SmallVector<Value> results;
  for (int64_t first = 0; first < type.getDimSize(0); first += elements) {
    int64_t count = std::min(elements, type.getDimSize(0) - first);
    OperationState state(loc, op->getName());
    for (auto [operand, own] : llvm::zip_equal(op->getOperands(), operands)) {
      if (own.empty()) {
        state.operands.push_back(operand);
        continue;
      }
      auto part = partOf(operand.getType(), count);
      state.operands.push_back(vector::FromElementsOp::create(
          b, loc, part, ArrayRef(own).slice(first, count)));
    }
    state.addTypes(partOf(type, count));
    state.addAttributes(op->getAttrs());
    llvm::append_range(results, vector::ToElementsOp::create(
                                    b, loc, b.create(state)->getResult(0))
                                    .getResults());
  }
  op->getResult(0).replaceAllUsesWith(
      vector::FromElementsOp::create(b, loc, type, results));
  op->erase();
}

namespace {

struct SplitVectorsPass final : fuse::impl::SplitVectorsBase<SplitVectorsPass> {
  using SplitVectorsBase::SplitVectorsBase;

  void runOnOperation() final {
    SmallVector<std::pair<Operation *, VectorType>> found;
    getOperation()->walk([&](Operation *op) {
      if (VectorType type = splitType(op, elements))
        found.push_back({op, type});
    });
    for (auto [op, type] : found)
      split(op, type, elements);
  }
};

} // namespace
