//===- Jit.h - machine code for this processor ------------------*- C++ -*-===//
//
// MLIR's execution engine, set up for the host.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_JIT_H
#define FUSE_LIB_COMPILER_JIT_H

#include "fuse/Runtime/Error.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuse {

struct JitOptions {
  /// 0 to 3.
  unsigned optLevel = 2;
  /// How many bits of a vector to compute with at once; 0: what LLVM thinks
  /// good for the processor.
  unsigned vectorBits = 0;
};

/// On some processors LLVM halves vectors of 512 bits unless told otherwise.
void setVectorBits(llvm::Module &module, unsigned bits);

/// Compiles a module at the stage `llvm`.
Result<std::unique_ptr<mlir::ExecutionEngine>>
createJit(mlir::ModuleOp module, const JitOptions &options);

/// The form of `function` that takes pointers to its arguments; it was made
/// with `llvm.emit_c_interface`.
Result<void (*)(void **)> findPacked(mlir::ExecutionEngine &engine,
                                     llvm::StringRef function);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_JIT_H
