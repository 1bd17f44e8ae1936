//===- Reference.h - run a graph op by op on the CPU ------------*- C++ -*-===//
//
// The road that judges all others: nothing is fused, no code is shared with
// what fuses, and, if asked for, everything is computed in f64.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_REFERENCE_H
#define FUSE_COMPILER_REFERENCE_H

#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Pipeline/Pipelines.h"
#include "fuse/Runtime/Buffer.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace fuse {

/// The type and shape of one argument or result of a compiled graph.
struct TensorSignature {
  ElementType type;
  std::vector<int64_t> shape;
};

/// One kernel of a compiled graph.
struct PlanStep {
  /// The ops in it, the type of what it makes, and where it was written.
  std::vector<std::string> ops;
  std::string result, location;
};

/// The element type of buffers that hold `type`, if there is one.
std::optional<ElementType> elementTypeFor(mlir::Type type);

/// Is shown the module at every stage on the way.
using StageObserver =
    llvm::function_ref<void(llvm::StringRef stage, mlir::ModuleOp module)>;

class ReferenceProgram {
public:
  ~ReferenceProgram();

  /// Compiles the function `entry` of `module`, which stays as it is, for
  /// arguments of the given shapes. What is wrong with the graph has been
  /// reported as a diagnostic where it is; the error says what followed.
  static Result<std::unique_ptr<ReferenceProgram>>
  compile(mlir::ModuleOp module, llvm::StringRef entry,
          llvm::ArrayRef<ArgumentShape> shapes, ReferenceFloats floats,
          StageObserver observe);

  /// Arguments of type index are not among the inputs: they were bound.
  llvm::ArrayRef<TensorSignature> inputs() const { return inputTypes; }
  llvm::ArrayRef<TensorSignature> outputs() const { return outputTypes; }
  /// Here, one kernel for each op of the decomposed graph.
  llvm::ArrayRef<PlanStep> plan() const { return steps; }

  /// Runs once. Every buffer has the type and shape that the signature says.
  Status run(llvm::ArrayRef<const HostBuffer *> inputs,
             llvm::MutableArrayRef<HostBuffer> outputs);

private:
  ReferenceProgram();

  std::vector<TensorSignature> inputTypes, outputTypes;
  std::vector<PlanStep> steps;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  void (*packed)(void **) = nullptr;
};

} // namespace fuse

#endif // FUSE_COMPILER_REFERENCE_H
