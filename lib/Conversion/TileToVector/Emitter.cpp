//===- Emitter.cpp - the ops of a kernel in their order -------------------===//
//
// Numbers are copied as they are. A tile is written when its op comes, if the
// plan has a place for it; else nothing happens until something reads it.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuse::tile;

void Emitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      emit(&op);
}

void Emitter::makeCopies(Value value) {
  for (Object *object : plan.copiesOf(value))
    materialize(value, *object);
}

void Emitter::emit(Operation *op) {
  b.setLoc(op->getLoc());
  walk = op;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitBranch(branch);
  if (auto store = dyn_cast<StoreOp>(op)) {
    emitStore(store);
    return;
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    AxisMap map;
    map.columns = 1;
    Strip strip;
    strip.position.push_back(index(0));
    strip.isChecked = true;
    Value vector = evaluate(extract.getTensor(), map, strip);
    mapping.map(extract.getResult(),
                vector::ExtractOp::create(b, vector, int64_t(0)));
    return;
  }
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    ArrayRef<ReduceOp> group = plan.groupOf(reduce);
    if (!group.empty())
      emitReduce(group, Value());
    for (ReduceOp other : group)
      emitted.insert(other.getResult());
    makeCopies(reduce.getResult());
    return;
  }
  if (auto dot = dyn_cast<DotOp>(op)) {
    emitDot(dot);
    emitted.insert(dot.getResult());
    makeCopies(dot.getResult());
    return;
  }
  if (op->getNumResults() == 1 && isTile(op->getResult(0))) {
    Value result = op->getResult(0);
    if (Object *object = plan.objectOf(result)) {
      if (ArrayRef<ReduceOp> group = plan.groupOf(op); !group.empty()) {
        emitReduce(group, result);
        for (ReduceOp reduce : group)
          emitted.insert(reduce.getResult());
      } else {
        materialize(result, *object);
      }
      emitted.insert(result);
    }
    makeCopies(result);
    return;
  }
  b.clone(*op, mapping);
}

void Emitter::emitLoop(scf::ForOp loop) {
  SmallVector<Value> scalars;
  SmallVector<unsigned> places;
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs())) {
    if (isTile(init)) {
      materialize(init, *plan.carriedBy(loop, number));
      continue;
    }
    places.push_back(number);
    scalars.push_back(mapping.lookup(init));
  }
  auto lowered = scf::ForOp::create(b, mapping.lookup(loop.getLowerBound()),
                                    mapping.lookup(loop.getUpperBound()),
                                    mapping.lookup(loop.getStep()), scalars);
  mapping.map(loop.getInductionVar(), lowered.getInductionVar());
  for (auto [own, number] : llvm::enumerate(places)) {
    mapping.map(loop.getRegionIterArgs()[number],
                lowered.getRegionIterArgs()[own]);
    mapping.map(loop.getResult(number), lowered.getResult(own));
  }
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(lowered.getBody());
    for (Value argument : loop.getRegionIterArgs()) {
      if (!isTile(argument))
        continue;
      emitted.insert(argument);
      makeCopies(argument);
    }
    emitBlock(*loop.getBody());
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    b.setLoc(yield.getLoc());
    for (const YieldStep &step : plan.stepsOf(loop)) {
      Value next = yield.getOperand(step.number);
      const Object &carried = *plan.carriedBy(loop, step.number);
      if (step.kind == YieldStep::FromCopy)
        copy(*step.copy, carried, cast<RankedTensorType>(next.getType()));
      else
        materialize(next,
                    step.kind == YieldStep::Direct ? carried : *step.copy);
    }
    if (!places.empty()) {
      SmallVector<Value> next;
      for (unsigned number : places)
        next.push_back(mapping.lookup(yield.getOperand(number)));
      scf::YieldOp::create(b, next);
    }
  }
  for (Value result : loop.getResults()) {
    if (!isTile(result))
      continue;
    emitted.insert(result);
    makeCopies(result);
  }
}

void Emitter::emitBranch(scf::IfOp branch) {
  SmallVector<Type> types;
  SmallVector<unsigned> places;
  for (OpResult result : branch.getResults()) {
    if (isTile(result))
      continue;
    places.push_back(result.getResultNumber());
    types.push_back(result.getType());
  }
  bool hasElse = !branch.getElseRegion().empty();
  auto lowered = scf::IfOp::create(
      b, types, mapping.lookup(branch.getCondition()), hasElse);
  for (unsigned side = 0; side < 1 + hasElse; ++side) {
    Block &block = branch->getRegion(side).front();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&lowered->getRegion(side).front());
    emitBlock(block);
    auto yield = cast<scf::YieldOp>(block.getTerminator());
    b.setLoc(yield.getLoc());
    SmallVector<Value> scalars;
    for (auto [result, value] :
         llvm::zip_equal(branch.getResults(), yield.getOperands())) {
      if (isTile(value))
        materialize(value, *plan.objectOf(result));
      else
        scalars.push_back(mapping.lookup(value));
    }
    if (!places.empty())
      scf::YieldOp::create(b, scalars);
  }
  for (auto [own, number] : llvm::enumerate(places))
    mapping.map(branch.getResult(number), lowered.getResult(own));
  for (Value result : branch.getResults()) {
    if (!isTile(result))
      continue;
    emitted.insert(result);
    makeCopies(result);
  }
}
