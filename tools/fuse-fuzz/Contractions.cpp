//===- Contractions.cpp - random reductions and products ------------------===//
//
// The ops that sum: what they give grows with the number of terms, and in an
// exact graph no sum on the way may be more than its type holds.
//
//===----------------------------------------------------------------------===//

#include "GraphWriter.h"
#include <cmath>

using namespace mlir;
using namespace fuse;

Value GraphWriter::reduce(CombineKind kind, Value x, ArrayRef<int64_t> dims) {
  Facts known = factsOf(x);
  double count = 1;
  for (int64_t dim : dims)
    count *= static_cast<double>(shapeOf(x)[dim]);
  bool isFloat = isa<FloatType>(elementOf(x));
  switch (kind) {
  case CombineKind::Sum:
    if (known.hasInfinity)
      return {};
    known.bound *= count;
    break;
  case CombineKind::Mean:
    if (known.hasInfinity || !isFloat || graph.isExact || count == 0)
      return {};
    break;
  case CombineKind::Prod:
    if (known.hasInfinity)
      return {};
    known.bound = std::pow(std::max(known.bound, 1.0), count);
    break;
  case CombineKind::Max:
  case CombineKind::Min:
    if (count == 0)
      known.bound = isFloat ? 0 : 0x1p63;
    known.hasInfinity |= count == 0 && isFloat;
    // The same bits whatever the order, so nothing is rounded.
    return keep(ReduceOp::create(builder, kind, x, dims), known);
  }
  return keepRounded(ReduceOp::create(builder, kind, x, dims), known);
}

bool GraphWriter::addReduction() {
  Value x = random.chance(15)
                ? pickValue([](Value value) { return isIntTensor(value); })
                : Value();
  if (!x)
    x = anyFloat(random.chance(95) ? 1 : 0);
  Shape dims;
  for (int64_t dim = 0; dim < rankOf(x); ++dim)
    if (random.chance(40))
      dims.push_back(dim);
  if (dims.empty() && rankOf(x) > 0 && random.chance(95))
    dims.push_back(random.below(rankOf(x)));
  auto kind = random.pick({CombineKind::Sum, CombineKind::Sum, CombineKind::Sum,
                           CombineKind::Max, CombineKind::Max, CombineKind::Min,
                           CombineKind::Prod, CombineKind::Mean});
  Value reduced = reduce(kind, x, dims);
  if (!reduced)
    return false;
  // Back to the shape it came from, and combined with it: what norms do.
  if (random.chance(45) && isFloatTensor(x))
    if (Value back = broadcastBack(reduced, dims, x))
      return addFloatBinary(x, back);
  return true;
}

Value GraphWriter::product(Value x, Value y, Type result) {
  int64_t rank = rankOf(x), depth = shapeOf(x)[rank - 1];
  Shape shape(shapeOf(x));
  shape[rank - 1] = shapeOf(y)[rank - 1];
  double work = static_cast<double>(depth);
  for (int64_t size : shape)
    work *= static_cast<double>(size);
  Facts known = factsOf(x);
  known.isPure &= factsOf(y).isPure;
  known.bound *= factsOf(y).bound * std::max<double>(1, depth);
  if (!isSmall(shape) || work > 2e5 || known.hasInfinity ||
      factsOf(y).hasInfinity)
    return {};
  return keepRounded(MatmulOp::create(builder,
                                      RankedTensorType::get(shape, result), x,
                                      y, Precision::Ieee),
                     known);
}

Value GraphWriter::weightFor(Value x, int64_t columns, bool isBatched) {
  Shape shape;
  int64_t rank = rankOf(x);
  if (isBatched)
    shape.assign(shapeOf(x).begin(), shapeOf(x).end() - 2);
  shape.push_back(shapeOf(x)[rank - 1]);
  shape.push_back(columns);
  if (!isSmall(shape))
    return {};
  return valueOf(elementOf(x), shape);
}

bool GraphWriter::addProduct() {
  Value x = anyFloat(2);
  Type element = elementOf(x);
  Type accumulator = element.isF64() || random.chance(5)
                         ? Type(builder.getF64Type())
                         : Type(builder.getF32Type());
  if (random.chance(6)) {
    // 8-bit floats are inputs of products, and of little else.
    x = newArgument(builder.getType<Float8E4M3FNType>(), shapeOf(x));
    element = elementOf(x);
    accumulator = builder.getF32Type();
  }
  int64_t columns = drawSize();
  if (random.chance(35)) {
    Value w = weightFor(x, columns, false);
    if (!w)
      return false;
    Value bias =
        random.chance(50) ? newArgument(accumulator, {columns}) : Value();
    Shape shape(shapeOf(x));
    double depth = static_cast<double>(shape.back());
    shape.back() = columns;
    Facts known = factsOf(x);
    known.isPure &= factsOf(w).isPure;
    known.bound = known.bound * factsOf(w).bound * std::max(1.0, depth) +
                  (bias ? factsOf(bias).bound : 0);
    if (!isSmall(shape) || known.hasInfinity || factsOf(w).hasInfinity)
      return false;
    return !!keepRounded(
        LinearOp::create(builder, RankedTensorType::get(shape, accumulator), x,
                         w, bias, Precision::Ieee),
        known);
  }
  // Now and then times itself, stored transposed.
  if (random.chance(15)) {
    Value y = swapLast(x);
    return random.chance(50) ? !!product(x, y, accumulator)
                             : !!product(y, x, accumulator);
  }
  Value w = weightFor(x, columns, true);
  if (!w)
    return false;
  Value y = product(x, w, accumulator);
  if (y && random.chance(40))
    if (Value narrow = castTo(y, element))
      return !!product(narrow,
                       newArgument(element,
                                   [&] {
                                     Shape shape(shapeOf(narrow));
                                     shape[rankOf(narrow) - 2] = shape.back();
                                     shape.back() = drawSize();
                                     return shape;
                                   }()),
                       accumulator);
  return !!y;
}
