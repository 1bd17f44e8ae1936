//===- CopyFactors.cpp - factors whose rows begin anywhere may be copied --===//
//
// The copy engine, and vectors, take rows that begin at multiples of 16 bytes.
// Where those of an argument do not, a product that reads it often is faster
// behind a copy of it whose rows do. Here only the chance is put in: whether
// the copy is stored is a question of cost like any other.
//
//===----------------------------------------------------------------------===//

#include "FusionRules.h"
#include "fuse/Analysis/RowPitch.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {
#define GEN_PASS_DEF_COPYFACTORS
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

static constexpr int64_t vectorBytes = 16;

static int64_t bytesOf(Value value, int64_t elements) {
  Type type = getElementTypeOrSelf(value.getType());
  return type.isIntOrFloat() ? elements * type.getIntOrFloatBitWidth() / 8 : 0;
}

/// What a view shows, if it shows one tensor.
static Value sourceOf(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isView(op) && op->getNumOperands() == 1 ? op->getOperand(0)
                                                       : Value();
}

/// Whether rows of memory that others see begin elsewhere than at multiples of
/// 16 bytes. Of what has no known rows nobody can tell.
static bool hasUnalignedRows(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getRank() >= 2 && type.getShape().back() > 1 &&
         !type.isDynamicDim(type.getRank() - 1) &&
         bytesOf(value, type.getShape().back()) % vectorBytes != 0 &&
         !isa_and_nonnull<arith::ConstantOp>(value.getDefiningOp()) &&
         !isSeenByKernelsOnly(value);
}

namespace {

struct CopyFactorsPass final : fuse::impl::CopyFactorsBase<CopyFactorsPass> {
  void runOnOperation() final {
    SmallVector<MatmulOp> products;
    getOperation()->walk([&](MatmulOp op) {
      // What a user has drawn stays as it is.
      if (!op->getParentOfType<KernelOp>())
        products.push_back(op);
    });
    for (MatmulOp product : products)
      for (OpOperand &factor : product->getOpOperands())
        if (Value copy = copied(factor.get()))
          factor.set(copy);
  }

private:
  /// The same views of a copy, or null if what they show needs none. A slice is
  /// copied, not what it is of.
  Value copied(Value value) {
    if (auto known = copies.find(value); known != copies.end())
      return known->second;
    Value result;
    Value source = sourceOf(value);
    auto slice = value.getDefiningOp<SliceOp>();
    if (!source || slice) {
      if (slice ? beginsWithinVectors(slice) : hasUnalignedRows(value))
        result = makeCopy(value);
    } else if (Value inner = copied(source)) {
      OpBuilder builder(value.getContext());
      builder.setInsertionPointAfterValue(inner);
      Operation *view = builder.clone(*value.getDefiningOp());
      view->setOperand(0, inner);
      result = view->getResult(0);
    }
    return copies[value] = result;
  }

  static bool beginsWithinVectors(SliceOp slice) {
    if (slice.getStarts().empty() || slice.getSteps().back() != 1)
      return false;
    Value source = slice.getSource();
    while (Value inner = sourceOf(source))
      source = inner;
    return hasUnalignedRows(source) ||
           bytesOf(source, slice.getStarts().back()) % vectorBytes != 0;
  }

  static Value makeCopy(Value value) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    return CopyOp::create(builder, value.getLoc(), value);
  }

  llvm::DenseMap<Value, Value> copies;
};

} // namespace
