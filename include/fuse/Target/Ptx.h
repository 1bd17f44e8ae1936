//===- Ptx.h - PTX of a module of kernels -----------------------*- C++ -*-===//
//
// The last step on the road to a GPU that LLVM takes: from the llvm and nvvm
// dialects to PTX, the assembly text that ptxas or a driver makes machine code
// of.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TARGET_PTX_H
#define FUSE_TARGET_PTX_H

#include "fuse/Target/GpuChip.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuse {

/// PTX of everything in `module`, which consists of ops of the llvm and nvvm
/// dialects. Failures are reported as diagnostics at the module. `optLevel` is
/// how much LLVM optimises, from 0 to 3.
mlir::FailureOr<std::string> emitPtx(mlir::gpu::GPUModuleOp module,
                                     const GpuChip &chip, unsigned optLevel);

} // namespace fuse

#endif // FUSE_TARGET_PTX_H
