//===- Interpreter.cpp - one block of a kernel ----------------------------===//
//
// Control. An op that cannot be done yet is tried again when somebody else has
// moved on.
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "TileOps.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

Interpreter::Interpreter(Simulation &simulation, Cluster &cluster,
                         unsigned rank, ArrayRef<int64_t> place,
                         uint64_t number)
    : simulation(simulation), cluster(cluster), rank(rank), blockPlace(place),
      number(number) {
  tile::KernelOp kernel = simulation.kernel;
  for (auto [argument, each] :
       llvm::zip_equal(kernel.getMemory(), simulation.memory))
    values[argument] = &each;
  for (auto [argument, index] : llvm::zip_equal(kernel.getPlace(), place))
    values[argument] = scalar(ElementType::Index, index);
  begin(kernel, kernel.getBody().front());
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
  placeOf(strand, value) = std::move(simulated);
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
  int64_t lower = integerOf(strand, loop.getLowerBound());
  int64_t upper = integerOf(strand, loop.getUpperBound());
  int64_t step = integerOf(strand, loop.getStep());
  if (step <= 0) {
    loop.emitOpError("has the step ") << step;
    return Outcome::Failed;
  }
  ValueRange targets = lower < upper ? ValueRange(loop.getRegionIterArgs())
                                     : ValueRange(loop.getResults());
  for (auto [target, init] : llvm::zip_equal(targets, loop.getInitArgs()))
    if (!set(strand, target, SimulatedValue(valueOf(strand, init))))
      return Outcome::Failed;
  if (lower >= upper)
    return Outcome::Done;
  placeOf(strand, loop.getInductionVar()) = scalar(ElementType::Index, lower);
  Block *body = loop.getBody();
  strand.frames.push_back({body, body->begin(), lower, upper, step});
  return Outcome::Done;
}

Outcome Interpreter::enterBranch(Strand &strand, scf::IfOp branch) {
  Block *block = integerOf(strand, branch.getCondition()) ? branch.thenBlock()
                                                          : branch.elseBlock();
  if (block)
    strand.frames.push_back({block, block->begin()});
  return Outcome::Done;
}

Outcome Interpreter::yield(Strand &strand, scf::YieldOp op) {
  SmallVector<SimulatedValue> yielded;
  for (Value operand : op.getOperands())
    yielded.push_back(valueOf(strand, operand));
  ValueRange targets = op->getParentOp()->getResults();
  Frame &frame = strand.frames.back();
  bool isLast = true;
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    // What is beyond 64 bits is beyond the end.
    isLast = llvm::AddOverflow(frame.round, frame.step, frame.round) ||
             frame.round >= frame.end;
    if (!isLast) {
      targets = loop.getRegionIterArgs();
      placeOf(strand, loop.getInductionVar()) =
          scalar(ElementType::Index, frame.round);
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
  hasReachedRoles = true;
  if (!cluster.haveAllReachedRoles())
    return Outcome::Blocked;
  strand.hasBegunRoles = true;
  for (auto role : roles.getBody().getOps<tile::RoleOp>())
    for (unsigned crew = 0; crew < role.getCrews(); ++crew) {
      Strand &made = begin(role, role.getBody().front());
      made.parent = &strand;
      made.crew = crew;
      made.isCrew = role.getCrews() != 1;
      ++strand.openRoles;
    }
  return Outcome::Done;
}

Outcome Interpreter::takeTurn(Strand &strand, tile::TakeTurnOp op) {
  auto role = cast<tile::RoleOp>(strand.op);
  Turns &state = turns[role];
  if (state.given % role.getCrews() != strand.crew || state.isTaken)
    return Outcome::Blocked;
  state.isTaken = true;
  // All threads of the crew have waited for those of the one before.
  ++strand.barriers;
  return Outcome::Done;
}

Outcome Interpreter::giveTurn(Strand &strand, tile::GiveTurnOp op) {
  auto role = cast<tile::RoleOp>(strand.op);
  Turns &state = turns[role];
  if (state.given % role.getCrews() != strand.crew || !state.isTaken) {
    op.emitOpError("gives a turn that its crew does not have");
    return Outcome::Failed;
  }
  ++state.given;
  state.isTaken = false;
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

bool Interpreter::isBehindRoles() const {
  const Strand &all = *strands.front();
  return all.hasBegunRoles && all.openRoles == 0;
}

LogicalResult Interpreter::end(Strand &strand) {
  for (const IssuePtr &issue : strand.products)
    if (!issue->isDone)
      return issue->op.emitOpError("is under way when its role ends");
  strand.frames.clear();
  if (strand.parent)
    --strand.parent->openRoles;
  else
    for (const std::unique_ptr<Ring> &ring : rings)
      ring->close();
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
  auto roles = dyn_cast<tile::RolesOp>(op);
  Outcome outcome = roles ? enterRoles(strand, roles) : execute(strand, op);
  if (outcome == Outcome::Blocked)
    frame.next = here;
  return outcome;
}
