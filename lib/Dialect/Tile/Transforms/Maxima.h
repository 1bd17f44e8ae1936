//===- Maxima.h - what a softmax subtracts ----------------------*- C++ -*-===//
//
// The maxima of rows, and the powers of two that know them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_MAXIMA_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_MAXIMA_H

#include "fuse/Dialect/Tile/Analysis/SeenDigits.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace fuse::tile {

/// `2^((x - shift) * factor)`, where `shift` is repeated or not; perhaps as a
/// power of e.
struct Power {
  mlir::Operation *op;
  mlir::Value x, shift;
  BroadcastOp broadcast;
  llvm::APFloat factor;
};
/// Nothing if it is another op.
std::optional<Power> powerOf(mlir::Operation *op);

/// Of what all blocks of a cluster have, that of which `share` is a part.
mlir::Value sourceOf(CollectOp collect, mlir::OpResult share);

/// The maxima of a row, of some rounds or of all, and the powers that know
/// them.
class Maxima {
public:
  /// False if anything is made of them but powers, all with the same factor, or
  /// if one comes from elsewhere.
  bool collect(mlir::Value maximum);
  /// Of differences with other numbers, and of two maxima.
  mlir::SmallVector<Power> terms, corrections;

private:
  void add(mlir::Value value) {
    if (!numberOf(value) && members.insert(value))
      unvisited.push_back(value);
  }
  void addCarried(mlir::scf::ForOp loop, unsigned number) {
    add(loop.getInitArgs()[number]);
    add(loop.getYieldedValues()[number]);
    add(loop.getRegionIterArg(number));
    add(loop.getResult(number));
  }
  bool visitOrigin(mlir::Value value);
  bool visitUse(mlir::OpOperand &use);
  bool addPowersOf(mlir::Value difference,
                   mlir::SmallVectorImpl<Power> &powers);

  llvm::SetVector<mlir::Value> members;
  mlir::SmallVector<mlir::Value> unvisited;
};

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_MAXIMA_H
