//===- LoopSchedule.h - in which order a loop does its work -----*- C++ -*-===//
//
// Candidates for the order of a loop with products in flight, and what a model
// says of them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_LOOPSCHEDULE_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_LOOPSCHEDULE_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"

namespace fuse::tile {

/// An order of the ops of a loop's body, by their numbers in it.
struct LoopSchedule {
  llvm::SmallVector<unsigned> order;
  /// Those that are done a round late.
  llvm::BitVector late;
  /// Cycles of a round, and 32-bit registers of a thread, as far as the model
  /// knows.
  double period = 0;
  int64_t registers = 0;
};

/// The 32-bit registers of a thread that a tile takes.
int64_t registersOf(mlir::Type type);

/// The cycles for which an op keeps a warp's scheduler busy.
double cyclesOf(mlir::Operation *op);

class LoopScheduler {
public:
  explicit LoopScheduler(mlir::scf::ForOp loop);

  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }
  mlir::Operation *getOp(unsigned number) const { return ops[number]; }
  /// Whether products are set off in the loop itself.
  bool hasProducts() const { return !ends.empty(); }
  /// The products that end with an op, at the latest, by their numbers.
  llvm::SmallVector<unsigned> endedBy(unsigned number) const;
  std::optional<unsigned> numberOf(mlir::Operation *op) const;
  /// All that are legal, beginning with those in which nothing is late.
  llvm::SmallVector<LoopSchedule> candidates() const;

private:
  /// `to` of a round comes behind `from` of the round `distance` before it.
  struct Edge {
    unsigned from, to, distance;
  };
  /// What waits for a product, by the number of its beginning.
  using Ends = llvm::DenseMap<unsigned, unsigned>;

  void addEdge(mlir::Operation *from, mlir::Operation *to, unsigned distance);
  void addValueEdges();
  void addSlotEdges();
  void addBorrowEdges();
  void addOrderEdges();
  bool isSinkable(unsigned number, const llvm::BitVector &late) const;
  bool close(llvm::BitVector &late) const;
  bool isLegal(const llvm::BitVector &late) const;
  bool arrange(LoopSchedule &schedule, bool isThrifty) const;
  void runModel(LoopSchedule &schedule) const;
  void countRegisters(LoopSchedule &schedule) const;

  // MLIR's ops are handles, which know no const.
  mutable mlir::scf::ForOp loop;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::SmallVector<Edge> edges;
  /// Beginnings and ends of products.
  llvm::SmallVector<unsigned> products;
  Ends ends;
};

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_LOOPSCHEDULE_H
