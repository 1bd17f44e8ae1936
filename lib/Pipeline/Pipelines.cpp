//===- Pipelines.cpp - the pipeline to each stage -------------------------===//
//
// Lists of passes. A line whose place matters says why.
//
//===----------------------------------------------------------------------===//

#include "fuse/Pipeline/Pipelines.h"
#include "fuse/Conversion/Passes.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/RequestCWrappers.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace fuse;

void fuse::buildReferenceToLinalg(OpPassManager &pm, ReferenceFloats floats) {
  pm.addPass(createCheckStage({Stage::Graph}));
  // Before widening: constants of composites are rounded to the type in which
  // they are used, and no wider type may change which numbers they are.
  pm.addPass(createDecompose());
  if (floats != ReferenceFloats::Same) {
    WidenFloatsOptions options;
    options.casts = floats == ReferenceFloats::Exact ? WidenedCasts::Drop
                                                     : WidenedCasts::Round;
    pm.addNestedPass<func::FuncOp>(createWidenFloats(options));
  }
  pm.addPass(createConvertFuseToLinalg());
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  pm.addPass(createCheckStage({Stage::Linalg}));
}

void fuse::buildLinalgToLLVM(OpPassManager &pm) {
  pm.addPass(createExpandIntegerCasts());
  // Narrow floats are computed with in f32 and rounded after every op, while
  // the ops are still easy to tell apart. What is left of them are casts.
  arith::ArithEmulateUnsupportedFloatsOptions emulated;
  emulated.sourceTypeStrs = {"bf16", "f16", "f8E4M3FN"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulated));
  pm.addPass(math::createMathExtendToSupportedTypes());
  pm.addPass(createExpandNarrowCasts());
  // Not upstream's arith-expand: to its maximumf -0 and 0 are the same.
  pm.addPass(createExpandDivisions());

  // While there are no declarations of library functions yet.
  pm.addNestedPass<func::FuncOp>(LLVM::createLLVMRequestCWrappersPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  // Not the analysis of what may be written in place: its time grows with the
  // square of the number of ops, op by op nothing has to be in place, and a
  // caller's inputs must not be.
  bufferize.copyBeforeWrite = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  bufferization::BufferResultsToOutParamsPassOptions outParams;
  outParams.modifyPublicFunctions = true;
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(outParams));
  // Behind the results: a buffer that leaves the function must not be freed.
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createMemRefCopyToLinalg());

  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  pm.addPass(createConvertMathToFuncs());
  pm.addPass(createConvertMathToLLVMPass());
  // What LLVM has no intrinsic for.
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCheckStage({Stage::LLVM}));
}
