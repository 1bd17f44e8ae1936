//===- KernelCode.cpp - LLVM's optimiser on kernels -----------------------===//
//
// Its usual passes, less those that would do over what tiles were made for.
// What they unrolled again was more than half of a kernel's code and of the
// time to compile it.
//
//===----------------------------------------------------------------------===//

#include "KernelCode.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace fuse;

static llvm::OptimizationLevel levelOf(unsigned number) {
  switch (number) {
  case 0:
    return llvm::OptimizationLevel::O0;
  case 1:
    return llvm::OptimizationLevel::O1;
  case 2:
    return llvm::OptimizationLevel::O2;
  default:
    return llvm::OptimizationLevel::O3;
  }
}

void fuse::optimizeKernels(llvm::Module &module, unsigned level,
                           llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  tuning.LoopInterleaving = false;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::OptimizationLevel passes = levelOf(level);
  llvm::ModulePassManager pipeline =
      passes == llvm::OptimizationLevel::O0
          ? builder.buildO0DefaultPipeline(passes)
          : builder.buildPerModuleDefaultPipeline(passes);
  pipeline.run(module, modules);
}
