//===- CheckStage.cpp - what may be left after a stage --------------------===//
//
// A stage is a list of dialects and a few single ops.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Sizes.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Pipeline/Pipelines.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace fuse {
#define GEN_PASS_DEF_CHECKSTAGE
#include "fuse/Pipeline/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// Functions of the stage `tiles` only launch kernels and compute sizes.
static bool belongsToHost(Operation *op) {
  if (isa<func::FuncOp, func::ReturnOp, tile::LaunchOp, tensor::DimOp,
          tensor::CastOp>(op))
    return true;
  bool isConstant = op->hasTrait<OpTrait::ConstantLike>();
  bool isScalar = llvm::none_of(
      op->getResultTypes(), [](Type type) { return isa<ShapedType>(type); });
  return isa_and_present<arith::ArithDialect>(op->getDialect()) &&
         (isConstant || isScalar);
}

static bool belongsToKernel(Operation *op) {
  if (isa<tile::LaunchOp>(op))
    return false;
  return isa<tensor::ExtractOp, tensor::FromElementsOp, tensor::SplatOp,
             memref::DimOp>(op) ||
         isa_and_present<tile::TileDialect, arith::ArithDialect,
                         math::MathDialect, scf::SCFDialect>(op->getDialect());
}

/// What only kernels that copy ahead have.
static bool isStaged(Operation *op) {
  return isa<tile::RingOp, tile::AcquireOp, tile::CopyOp, tile::CommitOp,
             tile::WaitOp, tile::ReleaseOp, tile::DotIssueOp, tile::TakeOp,
             tile::RetireOp, tile::StartOp, tile::PinOp, tile::HoldOp,
             tile::RolesOp, tile::RoleOp, tile::CrewOp, tile::TakeTurnOp,
             tile::GiveTurnOp>(op);
}

static bool belongsTo(Operation *op, Stage stage) {
  if (isa<ModuleOp>(op))
    return true;
  Dialect *dialect = op->getDialect();
  switch (stage) {
  case Stage::Graph:
    // Not tensor.extract, which may read beside the tensor: fuse.gather says
    // what it gives there.
    return isa<func::FuncOp, func::ReturnOp, tensor::CastOp, tensor::DimOp,
               tensor::FromElementsOp>(op) ||
           isa_and_present<FuseDialect, arith::ArithDialect, math::MathDialect>(
               dialect);
  case Stage::Linalg:
    // affine: only to compute sizes from sizes.
    return isa_and_present<func::FuncDialect, affine::AffineDialect,
                           arith::ArithDialect, math::MathDialect,
                           tensor::TensorDialect, scf::SCFDialect,
                           linalg::LinalgDialect>(dialect);
  case Stage::Tiles:
    return isa<tile::KernelOp>(op) || op->getParentOfType<tile::KernelOp>()
               ? belongsToKernel(op) && !isStaged(op)
               : belongsToHost(op);
  case Stage::Vector:
    return isa<LLVM::FenceOp>(op) ||
           isa_and_present<func::FuncDialect, arith::ArithDialect,
                           math::MathDialect, memref::MemRefDialect,
                           scf::SCFDialect, ub::UBDialect,
                           vector::VectorDialect>(dialect);
  case Stage::Placed:
    return belongsToKernel(op) && !isStaged(op);
  case Stage::Staged:
    return belongsToKernel(op);
  case Stage::Threads:
    return isa<gpu::GPUModuleOp>(op) ||
           isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect,
                           arith::ArithDialect, math::MathDialect,
                           scf::SCFDialect, vector::VectorDialect>(dialect);
  case Stage::LLVM:
    return isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(dialect) ||
           isa<gpu::GPUModuleOp>(op);
  case Stage::Binary:
    return isa<gpu::BinaryOp>(op);
  }
  llvm_unreachable("every stage is handled above");
}

/// No chip that we know of rounds in another way at the same speed.
static bool roundsOddly(arith::TruncFOp cast) {
  auto mode = cast.getRoundingmode();
  return mode && *mode != arith::RoundingMode::to_nearest_even;
}

/// Graphs work on plain tensors, and on scalars from which sizes are made.
static bool isGraphType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (tensor.getEncoding())
      return false;
    type = tensor.getElementType();
  }
  return isa<FunctionType>(type) || type.isIntOrIndexOrFloat();
}

/// What memory holds, and every road computes with.
static bool isGraphElement(Type type) {
  return !type.isIntOrFloat() || type.isSignlessInteger(1) ||
         type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
         type.isSignlessInteger(32) || type.isSignlessInteger(64) ||
         isa<Float8E4M3FNType, Float16Type, BFloat16Type, Float32Type,
             Float64Type>(type);
}

/// What is wrong with an op of a graph beside its name.
static LogicalResult checkGraphOp(Operation *op) {
  auto cast = dyn_cast<arith::TruncFOp>(op);
  if (cast && roundsOddly(cast))
    return op->emitOpError("rounds ")
           << arith::stringifyRoundingMode(*cast.getRoundingmode())
           << ", but only to_nearest_even can be lowered";
  // Upstream lowers these on no processor.
  if (isa<math::IsInfOp, math::IsNormalOp, math::ClampFOp>(op))
    return op->emitOpError("cannot be lowered; compare with infinity, or use "
                           "minimumf and maximumf");
  // Upstream takes it, and leaves open what it is.
  if (auto dim = dyn_cast<tensor::DimOp>(op); dim && dim.getConstantIndex())
    if (auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
        type && !askedDimOf(dim))
      return op->emitOpError("asks for dimension ")
             << *dim.getConstantIndex() << " of a tensor that has "
             << type.getRank();
  auto function = dyn_cast<func::FuncOp>(op);
  if (function && !function.isExternal() && !function.getBody().hasOneBlock())
    return op->emitOpError("has several blocks, but a graph is one");
  SmallVector<Type> types(op->getResultTypes());
  if (function)
    llvm::append_range(types, function.getArgumentTypes());
  for (Type type : types) {
    if (!isGraphType(type))
      return op->emitOpError("has a value of type ")
             << type << ", but graphs work on ranked tensors and scalars of "
             << "integers, floats and index";
    if (!isGraphElement(getElementTypeOrSelf(type)))
      return op->emitOpError("has a value of type ")
             << type << ", but elements are i1, i8, i16, i32, i64, index, "
             << "f8E4M3FN, f16, bf16, f32 or f64";
  }
  return success();
}

/// Tiles have no layouts, or all of them do.
static LogicalResult checkTiles(Operation *op, bool arePlaced) {
  if (!op->getParentOfType<tile::KernelOp>())
    return success();
  SmallVector<Type> types(op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  for (Type type : types)
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && bool(tensor.getEncoding()) != arePlaced)
      return op->emitOpError("has a tile of type ")
             << type
             << (arePlaced ? ", which has no layout yet"
                           : ", which has a layout already");
  return success();
}

static LogicalResult checkTypes(Operation *op, Stage stage) {
  switch (stage) {
  case Stage::Graph:
    return checkGraphOp(op);
  case Stage::Tiles:
    return checkTiles(op, /*arePlaced=*/false);
  case Stage::Placed:
  case Stage::Staged:
    return checkTiles(op, /*arePlaced=*/true);
  default:
    return success();
  }
}

static StringRef nameOf(Stage stage) {
  switch (stage) {
  case Stage::Graph:
    return "graph";
  case Stage::Linalg:
    return "linalg";
  case Stage::Tiles:
    return "tiles";
  case Stage::Vector:
    return "vector";
  case Stage::Placed:
    return "placed";
  case Stage::Staged:
    return "staged";
  case Stage::Threads:
    return "threads";
  case Stage::LLVM:
    return "llvm";
  case Stage::Binary:
    return "binary";
  }
  llvm_unreachable("every stage is handled above");
}

namespace {

struct CheckStagePass final : fuse::impl::CheckStageBase<CheckStagePass> {
  using fuse::impl::CheckStageBase<CheckStagePass>::CheckStageBase;

  void runOnOperation() final {
    WalkResult walked =
        getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
          if (belongsTo(op, stage)) {
            return succeeded(checkTypes(op, stage)) ? WalkResult::advance()
                                                    : WalkResult::interrupt();
          }
          op->emitError("'")
              << op->getName() << "' does not belong to the stage '"
              << nameOf(stage) << "'";
          return WalkResult::interrupt();
        });
    if (walked.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
