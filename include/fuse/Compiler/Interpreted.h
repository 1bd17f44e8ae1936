//===- Interpreted.h - the reference road without code ----------*- C++ -*-===//
//
// Runs the ops of a graph as the reference road does, one after the other and
// in the same floats, but interprets them. A graph that runs once on little
// data, of which there are many, is done before it would be compiled.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_INTERPRETED_H
#define FUSE_COMPILER_INTERPRETED_H

#include "fuse/Compiler/Compiler.h"
#include "fuse/Pipeline/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuse {

class InterpretedProgram final : public Program {
public:
  /// Prepares the function `entry` of `module`, which stays as it is, for
  /// arguments of the given shapes. What is wrong with the graph has been
  /// reported as a diagnostic where it is; the error says what followed.
  /// A `sumStride` above 1 sums terms in another order.
  static Result<std::unique_ptr<InterpretedProgram>>
  create(mlir::ModuleOp module, llvm::StringRef entry,
         llvm::ArrayRef<ArgumentShape> shapes, ReferenceFloats floats,
         int64_t sumStride = 1);

private:
  InterpretedProgram() = default;

  Status execute(llvm::ArrayRef<const HostBuffer *> inputs,
                 llvm::MutableArrayRef<HostBuffer> outputs,
                 std::vector<LaunchTime> *times) override;

  mlir::OwningOpRef<mlir::ModuleOp> owned;
  mlir::func::FuncOp function;
};

} // namespace fuse

#endif // FUSE_COMPILER_INTERPRETED_H
