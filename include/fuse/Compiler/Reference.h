//===- Reference.h - run a graph op by op on the CPU ------------*- C++ -*-===//
//
// The road that judges all others: nothing is fused, no lowering is shared with
// what fuses, and, if asked for, everything is computed in f64.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_REFERENCE_H
#define FUSE_COMPILER_REFERENCE_H

#include "fuse/Compiler/Compiler.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Pipeline/Pipelines.h"

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace fuse {

/// Its plan has one kernel for each op of the decomposed graph.
class ReferenceProgram final : public Program {
public:
  ~ReferenceProgram() override;

  /// Compiles the function `entry` of `module`, which stays as it is, for
  /// arguments of the given shapes. What is wrong with the graph has been
  /// reported as a diagnostic where it is; the error says what followed.
  /// `optLevel` is how much LLVM optimises, from 0 to 3; if it is not given, as
  /// much as pays off in one run. A `sumStride` above 1 sums terms in another
  /// order.
  static Result<std::unique_ptr<ReferenceProgram>>
  compile(mlir::ModuleOp module, llvm::StringRef entry,
          llvm::ArrayRef<ArgumentShape> shapes, ReferenceFloats floats,
          StageObserver observe, std::optional<unsigned> optLevel = {},
          int64_t sumStride = 1);

private:
  ReferenceProgram();

  Status execute(llvm::ArrayRef<const HostBuffer *> inputs,
                 llvm::MutableArrayRef<HostBuffer> outputs,
                 std::vector<LaunchTime> *times) override;

  std::unique_ptr<mlir::ExecutionEngine> engine;
  void (*packed)(void **) = nullptr;
};

} // namespace fuse

#endif // FUSE_COMPILER_REFERENCE_H
