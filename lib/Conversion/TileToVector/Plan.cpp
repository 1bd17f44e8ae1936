//===- Plan.cpp - which tiles exist in memory -----------------------------===//
//
// Walks the kernel backwards, so that what reads a value is known before the
// value is. What is expensive and would be evaluated more than once gets a
// place; so does what has to: dots, reductions, and what loops carry.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <numeric>

using namespace mlir;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

int64_t VectorTarget::lanesOf(Type type) const {
  return bits / (type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
}

bool fuse::tile::isNarrowFloat(Type element) {
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
}

Type fuse::tile::storedType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  // LLVM cannot take vectors of floats apart that the processor does not
  // compute with; of their bits it can.
  if (isNarrowFloat(element))
    return IntegerType::get(element.getContext(),
                            element.getIntOrFloatBitWidth());
  return element;
}

int64_t fuse::tile::storedBytes(Type element) {
  return element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
}

static int64_t product(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                         std::multiplies<>());
}

DotShape::DotShape(DotOp op) {
  ArrayRef<int64_t> lhs = op.getLhs().getType().getShape();
  ArrayRef<int64_t> rhs = op.getRhs().getType().getShape();
  batch = product(lhs.take_front(op.getBatch()));
  depth = product(lhs.take_back(op.getContract()));
  rows = product(lhs) / batch / depth;
  columns = product(rhs) / batch / depth;
}

bool fuse::tile::isRoot(Operation *op) {
  return isa<StoreOp, ReduceOp, DotOp, scf::ForOp, scf::IfOp, scf::YieldOp,
             tensor::ExtractOp>(op);
}

AxisMap fuse::tile::operandMap(Operation *op, unsigned number) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  AxisMap whole = AxisMap::identity(result.getRank());
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return whole.select(broadcast.getDims());
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    SmallVector<int64_t> inverse(result.getRank());
    for (auto [place, axis] : llvm::enumerate(transpose.getPermutation()))
      inverse[axis] = place;
    return whole.select(inverse);
  }
  return whole;
}

/// Worth keeping rather than doing it twice.
static bool isExpensive(Operation *op) {
  if (isa_and_present<math::MathDialect>(op->getDialect()))
    return !isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp,
                math::FloorOp, math::CeilOp>(op);
  return isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
             arith::RemSIOp, arith::RemUIOp, GatherOp>(op);
}

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

Plan::Plan(KernelOp kernel) {
  number(kernel);
  Block &body = kernel.getBody().front();
  for (Operation &op : llvm::reverse(body))
    plan(&op);
  kernel.getBody().walk([&](Block *block) { groupReductions(*block); });
  finishLifetimes();
  place();
}

void Plan::number(KernelOp kernel) {
  int64_t next = 0;
  kernel->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { numbers[op] = next++; });
}

ArrayRef<Object *> Plan::copiesOf(Value value) const {
  auto found = copies.find(value);
  return found == copies.end() ? ArrayRef<Object *>() : found->second;
}

ArrayRef<YieldStep> Plan::stepsOf(scf::ForOp loop) const {
  auto found = steps.find(loop);
  return found == steps.end() ? ArrayRef<YieldStep>() : found->second;
}

void Plan::addReader(Value value, Reader reader) {
  if (!isTile(value))
    return;
  for (Reader &known : readers[value]) {
    if (known.root != reader.root)
      continue;
    known.isRepeated |= reader.isRepeated;
    known.isInPlace &= reader.isInPlace;
    return;
  }
  readers[value].push_back(reader);
}

/// Whether `op` runs several times for each time that `value` is defined.
static bool isInLoopBelow(Operation *op, Value value) {
  Region *home = value.getParentRegion();
  for (Region *region = op->getParentRegion(); region && region != home;
       region = region->getParentRegion())
    if (isa<scf::ForOp>(region->getParentOp()))
      return true;
  return false;
}

void Plan::planValue(Value value) {
  if (!isTile(value) || objects.lookup(value))
    return;
  Operation *op = value.getDefiningOp();
  ArrayRef<Reader> known = readers[value];
  bool isRepeated =
      known.size() > 1 || llvm::any_of(known, [&](const Reader &reader) {
        return reader.isRepeated || isInLoopBelow(reader.root, value);
      });
  if (isExpensive(op) && isRepeated) {
    auto type = cast<RankedTensorType>(value.getType());
    objects[value] = make(type, type.getElementType(), type.getRank() - 1, op);
  }
}

void Plan::plan(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return planLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return planBranch(branch);
  if (auto dot = dyn_cast<DotOp>(op))
    return planDot(dot);
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    RankedTensorType type = reduce.getResult().getType();
    if (!objects.lookup(reduce.getResult()))
      objects[reduce.getResult()] =
          make(type, type.getElementType(), type.getRank() - 1, op);
    addReader(reduce.getSource(), {op, false, false});
    return;
  }
  if (isRoot(op)) {
    for (Value operand : op->getOperands())
      addReader(operand, {op, false, true});
    return;
  }
  if (op->getNumResults() != 1 || !isTile(op->getResult(0)))
    return;

  Value result = op->getResult(0);
  planValue(result);
  SmallVector<Reader> below;
  if (objects.lookup(result))
    below.push_back({op, false, true});
  else
    below.assign(readers[result].begin(), readers[result].end());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isTile(operand.get()))
      continue;
    bool isGrown =
        cast<RankedTensorType>(operand.get().getType()).getNumElements() <
        cast<RankedTensorType>(result.getType()).getNumElements();
    bool isInPlace = operandMap(op, operand.getOperandNumber()).isIdentity();
    for (Reader reader : below)
      addReader(operand.get(), {reader.root, reader.isRepeated || isGrown,
                                reader.isInPlace && isInPlace});
  }
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

Object *Plan::make(RankedTensorType type, Type element, int64_t firstColumnAxis,
                   Operation *writer) {
  auto object = std::make_unique<Object>();
  object->element = element;
  ArrayRef<int64_t> shape = type.getShape();
  object->columnAxis = firstColumnAxis = std::max<int64_t>(firstColumnAxis, 0);
  int64_t stride = 1;
  object->strides.assign(shape.size(), 0);
  for (int64_t axis = shape.size() - 1; axis >= 0; --axis) {
    // Rows that are a power of two apart fall into the same few sets of a
    // cache; an odd number of its lines between them spreads them.
    constexpr int64_t line = 64;
    int64_t bytes = stride * storedBytes(element);
    if (axis + 1 == firstColumnAxis && bytes % (4 * line) == 0)
      stride = (bytes / line + 1) * line / storedBytes(element);
    object->strides[axis] = stride;
    stride *= shape[axis];
  }
  object->elements = stride;
  object->first = object->last = numbers.lookup(writer);
  return owned.emplace_back(std::move(object)).get();
}

/// Where a value becomes known: its op, or for what a loop carries its first
/// op.
static Operation *definition(Value value) {
  if (Operation *op = value.getDefiningOp())
    return op;
  return &value.getParentBlock()->front();
}

void Plan::addOperand(DotOp dot, bool isLeft) {
  Value value = isLeft ? dot.getLhs() : dot.getRhs();
  auto type = cast<RankedTensorType>(value.getType());
  Type element = dot.getResult().getType().getElementType();
  int64_t firstColumnAxis =
      isLeft ? type.getRank() - static_cast<int64_t>(dot.getContract())
             : static_cast<int64_t>(dot.getBatch() + dot.getContract());
  for (Object *copy : copiesOf(value)) {
    if (copy->element != element || copy->columnAxis != firstColumnAxis)
      continue;
    operands[{dot, unsigned(isLeft)}] = copy;
    extend(*copy, value, dot);
    return;
  }
  Object *copy = make(type, element, firstColumnAxis, definition(value));
  operands[{dot, unsigned(isLeft)}] = copy;
  copies[value].push_back(copy);
  extend(*copy, value, dot);
  addReader(value, {definition(value), false, false});
}

void Plan::planDot(DotOp dot) {
  RankedTensorType type = dot.getResult().getType();
  auto rows = static_cast<int64_t>(dot.getLhs().getType().getRank() -
                                   dot.getContract());
  if (!objects.lookup(dot.getResult()))
    objects[dot.getResult()] = make(type, type.getElementType(), rows, dot);
  addReader(dot.getAcc(), {dot, false, true});
  if (DotShape(dot).isThin()) {
    addReader(dot.getLhs(), {dot, true, false});
    addReader(dot.getRhs(), {dot, true, false});
    return;
  }
  addOperand(dot, /*isLeft=*/true);
  addOperand(dot, /*isLeft=*/false);
}

//===----------------------------------------------------------------------===//
// Reductions over the same elements
//===----------------------------------------------------------------------===//

ArrayRef<ReduceOp> Plan::groupOf(Operation *first) const {
  auto found = groups.find(first);
  return found == groups.end() ? ArrayRef<ReduceOp>() : found->second;
}

/// The number of the last op that has to be done before `value` is evaluated.
/// Each value is looked at once, however many ways lead to it: in rounds of a
/// cipher, from which random numbers are made, every value has two users.
int64_t Plan::knownFrom(Value value) const {
  int64_t last = -1;
  SetVector<Value> values;
  values.insert(value);
  for (unsigned next = 0; next < values.size(); ++next) {
    Operation *op = values[next].getDefiningOp();
    if (!op)
      continue;
    if (!isTile(values[next]) || objects.lookup(values[next]) || isRoot(op))
      last = std::max(last, numbers.lookup(op));
    else
      values.insert_range(op->getOperands());
  }
  return last;
}

void Plan::groupReductions(Block &block) {
  DenseSet<Operation *> taken;
  for (auto first : block.getOps<ReduceOp>()) {
    if (taken.contains(first))
      continue;
    SmallVector<ReduceOp> &group = groups[first];
    group.push_back(first);
    for (Operation *op = first->getNextNode(); op; op = op->getNextNode()) {
      auto other = dyn_cast<ReduceOp>(op);
      if (!other || taken.contains(other) ||
          other.getSource().getType().getShape() !=
              first.getSource().getType().getShape() ||
          other.getDims() != first.getDims() ||
          knownFrom(other.getSource()) >= numbers.lookup(first))
        continue;
      // What lives where a loop carries it may be written only in its turn.
      Object *object = objects.lookup(other.getResult());
      if (object->first != numbers.lookup(other))
        continue;
      object->first = numbers.lookup(first);
      taken.insert(other);
      group.push_back(other);
    }
    moveToProducer(first);
  }
}

/// Whether each element of `value` needs the same one of `tile`, and otherwise
/// only what is known before.
bool Plan::isInPlaceOf(Value value, Value tile) const {
  int64_t place = numbers.lookup(tile.getDefiningOp());
  while (value != tile) {
    Operation *op = value.getDefiningOp();
    if (!op ||
        !(isa<MaskOp>(op) || OpTrait::hasElementwiseMappableTraits(op)) ||
        llvm::count_if(op->getOperands(), isTile) != 1)
      return false;
    for (Value operand : op->getOperands())
      if (isTile(operand))
        value = operand;
      else if (knownFrom(operand) >= place)
        return false;
  }
  return true;
}

/// What exists because it is read again is reduced as it is written, if nothing
/// else has to be done in between.
void Plan::moveToProducer(ReduceOp first) {
  SmallVector<ReduceOp> group = groups.lookup(first);
  Operation *producer = nullptr;
  for (Operation *op = first->getPrevNode(); op && !producer;
       op = op->getPrevNode())
    if (op->getNumResults() == 1 && isTile(op->getResult(0)) && !isRoot(op) &&
        objects.lookup(op->getResult(0)))
      producer = op;
  // One group is reduced as it is written: what others are, such as sums along
  // other axes, is known only behind that.
  if (!producer || groups.contains(producer))
    return;
  Value tile = producer->getResult(0);
  int64_t place = numbers.lookup(producer);
  if (cast<RankedTensorType>(tile.getType()).getShape() !=
      first.getSource().getType().getShape())
    return;
  bool isRead = false;
  for (ReduceOp reduce : group) {
    bool isOfTile = isInPlaceOf(reduce.getSource(), tile);
    isRead |= isOfTile;
    if (!isOfTile && knownFrom(reduce.getSource()) >= place)
      return;
    if (objects.lookup(reduce.getResult())->first != numbers.lookup(first))
      return;
  }
  if (!isRead)
    return;
  for (ReduceOp reduce : group)
    objects.lookup(reduce.getResult())->first = place;
  groups.erase(first);
  groups[producer] = group;
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

bool Plan::canLiveIn(scf::ForOp loop, unsigned carried, Value next) const {
  Operation *op = next.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || isa<scf::ForOp, scf::IfOp>(op))
    return false;
  auto known = readers.find(loop.getRegionIterArgs()[carried]);
  if (known == readers.end())
    return true;
  return llvm::all_of(known->second, [&](const Reader &reader) {
    return reader.root == op ? reader.isInPlace
                             : numbers.lookup(reader.root) < numbers.lookup(op);
  });
}

void Plan::planLoop(scf::ForOp loop) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  unsigned count = loop.getNumRegionIterArgs();
  SmallVector<Object *> carried(count);
  for (unsigned i = 0; i < count; ++i) {
    Value argument = loop.getRegionIterArgs()[i];
    if (!isTile(argument))
      continue;
    auto type = cast<RankedTensorType>(argument.getType());
    int64_t column = type.getRank() - 1;
    if (auto dot = yield.getOperand(i).getDefiningOp<DotOp>())
      column = dot.getLhs().getType().getRank() -
               static_cast<int64_t>(dot.getContract());
    carried[i] = make(type, type.getElementType(), column, loop);
    carried[i]->last = numbers.lookup(yield);
    objects[argument] = objects[loop.getResult(i)] = carried[i];
    addReader(yield.getOperand(i), {yield, false, true});
    addReader(loop.getInitArgs()[i], {loop, false, true});
  }
  carriedObjects[loop] = carried;
  for (Operation &op : llvm::reverse(*loop.getBody()))
    if (&op != yield)
      plan(&op);

  // All readers are known. A value that exists anyway can be made where it is
  // carried to; until here it has a place of its own.
  DenseSet<Object *> taken;
  for (unsigned i = 0; i < count; ++i) {
    Value next = yield.getOperand(i);
    Object *own = carried[i] ? objects.lookup(next) : nullptr;
    if (!own || llvm::is_contained(carried, own) || !canLiveIn(loop, i, next))
      continue;
    objects[next] = carried[i];
    own->elements = 0;
  }
  schedule(loop);
}

/// Orders the writes to what a loop carries, so that no old value is
/// overwritten before it was read. A cycle is broken by a copy.
void Plan::schedule(scf::ForOp loop) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  SmallVector<YieldStep> &order = steps[loop];
  SmallVector<unsigned> pending;
  ArrayRef<Object *> carried = carriedObjects[loop];
  for (unsigned i = 0; i < carried.size(); ++i)
    if (carried[i] && objects.lookup(yield.getOperand(i)) != carried[i])
      pending.push_back(i);

  // What each new value reads of the old ones, and whether only in place.
  DenseMap<std::pair<unsigned, unsigned>, bool> reads;
  auto visit = [&](unsigned i, Value value, bool isInPlace,
                   auto &&visit) -> void {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != loop.getBody() || !isTile(argument))
        return;
      auto [found, isNew] = reads.try_emplace(
          {i, argument.getArgNumber() - loop.getNumInductionVars()}, isInPlace);
      found->second &= isInPlace;
      return;
    }
    if (objects.lookup(value))
      return;
    Operation *op = value.getDefiningOp();
    for (OpOperand &operand : op->getOpOperands())
      if (isTile(operand.get()))
        visit(i, operand.get(),
              isInPlace &&
                  operandMap(op, operand.getOperandNumber()).isIdentity(),
              visit);
  };
  for (unsigned i : pending)
    visit(i, yield.getOperand(i), true, visit);

  DenseMap<unsigned, Object *> copied;
  auto isFree = [&](unsigned i) {
    for (unsigned other : pending) {
      auto read = reads.find({other, i});
      if (read == reads.end() || copied.contains(other))
        continue;
      if (other != i || !read->second)
        return false;
    }
    return true;
  };
  while (!pending.empty()) {
    auto *next = llvm::find_if(pending, isFree);
    if (next != pending.end()) {
      Object *copy = copied.lookup(*next);
      order.push_back(
          {*next, copy ? YieldStep::FromCopy : YieldStep::Direct, copy});
      pending.erase(next);
      continue;
    }
    unsigned i = *llvm::find_if(
        pending, [&](unsigned i) { return !copied.contains(i); });
    auto type = cast<RankedTensorType>(yield.getOperand(i).getType());
    copied[i] = make(type, type.getElementType(), type.getRank() - 1, yield);
    order.push_back({i, YieldStep::ToCopy, copied[i]});
  }
}

void Plan::planBranch(scf::IfOp branch) {
  for (OpResult result : branch.getResults()) {
    if (!isTile(result))
      continue;
    auto type = cast<RankedTensorType>(result.getType());
    Object *object =
        make(type, type.getElementType(), type.getRank() - 1, branch);
    objects[result] = object;
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
      auto yield = cast<scf::YieldOp>(region->front().getTerminator());
      addReader(yield.getOperand(result.getResultNumber()),
                {yield, false, true});
      object->last = std::max(object->last, numbers.lookup(yield));
    }
  }
  for (Region *region : {&branch.getElseRegion(), &branch.getThenRegion()}) {
    if (region->empty())
      continue;
    for (Operation &op : llvm::reverse(region->front()))
      if (!isa<scf::YieldOp>(op))
        plan(&op);
  }
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Lets an object live until `reader`, or the end of the loop in which that is.
void Plan::extend(Object &object, Value from, Operation *reader) {
  Region *home = from.getParentRegion();
  Operation *last = reader;
  for (Region *region = reader->getParentRegion(); region && region != home;
       region = region->getParentRegion())
    if (auto loop = dyn_cast<scf::ForOp>(region->getParentOp()))
      last = loop.getBody()->getTerminator();
  object.last = std::max(object.last, numbers.lookup(last));
}

void Plan::finishLifetimes() {
  for (auto &[value, object] : objects)
    for (const Reader &reader : readers[value])
      extend(*object, value, reader.root);
}

void Plan::place() {
  SmallVector<Object *> sorted;
  for (std::unique_ptr<Object> &object : owned)
    if (object->elements != 0)
      sorted.push_back(object.get());
  // By age, in the order in which they were made where that is equal.
  DenseMap<Object *, unsigned> made;
  for (auto [number, object] : llvm::enumerate(owned))
    made[object.get()] = number;
  llvm::sort(sorted, [&](Object *a, Object *b) {
    return std::pair(a->first, made[a]) < std::pair(b->first, made[b]);
  });
  SmallVector<Object *> placed;
  for (Object *object : sorted) {
    // The lowest place that no object alive at the same time has.
    SmallVector<Object *> rivals =
        llvm::to_vector(llvm::make_filter_range(placed, [&](Object *other) {
          return other->first <= object->last && object->first <= other->last;
        }));
    llvm::sort(rivals,
               [](Object *a, Object *b) { return a->offset < b->offset; });
    int64_t offset = 0;
    for (Object *other : rivals) {
      if (offset + object->bytes() <= other->offset)
        break;
      offset = std::max(offset, static_cast<int64_t>(llvm::alignTo(
                                    other->offset + other->bytes(), 64)));
    }
    object->offset = offset;
    total = std::max(total, offset + object->bytes());
    placed.push_back(object);
  }
  total = llvm::alignTo(total, 64);
}
