//===- SeenDigits.h - how many digits of a number are seen ------*- C++ -*-===//
//
// What is seen of a number is found by going from it to where it is rounded,
// through ops that do not make a small error of it a large one. Between kernels
// stores and loads have attributes that say what is known there.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_SEENDIGITS_H
#define FUSE_DIALECT_TILE_ANALYSIS_SEENDIGITS_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/APFloat.h"
#include <optional>

namespace fuse::tile {

/// Of a store, how many digits of what it writes are seen by who reads it.
constexpr llvm::StringLiteral digitsAttrName = "tile.digits";
/// Of a load, that all it reads is zero or more.
constexpr llvm::StringLiteral positiveAttrName = "tile.positive";

/// The number that all elements of a constant are.
std::optional<llvm::APFloat> numberOf(mlir::Value value);

/// Whether the elements of what an op makes are those that it reads.
bool isPart(mlir::Operation *op);

/// Which numbers are zero or more. What a loop carries is taken to be until the
/// contrary is found.
class Signs {
public:
  bool isPositive(mlir::Value value) {
    assumed.clear();
    return visit(value);
  }

private:
  bool visit(mlir::Value value);
  bool visitArgument(mlir::BlockArgument argument);
  bool visitResult(mlir::OpResult result);
  bool visitAll(mlir::ValueRange values) {
    return llvm::all_of(values,
                        [&](mlir::Value value) { return visit(value); });
  }

  llvm::DenseSet<mlir::Value> assumed;
};

/// How many binary digits of a number are seen at most, if it is rounded on
/// every way to where it is used.
class SeenDigits {
public:
  /// More terms than this cost a sum more digits than a fast function does.
  static constexpr int64_t manyTerms = 32;
  /// All of them, if nothing less is known.
  static constexpr unsigned all = 64;
  unsigned of(mlir::Value value) {
    visited.clear();
    return visit(value);
  }

private:
  unsigned visit(mlir::Value value);
  unsigned visitUse(mlir::OpOperand &use);
  unsigned visitYield(mlir::OpOperand &use);

  Signs signs;
  llvm::DenseSet<mlir::Value> visited;
};

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_SEENDIGITS_H
