//===- AxisLists.h - lists of axes and maps of them -------------*- C++ -*-===//
//
// What several ops have in common: lists of axes, limits that belong to them,
// and the syntax of maps.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_IR_AXISLISTS_H
#define FUSE_LIB_DIALECT_TILE_IR_AXISLISTS_H

#include "mlir/IR/OpImplementation.h"

namespace fuse::tile {

/// The list names numbers below `rank`, each above the one before.
mlir::LogicalResult verifyIncreasing(mlir::Operation *op, llvm::StringRef list,
                                     llvm::ArrayRef<int64_t> numbers,
                                     int64_t rank);

/// There is one limit for each of the axes.
mlir::LogicalResult verifyLimits(mlir::Operation *op, mlir::ValueRange limits,
                                 llvm::ArrayRef<int64_t> axes, int64_t rank);

/// A map as `(d0, d1) -> (d1)`; an identity is never written, so that equal
/// loads look equal.
mlir::ParseResult parseAxisMap(mlir::OpAsmParser &parser,
                               mlir::AffineMapAttr &attribute);
void printAxisMap(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::AffineMapAttr attribute);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_IR_AXISLISTS_H
