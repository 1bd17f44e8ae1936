//===- FusionGraph.h - the values that a plan is about ----------*- C++ -*-===//
//
// The graph in which FusionPlanner searches: which values could be stored,
// which have to be, and where a graph that is too long to be searched as a
// whole can be taken apart.
//
// At a *seam* only one value is still needed of all that was computed: between
// two layers of a network, for example. Almost every plan stores it, and if it
// does, what is on one side costs the same whatever is done on the other.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONGRAPH_H
#define FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONGRAPH_H

#include "fuse/Analysis/Sizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace fuse {

/// The values that one kernel stores.
using KernelRoots = llvm::SmallVector<mlir::Value, 2>;

/// A part of a graph between two seams.
struct Stretch {
  /// What is stored whatever it costs: results, and the seam at the end.
  llvm::SmallVector<mlir::Value> required;
  llvm::SmallVector<mlir::Value> candidates;
};

class FusionGraph {
public:
  explicit FusionGraph(mlir::func::FuncOp function);

  /// Whether a kernel may compute the value.
  bool contains(mlir::Value value) const {
    return value.getDefiningOp() && numbers.contains(value);
  }
  /// Counts up in program order.
  unsigned numberOf(mlir::Value value) const { return numbers.lookup(value); }
  /// Values that are stored whatever it costs: results, and what ops that are
  /// not the graph's use.
  llvm::ArrayRef<mlir::Value> required() const { return mustStore; }
  bool isRequired(mlir::Value value) const {
    return isMustStore.contains(value);
  }
  /// Values that it may pay to store.
  llvm::ArrayRef<mlir::Value> candidates() const { return mayStore; }

  /// What a kernel reads, in order of demand, if what `isStored` says so is
  /// stored: arguments, constants and what others store.
  llvm::SetVector<mlir::Value>
  leavesOf(llvm::ArrayRef<mlir::Value> roots,
           llvm::function_ref<bool(mlir::Value)> isStored) const;
  /// Whether `value` is computed inside of the kernel with these roots, rather
  /// than read.
  bool isInside(mlir::Value value, llvm::ArrayRef<mlir::Value> roots,
                llvm::function_ref<bool(mlir::Value)> isStored) const;

  /// The graph in parts of at most `most` candidates, as far as there are
  /// seams.
  llvm::SmallVector<Stretch> stretches(size_t most) const;

  const SizeAnalysis &sizes() const { return sizeAnalysis; }

private:
  void findRequired();
  void findCandidates();
  llvm::SmallVector<mlir::Value> findSeams() const;

  mlir::Block *body;
  SizeAnalysis sizeAnalysis;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::SmallVector<mlir::Value> mustStore, mayStore;
  llvm::DenseSet<mlir::Value> isMustStore;
};

} // namespace fuse

#endif // FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONGRAPH_H
