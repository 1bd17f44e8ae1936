//===- FusionPlan.h - which values of a graph are stored --------*- C++ -*-===//
//
// A plan is a set of *cuts*: values that are stored. What is not cut is
// computed again wherever it is demanded, so a kernel is everything between one
// stored value, or several, and the stored values before it. The plan that
// cuts everywhere is the unfused one; it is always among the candidates, and
// the cost model may find it the best.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONPLAN_H
#define FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONPLAN_H

#include "fuse/Analysis/ScheduleSearch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {

/// The values that one kernel stores.
using KernelRoots = llvm::SmallVector<mlir::Value, 2>;

/// One step of the search that was taken.
struct FusionStep {
  std::string what;
  double secondsBefore, secondsAfter;
};

class FusionPlanner {
public:
  FusionPlanner(mlir::func::FuncOp function, const Machine &machine);

  /// Searches. Fails, with an error at the op, where an op is one that no
  /// kernel can hold.
  mlir::LogicalResult plan();

  /// The kernels, in an order in which they can run.
  llvm::ArrayRef<KernelRoots> kernels() const { return groups; }
  ScheduledKernel scheduleOf(const KernelRoots &roots);
  /// What a kernel reads: arguments, constants and what others store.
  llvm::SetVector<mlir::Value> leavesOf(llvm::ArrayRef<mlir::Value> roots);

  double seconds() const { return total; }
  /// What the plan would cost if a stored value were not, and the other way
  /// round; infinite if that is no plan.
  double secondsWithout(mlir::Value cut);
  double unfusedSeconds();
  bool isStored(mlir::Value value) const { return stored.contains(value); }
  /// Values that are stored whatever it costs: results, and what ops that are
  /// not the graph's use.
  bool isRequired(mlir::Value value) const {
    return llvm::is_contained(required, value);
  }
  llvm::ArrayRef<FusionStep> steps() const { return log; }

private:
  using Cuts = std::vector<bool>;
  using Groups = llvm::SmallVector<KernelRoots>;
  using Key = std::vector<unsigned>;

  bool isLarge() const;
  void findRequired();
  void findCandidates();
  Groups groupsOf(const Cuts &cuts) const;
  double secondsOf(const Groups &groups);
  double secondsOf(const Cuts &cuts);
  void mergeGroups();
  bool isAcyclic(const Groups &groups);
  void sortGroups();
  const ScheduledKernel &costOf(llvm::ArrayRef<mlir::Value> roots,
                                const llvm::DenseSet<mlir::Value> &stored);
  llvm::SetVector<mlir::Value>
  leavesOf(llvm::ArrayRef<mlir::Value> roots,
           const llvm::DenseSet<mlir::Value> &stored) const;
  bool isGraphValue(mlir::Value value) const;

  mlir::func::FuncOp function;
  const Machine &machine;
  SizeAnalysis sizes;
  /// In program order.
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::SmallVector<mlir::Value> required, candidates;
  Groups groups;
  llvm::DenseSet<mlir::Value> stored;
  double total = 0;
  std::map<Key, ScheduledKernel> known;
  std::map<Cuts, double> knownPlans;
  llvm::SmallVector<FusionStep> log;
};

} // namespace fuse

#endif // FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONPLAN_H
