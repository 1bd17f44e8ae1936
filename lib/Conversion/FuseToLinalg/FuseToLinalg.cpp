//===- FuseToLinalg.cpp - the reference lowering --------------------------===//
//
// The pass, and the loop nest that its patterns build.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuse/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace fuse {
#define GEN_PASS_DEF_CONVERTFUSETOLINALG
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

Sizes fuse::sizesOf(OpBuilder &builder, Value tensor) {
  return tensor::getMixedSizes(builder, tensor.getLoc(), tensor);
}

Sizes fuse::mixSizes(OpBuilder &builder, RankedTensorType type,
                     ValueRange dynamic) {
  return getMixedValues(type.getShape(), dynamic, builder);
}

Value fuse::createFilled(OpBuilder &builder, Location loc,
                         ArrayRef<OpFoldResult> sizes, TypedAttr value) {
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, value.getType());
  Value scalar = arith::ConstantOp::create(builder, loc, value);
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

Value fuse::createMap(
    OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes,
    Type elementType, ValueRange inputs, ArrayRef<AffineMap> maps,
    function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, elementType);
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(builder.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  auto build = [&](OpBuilder &nested, Location at, ValueRange elements) {
    linalg::YieldOp::create(nested, at, body(nested, at, elements.drop_back()));
  };
  return linalg::GenericOp::create(builder, loc, empty.getType(), inputs, empty,
                                   allMaps, iterators, build)
      .getResult(0);
}

namespace {

/// Whether a constant repeats one number.
bool isPlainSplat(arith::ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  return type && !type.getEncoding() &&
         type.getElementType().isIntOrIndexOrFloat() &&
         isa<SplatElementsAttr>(op.getValue());
}

/// A constant that repeats one number is not worth its memory.
struct ConvertSplat final : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op,
                                PatternRewriter &rewriter) const final {
    if (!isPlainSplat(op))
      return rewriter.notifyMatchFailure(op, "not one repeated number");
    auto splat = cast<SplatElementsAttr>(op.getValue());
    auto sizes = mixSizes(rewriter, cast<RankedTensorType>(op.getType()), {});
    rewriter.replaceOp(
        op, createFilled(rewriter, op.getLoc(), sizes,
                         cast<TypedAttr>(splat.getSplatValue<Attribute>())));
    return success();
  }
};

/// Says what is wrong with an op of ours that no pattern has lowered.
LogicalResult checkIsLowered(Operation *op) {
  if (!isa_and_present<FuseDialect>(op->getDialect()))
    return success();
  if (isa<CompositeOpInterface>(op))
    return op->emitOpError("is a composite, which must be decomposed before it "
                           "is lowered");
  if (isa<KernelOp>(op))
    return op->emitOpError("must be dissolved before it is lowered");
  return op->emitOpError("cannot be lowered to linalg");
}

struct ConvertFuseToLinalgPass final
    : fuse::impl::ConvertFuseToLinalgBase<ConvertFuseToLinalgPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    populateContractionPatterns(patterns);
    populateMovePatterns(patterns);
    populatePointwisePatterns(patterns);
    patterns.add<ConvertSplat>(&getContext());

    // One walk, no dialect conversion: that one folds, and our folds are among
    // what is judged here. Its time also grows faster than the number of ops.
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    // A kernel comes before what stands in it.
    WalkResult walked = getOperation()->walk<WalkOrder::PreOrder>(
        [](Operation *op) { return WalkResult(checkIsLowered(op)); });
    if (walked.wasInterrupted())
      return signalPassFailure();
    // What our attributes tell, they tell tools, about graphs.
    getOperation()->walk([](FunctionOpInterface function) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i) {
        function.removeArgAttr(i, "fuse.name");
        function.removeArgAttr(i, "fuse.fill");
      }
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        function.removeResultAttr(
            i, StringAttr::get(function.getContext(), "fuse.name"));
    });
  }
};

} // namespace
