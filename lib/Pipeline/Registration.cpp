//===- Registration.cpp - what the tools know -----------------------------===//
//
// The dialects of our stages and the passes that work on them, by name. Not
// registerAllDialects: the relocatable build would carry what nothing uses.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Pipeline/Pipelines.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

namespace fuse {
#define GEN_PASS_REGISTRATION
#include "fuse/Pipeline/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

void fuse::registerDialects(DialectRegistry &registry) {
  registry.insert<FuseDialect, affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  func::FuncDialect, index::IndexDialect, LLVM::LLVMDialect,
                  linalg::LinalgDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect,
                  tile::TileDialect, ub::UBDialect, vector::VectorDialect>();
  func::registerInlinerExtension(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
}

namespace {

struct ReferenceOptions : PassPipelineOptions<ReferenceOptions> {
  Option<ReferenceFloats> floats{
      *this, "floats", llvm::cl::desc("in which floats to compute"),
      llvm::cl::init(ReferenceFloats::Same),
      llvm::cl::values(
          clEnumValN(ReferenceFloats::Same, "same", "those that are written"),
          clEnumValN(ReferenceFloats::Exact, "exact",
                     "f64, casts between floats dropped"),
          clEnumValN(ReferenceFloats::Round, "round",
                     "f64, casts still round"))};
};

struct VectorOptions : PassPipelineOptions<VectorOptions> {
  Option<unsigned> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("the width of vectors: 128, 256 or 512; by default what "
                     "this processor has"),
      llvm::cl::init(hostVectorBits())};
};

} // namespace

static void registerPipelines() {
  PassPipelineRegistration<ReferenceOptions>(
      "fuse-reference-to-linalg",
      "stage graph to stage linalg: every op on its own, as it is defined",
      [](OpPassManager &pm, const ReferenceOptions &options) {
        buildReferenceToLinalg(pm, options.floats);
      });
  PassPipelineRegistration<>(
      "fuse-to-tiles", "stage graph to stage tiles: as few kernels as pay off",
      [](OpPassManager &pm) { buildGraphToTiles(pm, {}); });
  PassPipelineRegistration<VectorOptions>(
      "fuse-tiles-to-vector",
      "stage tiles to stage vector: every kernel a function that runs blocks",
      [](OpPassManager &pm, const VectorOptions &options) {
        buildTilesToVector(pm, options.vectorBits);
      });
  PassPipelineRegistration<>("fuse-vector-to-llvm",
                             "stage vector to stage llvm, for a CPU",
                             [](OpPassManager &pm) { buildVectorToLLVM(pm); });
  PassPipelineRegistration<VectorOptions>(
      "fuse-tiles-to-llvm", "stage tiles by way of vector to stage llvm",
      [](OpPassManager &pm, const VectorOptions &options) {
        buildTilesToVector(pm, options.vectorBits);
        buildVectorToLLVM(pm);
      });
  PassPipelineRegistration<>("fuse-linalg-to-llvm",
                             "stage linalg to stage llvm, for a CPU",
                             [](OpPassManager &pm) { buildLinalgToLLVM(pm); });
}

void fuse::registerPasses() {
  registerFuseTransformsPasses();
  registerFuseConversionPasses();
  registerFusePipelinePasses();
  registerPipelines();

  mlir::registerTransformsPasses();
  affine::registerAffinePasses();
  arith::registerArithPasses();
  bufferization::registerBufferizationPasses();
  bufferization::registerBufferizationPipelines();
  LLVM::registerLLVMPasses();
  registerLinalgPasses();
  math::registerMathPasses();
  memref::registerMemRefPasses();
  registerSCFPasses();
  // Of the conversions only those of our stages; the full list would bring
  // SPIR-V, AMD's chips and more along.
  registerArithToLLVMConversionPass();
  registerConvertControlFlowToLLVMPass();
  registerConvertFuncToLLVMPass();
  registerConvertIndexToLLVMPass();
  registerConvertMathToFuncs();
  registerConvertMathToLLVMPass();
  registerConvertMathToLibmPass();
  registerFinalizeMemRefToLLVMConversionPass();
  registerLowerAffinePass();
  registerReconcileUnrealizedCastsPass();
  registerSCFToControlFlowPass();
  registerUBToLLVMConversionPass();
}
