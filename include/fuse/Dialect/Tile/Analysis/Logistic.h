//===- Logistic.h - quotients by 1 and a power ------------------*- C++ -*-===//
//
// 1 / (1 + 2^y), which sigmoid, silu and gelu are made of.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_LOGISTIC_H
#define FUSE_DIALECT_TILE_ANALYSIS_LOGISTIC_H

#include "mlir/IR/Value.h"

namespace fuse::tile {

bool isOne(mlir::Value value);

/// y, if `denominator` is 1 + 2^y or 1 + e^y; else null.
mlir::Value exponentOf(mlir::Value denominator);

/// Whether `value` is computed from `x` alone, and NaN only where x is NaN or
/// infinite. Products and sums with constants may become infinite, but no
/// infinity is subtracted from another one, and what else is multiplied with
/// one is no 0, since it has grown from the same x.
bool isNumberOf(mlir::Value value, mlir::Value x);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_LOGISTIC_H
