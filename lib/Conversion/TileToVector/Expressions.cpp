//===- Expressions.cpp - the value of a strip -----------------------------===//
//
// Evaluates what a tile is on one strip, by what its op does on the strips of
// its operands. What does not vary along a strip is evaluated once for it, in
// front of the loop over strips.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Small things
//===----------------------------------------------------------------------===//

Value Emitter::constant(TypedAttr number, int64_t lanes) {
  Attribute value = number;
  if (lanes != 0)
    value = DenseElementsAttr::get(VectorType::get(lanes, number.getType()),
                                   Attribute(number));
  Value &known = constants[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    known = arith::ConstantOp::create(b, cast<TypedAttr>(value));
  }
  return known;
}

Value Emitter::index(int64_t number) {
  return constant(b.getIndexAttr(number), 0);
}

Value Emitter::zero(Type element, int64_t lanes) {
  return constant(b.getZeroAttr(element), lanes);
}

Value Emitter::splat(Value scalar, int64_t lanes) {
  return vector::BroadcastOp::create(
      b, VectorType::get(lanes, scalar.getType()), scalar);
}

Value Emitter::add(Value a, Value c) {
  return b.createOrFold<arith::AddIOp>(a, c);
}
Value Emitter::sub(Value a, Value c) {
  return b.createOrFold<arith::SubIOp>(a, c);
}
Value Emitter::mul(Value a, Value c) {
  return b.createOrFold<arith::MulIOp>(a, c);
}
Value Emitter::less(Value a, Value c) {
  return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, a, c);
}

Value Emitter::both(Value a, Value c) {
  if (!a || !c)
    return a ? a : c;
  return b.createOrFold<arith::AndIOp>(a, c);
}

Value Emitter::linear(Value base, ArrayRef<int64_t> row,
                      ArrayRef<Value> position) {
  Value sum = base;
  for (auto [factor, at] : llvm::zip_equal(row, position)) {
    if (factor == 0)
      continue;
    Value term = factor == 1 ? at : mul(at, index(factor));
    sum = sum ? add(sum, term) : term;
  }
  return sum ? sum : index(0);
}

Value Emitter::count(Value base, Value factor, int64_t lanes) {
  auto type = VectorType::get(lanes, b.getIndexType());
  Value lane = vector::StepOp::create(b, type);
  return add(splat(base, lanes), mul(lane, splat(factor, lanes)));
}

Value Emitter::toStored(Value vector) {
  auto type = cast<VectorType>(vector.getType());
  Type stored = storedType(type.getElementType());
  if (stored == type.getElementType())
    return vector;
  if (isNarrowFloat(type.getElementType()))
    return arith::BitcastOp::create(b, type.clone(stored), vector);
  return arith::ExtUIOp::create(b, type.clone(stored), vector);
}

Value Emitter::fromStored(Value vector, Type element) {
  auto type = cast<VectorType>(vector.getType());
  if (type.getElementType() == element)
    return vector;
  if (isNarrowFloat(element))
    return arith::BitcastOp::create(b, type.clone(element), vector);
  // As numpy reads a bool: whatever is not 0 is true.
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, vector,
                               zero(type.getElementType(), type.getDimSize(0)));
}

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

Value Emitter::neutral(CombineKind kind, Type element, int64_t lanes) {
  bool isMax = kind == CombineKind::Max;
  if (auto type = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    if (kind == CombineKind::Sum || kind == CombineKind::Prod)
      return constant(
          b.getFloatAttr(type, kind == CombineKind::Sum ? -0.0 : 1.0), lanes);
    return constant(
        b.getFloatAttr(type, APFloat::getInf(semantics, /*Negative=*/isMax)),
        lanes);
  }
  if (kind == CombineKind::Sum || kind == CombineKind::Prod)
    return constant(b.getIntegerAttr(element, kind == CombineKind::Sum ? 0 : 1),
                    lanes);
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return constant(
      b.getIntegerAttr(element, isMax ? APInt::getSignedMinValue(width)
                                      : APInt::getSignedMaxValue(width)),
      lanes);
}

/// One number out of a vector, by halves while it has two.
Value Emitter::combineLanes(CombineKind kind, Value vector) {
  int64_t lanes = cast<VectorType>(vector.getType()).getDimSize(0);
  Value rest;
  while (lanes > 1) {
    auto slice = [&](int64_t offset, int64_t size) -> Value {
      return vector::ExtractStridedSliceOp::create(
          b, vector, ArrayRef<int64_t>{offset}, ArrayRef<int64_t>{size},
          ArrayRef<int64_t>{1});
    };
    if (lanes % 2 == 1) {
      Value last = slice(lanes - 1, 1);
      rest = rest ? combine(b, kind, rest, last) : last;
    }
    int64_t half = lanes / 2;
    vector = combine(b, kind, slice(0, half), slice(half, half));
    lanes = half;
  }
  return rest ? combine(b, kind, vector, rest) : vector;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value Emitter::evaluate(Value value, const AxisMap &map, Strip &strip) {
  auto onSingle = [&]() -> Value {
    OpBuilder::InsertionGuard guard(b);
    if (strip.loop)
      b.setInsertionPoint(strip.loop);
    Value one = evaluate(value, map, *strip.single);
    Value number = vector::ExtractOp::create(b, one, int64_t(0));
    return splat(number, strip.lanes);
  };
  auto key = std::make_pair(value.getAsOpaquePointer(), map);
  if (auto known = strip.known.find(key); known != strip.known.end())
    return known->second;
  Value result;
  if (strip.lanes > 1 && !map.uses(strip.axis)) {
    result = onSingle();
  } else if (emitted.contains(value)) {
    auto type = cast<RankedTensorType>(value.getType());
    result =
        readObject(*plan.objectOf(value), type.getElementType(), map, strip);
  } else {
    result = evaluateOp(value.getDefiningOp(), map, strip);
    if (!result)
      result = onSingle();
  }
  strip.known[key] = result;
  return result;
}

/// Null if the result does not vary along the strip.
Value Emitter::evaluateOp(Operation *op, const AxisMap &map, Strip &strip) {
  if (auto load = dyn_cast<LoadOp>(op))
    return evaluateLoad(load, map, strip);
  if (auto gather = dyn_cast<GatherOp>(op))
    return evaluateGather(gather, map, strip);
  if (auto mask = dyn_cast<MaskOp>(op))
    return evaluateMask(mask, map, strip);
  if (auto iota = dyn_cast<IotaOp>(op))
    return evaluateIota(iota, map, strip);
  if (isa<BroadcastOp, TransposeOp>(op))
    return evaluate(op->getOperand(0), operandMap(op, 0).compose(map), strip);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (auto number = dyn_cast<arith::ConstantOp>(op)) {
    auto all = cast<SplatElementsAttr>(number.getValue());
    return constant(cast<TypedAttr>(all.getSplatValue<Attribute>()),
                    strip.lanes);
  }
  if (isa<tensor::SplatOp, tensor::FromElementsOp>(op))
    return splat(mapping.lookup(op->getOperand(0)), strip.lanes);

  // Pointwise: the same op on vectors. Functions of narrow floats are those of
  // f32, so that they are the same polynomials.
  auto element = dyn_cast<FloatType>(type.getElementType());
  bool isWidened = isa_and_present<math::MathDialect>(op->getDialect()) &&
                   element && element.getWidth() < 32;
  OperationState state(b.getLoc(), op->getName());
  for (Value operand : op->getOperands()) {
    Value vector = isTile(operand) ? evaluate(operand, map, strip)
                                   : mapping.lookup(operand);
    if (isWidened && isa<FloatType>(getElementTypeOrSelf(vector.getType())))
      vector = widen(vector, b.getF32Type());
    state.operands.push_back(vector);
  }
  auto result = VectorType::get(strip.lanes, type.getElementType());
  state.addTypes(isWidened ? result.clone(b.getF32Type()) : result);
  state.addAttributes(op->getAttrDictionary().getValue());
  Value vector = b.create(state)->getResult(0);
  return isWidened ? arith::TruncFOp::create(b, result, vector) : vector;
}

Value Emitter::evaluateMask(MaskOp op, const AxisMap &map, Strip &strip) {
  Value source = evaluate(op.getSource(), map, strip);
  if (!strip.isChecked)
    return source;
  Value mask =
      limitMask(op.getStarts(), op.getLimits(), op.getAxes(), map, strip);
  return arith::SelectOp::create(b, mask, source,
                                 constant(op.getOtherwise(), strip.lanes));
}

Value Emitter::evaluateIota(IotaOp op, const AxisMap &map, Strip &strip) {
  AxisMap sum = AxisMap::of(op.getCoefficients()).compose(map);
  if (strip.lanes > 1 && !sum.uses(strip.axis))
    return Value();
  Value first =
      linear(mapping.lookup(op.getBase()), sum.rows[0], strip.position);
  Value indices =
      strip.lanes == 1
          ? splat(first, 1)
          : count(first, index(sum.rows[0][strip.axis]), strip.lanes);
  return convert(indices, op.getResult().getType().getElementType());
}

Value Emitter::convert(Value indices, Type element) {
  auto type = cast<VectorType>(indices.getType());
  if (element.isIndex())
    return indices;
  if (auto integer = dyn_cast<IntegerType>(element);
      integer && integer.getWidth() != 64) {
    Value wide = convert(indices, b.getI64Type());
    return arith::TruncIOp::create(b, type.clone(element), wide);
  }
  if (element.isInteger(64))
    return arith::IndexCastOp::create(b, type.clone(element), indices);
  // By way of f64, so that narrow floats are rounded once.
  Value wide = convert(indices, b.getI64Type());
  Value real = arith::SIToFPOp::create(b, type.clone(b.getF64Type()), wide);
  if (element.isF64())
    return real;
  return arith::TruncFOp::create(b, type.clone(element), real);
}
