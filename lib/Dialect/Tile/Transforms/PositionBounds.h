//===- PositionBounds.h - what positions lie between ------------*- C++ -*-===//
//
// Whether a comparison of positions has the same outcome for all elements of a
// tile, told by a few scalars from the least and the greatest one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_POSITIONBOUNDS_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_POSITIONBOUNDS_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse::tile {

/// Scalars about all elements of a tile, computed where the builder stands.
class PositionBounds {
public:
  /// For whom they hold: all threads of a block, or each group of warps that
  /// multiply together, which may have positions of its own.
  enum class Of { Block, Group };

  PositionBounds(mlir::ImplicitLocOpBuilder &b, Of whom) : b(b), whom(whom) {}

  /// Whether a condition is true everywhere, or null where nothing is known. It
  /// may be false although the condition is true.
  mlir::Value isTrue(mlir::Value condition) { return is(condition, true); }
  /// The same for false everywhere.
  mlir::Value isFalse(mlir::Value condition) { return is(condition, false); }

private:
  /// What all elements of a tile of integers lie between.
  struct Bounds {
    mlir::Value least, most;
  };

  mlir::Value is(mlir::Value condition, bool outcome);
  mlir::Value of(mlir::Value condition, bool outcome);
  mlir::Value of(mlir::arith::CmpIOp compare, bool outcome);
  std::optional<Bounds> boundsOf(mlir::Value tile);
  std::optional<Bounds> boundsOf(IotaOp iota);
  std::optional<Bounds> inside(Bounds bounds, mlir::Value tile);
  mlir::Value subtract(mlir::Value a, mlir::Value c) {
    return b.createOrFold<mlir::arith::SubIOp>(a, c);
  }
  mlir::Value add(mlir::Value a, mlir::Value c) {
    return b.createOrFold<mlir::arith::AddIOp>(a, c);
  }
  mlir::Value logicalAnd(mlir::Value a, mlir::Value c) {
    return a && c ? b.createOrFold<mlir::arith::AndIOp>(a, c) : mlir::Value();
  }
  mlir::Value number(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b, value);
  }
  mlir::Value isAtMost(mlir::Value a, mlir::Value c) {
    return b.createOrFold<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::sle,
                                               a, c);
  }

  mlir::ImplicitLocOpBuilder &b;
  Of whom;
  /// Without this the tiles' elements wrap.
  mlir::Value fits;
};

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_POSITIONBOUNDS_H
