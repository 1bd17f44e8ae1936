//===- AxisMap.cpp - axes as sums of other axes ---------------------------===//
//
// Making, composing and asking matrices of small integers.
//
//===----------------------------------------------------------------------===//

#include "AxisMap.h"

using namespace mlir;
using namespace fuse::tile;

AxisMap AxisMap::identity(unsigned rank) {
  AxisMap map;
  map.columns = rank;
  map.rows.assign(rank, Row(rank, 0));
  for (unsigned axis = 0; axis < rank; ++axis)
    map.rows[axis][axis] = 1;
  return map;
}

/// Adds the coefficients of a linear expression, times `factor`.
static void addTerms(AffineExpr expr, int64_t factor, AxisMap::Row &row) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    row[dim.getPosition()] += factor;
    return;
  }
  auto pair = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!pair)
    return; // The constant 0.
  if (pair.getKind() == AffineExprKind::Mul) {
    auto times = cast<AffineConstantExpr>(pair.getRHS());
    addTerms(pair.getLHS(), factor * times.getValue(), row);
    return;
  }
  addTerms(pair.getLHS(), factor, row);
  addTerms(pair.getRHS(), factor, row);
}

AxisMap AxisMap::of(AffineMap affine) {
  AxisMap map;
  map.columns = affine.getNumDims();
  for (AffineExpr expr : affine.getResults())
    addTerms(expr, 1, map.rows.emplace_back(map.columns, 0));
  return map;
}

AxisMap AxisMap::of(ArrayRef<int64_t> strides) {
  AxisMap map;
  map.columns = strides.size();
  map.rows.emplace_back(strides.begin(), strides.end());
  return map;
}

AxisMap AxisMap::compose(const AxisMap &inner) const {
  AxisMap map;
  map.columns = inner.columns;
  for (const Row &row : rows) {
    Row &sum = map.rows.emplace_back(inner.columns, 0);
    for (auto [factor, part] : llvm::zip_equal(row, inner.rows))
      for (unsigned column = 0; column < inner.columns; ++column)
        sum[column] += factor * part[column];
  }
  return map;
}

AxisMap AxisMap::select(ArrayRef<int64_t> picked) const {
  AxisMap map;
  map.columns = columns;
  for (int64_t row : picked)
    map.rows.push_back(rows[row]);
  return map;
}

bool AxisMap::uses(unsigned column) const {
  return llvm::any_of(rows, [&](const Row &row) { return row[column] != 0; });
}

bool AxisMap::isIdentity() const {
  if (rows.size() != columns)
    return false;
  for (auto [axis, row] : llvm::enumerate(rows))
    for (auto [column, factor] : llvm::enumerate(row))
      if (factor != (axis == column))
        return false;
  return true;
}
