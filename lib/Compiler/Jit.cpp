//===- Jit.cpp - machine code for this processor --------------------------===//
//
// What both roads to the CPU end with.
//
//===----------------------------------------------------------------------===//

#include "Jit.h"
#include "KernelCode.h"
#include "fuse/Runtime/Cpu/NarrowFloats.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace fuse;

/// What the engine calls functions that take the addresses of their arguments:
/// those around C wrappers, which alone are looked up.
static constexpr llvm::StringLiteral packedPrefix = "_mlir__mlir_ciface_";

static RuntimeError fail(llvm::Error error) {
  return RuntimeError(ErrorCode::Unsupported,
                      "the code generator failed: " +
                          llvm::toString(std::move(error)));
}

void fuse::setVectorBits(llvm::Module &module, unsigned bits) {
  std::string text = std::to_string(bits);
  for (llvm::Function &function : module) {
    function.addFnAttr("prefer-vector-width", text);
    function.addFnAttr("min-legal-vector-width", text);
  }
}

Result<std::unique_ptr<ExecutionEngine>>
fuse::createJit(ModuleOp module, const JitOptions &jit) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return fail(host.takeError());
  auto level = llvm::CodeGenOpt::getLevel(static_cast<int>(jit.optLevel));
  assert(level && "optimisation levels are 0 to 3");
  host->setCodeGenOptLevel(*level);
  auto machine = host->createTargetMachine();
  if (!machine)
    return fail(machine.takeError());

  ExecutionEngineOptions options;
  // Both are on by default; the second writes a file into the home folder and
  // ends the program where it cannot.
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  llvm::TargetMachine *tuned = machine->get();
  auto optimize =
      makeOptimizingTransformer(jit.optLevel, /*sizeLevel=*/0, tuned);
  auto transformer = [&](llvm::Module *code) -> llvm::Error {
    keepOnly(*code,
             [](StringRef name) { return name.starts_with(packedPrefix); });
    if (jit.vectorBits == 0)
      return optimize(code);
    setVectorBits(*code, jit.vectorBits);
    optimizeKernels(*code, jit.optLevel, *tuned);
    return llvm::Error::success();
  };
  options.transformer = transformer;
  options.jitCodeGenOptLevel = *level;
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return fail(engine.takeError());
  (*engine)->registerSymbols([](llvm::orc::MangleAndInterner mangle) {
    llvm::orc::SymbolMap symbols;
    for (const NarrowFloatFunction &function : narrowFloatFunctions())
      symbols[mangle(StringRef(function.name))] = {
          llvm::orc::ExecutorAddr::fromPtr(function.address),
          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    return symbols;
  });
  return std::move(*engine);
}

Result<void (*)(void **)> fuse::findPacked(ExecutionEngine &engine,
                                           StringRef function) {
  // The engine adds the rest of the prefix.
  StringRef prefix = packedPrefix.drop_front(StringRef("_mlir_").size());
  auto packed = engine.lookupPacked((prefix + function).str());
  if (!packed)
    return fail(packed.takeError());
  return *packed;
}
