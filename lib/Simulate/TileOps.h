//===- TileOps.h - from tile to tile ----------------------------*- C++ -*-===//
//
// What the ops of the dialect do that touch no memory, on whole tiles.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_TILEOPS_H
#define FUSE_LIB_SIMULATE_TILEOPS_H

#include "Array.h"
#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::simulate {

/// Calls `function` for every row along the last axis, with the indices of the
/// other axes and the place of the row's first element. A tile of rank 0 has
/// one row of one element.
void forEachRow(
    llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<void(llvm::ArrayRef<int64_t>, size_t)> function);
/// How many elements such a row has.
int64_t rowLength(llvm::ArrayRef<int64_t> shape);

/// To nearest even with 10 bits of mantissa; infinities and NaNs stay.
float roundToTf32(float value);

/// What `tile.dot` and `tile.dot_issue` say of a product.
struct Product {
  unsigned batch = 0, contract = 1;
  tile::Precision precision = tile::Precision::Ieee;
};

/// Adds a product to `sum`, and yields how many multiplications that took.
uint64_t addProduct(const Product &product, const Array &lhs, const Array &rhs,
                    Array &sum);

/// The numbers of a constant; null for an attribute that we do not know.
ArrayPtr evaluateConstant(const ArrayType &type, mlir::TypedAttr value);

/// Of a source without elements nothing is known about the result.
void reduce(tile::CombineKind kind, llvm::ArrayRef<int64_t> dims,
            const Array &source, Array &result);
/// Element `a` of the result is the one at `first` plus the sum of `a[i] *
/// strides[i]`.
void pick(const Array &source, llvm::ArrayRef<int64_t> strides, Array &result,
          int64_t first = 0);
void broadcast(llvm::ArrayRef<int64_t> dims, const Array &source,
               Array &result);
void transpose(llvm::ArrayRef<int64_t> permutation, const Array &source,
               Array &result);
void iota(tile::IotaOp op, int64_t base, Array &result);
void mask(tile::MaskOp op, const Array &source, llvm::ArrayRef<int64_t> starts,
          llvm::ArrayRef<int64_t> limits, Array &result);

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_TILEOPS_H
