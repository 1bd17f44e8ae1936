//===- FusionPlan.h - which values of a graph are stored --------*- C++ -*-===//
//
// A plan is a set of *cuts*: values that are stored. What is not cut is
// computed again wherever it is demanded, so a kernel is everything between one
// stored value, or several, and the stored values before it. The plan that
// cuts everywhere is the unfused one; it is always among the candidates, and
// the cost model may find it the best.
//
// A long graph is searched in stretches, each between two seams (see
// FusionGraph.h), and then it is seen whether seams have to be stored.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONPLAN_H
#define FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONPLAN_H

#include "KernelCosts.h"
#include "llvm/ADT/BitVector.h"
#include <map>

namespace fuse {

/// One step of the search that was taken.
struct FusionStep {
  std::string what;
  double secondsBefore, secondsAfter;
};

class FusionPlanner {
public:
  FusionPlanner(mlir::func::FuncOp function, const Machine &machine)
      : machine(machine), graph(function), costs(graph, machine) {}

  /// Searches. Fails, with an error at the op, where an op is one that no
  /// kernel can hold, or where more than `mostKernels` are needed; 0 is any
  /// number.
  mlir::LogicalResult plan(unsigned mostKernels);

  /// The kernels, in an order in which they can run.
  llvm::ArrayRef<KernelRoots> kernels() const { return groups; }
  const ScheduledKernel &scheduleOf(const KernelRoots &roots);
  /// What a kernel reads: arguments, constants and what others store.
  llvm::SetVector<mlir::Value> leavesOf(llvm::ArrayRef<mlir::Value> roots);

  double seconds() const { return total; }
  /// What the plan would cost if a stored value were not, and the other way
  /// round; infinite if that is no plan.
  double secondsWithout(mlir::Value cut);
  double unfusedSeconds();
  bool isStored(mlir::Value value) const { return stored.contains(value); }
  bool isRequired(mlir::Value value) const { return graph.isRequired(value); }
  /// Whether a kernel that computes `consumer` computes its operand, too, and
  /// does not read it, be it stored for others or not.
  bool isFused(mlir::Value operand, mlir::Operation *consumer) const;
  llvm::ArrayRef<FusionStep> steps() const { return log; }
  /// How many kernels the search has costed.
  size_t numCosted() const { return costs.numCosted(); }

  const SizeAnalysis &sizes() const { return graph.sizes(); }

private:
  using Cuts = std::vector<bool>;
  using Groups = llvm::SmallVector<KernelRoots>;
  struct State;
  class StretchSearch;

  double secondsOf(const Groups &groups);
  bool fuseStored(bool mustGain);
  bool fuseSomeStored(bool mustGain);
  unsigned countInside(mlir::Value last,
                       const llvm::DenseSet<mlir::Value> &fused) const;
  void joinStretches(llvm::MutableArrayRef<Groups> parts,
                     llvm::ArrayRef<Stretch> stretches);
  /// Which groups wait for which, by number.
  struct Order {
    /// Of every group, those that have to be done before it, and behind it.
    std::vector<llvm::BitVector> needs, neededBy;
    /// Those that it needs by way of an op that is none of the graph's.
    std::vector<llvm::BitVector> needsByOthers;

    /// Which groups read a value that is stored.
    llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>> readers;

    /// Whether something has to be done behind one and before the other.
    bool isBetween(size_t first, size_t last) const;
    /// Whether a group other than these reads the value.
    bool isReadBeyond(mlir::Value value, size_t first, size_t second) const;
  };
  /// Two kernels that could be one, what that would store, and gain.
  struct Merge {
    size_t first, second;
    KernelRoots roots;
    double gain;
  };
  Order findOrder() const;
  Merge mergeOf(size_t first, size_t second, const Order &order, double before);
  const Merge &knownMergeOf(size_t first, size_t second, const Order &order,
                            double before);
  void visitMerges(double least,
                   llvm::function_ref<bool(const Merge &)> isWanted);
  void merge(const Merge &merge);
  bool mergeGroups(double least);
  mlir::LogicalResult limitKernels(unsigned most);
  void findLeaves();
  void sortGroups();

  const Machine &machine;
  FusionGraph graph;
  KernelCosts costs;
  SearchEffort effort = SearchEffort::Thorough;
  Groups groups;
  /// What each of them reads, when the plan is made.
  llvm::SmallVector<llvm::SetVector<mlir::Value>> leaves;
  /// The roots of all groups; while a stretch is searched, what is stored
  /// outside of it.
  llvm::DenseSet<mlir::Value> stored;
  /// By the roots of the first, null, and the roots of the second.
  std::map<std::vector<const void *>, Merge> merges;
  double total = 0;
  llvm::SmallVector<FusionStep> log;
};

} // namespace fuse

#endif // FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONPLAN_H
