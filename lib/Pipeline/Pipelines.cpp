//===- Pipelines.cpp - the pipeline to each stage -------------------------===//
//
// Lists of passes. A line whose place matters says why.
//
//===----------------------------------------------------------------------===//

#include "fuse/Pipeline/Pipelines.h"
#include "fuse/Analysis/CostModel.h"
#include "fuse/Conversion/Passes.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/RequestCWrappers.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace fuse;

void fuse::buildReferenceGraph(OpPassManager &pm, ReferenceFloats floats,
                               int64_t sumStride) {
  pm.addPass(createCheckStage({Stage::Graph}));
  pm.addPass(createDissolveKernels());
  pm.addNestedPass<func::FuncOp>(createInlineResources());
  pm.addPass(createDropPromises());
  // Before widening: constants of composites are rounded to the type in which
  // they are used, and no wider type may change which numbers they are.
  pm.addPass(createDecompose());
  if (floats != ReferenceFloats::Same) {
    WidenFloatsOptions options;
    options.casts = floats == ReferenceFloats::Exact ? WidenedCasts::Drop
                                                     : WidenedCasts::Round;
    pm.addNestedPass<func::FuncOp>(createWidenFloats(options));
  }
  if (sumStride > 1)
    pm.addNestedPass<func::FuncOp>(createReorderSums({sumStride}));
}

void fuse::buildReferenceToLinalg(OpPassManager &pm, ReferenceFloats floats,
                                  int64_t sumStride) {
  buildReferenceGraph(pm, floats, sumStride);
  pm.addPass(createConvertFuseToLinalg());
  pm.addPass(createCheckStage({Stage::Linalg}));
}

/// Upstream's expm1 is exp(x) - 1, which has no digits where x is small, and
/// its negative powers of 0 are 1 by 0, which of integers may be anything.
static void addOwnFunctions(OpPassManager &pm) {
  ExpandFunctionsOptions options;
  options.ops = {"math.expm1", "math.ipowi"};
  pm.addPass(createExpandFunctions(options));
}

void fuse::buildLinalgToLLVM(OpPassManager &pm) {
  // Upstream aborts at one number that is named.
  pm.addNestedPass<func::FuncOp>(createInlineResources());
  pm.addPass(createExpandIntegerCasts());
  pm.addPass(createExpandCopySign());
  // Narrow floats are computed with in f32 and rounded after every op, while
  // the ops are still easy to tell apart. What is left of them are casts.
  arith::ArithEmulateUnsupportedFloatsOptions emulated;
  emulated.sourceTypeStrs = {"bf16", "f16", "f8E4M3FN"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulated));
  pm.addPass(math::createMathExtendToSupportedTypes());
  addOwnFunctions(pm);
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

  pm.addPass(createKeepPowers());
  pm.addPass(createConvertMathToFuncs());
  // As it is, not as log(1 + x), which is 0 for what is small.
  pm.addPass(createConvertMathToLLVMPass({/*approximateLog1p=*/false}));
  // What LLVM has no intrinsic for.
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createFreezeUndefined());
  pm.addPass(createCheckStage({Stage::LLVM}));
}

void fuse::buildGraphToTiles(OpPassManager &pm, const FormationOptions &options,
                             std::string *report) {
  pm.addPass(createCheckStage({Stage::Graph}));
  pm.addPass(createDropPromises());
  pm.addPass(createDecompose());
  pm.addPass(createSplitResults());
  pm.addPass(createFactorScales());
  pm.addPass(createSplitConversions());
  // Processors read vectors from anywhere.
  if (options.machine == MachineKind::H200)
    pm.addPass(createCopyFactors());
  FormKernelsOptions formation;
  for (const auto &[kernel, schedule] : options.schedules)
    formation.schedules.push_back(("@" + kernel + ":{" + schedule + "}").str());
  // A map has no order, and messages should have one.
  llvm::sort(formation.schedules);
  formation.rejected.assign(options.rejected.begin(), options.rejected.end());
  formation.machine = options.machine;
  formation.mostKernels = options.mostKernels;
  if (!report)
    formation.report = options.reportFile;
  formation.prefix = options.prefix;
  formation.threads = options.threads;
  formation.sharedBytes = options.sharedBytes;
  formation.hasWarpgroups = options.hasWarpgroups;
  formation.sharedPart = options.sharedPart;
  pm.addPass(report ? createFormKernels(formation, *report)
                    : createFormKernels(formation));
  bool hasClusters =
      options.machine == MachineKind::H200 &&
      Machine::h200(options.sharedBytes, options.hasWarpgroups).mostShares > 1;
  pm.addPass(createConvertFuseToTile({hasClusters}));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createFollowStored());
  pm.addPass(createCheckStage({Stage::Tiles}));
}

void fuse::buildTilesToVector(OpPassManager &pm, unsigned vectorBits) {
  pm.addPass(createCheckStage({Stage::Tiles}));
  // Before the kernels, which their launches name, are something else.
  pm.addPass(createDropHost());
  // What two tiles share is computed once, and what a loop does not change
  // before it.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createRoundFactors());
  pm.addPass(createExpandRounds());
  pm.addPass(createWidenReductions());
  pm.addPass(createCountInside());
  pm.addPass(createConvertTileToVector({vectorBits}));
  // Functions of narrow floats are those of f32, rounded.
  pm.addPass(math::createMathExtendToSupportedTypes());
  pm.addPass(createExpandMath());
  pm.addPass(createCheckStage({Stage::Vector}));
}

void fuse::buildTilesToPlaced(OpPassManager &pm, const GpuChip &chip) {
  pm.addPass(createCheckStage({Stage::Tiles}));
  // Before the kernels, which their launches name, are something else.
  pm.addPass(createDropHost());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Before products are sums, which round no factors.
  pm.addPass(createRoundFactors());
  pm.addNestedPass<tile::KernelOp>(createSumThinProducts());
  pm.addPass(createWidenReductions());
  pm.addPass(createCountInside());
  pm.addPass(createJoinMasks());
  pm.addNestedPass<tile::KernelOp>(createLimitLoads());
  pm.addPass(createRelaxFunctions());
  // Before quotients are products with reciprocals.
  pm.addNestedPass<tile::KernelOp>(createScaleMaxima());
  pm.addPass(createShareReciprocals());
  pm.addNestedPass<tile::KernelOp>(createOrderBlocks());
  // Behind what joins masks, of which fewer are changed so.
  pm.addNestedPass<tile::KernelOp>(createAlignRows());
  AssignLayoutsOptions layouts;
  layouts.hasWarpgroups = chip.hasWarpgroups();
  layouts.hasClusters = chip.hasClusters();
  pm.addNestedPass<tile::KernelOp>(createAssignLayouts(layouts));
  // When it is known which warps have which positions.
  pm.addPass(createGuardMasks());
  pm.addNestedPass<tile::KernelOp>(createGuardChoices());
  // Constants and broadcasts that each user had for itself are one again, and
  // what a loop does not change is loaded and converted before it.
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  // What only a copy used that is gone now, nobody needs.
  pm.addPass(createCSEPass());
  pm.addPass(createCheckStage({Stage::Placed}));
}

void fuse::buildPlacedToStaged(OpPassManager &pm, const GpuChip &chip) {
  pm.addPass(createCheckStage({Stage::Placed}));
  pm.addNestedPass<tile::KernelOp>(
      createFormClusters({/*hasEngine=*/chip.hasWarpgroups()}));
  if (chip.hasWarpgroups()) {
    pm.addNestedPass<tile::KernelOp>(createWalkBlocks());
    pm.addNestedPass<tile::KernelOp>(createStreamBlocks());
    // They need shared memory, of which rings take what is left.
    pm.addNestedPass<tile::KernelOp>(createStageStores());
  }
  FormRingsOptions rings;
  rings.sharedBytes = chip.sharedBytes;
  rings.hasEngine = chip.hasWarpgroups();
  // Copies of the engine cost its room only.
  if (rings.hasEngine)
    rings.slots = 8;
  pm.addNestedPass<tile::KernelOp>(createFormRings(rings));
  // Before copies are moved to other rounds.
  pm.addNestedPass<tile::KernelOp>(
      createSplitRoles({/*hasEngine=*/chip.hasWarpgroups()}));
  if (chip.hasWarpgroups()) {
    pm.addNestedPass<tile::KernelOp>(createAsyncDots());
    pm.addNestedPass<tile::KernelOp>(createScheduleLoops());
    pm.addNestedPass<tile::KernelOp>(createLoadEarly());
    // Where products and waits stay now.
    pm.addNestedPass<tile::KernelOp>(createTakeTurns());
  }
  // What has got no ring.
  pm.addNestedPass<tile::KernelOp>(createLoadAhead());
  pm.addNestedPass<tile::KernelOp>(createPeelPipeline());
  // When it is known what goes on beside them.
  pm.addNestedPass<tile::KernelOp>(createPairReciprocals());
  pm.addNestedPass<tile::KernelOp>(createVerifyStaged());
  pm.addPass(createCheckStage({Stage::Staged}));
}

void fuse::buildStagedToThreads(OpPassManager &pm, const GpuChip &chip) {
  pm.addPass(createCheckStage({Stage::Staged}));
  if (chip.hasWarpgroups())
    pm.addNestedPass<tile::KernelOp>(createEndEarly());
  ConvertTileToNVVMOptions threads;
  threads.early = chip.beginsEarly();
  threads.rounds = chip.roundsToTf32();
  threads.chip = chip.name;
  pm.addPass(createConvertTileToNVVM(threads));
  pm.addPass(createCheckStage({Stage::Threads}));
}

void fuse::buildThreadsToLLVM(OpPassManager &pm) {
  pm.addPass(createExpandByteCasts());
  pm.addPass(createExpandIntegerCasts());
  arith::ArithEmulateUnsupportedFloatsOptions emulated;
  emulated.sourceTypeStrs = {"bf16", "f16", "f8E4M3FN"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulated));
  // What is left is of f32 and f64.
  pm.addPass(math::createMathExtendToSupportedTypes());
  pm.addPass(createSplitVectors());
  pm.addPass(createExpandMathForNVVM());
  pm.addPass(createExpandFunctions());
  // From sm_80 on a chip casts between f32 and both floats of 16 bits.
  ExpandNarrowCastsOptions casts;
  casts.nativeF16 = true;
  casts.nativeBF16 = true;
  pm.addPass(createExpandNarrowCasts(casts));
  pm.addPass(createExpandDivisions());
  pm.addPass(createCheckMathForNVVM());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertMathToLLVMPass({/*approximateLog1p=*/false}));
  ConvertVectorToLLVMPassOptions vectors;
  pm.addPass(createConvertVectorToLLVMPass(vectors));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createFreezeUndefined());
  pm.addPass(createCheckStage({Stage::LLVM}));
}

void fuse::buildNVVMToBinary(OpPassManager &pm,
                             const ConvertNVVMToBinaryOptions &options) {
  pm.addPass(createCheckStage({Stage::LLVM}));
  pm.addPass(createConvertNVVMToBinary(options));
  pm.addPass(createCheckStage({Stage::Binary}));
}

static bool hostHas(StringRef feature) {
  return llvm::sys::getHostCPUFeatures().lookup(feature);
}

bool fuse::hostHasF16() { return hostHas("f16c"); }

void fuse::buildVectorToLLVM(OpPassManager &pm) {
  buildVectorToLLVMWith(pm, hostHasF16());
}

void fuse::buildVectorToLLVMWith(OpPassManager &pm, bool nativeF16) {
  pm.addPass(createExpandIntegerCasts());
  arith::ArithEmulateUnsupportedFloatsOptions emulated;
  emulated.sourceTypeStrs = {"bf16", "f16", "f8E4M3FN"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulated));
  pm.addPass(math::createMathExtendToSupportedTypes());
  addOwnFunctions(pm);
  ExpandNarrowCastsOptions casts;
  casts.nativeF16 = nativeF16;
  pm.addPass(createExpandNarrowCasts(casts));
  pm.addPass(createExpandDivisions());

  // Vectors of several dimensions become loops over rows.
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());

  pm.addPass(createKeepPowers());
  pm.addPass(createConvertMathToFuncs());
  // As it is, not as log(1 + x), which is 0 for what is small.
  pm.addPass(createConvertMathToLLVMPass({/*approximateLog1p=*/false}));
  pm.addPass(createConvertMathToLibmPass());
  // Behind the functions of a library, which take vectors apart.
  ConvertVectorToLLVMPassOptions vectors;
  // Limits of masks may be beyond 2^31.
  vectors.force32BitVectorIndices = false;
  pm.addPass(createConvertVectorToLLVMPass(vectors));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createFreezeUndefined());
  pm.addPass(createCheckStage({Stage::LLVM}));
}

unsigned fuse::hostVectorBits() {
  if (hostHas("avx512f"))
    return 512;
  return hostHas("avx") ? 256 : 128;
}
