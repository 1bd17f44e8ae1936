//===- TileToVector.cpp - kernels become functions of vector code ---------===//
//
// The function that runs a range of a kernel's blocks: its arguments, the loop
// over blocks, and the workspace. What a block does is written by Emitter.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "StreamStores.h"
#include "fuse/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace fuse {
#define GEN_PASS_DEF_CONVERTTILETOVECTOR
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse::tile;

/// Whether the lowering knows what to do with an op.
static LogicalResult check(Operation *op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op);
      extract && extract.getTensor().getType().getRank() != 0)
    return op->emitOpError("takes a number out of a tile of rank ")
           << extract.getTensor().getType().getRank()
           << ", but needs one of rank 0";
  if (isRoot(op) || op->hasTrait<OpTrait::IsTerminator>())
    return success();
  bool makesTile = llvm::any_of(op->getResults(), isTile);
  if (!makesTile) {
    bool readsTile = llvm::any_of(op->getOperands(), isTile);
    if (readsTile || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
      return op->emitOpError("cannot be lowered to vectors");
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (isa<SplatElementsAttr>(constant.getValue()))
      return success();
    return op->emitOpError("has several numbers, but constants of a kernel "
                           "have one; pass it as an input");
  }
  if (isa<LoadOp, GatherOp, BroadcastOp, TransposeOp, IotaOp, MaskOp,
          tensor::SplatOp>(op) ||
      (isa<tensor::FromElementsOp>(op) && op->getNumOperands() == 1) ||
      OpTrait::hasElementwiseMappableTraits(op))
    return success();
  return op->emitOpError("cannot be lowered to vectors");
}

/// i1 takes a byte in memory, but a vector of i1 would not.
static MemRefType storedMemory(Type type) {
  auto memory = cast<MemRefType>(type);
  return MemRefType::get(memory.getShape(),
                         storedType(memory.getElementType()));
}

/// The memory of an object of the workspace.
static Value viewOf(ImplicitLocOpBuilder &b, Value workspace,
                    const Object &object) {
  auto type = MemRefType::get({object.elements}, storedType(object.element));
  Value offset = arith::ConstantIndexOp::create(b, object.offset);
  return memref::ViewOp::create(b, type, workspace, offset, ValueRange());
}

static FailureOr<func::FuncOp> lower(KernelOp kernel,
                                     const VectorTarget &target) {
  WalkResult checked = kernel.getBody().walk([](Operation *op) {
    return failed(check(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (checked.wasInterrupted())
    return failure();

  for (BlockArgument memory : kernel.getMemory())
    if (stridesOf(cast<MemRefType>(memory.getType())))
      return kernel.emitOpError("argument #")
             << memory.getArgNumber() << " has type " << memory.getType()
             << ", but kernels on a CPU need row-major memory";

  Plan plan(kernel);
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel);
  SmallVector<Type> types;
  for (Value memory : kernel.getMemory())
    types.push_back(storedMemory(memory.getType()));
  unsigned memories = types.size(), gridRank = kernel.getPlace().size();
  types.append(2 + gridRank, b.getIndexType());
  types.push_back(MemRefType::get({ShapedType::kDynamic}, b.getI8Type()));
  auto function = func::FuncOp::create(b, kernel.getSymName(),
                                       b.getFunctionType(types, {}));
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    b.getUnitAttr());
  function->setAttr("tile.workspace",
                    b.getI64IntegerAttr(plan.workspaceBytes()));

  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  Emitter emitter(b, plan, target, entry);
  auto arguments = entry->getArguments();
  for (auto [own, memory] : llvm::zip_first(kernel.getMemory(), arguments)) {
    Value mapped = memory;
    if (cast<MemRefType>(memory.getType()).getRank() == 0) {
      auto type = cast<MemRefType>(memory.getType());
      mapped = memref::ReinterpretCastOp::create(
          b, MemRefType::get({1}, type.getElementType()), memory,
          /*offset=*/0, ArrayRef<int64_t>{1}, ArrayRef<int64_t>{1});
    }
    emitter.scalars().map(own, mapped);
  }
  for (const std::unique_ptr<Object> &object : plan.allObjects())
    if (object->elements != 0)
      object->memory = viewOf(b, arguments.back(), *object);

  Value one = arith::ConstantIndexOp::create(b, 1);
  auto loop =
      scf::ForOp::create(b, arguments[memories], arguments[memories + 1], one);
  func::ReturnOp::create(b);
  b.setInsertionPointToStart(loop.getBody());
  // The last dimension of the grid runs fastest.
  Value left = loop.getInductionVar();
  for (unsigned dim = gridRank; dim-- > 0;) {
    Value extent = arguments[memories + 2 + dim], place = left;
    if (dim != 0) {
      place = arith::RemUIOp::create(b, left, extent);
      left = arith::DivUIOp::create(b, left, extent);
    }
    emitter.scalars().map(kernel.getPlace()[dim], place);
  }
  emitter.emitBlock(kernel.getBody().front());
  return function;
}

namespace {

struct ConvertTileToVectorPass final
    : fuse::impl::ConvertTileToVectorBase<ConvertTileToVectorPass> {
  using fuse::impl::ConvertTileToVectorBase<
      ConvertTileToVectorPass>::ConvertTileToVectorBase;

  void runOnOperation() final {
    VectorTarget target;
    target.bits = vectorBits;
    if (!llvm::is_contained({128, 256, 512}, target.bits)) {
      emitError(getOperation().getLoc())
          << "vectors have 128, 256 or 512 bits, but not " << target.bits;
      return signalPassFailure();
    }
    WalkResult launches = getOperation().walk([](LaunchOp op) {
      op.emitOpError("is left, but what launches kernels must have been taken "
                     "out before they become functions");
      return WalkResult::interrupt();
    });
    if (launches.wasInterrupted())
      return signalPassFailure();

    for (auto kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      FailureOr<func::FuncOp> function = lower(kernel, target);
      if (failed(function))
        return signalPassFailure();
      kernel.erase();
      if (streamBytes > 0)
        streamStores(*function, streamBytes);
    }
  }
};

} // namespace
