//===- FuseComposites.cpp - verifiers of the composites -------------------===//
//
// What each composite accepts. What it means is in FuseExpansions.cpp.
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

LogicalResult ClampOp::verify() {
  // Written so that a NaN bound is refused as well.
  if (getLow() <= getHigh())
    return success();
  return emitOpError("needs min <= max, but got ")
         << getLowAttr() << " and " << getHighAttr();
}

LogicalResult SoftmaxOp::verify() {
  RankedTensorType source = getSource().getType();
  if (static_cast<int64_t>(getDim()) >= source.getRank())
    return emitOpError("normalises dimension ")
           << getDim() << " of a source of rank " << source.getRank();
  if (getMask() && getMask().getType().getShape() != source.getShape())
    return emitOpError("has a mask of type ")
           << getMask().getType() << " for a source of type " << source
           << ", but both need one shape";
  return success();
}

/// Checks a vector that belongs to the last dimension of `source`.
static LogicalResult verifyRowVector(Operation *op, StringRef name,
                                     RankedTensorType source, Value vector) {
  if (source.getRank() == 0)
    return op->emitOpError("needs a source with a last dimension, but got ")
           << source;
  auto needed = RankedTensorType::get(source.getShape().take_back(),
                                      source.getElementType());
  if (!vector || vector.getType() == needed)
    return success();
  return op->emitOpError("has a ")
         << name << " of type " << vector.getType() << ", but needs " << needed;
}

static LogicalResult verifyEps(Operation *op, APFloat eps, Type type) {
  double given = eps.convertToDouble();
  if (!eps.isFinite() || eps.isNegative())
    return op->emitOpError("needs a finite eps of at least 0, but got ")
           << given;
  // An eps that is there to keep a row of equal numbers from dividing by 0
  // must not become 0 itself.
  bool losesInfo = false;
  eps.convert(cast<FloatType>(type).getFloatSemantics(),
              APFloat::rmNearestTiesToEven, &losesInfo);
  if (given == 0.0 || (!eps.isZero() && eps.isFinite()))
    return success();
  return op->emitOpError("has eps ")
         << given << ", which " << type << " cannot represent";
}

LogicalResult LayerNormOp::verify() {
  if (getShift() && !getScale())
    return emitOpError("has a shift without a scale, but a shift needs one");
  if (failed(
          verifyEps(*this, getEps(), getSource().getType().getElementType())))
    return failure();
  RankedTensorType source = getSource().getType();
  if (failed(verifyRowVector(*this, "scale", source, getScale())))
    return failure();
  return verifyRowVector(*this, "shift", source, getShift());
}

LogicalResult RmsNormOp::verify() {
  if (failed(
          verifyEps(*this, getEps(), getSource().getType().getElementType())))
    return failure();
  return verifyRowVector(*this, "scale", getSource().getType(), getScale());
}

//===----------------------------------------------------------------------===//
// linear
//===----------------------------------------------------------------------===//

LogicalResult LinearOp::verify() {
  RankedTensorType source = getSource().getType(),
                   weight = getWeight().getType(),
                   result = getResult().getType();
  if (source.getRank() < 1 || weight.getRank() != 2)
    return emitOpError("needs a source of rank 1 or more and a weight of rank "
                       "2, but got ranks ")
           << source.getRank() << " and " << weight.getRank();
  if (failed(verifyProductTypes(*this, source.getElementType(),
                                weight.getElementType(),
                                result.getElementType(), getPrecision())))
    return failure();
  if (!mayBeEqual(source.getShape().back(), weight.getDimSize(0))) {
    InFlightDiagnostic diag = emitOpError("contracts ")
                              << countText(source.getShape().back(), "column")
                              << " of the source with "
                              << countText(weight.getDimSize(0), "row")
                              << " of the weight";
    diag.attachNote(getWeight().getLoc()) << "the weight comes from here";
    return diag;
  }
  SmallVector<int64_t> shape(source.getShape());
  shape.back() = weight.getDimSize(1);
  if (failed(verifyCompatibleShape(shape, result.getShape())))
    return emitOpError("gives ") << source.clone(shape, result.getElementType())
                                 << ", but the result is " << result;
  // The rows become one dimension.
  for (ArrayRef<int64_t> rows :
       {source.getShape().drop_back(), result.getShape().drop_back()})
    if (llvm::none_of(rows, ShapedType::isDynamic) && !checkedProduct(rows))
      return emitOpError("has more rows than 64 bits can count");
  if (!getBias())
    return success();
  RankedTensorType bias = getBias().getType();
  if (bias.getRank() != 1 || bias.getElementType() != result.getElementType() ||
      !mayBeEqual(bias.getDimSize(0), result.getShape().back()))
    return emitOpError("has a bias of type ")
           << bias << ", but needs "
           << RankedTensorType::get(result.getShape().take_back(),
                                    result.getElementType());
  return success();
}

void LinearOp::refineSizes() {
  RankedTensorType result = getResult().getType();
  SmallVector<int64_t> shape(result.getShape());
  ArrayRef<int64_t> source = getSource().getType().getShape();
  for (size_t dim = 0; dim + 1 < shape.size(); ++dim)
    shape[dim] = knownSize(shape[dim], source[dim]);
  shape.back() = knownSize(shape.back(), getWeight().getType().getDimSize(1));
  getResult().setType(result.clone(shape));
}

//===----------------------------------------------------------------------===//
// masks
//===----------------------------------------------------------------------===//

LogicalResult CausalMaskOp::verify() {
  RankedTensorType result = getResult().getType();
  if (result.getRank() < 2)
    return emitOpError("needs a result with queries and keys, of rank 2 or "
                       "more, but got ")
           << result;
  return verifySizes(*this, getSizes(), result.getNumDynamicDims());
}

void CausalMaskOp::refineSizes() { refineResultOf(*this); }

LogicalResult PaddingMaskOp::verify() {
  RankedTensorType count = getCount().getType(), result = getResult().getType();
  if (result.getRank() != count.getRank() + 1 ||
      failed(verifyCompatibleShape(result.getShape().drop_back(),
                                   count.getShape())))
    return emitOpError("needs a result with the dimensions of the count and "
                       "one more, but got ")
           << result << " for " << count;
  return verifySizes(*this, getSizes(),
                     countDynamic(result, {result.getRank() - 1}));
}

void PaddingMaskOp::refineSizes() {
  RankedTensorType result = getResult().getType();
  SmallVector<int64_t> shape(result.getShape());
  for (auto [dim, size] : llvm::enumerate(getCount().getType().getShape()))
    shape[dim] = knownSize(shape[dim], size);
  getSizesMutable().assign(
      takeConstantSizes(shape, {result.getRank() - 1}, getSizes()));
  getResult().setType(result.clone(shape));
}
