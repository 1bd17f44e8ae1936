//===- FuseExpansions.cpp - what the composites mean ----------------------===//
//
// Each composite as the graph of plain ops that it is a word for. What is
// promised about NaN, infinities and empty rows is promised by these graphs;
// no later pass adds to it.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>

using namespace mlir;
using namespace fuse;

namespace {

/// Builds graphs at one location. Sizes come from tensors, so that everything
/// works for dynamic dimensions; what is static folds away while it is built.
class GraphBuilder : public ImplicitLocOpBuilder {
public:
  GraphBuilder(OpBuilder &builder, Operation *op)
      : ImplicitLocOpBuilder(op->getLoc(), builder) {}

  static RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }

  Value sizeOf(Value tensor, int64_t dim) {
    return createOrFold<tensor::DimOp>(tensor, dim);
  }

  /// Broadcasts `source` to the shape of `like`, its dimensions being `dims`.
  Value broadcast(Value source, ArrayRef<int64_t> dims, Value like) {
    RankedTensorType shape = typeOf(like);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < shape.getRank(); ++dim)
      if (shape.isDynamicDim(dim) && !llvm::is_contained(dims, dim))
        sizes.push_back(sizeOf(like, dim));
    return createOrFold<BroadcastOp>(
        shape.clone(typeOf(source).getElementType()), source, dims, sizes);
  }

  /// A row vector for every row of `like`.
  Value broadcastRow(Value vector, Value like) {
    return broadcast(vector, {typeOf(like).getRank() - 1}, like);
  }

  /// The number `value`, rounded to the element type, in the shape of `like`.
  Value number(double value, Value like) {
    return scalar(FloatAttr::get(typeOf(like).getElementType(), value), like);
  }

  Value scalar(TypedAttr value, Value like) {
    auto type = RankedTensorType::get({}, value.getType());
    Value constant = arith::ConstantOp::create(
        *this, type, DenseElementsAttr::get(type, ArrayRef<Attribute>(value)));
    return broadcast(constant, {}, like);
  }

  /// Reduces `source` along `dim` and puts the result back along it.
  Value reduceAndBroadcast(CombineKind kind, Value source, int64_t dim) {
    return broadcastAlong(reduce(kind, source, dim), dim, source);
  }

  Value reduce(CombineKind kind, Value source, int64_t dim) {
    return ReduceOp::create(*this, kind, source, ArrayRef<int64_t>{dim});
  }

  /// Repeats `source`, which has every dimension of `like` but `dim`.
  Value broadcastAlong(Value source, int64_t dim, Value like) {
    SmallVector<int64_t> dims;
    for (int64_t other = 0; other < typeOf(like).getRank(); ++other)
      if (other != dim)
        dims.push_back(other);
    return broadcast(source, dims, like);
  }

  Value add(Value a, Value b) { return arith::AddFOp::create(*this, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(*this, a, b); }
  Value mul(Value a, Value b) { return arith::MulFOp::create(*this, a, b); }
  Value div(Value a, Value b) { return arith::DivFOp::create(*this, a, b); }
  Value exp(Value x) { return math::ExpOp::create(*this, x); }
  Value isEqual(Value a, Value b) {
    return arith::CmpFOp::create(*this, arith::CmpFPredicate::OEQ, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(*this, condition, a, b);
  }

  /// 1 + exp(-x), the denominator of the logistic function.
  Value onePlusExpOfMinus(Value x) {
    return add(number(1.0, x), exp(arith::NegFOp::create(*this, x)));
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

Value ReluOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  Value x = getSource();
  return arith::MaximumFOp::create(b, x, b.number(0.0, x));
}

Value LeakyReluOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  Value x = getSource();
  Value isPositive =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, x, b.number(0.0, x));
  return b.select(isPositive, x,
                  b.mul(x, b.number(getAlpha().convertToDouble(), x)));
}

Value SigmoidOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  Value x = getSource();
  return b.div(b.number(1.0, x), b.onePlusExpOfMinus(x));
}

Value SiluOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  Value x = getSource();
  return b.div(x, b.onePlusExpOfMinus(x));
}

Value GeluOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  Value x = getSource(), bell;
  if (getForm() == GeluForm::Erf) {
    bell = math::ErfOp::create(b, b.mul(x, b.number(std::sqrt(0.5), x)));
  } else {
    Value cube = b.mul(b.mul(x, x), x);
    Value inner = b.add(x, b.mul(b.number(0.044715, x), cube));
    bell = math::TanhOp::create(
        b, b.mul(b.number(std::sqrt(2.0 / M_PI), x), inner));
  }
  return b.mul(b.mul(x, b.number(0.5, x)), b.add(b.number(1.0, x), bell));
}

Value ScaleOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  Value x = getSource();
  return b.mul(x, b.number(getFactor().convertToDouble(), x));
}

Value ClampOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  Value x = getSource();
  Value raised =
      arith::MaximumFOp::create(b, x, b.number(getLow().convertToDouble(), x));
  return arith::MinimumFOp::create(b, raised,
                                   b.number(getHigh().convertToDouble(), x));
}

//===----------------------------------------------------------------------===//
// Along rows
//===----------------------------------------------------------------------===//

/// The two selects are the promise about rows in which nothing is kept: their
/// maximum is -inf and their sum is 0, and neither may reach a division.
Value SoftmaxOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  Value x = getSource();
  int64_t dim = getDim();
  double infinity = std::numeric_limits<double>::infinity();
  if (getMask())
    x = b.select(getMask(), x, b.number(-infinity, x));
  Value max = b.reduce(CombineKind::Max, x, dim);
  Value isEmpty = b.isEqual(max, b.number(-infinity, max));
  Value shift = b.select(isEmpty, b.number(0.0, max), max);
  Value weights = b.exp(b.sub(x, b.broadcastAlong(shift, dim, x)));
  Value sum = b.reduce(CombineKind::Sum, weights, dim);
  Value divisor =
      b.select(b.isEqual(sum, b.number(0.0, sum)), b.number(1.0, sum), sum);
  return b.div(weights, b.broadcastAlong(divisor, dim, x));
}

/// x times 1 / sqrt(mean square + eps), `square` being what the mean is of.
static Value normalise(GraphBuilder &b, Value x, const APFloat &eps) {
  int64_t last = GraphBuilder::typeOf(x).getRank() - 1;
  Value meanSquare = b.reduce(CombineKind::Mean, b.mul(x, x), last);
  Value inverse = math::RsqrtOp::create(
      b, b.add(meanSquare, b.number(eps.convertToDouble(), meanSquare)));
  return b.mul(x, b.broadcastAlong(inverse, last, x));
}

Value LayerNormOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  Value x = getSource();
  int64_t last = GraphBuilder::typeOf(x).getRank() - 1;
  Value centred = b.sub(x, b.reduceAndBroadcast(CombineKind::Mean, x, last));
  Value y = normalise(b, centred, getEps());
  if (getScale())
    y = b.mul(y, b.broadcastRow(getScale(), y));
  if (getShift())
    y = b.add(y, b.broadcastRow(getShift(), y));
  return y;
}

Value RmsNormOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  Value y = normalise(b, getSource(), getEps());
  if (getScale())
    y = b.mul(y, b.broadcastRow(getScale(), y));
  return y;
}

//===----------------------------------------------------------------------===//
// linear
//===----------------------------------------------------------------------===//

/// All leading dimensions become the rows of one matrix, so that the product
/// is the same whatever their number is.
Value LinearOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  Value x = getSource();
  RankedTensorType source = getSource().getType(),
                   result = getResult().getType();
  int64_t leading = source.getRank() - 1;
  if (leading == 0)
    x = ExpandOp::create(b, x, 0, ArrayRef<int64_t>{1, source.getDimSize(0)},
                         ValueRange());
  else if (leading > 1)
    x = CollapseOp::create(b, x,
                           llvm::to_vector(llvm::seq<int64_t>(0, leading)));

  auto product = RankedTensorType::get(
      {GraphBuilder::typeOf(x).getDimSize(0), result.getShape().back()},
      result.getElementType());
  Value y = MatmulOp::create(b, product, x, getWeight(), getPrecision());
  if (leading == 0) {
    y = CollapseOp::create(b, y, ArrayRef<int64_t>{0, 1});
  } else if (leading > 1) {
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < leading; ++dim)
      if (result.isDynamicDim(dim))
        sizes.push_back(b.sizeOf(getSource(), dim));
    y = ExpandOp::create(b, y, 0, result.getShape().drop_back(), sizes);
  }
  if (y.getType() != result)
    y = tensor::CastOp::create(b, result, y);
  if (getBias())
    y = b.add(y, b.broadcastRow(getBias(), y));
  return y;
}

//===----------------------------------------------------------------------===//
// masks
//===----------------------------------------------------------------------===//

/// Positions are i64: a mask must be right however long a row is, and what is
/// known to be short is easily narrowed later.
Value CausalMaskOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  RankedTensorType type = getResult().getType();
  auto positions = type.clone(b.getI64Type());
  int64_t keys = type.getRank() - 1, queries = keys - 1;
  Value i = IotaOp::create(b, positions, queries, getSizes());
  Value j = IotaOp::create(b, positions, keys, getSizes());
  if (getCorner() == Corner::BottomRight) {
    Value distance =
        b.createOrFold<arith::SubIOp>(b.sizeOf(i, keys), b.sizeOf(i, queries));
    distance = b.createOrFold<arith::IndexCastOp>(b.getI64Type(), distance);
    Value offset = b.createOrFold<tensor::FromElementsOp>(
        RankedTensorType::get({}, b.getI64Type()), distance);
    i = arith::AddIOp::create(b, i, b.broadcast(offset, {}, i));
  }
  Value keep = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, j, i);
  if (!getWindow())
    return keep;
  Value window = b.scalar(b.getI64IntegerAttr(*getWindow()), i);
  Value first = arith::SubIOp::create(b, i, window);
  Value isNear = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, j, first);
  return arith::AndIOp::create(b, keep, isNear);
}

Value PaddingMaskOp::expandComposite(OpBuilder &builder) {
  GraphBuilder b(builder, *this);
  RankedTensorType type = getResult().getType();
  RankedTensorType count = getCount().getType();
  int64_t last = count.getRank();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < last; ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(b.sizeOf(getCount(), dim));
  llvm::append_range(sizes, getSizes());
  Value j = IotaOp::create(b, type.clone(b.getI64Type()), last, sizes);

  Value bound = getCount();
  if (count.getElementType().isIndex())
    bound = arith::IndexCastOp::create(b, count.clone(b.getI64Type()), bound);
  else if (!count.getElementType().isInteger(64))
    bound = arith::ExtSIOp::create(b, count.clone(b.getI64Type()), bound);
  bound = b.broadcastAlong(bound, last, j);
  auto predicate = getSide() == Side::Left ? arith::CmpIPredicate::sge
                                           : arith::CmpIPredicate::slt;
  return arith::CmpIOp::create(b, predicate, j, bound);
}
