//===- Cluster.h - blocks that run together ---------------------*- C++ -*-===//
//
// The blocks of a cluster, or a single one. Where they fill each other's rings,
// all of them begin their roles together and end them together.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_CLUSTER_H
#define FUSE_LIB_SIMULATE_CLUSTER_H

#include "Interpreter.h"

namespace fuse::simulate {

class Cluster {
public:
  /// The blocks at `places`, the first of which has this number.
  Cluster(Simulation &simulation,
          llvm::ArrayRef<llvm::SmallVector<int64_t>> places, uint64_t number);

  llvm::LogicalResult run();

  /// What a ring is in each block, null where it is not made yet.
  llvm::MutableArrayRef<Ring *> ringsOf(tile::RingOp op);
  /// What each block has put down for the others to collect, nothing where it
  /// has not come there yet.
  std::vector<llvm::SmallVector<ArrayPtr>> &collectedAt(tile::CollectOp op) {
    auto &sources = collected[op];
    sources.resize(blocks.size());
    return sources;
  }
  /// Whether none has to wait for another one before its roles.
  bool haveAllReachedRoles() const;

private:
  struct Place {
    Interpreter *block;
    Strand *strand;
  };

  bool isReady(const Strand &strand) const;
  llvm::SmallVector<Place> findReady() const;
  bool landOne();
  llvm::LogicalResult reportDeadlock();

  Simulation &simulation;
  /// Whether blocks fill each other's rings.
  bool isShared = false;
  std::vector<std::unique_ptr<Interpreter>> blocks;
  llvm::DenseMap<mlir::Operation *, std::vector<Ring *>> rings;
  llvm::DenseMap<mlir::Operation *, std::vector<llvm::SmallVector<ArrayPtr>>>
      collected;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_CLUSTER_H
