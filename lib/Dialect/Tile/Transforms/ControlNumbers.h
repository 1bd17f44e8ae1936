//===- ControlNumbers.h - what control flow depends on ----------*- C++ -*-===//
//
// The scalars of a kernel that say how often loops run, which branch is taken
// and which number of a ring is meant, while a kernel is gone through op by op.
// Where they depend on sizes or data, values are tried, one set for each run.
// What is computed alike is equal, wherever it is computed.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_CONTROLNUMBERS_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_CONTROLNUMBERS_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include <map>

namespace fuse::tile {

/// Whether an op copies, waits or multiplies in the staged form.
bool isStagedOp(mlir::Operation *op);

class ControlNumbers {
public:
  explicit ControlNumbers(KernelOp kernel);

  /// Whether rings, products in flight or control depend on what is in `op`.
  bool matters(mlir::Operation *op) const { return relevant.contains(op); }

  void beginRun();
  /// Whether something was decided in this run that had been passed over as
  /// unknown before, by another role: then it has to be begun anew.
  bool decidedLate() const { return isLate; }
  /// Moves on to the next set of values; false if all were tried.
  bool nextRun();

  /// What follows is done by this crew of its role.
  void beginCrew(int64_t number) { crew = number; }

  void evaluate(mlir::Operation *op);
  /// Gives each of `to` what is known of its value of `from`.
  void assign(mlir::ValueRange from, mlir::ValueRange to);
  void set(mlir::Value value, const llvm::APInt &number);
  /// The number, if it is one.
  std::optional<llvm::APInt> get(mlir::Value value) const;

private:
  /// A range, and a name that equal unknowns share.
  struct Scalar {
    std::optional<mlir::ConstantIntRanges> range;
    int64_t name = 0;
    bool isNumber() const { return range && range->getConstantValue(); }
  };
  struct Choice {
    int64_t name;
    llvm::SmallVector<llvm::APInt> values;
    unsigned taken = 0;
  };
  using Expression = std::vector<int64_t>;

  void need(mlir::Value value);
  void markRelevant(mlir::Operation *op);
  void define(mlir::Value value, Scalar scalar);
  int64_t nameOf(Expression expression);
  std::optional<mlir::ConstantIntRanges> rangeOf(mlir::OpResult result) const;
  llvm::APInt choose(int64_t name, const mlir::ConstantIntRanges &range);

  KernelOp kernel;
  llvm::DenseSet<mlir::Operation *> relevant;
  llvm::SetVector<mlir::Value> needed;
  /// Needed values that have to be numbers: bounds and conditions.
  llvm::DenseSet<mlir::Value> decided;
  int64_t mostSlots = 1, crew = 0;

  llvm::DenseMap<mlir::Value, Scalar> scalars;
  std::map<Expression, int64_t> names;
  llvm::SmallVector<Choice> choices;
  /// What was unknown in this run, and was left so.
  llvm::DenseSet<int64_t> leftOpen;
  bool isLate = false;
};

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_CONTROLNUMBERS_H
