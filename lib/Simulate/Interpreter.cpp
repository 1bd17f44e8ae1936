//===- Interpreter.cpp - one block after the other ------------------------===//
//
// Strands take turns, of lengths that the timing chooses. An op that cannot be
// done yet is tried again when somebody else has moved on.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "TileOps.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

Interpreter::Interpreter(tile::KernelOp kernel, ArrayRef<SimulatedMemory> given,
                         const SimulationOptions &options)
    : kernel(kernel), mostWork(options.mostWork), timing(options.seed) {
  memory.resize(given.size());
  for (auto [index, each] : llvm::enumerate(memory)) {
    each.view = given[index];
    if (index + kernel.getOutputs() >= given.size())
      each.writers.resize(each.spannedElements());
  }
  for (auto [argument, each] : llvm::zip_equal(kernel.getMemory(), memory))
    values[argument] = &each;
}

bool Interpreter::work(Operation *op, uint64_t amount) {
  workDone += amount;
  if (workDone <= mostWork)
    return true;
  op->emitOpError("is where the simulation has done ")
      << mostWork << " operations; smaller sizes need fewer";
  return false;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ArrayPtr Interpreter::scalar(ElementType type, int64_t value) {
  auto array = std::make_shared<Array>(ArrayType{type, {}});
  *array->get<int64_t>() = value;
  return array;
}

bool Interpreter::set(Strand &strand, Value value, SimulatedValue simulated) {
  for (const IssuePtr &issue : strand.products)
    for (auto [operand, factor] : {std::pair(issue->op.getLhs(), &issue->lhs),
                                   std::pair(issue->op.getRhs(), &issue->rhs)})
      // What is in a slot belongs to the ring.
      if (operand == value && std::holds_alternative<ArrayPtr>(*factor)) {
        InFlightDiagnostic diagnostic =
            emitError(value.getLoc(), "a factor is computed anew that a "
                                      "product may still read");
        diagnostic.attachNote(issue->op.getLoc())
            << "the product is set off here";
        return false;
      }
  values[value] = std::move(simulated);
  return true;
}

ArrayPtr Interpreter::arrayOf(const SimulatedValue &value, Operation *user,
                              Strand &strand) {
  if (const auto *array = std::get_if<ArrayPtr>(&value))
    return *array;
  const auto *tile = std::get_if<SharedTile>(&value);
  if (!tile) {
    user->emitOpError("reads a value that is no tile");
    return nullptr;
  }
  ArrayPtr array = tile->ring->read(*tile, user, strand);
  if (!array || tile->permutation.empty())
    return array;
  ArrayType type{array->type(), {}};
  for (int64_t axis : tile->permutation)
    type.shape.push_back(array->shape()[axis]);
  auto transposed = std::make_shared<Array>(type);
  transpose(tile->permutation, *array, *transposed);
  return transposed;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

Outcome Interpreter::enterLoop(Strand &strand, scf::ForOp loop) {
  int64_t lower = integerOf(loop.getLowerBound());
  int64_t upper = integerOf(loop.getUpperBound());
  int64_t step = integerOf(loop.getStep());
  if (step <= 0) {
    loop.emitOpError("has the step ") << step;
    return Outcome::Failed;
  }
  ValueRange targets = lower < upper ? ValueRange(loop.getRegionIterArgs())
                                     : ValueRange(loop.getResults());
  for (auto [target, init] : llvm::zip_equal(targets, loop.getInitArgs()))
    if (!set(strand, target, SimulatedValue(values[init])))
      return Outcome::Failed;
  if (lower >= upper)
    return Outcome::Done;
  values[loop.getInductionVar()] = scalar(ElementType::Index, lower);
  Block *body = loop.getBody();
  strand.frames.push_back({body, body->begin(), lower, upper, step});
  return Outcome::Done;
}

Outcome Interpreter::enterBranch(Strand &strand, scf::IfOp branch) {
  Block *block = integerOf(branch.getCondition()) ? branch.thenBlock()
                                                  : branch.elseBlock();
  if (block)
    strand.frames.push_back({block, block->begin()});
  return Outcome::Done;
}

Outcome Interpreter::yield(Strand &strand, scf::YieldOp op) {
  SmallVector<SimulatedValue> yielded;
  for (Value operand : op.getOperands())
    yielded.push_back(values[operand]);
  ValueRange targets = op->getParentOp()->getResults();
  Frame &frame = strand.frames.back();
  bool isLast = true;
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    // What is beyond 64 bits is beyond the end.
    isLast = llvm::AddOverflow(frame.round, frame.step, frame.round) ||
             frame.round >= frame.end;
    if (!isLast) {
      targets = loop.getRegionIterArgs();
      values[loop.getInductionVar()] = scalar(ElementType::Index, frame.round);
      frame.next = frame.block->begin();
    }
  }
  if (isLast)
    strand.frames.pop_back();
  for (auto [target, value] : llvm::zip_equal(targets, yielded))
    if (!set(strand, target, std::move(value)))
      return Outcome::Failed;
  return Outcome::Done;
}

Outcome Interpreter::enterRoles(Strand &strand, tile::RolesOp roles) {
  for (auto role : roles.getBody().getOps<tile::RoleOp>()) {
    begin(role, role.getBody().front()).parent = &strand;
    ++strand.openRoles;
  }
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// Strands
//===----------------------------------------------------------------------===//

Strand &Interpreter::begin(Operation *op, Block &block) {
  Strand &strand = *strands.emplace_back(std::make_unique<Strand>());
  strand.op = op;
  strand.frames.push_back({&block, block.begin()});
  return strand;
}

LogicalResult Interpreter::end(Strand &strand) {
  for (const IssuePtr &issue : strand.products)
    if (!issue->isDone)
      return issue->op.emitOpError("is under way when its role ends");
  strand.frames.clear();
  if (strand.parent)
    --strand.parent->openRoles;
  return success();
}

Outcome Interpreter::step(Strand &strand) {
  Frame &frame = strand.frames.back();
  if (frame.next == frame.block->end() || isa<tile::ReturnOp>(*frame.next))
    return failed(end(strand)) ? Outcome::Failed : Outcome::Done;
  Operation *op = &*frame.next;
  if (auto end = dyn_cast<scf::YieldOp>(op))
    return yield(strand, end);
  Block::iterator here = frame.next++;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return enterLoop(strand, loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return enterBranch(strand, branch);
  if (auto roles = dyn_cast<tile::RolesOp>(op))
    return enterRoles(strand, roles);
  Outcome outcome = execute(strand, op);
  if (outcome == Outcome::Blocked)
    frame.next = here;
  return outcome;
}

LogicalResult Interpreter::reportDeadlock() {
  SmallVector<Operation *> standing;
  for (const std::unique_ptr<Strand> &strand : strands)
    if (isReady(*strand))
      standing.push_back(&*strand->frames.back().next);
  InFlightDiagnostic diagnostic =
      standing.front()->emitOpError("waits for ever, for number ")
      << integerOf(standing.front()->getOperand(1));
  for (Operation *op : ArrayRef(standing).drop_front())
    diagnostic.attachNote(op->getLoc())
        << "and '" << op->getName() << "' waits here, for number "
        << integerOf(op->getOperand(1));
  return diagnostic;
}

LogicalResult Interpreter::runStrands() {
  while (true) {
    SmallVector<Strand *> ready;
    for (const std::unique_ptr<Strand> &strand : strands)
      if (isReady(*strand))
        ready.push_back(strand.get());
    if (ready.empty())
      return success();
    std::swap(ready.front(), ready[timing.below(ready.size())]);
    bool hasMoved = false;
    for (Strand *strand : ready) {
      for (uint64_t turn = timing.turn(); turn != 0 && isReady(*strand);
           --turn) {
        Outcome outcome = step(*strand);
        if (outcome == Outcome::Failed)
          return failure();
        if (outcome == Outcome::Blocked)
          break;
        timing.advance();
        hasMoved = true;
      }
      if (hasMoved)
        break;
    }
    // Nobody waits for these copies in particular; they arrive some time.
    if (!hasMoved &&
        llvm::none_of(rings, [](const std::unique_ptr<Ring> &ring) {
          return ring->landOne();
        }))
      return reportDeadlock();
  }
}

LogicalResult Interpreter::runBlock(ArrayRef<int64_t> place, uint64_t number) {
  block = number;
  strands.clear();
  rings.clear();
  for (auto [argument, index] : llvm::zip_equal(kernel.getPlace(), place))
    values[argument] = scalar(ElementType::Index, index);
  begin(kernel, kernel.getBody().front());
  if (failed(runStrands()))
    return failure();
  for (const std::unique_ptr<Ring> &ring : rings)
    if (failed(ring->finish()))
      return failure();
  return success();
}

LogicalResult Interpreter::checkWritten() {
  for (auto [argument, each] : llvm::zip_equal(kernel.getMemory(), memory)) {
    if (each.writers.empty())
      continue;
    SmallVector<int64_t, 4> strides = each.strides(), place(strides.size(), 0);
    int64_t offset = 0;
    auto next = [&] {
      for (size_t dim = place.size(); dim-- > 0;) {
        offset += strides[dim];
        if (++place[dim] < each.view.shape[dim])
          return true;
        offset -= strides[dim] * each.view.shape[dim];
        place[dim] = 0;
      }
      return false;
    };
    do {
      if (each.writers[offset] != 0)
        continue;
      InFlightDiagnostic diagnostic = kernel.emitOpError("leaves element [");
      llvm::interleave(
          place, [&](int64_t index) { diagnostic << index; },
          [&] { diagnostic << ", "; });
      return diagnostic << "] of argument #" << argument.getArgNumber()
                        << " unwritten";
    } while (next());
  }
  return success();
}
