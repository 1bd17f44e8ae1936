//===- ThreadEffects.cpp - barriers, copies, and shared memory ------------===//
//
// What one op of a warp does to others.
//
//===----------------------------------------------------------------------===//

#include "ThreadRun.h"
#include "fuse/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

static bool has(Lanes lanes, unsigned lane) { return lanes >> lane & 1; }

bool ThreadRun::areKnown(Warp &warp, Operation *op, ValueRange values) {
  for (Value value : values)
    if (code.isNeeded(value) && !warp.values.lookup(value)) {
      op->emitOpError(
          "cannot be simulated: it depends on sizes or on numbers in memory");
      return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Barriers in shared memory
//===----------------------------------------------------------------------===//

PhaseBarrier *ThreadRun::barrierAt(Warp &warp, Operation *op, Block &block,
                                   int64_t address) {
  auto found = block.barriers.find(address);
  if (found == block.barriers.end()) {
    op->emitOpError("is about the barrier at byte ")
        << address << " of shared memory, where none is made";
    return nullptr;
  }
  if (found->second.isKnownTo(warp.clock))
    return &found->second;
  InFlightDiagnostic diagnostic =
      op->emitOpError("is about a barrier that may not be made yet");
  diagnostic.attachNote(found->second.madeBy()->getLoc()) << "it is made here";
  return nullptr;
}

/// A block of the cluster that another one tells something.
ThreadRun::Block *ThreadRun::otherBlock(Operation *op, int64_t rank) {
  if (rank < 0 || rank >= static_cast<int64_t>(blocks.size())) {
    op->emitOpError("tells block ")
        << rank << " of a cluster of " << blocks.size();
    return nullptr;
  }
  Block *block = blocks[rank].get();
  if (block->hasEnded()) {
    op->emitOpError("tells block ")
        << rank << " of its cluster, which has ended";
    return nullptr;
  }
  return block;
}

/// Whether `warp` has met anybody of `block`, or somebody who has.
bool ThreadRun::hasBegun(const Block &block, const Warp &warp) {
  return llvm::any_of(block.warps, [&](const auto &other) {
    return warp.clock.timeOf(other->actor) != 0;
  });
}

ThreadRun::Outcome ThreadRun::applyToBarrier(Warp &warp, Operation *op,
                                             const ThreadOp &effect,
                                             Lanes lanes) {
  if (!areKnown(warp, op, effect.operands))
    return Outcome::Failed;
  auto operand = [&](unsigned number, unsigned lane) {
    return laneOf(warp, effect.operands[number], lane);
  };
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    if (!has(lanes, lane))
      continue;
    int64_t address = operand(0, lane);
    Block *block = warp.block;
    if (effect.effect == Effect::Init) {
      constexpr int64_t barrierBytes = 8;
      if (operand(1, lane) < 1) {
        op->emitOpError("makes a barrier for ")
            << operand(1, lane) << " threads";
        return Outcome::Failed;
      }
      if (failed(block->memory.write({address, address + barrierBytes},
                                     toucherOf(warp, op))))
        return Outcome::Failed;
      block->barriers.insert_or_assign(
          address, PhaseBarrier(op, now(warp), operand(1, lane), actors++,
                                function->hasAttr("tile.crews")));
      continue;
    }
    if (effect.effect == Effect::ArriveElsewhere) {
      block = otherBlock(op, operand(1, lane));
      if (!block)
        return Outcome::Failed;
    }
    PhaseBarrier *barrier = barrierAt(warp, op, *block, address);
    if (!barrier)
      return Outcome::Failed;
    if (effect.effect == Effect::WaitForPhase) {
      FailureOr<bool> isOver =
          barrier->tryWait(op, warp.actor, operand(1, lane), warp.clock);
      if (failed(isOver))
        return Outcome::Failed;
      if (!*isOver)
        return Outcome::Blocked;
      continue;
    }
    if (effect.effect == Effect::ArriveExpecting &&
        failed(barrier->expect(op, operand(1, lane))))
      return Outcome::Failed;
    if (failed(barrier->arrive(op, warp.actor, warp.clock)))
      return Outcome::Failed;
  }
  if (effect.effect != Effect::WaitForPhase)
    tick(warp);
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

ThreadRun::Outcome ThreadRun::meet(Warp &warp, Operation *op, int64_t number,
                                   int64_t threads, Meeting &meeting,
                                   size_t all, bool isWaiting, bool isTelling) {
  constexpr int64_t mostBarriers = 16;
  if (number < 0 || number >= mostBarriers) {
    op->emitOpError("is about barrier ")
        << number << ", but a block has " << mostBarriers;
    return Outcome::Failed;
  }
  if (threads % numLanes != 0 || threads < 1 ||
      threads > static_cast<int64_t>(all * numLanes)) {
    op->emitOpError("is a barrier of ")
        << threads << " threads, but needs whole warps of the "
        << all * numLanes << " threads that there are";
    return Outcome::Failed;
  }
  // Who was not there would be counted for it, if it came at another time.
  if (!meeting.wentOn.empty() &&
      llvm::none_of(meeting.wentOn,
                    [&](Moment when) { return warp.clock.knows(when); })) {
    InFlightDiagnostic diagnostic =
        op->emitOpError("comes to barrier ")
        << number << " for " << threads
        << " threads, where others may still wait for " << meeting.threadsBefore
        << ": nothing says that they have gone on";
    diagnostic.attachNote(meeting.before->getLoc()) << "they wait here";
    return Outcome::Failed;
  }
  if (!meeting.first) {
    meeting.first = op;
    meeting.threads = threads;
  } else if (meeting.threads != threads) {
    InFlightDiagnostic diagnostic = op->emitOpError("waits for ")
                                    << threads << " threads, but others wait "
                                    << "there for " << meeting.threads;
    diagnostic.attachNote(meeting.first->getLoc()) << "they wait here";
    return Outcome::Failed;
  }
  warp.isTelling = isTelling;
  if (isWaiting) {
    warp.meeting = op;
    meeting.warps.push_back(&warp);
  } else {
    ++meeting.others;
    meeting.known.join(warp.clock);
    tick(warp);
  }
  if (static_cast<int64_t>((meeting.warps.size() + meeting.others) *
                           numLanes) != threads)
    return Outcome::Done;
  Clock together = meeting.known;
  for (Warp *each : meeting.warps)
    together.join(each->isTelling ? each->clock : each->begun);
  if (&meeting == &cluster)
    for (const std::unique_ptr<Block> &block : blocks)
      for (auto &[address, barrier] : block->barriers)
        barrier.tell();
  Meeting next;
  for (Warp *each : meeting.warps) {
    each->clock.join(together);
    next.before = each->meeting;
    each->meeting = nullptr;
    tick(*each);
    next.wentOn.push_back(now(*each));
  }
  next.threadsBefore = threads;
  meeting = std::move(next);
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// The copy engine
//===----------------------------------------------------------------------===//

std::optional<int64_t> ThreadRun::boxBytes(Operation *op, Value map) {
  auto maps = function->getAttrOfType<ArrayAttr>("tile.maps");
  auto argument = dyn_cast<BlockArgument>(map);
  unsigned others = function.getNumArguments() - (maps ? maps.size() : 0);
  if (!argument || !maps || argument.getArgNumber() < others) {
    op->emitOpError("has no tensor map of its function");
    return std::nullopt;
  }
  auto own = cast<tile::TensorMapAttr>(maps[argument.getArgNumber() - others]);
  return llvm::product_of(own.getBox()) *
         own.getElement().getIntOrFloatBitWidth() / 8;
}

ThreadRun::Outcome ThreadRun::copyByEngine(Warp &warp, Operation *op,
                                           const ThreadOp &effect,
                                           unsigned lane) {
  std::optional<int64_t> bytes = boxBytes(op, effect.operands[1]);
  if (!bytes)
    return Outcome::Failed;
  int64_t to = laneOf(warp, effect.operands[0], lane), mask = 0;
  ArrayRef<Value> rest = effect.operands;
  if (effect.isMulticast) {
    mask = laneOf(warp, rest.back(), lane) & 0xffff;
    rest = rest.drop_back();
  } else {
    mask = int64_t(1) << warp.block->rank;
  }
  int64_t address = laneOf(warp, rest.back(), lane);
  if (mask >> blocks.size() != 0) {
    op->emitOpError("has the mask ")
        << mask << " for a cluster of " << blocks.size() << " blocks";
    return Outcome::Failed;
  }
  for (const std::unique_ptr<Block> &block : blocks) {
    if (!has(mask, block->rank))
      continue;
    if (block->hasEnded()) {
      op->emitOpError("brings bytes to block ")
          << block->rank << " of its cluster, which has ended";
      return Outcome::Failed;
    }
    PhaseBarrier *barrier = barrierAt(warp, op, *block, address);
    if (!barrier)
      return Outcome::Failed;
    Moment done = barrier->beginCopy(warp.clock);
    if (failed(block->memory.write({to, to + *bytes},
                                   {op, done, &warp.clock, /*isEngine=*/true})))
      return Outcome::Failed;
    flights.push_back({op, block.get(), address, *bytes, timing.arrival()});
  }
  return Outcome::Done;
}

ThreadRun::Outcome ThreadRun::storeByEngine(Warp &warp, Operation *op,
                                            const ThreadOp &effect,
                                            unsigned lane) {
  std::optional<int64_t> bytes = boxBytes(op, effect.operands[0]);
  if (!bytes)
    return Outcome::Failed;
  int64_t from = laneOf(warp, effect.operands.back(), lane);
  Toucher toucher = toucherOf(warp, op);
  toucher.isEngine = true;
  FailureOr<std::shared_ptr<EngineRead>> read =
      warp.block->memory.beginRead({from, from + *bytes}, toucher);
  if (failed(read))
    return Outcome::Failed;
  warp.reads[lane].push_back(*read);
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Those of the lanes for which the condition holds, if there is one. Where
/// nobody knows it that may be none at all.
Lanes ThreadRun::lanesThat(Warp &warp, const ThreadOp &effect, Lanes lanes) {
  if (!effect.condition)
    return lanes;
  ArrayPtr condition = warp.values.lookup(effect.condition);
  for (unsigned lane = 0; lane < numLanes; ++lane)
    if (!condition || !condition->get<int64_t>()[lane])
      lanes &= ~(Lanes(1) << lane);
  return lanes;
}

ThreadRun::Outcome ThreadRun::touch(Warp &warp, Operation *op,
                                    const ThreadOp &effect, Lanes lanes) {
  uint64_t visit = warp.visits[op]++;
  lanes = lanesThat(warp, effect, lanes);
  if (effect.effect == Effect::ReadMatrices ||
      effect.effect == Effect::WriteMatrices)
    lanes &= static_cast<Lanes>((uint64_t(1) << 8 * effect.number) - 1);
  if (lanes == 0)
    return Outcome::Done;
  if (!areKnown(warp, op, effect.operands))
    return Outcome::Failed;
  Toucher toucher = toucherOf(warp, op);
  toucher.visit = visit;
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    if (!has(lanes, lane))
      continue;
    int64_t at = laneOf(warp, effect.operands[0], lane);
    ByteRange range{at, at + effect.count};
    Block *block = warp.block;
    if (effect.effect == Effect::WriteElsewhere) {
      block = otherBlock(op, laneOf(warp, effect.operands[1], lane));
      if (!block)
        return Outcome::Failed;
      if (!hasBegun(*block, warp)) {
        op->emitOpError("writes to block ")
            << block->rank << " of its cluster, which may not have begun";
        return Outcome::Failed;
      }
    }
    bool isRead =
        effect.effect == Effect::Read || effect.effect == Effect::ReadMatrices;
    if (failed(isRead ? block->memory.read(range, toucher)
                      : block->memory.write(range, toucher)))
      return Outcome::Failed;
  }
  return Outcome::Done;
}

/// Of what `wgmma` reads the first bytes of each factor stand for all: they
/// have to be there, and to be visible to what reads beside the threads.
ThreadRun::Outcome ThreadRun::readFactors(Warp &warp, Operation *op,
                                          const ThreadOp &effect) {
  if (!areKnown(warp, op, effect.operands))
    return Outcome::Failed;
  Toucher toucher = toucherOf(warp, op);
  toucher.isEngine = true;
  for (auto [factor, offset] :
       llvm::zip_equal(effect.operands, effect.offsets)) {
    constexpr int64_t unitBytes = 16, addressBits = 14;
    int64_t at = ((laneOf(warp, factor, 0) + offset) &
                  ((int64_t(1) << addressBits) - 1)) *
                 unitBytes;
    if (failed(warp.block->memory.read({at, at + unitBytes}, toucher)))
      return Outcome::Failed;
  }
  return Outcome::Done;
}

ThreadRun::Outcome ThreadRun::copyByThreads(Warp &warp, Operation *op,
                                            const ThreadOp &effect,
                                            Lanes lanes) {
  // Beside its warp, which goes on meanwhile.
  unsigned copier = copierOf(warp);
  if (effect.effect == Effect::ThreadCommit) {
    ++warp.groups;
  } else if (effect.effect == Effect::ThreadWait) {
    uint64_t behind = effect.number;
    warp.groupsDone =
        std::max(warp.groupsDone, warp.groups - std::min(warp.groups, behind));
    warp.clock.advanceTo({copier, warp.groupsDone});
  } else {
    if (!areKnown(warp, op, effect.operands))
      return Outcome::Failed;
    warp.lastCopy = op;
    warp.lastGroup = warp.groups + 1;
    Toucher toucher = toucherOf(warp, op);
    toucher.when = {copier, warp.lastGroup};
    toucher.visit = warp.visits[op]++;
    for (unsigned lane = 0; lane < numLanes; ++lane) {
      if (!has(lanes, lane))
        continue;
      int64_t to = laneOf(warp, effect.operands[0], lane);
      if (failed(warp.block->memory.write({to, to + effect.count}, toucher)))
        return Outcome::Failed;
    }
  }
  return Outcome::Done;
}

/// Who asks for more waits until others have handed so many over.
ThreadRun::Outcome ThreadRun::giveRegisters(Warp &warp, Operation *op,
                                            const ThreadOp &effect) {
  constexpr int64_t fewest = 24, most = 256;
  int64_t asked = effect.number, more = asked - warp.registers;
  if (asked % 8 != 0 || asked < fewest || asked > most) {
    op->emitOpError("asks for ")
        << asked << " registers a thread, but a multiple of 8 from " << fewest
        << " to " << most << " is possible";
    return Outcome::Failed;
  }
  if (more * effect.count < 0) {
    op->emitOpError("asks for ")
        << asked << " registers a thread, which is "
        << (more < 0 ? "fewer" : "more") << " than the " << warp.registers
        << " that it has";
    return Outcome::Failed;
  }
  if (more > warp.block->freeRegisters)
    return Outcome::Blocked;
  warp.block->freeRegisters -= more;
  warp.registers = asked;
  return Outcome::Done;
}

/// Whether all threads of a warp have to come there together.
static bool isOfWholeWarp(Effect effect) {
  switch (effect) {
  case Effect::MeetWarps:
  case Effect::ArriveAtMeeting:
  case Effect::MeetCluster:
  case Effect::BeginCluster:
  case Effect::Registers:
  case Effect::ReadMatrices:
  case Effect::WriteMatrices:
  case Effect::ReadFactors:
  case Effect::WholeWarp:
    return true;
  default:
    return false;
  }
}

ThreadRun::Outcome ThreadRun::meetWarps(Warp &warp, Operation *op,
                                        const ThreadOp &effect, Lanes lanes) {
  int64_t number = effect.number;
  if (!effect.hasNumber) {
    std::optional<int64_t> own =
        uniform(warp, op, effect.operands.front(), lanes);
    if (!own)
      return Outcome::Failed;
    number = *own;
  }
  return meet(warp, op, number, effect.count, warp.block->meetings[number],
              warp.block->warps.size(), effect.effect == Effect::MeetWarps);
}

ThreadRun::Outcome ThreadRun::tellEngine(Warp &warp, Operation *op,
                                         const ThreadOp &effect, Lanes lanes) {
  SmallVector<Value> numbers(effect.operands);
  // But the tensor map.
  llvm::erase_if(numbers, [](Value value) {
    auto type = dyn_cast<LLVM::LLVMPointerType>(value.getType());
    return type && type.getAddressSpace() == 0;
  });
  if (effect.condition)
    numbers.push_back(effect.condition);
  if (!areKnown(warp, op, numbers))
    return Outcome::Failed;
  lanes = lanesThat(warp, effect, lanes);
  for (unsigned lane = 0; lane < numLanes; ++lane)
    if (has(lanes, lane))
      if (Outcome outcome = effect.effect == Effect::EngineCopy
                                ? copyByEngine(warp, op, effect, lane)
                                : storeByEngine(warp, op, effect, lane);
          outcome != Outcome::Done)
        return outcome;
  return Outcome::Done;
}

void ThreadRun::waitForEngine(Warp &warp, Operation *op, const ThreadOp &effect,
                              Lanes lanes) {
  tick(warp);
  for (auto &[lane, reads] : warp.reads)
    while (has(lanes, lane) &&
           reads.size() > static_cast<size_t>(effect.number)) {
      warp.block->memory.finishRead(*reads.front(), toucherOf(warp, op));
      reads.pop_front();
    }
}

ThreadRun::Outcome ThreadRun::apply(Warp &warp, Operation *op,
                                    const ThreadOp &effect, Lanes lanes) {
  if (isOfWholeWarp(effect.effect) && lanes != ~Lanes(0)) {
    op->emitOpError("needs all threads of its warp, of which some do not "
                    "come here");
    return Outcome::Failed;
  }
  switch (effect.effect) {
  case Effect::None:
  case Effect::WholeWarp:
    return Outcome::Done;
  case Effect::Init:
  case Effect::Arrive:
  case Effect::ArriveExpecting:
  case Effect::ArriveElsewhere:
  case Effect::WaitForPhase:
    return applyToBarrier(warp, op, effect, lanes);
  case Effect::MeetCluster:
  case Effect::BeginCluster:
    return meet(warp, op, /*number=*/0, int64_t(numWarps) * numLanes, cluster,
                numWarps, /*isWaiting=*/true,
                effect.effect == Effect::MeetCluster);
  case Effect::FenceBarriers:
    for (auto &[address, barrier] : warp.block->barriers)
      barrier.fence(warp.actor);
    return Outcome::Done;
  case Effect::MeetWarps:
  case Effect::ArriveAtMeeting:
    return meetWarps(warp, op, effect, lanes);
  case Effect::EngineCopy:
  case Effect::EngineStore:
    return tellEngine(warp, op, effect, lanes);
  case Effect::EngineWait:
    waitForEngine(warp, op, effect, lanes);
    return Outcome::Done;
  case Effect::Fence:
    fences[warp.actor].push_back({now(warp).time, now(warp)});
    fences[copierOf(warp)].push_back({warp.groupsDone, now(warp)});
    tick(warp);
    return Outcome::Done;
  case Effect::ThreadCopy:
  case Effect::ThreadCommit:
  case Effect::ThreadWait:
    return copyByThreads(warp, op, effect, lanes);
  case Effect::Registers:
    return giveRegisters(warp, op, effect);
  case Effect::ReadFactors:
    return readFactors(warp, op, effect);
  case Effect::Read:
  case Effect::ReadMatrices:
  case Effect::Write:
  case Effect::WriteMatrices:
  case Effect::WriteElsewhere:
    return touch(warp, op, effect, lanes);
  }
  llvm_unreachable("every effect is handled above");
}
