//===- Assemble.cpp - machine code, and what is wrong with it -------------===//
//
// ptxas calls kernels by their symbols, and who made them knows their names;
// locations are those of the functions.
//
// ptxas saves registers so that more blocks run at a time, though it does not
// know how many there are: at times it goes down to 32 and spills all else, and
// often it waits for what it has loaded before it loads more. Kernels that
// spill are assembled once more, with all registers that a block can have, and
// so are those whose blocks leave registers to spare, or take those of blocks
// that were counted on. A sum of 4096 rows of 4096 products in f32, 16 columns
// at a time, took 21.1 us with 40 registers, three loads at a time, and 19.1
// with 64, all eight at once.
//
// What spills with all registers that a thread can have is assembled with eight
// fewer: it orders loads so that they fill the registers, and is off by some,
// which are there then. By how many changes with each register that it is told
// of, so what spills a few bytes still is told of two more numbers.
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/Assemble.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace fuse;

static void warnOf(const PtxasKernel &kernel, const KernelTitle &title,
                   Location location, const GpuChip &chip) {
  if (kernel.spillStoreBytes != 0 || kernel.spillLoadBytes != 0)
    (title.isForSlowMemory ? emitRemark(location) : emitWarning(location))
        << "kernel " << title.name << " spills registers to memory on "
        << chip.name << ": " << kernel.spillStoreBytes << " bytes of stores, "
        << kernel.spillLoadBytes << " bytes of loads, with " << kernel.registers
        << " registers for a thread";
  for (const std::string &warning : kernel.warnings)
    emitWarning(location) << "ptxas says of kernel " << title.name << " on "
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

/// Has a line about the registers of a kernel, in place of the one it had.
static void tell(std::string &ptx, StringRef kernel, StringRef line) {
  constexpr StringRef threads = "\n.reqntid ";
  size_t at = ptx.find((".entry " + kernel + "(").str());
  at = at == std::string::npos ? at : ptx.find(threads, at);
  at = at == std::string::npos ? at : ptx.find('\n', at + threads.size());
  if (at == std::string::npos)
    return;
  StringRef after = StringRef(ptx).substr(at);
  bool isTold =
      after.starts_with("\n.minnctapersm ") || after.starts_with("\n.maxnreg ");
  size_t old = isTold ? ptx.find('\n', at + 1) - at : 0;
  ptx.replace(at, old, ("\n" + line).str());
}

Result<PtxasResult> fuse::assembleKernels(std::string &ptx,
                                          ArrayRef<FreeRegisters> free,
                                          const GpuChip &chip,
                                          unsigned optLevel, StringRef ptxas) {
  Result<PtxasResult> result = runPtxas(ptxas, ptx, chip, optLevel);
  if (!result)
    return result;
  // Of each kernel that `lineFor` says something of. Other code is only taken
  // if it spills less than what there is, or neither spills.
  auto assembleAgain = [&](auto lineFor) {
    std::string other = ptx;
    for (const PtxasKernel &said : result->kernels)
      for (const FreeRegisters &each : free)
        if (each.kernel == said.name)
          if (std::string line = lineFor(each, said); !line.empty())
            tell(other, said.name, line);
    if (other == ptx)
      return;
    Result<PtxasResult> again = runPtxas(ptxas, other, chip, optLevel);
    // There is code already, which is as right.
    if (!again)
      return;
    unsigned before = spilledBytes(*result), after = spilledBytes(*again);
    if (after > before || (before != 0 && after == before))
      return;
    ptx = std::move(other);
    result = std::move(again);
  };
  assembleAgain(
      [&](const FreeRegisters &each, const PtxasKernel &said) -> std::string {
        // How many blocks a processor has at a time, at least: then a thread
        // has all registers that so many leave it.
        unsigned blocks = blocksToTell(each, said, chip);
        return blocks ? ".minnctapersm " + std::to_string(blocks) : "";
      });
  constexpr unsigned most = 255, eightFewer = 248, fewBytes = 32;
  llvm::StringSet<> full;
  for (const PtxasKernel &said : result->kernels)
    if (said.registers == most)
      full.insert(said.name);
  for (unsigned fewer : {eightFewer, 245u, 241u})
    assembleAgain(
        [&](const FreeRegisters &, const PtxasKernel &said) -> std::string {
          unsigned bytes = spilledBytes(said);
          bool isTried = bytes != 0 && full.contains(said.name) &&
                         (fewer == eightFewer || bytes <= fewBytes);
          return isTried ? ".maxnreg " + std::to_string(fewer) : "";
        });
  return result;
}

void fuse::warnOfKernels(gpu::GPUModuleOp module, const PtxasResult &result,
                         const GpuChip &chip, KernelTitles titleOf) {
  for (const PtxasKernel &kernel : result.kernels) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.name);
    KernelTitle title{"'" + kernel.name + "'"};
    warnOf(kernel, titleOf ? titleOf(kernel.name) : title,
           function ? function.getLoc() : module.getLoc(), chip);
  }
  for (const std::string &warning : result.warnings)
    emitWarning(module.getLoc())
        << "ptxas says on " << chip.name << ": " << warning;
}
