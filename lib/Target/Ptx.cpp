//===- Ptx.cpp - PTX of a module of kernels -------------------------------===//
//
// Translation to LLVM IR, LLVM's own passes, and its NVPTX backend.
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/Ptx.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace fuse;

/// LLVM's NVPTX backend, which is all of its targets that we link for this.
extern "C" void LLVMInitializeNVPTXTarget();
extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTargetMC();
extern "C" void LLVMInitializeNVPTXAsmPrinter();

static std::unique_ptr<llvm::TargetMachine>
createMachine(const GpuChip &chip, unsigned optLevel, std::string &error) {
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  auto level = llvm::CodeGenOpt::getLevel(static_cast<int>(optLevel));
  assert(level && "optimisation levels are 0 to 3");
  llvm::TargetOptions options;
  // A product and a sum become one only where the IR says that they may.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip.name, "+ptx" + std::to_string(chip.ptxVersion), options,
      llvm::Reloc::PIC_, std::nullopt, *level));
}

/// ptxas saves registers, and would rather spill some or wait for each load, so
/// that more blocks run at a time. It does not know of the shared memory that a
/// launch asks for, nor how many blocks there are: where no more than one has
/// room, or all have as many registers as a thread can name, there is nothing
/// to save for.
static void spendRegisters(gpu::GPUModuleOp module, const GpuChip &chip) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    auto shared = function->getAttrOfType<IntegerAttr>("tile.shared");
    auto block = function->getAttrOfType<DenseI32ArrayAttr>(
        NVVM::NVVMDialect::getReqntidAttrName());
    StringRef name = NVVM::NVVMDialect::getMinctasmAttrName();
    if (!shared || !block || function->hasAttr(name))
      continue;
    unsigned warps = llvm::divideCeil(block.asArrayRef().front(), 32);
    // Fewer processors than on chips that kernels are made for.
    constexpr unsigned processors = 100, mostWarps = 8;
    auto blocks = function->getAttrOfType<IntegerAttr>("tile.blocks");
    bool areFew =
        blocks &&
        llvm::divideCeil(blocks.getInt(), processors) * warps <= mostWarps;
    if (areFew ||
        chip.residentBlocksOf(warps, /*registers=*/1, shared.getInt()) == 1)
      function->setAttr(name, Builder(module).getI32IntegerAttr(1));
  }
}

/// Whether all threads of a warp have to do it together. An mbarrier is what
/// each may use by itself.
static bool isCollective(llvm::StringRef assembly) {
  for (size_t at = 0; (at = assembly.find("bar", at)) != llvm::StringRef::npos;
       ++at) {
    llvm::StringRef rest = assembly.drop_front(at);
    bool isOfThreads = at == 0 || assembly[at - 1] != 'm';
    if (isOfThreads &&
        (rest.starts_with("bar.") || rest.starts_with("barrier.")))
      return true;
  }
  return assembly.contains(".sync") || assembly.contains(".aligned");
}

/// Tells LLVM what all threads of a warp have to do together. Else it gives a
/// barrier between two branches of one condition to each of their sides: then
/// part of a warp counts as all of it, and a block waits for ever.
static void markCollective(llvm::Module &code) {
  for (llvm::Function &function : code)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      auto *assembly =
          call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())
               : nullptr;
      if (!assembly)
        continue;
      if (isCollective(assembly->getAsmString()))
        call->setConvergent();
    }
}

/// Divides in 32 bits what LLVM divides in 8 or 16, since that is all that a
/// number needs: a GPU takes ten instructions for that, one after the other,
/// where three do, and each round of a loop asks so for its slot.
static void widenDivisions(llvm::Module &code) {
  constexpr unsigned width = 32;
  for (llvm::Function &function : code)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *division = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
      llvm::Type *type = instruction.getType();
      if (!division || !type->isIntegerTy() ||
          type->getIntegerBitWidth() >= width ||
          (division->getOpcode() != llvm::Instruction::UDiv &&
           division->getOpcode() != llvm::Instruction::URem))
        continue;
      llvm::IRBuilder<> b(division);
      llvm::Value *wide =
          b.CreateBinOp(division->getOpcode(),
                        b.CreateZExt(division->getOperand(0), b.getInt32Ty()),
                        b.CreateZExt(division->getOperand(1), b.getInt32Ty()));
      division->replaceAllUsesWith(b.CreateTrunc(wide, type));
      division->eraseFromParent();
    }
}

LLVMKernels::LLVMKernels() = default;
LLVMKernels::LLVMKernels(LLVMKernels &&) = default;
LLVMKernels::~LLVMKernels() = default;

FailureOr<LLVMKernels> LLVMKernels::translate(gpu::GPUModuleOp module,
                                              const GpuChip &chip,
                                              unsigned optLevel) {
  MLIRContext *context = module.getContext();
  registerBuiltinDialectTranslation(*context);
  registerGPUDialectTranslation(*context);
  registerLLVMDialectTranslation(*context);
  registerNVVMDialectTranslation(*context);

  spendRegisters(module, chip);
  LLVMKernels kernels;
  kernels.optLevel = optLevel;
  std::string error;
  kernels.machine = createMachine(chip, optLevel, error);
  if (!kernels.machine)
    return emitError(module.getLoc(), "this build of LLVM makes no PTX: ")
           << error;
  kernels.context = std::make_unique<llvm::LLVMContext>();
  kernels.code =
      translateModuleToLLVMIR(module, *kernels.context, module.getName());
  if (!kernels.code)
    return emitError(module.getLoc(), "cannot be translated to LLVM's IR");
  kernels.code->setTargetTriple(kernels.machine->getTargetTriple());
  kernels.code->setDataLayout(kernels.machine->createDataLayout());
  markCollective(*kernels.code);
  return kernels;
}

Result<std::string> LLVMKernels::emitPtx() {
  if (llvm::Error failed = makeOptimizingTransformer(optLevel, /*sizeLevel=*/0,
                                                     machine.get())(code.get()))
    return RuntimeError(ErrorCode::Unsupported,
                        "LLVM's passes failed: " +
                            llvm::toString(std::move(failed)));
  widenDivisions(*code);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return RuntimeError(ErrorCode::Unsupported,
                        "this build of LLVM makes no PTX");
  codegen.run(*code);
  return std::string(text);
}
