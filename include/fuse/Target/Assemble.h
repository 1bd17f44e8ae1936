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

/// Assembles `ptx`, which was made of `module`, and is made anew where that
/// saves spilling. Registers that are spilled to
/// memory, and everything else that ptxas warns of, are warnings at the
/// kernel's location, or at the module's if no kernel is named.
Result<PtxasResult> assembleKernels(mlir::gpu::GPUModuleOp module,
                                    std::string &ptx, const GpuChip &chip,
                                    unsigned optLevel, llvm::StringRef ptxas);

} // namespace fuse

#endif // FUSE_TARGET_ASSEMBLE_H
