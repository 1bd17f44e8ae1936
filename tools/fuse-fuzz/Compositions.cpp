//===- Compositions.cpp - what models are made of -------------------------===//
//
// Attention, norms in front of products, softmaxes written by hand: single ops
// drawn at random would hardly ever make a cascade of reductions.
//
//===----------------------------------------------------------------------===//

#include "GraphWriter.h"
#include <cmath>

using namespace mlir;
using namespace fuse;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// Which elements of the last two dimensions are kept. Without a diagonal whole
/// rows may be masked.
Value GraphWriter::mask(ArrayRef<int64_t> shape, bool keepsDiagonal) {
  int64_t rank = shape.size();
  Type boolean = builder.getI1Type(), i32 = builder.getI32Type();
  auto type = RankedTensorType::get(shape, boolean);
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    return keep(arith::CmpIOp::create(builder, predicate, a, b), {});
  };
  uint64_t kind = keepsDiagonal ? random.below(2) : random.below(6);
  if (kind == 0) {
    IntegerAttr window;
    if (random.chance(40))
      window = builder.getI64IntegerAttr(random.between(1, 6));
    auto corner = keepsDiagonal || random.chance(50) ? Corner::TopLeft
                                                     : Corner::BottomRight;
    return keep(
        CausalMaskOp::create(builder, type, corner, window, ValueRange()), {});
  }
  if (kind == 5) {
    Shape rows(shape.drop_back());
    Value count =
        newArgument(i32, rows, FillKind::Integers, -1, shape.back() + 1.0);
    return keep(PaddingMaskOp::create(
                    builder, type, random.chance(50) ? Side::Left : Side::Right,
                    count, ValueRange()),
                {});
  }
  if (kind == 4)
    return newArgument(boolean, shape, FillKind::Integers, 0, 1);
  Value i = iota(i32, shape, rank - 2), j = iota(i32, shape, rank - 1);
  Value causal = compare(arith::CmpIPredicate::sle, j, i);
  if (kind == 1)
    return causal;
  // The first positions are padding, or what is farther than a window.
  bool isPerBatch = rank > 2 && random.chance(50);
  Value scalar = newArgument(
      i32, isPerBatch ? ArrayRef<int64_t>(shape[0]) : ArrayRef<int64_t>(),
      FillKind::Integers, -1, static_cast<double>(shape[rank - 1]));
  Value first =
      isPerBatch ? broadcast(scalar, {0}, shape) : broadcast(scalar, {}, shape);
  if (kind == 2) {
    Value end =
        keep(arith::AddIOp::create(builder, j, first), {64, 0, true, false});
    Value near = compare(arith::CmpIPredicate::sgt, end, i);
    return random.chance(50)
               ? keep(arith::AndIOp::create(builder, causal, near), {})
               : near;
  }
  Value key = compare(arith::CmpIPredicate::sge, j, first);
  Value query = compare(arith::CmpIPredicate::sge, i, first);
  Value real = keep(arith::AndIOp::create(builder, key, query), {});
  return keep(arith::AndIOp::create(builder, real, causal), {});
}

bool GraphWriter::addMaskedValue() {
  Value x = anyFloat(2);
  Value kept = mask(shapeOf(x), false);
  double other = random.chance(35) && !factsOf(x).hasInfinity ? -infinity
                 : random.chance(70)                          ? 0
                                                              : 2;
  Value fill = constant(elementOf(x), shapeOf(x), other);
  Facts known = factsOf(x);
  known.bound = std::max(known.bound, factsOf(fill).bound);
  known.hasInfinity |= other == -infinity;
  return !!keep(arith::SelectOp::create(builder, kept, x, fill), known);
}

Value GraphWriter::normalise(Value x) {
  // A row of one element, or of none, has no variance: what is left of it is
  // all rounding.
  int64_t size = shapeOf(x).back();
  if (size < 2 || factsOf(x).hasInfinity)
    return {};
  Facts known;
  known.bound = std::sqrt(static_cast<double>(size));
  Type element = elementOf(x);
  llvm::APFloat eps(random.chance(50) ? 1e-2 : 1e-1);
  Value scale = random.chance(60) ? newArgument(element, {size}) : Value();
  if (scale)
    known.bound *= factsOf(scale).bound;
  if (random.chance(50))
    return keepRounded(RmsNormOp::create(builder, x.getType(), x, scale, eps),
                       known);
  Value shift =
      scale && random.chance(60) ? newArgument(element, {size}) : Value();
  if (shift)
    known.bound += factsOf(shift).bound;
  return keepRounded(
      LayerNormOp::create(builder, x.getType(), x, scale, shift, eps), known);
}

Value GraphWriter::activate(Value x) {
  if (!addFloatUnary(x))
    return x;
  return values.back().getType() == x.getType() ? values.back() : x;
}

/// softmax(q @ k^T / sqrt(d) where mask) @ v
bool GraphWriter::addAttention() {
  Value q = anyFloat(2);
  Type element = elementOf(q);
  Type accumulator = element.isF64() ? element : Type(builder.getF32Type());
  Shape shape(shapeOf(q));
  int64_t rank = shape.size(), features = shape[rank - 1];
  shape[rank - 2] = random.chance(60) ? shape[rank - 2] : drawSize();
  if (!isSmall(shape))
    return false;
  Value k = valueOf(element, shape);
  shape[rank - 1] = random.chance(60) ? features : drawSize();
  if (!isSmall(shape))
    return false;
  Value v = valueOf(element, shape);
  Value scores = product(q, swapLast(k), accumulator);
  if (!scores)
    return false;
  if (random.chance(70)) {
    Facts known = factsOf(scores);
    double factor = 1 / std::sqrt(std::max<double>(1, features));
    known.bound *= factor;
    scores = keepRounded(ScaleOp::create(builder, scores.getType(), scores,
                                         llvm::APFloat(factor)),
                         known);
  }
  // The logits decide what a rounding of them does to the result.
  if (factsOf(scores).bound > 40)
    return true;
  Value kept = random.chance(65) ? mask(shapeOf(scores), false) : Value();
  if (kept && random.chance(50)) {
    Value never = constant(accumulator, shapeOf(scores), -infinity);
    scores = arith::SelectOp::create(builder, kept, scores, never);
    kept = {};
  }
  Value probs = keepRounded(
      SoftmaxOp::create(builder, scores.getType(), scores, rank - 1, kept), {});
  if (elementOf(probs) != element)
    probs = castTo(probs, element);
  Value o = probs ? product(probs, v, accumulator) : Value();
  if (o && elementOf(o) != element && random.chance(50))
    (void)castTo(o, element);
  return !!o;
}

/// activation(norm(x) @ w + b)
bool GraphWriter::addNormLinear() {
  Value x = anyFloat(2);
  Value normed = normalise(x);
  Value w = normed ? weightFor(normed, drawSize(), true) : Value();
  Type accumulator = elementOf(x).isF64() ? Type(builder.getF64Type())
                                          : Type(builder.getF32Type());
  Value y = w ? product(normed, w, accumulator) : Value();
  if (!y)
    return false;
  if (random.chance(60)) {
    Value bias = newArgument(accumulator, {shapeOf(y).back()});
    y = broadcast(bias, {rankOf(y) - 1}, shapeOf(y)) ? add(y, values.back())
                                                     : y;
  }
  return y && activate(y);
}

/// Products with something pointwise between them.
bool GraphWriter::addPerceptron() {
  Value x = anyFloat(2);
  Type element = elementOf(x);
  Type accumulator = element.isF64() ? element : Type(builder.getF32Type());
  for (unsigned layers = random.between(2, 3); layers; --layers) {
    Value w = weightFor(x, drawSize(), true);
    Value y = w ? product(x, w, accumulator) : Value();
    if (!y)
      return false;
    y = activate(y);
    x = elementOf(y) == element ? y : castTo(y, element);
    if (!x)
      return true;
  }
  return true;
}

/// exp(x - max) / sum, and what can be made of such weights.
bool GraphWriter::addSoftmaxByHand() {
  Value x = anyFloat(1);
  // Far from 0 the exponential of a 0 that nobody wrote is infinite.
  constexpr double far = 120;
  if (random.chance(30))
    x = newArgument(elementOf(x), shapeOf(x), FillKind::Uniform, -far, 1 - far);
  else if (factsOf(x).hasInfinity || factsOf(x).bound > 10)
    return false;
  Shape dims = {static_cast<int64_t>(random.below(rankOf(x)))};
  if (shapeOf(x)[dims[0]] == 0)
    return false;
  if (random.chance(30))
    return !!keepRounded(
        SoftmaxOp::create(builder, x.getType(), x, dims[0], Value()), {});
  Value largest = reduce(CombineKind::Max, x, dims);
  Value back = largest ? broadcastBack(largest, dims, x) : Value();
  // The difference is never above 0, which its bound does not show.
  Value shifted = back ? subtract(x, back) : Value();
  if (!shifted)
    return false;
  Value weights = keepRounded(math::ExpOp::create(builder, shifted), {});
  Value sum = reduce(CombineKind::Sum, weights, dims);
  if (!sum)
    return false;
  switch (random.below(3)) {
  case 0: {
    Value all = broadcastBack(sum, dims, x);
    return all && keepRounded(arith::DivFOp::create(builder, weights, all), {});
  }
  case 1: {
    // The logarithm of the sum of exponentials.
    Facts known;
    known.bound = std::max(1.0, std::log(factsOf(sum).bound));
    Value log = keepRounded(math::LogOp::create(builder, sum), known);
    return log && add(log, largest);
  }
  default: {
    // A mean, weighted.
    Value v = valueOf(elementOf(x), shapeOf(x));
    Value weighted = factsOf(v).hasInfinity ? Value() : multiply(weights, v);
    Value total = weighted ? reduce(CombineKind::Sum, weighted, dims) : Value();
    if (!total)
      return false;
    Facts known = factsOf(v);
    return !!keepRounded(arith::DivFOp::create(builder, total, sum), known);
  }
  }
}

/// mean((x - mean(x))^2)
bool GraphWriter::addVariance() {
  Value x = anyFloat(1);
  Shape dims = {rankOf(x) - 1};
  if (shapeOf(x).back() < 2)
    return false;
  Value mean = reduce(CombineKind::Mean, x, dims);
  Value back = mean ? broadcastBack(mean, dims, x) : Value();
  Value centred = back ? subtract(x, back) : Value();
  Value square = centred ? multiply(centred, centred) : Value();
  return square && reduce(CombineKind::Mean, square, dims);
}

/// Reductions of what is made of other reductions' results, in whole numbers.
bool GraphWriter::addExactCascade() {
  Value x = anyFloat(1);
  if (factsOf(x).hasInfinity)
    return false;
  Shape dims = {static_cast<int64_t>(random.below(rankOf(x)))};
  if (shapeOf(x)[dims[0]] == 0)
    return false;
  auto kinds = {CombineKind::Max, CombineKind::Sum, CombineKind::Min};
  Value statistic = reduce(random.pick(kinds), x, dims);
  Value back = statistic ? broadcastBack(statistic, dims, x) : Value();
  if (!back)
    return false;
  Value mixed = random.chance(50) ? subtract(x, back) : multiply(x, back);
  if (mixed && random.chance(50))
    mixed = activate(mixed);
  return mixed && reduce(random.pick(kinds), mixed, dims);
}

bool GraphWriter::addComposition() {
  if (graph.isExact)
    return random.chance(60) ? addExactCascade() : addPerceptron();
  switch (random.below(9)) {
  case 0:
  case 1:
  case 2:
    return addAttention();
  case 3:
  case 4:
    return addNormLinear();
  case 5:
    return addPerceptron();
  case 6:
  case 7:
    return addSoftmaxByHand();
  default:
    return addVariance();
  }
}
