//===- Ptx.h - PTX of a module of kernels -----------------------*- C++ -*-===//
//
// The last step on the road to a GPU that LLVM takes: from the llvm and nvvm
// dialects to PTX, the assembly text that ptxas or a driver makes machine code
// of.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TARGET_PTX_H
#define FUSE_TARGET_PTX_H

#include "fuse/Runtime/Error.h"
#include "fuse/Target/GpuChip.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace fuse {

/// Kernels in LLVM's own IR, with all that it takes to make PTX of them: what
/// happens to them here touches nothing else, and may happen on any thread.
class LLVMKernels {
public:
  /// Everything in `module`, which consists of ops of the llvm and nvvm
  /// dialects. Failures are reported as diagnostics at the module. `optLevel`
  /// is how much LLVM optimises, from 0 to 3.
  static mlir::FailureOr<LLVMKernels> translate(mlir::gpu::GPUModuleOp module,
                                                const GpuChip &chip,
                                                unsigned optLevel);
  LLVMKernels(LLVMKernels &&);
  ~LLVMKernels();

  /// May be asked once.
  Result<std::string> emitPtx();

private:
  LLVMKernels();

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> code;
  unsigned optLevel = 0;
};

} // namespace fuse

#endif // FUSE_TARGET_PTX_H
