//===- Moves.cpp - random ops that move elements --------------------------===//
//
// None of them computes, so what is known of the source is known of the result.
//
//===----------------------------------------------------------------------===//

#include "GraphWriter.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;

Value GraphWriter::broadcast(Value x, ArrayRef<int64_t> dims,
                             ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, elementOf(x));
  if (!isDynamic || !random.chance(20))
    return keep(BroadcastOp::create(builder, type, x, dims, ValueRange()),
                factsOf(x));
  // The same with sizes that are values, claimed to be what they are.
  Shape open(shape);
  SmallVector<Value> sizes;
  for (int64_t dim = 0, e = shape.size(); dim < e; ++dim)
    if (!llvm::is_contained(dims, dim) && random.chance(70)) {
      open[dim] = ShapedType::kDynamic;
      sizes.push_back(arith::ConstantIndexOp::create(builder, shape[dim]));
    }
  Value repeated =
      BroadcastOp::create(builder, type.clone(open), x, dims, sizes);
  if (repeated.getType() != type)
    repeated = tensor::CastOp::create(builder, type, repeated);
  return keep(repeated, factsOf(x));
}

Value GraphWriter::broadcastBack(Value x, ArrayRef<int64_t> dims, Value like) {
  Shape others;
  for (int64_t dim = 0; dim < rankOf(like); ++dim)
    if (!llvm::is_contained(dims, dim))
      others.push_back(dim);
  return broadcast(x, others, shapeOf(like));
}

Value GraphWriter::iota(Type element, ArrayRef<int64_t> shape, int64_t dim) {
  auto type = RankedTensorType::get(shape, element);
  Facts known;
  known.bound = static_cast<double>(shape[dim]);
  return keep(IotaOp::create(builder, type, dim, ValueRange()), known);
}

Value GraphWriter::transpose(Value x, ArrayRef<int64_t> permutation) {
  return keep(TransposeOp::create(builder, x, permutation), factsOf(x));
}

Value GraphWriter::swapLast(Value x) {
  Shape permutation = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  std::swap(permutation[rankOf(x) - 1], permutation[rankOf(x) - 2]);
  return transpose(x, permutation);
}

bool GraphWriter::addBroadcast(Value x) {
  Shape shape(shapeOf(x)), dims;
  SmallVector<bool> isNew(shape.size(), false);
  for (unsigned added = random.between(1, 2); added && shape.size() < 4;
       --added) {
    size_t place = random.below(shape.size() + 1);
    shape.insert(shape.begin() + place, drawSize());
    isNew.insert(isNew.begin() + place, true);
  }
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (!isNew[dim])
      dims.push_back(dim);
  return isSmall(shape) && !!broadcast(x, dims, shape);
}

bool GraphWriter::addSlice(Value x) {
  Shape starts, stops, steps;
  for (int64_t size : shapeOf(x)) {
    bool isWhole = random.chance(40);
    int64_t start = isWhole ? 0 : random.between(0, size);
    starts.push_back(start);
    stops.push_back(isWhole || random.chance(30) ? SliceOp::kEnd
                                                 : random.between(start, size));
    // Empty slices are rare, and make everything behind them empty.
    int64_t stop = stops.back() == SliceOp::kEnd ? size : stops.back();
    if (stop == start && !random.chance(5)) {
      starts.back() = 0;
      stops.back() = SliceOp::kEnd;
    }
    steps.push_back(random.chance(65) ? 1 : random.between(2, 3));
  }
  return !!keep(SliceOp::create(builder, x, starts, stops, steps), factsOf(x));
}

bool GraphWriter::addReshape(Value x) {
  int64_t rank = rankOf(x);
  if (rank == 0)
    return false;
  if (rank >= 2 && random.chance(50)) {
    int64_t count = random.between(2, rank),
            first = random.between(0, rank - count);
    Shape dims = llvm::to_vector(llvm::seq<int64_t>(first, first + count));
    return !!keep(CollapseOp::create(builder, x, dims), factsOf(x));
  }
  int64_t dim = random.below(rank), size = shapeOf(x)[dim];
  Shape divisors;
  for (int64_t divisor = 1; divisor <= size; ++divisor)
    if (size % divisor == 0)
      divisors.push_back(divisor);
  if (divisors.empty() || rank == 4)
    return false;
  int64_t factor = random.pick(llvm::ArrayRef<int64_t>(divisors));
  return !!keep(ExpandOp::create(builder, x, dim,
                                 ArrayRef<int64_t>{factor, size / factor},
                                 ValueRange()),
                factsOf(x));
}

bool GraphWriter::addConcat(Value x) {
  if (rankOf(x) == 0)
    return false;
  int64_t dim = random.below(rankOf(x));
  SmallVector<Value> sources = {x};
  Facts known = factsOf(x);
  Shape joined(shapeOf(x));
  for (unsigned others = random.between(1, 2); others; --others) {
    Shape shape(shapeOf(x));
    if (random.chance(50))
      shape[dim] = drawSize();
    Value y = valueOf(elementOf(x), shape);
    joined[dim] += shape[dim];
    known.bound = std::max(known.bound, factsOf(y).bound);
    known.isPure &= factsOf(y).isPure;
    known.hasInfinity |= factsOf(y).hasInfinity;
    sources.push_back(y);
  }
  return isSmall(joined) &&
         !!keep(ConcatOp::create(builder, sources, dim), known);
}

bool GraphWriter::addGather(Value x) {
  if (rankOf(x) == 0)
    return false;
  // Also beside the table, on both ends.
  Shape shape = drawShape(0, 2);
  Type element = random.chance(60) ? Type(builder.getI32Type())
                                   : Type(builder.getI64Type());
  Value indices =
      newArgument(element, shape, FillKind::Integers,
                  random.chance(50) ? 0.0 : -2.0, shapeOf(x)[0] + 1.0);
  llvm::append_range(shape, shapeOf(x).drop_front());
  return isSmall(shape) &&
         !!keep(GatherOp::create(builder, x, indices), factsOf(x));
}

bool GraphWriter::addMove() {
  if (random.chance(6)) {
    Shape shape = drawShape(1, 3);
    Type element = random.chance(70) ? Type(builder.getI32Type()) : mainFloat;
    return !!iota(element, shape, random.below(shape.size()));
  }
  Value x = random.chance(15) ? pickValue([](Value) { return true; }) : Value();
  if (!x)
    x = anyFloat();
  switch (random.below(8)) {
  case 0:
  case 1:
    return addBroadcast(x);
  case 2:
  case 3: {
    if (rankOf(x) < 2)
      return false;
    Shape permutation = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
    for (size_t i = permutation.size() - 1; i > 0; --i)
      std::swap(permutation[i], permutation[random.below(i + 1)]);
    return !!transpose(x, permutation);
  }
  case 4:
    return addSlice(x);
  case 5:
    return addReshape(x);
  case 6:
    return addConcat(x);
  default:
    return addGather(x);
  }
}
