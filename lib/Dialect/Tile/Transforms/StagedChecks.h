//===- StagedChecks.h - the checks of tile-verify-staged --------*- C++ -*-===//
//
// Each has a file of its own. Errors stand at the op that cannot be where it
// is, with a note at the one that it collides with.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_STAGEDCHECKS_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_STAGEDCHECKS_H

#include "StagedRun.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace fuse::tile {

/// An op on a ring, and for which number it was done; or the beginning or end
/// of a turn, which has neither.
struct RingStep {
  mlir::Operation *op;
  RingOp ring;
  int64_t number;
};

/// What one role does to rings, in order, or one of its crews. The role is the
/// kernel where there are none.
struct RoleTrace {
  mlir::Operation *role;
  llvm::SmallVector<RingStep> steps;
  int64_t crew = 0, crews = 1;
};

/// An error at an op, with a note at another one.
mlir::LogicalResult reportBoth(mlir::Operation *op, const llvm::Twine &what,
                               mlir::Operation *other,
                               const llvm::Twine &whatOther);

/// VerifyRoles.cpp: what can be seen without following control flow. Registers
/// and warps, who fills and reads which ring, and conditions.
mlir::LogicalResult checkRoles(KernelOp kernel);

/// VerifyClusters.cpp: blocks that fill each other's slots do the same while
/// all of them are there.
mlir::LogicalResult checkClusters(KernelOp kernel);

/// VerifyRingOrder.cpp: every number is filled, waited for and released once,
/// in order, with all of its parts; by crews in their turn.
mlir::LogicalResult checkRingOrder(llvm::ArrayRef<RoleTrace> roles,
                                   bool isComplete);

/// VerifyRingProgress.cpp: nobody waits for ever, and no slot is filled that
/// somebody may still read.
mlir::LogicalResult checkRingProgress(llvm::ArrayRef<RoleTrace> roles);

/// VerifyProducts.cpp: what products in flight read and write is left alone.
class ProductChecker {
public:
  explicit ProductChecker(mlir::Operation *role);
  mlir::LogicalResult visit(mlir::Operation *op, const ControlNumbers &numbers);
  mlir::LogicalResult rename(mlir::ValueRange from, mlir::ValueRange to,
                             mlir::Operation *yield);
  mlir::LogicalResult finish();

private:
  /// A number of a ring; of a tile that threads write it is 0.
  using Number = std::pair<mlir::Operation *, int64_t>;
  /// A product that was set off, and what goes on with its sum.
  struct Issue {
    DotIssueOp op;
    mlir::Operation *consumer = nullptr;
  };
  /// Where a tile in shared memory comes from.
  struct Origin {
    mlir::Operation *op = nullptr;
    Number number;
  };

  mlir::LogicalResult visitUses(mlir::Operation *op);
  mlir::LogicalResult visitOp(mlir::Operation *op,
                              const ControlNumbers &numbers);
  mlir::LogicalResult visitDefinitions(mlir::Operation *op);
  mlir::LogicalResult visitIssue(DotIssueOp op);
  mlir::LogicalResult visitRelease(ReleaseOp op, int64_t number);
  mlir::LogicalResult consume(mlir::Operation *op, mlir::Value pending);
  mlir::LogicalResult retire(mlir::Operation *op, unsigned issue,
                             int64_t behind);
  /// The product in flight that reads the registers of `value`.
  Issue *borrowerOf(mlir::Value value);

  llvm::SmallVector<Issue> issues;
  /// So many of them are done: they end in order.
  unsigned numDone = 0;
  /// The number of a sum to which no product was added yet.
  static constexpr unsigned started = ~0u;
  /// By their number: products of sums and groups, and the last one that reads
  /// registers or a number of a ring.
  llvm::DenseMap<mlir::Value, unsigned> pendings, groups, borrowers;
  llvm::DenseMap<Number, unsigned> readers;
  llvm::DenseMap<mlir::Value, Origin> origins;
  llvm::DenseMap<Number, mlir::Operation *> released;
  /// Values that a loop carries live in the same registers.
  llvm::EquivalenceClasses<mlir::Value> registers;
};

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_STAGEDCHECKS_H
