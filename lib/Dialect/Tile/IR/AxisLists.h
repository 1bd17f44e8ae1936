//===- AxisLists.h - lists of axes and maps of them -------------*- C++ -*-===//
//
// What several ops have in common: lists of axes, limits that belong to them,
// maps and their syntax, and when operands of a product fit each other.
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

/// There is one limit for each of the axes, and one start or none.
mlir::LogicalResult verifyLimits(mlir::Operation *op, mlir::ValueRange limits,
                                 llvm::ArrayRef<int64_t> axes, int64_t rank,
                                 mlir::ValueRange starts = {});

/// The map from axes to dimensions, the identity where it is not written.
mlir::AffineMap axisMap(std::optional<mlir::AffineMap> written,
                        mlir::RankedTensorType tile);

/// A tile of this type can be read or written there.
mlir::LogicalResult verifyAccess(mlir::Operation *op, mlir::Value memory,
                                 mlir::ValueRange indices,
                                 std::optional<mlir::AffineMap> written,
                                 mlir::RankedTensorType tile);

/// What is read is no output.
mlir::LogicalResult verifyInput(mlir::Operation *op, mlir::Value memory);

/// Only what has a limit has something behind it.
mlir::LogicalResult verifyUnused(mlir::Operation *op,
                                 std::optional<llvm::ArrayRef<int64_t>> unused,
                                 llvm::ArrayRef<int64_t> axes);

/// The types of `lhs * rhs + acc` fit each other.
mlir::LogicalResult verifyProduct(mlir::Operation *op,
                                  mlir::RankedTensorType lhs,
                                  mlir::RankedTensorType rhs,
                                  mlir::RankedTensorType acc, int64_t batch,
                                  int64_t contract);

/// A map as `(d0, d1) -> (d1)`; an identity is never written, so that equal
/// loads look equal.
mlir::ParseResult parseAxisMap(mlir::OpAsmParser &parser,
                               mlir::AffineMapAttr &attribute);
void printAxisMap(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::AffineMapAttr attribute);

/// The type of a ring, from which those of the parts of a kind follow.
mlir::ParseResult parseParts(mlir::OpAsmParser &parser, mlir::IntegerAttr kind,
                             mlir::Type &ring,
                             llvm::SmallVectorImpl<mlir::Type> &parts);
void printParts(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                mlir::IntegerAttr kind, mlir::Type ring, mlir::TypeRange parts);

/// The tile that is pending, and that is taken.
mlir::ParseResult parsePendingOf(mlir::OpAsmParser &parser,
                                 mlir::Type &pending);
void printPendingOf(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    mlir::Type pending);
mlir::ParseResult parseStartedTile(mlir::OpAsmParser &parser,
                                   mlir::Type &source, mlir::Type &result);
void printStartedTile(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::Type source, mlir::Type result);

mlir::ParseResult parseTakenTile(mlir::OpAsmParser &parser, mlir::Type &pending,
                                 mlir::Type &result);
void printTakenTile(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    mlir::Type pending, mlir::Type result);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_IR_AXISLISTS_H
