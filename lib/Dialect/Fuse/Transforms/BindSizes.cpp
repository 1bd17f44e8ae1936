//===- BindSizes.cpp - make all sizes of a function static ----------------===//
//
// Walks the function once from top to bottom. Every op is asked, in the way
// that its kind allows, what its result's type is now that its operands' types
// are static; the verifiers then find whatever does not fit together.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Sizes.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

namespace fuse {
#define GEN_PASS_DEF_BINDSIZES
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

/// Replaces an op on sizes by the constant that it has become, if it has.
bool foldToConstants(Operation *op, OpBuilder &builder) {
  builder.setInsertionPoint(op);
  SmallVector<Value> folded;
  if (failed(builder.tryFold(op, folded)))
    return false;
  // A fold in place has changed the op and gives its own results.
  if (llvm::equal(folded, op->getResults()))
    return false;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), folded))
    result.replaceAllUsesWith(value);
  op->erase();
  return true;
}

/// Gives the result of a pointwise op the shape that all its operands have.
LogicalResult refineElementwise(Operation *op) {
  RankedTensorType shape;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      continue;
    if (shape && shape.getShape() != type.getShape())
      return op->emitOpError("combines tensors of different sizes, ")
             << shape << " and " << type;
    shape = type;
  }
  if (!shape)
    return success();
  for (Value result : op->getResults())
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      result.setType(type.clone(shape.getShape()));
  return success();
}

LogicalResult refineInferred(Operation *op) {
  auto inferred = cast<InferTypeOpInterface>(op);
  SmallVector<Type> types;
  if (failed(inferred.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getAttrDictionary(), op->getPropertiesStorage(), op->getRegions(),
          types)))
    return failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
    result.setType(type);
  return success();
}

LogicalResult refine(Operation *op, OpBuilder &builder) {
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    // A cast to a size is a claim about it, which can now be checked.
    auto source = dyn_cast<RankedTensorType>(cast.getSource().getType());
    auto claimed = dyn_cast<RankedTensorType>(cast.getType());
    if (!source || !claimed)
      return success();
    if (failed(verifyCompatibleShape(source.getShape(), claimed.getShape())))
      return cast.emitOpError("claims type ")
             << claimed << " for a tensor of type " << source;
    cast.getResult().replaceAllUsesWith(cast.getSource());
    cast.erase();
    return success();
  }
  // Sizes are computed from sizes; tensors of numbers are left to run time.
  bool isSizeOp = !op->hasTrait<OpTrait::ConstantLike>() &&
                  op->getNumResults() > 0 &&
                  llvm::all_of(op->getResultTypes(),
                               [](Type type) { return type.isIntOrIndex(); });
  if (isSizeOp && foldToConstants(op, builder))
    return success();
  if (auto refinable = dyn_cast<RefinableOpInterface>(op)) {
    refinable.refineSizes();
    return success();
  }
  if (OpTrait::hasElementwiseMappableTraits(op))
    return refineElementwise(op);
  if (isa<InferTypeOpInterface>(op) && isa<FuseDialect>(op->getDialect()))
    return refineInferred(op);
  // A composite with the type of its source.
  if (isa<CompositeOpInterface>(op) && op->getNumResults() == 1)
    op->getResult(0).setType(op->getOperand(0).getType());
  return success();
}

LogicalResult refineKernel(KernelOp kernel, OpBuilder &builder);

/// Refines the ops of a graph from top to bottom, those in kernels too.
LogicalResult refineGraph(Block &body, OpBuilder &builder) {
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (auto kernel = dyn_cast<KernelOp>(op)) {
      if (failed(refineKernel(kernel, builder)))
        return failure();
      continue;
    }
    if (op.getNumRegions() != 0)
      return op.emitOpError("has regions; sizes can be bound in graphs only");
    if (failed(refine(&op, builder)))
      return failure();
  }
  return success();
}

/// Sizes go in by the operands and come out by what is yielded. An operand that
/// is a known size stays, unused: schedules number operands.
LogicalResult refineKernel(KernelOp kernel, OpBuilder &builder) {
  Block &body = *kernel.getBody();
  for (auto [input, argument] :
       llvm::zip_equal(kernel.getInputs(), body.getArguments())) {
    argument.setType(input.getType());
    llvm::APInt value;
    if (!input.getType().isIndex() ||
        !matchPattern(input, m_ConstantInt(&value)))
      continue;
    builder.setInsertionPointToStart(&body);
    argument.replaceAllUsesWith(arith::ConstantIndexOp::create(
        builder, argument.getLoc(), value.getSExtValue()));
  }
  if (failed(refineGraph(body, builder)))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(kernel.getOutputs(), kernel.getYielded()))
    result.setType(value.getType());
  return success();
}

/// Every size is known now, or it does not follow from the arguments.
LogicalResult checkStatic(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped && !shaped.hasStaticShape())
      return op->emitOpError("has a result of type ")
             << type << ", whose sizes do not follow from the sizes of the "
             << "function's arguments";
  }
  return success();
}

LogicalResult bindArgument(func::FuncOp function, unsigned index,
                           const ArgumentShape &shape) {
  BlockArgument argument = function.getArgument(index);
  if (argument.getType().isIndex()) {
    if (shape.size() != 1)
      return function.emitOpError("needs one value for argument #")
             << index << ", but got " << shape.size();
    OpBuilder builder(function.getBody());
    Value value = arith::ConstantIndexOp::create(builder, argument.getLoc(),
                                                 shape.front());
    argument.replaceAllUsesWith(value);
    return success();
  }
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type)
    return success();
  if (failed(verifyCompatibleShape(type.getShape(), shape)) ||
      llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return function.emitOpError("has argument #")
           << index << " of type " << type << ", which cannot have the shape ["
           << llvm::make_range(shape.begin(), shape.end()) << "]";
  argument.setType(type.clone(shape));
  // What is known need not be likely.
  function.removeArgAttr(index, sizeHintsName);
  return success();
}

} // namespace

LogicalResult fuse::bindSizes(func::FuncOp function,
                              ArrayRef<ArgumentShape> shapes) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitOpError("needs a body of one block to bind sizes");
  if (shapes.size() != function.getNumArguments())
    return function.emitOpError("has ")
           << function.getNumArguments()
           << (function.getNumArguments() == 1 ? " argument" : " arguments")
           << ", but got " << shapes.size()
           << (shapes.size() == 1 ? " shape" : " shapes");
  for (auto [index, shape] : llvm::enumerate(shapes))
    if (failed(bindArgument(function, index, shape)))
      return failure();

  OpBuilder builder(function.getContext());
  Block &body = function.getBody().front();
  if (failed(refineGraph(body, builder)))
    return failure();
  function.setFunctionType(builder.getFunctionType(
      body.getArgumentTypes(), body.getTerminator()->getOperandTypes()));
  for (Operation &op : body) {
    // The op's own complaint comes first: it names both sides.
    if (failed(mlir::verify(&op)))
      return failure();
    WalkResult walked = op.walk<WalkOrder::PreOrder>(
        [](Operation *inner) { return WalkResult(checkStatic(inner)); });
    if (walked.wasInterrupted())
      return failure();
  }
  return success();
}

namespace {

struct BindSizesPass final : fuse::impl::BindSizesBase<BindSizesPass> {
  using fuse::impl::BindSizesBase<BindSizesPass>::BindSizesBase;

  void runOnOperation() final {
    SmallVector<ArgumentShape> parsed;
    for (StringRef text : shapes) {
      ArgumentShape &shape = parsed.emplace_back();
      if (text == "scalar")
        continue;
      for (StringRef part : llvm::split(text, 'x'))
        if (part.getAsInteger(10, shape.emplace_back())) {
          getOperation().emitOpError("cannot be given the shape '")
              << text << "': expected sizes with 'x' between them";
          return signalPassFailure();
        }
    }
    if (failed(bindSizes(getOperation(), parsed)))
      signalPassFailure();
  }
};

} // namespace
