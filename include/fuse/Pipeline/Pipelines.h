//===- Pipelines.h - stages, and how each is reached ------------*- C++ -*-===//
//
// One function builds the pipeline to each stage. The same pipelines run in
// fuse-opt, by name, and in everything that compiles.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PIPELINE_PIPELINES_H
#define FUSE_PIPELINE_PIPELINES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace fuse {

/// What the IR consists of between pipelines.
enum class Stage { Graph, Linalg, LLVM };

/// In which floats the reference computes.
enum class ReferenceFloats {
  /// In those that are written: what running the ops one by one gives.
  Same,
  /// In f64, every cast between floats dropped: the exact mathematics.
  Exact,
  /// In f64, but casts still round to the type that is written.
  Round,
};

#define GEN_PASS_DECL
#include "fuse/Pipeline/Passes.h.inc"

/// Graph -> linalg, op by op.
void buildReferenceToLinalg(mlir::OpPassManager &pm, ReferenceFloats floats);
/// linalg -> LLVM, for a CPU. Results become arguments of the function,
/// behind the others; `_mlir_ciface_` wrappers take them as descriptors.
void buildLinalgToLLVM(mlir::OpPassManager &pm);

/// Every dialect that a stage consists of, with what its passes need.
void registerDialects(mlir::DialectRegistry &registry);
/// Every pass and pipeline of ours, and upstream's on the same dialects.
void registerPasses();

} // namespace fuse

#endif // FUSE_PIPELINE_PIPELINES_H
