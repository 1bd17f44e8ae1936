//===- CommonFactor.h - where a factor of all terms cancels -----*- C++ -*-===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_COMMONFACTOR_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_COMMONFACTOR_H

#include "Maxima.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace fuse::tile {

/// With what power of a factor that all terms have each number is multiplied.
/// Nothing is known of a number that may be 0 whatever it is multiplied with.
class Degrees {
public:
  explicit Degrees(mlir::ArrayRef<Power> terms) {
    for (const Power &term : terms)
      ones.insert(term.op);
  }
  /// Whether the factor cancels in all that the kernel stores.
  bool cancelIn(KernelOp kernel);
  /// Up to which power of two a multiple may be rounded, so that the factor and
  /// what is made of it is a number of its type. Beyond, weights that are not 1
  /// are below 2^-32, or 2^-8 where there is f16, and taken for others that
  /// are.
  int largestMultiple() const { return isHalf ? 28 : 30; }

private:
  using Degree = std::optional<int>;
  Degree of(mlir::Value value) const {
    auto known = degrees.find(value);
    return known == degrees.end() ? std::nullopt : known->second;
  }
  void set(mlir::Value value, Degree degree);
  bool isHeld(mlir::Value value, int degree);
  Degree join(Degree a, Degree b) {
    if (a && b && *a != *b)
      fails = true;
    return a ? a : b;
  }
  Degree joinAll(mlir::ValueRange values) {
    Degree degree;
    for (mlir::Value value : values)
      degree = join(degree, of(value));
    return degree;
  }
  Degree product(mlir::Value a, mlir::Value b) const {
    return of(a) && of(b) ? Degree(*of(a) + *of(b)) : std::nullopt;
  }
  void visit(mlir::Operation *op);
  void visitSelect(mlir::arith::SelectOp op);
  void visitOther(mlir::Operation *op);

  llvm::DenseSet<mlir::Operation *> ones;
  llvm::DenseMap<mlir::Value, Degree> degrees;
  bool hasChanged = false, fails = false, isHalf = false;
};

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_COMMONFACTOR_H
