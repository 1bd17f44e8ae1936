//===- FusionRules.cpp - why an edge of a graph costs nothing -------------===//
//
// The table.
//
//===----------------------------------------------------------------------===//

#include "FusionRules.h"
#include "fuse/Analysis/Sizes.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;

/// A number of 64 bits that is made of sizes, those of arguments: a kernel can
/// have these among its inputs.
static bool isOfSizes(Value number) {
  Operation *op = number.getDefiningOp();
  if (auto dim = dyn_cast_or_null<tensor::DimOp>(op))
    return isa<BlockArgument>(dim.getSource()) && askedDimOf(dim);
  bool isWide = number.getType().isIndex() || number.getType().isInteger(64);
  return isWide &&
         (isa_and_nonnull<arith::ConstantOp>(op) ||
          (isa_and_nonnull<arith::IndexCastOp, arith::AddIOp, arith::SubIOp,
                           arith::MulIOp, arith::MaxSIOp, arith::MinSIOp>(op) &&
           llvm::all_of(op->getOperands(), isOfSizes)));
}

bool fuse::isView(Operation *op) {
  if (auto numbers = dyn_cast<tensor::FromElementsOp>(op))
    return numbers.getElements().size() == 1 &&
           isOfSizes(numbers.getElements()[0]);
  return isa<BroadcastOp, TransposeOp, SliceOp, ExpandOp, CollapseOp, IotaOp,
             tensor::CastOp, arith::ConstantOp>(op);
}

bool fuse::isReducing(Operation *op) { return isa<MatmulOp, ReduceOp>(op); }

bool fuse::isPointwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) || isa<CopyOp>(op);
}

static constexpr FusionRule kRules[] = {
    {"addressing",
     [](Operation *producer, Operation *) { return isView(producer); },
     "it only says where something is read"},
    {"copy",
     [](Operation *producer, Operation *) { return isa<CopyOp>(producer); },
     "what it is of is read as it lies"},
    {"seam",
     [](Operation *producer, Operation *) { return isa<ConcatOp>(producer); },
     "its seams are comparisons of an index, and most blocks have none"},
    {"lookup",
     [](Operation *producer, Operation *) { return isa<GatherOp>(producer); },
     "its rows are read where they are needed"},
    {"nested reduction",
     [](Operation *producer, Operation *consumer) {
       return isReducing(producer) && isReducing(consumer);
     },
     "its tile is made inside of the loop that reduces it"},
    {"epilogue",
     [](Operation *producer, Operation *consumer) {
       return isReducing(producer) && isPointwise(consumer);
     },
     "its tile is still there when the loop that made it ends"},
    {"prologue",
     [](Operation *producer, Operation *consumer) {
       return isPointwise(producer) && isReducing(consumer);
     },
     "it is computed on the way into the loop that reduces it"},
    {"pointwise", [](Operation *, Operation *) { return true; },
     "it is computed where it is used"},
};

ArrayRef<FusionRule> fuse::getFusionRules() { return kRules; }

const FusionRule &fuse::ruleFor(Operation *producer, Operation *consumer) {
  return *llvm::find_if(getFusionRules(), [&](const FusionRule &rule) {
    return rule.accepts(producer, consumer);
  });
}
