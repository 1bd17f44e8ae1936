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
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "fuse/Pipeline/Pipelines.h"
#include "fuse/Pipeline/ValueParser.h"
#include "fuse/Simulate/Passes.h"
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
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
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

/// As the options of pipelines name them.
static llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     MachineKind machine) {
  return os << (machine == MachineKind::Cpu ? "cpu" : "h200");
}
} // namespace fuse

using namespace mlir;
using namespace fuse;

void fuse::registerDialects(DialectRegistry &registry) {
  registry.insert<FuseDialect, affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  func::FuncDialect, gpu::GPUDialect, index::IndexDialect,
                  LLVM::LLVMDialect, NVVM::NVVMDialect, linalg::LinalgDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  tensor::TensorDialect, tile::TileDialect, ub::UBDialect,
                  vector::VectorDialect>();
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

struct ChipOptions : PassPipelineOptions<ChipOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("for which GPU, as NVIDIA calls it"),
                           llvm::cl::init("sm_90a")};

  GpuChip get() const { return *GpuChip::byName(chip); }
  /// What is wrong with the options, beyond their syntax.
  std::optional<std::string> complaint() const {
    if (GpuChip::byName(chip))
      return std::nullopt;
    return "'" + chip + "' is none of the chips " + listGpuChips();
  }
};

/// What `fuse-form-kernels` can be told, see there.
struct TilesOptions : PassPipelineOptions<TilesOptions> {
  Option<MachineKind, ValueParser<MachineKind>> machine{
      *this, "machine", llvm::cl::desc("whose costs to compare"),
      llvm::cl::init(MachineKind::Cpu),
      llvm::cl::values(clEnumValN(MachineKind::Cpu, "cpu", "this machine"),
                       clEnumValN(MachineKind::H200, "h200", "an H200"))};
  Option<unsigned> threads{*this, "threads",
                           llvm::cl::desc("how many threads a CPU runs"),
                           llvm::cl::init(FormationOptions().threads)};
  Option<unsigned> sharedBytes{
      *this, "shared-bytes",
      llvm::cl::desc("how much shared memory a block of a GPU may have; 0: "
                     "what the machine has"),
      llvm::cl::init(FormationOptions().sharedBytes)};
  Option<bool> hasWarpgroups{
      *this, "warpgroups",
      llvm::cl::desc("whether four warps of a GPU can multiply together"),
      llvm::cl::init(FormationOptions().hasWarpgroups)};
  Option<double> sharedPart{*this, "shared-part",
                            llvm::cl::desc("what part of it to count on"),
                            llvm::cl::init(FormationOptions().sharedPart)};
  Option<std::string> prefix{
      *this, "prefix",
      llvm::cl::desc(
          "what kernels are called; the function's name if nothing is said")};
  Option<std::string> report{*this, "report",
                             llvm::cl::desc("a file for all decisions")};
  Option<unsigned> mostKernels{
      *this, "most-kernels",
      llvm::cl::desc("how many kernels to make at most, though more would be "
                     "faster; 0: as many as pay"),
      llvm::cl::init(0)};
  ListOption<std::string> schedules{
      *this, "schedules",
      llvm::cl::desc("schedules of kernels: @name:{...}, ...")};
  ListOption<std::string> rejected{
      *this, "rejected",
      llvm::cl::desc("schedules that kernels may not have: @name:{...}, ...")};

  FormationOptions formation() const {
    FormationOptions formation;
    formation.machine = machine;
    formation.threads = threads;
    formation.sharedBytes = sharedBytes;
    formation.hasWarpgroups = hasWarpgroups;
    formation.sharedPart = sharedPart;
    formation.prefix = prefix;
    formation.reportFile = report;
    formation.mostKernels = mostKernels;
    for (StringRef text : schedules) {
      text.consume_front("@");
      auto [kernel, schedule] = text.split(':');
      // Without braces it ends at its first comma.
      if (schedule.starts_with("{") && schedule.ends_with("}"))
        schedule = schedule.drop_front().drop_back();
      formation.schedules[kernel] = schedule.str();
    }
    formation.rejected.assign(rejected.begin(), rejected.end());
    return formation;
  }
};

/// What `convert-nvvm-to-binary` can be told, see there.
struct BinaryOptions : PassPipelineOptions<BinaryOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("for which GPU, as NVIDIA calls it"),
                           llvm::cl::init(ConvertNVVMToBinaryOptions().chip)};
  Option<CodeFormat> format{
      *this, "format", llvm::cl::desc("which form of code to make"),
      llvm::cl::init(CodeFormat::Ptx),
      llvm::cl::values(
          clEnumValN(CodeFormat::Ptx, "ptx", "PTX, as text"),
          clEnumValN(CodeFormat::Cubin, "cubin", "machine code; needs ptxas"),
          clEnumValN(CodeFormat::Both, "both", "PTX and machine code"))};
  Option<unsigned> optLevel{
      *this, "opt-level",
      llvm::cl::desc("how much LLVM and ptxas optimise, from 0 to 3"),
      llvm::cl::init(ConvertNVVMToBinaryOptions().optLevel)};
};

} // namespace

/// Upstream's PassPipelineRegistration refuses options without a word if it
/// knows none, and says what is wrong with others to a stream of its own.
template <typename Options>
static void
registerPipeline(StringRef name, StringRef description,
                 std::function<void(OpPassManager &, const Options &)> build) {
  registerPassPipeline(
      name, description,
      [=](OpPassManager &pm, StringRef text,
          function_ref<LogicalResult(const Twine &)> fail) -> LogicalResult {
        Options options;
        if (std::is_same_v<Options, EmptyPipelineOptions> && !text.empty())
          return fail(name + " takes no options, but got '" + text + "'");
        std::string message;
        llvm::raw_string_ostream stream(message);
        if (failed(options.parseFromString(text, stream)))
          // Of a value LLVM's parser has said already what is wrong with it.
          return fail(name + " does not take the options '" + text + "'" +
                      (message.empty() ? "" : ": ") +
                      StringRef(message).trim());
        if constexpr (requires { options.complaint(); })
          if (std::optional<std::string> complaint = options.complaint())
            return fail(name + ": " + *complaint);
        build(pm, options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> show) {
        show(Options());
      });
}

/// A pipeline without options.
static void registerPlain(StringRef name, StringRef description,
                          void (*build)(OpPassManager &)) {
  registerPipeline<EmptyPipelineOptions>(
      name, description,
      [=](OpPassManager &pm, const EmptyPipelineOptions &) { build(pm); });
}

static void registerPipelines() {
  registerPipeline<ReferenceOptions>(
      "fuse-reference-to-linalg",
      "stage graph to stage linalg: every op on its own, as it is defined",
      [](OpPassManager &pm, const ReferenceOptions &options) {
        buildReferenceToLinalg(pm, options.floats);
      });
  registerPipeline<TilesOptions>(
      "fuse-to-tiles", "stage graph to stage tiles: as few kernels as pay off",
      [](OpPassManager &pm, const TilesOptions &options) {
        buildGraphToTiles(pm, options.formation());
      });
  registerPipeline<VectorOptions>(
      "fuse-tiles-to-vector",
      "stage tiles to stage vector: every kernel a function that runs blocks",
      [](OpPassManager &pm, const VectorOptions &options) {
        buildTilesToVector(pm, options.vectorBits);
      });
  registerPlain("fuse-vector-to-llvm", "stage vector to stage llvm, for a CPU",
                buildVectorToLLVM);
  registerPipeline<VectorOptions>(
      "fuse-tiles-to-llvm", "stage tiles by way of vector to stage llvm",
      [](OpPassManager &pm, const VectorOptions &options) {
        buildTilesToVector(pm, options.vectorBits);
        buildVectorToLLVM(pm);
      });
  registerPipeline<ChipOptions>(
      "fuse-tiles-to-placed",
      "stage tiles to stage placed: tiles with layouts, for a GPU",
      [](OpPassManager &pm, const ChipOptions &options) {
        buildTilesToPlaced(pm, options.get());
      });
  registerPipeline<ChipOptions>(
      "fuse-placed-to-staged",
      "stage placed to stage staged: what loops read is copied ahead",
      [](OpPassManager &pm, const ChipOptions &options) {
        buildPlacedToStaged(pm, options.get());
      });
  registerPipeline<ChipOptions>(
      "fuse-staged-to-threads",
      "stage staged to stage threads: what one thread of a GPU does",
      [](OpPassManager &pm, const ChipOptions &options) {
        buildStagedToThreads(pm, options.get());
      });
  registerPlain("fuse-threads-to-llvm",
                "stage threads to stage llvm, for a GPU", buildThreadsToLLVM);
  registerPipeline<ChipOptions>(
      "fuse-tiles-to-nvvm",
      "stage tiles by way of placed, staged and threads to stage llvm, for a "
      "GPU",
      [](OpPassManager &pm, const ChipOptions &options) {
        buildTilesToPlaced(pm, options.get());
        buildPlacedToStaged(pm, options.get());
        buildStagedToThreads(pm, options.get());
        buildThreadsToLLVM(pm);
      });
  registerPipeline<BinaryOptions>(
      "fuse-nvvm-to-binary",
      "stage llvm, for a GPU, to stage binary: PTX or machine code for a chip",
      [](OpPassManager &pm, const BinaryOptions &options) {
        buildNVVMToBinary(pm, {options.chip, options.format, options.optLevel});
      });
  registerPlain("fuse-linalg-to-llvm", "stage linalg to stage llvm, for a CPU",
                buildLinalgToLLVM);
}

void fuse::registerPasses() {
  registerFuseTransformsPasses();
  registerFuseConversionPasses();
  registerFusePipelinePasses();
  registerFuseSimulatePasses();
  registerFuseTileTransformsPasses();
  registerFuseTargetPasses();
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
