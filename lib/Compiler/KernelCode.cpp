//===- KernelCode.cpp - LLVM's optimiser on kernels -----------------------===//
//
// A few of its passes. The usual ones took twice as long to make code of the
// same speed, and some of them did over what tiles were made for: what was
// unrolled again was more than half of a kernel's code, and what was inlined by
// and by was optimised at each step.
//
//===----------------------------------------------------------------------===//

#include "KernelCode.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace fuse;

/// The call of a function that nothing else uses, if there is one.
static llvm::CallBase *onlyCallOf(const llvm::Function &function) {
  if (!function.hasOneUse())
    return nullptr;
  auto *call = llvm::dyn_cast<llvm::CallBase>(function.use_begin()->getUser());
  bool isCalled = call && call->isCallee(&*function.use_begin()) &&
                  call->getFunction() != &function;
  return isCalled ? call : nullptr;
}

void fuse::keepOnly(llvm::Module &module,
                    llvm::function_ref<bool(llvm::StringRef)> isKept) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !isKept(function.getName()))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  // What is erased or inlined may have had all calls but one of another.
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (llvm::Function &function : llvm::make_early_inc_range(module)) {
      if (!function.hasLocalLinkage())
        continue;
      if (llvm::CallBase *call = onlyCallOf(function)) {
        llvm::InlineFunctionInfo info;
        if (!llvm::InlineFunction(*call, info).isSuccess())
          continue;
      }
      if (function.use_empty()) {
        function.eraseFromParent();
        hasChanged = true;
      }
    }
  }
}

/// What is left to do when loops are as they should be: addresses and tests
/// that rounds have in common are computed before them, and what is stored and
/// read again stays in registers.
static llvm::FunctionPassManager makePasses() {
  llvm::FunctionPassManager passes;
  auto addLoops = [&](llvm::LoopPassManager loops) {
    passes.addPass(
        llvm::createFunctionToLoopPassAdaptor(std::move(loops),
                                              /*UseMemorySSA=*/true));
  };
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  addLoops(std::move(loops));
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::DSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

void fuse::optimizeKernels(llvm::Module &module, unsigned level,
                           llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager pipeline;
  if (level == 0)
    pipeline = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  else
    pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(
        makePasses(), /*EagerlyInvalidate=*/true));
  pipeline.run(module, modules);
}
