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

/// The kernels of `module` that leave to ptxas how many registers they have.
std::vector<std::string> kernelsOfAnyRegisters(mlir::gpu::GPUModuleOp module);

/// Assembles `ptx`. Where kernels spill that leave it to ptxas how many
/// registers they have, which `ofAnyRegisters` names, they are assembled once
/// more, with all that there are; `ptx` says so then. May be called on any
/// thread.
Result<PtxasResult> assembleKernels(std::string &ptx,
                                    llvm::ArrayRef<std::string> ofAnyRegisters,
                                    const GpuChip &chip, unsigned optLevel,
                                    llvm::StringRef ptxas);

/// What `module` became has registers that are spilled to memory, and whatever
/// else ptxas warns of: warnings at the kernel's location, or at the module's
/// if no kernel is named.
void warnOfKernels(mlir::gpu::GPUModuleOp module, const PtxasResult &result,
                   const GpuChip &chip);

} // namespace fuse

#endif // FUSE_TARGET_ASSEMBLE_H
