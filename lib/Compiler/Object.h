//===- Object.h - machine code that is kept ---------------------*- C++ -*-===//
//
// An object file instead of functions in memory: what the runtime loads where
// there is no compiler.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_OBJECT_H
#define FUSE_LIB_COMPILER_OBJECT_H

#include "fuse/Runtime/CpuCode.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuse {

/// The width of the vectors of a level.
unsigned vectorBitsOf(CpuLevel level);

/// Compiles a module at the stage `llvm`. Each of `functions` is called as a
/// KernelFunction, under the name that packedName() gives it.
Result<std::string> emitObject(mlir::ModuleOp module,
                               llvm::ArrayRef<std::string> functions,
                               CpuLevel level, unsigned optLevel);

std::string packedName(llvm::StringRef function);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_OBJECT_H
