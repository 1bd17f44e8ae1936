//===- ThreadRun.cpp - the threads of a cluster of blocks -----------------===//
//
// Control, and numbers. Lanes that a branch leaves out wait behind it, as they
// do on a chip where nothing else is said.
//
//===----------------------------------------------------------------------===//

#include "ThreadRun.h"
#include "Pointwise.h"
#include "TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

static constexpr Lanes allLanes = ~Lanes(0);

template <typename F>
static std::shared_ptr<Array> perLane(ElementType type, F function) {
  auto array = std::make_shared<Array>(ArrayType{type, {numLanes}});
  for (unsigned lane = 0; lane < numLanes; ++lane)
    array->get<int64_t>()[lane] = function(lane);
  return array;
}

static int64_t attributeOf(LLVM::LLVMFuncOp function, StringRef name,
                           int64_t otherwise) {
  auto number = function->getAttrOfType<IntegerAttr>(name);
  return number ? number.getInt() : otherwise;
}

/// What each thread has at first, before roles divide it anew.
static int64_t registersAtStart(LLVM::LLVMFuncOp function, int64_t threads) {
  constexpr int64_t perProcessor = 65536, most = 256;
  int64_t blocks =
      std::max<int64_t>(attributeOf(function, "nvvm.minctasm", 1), 1);
  return std::min(perProcessor / (threads * blocks) / 8 * 8, most);
}

ThreadRun::ThreadRun(LLVM::LLVMFuncOp function, const ThreadCode &code,
                     const GridNumbers &grid, int64_t first, uint64_t seed)
    : function(function), code(code), grid(grid), first(first), seed(seed),
      timing(seed) {
  int64_t threads =
      function->getAttrOfType<DenseI32ArrayAttr>("nvvm.reqntid")[0];
  unsigned together = attributeOf(function, "tile.cluster", 1);
  unsigned warps = threads / numLanes;
  numWarps = together * warps;
  actors = 2 * numWarps;
  fences.resize(actors);
  for (unsigned rank = 0; rank < together; ++rank) {
    Block &block = *blocks.emplace_back(std::make_unique<Block>(
        Block{rank,
              SharedBytes(attributeOf(function, "tile.shared", 0), fences),
              {},
              {},
              {}}));
    for (unsigned index = 0; index < warps; ++index) {
      Warp &warp = *block.warps.emplace_back(
          std::make_unique<Warp>(&block, rank * warps + index, index));
      tick(warp);
      warp.begun = warp.clock;
      tick(warp);
      warp.registers = registersAtStart(function, threads);
      warp.frames.push_back({&function.getBody().front(), 0, allLanes});
      auto give = [&](unsigned width, ElementType type,
                      ArrayRef<int64_t> numbers) {
        auto isOfWidth = [&](BlockArgument argument) {
          return argument.getType().isInteger(width);
        };
        for (auto [argument, number] : llvm::zip(
                 llvm::make_filter_range(function.getArguments(), isOfWidth),
                 numbers))
          warp.values[argument] =
              perLane(type, [&, number = number](unsigned) { return number; });
      };
      give(32, ElementType::I32, grid.extents);
      give(64, ElementType::I64, grid.sizes);
    }
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The number of another lane.
static ArrayPtr shuffle(NVVM::ShflOp op, const ArrayPtr &value,
                        const ArrayPtr &offset) {
  return perLane(value->type(), [&](unsigned lane) -> int64_t {
    int64_t other = offset->get<int64_t>()[lane];
    switch (op.getKind()) {
    case NVVM::ShflKind::bfly:
      other ^= lane;
      break;
    case NVVM::ShflKind::up:
      other = lane - other;
      break;
    case NVVM::ShflKind::down:
      other += lane;
      break;
    case NVVM::ShflKind::idx:
      break;
    }
    return value->get<int64_t>()[other & (numLanes - 1)];
  });
}

static ArrayPtr stepFrom(LLVM::GEPOp op, ArrayRef<ArrayPtr> operands) {
  auto indices = op.getIndices();
  if (indices.size() != 1 || !op.getElemType().isInteger(8))
    return nullptr;
  auto constant = dyn_cast<IntegerAttr>(indices[0]);
  return perLane(ElementType::Index, [&](unsigned lane) {
    return operands[0]->get<int64_t>()[lane] +
           (constant ? constant.getInt() : operands[1]->get<int64_t>()[lane]);
  });
}

/// Null for what is not known, as all that comes from memory.
ArrayPtr ThreadRun::compute(Warp &warp, Operation *op) {
  auto same = [](ElementType type, int64_t number) {
    return perLane(type, [&](unsigned) { return number; });
  };
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto number = dyn_cast<IntegerAttr>(constant.getValue());
    std::optional<ArrayType> type = ArrayType::of(constant.getType());
    return number && type ? same(type->element, number.getInt()) : nullptr;
  }
  if (isa<NVVM::ThreadIdXOp>(op))
    return perLane(ElementType::I32,
                   [&](unsigned lane) { return warp.index * numLanes + lane; });
  if (isa<NVVM::BlockIdXOp>(op))
    return same(ElementType::I32, first + warp.block->rank);
  if (isa<NVVM::GridDimXOp>(op))
    return same(ElementType::I32, grid.blocks);
  if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
    return same(ElementType::Index, 0);
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return assembly.getAsmString().contains("%cluster_ctarank")
               ? same(ElementType::I32, warp.block->rank)
               : nullptr;
  SmallVector<ArrayPtr, 3> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(warp.values.lookup(operand));
    if (!operands.back())
      return nullptr;
  }
  if (auto moved = dyn_cast<NVVM::ShflOp>(op))
    return moved.getType().isInteger(32)
               ? shuffle(moved, operands[1], operands[2])
               : nullptr;
  if (auto step = dyn_cast<LLVM::GEPOp>(op))
    return stepFrom(step, operands);
  if (isa<LLVM::PtrToIntOp>(op))
    return operands[0];
  const PointwiseFunction *pointwise = findPointwise(op);
  std::optional<ArrayType> type =
      op->getNumResults() == 1 ? ArrayType::of(op->getResult(0).getType())
                               : std::nullopt;
  if (!pointwise || !type || !type->shape.empty())
    return nullptr;
  type->shape = {numLanes};
  auto result = std::make_shared<Array>(*type);
  (*pointwise)(op, operands, *result);
  return result;
}

std::optional<int64_t> ThreadRun::uniform(Warp &warp, Operation *op,
                                          Value value, Lanes lanes) {
  ArrayPtr array = warp.values.lookup(value);
  if (!array) {
    op->emitOpError(
        "cannot be simulated: how it goes on depends on sizes, which the "
        "option 'sizes' may say, or on numbers in memory");
    return std::nullopt;
  }
  int64_t number = array->get<int64_t>()[llvm::countr_zero(lanes)];
  for (unsigned lane = 0; lane < numLanes; ++lane)
    if (lanes >> lane & 1 && array->get<int64_t>()[lane] != number) {
      op->emitOpError("is not the same for all threads of a warp that come "
                      "there");
      return std::nullopt;
    }
  return number;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

ThreadRun::Outcome ThreadRun::enterLoop(Warp &warp, scf::ForOp loop) {
  Lanes lanes = warp.frames.back().lanes;
  std::optional<int64_t> lower =
      uniform(warp, loop, loop.getLowerBound(), lanes);
  if (!lower)
    return Outcome::Failed;
  std::optional<int64_t> upper =
      uniform(warp, loop, loop.getUpperBound(), lanes);
  if (!upper)
    return Outcome::Failed;
  std::optional<int64_t> step = uniform(warp, loop, loop.getStep(), lanes);
  if (!step)
    return Outcome::Failed;
  if (*step <= 0) {
    loop.emitOpError("has the step ") << *step;
    return Outcome::Failed;
  }
  ValueRange targets = *lower < *upper ? ValueRange(loop.getRegionIterArgs())
                                       : ValueRange(loop.getResults());
  for (auto [target, init] : llvm::zip_equal(targets, loop.getInitArgs()))
    assign(warp, target, warp.values.lookup(init));
  if (*lower >= *upper)
    return Outcome::Done;
  std::optional<ArrayType> type =
      ArrayType::of(loop.getInductionVar().getType());
  warp.values[loop.getInductionVar()] =
      perLane(type->element, [&](unsigned) { return *lower; });
  warp.frames.push_back({loop.getBody(), 0, lanes, *lower, *upper, *step});
  return Outcome::Done;
}

ThreadRun::Outcome ThreadRun::enterBranch(Warp &warp, scf::IfOp branch) {
  Lanes lanes = warp.frames.back().lanes, taken = 0;
  if (ArrayPtr condition = warp.values.lookup(branch.getCondition())) {
    for (unsigned lane = 0; lane < numLanes; ++lane)
      if (lanes >> lane & 1 && condition->get<int64_t>()[lane])
        taken |= Lanes(1) << lane;
  } else {
    // What nobody knows all threads agree about, or there would be no barrier
    // behind it.
    uint64_t visit = warp.visits[branch]++;
    taken = (visit + seed) % 2 ? lanes : 0;
  }
  if (Lanes others = lanes & ~taken; others && branch.elseBlock()) {
    warp.frames.push_back({branch.elseBlock(), 0, others});
    warp.frames.back().isOtherBranch = taken != 0;
  }
  if (taken)
    warp.frames.push_back({branch.thenBlock(), 0, taken});
  return Outcome::Done;
}

/// What some lanes have from one branch and the others from the other one.
static ArrayPtr merge(const ArrayPtr &other, const ArrayPtr &own, Lanes lanes) {
  if (!other || !own)
    return nullptr;
  return perLane(own->type(), [&](unsigned lane) {
    return (lanes >> lane & 1 ? own : other)->get<int64_t>()[lane];
  });
}

ThreadRun::Outcome ThreadRun::yield(Warp &warp, scf::YieldOp op) {
  SmallVector<ArrayPtr> yielded;
  for (Value operand : op.getOperands())
    yielded.push_back(warp.values.lookup(operand));
  Frame &frame = warp.frames.back();
  ValueRange targets = op->getParentOp()->getResults();
  bool isLast = true;
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    isLast = llvm::AddOverflow(frame.round, frame.step, frame.round) ||
             frame.round >= frame.end;
    if (!isLast) {
      targets = loop.getRegionIterArgs();
      ElementType type =
          ArrayType::of(loop.getInductionVar().getType())->element;
      warp.values[loop.getInductionVar()] =
          perLane(type, [&](unsigned) { return frame.round; });
      frame.next = 0;
    }
  } else if (frame.isOtherBranch) {
    for (auto [target, value] : llvm::zip_equal(targets, yielded))
      value = merge(warp.values.lookup(target), value, frame.lanes);
  }
  if (isLast)
    warp.frames.pop_back();
  for (auto [target, value] : llvm::zip_equal(targets, yielded))
    assign(warp, target, value);
  return Outcome::Done;
}

ThreadRun::Outcome ThreadRun::step(Warp &warp) {
  Frame &frame = warp.frames.back();
  Operation *op = code.opsOf(frame.block)[frame.next];
  if (isa<LLVM::ReturnOp>(op))
    return failed(end(warp)) ? Outcome::Failed : Outcome::Done;
  if (auto end = dyn_cast<scf::YieldOp>(op))
    return yield(warp, end);
  Lanes lanes = frame.lanes;
  size_t here = frame.next++;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return enterLoop(warp, loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return enterBranch(warp, branch);
  Outcome outcome = Outcome::Done;
  if (const ThreadOp &effect = code.effectOf(op); effect.effect != Effect::None)
    outcome = apply(warp, op, effect, lanes);
  if (outcome == Outcome::Blocked)
    warp.frames.back().next = here;
  if (outcome == Outcome::Done && op->getNumResults() == 1 &&
      code.isNeeded(op->getResult(0)))
    assign(warp, op->getResult(0), compute(warp, op));
  return outcome;
}

LogicalResult ThreadRun::end(Warp &warp) {
  warp.frames.clear();
  Block &block = *warp.block;
  if (warp.lastCopy && warp.lastGroup > warp.groupsDone)
    return warp.lastCopy->emitOpError("is under way when its threads end");
  if (!block.hasEnded())
    return success();
  if (const EngineRead *read = block.memory.openRead())
    return read->op->emitOpError("is under way when its block ends, and reads "
                                 "shared memory that is not its own then");
  for (const Flight &flight : flights)
    if (flight.to == &block)
      return flight.op->emitOpError("brings bytes to block ")
             << block.rank << " of its cluster, which has ended";
  return success();
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

LogicalResult ThreadRun::land(size_t number) {
  Flight flight = flights[number];
  flights.erase(flights.begin() + number);
  PhaseBarrier &barrier = flight.to->barriers.find(flight.barrier)->second;
  if (failed(barrier.expect(flight.op, -flight.bytes)))
    return failure();
  return barrier.turn(flight.op);
}

LogicalResult ThreadRun::landDue() {
  for (size_t number = flights.size(); number-- > 0;)
    if (flights[number].arrival <= timing.now() && failed(land(number)))
      return failure();
  return success();
}

LogicalResult ThreadRun::reportDeadlock() {
  Operation *last = nullptr;
  std::optional<InFlightDiagnostic> diagnostic;
  for (const std::unique_ptr<Block> &block : blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps) {
      if (warp->frames.empty())
        continue;
      Operation *op = warp->meeting;
      if (!op) {
        const Frame &frame = warp->frames.back();
        op = code.opsOf(frame.block)[frame.next];
      }
      if (!diagnostic) {
        current = warp.get();
        diagnostic.emplace(op->emitOpError("waits for ever"));
      } else if (op != last) {
        diagnostic->attachNote(op->getLoc())
            << "and warp " << warp->index << " of block " << block->rank
            << " waits here";
      }
      last = op;
    }
  return failure();
}

LogicalResult ThreadRun::finish() {
  for (const std::unique_ptr<Block> &block : blocks)
    for (auto &[address, barrier] : block->barriers)
      if (failed(barrier.finish()))
        return failure();
  for (const std::unique_ptr<Block> &block : blocks)
    for (auto &[number, meeting] : block->meetings)
      if (meeting.others != 0)
        return meeting.first->emitOpError("comes to barrier ")
               << number << ", at which nobody has waited when the block ends";
  return success();
}

LogicalResult ThreadRun::run() {
  ScopedDiagnosticHandler handler(
      function.getContext(), [&](Diagnostic &diagnostic) {
        Diagnostic &note = diagnostic.attachNote(function.getLoc());
        note << "seen ";
        if (current)
          note << "in warp " << current->index << " of block "
               << first + current->block->rank;
        note << " of '" << function.getName() << "' with seed " << seed;
        return failure();
      });
  std::vector<Warp *> ready;
  while (true) {
    ready.clear();
    bool isAny = false;
    for (const std::unique_ptr<Block> &block : blocks)
      for (const std::unique_ptr<Warp> &warp : block->warps) {
        isAny |= !warp->frames.empty();
        if (!warp->frames.empty() && !warp->meeting)
          ready.push_back(warp.get());
      }
    if (!isAny)
      return finish();
    if (!ready.empty())
      std::swap(ready.front(), ready[timing.below(ready.size())]);
    bool hasMoved = false;
    for (Warp *warp : ready) {
      current = warp;
      for (uint64_t turn = timing.turn();
           turn != 0 && !warp->frames.empty() && !warp->meeting; --turn) {
        Outcome outcome = step(*warp);
        if (outcome == Outcome::Failed)
          return failure();
        if (outcome == Outcome::Blocked)
          break;
        timing.advance();
        hasMoved = true;
      }
      if (failed(landDue()))
        return failure();
      if (hasMoved)
        break;
    }
    if (hasMoved)
      continue;
    if (flights.empty())
      return reportDeadlock();
    if (failed(land(timing.below(flights.size()))))
      return failure();
  }
}
