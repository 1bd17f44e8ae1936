//===- Assemble.cpp - machine code, and what is wrong with it -------------===//
//
// ptxas calls kernels by their symbols; locations are those of the functions.
//
// ptxas saves registers so that more blocks run at a time, though it does not
// know how many there are: at times it goes down to 32 and spills all else, and
// often it waits for what it has loaded before it loads more. Kernels that
// spill are assembled once more, with all registers that a block can have, and
// so are those whose blocks leave registers to spare, or take those of blocks
// that were counted on. A sum of 4096 rows of
// 4096 products in f32, 16 columns at a time, took 21.1 us with 40 registers,
// three loads at a time, and 19.1 with 64, all eight at once.
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

std::vector<FreeRegisters> fuse::kernelsOfFreeRegisters(gpu::GPUModuleOp module,
                                                        const GpuChip &chip) {
  using Names = NVVM::NVVMDialect;
  // Of the chips that no machine is modelled for some have fewer processors.
  unsigned processors = chip.hasWarpgroups() ? 132 : 100;
  std::vector<FreeRegisters> found;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    auto block =
        function->getAttrOfType<DenseI32ArrayAttr>(Names::getReqntidAttrName());
    if (!block || function->hasAttr(Names::getMinctasmAttrName()) ||
        function->hasAttr(Names::getMaxnregAttrName()))
      continue;
    FreeRegisters &free = found.emplace_back();
    free.kernel = function.getName().str();
    free.warps = llvm::divideCeil(block.asArrayRef().front(), 32);
    if (auto shared = function->getAttrOfType<IntegerAttr>("tile.shared"))
      free.sharedBytes = shared.getInt();
    if (auto blocks = function->getAttrOfType<IntegerAttr>("tile.blocks"))
      free.blocks = llvm::divideCeil(blocks.getInt(), processors);
    if (auto together = function->getAttrOfType<IntegerAttr>("tile.together"))
      free.together = together.getInt();
  }
  return found;
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

/// How many blocks a kernel should be told to be for, or 0 if it should be told
/// nothing.
static unsigned blocksToTell(const FreeRegisters &free, const PtxasKernel &said,
                             const GpuChip &chip) {
  if (spilledBytes(said) != 0)
    return 1;
  auto residentsWith = [&](unsigned registers) {
    return chip.residentBlocksOf(free.warps, registers, free.sharedBytes);
  };
  // As many as there is memory for.
  unsigned needed = std::min(free.blocks, residentsWith(1));
  unsigned counted = std::min(needed, free.together);
  if (residentsWith(said.registers) < counted)
    return counted;
  // Registers come in eights.
  constexpr unsigned more = 8;
  return residentsWith(said.registers + more) >= needed ? needed : 0;
}

/// Says how many blocks of a kernel a processor has at a time, at least: then a
/// thread has all registers that so many leave it.
static void tellBlocks(std::string &ptx, StringRef kernel, unsigned blocks) {
  constexpr StringRef threads = "\n.reqntid ";
  size_t at = ptx.find((".entry " + kernel + "(").str());
  at = at == std::string::npos ? at : ptx.find(threads, at);
  at = at == std::string::npos ? at : ptx.find('\n', at + threads.size());
  if (at != std::string::npos)
    ptx.insert(at, "\n.minnctapersm " + std::to_string(blocks));
}

Result<PtxasResult> fuse::assembleKernels(std::string &ptx,
                                          ArrayRef<FreeRegisters> free,
                                          const GpuChip &chip,
                                          unsigned optLevel, StringRef ptxas) {
  Result<PtxasResult> result = runPtxas(ptxas, ptx, chip, optLevel);
  if (!result)
    return result;
  std::string other = ptx;
  for (const PtxasKernel &said : result->kernels)
    for (const FreeRegisters &each : free)
      if (each.kernel == said.name)
        if (unsigned blocks = blocksToTell(each, said, chip))
          tellBlocks(other, said.name, blocks);
  if (other == ptx)
    return result;
  Result<PtxasResult> again = runPtxas(ptxas, other, chip, optLevel);
  // There is code already, which is as right.
  if (!again)
    return result;
  unsigned before = spilledBytes(*result), after = spilledBytes(*again);
  if (after > before || (before != 0 && after == before))
    return result;
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
