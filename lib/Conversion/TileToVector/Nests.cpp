//===- Nests.cpp - loops over strips --------------------------------------===//
//
// How a nest is cut into strips, and the three kinds of nests: those that write
// a tile, those that store one, and reductions.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include <set>

using namespace mlir;
using namespace fuse::tile;

/// The axes of a value as the axes of a nest over all of it; one of size 1 for
/// a value of rank 0.
static AxisMap wholeMap(RankedTensorType type) {
  AxisMap map = AxisMap::identity(type.getRank());
  map.columns = std::max(map.columns, 1u);
  return map;
}

static SmallVector<int64_t> nestSizes(RankedTensorType type) {
  SmallVector<int64_t> sizes(type.getShape());
  if (sizes.empty())
    sizes.push_back(1);
  return sizes;
}

//===----------------------------------------------------------------------===//
// Whether checks are needed
//===----------------------------------------------------------------------===//

void Emitter::requireLimits(ValueRange starts, ValueRange limits,
                            ArrayRef<int64_t> axes, RankedTensorType type,
                            Value &all) {
  for (Value start : starts)
    all = both(all, less(mapping.lookup(start), index(1)));
  for (auto [limit, axis] : llvm::zip_equal(limits, axes))
    all = both(all,
               less(index(type.getDimSize(axis) - 1), mapping.lookup(limit)));
}

void Emitter::collectWhole(Value value, Value &all, DenseSet<Value> &seen) {
  if (emitted.contains(value) || !seen.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  auto type = cast<RankedTensorType>(value.getType());
  if (auto mask = dyn_cast<MaskOp>(op))
    requireLimits(mask.getStarts(), mask.getLimits(), mask.getAxes(), type,
                  all);
  if (auto gather = dyn_cast<GatherOp>(op))
    requireLimits(/*starts=*/{}, gather.getLimits(), gather.getAxes(), type,
                  all);
  if (auto load = dyn_cast<LoadOp>(op)) {
    requireLimits(load.getStarts(), load.getLimits(), load.getAxes(), type,
                  all);
    AxisMap map = AxisMap::of(load.getAxisMap());
    for (unsigned dim = 0; load.getGuarded() && dim < map.rows.size(); ++dim) {
      int64_t low = 0, high = 0;
      for (auto [factor, size] :
           llvm::zip_equal(map.rows[dim], type.getShape()))
        (factor < 0 ? low : high) += factor * (size - 1);
      Value base = mapping.lookup(load.getIndices()[dim]);
      Value size = dimOf(mapping.lookup(load.getMemory()), dim);
      all = both(all, less(index(-1), add(base, index(low))));
      all = both(all, less(add(base, index(high)), size));
    }
  }
  for (Value operand : op->getOperands())
    if (isTile(operand))
      collectWhole(operand, all, seen);
}

Value Emitter::isWhole(ArrayRef<Expression> expressions, StoreOp store) {
  Value all;
  DenseSet<Value> seen;
  for (const Expression &expression : expressions)
    collectWhole(expression.value, all, seen);
  if (store)
    requireLimits(store.getStarts(), store.getLimits(), store.getAxes(),
                  store.getSource().getType(), all);
  return all;
}

void Emitter::emitBoth(ArrayRef<Expression> expressions, StoreOp store,
                       function_ref<void(bool)> emitOne) {
  Value all = isWhole(expressions, store);
  APInt known;
  if (!all || matchPattern(all, m_ConstantInt(&known)))
    return emitOne(all && known.isZero());
  auto choice = scf::IfOp::create(b, all, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  emitOne(false);
  b.setInsertionPointToStart(choice.elseBlock());
  emitOne(true);
}

//===----------------------------------------------------------------------===//
// The axis of strips
//===----------------------------------------------------------------------===//

/// What an access costs along each axis, counted in accesses.
struct Emitter::Costs {
  SmallVector<double> strided, contiguous;
  std::set<std::pair<void *, AxisMap>> seen;

  explicit Costs(unsigned axes) : strided(axes, 0), contiguous(axes, 0) {}

  void add(const AxisMap &memory) {
    for (unsigned axis = 0; axis < memory.columns; ++axis) {
      if (!memory.uses(axis))
        continue;
      bool isUnit = memory.rows.back()[axis] == 1;
      for (const AxisMap::Row &row : ArrayRef(memory.rows).drop_back())
        isUnit &= row[axis] == 0;
      (isUnit ? contiguous : strided)[axis] += 1;
    }
  }
};

void Emitter::addCosts(Value value, const AxisMap &map, Costs &costs) {
  if (!costs.seen.insert({value.getAsOpaquePointer(), map}).second)
    return;
  if (emitted.contains(value))
    return costs.add(AxisMap::of(plan.objectOf(value)->strides).compose(map));
  Operation *op = value.getDefiningOp();
  if (auto load = dyn_cast<LoadOp>(op))
    return costs.add(AxisMap::of(load.getAxisMap()).compose(map));
  if (auto gather = dyn_cast<GatherOp>(op))
    costs.add(AxisMap::of(gather.getAxisMap()).compose(map));
  for (OpOperand &operand : op->getOpOperands())
    if (isTile(operand.get()))
      addCosts(operand.get(),
               operandMap(op, operand.getOperandNumber()).compose(map), costs);
}

unsigned Emitter::chooseAxis(ArrayRef<int64_t> sizes,
                             ArrayRef<Expression> expressions,
                             ArrayRef<AxisMap> writes) {
  Costs costs(sizes.size());
  for (const Expression &expression : expressions)
    addCosts(expression.value, expression.map, costs);
  for (const AxisMap &write : writes)
    costs.add(write);
  unsigned best = sizes.size() - 1;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned axis = sizes.size(); axis-- > 0;) {
    if (sizes[axis] == 1)
      continue;
    // A vector of numbers that are apart takes as long as one after another.
    double lanes = std::min(sizes[axis], target.lanes());
    double cost = (costs.contiguous[axis] + 1) / lanes + costs.strided[axis];
    if (cost < least) {
      least = cost;
      best = axis;
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> Emitter::carryLoops(
    ArrayRef<int64_t> sizes, ArrayRef<unsigned> axes,
    SmallVector<Value> position, ValueRange carried,
    function_ref<SmallVector<Value>(ArrayRef<Value>, ValueRange)> body) {
  if (axes.empty())
    return body(position, carried);
  unsigned axis = axes.front();
  if (sizes[axis] == 1)
    return carryLoops(sizes, axes.drop_front(), position, carried, body);
  auto loop =
      scf::ForOp::create(b, index(0), index(sizes[axis]), index(1), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  position[axis] = loop.getInductionVar();
  SmallVector<Value> next = carryLoops(sizes, axes.drop_front(), position,
                                       loop.getRegionIterArgs(), body);
  if (!carried.empty())
    scf::YieldOp::create(b, next);
  return SmallVector<Value>(loop.getResults());
}

void Emitter::stripsAlong(ArrayRef<Value> position, ArrayRef<int64_t> sizes,
                          unsigned axis, bool isChecked, StripBody body) {
  Strip single;
  single.position.assign(position.begin(), position.end());
  single.axis = axis;
  single.isChecked = isChecked;
  int64_t lanes = target.lanes(), size = sizes[axis];
  int64_t whole = size / lanes * lanes;
  auto emitOne = [&](Value at, int64_t lanes, Operation *loop) {
    Strip strip;
    strip.position = single.position;
    strip.position[axis] = at;
    strip.axis = axis;
    strip.lanes = lanes;
    strip.isChecked = isChecked;
    strip.single = &single;
    strip.loop = loop;
    body(strip);
  };
  if (whole > lanes) {
    auto loop = scf::ForOp::create(b, index(0), index(whole), index(lanes));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitOne(loop.getInductionVar(), lanes, loop);
  } else if (whole != 0) {
    emitOne(index(0), lanes, nullptr);
  }
  if (size != whole)
    emitOne(index(whole), size - whole, nullptr);
}

void Emitter::forEachStrip(ArrayRef<int64_t> sizes, unsigned axis,
                           bool isChecked, StripBody body) {
  SmallVector<unsigned> others;
  for (unsigned other = 0; other < sizes.size(); ++other)
    if (other != axis)
      others.push_back(other);
  SmallVector<Value> start(sizes.size(), index(0));
  carryLoops(sizes, others, start, {},
             [&](ArrayRef<Value> position, ValueRange) -> SmallVector<Value> {
               stripsAlong(position, sizes, axis, isChecked, body);
               return {};
             });
}

//===----------------------------------------------------------------------===//
// Read along one axis and written along another
//===----------------------------------------------------------------------===//

std::optional<Emitter::Crossing>
Emitter::findCrossing(ArrayRef<int64_t> sizes, const Expression &expression,
                      const AxisMap &write) {
  Costs reads(sizes.size()), writes(sizes.size());
  addCosts(expression.value, expression.map, reads);
  writes.add(write);
  unsigned from = chooseAxis(sizes, expression, {});
  for (unsigned to = 0; to < sizes.size(); ++to) {
    bool isBetter = to != from && writes.contiguous[to] > 0 &&
                    reads.strided[to] > 0 && reads.contiguous[from] > 0 &&
                    reads.strided[from] == 0;
    if (isBetter && sizes[from] % target.lanes() == 0 &&
        sizes[to] % target.lanes() == 0)
      return Crossing{from, to};
  }
  return std::nullopt;
}

/// As many rows as lanes. Each round interleaves the first half of the rows
/// with the second, until every row has become a column.
void Emitter::transpose(SmallVectorImpl<Value> &rows) {
  int64_t lanes = rows.size(), half = lanes / 2;
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < half; ++lane) {
    low.append({lane, lanes + lane});
    high.append({half + lane, lanes + half + lane});
  }
  for (int64_t round = 1; round < lanes; round *= 2) {
    SmallVector<Value> next;
    for (int64_t row = 0; row < half; ++row) {
      Value a = rows[row], c = rows[row + half];
      next.push_back(vector::ShuffleOp::create(b, a, c, low));
      next.push_back(vector::ShuffleOp::create(b, a, c, high));
    }
    rows.assign(next.begin(), next.end());
  }
}

void Emitter::emitCrossing(ArrayRef<int64_t> sizes, Crossing crossing,
                           bool isChecked, function_ref<Value(Strip &)> read,
                           function_ref<void(Value, Strip &)> write) {
  int64_t lanes = target.lanes();
  // The nest of the blocks: a step along the two axes is a whole block.
  SmallVector<int64_t> blocks(sizes);
  blocks[crossing.read] /= lanes;
  blocks[crossing.write] /= lanes;
  SmallVector<unsigned> axes;
  for (unsigned axis = 0; axis < sizes.size(); ++axis)
    axes.push_back(axis);
  SmallVector<Value> start(sizes.size(), index(0));
  auto block = [&](ArrayRef<Value> at, ValueRange) -> SmallVector<Value> {
    SmallVector<Value> corner(at);
    for (unsigned axis : {crossing.read, crossing.write})
      corner[axis] = mul(corner[axis], index(lanes));
    // The strip along one axis that is `number` steps along the other.
    auto onStrip = [&](unsigned along, unsigned across, int64_t number,
                       StripBody body) {
      Strip single;
      single.position = corner;
      single.position[across] = add(corner[across], index(number));
      single.axis = along;
      single.isChecked = isChecked;
      Strip strip = single;
      strip.lanes = lanes;
      strip.single = &single;
      body(strip);
    };
    SmallVector<Value> rows;
    for (int64_t i = 0; i < lanes; ++i)
      onStrip(crossing.read, crossing.write, i,
              [&](Strip &strip) { rows.push_back(read(strip)); });
    transpose(rows);
    for (int64_t i = 0; i < lanes; ++i)
      onStrip(crossing.write, crossing.read, i,
              [&](Strip &strip) { write(rows[i], strip); });
    return {};
  };
  carryLoops(blocks, axes, start, {}, block);
}

//===----------------------------------------------------------------------===//
// Writing a tile
//===----------------------------------------------------------------------===//

void Emitter::emitElements(ArrayRef<int64_t> sizes,
                           const Expression &expression,
                           const AxisMap &writeMap, StoreOp store,
                           function_ref<Value(Strip &)> read,
                           function_ref<void(Value, Strip &)> write) {
  std::optional<Crossing> crossing = findCrossing(sizes, expression, writeMap);
  unsigned axis = chooseAxis(sizes, expression, writeMap);
  emitBoth(expression, store, [&](bool isChecked) {
    if (crossing)
      return emitCrossing(sizes, *crossing, isChecked, read, write);
    forEachStrip(sizes, axis, isChecked,
                 [&](Strip &strip) { write(read(strip), strip); });
  });
}

void Emitter::materialize(Value value, const Object &object) {
  auto type = cast<RankedTensorType>(value.getType());
  AxisMap whole = wholeMap(type);
  emitElements(
      nestSizes(type), {value, whole},
      AxisMap::of(object.strides).compose(whole), {},
      [&](Strip &strip) {
        return widen(evaluate(value, whole, strip), object.element);
      },
      [&](Value vector, Strip &strip) {
        writeObject(object, vector, whole, strip);
      });
}

void Emitter::copy(const Object &from, const Object &to,
                   RankedTensorType type) {
  AxisMap whole = wholeMap(type);
  SmallVector<int64_t> sizes = nestSizes(type);
  forEachStrip(sizes, sizes.size() - 1, false, [&](Strip &strip) {
    writeObject(to, readObject(from, type.getElementType(), whole, strip),
                whole, strip);
  });
}

void Emitter::emitStore(StoreOp op) {
  RankedTensorType type = op.getSource().getType();
  AxisMap whole = wholeMap(type);
  emitElements(
      nestSizes(type), {op.getSource(), whole},
      AxisMap::of(op.getAxisMap()).compose(whole), op,
      [&](Strip &strip) { return evaluate(op.getSource(), whole, strip); },
      [&](Value vector, Strip &strip) { storeStrip(op, vector, strip); });
}
