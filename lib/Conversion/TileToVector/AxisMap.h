//===- AxisMap.h - axes as sums of other axes -------------------*- C++ -*-===//
//
// A linear map between axes, as a matrix: row i says which sum of the axes of a
// loop nest axis i of a value is. A value is evaluated through such a map, so
// that transposes and broadcasts cost nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETOVECTOR_AXISMAP_H
#define FUSE_LIB_CONVERSION_TILETOVECTOR_AXISMAP_H

#include "mlir/IR/AffineMap.h"

namespace fuse::tile {

struct AxisMap {
  using Row = llvm::SmallVector<int64_t, 4>;
  llvm::SmallVector<Row, 4> rows;
  unsigned columns = 0;

  static AxisMap identity(unsigned rank);
  /// Of a map that is linear and has no symbols.
  static AxisMap of(mlir::AffineMap map);
  /// One row, which is `strides`.
  static AxisMap of(llvm::ArrayRef<int64_t> strides);

  /// This map of what the other one gives.
  AxisMap compose(const AxisMap &inner) const;
  /// Only the listed rows, in that order.
  AxisMap select(llvm::ArrayRef<int64_t> picked) const;
  bool uses(unsigned column) const;
  bool isIdentity() const;

  bool operator<(const AxisMap &other) const {
    return std::tie(columns, rows) < std::tie(other.columns, other.rows);
  }
};

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETOVECTOR_AXISMAP_H
