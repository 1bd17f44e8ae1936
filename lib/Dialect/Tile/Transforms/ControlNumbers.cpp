//===- ControlNumbers.cpp - what control flow depends on ------------------===//
//
// Ranges come from the ops' own interface. A number is a range of one.
//
//===----------------------------------------------------------------------===//

#include "ControlNumbers.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace fuse::tile;

bool fuse::tile::isStagedOp(Operation *op) {
  return isa<AcquireOp, CopyOp, CommitOp, WaitOp, ReleaseOp, DotIssueOp, TakeOp,
             RetireOp, StartOp, TakeTurnOp, GiveTurnOp>(op);
}

//===----------------------------------------------------------------------===//
// What has to be known
//===----------------------------------------------------------------------===//

ControlNumbers::ControlNumbers(KernelOp kernel) : kernel(kernel) {
  kernel.walk([&](Operation *op) {
    if (auto ring = dyn_cast<RingOp>(op))
      mostSlots = std::max<int64_t>(mostSlots, ring.getType().getSlots());
    bool readsShared = llvm::any_of(op->getOperandTypes(), sharedLayoutOf);
    if (isStagedOp(op) || readsShared)
      markRelevant(op);
    for (Value operand : op->getOperands())
      if (isStagedOp(op) && operand.getType().isIndex())
        if (!isa<CopyOp>(op) || operand == cast<CopyOp>(op).getNumber())
          need(operand);
  });
  // Grows while it is gone through.
  for (size_t i = 0; i < needed.size(); ++i) {
    Value value = needed[i];
    Operation *owner = value.getDefiningOp();
    if (!owner)
      owner = value.getParentBlock()->getParentOp();
    if (owner != kernel)
      markRelevant(owner);
    if (auto loop = dyn_cast<scf::ForOp>(owner)) {
      unsigned carried;
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument == loop.getInductionVar())
          continue;
        carried = argument.getArgNumber() - loop.getNumInductionVars();
      } else {
        carried = cast<OpResult>(value).getResultNumber();
      }
      need(loop.getInitArgs()[carried]);
      need(loop.getYieldedValues()[carried]);
    } else if (auto branch = dyn_cast<scf::IfOp>(owner)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      need(branch.thenYield().getOperand(number));
      need(branch.elseYield().getOperand(number));
    } else if (value.getDefiningOp()) {
      for (Value operand : owner->getOperands())
        need(operand);
    }
  }
}

void ControlNumbers::need(Value value) { needed.insert(value); }

void ControlNumbers::markRelevant(Operation *op) {
  for (; op != kernel && relevant.insert(op).second; op = op->getParentOp()) {
    auto decide = [&](Value value) {
      need(value);
      decided.insert(value);
    };
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      decide(loop.getLowerBound());
      decide(loop.getUpperBound());
      decide(loop.getStep());
    }
    if (auto branch = dyn_cast<scf::IfOp>(op))
      decide(branch.getCondition());
  }
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void ControlNumbers::beginRun() {
  scalars.clear();
  leftOpen.clear();
  isLate = false;
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    Scalar scalar;
    // The grid has so many blocks in a dimension. One that walks is there.
    if (argument.getType().isIndex())
      scalar.range = ConstantIntRanges::fromSigned(
          APInt(64, kernel.getWalks() && argument == kernel.getPlace()[1]),
          APInt(64, std::numeric_limits<int32_t>::max()));
    scalar.name = nameOf({argument.getArgNumber()});
    define(argument, scalar);
  }
}

bool ControlNumbers::nextRun() {
  while (!choices.empty()) {
    Choice &last = choices.back();
    if (++last.taken < last.values.size())
      return true;
    choices.pop_back();
  }
  return false;
}

int64_t ControlNumbers::nameOf(Expression expression) {
  return names.insert({std::move(expression), names.size()}).first->second;
}

/// Bounds of loops are tried from the least on: no round, one, two, and more
/// than there are slots. Behind those, rounds repeat what was seen.
APInt ControlNumbers::choose(int64_t name, const ConstantIntRanges &range) {
  for (const Choice &choice : choices)
    if (choice.name == name)
      return choice.values[choice.taken];
  unsigned width = range.smin().getBitWidth();
  Choice choice{name, {}, 0};
  if (width == 1) {
    choice.values = {APInt(1, 1), APInt(1, 0)};
  } else {
    int64_t least = std::max<int64_t>(0, range.smin().getSExtValue());
    int64_t most = range.smax().getSExtValue();
    for (int64_t more : {mostSlots + 1, int64_t(0), int64_t(1), int64_t(2)})
      if (least <= most - more)
        choice.values.push_back(APInt(width, least + more, /*isSigned=*/true));
    if (choice.values.empty())
      choice.values.push_back(range.smax());
    // So that rounds of an outer loop differ.
    std::rotate(choice.values.begin(),
                choice.values.begin() + choices.size() % choice.values.size(),
                choice.values.end());
  }
  choices.push_back(std::move(choice));
  return choices.back().values.front();
}

void ControlNumbers::define(Value value, Scalar scalar) {
  // What one role has decided is so for the others, who may need to know only
  // what follows from it.
  bool isChosen = llvm::any_of(choices, [&](const Choice &choice) {
    return choice.name == scalar.name;
  });
  bool isDecided = isChosen || decided.contains(value);
  if (!scalar.isNumber() && scalar.range && isDecided) {
    isLate |= !isChosen && leftOpen.contains(scalar.name);
    scalar.range =
        ConstantIntRanges::constant(choose(scalar.name, *scalar.range));
  } else if (!scalar.isNumber()) {
    leftOpen.insert(scalar.name);
  }
  scalars[value] = scalar;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<ConstantIntRanges>
ControlNumbers::rangeOf(OpResult result) const {
  unsigned width = ConstantIntRanges::getStorageBitwidth(result.getType());
  if (width == 0 || isa<ShapedType>(result.getType()))
    return std::nullopt;
  Operation *op = result.getOwner();
  if (isa<CrewOp>(op))
    return ConstantIntRanges::constant(APInt(64, crew));
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    MemRefType type = cast<MemRefType>(dim.getSource().getType());
    std::optional<int64_t> axis = dim.getConstantIndex();
    if (axis && !type.isDynamicDim(*axis))
      return ConstantIntRanges::constant(APInt(64, type.getDimSize(*axis)));
    return ConstantIntRanges::fromSigned(APInt(64, 0),
                                         APInt::getSignedMaxValue(64));
  }
  std::optional<ConstantIntRanges> found;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands())
    if (auto it = scalars.find(operand);
        it != scalars.end() && it->second.range)
      operands.push_back(*it->second.range);
  auto inferable = dyn_cast<InferIntRangeInterface>(op);
  if (inferable && operands.size() == op->getNumOperands())
    inferable.inferResultRanges(
        operands, [&](Value value, const ConstantIntRanges &range) {
          if (value == result)
            found = range;
        });
  return found ? found : ConstantIntRanges::maxRange(width);
}

void ControlNumbers::evaluate(Operation *op) {
  for (OpResult result : op->getResults()) {
    if (!needed.contains(result))
      continue;
    Scalar scalar;
    scalar.range = rangeOf(result);
    if (!scalar.isNumber()) {
      Expression expression = {
          reinterpret_cast<intptr_t>(op->getName().getAsOpaquePointer()),
          reinterpret_cast<intptr_t>(
              op->getAttrDictionary().getAsOpaquePointer()),
          result.getResultNumber()};
      for (Value operand : op->getOperands()) {
        Scalar known = scalars.lookup(operand);
        std::optional<APInt> number;
        if (known.range)
          number = known.range->getConstantValue();
        expression.push_back(number.has_value());
        expression.push_back(number ? number->getSExtValue() : known.name);
      }
      scalar.name = nameOf(std::move(expression));
    }
    define(result, scalar);
  }
}

void ControlNumbers::assign(ValueRange from, ValueRange to) {
  SmallVector<Scalar> values;
  for (Value value : from)
    values.push_back(scalars.lookup(value));
  for (auto [value, scalar] : llvm::zip_equal(to, values))
    if (needed.contains(value))
      define(value, scalar);
}

void ControlNumbers::set(Value value, const APInt &number) {
  scalars[value] = {ConstantIntRanges::constant(number), 0};
}

std::optional<APInt> ControlNumbers::get(Value value) const {
  auto it = scalars.find(value);
  if (it == scalars.end() || !it->second.range)
    return std::nullopt;
  return it->second.range->getConstantValue();
}
