//===- Object.cpp - machine code that is kept -----------------------------===//
//
// What the JIT does, for a processor that is named instead of found, so that
// the same graph gives the same bytes on every machine.
//
//===----------------------------------------------------------------------===//

#include "Object.h"
#include "Jit.h"
#include "KernelCode.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace fuse;

static constexpr llvm::StringLiteral triple = "x86_64-unknown-linux-gnu";

unsigned fuse::vectorBitsOf(CpuLevel level) {
  switch (level) {
  case CpuLevel::V1:
  case CpuLevel::V2:
    return 128;
  case CpuLevel::V3:
    return 256;
  case CpuLevel::V4:
    return 512;
  }
  llvm_unreachable("every level is handled above");
}

std::string fuse::packedName(StringRef function) {
  return ("fuse_packed_" + function).str();
}

static RuntimeError fail(const llvm::Twine &text) {
  return RuntimeError(ErrorCode::Unsupported,
                      ("the code generator failed: " + text).str());
}

/// Adds a function that takes a list of the addresses of the arguments.
static Status pack(llvm::Module &module, StringRef function) {
  std::string name = ("_mlir_ciface_" + function).str();
  llvm::Function *callee = module.getFunction(name);
  if (!callee)
    return fail("there is no function '" + llvm::Twine(name) + "'");
  llvm::IRBuilder<> builder(module.getContext());
  auto *type =
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  auto *packed = llvm::Function::Create(
      type, llvm::GlobalValue::ExternalLinkage, packedName(function), module);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", packed));
  SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : callee->args()) {
    llvm::Value *place = builder.CreateConstGEP1_64(
        builder.getPtrTy(), packed->getArg(0), argument.getArgNo());
    llvm::Value *address = builder.CreateLoad(builder.getPtrTy(), place);
    arguments.push_back(builder.CreateLoad(argument.getType(), address));
  }
  builder.CreateCall(callee, arguments);
  builder.CreateRetVoid();
  return Status::success();
}

Result<std::string> fuse::emitObject(ModuleOp module,
                                     ArrayRef<std::string> functions,
                                     CpuLevel level, unsigned optLevel) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  llvm::Triple target(triple);
  std::string problem;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(target, problem);
  if (!backend)
    return fail(problem);
  auto codeLevel = llvm::CodeGenOpt::getLevel(static_cast<int>(optLevel));
  assert(codeLevel && "optimisation levels are 0 to 3");
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      target, levelName(level), /*Features=*/"", llvm::TargetOptions(),
      llvm::Reloc::PIC_, llvm::CodeModel::Small, *codeLevel));
  if (!machine)
    return fail("there is none for " + llvm::Twine(levelName(level)));

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context);
  if (!code)
    return fail("these kernels cannot be translated");
  code->setTargetTriple(target);
  code->setDataLayout(machine->createDataLayout());
  // Names of files would make other bytes of the same graph.
  code->setModuleIdentifier("fuse");
  code->setSourceFileName("fuse");
  setVectorBits(*code, vectorBitsOf(level));
  llvm::StringSet<> kept;
  for (const std::string &function : functions)
    if (kept.insert(packedName(function)).second)
      if (Status status = pack(*code, function); !status)
        return status.takeError();
  keepOnly(*code, [&](StringRef name) { return kept.contains(name); });
  optimizeKernels(*code, optLevel, *machine);

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return fail("it makes no object files");
  passes.run(*code);
  std::string object(bytes.begin(), bytes.end());
  // Better told now than to whoever runs it.
  if (Status status = checkObjectCode(object); !status)
    return status.takeError();
  return object;
}
