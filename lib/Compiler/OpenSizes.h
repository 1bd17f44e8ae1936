//===- OpenSizes.h - sizes that are known when a graph is run ---*- C++ -*-===//
//
// A graph can be compiled before its dynamic sizes are known. Then each of them
// is an expression over the sizes of inputs, and what has to hold between them
// is checked whenever it is run.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_OPENSIZES_H
#define FUSE_LIB_COMPILER_OPENSIZES_H

#include "fuse/Runtime/Image.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {

struct OpenSizes {
  /// The shape of each input: a number, a size of its own, or what it has to
  /// be.
  std::vector<std::vector<SizeExpression>> inputs;
  std::vector<Requirement> requirements;
};

/// Of a decomposed graph. Reports an op whose sizes no expression can be found
/// for.
mlir::FailureOr<OpenSizes> findOpenSizes(mlir::func::FuncOp function);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_OPENSIZES_H
