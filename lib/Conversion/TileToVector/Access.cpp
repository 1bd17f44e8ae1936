//===- Access.cpp - strips from and to memory -----------------------------===//
//
// Where the elements of a strip are, which of them count, and the cheapest
// vector op for both: one load where they are contiguous, one number where
// they are all the same, a gather else.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuse::tile;

struct Emitter::Access {
  Value memory;
  /// The index of the first lane in each dimension, and what a lane adds.
  SmallVector<Value> position;
  SmallVector<int64_t> step;
  /// What each lane adds in a dimension of its own, or null.
  SmallVector<Value> scattered;
  /// Which lanes count; null if all do.
  Value mask;

  bool isScattered() const {
    return llvm::any_of(scattered, [](Value v) { return bool(v); });
  }
  bool isContiguous() const {
    return !isScattered() &&
           llvm::all_of(ArrayRef(step).drop_back(),
                        [](int64_t s) { return s == 0; }) &&
           step.back() == 1;
  }
  bool isConstant() const {
    return !isScattered() &&
           llvm::all_of(step, [](int64_t s) { return s == 0; });
  }
};

Value Emitter::dimOf(Value memory, unsigned dim) {
  auto type = cast<MemRefType>(memory.getType());
  if (!type.isDynamicDim(dim))
    return index(type.getDimSize(dim));
  return memref::DimOp::create(b, memory, index(dim));
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Value Emitter::broadcastMask(Value scalar, Value vector, int64_t lanes) {
  if (!scalar)
    return vector;
  return both(vector, splat(scalar, lanes));
}

Value Emitter::limitMask(ValueRange starts, ValueRange limits,
                         ArrayRef<int64_t> axes, const AxisMap &map,
                         Strip &strip) {
  Value scalar, vector;
  for (auto [unmapped, axis] : llvm::zip_equal(limits, axes)) {
    Value limit = mapping.lookup(unmapped);
    ArrayRef<int64_t> row = map.rows[axis];
    Value first = linear(Value(), row, strip.position);
    int64_t step = row[strip.axis];
    if (strip.lanes == 1 || step == 0) {
      scalar = both(scalar, less(first, limit));
      continue;
    }
    Value lanes = index(strip.lanes);
    Value mask;
    if (step == 1) {
      // Clamped, because the comparison is done on 32 bits later.
      Value left = b.createOrFold<arith::MinSIOp>(sub(limit, first), lanes);
      left = b.createOrFold<arith::MaxSIOp>(left, index(0));
      auto type = VectorType::get(strip.lanes, b.getI1Type());
      mask = vector::CreateMaskOp::create(b, type, left);
    } else {
      mask = less(count(first, index(step), strip.lanes),
                  splat(limit, strip.lanes));
    }
    vector = both(vector, mask);
  }
  for (auto [unmapped, axis] : llvm::zip_first(starts, axes)) {
    Value last = sub(mapping.lookup(unmapped), index(1));
    ArrayRef<int64_t> row = map.rows[axis];
    Value first = linear(Value(), row, strip.position);
    int64_t step = row[strip.axis];
    if (strip.lanes == 1 || step == 0)
      scalar = both(scalar, less(last, first));
    else
      vector = both(vector, less(splat(last, strip.lanes),
                                 count(first, index(step), strip.lanes)));
  }
  return broadcastMask(scalar, vector, strip.lanes);
}

/// Drops the lanes that are outside of the memory.
void Emitter::guard(Access &access, Strip &strip) {
  Value scalar, vector;
  for (auto [dim, position] : llvm::enumerate(access.position)) {
    Value size = dimOf(access.memory, dim);
    auto isInside = [&](Value at, Value size) -> Value {
      return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, at, size);
    };
    Value own = access.scattered[dim];
    if (!own && (access.step[dim] == 0 || strip.lanes == 1)) {
      scalar = both(scalar, isInside(position, size));
      continue;
    }
    Value at = count(position, index(access.step[dim]), strip.lanes);
    if (own)
      at = add(at, own);
    vector = both(vector, isInside(at, splat(size, strip.lanes)));
  }
  access.mask = both(access.mask, broadcastMask(scalar, vector, strip.lanes));
}

//===----------------------------------------------------------------------===//
// Reading and writing
//===----------------------------------------------------------------------===//

Emitter::Access Emitter::accessOf(Value memory, ValueRange indices,
                                  const AxisMap &map, Strip &strip) {
  Access access;
  access.memory = memory;
  for (auto [base, row] : llvm::zip_equal(indices, map.rows)) {
    access.position.push_back(linear(base, row, strip.position));
    access.step.push_back(row[strip.axis]);
  }
  // Memory of rank 0 is seen as memory of one element.
  if (access.position.empty()) {
    access.position.push_back(index(0));
    access.step.push_back(0);
  }
  access.scattered.assign(access.position.size(), Value());
  return access;
}

/// How far the lanes are from the first one, in elements.
static Value distances(ImplicitLocOpBuilder &b, Value steps, Value extra) {
  return extra ? b.createOrFold<arith::AddIOp>(steps, extra) : steps;
}

Value Emitter::read(Access &access, Type element, Strip &strip) {
  Type stored = storedType(element);
  auto type = VectorType::get(strip.lanes, stored);
  auto maskType = [&](int64_t lanes) {
    return VectorType::get(lanes, b.getI1Type());
  };
  auto readOne = [&](int64_t lanes, Value mask) -> Value {
    auto type = VectorType::get(lanes, stored);
    if (!mask)
      return vector::LoadOp::create(b, type, access.memory, access.position);
    return vector::MaskedLoadOp::create(b, type, access.memory, access.position,
                                        mask, zero(stored, lanes));
  };
  if (strip.lanes == 1 || access.isContiguous())
    return fromStored(readOne(strip.lanes, access.mask), element);
  if (access.isConstant()) {
    Value any;
    if (access.mask) {
      any = vector::ReductionOp::create(b, vector::CombiningKind::OR,
                                        access.mask);
      any = vector::BroadcastOp::create(b, maskType(1), any);
    }
    Value number = vector::ExtractOp::create(b, readOne(1, any), int64_t(0));
    Value all = splat(number, strip.lanes);
    if (access.mask)
      all = arith::SelectOp::create(b, access.mask, all,
                                    zero(stored, strip.lanes));
    return fromStored(all, element);
  }
  Value step = index(0), stride = index(1), scattered;
  for (unsigned dim = access.position.size(); dim-- > 0;) {
    step = add(step, mul(stride, index(access.step[dim])));
    if (Value own = access.scattered[dim])
      scattered = scattered
                      ? add(scattered, mul(own, splat(stride, strip.lanes)))
                      : mul(own, splat(stride, strip.lanes));
    if (dim != 0)
      stride = mul(stride, dimOf(access.memory, dim));
  }
  Value offsets = distances(b, count(index(0), step, strip.lanes), scattered);
  Value mask =
      access.mask ? access.mask : constant(b.getBoolAttr(true), strip.lanes);
  Value gathered =
      vector::GatherOp::create(b, type, access.memory, access.position, offsets,
                               mask, zero(stored, strip.lanes));
  return fromStored(gathered, element);
}

void Emitter::write(Access &access, Value vector, Strip &strip) {
  vector = toStored(vector);
  if (strip.lanes == 1 || access.isContiguous()) {
    if (access.mask)
      vector::MaskedStoreOp::create(b, access.memory, access.position,
                                    access.mask, vector);
    else
      vector::StoreOp::create(b, vector, access.memory, access.position);
    return;
  }
  Value step = index(0), stride = index(1);
  for (unsigned dim = access.position.size(); dim-- > 0;) {
    step = add(step, mul(stride, index(access.step[dim])));
    if (dim != 0)
      stride = mul(stride, dimOf(access.memory, dim));
  }
  Value mask =
      access.mask ? access.mask : constant(b.getBoolAttr(true), strip.lanes);
  vector::ScatterOp::create(b, /*resultType=*/Type(), access.memory,
                            access.position, count(index(0), step, strip.lanes),
                            mask, vector);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Whether a limit depends on where along its axis a strip is.
static bool limitsVary(ArrayRef<int64_t> axes, const AxisMap &map,
                       unsigned column) {
  return llvm::any_of(
      axes, [&](int64_t axis) { return map.rows[axis][column] != 0; });
}

Value Emitter::evaluateLoad(LoadOp op, const AxisMap &map, Strip &strip) {
  AxisMap dims = AxisMap::of(op.getAxisMap()).compose(map);
  if (strip.lanes > 1 && !dims.uses(strip.axis) &&
      !(strip.isChecked && limitsVary(op.getAxes(), map, strip.axis)))
    return Value();
  SmallVector<Value> indices;
  for (Value base : op.getIndices())
    indices.push_back(mapping.lookup(base));
  Access access =
      accessOf(mapping.lookup(op.getMemory()), indices, dims, strip);
  if (strip.isChecked) {
    access.mask =
        limitMask(op.getStarts(), op.getLimits(), op.getAxes(), map, strip);
    if (op.getGuarded())
      guard(access, strip);
  }
  if (isSecondWalk(op) && strip.lanes > 1 && access.isContiguous())
    prefetchNext(op, access.memory, access.position);
  return read(access, op.getResult().getType().getElementType(), strip);
}

Value Emitter::evaluateGather(GatherOp op, const AxisMap &map, Strip &strip) {
  AxisMap dims = AxisMap::of(op.getAxisMap()).compose(map);
  SmallVector<Value> indices;
  for (Value base : op.getIndices())
    indices.push_back(mapping.lookup(base));
  Access access =
      accessOf(mapping.lookup(op.getMemory()), indices, dims, strip);
  if (strip.isChecked)
    access.mask =
        limitMask(/*starts=*/{}, op.getLimits(), op.getAxes(), map, strip);
  for (auto [value, dim] : llvm::zip_equal(op.getPositions(), op.getDims())) {
    Value position = evaluate(value, map, strip);
    // The same for all lanes: one row of a table, which is contiguous.
    auto repeated = position.getDefiningOp<vector::BroadcastOp>();
    Value number;
    if (strip.lanes == 1)
      number = vector::ExtractOp::create(b, position, int64_t(0));
    else if (repeated && !isa<VectorType>(repeated.getSource().getType()))
      number = repeated.getSource();
    if (number && !number.getType().isIndex())
      number = arith::IndexCastOp::create(b, b.getIndexType(), number);
    if (number) {
      access.position[dim] = add(access.position[dim], number);
      continue;
    }
    auto type = VectorType::get(strip.lanes, b.getIndexType());
    access.scattered[dim] =
        position.getType() == type
            ? position
            : arith::IndexCastOp::create(b, type, position).getResult();
  }
  guard(access, strip);
  return read(access, op.getResult().getType().getElementType(), strip);
}

void Emitter::storeStrip(StoreOp op, Value vector, Strip &strip) {
  AxisMap whole = AxisMap::identity(op.getSource().getType().getRank());
  if (whole.rows.empty())
    whole.columns = 1;
  SmallVector<Value> indices;
  for (Value base : op.getIndices())
    indices.push_back(mapping.lookup(base));
  Access access = accessOf(mapping.lookup(op.getMemory()), indices,
                           AxisMap::of(op.getAxisMap()).compose(whole), strip);
  if (strip.isChecked)
    access.mask =
        limitMask(op.getStarts(), op.getLimits(), op.getAxes(), whole, strip);
  write(access, vector, strip);
}

Value Emitter::readObject(const Object &object, Type element,
                          const AxisMap &map, Strip &strip) {
  AxisMap dims = AxisMap::of(object.strides).compose(map);
  Access access = accessOf(object.memory, {Value()}, dims, strip);
  return read(access, element, strip);
}

void Emitter::writeObject(const Object &object, Value vector,
                          const AxisMap &map, Strip &strip) {
  AxisMap dims = AxisMap::of(object.strides).compose(map);
  Access access = accessOf(object.memory, {Value()}, dims, strip);
  write(access, vector, strip);
}
