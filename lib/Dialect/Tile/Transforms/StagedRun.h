//===- StagedRun.h - what a role does, op by op -----------------*- C++ -*-===//
//
// Goes through a block as a chip would, loops round by round, and tells a
// listener which ops there are.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_STAGEDRUN_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_STAGEDRUN_H

#include "ControlNumbers.h"

namespace fuse::tile {

class RunListener {
public:
  virtual ~RunListener() = default;
  /// The next op; of a loop only if it is passed over, of a branch its end.
  virtual mlir::LogicalResult visit(mlir::Operation *op) = 0;
  /// `to` are now other names of `from`. Where a round of a loop ends,
  /// `yield` is its end.
  virtual mlir::LogicalResult rename(mlir::ValueRange from, mlir::ValueRange to,
                                     mlir::Operation *yield) = 0;
};

class StagedRun {
public:
  /// Stops after so many `steps`, which are counted down.
  StagedRun(ControlNumbers &numbers, int64_t &steps)
      : numbers(numbers), steps(steps) {}

  mlir::LogicalResult run(mlir::Block &block, RunListener &listener);
  /// Whether it was not gone through to the end.
  bool isCut() const { return steps <= 0; }

private:
  mlir::LogicalResult runOp(mlir::Operation *op, RunListener &listener);
  mlir::LogicalResult runLoop(mlir::scf::ForOp loop, RunListener &listener);
  mlir::LogicalResult runBranch(mlir::scf::IfOp branch, RunListener &listener);
  mlir::LogicalResult rename(mlir::ValueRange from, mlir::ValueRange to,
                             mlir::Operation *yield, RunListener &listener);

  ControlNumbers &numbers;
  int64_t &steps;
};

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_STAGEDRUN_H
