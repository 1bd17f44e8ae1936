//===- KernelCosts.h - what the kernels of a plan would cost ----*- C++ -*-===//
//
// A search asks for the same kernels over and over, and in a network of equal
// layers most kernels are copies of others: the same ops with the same
// attributes and types, wired in the same way, at another place of the graph.
// Each is scheduled and costed once.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_FUSE_TRANSFORMS_KERNELCOSTS_H
#define FUSE_LIB_DIALECT_FUSE_TRANSFORMS_KERNELCOSTS_H

#include "FusionGraph.h"
#include "fuse/Analysis/ScheduleSearch.h"

namespace fuse {

class KernelCosts {
public:
  KernelCosts(const FusionGraph &graph, const Machine &machine)
      : graph(graph), machine(machine) {}

  /// The best kernel that computes `roots` from what is stored.
  const ScheduledKernel &of(llvm::ArrayRef<mlir::Value> roots,
                            llvm::function_ref<bool(mlir::Value)> isStored,
                            SearchEffort effort = SearchEffort::Thorough);

  /// How many kernels have been costed, copies not counted.
  size_t numCosted() const { return known.size(); }

private:
  /// What a kernel looks like: equal for copies, and for nothing else.
  using Structure = std::vector<uintptr_t>;

  Structure structureOf(llvm::ArrayRef<mlir::Value> roots,
                        llvm::function_ref<bool(mlir::Value)> isStored) const;

  const FusionGraph &graph;
  const Machine &machine;
  std::map<Structure, ScheduledKernel> known;
};

} // namespace fuse

#endif // FUSE_LIB_DIALECT_FUSE_TRANSFORMS_KERNELCOSTS_H
