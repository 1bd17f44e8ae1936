//===- WidenFloats.cpp - compute everything in f64 ------------------------===//
//
// The graph's types are changed in place: no op of a graph depends on how wide
// its floats are, except for casts, constants and products, which are handled
// by name.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace fuse {
#define GEN_PASS_DEF_WIDENFLOATS
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

/// The type with every float in it replaced by f64.
Type widen(Type type) {
  Type f64 = Float64Type::get(type.getContext());
  if (isa<FloatType>(type))
    return f64;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    if (isa<FloatType>(tensor.getElementType()))
      return tensor.clone(f64);
  return type;
}

APFloat widen(APFloat value) {
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

LogicalResult widenConstant(arith::ConstantOp constant) {
  TypedAttr value = constant.getValue();
  Type type = widen(value.getType());
  if (type == value.getType())
    return success();
  if (auto number = dyn_cast<FloatAttr>(value)) {
    constant.setValueAttr(FloatAttr::get(type, widen(number.getValue())));
  } else if (auto numbers = dyn_cast<DenseFPElementsAttr>(value)) {
    constant.setValueAttr(numbers.mapValues(
        Float64Type::get(type.getContext()),
        [](const APFloat &number) { return widen(number).bitcastToAPInt(); }));
  } else {
    return constant.emitOpError("has a value that cannot be widened; only "
                                "numbers and dense elements can");
  }
  return success();
}

struct WidenFloatsPass final : fuse::impl::WidenFloatsBase<WidenFloatsPass> {
  using fuse::impl::WidenFloatsBase<WidenFloatsPass>::WidenFloatsBase;

  void runOnOperation() final {
    func::FuncOp function = getOperation();
    // The list is made first: casts are put in, and must not be widened.
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (op == function)
        return;
      ops.push_back(op);
      if (auto bitcast = dyn_cast<arith::BitcastOp>(op))
        narrowTypes[op] = bitcast.getIn().getType();
    });
    for (Operation *op : ops)
      if (failed(widenOp(op)))
        return signalPassFailure();
    // The function's own block, and those of kernels.
    function.walk([](Block *block) {
      for (BlockArgument argument : block->getArguments())
        argument.setType(widen(argument.getType()));
    });
    FunctionType type = function.getFunctionType();
    auto widenAll = [](TypeRange types) {
      return llvm::map_to_vector(types, [](Type type) { return widen(type); });
    };
    function.setFunctionType(
        type.clone(widenAll(type.getInputs()), widenAll(type.getResults())));
  }

private:
  LogicalResult widenOp(Operation *op) {
    if (isa<CompositeOpInterface>(op))
      return op->emitOpError("is a composite, which must be decomposed before "
                             "floats are widened");
    if (auto bitcast = dyn_cast<arith::BitcastOp>(op)) {
      widenBitcast(bitcast);
      return success();
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (failed(widenConstant(constant)))
        return failure();
    if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
      widenCast(op);
      return success();
    }
    if (auto matmul = dyn_cast<MatmulOp>(op))
      matmul.setPrecision(Precision::Ieee);
    for (Value result : op->getResults())
      result.setType(widen(result.getType()));
    return success();
  }

  /// The bits of a number are those of its narrow type: it is rounded to that
  /// before, and what comes out is widened behind.
  void widenBitcast(arith::BitcastOp op) {
    OpBuilder builder(op);
    Type from = narrowTypes.lookup(op), to = op.getType();
    if (widen(from) != from)
      op.getInMutable().assign(
          arith::TruncFOp::create(builder, op.getLoc(), from, op.getIn()));
    if (widen(to) == to)
      return;
    builder.setInsertionPointAfter(op);
    auto wide =
        arith::ExtFOp::create(builder, op.getLoc(), widen(to), op.getResult());
    op.getResult().replaceAllUsesExcept(wide, wide);
  }

  /// A cast that still rounds goes to the narrow type and back.
  void widenCast(Operation *op) {
    Value value = op->getOperand(0);
    Type narrow = op->getResult(0).getType();
    Type wide = widen(narrow);
    if (casts == WidenedCasts::Round && isa<arith::TruncFOp>(op)) {
      OpBuilder builder(op);
      Value rounded =
          arith::TruncFOp::create(builder, op->getLoc(), narrow, value);
      value = arith::ExtFOp::create(builder, op->getLoc(), wide, rounded);
    }
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  /// What bitcasts were of, before anything was widened.
  llvm::DenseMap<Operation *, Type> narrowTypes;
};

} // namespace
