//===- LoopSchedule.cpp - in which order a loop does its work -------------===//
//
// What has to stay in order, which ops may come late, and the order that a list
// scheduler makes of the rest.
//
//===----------------------------------------------------------------------===//

#include "LoopSchedule.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

LoopScheduler::LoopScheduler(scf::ForOp loop) : loop(loop) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    numbers[&op] = ops.size();
    if (isa<DotIssueOp, TakeOp, RetireOp>(op))
      products.push_back(ops.size());
    ops.push_back(&op);
  }
  // A product without an end of its own ends with one that came later.
  std::optional<unsigned> later;
  for (unsigned number : llvm::reverse(products)) {
    auto issue = dyn_cast<DotIssueOp>(ops[number]);
    if (!issue)
      continue;
    for (Operation *user : issue->getUsers())
      if (isa<TakeOp, RetireOp>(user) && numberOf(user))
        later = numberOf(user);
    if (later)
      ends[number] = *later;
  }
  addValueEdges();
  addSlotEdges();
  addBorrowEdges();
  addOrderEdges();
}

std::optional<unsigned> LoopScheduler::numberOf(Operation *op) const {
  if (op)
    op = loop.getBody()->findAncestorOpInBlock(*op);
  auto it = op ? numbers.find(op) : numbers.end();
  return it == numbers.end() ? std::nullopt
                             : std::optional<unsigned>(it->second);
}

SmallVector<unsigned> LoopScheduler::endedBy(unsigned number) const {
  SmallVector<unsigned> ended;
  for (auto [product, end] : ends)
    if (end == number)
      ended.push_back(product);
  return ended;
}

void LoopScheduler::addEdge(Operation *from, Operation *to, unsigned distance) {
  std::optional<unsigned> first = numberOf(from), second = numberOf(to);
  if (first && second && (*first != *second || distance != 0))
    edges.push_back({*first, *second, distance});
}

void LoopScheduler::addValueEdges() {
  Operation *yield = loop.getBody()->getTerminator();
  for (Operation *op : ops)
    for (Value result : op->getResults())
      for (OpOperand &use : result.getUses()) {
        if (use.getOwner() != yield) {
          addEdge(op, use.getOwner(), 0);
          continue;
        }
        Value next = loop.getRegionIterArg(use.getOperandNumber());
        for (Operation *user : next.getUsers())
          addEdge(op, user, 1);
      }
}

/// A slot is released when threads have read it and products that do have
/// ended.
void LoopScheduler::addSlotEdges() {
  for (auto release : loop.getBody()->getOps<ReleaseOp>())
    for (auto wait : loop.getBody()->getOps<WaitOp>()) {
      if (wait.getRing() != release.getRing())
        continue;
      addEdge(wait, release, 0);
      for (Operation *user : wait->getUsers()) {
        std::optional<unsigned> number = numberOf(user);
        auto end = number ? ends.find(*number) : ends.end();
        addEdge(end == ends.end() ? user : ops[end->second], release, 0);
      }
    }
}

/// Registers that a product reads, or begins its sum with, are computed anew
/// when it has ended: what one round computes and the next one's product reads
/// is in one place.
void LoopScheduler::addBorrowEdges() {
  for (auto [product, end] : ends)
    for (Value operand : ops[product]->getOperands()) {
      if (!layoutOf(operand.getType()))
        continue;
      // Other names for the same registers.
      Operation *made = operand.getDefiningOp();
      while (isa_and_nonnull<ConvertLayoutOp, BroadcastOp, TransposeOp>(made) &&
             numberOf(made)) {
        addEdge(ops[end], made, 1);
        made = made->getOperand(0).getDefiningOp();
      }
      if (made)
        addEdge(ops[end], made, 1);
    }
}

/// Products keep their order, since they end in it, and so do other effects.
void LoopScheduler::addOrderEdges() {
  Operation *issue = nullptr, *effect = nullptr, *first = nullptr;
  for (Operation *op : ops) {
    if (isa<DotIssueOp>(op)) {
      if (issue)
        addEdge(issue, op, 0);
      issue = op;
    } else if (!isa<TakeOp, RetireOp, WaitOp, ReleaseOp>(op) &&
               !isMemoryEffectFree(op)) {
      if (effect)
        addEdge(effect, op, 0);
      else
        first = op;
      effect = op;
    }
  }
  if (first)
    addEdge(effect, first, 1);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static bool isSharedTile(Type type) { return bool(sharedLayoutOf(type)); }

/// What costs nothing to do later, and only late ops need.
bool LoopScheduler::isSinkable(unsigned number,
                               const llvm::BitVector &late) const {
  Operation *op = ops[number];
  auto isScalar = [](Type type) { return type.isIntOrIndex(); };
  if (op->use_empty() || late.test(number) ||
      !(isa<WaitOp>(op) || llvm::all_of(op->getResultTypes(), isScalar)))
    return false;
  for (const Edge &edge : edges)
    if (edge.from == number && (edge.distance != 0 || !late.test(edge.to)))
      return false;
  return llvm::none_of(op->getUsers(), [&](Operation *user) {
    return user == loop.getBody()->getTerminator();
  });
}

/// Adds to `late` what follows from it. False if that is everything.
bool LoopScheduler::close(llvm::BitVector &late) const {
  for (bool isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const Edge &edge : edges)
      if (edge.distance == 0 && late.test(edge.from) && !late.test(edge.to)) {
        late.set(edge.to);
        isGrowing = true;
      }
  }
  for (unsigned number = ops.size(); number-- > 0;)
    if (isSinkable(number, late))
      late.set(number);
  return !late.all();
}

bool LoopScheduler::isLegal(const llvm::BitVector &late) const {
  // A sum of its own that is in flight from round to round would be copied
  // while it is written.
  for (auto [product, end] : ends)
    if (isa<TakeOp>(ops[end]) && late.test(product) != late.test(end) &&
        cast<TakeOp>(ops[end]).getPending() == ops[product]->getResult(0))
      return false;
  for (auto [number, op] : llvm::enumerate(ops)) {
    if (!late.test(number))
      continue;
    // Tiles in shared memory are not carried, they are waited for again.
    for (Value operand : op->getOperands())
      if (isSharedTile(operand.getType()))
        if (std::optional<unsigned> made = numberOf(operand.getDefiningOp());
            made && !late.test(*made))
          return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Arranging
//===----------------------------------------------------------------------===//

int64_t fuse::tile::registersOf(Type type) {
  if (auto pending = dyn_cast<PendingType>(type))
    type = pending.getTile();
  LayoutAttr layout = layoutOf(type);
  if (!layout)
    return 0;
  int64_t bits = cast<RankedTensorType>(type).getElementType().isIndex()
                     ? 64
                     : cast<RankedTensorType>(type).getElementTypeBitWidth();
  // Conditions are in registers of their own kind.
  return bits == 1 ? 0 : layout.getValue().numRegisters() * bits / 32;
}

/// Broadcasts are other names.
static int64_t registersMade(Operation *op, Value result) {
  return isa<BroadcastOp>(op) ? registersOf(op->getOperand(0).getType())
                              : registersOf(result.getType());
}

/// How long the tensor cores take for a product of one group of four warps:
/// each instruction of 32 bytes of k takes half a cycle a column.
static double latencyOf(DotIssueOp issue) {
  RankedTensorType sum = issue.getSumType();
  auto factor = cast<RankedTensorType>(issue.getLhs().getType());
  double depth = factor.getDimSize(factor.getRank() - 1) *
                 factor.getElementTypeBitWidth() / 256.0;
  double sums = static_cast<double>(sum.getNumElements());
  return depth * sums / 16 / layoutOf(sum).getValue().numWarps() / 2;
}

/// The longest ways from ops to the end, if there is an order in which each
/// comes before those `behind` it. `missing` counts those in front of each.
static std::optional<SmallVector<double>>
heightsOf(ArrayRef<Operation *> ops, ArrayRef<SmallVector<unsigned>> behind,
          SmallVector<unsigned> missing) {
  SmallVector<unsigned> possible;
  for (unsigned number = 0; number < ops.size(); ++number)
    if (missing[number] == 0)
      possible.push_back(number);
  for (unsigned i = 0; i < possible.size(); ++i)
    for (unsigned next : behind[possible[i]])
      if (--missing[next] == 0)
        possible.push_back(next);
  if (possible.size() != ops.size())
    return std::nullopt;
  SmallVector<double> heights(ops.size());
  for (unsigned number : llvm::reverse(possible)) {
    for (unsigned next : behind[number])
      heights[number] = std::max(heights[number], heights[next]);
    auto issue = dyn_cast<DotIssueOp>(ops[number]);
    heights[number] += issue ? latencyOf(issue) : cyclesOf(ops[number]);
  }
  return heights;
}

/// Warps issue in order: what feeds the tensor cores, or lets others do so,
/// goes first, then what can be done at once, and last what waits, for the
/// product that ends first.
bool LoopScheduler::arrange(LoopSchedule &schedule, bool isThrifty) const {
  SmallVector<SmallVector<unsigned>> behind(ops.size());
  SmallVector<unsigned> missing(ops.size());
  for (const Edge &edge : edges)
    if (schedule.late.test(edge.from) ==
        schedule.late.test(edge.to) + edge.distance) {
      behind[edge.from].push_back(edge.to);
      ++missing[edge.to];
    }
  std::optional<SmallVector<double>> heights = heightsOf(ops, behind, missing);
  if (!heights)
    return false;

  double now = 0, busyUntil = 0;
  DenseMap<unsigned, double> endOf;
  llvm::BitVector done(ops.size());
  auto freed = [&](unsigned number) {
    int64_t registers = 0;
    for (Value operand : ops[number]->getOperands()) {
      std::optional<unsigned> made = numberOf(operand.getDefiningOp());
      if (made && llvm::all_of(operand.getUsers(), [&](Operation *user) {
            std::optional<unsigned> other = numberOf(user);
            return other && (*other == number || done.test(*other));
          }))
        registers += registersOf(operand.getType());
    }
    for (Value result : ops[number]->getResults())
      registers -= registersMade(ops[number], result);
    return registers;
  };
  auto rankOf = [&](unsigned number) {
    Operation *op = ops[number];
    if (isa<DotIssueOp, WaitOp, ReleaseOp>(op))
      return std::tuple(2, 0.0, (*heights)[number]);
    if (!isa<TakeOp, RetireOp>(op))
      return std::tuple(1, isThrifty ? double(freed(number)) : 0.0,
                        (*heights)[number]);
    double end = 0;
    for (unsigned product : endedBy(number))
      end = std::max(end, endOf.lookup(product));
    return std::tuple(0, 0.0, -end);
  };
  while (schedule.order.size() < ops.size()) {
    std::optional<unsigned> best;
    for (unsigned number = 0; number < ops.size(); ++number)
      if (!done.test(number) && missing[number] == 0 &&
          (!best || rankOf(number) > rankOf(*best)))
        best = number;
    if (auto issue = dyn_cast<DotIssueOp>(ops[*best])) {
      busyUntil = std::max(now, busyUntil) + latencyOf(issue);
      endOf[*best] = busyUntil;
    }
    done.set(*best);
    schedule.order.push_back(*best);
    for (unsigned next : behind[*best])
      --missing[next];
  }
  return true;
}

SmallVector<LoopSchedule> LoopScheduler::candidates() const {
  SmallVector<LoopSchedule> found;
  // With more than these, nothing is done late.
  constexpr unsigned mostProducts = 10;
  unsigned numSets = products.size() > mostProducts ? 1 : 1u << products.size();
  SmallVector<llvm::BitVector> seen;
  for (unsigned set = 0; set < numSets; ++set) {
    llvm::BitVector late(ops.size());
    for (auto [bit, number] : llvm::enumerate(products))
      if (set >> bit & 1)
        late.set(number);
    if (!close(late) || llvm::is_contained(seen, late) || !isLegal(late))
      continue;
    seen.push_back(late);
    for (bool isThrifty : {false, true}) {
      LoopSchedule schedule;
      schedule.late = late;
      if (!arrange(schedule, isThrifty))
        continue;
      runModel(schedule);
      countRegisters(schedule);
      found.push_back(std::move(schedule));
    }
  }
  return found;
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

double fuse::tile::cyclesOf(Operation *op) {
  if (isa<scf::IfOp, WaitOp, ReleaseOp, DotIssueOp, TakeOp, RetireOp, IotaOp,
          BroadcastOp, TransposeOp>(op))
    return 0;
  int64_t registers = 0;
  for (Type type : op->getOperandTypes())
    registers = std::max(registers, registersOf(type));
  for (Type type : op->getResultTypes())
    registers = std::max(registers, registersOf(type));
  if (isa<ConvertLayoutOp>(op))
    return 0;
  // A quarter of the lanes compute functions in a cycle, and those that are no
  // instruction are some twenty others.
  if (op->getDialect() && op->getDialect()->getNamespace() == "math") {
    auto math = dyn_cast<arith::ArithFastMathInterface>(op);
    bool isFast =
        math && bitEnumContainsAll(math.getFastMathFlagsAttr().getValue(),
                                   arith::FastMathFlags::afn);
    return (isFast ? 8 : 24) * registers;
  }
  return registers;
}

/// Some rounds; the length of the last is that of all.
void LoopScheduler::runModel(LoopSchedule &schedule) const {
  // From the last product to when a warp that waits goes on.
  constexpr double drain = 60, issuing = 4;
  constexpr unsigned rounds = 10;
  double now = 0, busyUntil = 0, before = 0;
  SmallVector<DenseMap<unsigned, double>> endOf(rounds);
  for (unsigned round = 0; round < rounds; ++round) {
    before = now;
    for (unsigned number : schedule.order) {
      bool isLate = schedule.late.test(number);
      if (isLate && round == 0)
        continue;
      unsigned own = round - isLate;
      if (auto issue = dyn_cast<DotIssueOp>(ops[number])) {
        busyUntil = std::max(busyUntil, now) + latencyOf(issue);
        endOf[own][number] = busyUntil + drain;
        now += issuing;
      } else if (isa<TakeOp, RetireOp>(ops[number])) {
        for (unsigned product : endedBy(number))
          now = std::max(now, endOf[own].lookup(product));
      } else {
        now += cyclesOf(ops[number]);
      }
    }
  }
  schedule.period = now - before;
}

/// The most that is alive at once, and what addresses and counters take.
void LoopScheduler::countRegisters(LoopSchedule &schedule) const {
  constexpr int64_t others = 26;
  unsigned size = ops.size();
  SmallVector<unsigned> positions(size);
  for (auto [position, number] : llvm::enumerate(schedule.order))
    positions[number] = position;
  SmallVector<int64_t> alive(size + 1);
  auto add = [&](unsigned from, unsigned to, int64_t registers) {
    for (unsigned i = from; i <= to; ++i)
      alive[i] += registers;
  };
  SetVector<Value> outside;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (loop.isDefinedOutsideOfLoop(operand) && operand.getDefiningOp() &&
          !operand.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
        outside.insert(operand);
  for (Value value : outside)
    add(0, size, registersMade(value.getDefiningOp(), value));
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [number, op] : llvm::enumerate(ops))
    for (Value result : op->getResults()) {
      int64_t registers = registersMade(op, result);
      unsigned until = positions[number];
      std::optional<unsigned> wrapped;
      auto addUse = [&](Operation *user, unsigned distance) {
        std::optional<unsigned> other = numberOf(user);
        if (!other)
          return;
        if (schedule.late.test(number) ==
            schedule.late.test(*other) + distance) {
          until = std::max(until, positions[*other]);
        } else {
          until = size;
          wrapped = std::max(wrapped.value_or(0), positions[*other]);
        }
      };
      for (OpOperand &use : result.getUses()) {
        if (use.getOwner() != yield) {
          addUse(use.getOwner(), 0);
          continue;
        }
        until = size;
        for (Operation *user :
             loop.getRegionIterArg(use.getOperandNumber()).getUsers())
          addUse(user, 1);
      }
      // A result may take the registers of an operand.
      add(positions[number] + 1, until, registers);
      if (wrapped)
        add(0, *wrapped, registers);
    }
  schedule.registers = *llvm::max_element(alive) + others;
}
