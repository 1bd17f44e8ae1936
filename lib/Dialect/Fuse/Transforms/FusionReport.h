//===- FusionReport.h - what was fused, and why -----------------*- C++ -*-===//
//
// The decisions of `fuse-form-kernels` as JSON: every kernel with its schedule
// and predicted cost, every edge of the graph, and the steps of the search.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONREPORT_H
#define FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONREPORT_H

#include "FusionPlan.h"
#include "RejectedSchedules.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"

namespace fuse {

/// From the op that makes a value to one that uses it.
struct FusionEdge {
  mlir::Operation *producer, *consumer;
  bool isFused;
  llvm::StringRef rule;
  std::string reason;
  double bytes;
};

struct FusionReport {
  struct Kernel {
    KernelOp op;
    ScheduledKernel scheduled;
    llvm::SmallVector<RejectedSchedule, 0> rejected = {};
  };
  struct Plan {
    std::string function;
    double seconds, unfusedSeconds;
    size_t numCosted;
    llvm::SmallVector<FusionStep> steps;
  };

  llvm::SmallVector<Kernel, 0> kernels;
  llvm::SmallVector<Plan, 0> plans;
  /// The ops of an edge are gone when the report is written.
  struct Edge {
    std::string producer, consumer, location, rule, reason;
    bool isFused;
    double bytes;
  };
  llvm::SmallVector<Edge, 0> edges;

  void addEdge(const FusionEdge &edge);
  void addPlan(mlir::func::FuncOp function, FusionPlanner &planner);
  /// All of it as JSON.
  std::string text() const;
};

} // namespace fuse

#endif // FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONREPORT_H
