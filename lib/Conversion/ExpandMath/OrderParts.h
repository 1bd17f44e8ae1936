//===- OrderParts.h - one part of a chain of ops behind the other -*- C++ -*-=//
//
// The order in which the parts of long vectors are computed.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_EXPANDMATH_ORDERPARTS_H
#define FUSE_LIB_CONVERSION_EXPANDMATH_ORDERPARTS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseSet.h"

namespace fuse {

/// Moves `parts`, ops without effects, behind each other. None of them is dead.
void orderParts(mlir::Block &block,
                const llvm::DenseSet<mlir::Operation *> &parts);

/// Moves loads to the piece that says that they are asked for there, with what
/// their addresses are computed from.
void orderLoads(mlir::Block &block);

} // namespace fuse

#endif // FUSE_LIB_CONVERSION_EXPANDMATH_ORDERPARTS_H
