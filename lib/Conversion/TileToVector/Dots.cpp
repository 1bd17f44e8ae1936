//===- Dots.cpp - products of matrices ------------------------------------===//
//
// Both operands lie in the workspace, row by row and in the accumulator's type.
// A block of the result that fits the registers is held there while the loop
// over what is contracted adds the product of a column of the left operand and
// a row of the right one.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse::tile;

/// Matrices one behind the other.
struct Matrices {
  Value memory;
  int64_t batchStride, rowStride;

  Matrices(const Object &object, int64_t batchAxes)
      : memory(object.memory),
        batchStride(batchAxes > 0 ? object.strides[batchAxes - 1] : 0),
        rowStride(object.columnAxis > batchAxes
                      ? object.strides[object.columnAxis - 1]
                      : 0) {}
};

Value Emitter::widen(Value vector, Type element) {
  auto type = cast<VectorType>(vector.getType());
  Type from = type.getElementType();
  if (from == element)
    return vector;
  Type to = type.clone(element);
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(b, to, vector);
  if (from.isIndex() || element.isIndex())
    return from.isInteger(1)
               ? arith::IndexCastUIOp::create(b, to, vector).getResult()
               : arith::IndexCastOp::create(b, to, vector).getResult();
  if (from.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, to, vector);
  if (from.isInteger(1))
    return arith::ExtUIOp::create(b, to, vector);
  return arith::ExtSIOp::create(b, to, vector);
}

Value Emitter::multiplyAdd(Value a, Value x, Value sum) {
  if (isa<FloatType>(getElementTypeOrSelf(sum.getType())))
    return vector::FMAOp::create(b, a, x, sum);
  return arith::AddIOp::create(b, arith::MulIOp::create(b, a, x), sum);
}

void Emitter::emitMicroKernel(DotOp op, const DotShape &shape, Value batch,
                              Value row, Value column, int64_t rows,
                              ArrayRef<int64_t> widths, TypedAttr start) {
  auto batchAxes = static_cast<int64_t>(op.getBatch());
  Matrices left(*plan.operandOf(op, true), batchAxes);
  Matrices right(*plan.operandOf(op, false), batchAxes);
  Matrices result(*plan.objectOf(op.getResult()), batchAxes);
  Type element = op.getResult().getType().getElementType();
  int64_t lanes = target.lanesOf(element);

  auto resultIndex = [&](int64_t i, int64_t j) {
    Value at =
        linear(column, {result.batchStride, result.rowStride}, {batch, row});
    return add(at, index(i * result.rowStride + j * lanes));
  };
  SmallVector<Value> sums;
  for (int64_t i = 0; i < rows; ++i)
    for (auto [j, width] : llvm::enumerate(widths))
      sums.push_back(
          start ? constant(start, width)
                : vector::LoadOp::create(b, VectorType::get(width, element),
                                         result.memory, resultIndex(i, j))
                      .getResult());
  auto loop =
      scf::ForOp::create(b, index(0), index(shape.depth), index(1), sums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value k = loop.getInductionVar();
    Value leftAt = linear(k, {left.batchStride, left.rowStride}, {batch, row});
    Value rightAt =
        linear(column, {right.batchStride, right.rowStride}, {batch, k});
    SmallVector<Value> vectors;
    for (auto [j, width] : llvm::enumerate(widths))
      vectors.push_back(vector::LoadOp::create(
          b, VectorType::get(width, element), right.memory,
          add(rightAt, index(static_cast<int64_t>(j) * lanes))));
    SmallVector<Value> next;
    for (int64_t i = 0; i < rows; ++i) {
      Value number = memref::LoadOp::create(
          b, left.memory, add(leftAt, index(i * left.rowStride)));
      for (auto [j, width] : llvm::enumerate(widths))
        next.push_back(
            multiplyAdd(splat(number, width), vectors[j],
                        loop.getRegionIterArgs()[i * widths.size() + j]));
    }
    scf::YieldOp::create(b, next);
  }
  for (int64_t i = 0; i < rows; ++i)
    for (unsigned j = 0; j < widths.size(); ++j)
      vector::StoreOp::create(b, loop.getResult(i * widths.size() + j),
                              result.memory, resultIndex(i, j));
}

void Emitter::emitColumns(DotOp op, const DotShape &shape, Value batch,
                          Value column, ArrayRef<int64_t> widths,
                          TypedAttr start) {
  // All blocks have about as many rows, rather than a last one with few.
  int64_t blocks = llvm::divideCeil(shape.rows, target.dotRows());
  int64_t rows = llvm::divideCeil(shape.rows, blocks);
  int64_t whole = shape.rows / rows * rows;
  if (whole > rows) {
    auto loop = scf::ForOp::create(b, index(0), index(whole), index(rows));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitMicroKernel(op, shape, batch, loop.getInductionVar(), column, rows,
                    widths, start);
  } else {
    emitMicroKernel(op, shape, batch, index(0), column, rows, widths, start);
  }
  if (whole != shape.rows)
    emitMicroKernel(op, shape, batch, index(whole), column, shape.rows - whole,
                    widths, start);
}

void Emitter::emitDot(DotOp op) {
  DotShape shape(op);
  if (shape.isThin())
    return emitThinDot(op);
  const Object &result = *plan.objectOf(op.getResult());
  // One number everywhere need not be written before it is read.
  TypedAttr start;
  SplatElementsAttr all;
  if (matchPattern(op.getAcc(), m_Constant(&all)))
    start = cast<TypedAttr>(all.getSplatValue<Attribute>());
  else if (!emitted.contains(op.getAcc()) ||
           plan.objectOf(op.getAcc()) != &result)
    materialize(op.getAcc(), result);

  OpBuilder::InsertionGuard guard(b);
  Value batch = index(0);
  if (shape.batch > 1) {
    auto loop = scf::ForOp::create(b, index(0), index(shape.batch), index(1));
    b.setInsertionPointToStart(loop.getBody());
    batch = loop.getInductionVar();
  }
  int64_t lanes = target.lanesOf(op.getResult().getType().getElementType());
  int64_t panel = lanes * target.dotVectors();
  int64_t whole = shape.columns / panel * panel;
  SmallVector<int64_t> widths(target.dotVectors(), lanes);
  if (whole > panel) {
    auto loop = scf::ForOp::create(b, index(0), index(whole), index(panel));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitColumns(op, shape, batch, loop.getInductionVar(), widths, start);
  } else if (whole != 0) {
    emitColumns(op, shape, batch, index(0), widths, start);
  }
  widths.clear();
  for (int64_t left = shape.columns - whole; left > 0; left -= lanes)
    widths.push_back(std::min(left, lanes));
  if (!widths.empty())
    emitColumns(op, shape, batch, index(whole), widths, start);
}

/// A dot with few rows or columns is a reduction of products: copying its large
/// operand would take as long as reading it once.
void Emitter::emitThinDot(DotOp op) {
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  auto batch = static_cast<int64_t>(op.getBatch());
  auto contract = static_cast<int64_t>(op.getContract());
  int64_t rows = lhs.getRank() - batch - contract;
  int64_t columns = rhs.getRank() - batch - contract;

  // The axes of the nest: [batch.., rows.., columns.., contracted..].
  SmallVector<int64_t> sizes(op.getResult().getType().getShape());
  llvm::append_range(sizes, lhs.getShape().take_back(contract));
  SmallVector<bool> isReduced(sizes.size(), false);
  std::fill(isReduced.end() - contract, isReduced.end(), true);
  AxisMap whole = AxisMap::identity(sizes.size());
  auto axes = [&](ArrayRef<std::pair<int64_t, int64_t>> ranges) {
    SmallVector<int64_t> list;
    for (auto [from, count] : ranges)
      llvm::append_range(list, llvm::seq(from, from + count));
    return whole.select(list);
  };
  int64_t k = batch + rows + columns;
  AxisMap left = axes({{0, batch + rows}, {k, contract}});
  AxisMap right = axes({{0, batch}, {k, contract}, {batch + rows, columns}});
  AxisMap result = axes({{0, k}});
  if (sizes.empty()) {
    sizes.push_back(1);
    isReduced.push_back(false);
    left.columns = right.columns = result.columns = 1;
  }

  Expression expressions[] = {
      {op.getLhs(), left}, {op.getRhs(), right}, {op.getAcc(), result}};
  unsigned axis = chooseAxis(sizes, ArrayRef(expressions).drop_back(), {});
  Type element = op.getResult().getType().getElementType();
  emitBoth(expressions, {}, [&](bool isChecked) {
    auto body = [&](Value sum, Strip &strip) -> Value {
      Value a = widen(evaluate(op.getLhs(), left, strip), element);
      Value x = widen(evaluate(op.getRhs(), right, strip), element);
      return multiplyAdd(a, x, sum);
    };
    auto take = [&](Value sum, Strip &strip) {
      Value acc = evaluate(op.getAcc(), result, strip);
      writeObject(*plan.objectOf(op.getResult()),
                  combine(b, CombineKind::Sum, acc, sum), result, strip);
    };
    emitReductions(sizes, isReduced, axis, isChecked,
                   Reduction{CombineKind::Sum, element, body, take});
  });
}
