//===- Interpreter.h - one block after the other ----------------*- C++ -*-===//
//
// Goes through the ops of a kernel, for all roles in turns. Each op is done for
// all threads of its role at once; what threads may do to each other shows at
// rings only.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_INTERPRETER_H
#define FUSE_LIB_SIMULATE_INTERPRETER_H

#include "Access.h"
#include "Issue.h"
#include "Pointwise.h"
#include "Ring.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuse::simulate {

class Interpreter {
public:
  Interpreter(tile::KernelOp kernel, llvm::ArrayRef<SimulatedMemory> memory,
              const SimulationOptions &options);

  /// Runs the block at `place`, which has this number, counted from 1.
  llvm::LogicalResult runBlock(llvm::ArrayRef<int64_t> place, uint64_t number);
  /// Checks that every element of every output has been written.
  llvm::LogicalResult checkWritten();

private:
  /// What is the same each time that an op is done.
  struct Facts {
    const PointwiseFunction *pointwise = nullptr;
    std::optional<ArrayType> type;
    std::optional<AccessPlan> access;
    /// Of a constant.
    ArrayPtr constant;
  };
  const Facts &factsOf(mlir::Operation *op);

  // Strands.
  llvm::LogicalResult runStrands();
  bool isReady(const Strand &strand) const {
    return !strand.hasEnded() && strand.openRoles == 0;
  }
  Strand &begin(mlir::Operation *op, mlir::Block &block);
  Outcome step(Strand &strand);
  llvm::LogicalResult end(Strand &strand);
  llvm::LogicalResult reportDeadlock();

  // Control.
  Outcome enterLoop(Strand &strand, mlir::scf::ForOp loop);
  Outcome enterBranch(Strand &strand, mlir::scf::IfOp branch);
  Outcome yield(Strand &strand, mlir::scf::YieldOp op);
  Outcome enterRoles(Strand &strand, tile::RolesOp roles);

  // Ops.
  Outcome execute(Strand &strand, mlir::Operation *op);
  Outcome executeMemory(Strand &strand, mlir::Operation *op);
  Outcome executeShape(Strand &strand, mlir::Operation *op);
  Outcome executeRing(Strand &strand, mlir::Operation *op);
  Outcome executePointwise(Strand &strand, mlir::Operation *op,
                           const Facts &facts);
  std::optional<AccessOperands> accessOperands(Strand &strand,
                                               const AccessPlan &plan);

  // Products in flight.
  Outcome issue(Strand &strand, tile::DotIssueOp op);
  Outcome start(Strand &strand, tile::StartOp op);
  Outcome take(Strand &strand, tile::TakeOp op);
  Outcome retire(Strand &strand, tile::RetireOp op);
  bool settle(Strand &strand, Issue &issue, mlir::Operation *op,
              uint64_t behind);
  bool compute(Strand &strand, Issue &issue);

  // Values.
  /// False after a diagnostic, where registers are borrowed.
  bool set(Strand &strand, mlir::Value value, SimulatedValue simulated);
  Outcome setResult(Strand &strand, mlir::Operation *op, SimulatedValue value) {
    return set(strand, op->getResult(0), std::move(value)) ? Outcome::Done
                                                           : Outcome::Failed;
  }
  /// Null after a diagnostic.
  ArrayPtr arrayOf(const SimulatedValue &value, mlir::Operation *user,
                   Strand &strand);
  ArrayPtr arrayOf(mlir::Value value, mlir::Operation *user, Strand &strand) {
    return arrayOf(values[value], user, strand);
  }
  int64_t integerOf(mlir::Value value) {
    return std::get<ArrayPtr>(values[value])->integer();
  }
  std::shared_ptr<Array> makeResult(mlir::Operation *op);
  ArrayPtr scalar(ElementType type, int64_t value);
  /// Counts work, and fails where it becomes too much.
  bool work(mlir::Operation *op, uint64_t amount);

  tile::KernelOp kernel;
  uint64_t mostWork;
  Timing timing;
  std::vector<Memory> memory;
  uint64_t block = 0, workDone = 0;
  llvm::DenseMap<mlir::Value, SimulatedValue> values;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Facts>> facts;
  std::vector<std::unique_ptr<Strand>> strands;
  std::vector<std::unique_ptr<Ring>> rings;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_INTERPRETER_H
