//===- FuseToLinalg.cpp - the reference lowering --------------------------===//
//
// The pass, and the loop nest that its patterns build.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuse/Conversion/Passes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

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

struct ConvertFuseToLinalgPass final
    : fuse::impl::ConvertFuseToLinalgBase<ConvertFuseToLinalgPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    populateContractionPatterns(patterns);
    populateMovePatterns(patterns);
    patterns.add<ConvertSplat>(&getContext());

    ConversionTarget target(getContext());
    target.addIllegalDialect<FuseDialect>();
    target.addDynamicallyLegalOp<arith::ConstantOp>(
        [](arith::ConstantOp op) { return !isPlainSplat(op); });
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    // What our attributes tell, they tell tools, about graphs.
    getOperation()->walk([](FunctionOpInterface function) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i) {
        function.removeArgAttr(i, "fuse.name");
        function.removeArgAttr(i, "fuse.fill");
      }
    });
  }
};

} // namespace
