//===- KernelCompiler.cpp - from LLVM's dialect to machine code -----------===//
//
// What MLIR has to do with happens on one thread, in order; LLVM and ptxas work
// on as many as there are processors.
//
//===----------------------------------------------------------------------===//

#include "KernelCompiler.h"
#include "fuse/Compiler/LargeStack.h"
#include "fuse/Target/Ptx.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace fuse;

static bool isKernel(Operation &op) {
  return isa<LLVM::LLVMFuncOp>(op) &&
         op.hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
}

/// For each kernel a module with it alone and everything that is none.
static SmallVector<OwningOpRef<gpu::GPUModuleOp>>
isolateKernels(gpu::GPUModuleOp module) {
  SmallVector<OwningOpRef<gpu::GPUModuleOp>> modules;
  for (Operation &kernel : *module.getBody()) {
    if (!isKernel(kernel))
      continue;
    auto own = cast<gpu::GPUModuleOp>(module->cloneWithoutRegions());
    modules.emplace_back(own);
    OpBuilder b(module.getContext());
    b.createBlock(&own.getBodyRegion());
    for (Operation &op : *module.getBody())
      if (&op == &kernel || !isKernel(op))
        b.clone(op);
  }
  return modules;
}

static std::string nameOfKernel(gpu::GPUModuleOp module) {
  return SymbolTable::getSymbolName(
             &*llvm::find_if(*module.getBody(), isKernel))
      .str();
}

static std::string textOf(gpu::GPUModuleOp module, const GpuChip &chip) {
  std::string text = chip.name + "\n";
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().assumeVerified().useLocalScope());
  return text;
}

namespace {

/// What is left to do for one kernel when MLIR has done its part.
struct Job {
  std::string key;
  LLVMKernels code;
  std::vector<FreeRegisters> free;
  CompiledKernel kernel;
  Status status = Status::success();

  void run(const GpuChip &chip, unsigned optLevel,
           const std::optional<std::string> &ptxas);
};

} // namespace

void Job::run(const GpuChip &chip, unsigned optLevel,
              const std::optional<std::string> &ptxas) {
  Result<std::string> ptx = code.emitPtx();
  if (!ptx) {
    status = ptx.takeError();
    return;
  }
  kernel.ptx = std::move(*ptx);
  if (!ptxas)
    return;
  Result<PtxasResult> assembled =
      assembleKernels(kernel.ptx, free, chip, optLevel, *ptxas);
  if (assembled)
    kernel.assembled = std::move(*assembled);
  else
    status = assembled.takeError();
}

Status KernelCompiler::findAssembler() {
  if (!assembles || ptxas)
    return Status::success();
  ptxas = findPtxas();
  assembles = ptxas.has_value();
  if (!assembles)
    return Status::success();
  Result<PtxasVersion> version = askPtxasVersion(*ptxas);
  if (!version)
    return version.takeError();
  toolkit = version->toolkit;
  return Status::success();
}

Result<std::vector<const CompiledKernel *>>
KernelCompiler::compile(gpu::GPUModuleOp module, const GpuChip &chip,
                        KernelTitles titleOf) {
  if (Status status = findAssembler(); !status)
    return status.takeError();
  SmallVector<OwningOpRef<gpu::GPUModuleOp>> modules = isolateKernels(module);
  std::vector<std::string> keys;
  std::vector<Job> jobs;
  for (OwningOpRef<gpu::GPUModuleOp> &own : modules) {
    keys.push_back(textOf(*own, chip));
    if (known.count(keys.back()) != 0)
      continue;
    CompiledKernel kernel;
    kernel.symbol = nameOfKernel(*own);
    kernel.toolkit = toolkit;
    FailureOr<LLVMKernels> code = LLVMKernels::translate(*own, chip, optLevel);
    if (failed(code))
      return RuntimeError(ErrorCode::Unsupported,
                          "kernel " + titleOf(kernel.symbol).name +
                              " cannot be translated to LLVM's IR");
    jobs.push_back({keys.back(), std::move(*code),
                    kernelsOfFreeRegisters(*own, chip), std::move(kernel)});
  }
  forEachOnLargeStacks(jobs.size(), [&](size_t number) {
    jobs[number].run(chip, optLevel, ptxas);
  });
  for (Job &job : jobs) {
    if (!job.status)
      return std::move(job.status)
          .takeError()
          .withContext("kernel " + titleOf(job.kernel.symbol).name);
    known.emplace(std::move(job.key), std::move(job.kernel));
  }
  std::vector<const CompiledKernel *> kernels;
  for (auto [own, key] : llvm::zip_equal(modules, keys)) {
    const CompiledKernel &kernel = known.at(key);
    kernels.push_back(&kernel);
    if (kernel.assembled)
      warnOfKernels(*own, *kernel.assembled, chip, titleOf);
  }
  return kernels;
}
