//===- Entry.h - what all roads do first ------------------------*- C++ -*-===//
//
// From a module that a user wrote to one function whose sizes are known. No op
// is lowered here, so the roads may share it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_ENTRY_H
#define FUSE_LIB_COMPILER_ENTRY_H

#include "fuse/Compiler/Compiler.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

namespace fuse {

/// The one function of a graph that is left has a name that no library function
/// has: the JIT would resolve `exp` to a graph of that name.
inline constexpr llvm::StringLiteral entryName = "fuse_graph_entry";

/// Runs passes; `road` "cannot `what`" where they fail.
Status runStage(mlir::ModuleOp module, llvm::StringRef road,
                llvm::StringRef what,
                llvm::function_ref<void(mlir::OpPassManager &)> build);

/// Leaves the graph `entry` alone in the module, everything it calls inlined
/// and its sizes bound, unless they are left open; then `shapes` are hints for
/// whoever chooses the sizes of tiles. What is then there is a decomposed
/// graph, in which kernels are dissolved, or stay as their author drew them.
Result<mlir::func::FuncOp>
prepareGraph(mlir::ModuleOp module, llvm::StringRef road, llvm::StringRef entry,
             llvm::ArrayRef<ArgumentShape> shapes, StageObserver observe,
             bool dissolvesKernels, bool leavesSizesOpen = false);

/// The signature of a tensor, if buffers can hold one.
std::optional<TensorSignature> signatureOf(mlir::Type type);

/// The signatures of the arguments or results of a function.
Result<std::vector<TensorSignature>> signaturesOf(mlir::TypeRange types,
                                                  llvm::StringRef what);

/// "file.mlir:12", where `op` was written.
std::string locationText(mlir::Operation *op);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_ENTRY_H
