//===- Assemble.h - machine code, and what is wrong with it -----*- C++ -*-===//
//
// Runs ptxas on the PTX of a module of kernels. What it says of a kernel that
// costs speed is told where the graph has what the kernel computes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TARGET_ASSEMBLE_H
#define FUSE_TARGET_ASSEMBLE_H

#include "fuse/Target/Ptxas.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuse {

/// A kernel that leaves to ptxas how many registers it has.
struct FreeRegisters {
  std::string kernel;
  unsigned warps = 0, sharedBytes = 0;
  /// How many of its blocks a processor has to do, all at once if they fit; 0
  /// if nobody knows.
  unsigned blocks = 0;
  /// How many of them its schedule counts on to be there at once, if it says.
  unsigned together = 0;
};
std::vector<FreeRegisters> kernelsOfFreeRegisters(mlir::gpu::GPUModuleOp module,
                                                  const GpuChip &chip);

/// Assembles `ptx`; those of its kernels that `free` has are told how few
/// blocks they have to be for if that gives them registers that they use, or
/// how many if they have taken too many and need not, or to take a few less
/// than all if they spill with all, and `ptx` says so then. May be called on
/// any thread.
Result<PtxasResult> assembleKernels(std::string &ptx,
                                    llvm::ArrayRef<FreeRegisters> free,
                                    const GpuChip &chip, unsigned optLevel,
                                    llvm::StringRef ptxas);

/// How messages call a kernel, of which only its symbol is known here.
struct KernelTitle {
  std::string name;
  /// Whether it is for memory that is slow to read anyway: then what it spills
  /// is told, and no reason to worry.
  bool isForSlowMemory = false;
};
using KernelTitles = llvm::function_ref<KernelTitle(llvm::StringRef symbol)>;

/// What `module` became has registers that are spilled to memory, and whatever
/// else ptxas warns of: warnings at the kernel's location, or at the module's
/// if no kernel is named. By itself a kernel is called by its symbol.
void warnOfKernels(mlir::gpu::GPUModuleOp module, const PtxasResult &result,
                   const GpuChip &chip, KernelTitles titleOf = nullptr);

} // namespace fuse

#endif // FUSE_TARGET_ASSEMBLE_H
