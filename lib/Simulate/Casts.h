//===- Casts.h - from one element type to another ---------------*- C++ -*-===//
//
// What the casts of `arith` do, as functions of the table of pointwise ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_CASTS_H
#define FUSE_LIB_SIMULATE_CASTS_H

#include "Array.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/MathExtras.h"

namespace fuse::simulate {

/// An integer as it is held, with the sign that it is meant to have.
inline int64_t asSigned(int64_t value, unsigned bits) {
  return bits == 1 ? -value : value;
}
inline uint64_t asUnsigned(int64_t value, unsigned bits) {
  return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(bits);
}

/// Between floats: exact where the result is wider, else rounded once.
void castFloats(mlir::Operation *op, llvm::ArrayRef<ArrayPtr> in, Array &out);
template <bool isSigned>
void castIntegersToFloats(mlir::Operation *op, llvm::ArrayRef<ArrayPtr> in,
                          Array &out);
/// Toward zero, and to the nearest number that there is; NaN gives 0.
template <bool isSigned>
void castFloatsToIntegers(mlir::Operation *op, llvm::ArrayRef<ArrayPtr> in,
                          Array &out);
template <bool isSigned>
void castIntegers(mlir::Operation *op, llvm::ArrayRef<ArrayPtr> in, Array &out);
void castBits(mlir::Operation *op, llvm::ArrayRef<ArrayPtr> in, Array &out);

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_CASTS_H
