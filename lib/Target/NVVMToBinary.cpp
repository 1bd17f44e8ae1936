//===- NVVMToBinary.cpp - modules of kernels become binaries --------------===//
//
// Upstream's gpu-module-to-binary would link a library of device functions,
// needs a CUDA toolkit for more than ptxas, and keeps nothing of what ptxas
// says. Its op, `gpu.binary`, says all that is needed.
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/Assemble.h"
#include "fuse/Target/Passes.h"
#include "fuse/Target/Ptx.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace fuse {
#define GEN_PASS_DEF_CONVERTNVVMTOBINARY
#include "fuse/Target/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

static gpu::KernelMetadataAttr describe(LLVM::LLVMFuncOp function,
                                        const GpuChip &chip,
                                        const PtxasKernel *said) {
  Builder b(function.getContext());
  SmallVector<NamedAttribute> metadata;
  auto add = [&](StringRef name, int64_t value) {
    metadata.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(value)));
  };
  int64_t threads = 0, dynamicShared = 0;
  if (auto block = function->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getReqntidAttrName())) {
    threads = 1;
    for (int32_t extent : block.asArrayRef())
      threads *= extent;
    add("threads", threads);
  }
  if (auto shared = function->getAttrOfType<IntegerAttr>("tile.shared")) {
    dynamicShared = shared.getInt();
    add("dynamic_shared", dynamicShared);
  }
  if (said) {
    add("registers", said->registers);
    add("shared", said->sharedBytes);
    add("stack", said->stackBytes);
    add("spill_stores", said->spillStoreBytes);
    add("spill_loads", said->spillLoadBytes);
    if (threads > 0)
      add("resident_blocks",
          chip.residentBlocksOf(llvm::divideCeil(threads, 32), said->registers,
                                said->sharedBytes + dynamicShared));
  }
  return gpu::KernelMetadataAttr::get(
      function.getNameAttr(), function.getFunctionType(),
      /*argAttrs=*/nullptr, b.getDictionaryAttr(metadata));
}

/// What each object says of the kernels in it.
static gpu::KernelTableAttr tableOf(gpu::GPUModuleOp module,
                                    const GpuChip &chip,
                                    const PtxasResult *assembled) {
  SmallVector<gpu::KernelMetadataAttr> kernels;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      continue;
    const PtxasKernel *said = nullptr;
    if (assembled)
      for (const PtxasKernel &kernel : assembled->kernels)
        if (kernel.name == function.getName())
          said = &kernel;
    kernels.push_back(describe(function, chip, said));
  }
  return gpu::KernelTableAttr::get(module.getContext(), kernels);
}

namespace {

struct ConvertNVVMToBinaryPass final
    : fuse::impl::ConvertNVVMToBinaryBase<ConvertNVVMToBinaryPass> {
  using ConvertNVVMToBinaryBase::ConvertNVVMToBinaryBase;

  void runOnOperation() final {
    std::optional<GpuChip> known = GpuChip::byName(chip);
    if (!known) {
      emitError(getOperation().getLoc(), "there is no code for the chip '")
          << chip << "', but for " << listGpuChips();
      return signalPassFailure();
    }
    if (optLevel > 3) {
      emitError(getOperation().getLoc(), "opt-level is ")
          << optLevel.getValue() << ", but must be from 0 to 3";
      return signalPassFailure();
    }
    std::optional<std::string> ptxas;
    if (format != CodeFormat::Ptx) {
      ptxas = findPtxas();
      if (!ptxas) {
        emitError(getOperation().getLoc(),
                  "machine code needs ptxas, but there is none "
                  "in FUSE_PTXAS, CUDA_HOME or the path; "
                  "format=ptx needs none");
        return signalPassFailure();
      }
    }
    auto modules = getOperation().getOps<gpu::GPUModuleOp>();
    for (gpu::GPUModuleOp module : llvm::make_early_inc_range(modules))
      if (failed(replace(module, *known, ptxas)))
        return signalPassFailure();
  }

private:
  LogicalResult replace(gpu::GPUModuleOp module, const GpuChip &known,
                        const std::optional<std::string> &ptxas);
};

} // namespace

LogicalResult
ConvertNVVMToBinaryPass::replace(gpu::GPUModuleOp module, const GpuChip &known,
                                 const std::optional<std::string> &ptxas) {
  // Its instructions and its memory are those of one chip.
  auto madeFor = module->getAttrOfType<StringAttr>("tile.chip");
  if (madeFor && madeFor.getValue() != known.name)
    return emitError(module.getLoc(), "kernels were lowered for the chip ")
           << madeFor.getValue() << ", so there is no code of them for "
           << known.name;
  FailureOr<LLVMKernels> kernels =
      LLVMKernels::translate(module, known, optLevel);
  if (failed(kernels))
    return failure();
  Result<std::string> ptx = kernels->emitPtx();
  if (!ptx)
    return emitError(module.getLoc(), ptx.error().message());
  OpBuilder b(module);
  auto target = NVVM::NVVMTargetAttr::get(
      b.getContext(), optLevel, "nvptx64-nvidia-cuda", known.name,
      "+ptx" + std::to_string(known.ptxVersion));
  SmallVector<Attribute> objects;
  auto add = [&](gpu::CompilationTarget form, StringRef code,
                 const PtxasResult *assembled) {
    objects.push_back(gpu::ObjectAttr::get(target, form, b.getStringAttr(code),
                                           /*properties=*/nullptr,
                                           tableOf(module, known, assembled)));
  };
  std::optional<PtxasResult> assembled;
  if (ptxas) {
    Result<PtxasResult> made = assembleKernels(
        *ptx, kernelsOfFreeRegisters(module, known), known, optLevel, *ptxas);
    if (!made)
      return emitError(module.getLoc(), "kernels cannot be assembled: ")
             << made.error().message();
    warnOfKernels(module, *made, known);
    assembled = std::move(*made);
  }
  if (format != CodeFormat::Cubin)
    add(gpu::CompilationTarget::Assembly, *ptx, nullptr);
  if (assembled)
    add(gpu::CompilationTarget::Binary, assembled->cubin, &*assembled);
  gpu::BinaryOp::create(b, module.getLoc(), module.getName(),
                        /*offloadingHandler=*/nullptr, b.getArrayAttr(objects));
  module.erase();
  return success();
}
