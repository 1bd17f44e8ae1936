//===- KernelCode.h - LLVM's optimiser on kernels ---------------*- C++ -*-===//

#ifndef FUSE_LIB_COMPILER_KERNELCODE_H
#define FUSE_LIB_COMPILER_KERNELCODE_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace fuse {

/// Optimises kernels for a CPU with LLVM's passes of `level`, from 0 to 3.
/// Their loops have been blocked, unrolled and vectorised before, for what the
/// processor can hold, and are not once more.
void optimizeKernels(llvm::Module &module, unsigned level,
                     llvm::TargetMachine &machine);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_KERNELCODE_H
