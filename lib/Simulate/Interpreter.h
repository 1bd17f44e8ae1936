//===- Interpreter.h - one block of a kernel --------------------*- C++ -*-===//
//
// Goes through the ops of a kernel, strand by strand. Each op is done for all
// threads of its role at once; what threads may do to each other shows at rings
// only.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_INTERPRETER_H
#define FUSE_LIB_SIMULATE_INTERPRETER_H

#include "Issue.h"
#include "Ring.h"
#include "Simulation.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuse::simulate {

class Cluster;

class Interpreter {
public:
  /// The block at `place`, which has this number, counted from 1; it is number
  /// `rank` of `cluster`.
  Interpreter(Simulation &simulation, Cluster &cluster, unsigned rank,
              llvm::ArrayRef<int64_t> place, uint64_t number);

  llvm::ArrayRef<std::unique_ptr<Strand>> allStrands() const { return strands; }
  llvm::ArrayRef<std::unique_ptr<Ring>> allRings() const { return rings; }
  llvm::ArrayRef<int64_t> place() const { return blockPlace; }
  unsigned rankInCluster() const { return rank; }
  bool isAtRoles() const { return hasReachedRoles; }
  /// Whether all of its roles have ended.
  bool isBehindRoles() const;

  Outcome step(Strand &strand);
  int64_t integerOf(Strand &strand, mlir::Value value) {
    return std::get<ArrayPtr>(valueOf(strand, value))->integer();
  }

private:
  // Strands.
  Strand &begin(mlir::Operation *op, mlir::Block &block);
  llvm::LogicalResult end(Strand &strand);

  // Control.
  Outcome enterLoop(Strand &strand, mlir::scf::ForOp loop);
  Outcome enterBranch(Strand &strand, mlir::scf::IfOp branch);
  Outcome yield(Strand &strand, mlir::scf::YieldOp op);
  Outcome enterRoles(Strand &strand, tile::RolesOp roles);

  // Ops.
  Outcome execute(Strand &strand, mlir::Operation *op);
  Outcome executeMemory(Strand &strand, mlir::Operation *op);
  Outcome executeShape(Strand &strand, mlir::Operation *op);
  Outcome executeCollect(Strand &strand, tile::CollectOp op);
  Outcome executeRing(Strand &strand, mlir::Operation *op);
  Outcome takeTurn(Strand &strand, tile::TakeTurnOp op);
  Outcome giveTurn(Strand &strand, tile::GiveTurnOp op);
  Outcome executePointwise(Strand &strand, mlir::Operation *op,
                           const OpFacts &facts);
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
  SimulatedValue &valueOf(Strand &strand, mlir::Value value) {
    auto own = strand.values.find(value);
    return own != strand.values.end() ? own->second : values[value];
  }
  /// Where what it makes is kept.
  SimulatedValue &placeOf(Strand &strand, mlir::Value value) {
    return strand.isCrew ? strand.values[value] : values[value];
  }
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
    return arrayOf(valueOf(strand, value), user, strand);
  }
  ArrayPtr scalar(ElementType type, int64_t value);

  Simulation &simulation;
  Cluster &cluster;
  unsigned rank;
  llvm::SmallVector<int64_t> blockPlace;
  uint64_t number;
  bool hasReachedRoles = false;
  llvm::DenseMap<mlir::Value, SimulatedValue> values;
  /// Of the crews of a role.
  struct Turns {
    uint64_t given = 0;
    bool isTaken = false;
  };
  llvm::DenseMap<mlir::Operation *, Turns> turns;
  std::vector<std::unique_ptr<Strand>> strands;
  std::vector<std::unique_ptr<Ring>> rings;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_INTERPRETER_H
