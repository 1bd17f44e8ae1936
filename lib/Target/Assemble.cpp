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

std::vector<std::string> fuse::kernelsOfAnyRegisters(gpu::GPUModuleOp module) {
  using Names = NVVM::NVVMDialect;
  std::vector<std::string> names;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(Names::getReqntidAttrName()) &&
        !function->hasAttr(Names::getMinctasmAttrName()) &&
        !function->hasAttr(Names::getMaxnregAttrName()))
      names.push_back(function.getName().str());
  return names;
}

static unsigned spilledBytes(const PtxasKernel &kernel) {
  return kernel.spillStoreBytes + kernel.spillLoadBytes;
}

static unsigned spilledBytes(const PtxasResult &result) {
  unsigned bytes = 0;
  for (const PtxasKernel &kernel : result.kernels)
    bytes += spilledBytes(kernel);
  return bytes;
}

/// Says that one block of a kernel is enough for a processor: then a thread has
/// all registers that one can have.
static void giveAllRegisters(std::string &ptx, StringRef kernel) {
  constexpr StringRef threads = "\n.reqntid ";
  size_t at = ptx.find((".entry " + kernel + "(").str());
  at = at == std::string::npos ? at : ptx.find(threads, at);
  at = at == std::string::npos ? at : ptx.find('\n', at + threads.size());
  if (at != std::string::npos)
    ptx.insert(at, "\n.minnctapersm 1");
}

Result<PtxasResult> fuse::assembleKernels(std::string &ptx,
                                          ArrayRef<std::string> ofAnyRegisters,
                                          const GpuChip &chip,
                                          unsigned optLevel, StringRef ptxas) {
  Result<PtxasResult> result = runPtxas(ptxas, ptx, chip, optLevel);
  if (!result)
    return result;
  std::string other = ptx;
  for (const PtxasKernel &kernel : result->kernels)
    if (spilledBytes(kernel) != 0 &&
        llvm::is_contained(ofAnyRegisters, kernel.name))
      giveAllRegisters(other, kernel.name);
  if (other == ptx)
    return result;
  Result<PtxasResult> again = runPtxas(ptxas, other, chip, optLevel);
  if (!again || spilledBytes(*again) >= spilledBytes(*result))
    return again ? std::move(result) : std::move(again);
  ptx = std::move(other);
  return again;
}

void fuse::warnOfKernels(gpu::GPUModuleOp module, const PtxasResult &result,
                         const GpuChip &chip) {
  for (const PtxasKernel &kernel : result.kernels) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.name);
    warnOf(kernel, function ? function.getLoc() : module.getLoc(), chip);
  }
  for (const std::string &warning : result.warnings)
    emitWarning(module.getLoc())
        << "ptxas says on " << chip.name << ": " << warning;
}
