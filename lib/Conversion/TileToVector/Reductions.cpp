//===- Reductions.cpp - nests that combine --------------------------------===//
//
// Along the strips themselves, in a few vectors that are independent of each
// other and combined at the end; or across them, in one vector for each strip
// of what is kept.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "fuse/Dialect/Tile/Analysis/ZeroSigns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse::tile;

/// How many vectors are combined at a time: enough to hide how long one
/// addition takes, few enough for the registers.
constexpr int64_t vectorsAtATime = 4;

static SmallVector<unsigned> axesWhere(ArrayRef<bool> isReduced, bool wanted,
                                       unsigned except) {
  SmallVector<unsigned> axes;
  for (unsigned axis = 0; axis < isReduced.size(); ++axis)
    if (isReduced[axis] == wanted && axis != except)
      axes.push_back(axis);
  return axes;
}

/// A strip of one element, at `position`.
static Strip singleAt(ArrayRef<Value> position, unsigned axis, bool isChecked) {
  Strip single;
  single.position.assign(position.begin(), position.end());
  single.axis = axis;
  single.isChecked = isChecked;
  return single;
}

static Strip stripAt(Strip &single, Value at, int64_t lanes, Operation *loop) {
  Strip strip;
  strip.position = single.position;
  strip.position[single.axis] = at;
  strip.axis = single.axis;
  strip.lanes = lanes;
  strip.isChecked = single.isChecked;
  strip.single = &single;
  strip.loop = loop;
  return strip;
}

/// Of `count` vectors and, where there is one more, of what is left over.
Value Emitter::combineVectors(CombineKind kind, ArrayRef<Value> vectors,
                              int64_t count) {
  Value all;
  for (Value vector : vectors.take_front(count))
    all = all ? combine(b, kind, all, vector) : vector;
  if (all)
    all = combineLanes(kind, all);
  for (Value rest : vectors.drop_front(count)) {
    Value left = combineLanes(kind, rest);
    all = all ? combine(b, kind, all, left) : left;
  }
  return all;
}

void Emitter::reduceAlong(ArrayRef<Value> position, ArrayRef<int64_t> sizes,
                          ArrayRef<bool> isReduced, unsigned axis,
                          bool isChecked, ArrayRef<Reduction> reductions,
                          StripBody before) {
  int64_t lanes = target.lanes(), size = sizes[axis];
  int64_t strips = size / lanes, rest = size % lanes;
  // What is made on the way takes longer than an addition.
  int64_t count = std::min(strips, before ? 1 : vectorsAtATime);
  int64_t looped = count == 0 ? 0 : strips / count * count;

  // For each reduction: `count` vectors, then one of the elements that are
  // left over.
  SmallVector<Value> carried;
  for (const Reduction &reduction : reductions) {
    carried.append(count, neutral(reduction.kind, reduction.element, lanes));
    if (rest != 0)
      carried.push_back(neutral(reduction.kind, reduction.element, rest));
  }
  int64_t each = count + (rest != 0);

  auto row = [&](ArrayRef<Value> position,
                 ValueRange given) -> SmallVector<Value> {
    SmallVector<Value> now(given);
    Strip single = singleAt(position, axis, isChecked);
    auto combineInto = [&](Strip &strip, int64_t place,
                           MutableArrayRef<Value> values) {
      if (before)
        before(strip);
      for (auto [number, reduction] : llvm::enumerate(reductions)) {
        Value &sum = values[number * each + place];
        sum = reduction.body(sum, strip);
      }
    };
    if (looped > count) {
      auto loop = scf::ForOp::create(b, index(0), index(looped * lanes),
                                     index(count * lanes), now);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> next(loop.getRegionIterArgs());
      for (int64_t i = 0; i < count; ++i) {
        Value at = add(loop.getInductionVar(), index(i * lanes));
        Strip strip = stripAt(single, at, lanes, loop);
        combineInto(strip, i, next);
      }
      scf::YieldOp::create(b, next);
      now.assign(loop.getResults().begin(), loop.getResults().end());
    }
    // What the loop did not take, or all of it where one round is enough.
    for (int64_t i = looped > count ? looped : 0; i < strips; ++i) {
      Strip strip = stripAt(single, index(i * lanes), lanes, nullptr);
      combineInto(strip, i % count, now);
    }
    if (rest != 0) {
      Strip strip = stripAt(single, index(strips * lanes), rest, nullptr);
      combineInto(strip, count, now);
    }
    return now;
  };
  SmallVector<Value> sums =
      carryLoops(sizes, axesWhere(isReduced, true, axis),
                 SmallVector<Value>(position), carried, row);

  for (auto [number, reduction] : llvm::enumerate(reductions)) {
    Value all = combineVectors(
        reduction.kind, ArrayRef(sums).slice(number * each, each), count);
    Strip strip = singleAt(position, axis, isChecked);
    reduction.take(all, strip);
  }
}

void Emitter::reduceAcross(ArrayRef<Value> position, ArrayRef<int64_t> sizes,
                           ArrayRef<bool> isReduced, unsigned axis,
                           bool isChecked, ArrayRef<Reduction> reductions,
                           StripBody before) {
  int64_t lanes = target.lanes(), size = sizes[axis];
  SmallVector<unsigned> reduced = axesWhere(isReduced, true, axis);

  // `count` strips side by side from `at` on, which read whole lines of memory
  // before they go to the next row.
  auto columns = [&](Value at, int64_t count, int64_t lanes) {
    SmallVector<Value> carried;
    for (const Reduction &reduction : reductions)
      carried.append(count, neutral(reduction.kind, reduction.element, lanes));
    auto placeOf = [&](int64_t i) { return add(at, index(i * lanes)); };
    SmallVector<Value> sums = carryLoops(
        sizes, reduced, SmallVector<Value>(position), carried,
        [&](ArrayRef<Value> position, ValueRange given) {
          Strip single = singleAt(position, axis, isChecked);
          SmallVector<Value> next(given);
          for (int64_t i = 0; i < count; ++i) {
            Strip strip = stripAt(single, placeOf(i), lanes, nullptr);
            if (before)
              before(strip);
            for (auto [number, reduction] : llvm::enumerate(reductions)) {
              Value &sum = next[number * count + i];
              sum = reduction.body(sum, strip);
            }
          }
          return next;
        });
    Strip single = singleAt(position, axis, isChecked);
    for (int64_t i = 0; i < count; ++i) {
      Strip strip = stripAt(single, placeOf(i), lanes, nullptr);
      for (auto [number, reduction] : llvm::enumerate(reductions))
        reduction.take(sums[number * count + i], strip);
    }
  };

  int64_t strips = size / lanes, at = 0;
  int64_t rounds = strips / vectorsAtATime;
  if (rounds > 1) {
    auto loop =
        scf::ForOp::create(b, index(0), index(rounds * vectorsAtATime * lanes),
                           index(vectorsAtATime * lanes));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    columns(loop.getInductionVar(), vectorsAtATime, lanes);
    at = rounds * vectorsAtATime * lanes;
    strips -= rounds * vectorsAtATime;
  }
  while (strips > 0) {
    int64_t count = std::min(strips, vectorsAtATime);
    columns(index(at), count, lanes);
    at += count * lanes;
    strips -= count;
  }
  if (at != size)
    columns(index(at), 1, size - at);
}

void Emitter::emitReductions(ArrayRef<int64_t> sizes, ArrayRef<bool> isReduced,
                             unsigned axis, bool isChecked,
                             ArrayRef<Reduction> reductions, StripBody before) {
  SmallVector<Value> start(sizes.size(), index(0));
  carryLoops(sizes, axesWhere(isReduced, false, axis), start, {},
             [&](ArrayRef<Value> position, ValueRange) -> SmallVector<Value> {
               if (isReduced[axis])
                 reduceAlong(position, sizes, isReduced, axis, isChecked,
                             reductions, before);
               else
                 reduceAcross(position, sizes, isReduced, axis, isChecked,
                              reductions, before);
               return {};
             });
}

/// A maximum that keeps NaN takes six instructions, and three if it may be
/// either zero where both are largest.
Value Emitter::merge(ReduceOp reduce, Value sum, Value strip) {
  Value merged = combine(b, reduce.getKind(), sum, strip);
  auto flags = merged.getDefiningOp<arith::ArithFastMathInterface>();
  if (isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp>(flags) &&
      !seesSignOfZero(reduce.getResult()))
    flags->setAttr(flags.getFastMathAttrName(),
                   arith::FastMathFlagsAttr::get(b.getContext(),
                                                 arith::FastMathFlags::nsz));
  return merged;
}

void Emitter::emitReduce(ArrayRef<ReduceOp> group, Value made) {
  ReduceOp first = group.front();
  RankedTensorType type = first.getSource().getType();
  SmallVector<int64_t> sizes(type.getShape()), kept;
  AxisMap whole = AxisMap::identity(type.getRank());
  SmallVector<bool> isReduced(sizes.size(), false);
  for (int64_t dim : first.getDims())
    isReduced[dim] = true;
  for (unsigned axis = 0; axis < sizes.size(); ++axis)
    if (!isReduced[axis])
      kept.push_back(axis);
  if (sizes.empty()) {
    sizes.push_back(1);
    isReduced.push_back(false);
    whole.columns = 1;
  }
  AxisMap result = whole.select(kept);

  SmallVector<Expression> expressions;
  for (ReduceOp op : group)
    expressions.push_back({op.getSource(), whole});
  SmallVector<AxisMap> writes;
  if (made) {
    expressions.push_back({made, whole});
    writes.push_back(AxisMap::of(plan.objectOf(made)->strides).compose(whole));
  }
  auto write = [&](Strip &strip) {
    const Object &object = *plan.objectOf(made);
    writeObject(object, widen(evaluate(made, whole, strip), object.element),
                whole, strip);
  };
  unsigned axis = chooseAxis(sizes, expressions, writes);
  emitBoth(expressions, {}, [&](bool isChecked) {
    SmallVector<std::function<Value(Value, Strip &)>> bodies;
    SmallVector<std::function<void(Value, Strip &)>> takes;
    SmallVector<Reduction> reductions;
    for (ReduceOp op : group) {
      bodies.push_back([this, op, &whole](Value sum, Strip &strip) mutable {
        return merge(op, sum, evaluate(op.getSource(), whole, strip));
      });
      takes.push_back([this, op, &result](Value vector, Strip &strip) mutable {
        writeObject(*plan.objectOf(op.getResult()), vector, result, strip);
      });
    }
    for (auto [op, body, take] : llvm::zip_equal(group, bodies, takes)) {
      ReduceOp reduce = op;
      reductions.push_back({reduce.getKind(),
                            reduce.getSource().getType().getElementType(), body,
                            take});
    }
    emitReductions(sizes, isReduced, axis, isChecked, reductions,
                   made ? StripBody(write) : StripBody());
  });
}
