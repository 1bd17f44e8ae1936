//===- Simulation.h - what all blocks of a kernel share ---------*- C++ -*-===//
//
// Its memory, the timing, how much has been done, and what is known of its ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_SIMULATION_H
#define FUSE_LIB_SIMULATE_SIMULATION_H

#include "Access.h"
#include "Pointwise.h"
#include "Timing.h"

namespace fuse::simulate {

/// What is the same each time that an op is done.
struct OpFacts {
  const PointwiseFunction *pointwise = nullptr;
  std::optional<ArrayType> type;
  std::optional<AccessPlan> access;
  /// Of a constant.
  ArrayPtr constant;
};

class Simulation {
public:
  Simulation(tile::KernelOp kernel, llvm::ArrayRef<SimulatedMemory> given,
             const SimulationOptions &options);

  /// It is the turn of the block at `at`.
  void enter(llvm::ArrayRef<int64_t> at) { place.assign(at.begin(), at.end()); }
  const OpFacts &factsOf(mlir::Operation *op);
  /// Counts work, and fails where it becomes too much.
  bool work(mlir::Operation *op, uint64_t amount);
  /// Checks that every element of every output has been written.
  llvm::LogicalResult checkWritten();

  tile::KernelOp kernel;
  Timing timing;
  std::vector<Memory> memory;
  llvm::SmallVector<int64_t> place;

private:
  uint64_t mostWork, workDone = 0;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<OpFacts>> facts;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_SIMULATION_H
