//===- KernelCode.h - LLVM's optimiser on kernels ---------------*- C++ -*-===//

#ifndef FUSE_LIB_COMPILER_KERNELCODE_H
#define FUSE_LIB_COMPILER_KERNELCODE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace fuse {

/// Makes all functions local but those that are asked for by their names, and
/// puts what has one caller into it. A function that others may call is
/// compiled beside each of the wrappers that it is inlined into; and what
/// passes inline where they get to it, they optimise before and after.
void keepOnly(llvm::Module &module,
              llvm::function_ref<bool(llvm::StringRef)> isKept);

/// Optimises kernels for a CPU, or does not where `level` is 0. Their loops
/// have been blocked, unrolled and vectorised before, for what the processor
/// can hold, and are not once more.
void optimizeKernels(llvm::Module &module, unsigned level,
                     llvm::TargetMachine &machine);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_KERNELCODE_H
