//===- Assemble.cpp - machine code, and what is wrong with it -------------===//
//
// ptxas calls kernels by their symbols; locations are those of the functions.
//
// ptxas saves registers so that more blocks run at a time, and at times it goes
// down to 32 and spills all else, though nothing was asked of it. Kernels that
// spill are assembled once more, with all registers that a block can have.
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/Assemble.h"
#include "fuse/Target/Ptx.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

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

static unsigned spilledBytes(const PtxasResult &result) {
  unsigned bytes = 0;
  for (const PtxasKernel &kernel : result.kernels)
    bytes += kernel.spillStoreBytes + kernel.spillLoadBytes;
  return bytes;
}

/// Of those that spill, the functions that leave to ptxas how many registers
/// they have.
static SmallVector<LLVM::LLVMFuncOp> spillingByChoice(gpu::GPUModuleOp module,
                                                      PtxasResult &result) {
  using Names = NVVM::NVVMDialect;
  SmallVector<LLVM::LLVMFuncOp> found;
  for (const PtxasKernel &kernel : result.kernels) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.name);
    if (kernel.spillStoreBytes + kernel.spillLoadBytes != 0 && function &&
        function->hasAttr(Names::getReqntidAttrName()) &&
        !function->hasAttr(Names::getMinctasmAttrName()) &&
        !function->hasAttr(Names::getMaxnregAttrName()))
      found.push_back(function);
  }
  return found;
}

Result<PtxasResult> fuse::assembleKernels(gpu::GPUModuleOp module,
                                          std::string &ptx, const GpuChip &chip,
                                          unsigned optLevel, StringRef ptxas) {
  Result<PtxasResult> result = runPtxas(ptxas, ptx, chip, optLevel);
  if (!result)
    return result;
  auto spilling = spillingByChoice(module, *result);
  if (!spilling.empty()) {
    StringRef name = NVVM::NVVMDialect::getMinctasmAttrName();
    for (LLVM::LLVMFuncOp function : spilling)
      function->setAttr(name, Builder(module).getI32IntegerAttr(1));
    FailureOr<std::string> other = emitPtx(module, chip, optLevel);
    if (failed(other))
      return RuntimeError(ErrorCode::Unsupported,
                          "there is no PTX of them with all registers");
    Result<PtxasResult> again = runPtxas(ptxas, *other, chip, optLevel);
    if (!again)
      return again;
    if (spilledBytes(*again) < spilledBytes(*result)) {
      ptx = std::move(*other);
      result = std::move(again);
    } else {
      for (LLVM::LLVMFuncOp function : spilling)
        function->removeAttr(name);
    }
  }
  for (const PtxasKernel &kernel : result->kernels) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.name);
    warnOf(kernel, function ? function.getLoc() : module.getLoc(), chip);
  }
  for (const std::string &warning : result->warnings)
    emitWarning(module.getLoc())
        << "ptxas says on " << chip.name << ": " << warning;
  return result;
}
