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

/// Whether `value` is a polynomial of `x` alone, of the fourth degree at most
/// and with ordinary coefficients, as -x and x (a + b x^2) are: it is beyond
/// 100 from some |x| below 2^40 on, and NaN only where x is NaN or infinite,
/// since what is computed on the way is no infinity where another factor is 0.
bool growsWith(mlir::Value value, mlir::Value x);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_LOGISTIC_H
