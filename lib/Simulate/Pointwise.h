//===- Pointwise.h - ops on single elements ---------------------*- C++ -*-===//
//
// What the ops of `arith` and `math` do, on scalars and tiles alike.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_POINTWISE_H
#define FUSE_LIB_SIMULATE_POINTWISE_H

#include "Array.h"
#include "mlir/IR/Operation.h"

namespace fuse::simulate {

/// Computes an op's result, an array of the right type, from its operands.
using PointwiseFunction =
    std::function<void(mlir::Operation *, llvm::ArrayRef<ArrayPtr>, Array &)>;

/// Null for an op that is none of them.
const PointwiseFunction *findPointwise(mlir::Operation *op);

/// Whether `op`, on numbers of type index, gives more than 64 bits hold.
bool overflows(mlir::Operation *op, llvm::ArrayRef<ArrayPtr> operands);

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_POINTWISE_H
