//===- Assemble.cpp - machine code, and what is wrong with it -------------===//
//
// ptxas calls kernels by their symbols; locations are those of the functions.
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/Assemble.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace fuse;

static void warnOf(const PtxasKernel &kernel, Location location,
                   const GpuChip &chip) {
  if (kernel.spillStoreBytes != 0 || kernel.spillLoadBytes != 0)
    emitWarning(location) << "kernel '" << kernel.name
                          << "' spills registers to memory on " << chip.name
                          << ": " << kernel.spillStoreBytes
                          << " bytes of stores, " << kernel.spillLoadBytes
                          << " bytes of loads, with " << kernel.registers
                          << " registers for a thread";
  for (const std::string &warning : kernel.warnings)
    emitWarning(location) << "ptxas says of kernel '" << kernel.name << "' on "
                          << chip.name << ": " << warning;
}

Result<PtxasResult> fuse::assembleKernels(gpu::GPUModuleOp module,
                                          StringRef ptx, const GpuChip &chip,
                                          unsigned optLevel, StringRef ptxas) {
  Result<PtxasResult> result = runPtxas(ptxas, ptx, chip, optLevel);
  if (!result)
    return result;
  for (const PtxasKernel &kernel : result->kernels) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.name);
    warnOf(kernel, function ? function.getLoc() : module.getLoc(), chip);
  }
  for (const std::string &warning : result->warnings)
    emitWarning(module.getLoc())
        << "ptxas says on " << chip.name << ": " << warning;
  return result;
}
