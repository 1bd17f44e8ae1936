//===- Graph.h - run a graph on the CPU, op by op ---------------*- C++ -*-===//
//
// An interpreter of graphs: what each op is defined to be, on whole arrays and
// without making code. It runs slower than code does, but begins at once.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_SIMULATE_GRAPH_H
#define FUSE_SIMULATE_GRAPH_H

#include "fuse/Simulate/Simulate.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {

/// Whether every op of `graph` is known to the interpreter. It has to be
/// decomposed, without kernels, and all sizes have to be known. What is not is
/// reported as a diagnostic where it is.
llvm::LogicalResult checkGraphForSimulation(mlir::func::FuncOp graph);

/// Runs a graph that has been checked. Sums are taken one element after the
/// other, in the accumulator's type. The memory is dense.
void simulateGraph(mlir::func::FuncOp graph,
                   llvm::ArrayRef<SimulatedMemory> inputs,
                   llvm::ArrayRef<SimulatedMemory> outputs);

} // namespace fuse

#endif // FUSE_SIMULATE_GRAPH_H
