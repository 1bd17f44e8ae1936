//===- ScheduleLoops.cpp - loops do work while products go on -------------===//
//
// The chosen order, written down. Where ops come a round late:
//
//   early ops of the first round
//   for all other rounds { early ops of this one, late ops of the one before }
//   late ops of the last round
//
//===----------------------------------------------------------------------===//

#include "LoopSchedule.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

namespace fuse {
#define GEN_PASS_DEF_SCHEDULELOOPS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// Where an op of the loop stands now.
enum Place { First, Middle, Last, NumPlaces };

/// Writes a loop anew.
class Expansion {
public:
  Expansion(scf::ForOp loop, const LoopScheduler &scheduler,
            const LoopSchedule &schedule, bool isAlone)
      : loop(loop), scheduler(scheduler), schedule(schedule), isAlone(isAlone) {
  }
  void run();

private:
  bool isLate(unsigned number) const { return schedule.late.test(number); }
  bool isLateValue(Value value);
  void reorder();
  SmallVector<Value> expand(ImplicitLocOpBuilder &b);
  void findCrossing();
  void emitFirst(ImplicitLocOpBuilder &b);
  scf::ForOp emitMiddle(ImplicitLocOpBuilder &b);
  SmallVector<Value> emitLast(ImplicitLocOpBuilder &b, scf::ForOp middle);
  void pinBefore(Operation *op, OpBuilder &b);
  void countWaits();

  scf::ForOp loop;
  const LoopScheduler &scheduler;
  const LoopSchedule &schedule;
  /// Whether no other warps feed the tensor cores while these compute.
  bool isAlone;
  /// What late ops use of the early ones of their round.
  SetVector<Value> crossing;
  SmallVector<Value> firstValues;
  DenseMap<unsigned, Operation *> made[NumPlaces];
  /// The work since products were last set off or waited for, and something
  /// that is known when it is done.
  double hidden = 0;
  Value witness;
  /// How many products of this round are under way that no wait is kept behind
  /// anything for, and whether something was reduced meanwhile.
  int64_t underWay = 0;
  bool isBehindReduction = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Pins
//===----------------------------------------------------------------------===//

/// Calls for every op of a round in the order in which they are written; before
/// a wait that work was put before, it is pinned there. Where other groups of
/// warps keep the tensor cores busy, what follows a wait is better mixed with
/// the work before: attention with 8192 keys took 1830 us with pins and 1730
/// without. There the wait is only kept behind a reduction, in which threads
/// wait for each other: with heads of 128 that takes 821 us, where the wait
/// comes first 852, and 849 where it comes last.
void Expansion::pinBefore(Operation *op, OpBuilder &b) {
  // Less is not worth a branch.
  constexpr double leastHidden = 100;
  constexpr int64_t mostRegisters = 4;
  if (isa<DotIssueOp, TakeOp, RetireOp>(op)) {
    if (isAlone && !isa<DotIssueOp>(op) && hidden > leastHidden && witness)
      PinOp::create(b, op->getLoc(), witness);
    if (isa<DotIssueOp>(op))
      ++underWay;
    else if (isa<TakeOp>(op) && underWay > 0)
      --underWay;
    hidden = 0;
    witness = {};
    isBehindReduction = false;
    return;
  }
  auto isSmall = [&](Type type) {
    return registersOf(type) <= mostRegisters &&
           getElementTypeOrSelf(type).isF32();
  };
  if (auto broadcast = dyn_cast<BroadcastOp>(op);
      broadcast && !isAlone && underWay > 0 && isBehindReduction &&
      isSmall(broadcast.getSource().getType()) &&
      !isSmall(broadcast.getType())) {
    auto few = broadcast.getSource();
    Value held = HoldOp::create(b, op->getLoc(), few.getType(), few);
    broadcast.getSourceMutable().assign(held);
    underWay = 0;
  }
  isBehindReduction |= isa<ReduceOp>(op);
  hidden += cyclesOf(op);
  for (Value result : op->getResults()) {
    int64_t registers = registersOf(result.getType());
    if (registers > 0 && registers <= mostRegisters && cyclesOf(op) > 0 &&
        getElementTypeOrSelf(result.getType()).isF32())
      witness = result;
  }
}

//===----------------------------------------------------------------------===//
// One stage
//===----------------------------------------------------------------------===//

void Expansion::reorder() {
  Operation *yield = loop.getBody()->getTerminator();
  for (unsigned number : schedule.order) {
    Operation *op = scheduler.getOp(number);
    op->moveBefore(yield);
    OpBuilder b(op);
    pinBefore(op, b);
    made[Middle][number] = op;
  }
}

//===----------------------------------------------------------------------===//
// Two stages
//===----------------------------------------------------------------------===//

/// Whether a value that the loop yields is computed late.
bool Expansion::isLateValue(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return false;
  return isLate(*scheduler.numberOf(op));
}

void Expansion::findCrossing() {
  for (unsigned number : schedule.order) {
    if (!isLate(number))
      continue;
    SetVector<Value> used;
    Operation *op = scheduler.getOp(number);
    used.insert_range(op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used) {
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() == loop.getBody() &&
            argument != loop.getInductionVar() &&
            !isLateValue(loop.getTiedLoopYieldedValue(argument)->get()))
          crossing.insert(value);
      } else if (value.getParentBlock() == loop.getBody() &&
                 !isLateValue(value)) {
        crossing.insert(value);
      }
    }
  }
}

void Expansion::emitFirst(ImplicitLocOpBuilder &b) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
  for (unsigned number : schedule.order)
    if (!isLate(number))
      made[First][number] = b.clone(*scheduler.getOp(number), mapping);
  for (auto [init, yielded] :
       llvm::zip_equal(loop.getInitArgs(), loop.getYieldedValues()))
    firstValues.push_back(
        isLateValue(yielded) ? init : mapping.lookupOrDefault(yielded));
  for (Value value : crossing)
    firstValues.push_back(mapping.lookupOrDefault(value));
}

scf::ForOp Expansion::emitMiddle(ImplicitLocOpBuilder &b) {
  Value from =
      b.createOrFold<arith::AddIOp>(loop.getLowerBound(), loop.getStep());
  auto middle = scf::ForOp::create(b, from, loop.getUpperBound(),
                                   loop.getStep(), firstValues);
  OpBuilder::InsertionGuard guard(b);
  if (middle.getBody()->mightHaveTerminator())
    middle.getBody()->getTerminator()->erase();
  b.setInsertionPointToStart(middle.getBody());
  IRMapping early, late;
  Value round = middle.getInductionVar();
  early.map(loop.getInductionVar(), round);
  late.map(loop.getInductionVar(),
           arith::SubIOp::create(b, round, loop.getStep()).getResult());
  ValueRange carried = middle.getRegionIterArgs();
  for (auto [argument, yielded, own] :
       llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues(), carried))
    (isLateValue(yielded) ? late : early).map(argument, own);
  for (auto [value, own] : llvm::zip_equal(
           crossing, carried.drop_front(loop.getNumRegionIterArgs())))
    late.map(value, own);
  for (unsigned number : schedule.order) {
    Operation *op = scheduler.getOp(number);
    Operation *own = b.clone(*op, isLate(number) ? late : early);
    made[Middle][number] = own;
    OpBuilder before(own);
    pinBefore(own, before);
    // An early op of this round uses what a late one of the last has made.
    if (isLate(number))
      for (auto [argument, yielded] :
           llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues()))
        if (yielded.getDefiningOp() == op)
          early.map(argument, late.lookup(yielded));
  }
  SmallVector<Value> yields;
  for (Value yielded : loop.getYieldedValues())
    yields.push_back(
        (isLateValue(yielded) ? late : early).lookupOrDefault(yielded));
  for (Value value : crossing)
    yields.push_back(early.lookupOrDefault(value));
  scf::YieldOp::create(b, yields);
  return middle;
}

SmallVector<Value> Expansion::emitLast(ImplicitLocOpBuilder &b,
                                       scf::ForOp middle) {
  IRMapping mapping;
  // Rounds are counted from the first one.
  Value length =
      b.createOrFold<arith::SubIOp>(loop.getUpperBound(), loop.getLowerBound());
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value rounds = b.createOrFold<arith::DivUIOp>(
      b.createOrFold<arith::SubIOp>(length, one), loop.getStep());
  mapping.map(loop.getInductionVar(),
              b.createOrFold<arith::AddIOp>(
                  loop.getLowerBound(),
                  b.createOrFold<arith::MulIOp>(rounds, loop.getStep())));
  ValueRange results = middle.getResults();
  for (auto [argument, own] : llvm::zip(loop.getRegionIterArgs(), results))
    mapping.map(argument, own);
  for (auto [value, own] : llvm::zip_equal(
           crossing, results.drop_front(loop.getNumRegionIterArgs())))
    mapping.map(value, own);
  for (unsigned number : schedule.order)
    if (isLate(number))
      made[Last][number] = b.clone(*scheduler.getOp(number), mapping);
  SmallVector<Value> last;
  for (auto [yielded, own] : llvm::zip(loop.getYieldedValues(), results))
    last.push_back(isLateValue(yielded) ? mapping.lookup(yielded) : Value(own));
  return last;
}

SmallVector<Value> Expansion::expand(ImplicitLocOpBuilder &b) {
  findCrossing();
  emitFirst(b);
  scf::ForOp middle = emitMiddle(b);
  return emitLast(b, middle);
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// Says at each wait how many products may be under way, which is how many are
/// set off behind its own on every way to it; one that others imply goes.
void Expansion::countWaits() {
  // Rounds repeat from the third on.
  constexpr unsigned mostRounds = 4;
  bool hasLate = schedule.late.any();
  struct Wait {
    std::optional<int64_t> behind;
    bool isNeeded = false;
  };
  DenseMap<unsigned, Wait> waits[NumPlaces];
  for (bool isCounting : {true, false})
    for (unsigned rounds = 1; rounds <= mostRounds; ++rounds) {
      std::map<std::pair<unsigned, unsigned>, int64_t> begun;
      int64_t numDone = 0;
      for (unsigned turn = 0; turn < rounds + hasLate; ++turn)
        for (unsigned number : schedule.order) {
          if ((isLate(number) && turn == 0) ||
              (!isLate(number) && turn == rounds))
            continue;
          Place place = !hasLate         ? Middle
                        : turn == 0      ? First
                        : turn == rounds ? Last
                                         : Middle;
          unsigned own = turn - isLate(number);
          Operation *op = scheduler.getOp(number);
          int64_t numBegun = begun.size();
          if (isa<DotIssueOp>(op))
            begun.insert({{number, own}, numBegun});
          if (!isa<TakeOp, RetireOp>(op))
            continue;
          Wait &wait = waits[place][number];
          int64_t last = -1;
          for (unsigned product : scheduler.endedBy(number))
            if (auto it = begun.find({product, own}); it != begun.end())
              last = std::max(last, it->second);
          int64_t behind = numBegun - 1 - last;
          if (isCounting) {
            wait.behind = std::min(wait.behind.value_or(behind), behind);
            continue;
          }
          wait.isNeeded |= last >= numDone;
          numDone = std::max(numDone, numBegun - *wait.behind);
        }
    }
  for (unsigned place = 0; place < NumPlaces; ++place)
    for (auto [number, op] : made[place]) {
      auto it = waits[place].find(number);
      if (it == waits[place].end())
        continue;
      if (auto take = dyn_cast<TakeOp>(op)) {
        take.setBehind(*it->second.behind);
      } else if (auto retire = cast<RetireOp>(op); it->second.isNeeded) {
        retire.setBehind(*it->second.behind);
      } else {
        retire.getDone().replaceAllUsesWith(retire.getGroup());
        retire.erase();
      }
    }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static bool hasRounds(scf::ForOp loop) {
  APInt lower, upper;
  return matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) &&
         matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) &&
         lower.slt(upper);
}

void Expansion::run() {
  if (schedule.late.none()) {
    reorder();
    countWaits();
    return;
  }
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  SmallVector<Value> results;
  if (hasRounds(loop)) {
    results = expand(b);
  } else {
    Value isAny =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                              loop.getLowerBound(), loop.getUpperBound());
    auto branch = scf::IfOp::create(b, loop.getResultTypes(), isAny,
                                    /*withElseRegion=*/true);
    // Without results it has its ends already.
    auto yield = [&](ValueRange values) {
      if (!values.empty())
        scf::YieldOp::create(b, values);
    };
    b.setInsertionPointToStart(branch.elseBlock());
    yield(loop.getInitArgs());
    b.setInsertionPointToStart(branch.thenBlock());
    yield(expand(b));
    results.assign(branch.getResults().begin(), branch.getResults().end());
  }
  countWaits();
  loop.replaceAllUsesWith(results);
  loop.erase();
}

/// How many blocks share a processor.
static int64_t residentsOf(RoleOp role) {
  auto given = role->getParentOfType<KernelOp>()->getAttrOfType<IntegerAttr>(
      "tile.residents");
  return given ? given.getInt() : 1;
}

/// The registers that a thread of a role may have.
static int64_t registersFor(RoleOp role) {
  constexpr int64_t most = 255, perProcessor = 65536, lanes = 32;
  if (auto given = role.getRegisters())
    return *given;
  int64_t warps = 0;
  for (RoleOp other : role->getParentOfType<RolesOp>().getOps<RoleOp>())
    warps += other.getAllWarps();
  return std::min(most,
                  perProcessor / (warps * lanes * residentsOf(role)) / 8 * 8);
}

static const LoopSchedule *choose(ArrayRef<LoopSchedule> candidates,
                                  int64_t registers) {
  const LoopSchedule *best = nullptr;
  auto fits = [&](const LoopSchedule &schedule) {
    return schedule.registers <= registers;
  };
  for (const LoopSchedule &schedule : candidates) {
    if (!best) {
      best = &schedule;
      continue;
    }
    // What does not fit is at least as small as possible.
    bool isBetter = !fits(*best) ? schedule.registers < best->registers
                    : !fits(schedule)
                        ? false
                        : schedule.period < best->period - 1 ||
                              (schedule.period <= best->period + 1 &&
                               schedule.registers < best->registers);
    if (isBetter)
      best = &schedule;
  }
  return best;
}

/// Whether a loop in it has rounds of its own, whose order with what is around
/// it nothing in the loop's own round tells.
static bool hasLoopOfRounds(scf::ForOp loop) {
  return loop.getBody()
      ->walk([&](Operation *op) {
        bool isOfInner = isa<WaitOp, DotIssueOp>(op) &&
                         op->getParentOfType<scf::ForOp>() != loop;
        return isOfInner ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the engine stores in it. What is late stands in two places, and each
/// would have rooms of its own, which nobody has counted.
static bool storesByEngine(scf::ForOp loop) {
  return llvm::any_of(loop.getOps<StoreOp>(), [](StoreOp store) {
    return store.getStaged().has_value();
  });
}

/// A product that reads from registers what stays the same in all rounds; null
/// if there is none.
static DotIssueOp findHeldFactor(scf::ForOp loop) {
  for (auto issue : loop.getOps<DotIssueOp>())
    if (layoutOf(issue.getLhs().getType()) &&
        loop.isDefinedOutsideOfLoop(issue.getLhs()))
      return issue;
  return {};
}

static void explain(scf::ForOp loop, const LoopScheduler &scheduler,
                    const LoopSchedule &schedule, bool isChosen) {
  std::string late;
  for (unsigned number : schedule.order) {
    Operation *op = scheduler.getOp(number);
    if (schedule.late.test(number) && isa<DotIssueOp, TakeOp, RetireOp>(op))
      late += (" " + op->getName().stripDialect() + "#" + Twine(number)).str();
  }
  loop->emitRemark(isChosen ? "chosen: " : "candidate: ")
      << "late [" << late << " ], " << static_cast<int64_t>(schedule.period)
      << " cycles a round, about " << schedule.registers << " registers";
}

namespace {

struct ScheduleLoopsPass final
    : fuse::impl::ScheduleLoopsBase<ScheduleLoopsPass> {
  using ScheduleLoopsBase::ScheduleLoopsBase;

  void runOnOperation() final {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](RoleOp role) {
      role.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    });
    for (scf::ForOp loop : loops) {
      LoopScheduler scheduler(loop);
      if (!scheduler.hasProducts() || hasLoopOfRounds(loop))
        continue;
      auto role = loop->getParentOfType<RoleOp>();
      SmallVector<LoopSchedule> candidates = scheduler.candidates();
      if (storesByEngine(loop))
        llvm::erase_if(candidates, [](const LoopSchedule &schedule) {
          return schedule.late.any();
        });
      int64_t registers = registersFor(role);
      const LoopSchedule *best = choose(candidates, registers);
      if (!best)
        continue;
      // Where registers do not suffice ptxas moves such a factor while a
      // product reads it, and says nothing. Whoever holds it counts them; this
      // makes sure of it.
      if (DotIssueOp held = findHeldFactor(loop);
          held && best->registers > registers) {
        // Whoever chose the schedule may choose another one.
        getOperation()->setAttr("tile.lacks_registers",
                                UnitAttr::get(&getContext()));
        held.emitOpError("holds its left factor in registers, of which a "
                         "thread needs about ")
            << best->registers << " in this loop and has " << registers
            << "; smaller tiles need fewer";
        return signalPassFailure();
      }
      if (shouldExplain)
        for (const LoopSchedule &schedule : candidates)
          explain(loop, scheduler, schedule, &schedule == best);
      constexpr int64_t groupWarps = 4;
      bool isAlone = role.getAllWarps() * residentsOf(role) <= groupWarps;
      Expansion(loop, scheduler, *best, isAlone).run();
    }
  }
};

} // namespace
