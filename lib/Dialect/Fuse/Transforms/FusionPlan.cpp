//===- FusionPlan.cpp - which values of a graph are stored ----------------===//
//
// The search: a beam over sets of cuts, from both ends, and then the merging of
// kernels that have an index space in common.
//
//===----------------------------------------------------------------------===//

#include "FusionPlan.h"
#include "FusionRules.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;

/// How many plans the search keeps, and what a step has to gain. What storing
/// gains has to be beyond what the cost model cannot tell.
static constexpr size_t kBeam = 3;
static constexpr double kLeastGain = 0.005, kLeastGainOfStoring = 0.05;
/// Of two plans that cost the same, the one that stores less is better.
static constexpr double kStoredValue = 0.005;

/// A graph so large that more kernels than these are costed is searched no
/// further.
static constexpr size_t kMostKernels = 1000;
/// Of a graph with more candidates the kernels are costed quickly.
static constexpr size_t kLargeGraph = 64;

static constexpr double kNever = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

bool FusionPlanner::isGraphValue(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && numbers.contains(value);
}

FusionPlanner::FusionPlanner(func::FuncOp function, const Machine &machine)
    : function(function), machine(machine), sizes(function) {
  for (Operation &op : function.getBody().front()) {
    bool isPlain = isReducing(&op) || isView(&op) || isPointwise(&op) ||
                   isa<ConcatOp, GatherOp>(op);
    // Nobody has to compute a constant.
    isPlain &= !isa<arith::ConstantOp>(op);
    if (isPlain && op.getNumResults() == 1 &&
        isa<RankedTensorType>(op.getResult(0).getType()))
      numbers[op.getResult(0)] = numbers.size();
  }
  findRequired();
  findCandidates();
}

void FusionPlanner::findRequired() {
  for (Operation &op : function.getBody().front()) {
    bool isPlain = op.getNumResults() == 1 && numbers.contains(op.getResult(0));
    // Of a size nobody needs the elements.
    if (isPlain || isa<tensor::DimOp>(op))
      continue;
    for (Value operand : op.getOperands())
      if (isGraphValue(operand) && !llvm::is_contained(required, operand))
        required.push_back(operand);
  }
}

/// Where a cut can pay: behind a reduction and its epilogue, and at values that
/// several ops use.
void FusionPlanner::findCandidates() {
  auto usersOf = [](Value value) {
    llvm::SetVector<Operation *> users;
    for (Operation *user : value.getUsers())
      if (!isa<tensor::DimOp>(user))
        users.insert(user);
    return users;
  };
  for (Operation &op : function.getBody().front()) {
    if (op.getNumResults() != 1 || !numbers.contains(op.getResult(0)))
      continue;
    Value value = op.getResult(0);
    bool isHeavy = isReducing(&op) || isa<ConcatOp>(op);
    // Another look-up costs what the first one did.
    bool isShared = (isa<GatherOp>(op) || (isPointwise(&op) && !isView(&op))) &&
                    usersOf(value).size() > 1;
    if (!isHeavy && !isShared)
      continue;
    while (!llvm::is_contained(required, value)) {
      auto users = usersOf(value);
      if (users.size() != 1 || !isPointwise(users.front()) ||
          isView(users.front()) || users.front()->getNumResults() != 1 ||
          cast<ShapedType>(users.front()->getResult(0).getType()).getShape() !=
              cast<ShapedType>(value.getType()).getShape())
        break;
      value = users.front()->getResult(0);
    }
    auto type = cast<RankedTensorType>(value.getType());
    bool isSingle = type.hasStaticShape() && type.getNumElements() <= 1;
    if (!isSingle && !llvm::is_contained(required, value) &&
        !llvm::is_contained(candidates, value))
      candidates.push_back(value);
  }
}

llvm::SetVector<Value>
FusionPlanner::leavesOf(ArrayRef<Value> roots,
                        const llvm::DenseSet<Value> &stored) const {
  llvm::SetVector<Value> leaves;
  llvm::DenseSet<Value> seen;
  auto visit = [&](auto &self, Value value) -> void {
    if (!isa<RankedTensorType>(value.getType()) || !seen.insert(value).second)
      return;
    bool isInside = isGraphValue(value) && (!stored.contains(value) ||
                                            llvm::is_contained(roots, value));
    // One number for all elements is in the code, other constants are data.
    if (auto constant = value.getDefiningOp<arith::ConstantOp>())
      isInside = isa<SplatElementsAttr>(constant.getValue());
    if (!isInside) {
      leaves.insert(value);
      return;
    }
    for (Value operand : value.getDefiningOp()->getOperands())
      self(self, operand);
  };
  for (Value root : roots)
    visit(visit, root);
  return leaves;
}

llvm::SetVector<Value> FusionPlanner::leavesOf(ArrayRef<Value> roots) {
  return leavesOf(roots, stored);
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

const ScheduledKernel &
FusionPlanner::costOf(ArrayRef<Value> roots,
                      const llvm::DenseSet<Value> &stored) {
  Key key;
  for (Value root : roots)
    key.push_back(numbers.lookup(root));
  llvm::sort(key);
  key.push_back(~0u);
  llvm::DenseSet<Value> leaves;
  SmallVector<unsigned> leafNumbers;
  for (Value leaf : leavesOf(roots, stored)) {
    leaves.insert(leaf);
    // Arguments are leaves of whatever uses them.
    if (isGraphValue(leaf))
      leafNumbers.push_back(numbers.lookup(leaf));
  }
  llvm::sort(leafNumbers);
  llvm::append_range(key, leafNumbers);
  auto [entry, isNew] = known.try_emplace(key);
  if (!isNew)
    return entry->second;
  KernelElements elements(sizes, roots, leaves);
  ScheduledKernel found =
      findSchedule(elements, roots, machine,
                   isLarge() ? SearchEffort::Quick : SearchEffort::Thorough);
  return entry->second = std::move(found);
}

ScheduledKernel FusionPlanner::scheduleOf(const KernelRoots &roots) {
  if (!isLarge())
    return costOf(roots, stored);
  llvm::SetVector<Value> leaves = leavesOf(roots);
  KernelElements elements(sizes, roots, {leaves.begin(), leaves.end()});
  return findSchedule(elements, roots, machine, SearchEffort::Thorough);
}

FusionPlanner::Groups FusionPlanner::groupsOf(const Cuts &cuts) const {
  Groups groups;
  for (Value value : required)
    groups.push_back({value});
  for (auto [value, isCut] : llvm::zip(candidates, cuts))
    if (isCut)
      groups.push_back({value});
  return groups;
}

double FusionPlanner::secondsOf(const Groups &groups) {
  llvm::DenseSet<Value> stored;
  for (const KernelRoots &roots : groups)
    stored.insert(roots.begin(), roots.end());
  double seconds = 0;
  for (const KernelRoots &roots : groups) {
    const ScheduledKernel &kernel = costOf(roots, stored);
    seconds += kernel.exists() ? kernel.cost.seconds : kNever;
  }
  return seconds;
}

double FusionPlanner::secondsOf(const Cuts &cuts) {
  auto [entry, isNew] = knownPlans.try_emplace(cuts, 0);
  if (isNew)
    entry->second = secondsOf(groupsOf(cuts));
  return entry->second;
}

bool FusionPlanner::isLarge() const { return candidates.size() > kLargeGraph; }

double FusionPlanner::unfusedSeconds() {
  return secondsOf(Cuts(candidates.size(), true));
}

double FusionPlanner::secondsWithout(Value cut) {
  if (isRequired(cut))
    return kNever;
  Groups others;
  for (const KernelRoots &roots : groups) {
    KernelRoots kept;
    for (Value root : roots)
      if (root != cut)
        kept.push_back(root);
    if (!kept.empty())
      others.push_back(std::move(kept));
  }
  return secondsOf(others);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

static std::string describe(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value.getDefiningOp()->getName() << " : " << value.getType();
  return text;
}

LogicalResult FusionPlanner::plan() {
  struct State {
    Cuts cuts;
    double seconds;
    bool isExpanded = false;
    SmallVector<FusionStep> steps;

    double rank() const {
      return seconds * (1 + kStoredValue * llvm::count(cuts, true));
    }
  };
  // `state` with one value stored or not, the other way round; nothing if that
  // is known already or gains too little.
  auto flipped = [&](const State &state, size_t i) -> std::optional<State> {
    State other = state;
    other.isExpanded = false;
    other.cuts[i] = !other.cuts[i];
    if (knownPlans.count(other.cuts) != 0)
      return std::nullopt;
    other.seconds = secondsOf(other.cuts);
    double least = other.cuts[i] ? kLeastGainOfStoring : 0;
    bool gains = other.rank() < state.rank() * (1 - least) ||
                 (state.seconds == kNever && other.seconds != kNever);
    if (!gains)
      return std::nullopt;
    other.steps.push_back(
        {(other.cuts[i] ? "store " : "fuse ") + describe(candidates[i]),
         state.seconds, other.seconds});
    return other;
  };
  auto mayGoOn = [&] { return known.size() <= kMostKernels; };

  // In a large graph every step that gains is taken as it is found; a beam
  // would look at all of them for each.
  std::vector<State> beam;
  for (bool isCut : {false, true}) {
    Cuts cuts(candidates.size(), isCut);
    State state{cuts, secondsOf(cuts), false, {}};
    bool hasMoved = isLarge() && state.seconds != kNever;
    while (hasMoved) {
      hasMoved = false;
      for (size_t i = 0; i < candidates.size() && mayGoOn(); ++i)
        if (std::optional<State> other = flipped(state, i)) {
          state = std::move(*other);
          hasMoved = true;
        }
    }
    beam.push_back(std::move(state));
    if (candidates.empty())
      break;
  }
  // Then the best of several plans are followed one step at a time.
  auto isBetter = [](const State &a, const State &b) {
    return std::pair(a.rank(), a.cuts) < std::pair(b.rank(), b.cuts);
  };
  while (true) {
    llvm::sort(beam, isBetter);
    std::vector<State> next;
    for (State &state : beam) {
      // From no plan at all the way is long; from the other end there is one.
      bool isHopeless =
          state.seconds == kNever && beam.front().seconds != kNever;
      if (state.isExpanded || isHopeless)
        continue;
      state.isExpanded = true;
      for (size_t i = 0; i < candidates.size() && mayGoOn(); ++i)
        if (std::optional<State> other = flipped(state, i))
          next.push_back(std::move(*other));
    }
    if (next.empty())
      break;
    for (State &state : next)
      beam.push_back(std::move(state));
    llvm::sort(beam, isBetter);
    if (beam.size() > kBeam)
      beam.resize(kBeam);
  }
  State &best = beam.front();
  groups = groupsOf(best.cuts);
  total = best.seconds;
  log = best.steps;
  for (const KernelRoots &roots : groups)
    stored.insert(roots.begin(), roots.end());
  if (total == kNever) {
    for (const KernelRoots &roots : groups) {
      ScheduledKernel kernel = scheduleOf(roots);
      if (!kernel.exists())
        return roots.front().getDefiningOp()->emitOpError(
                   "cannot be part of a kernel: ")
               << kernel.whyNot;
    }
  }
  mergeGroups();
  sortGroups();
  return success();
}

/// A kernel may not wait for a value that itself waits for the kernel. One root
/// alone cannot close such a cycle, as everything between is computed anew.
bool FusionPlanner::isAcyclic(const Groups &groups) {
  llvm::DenseMap<Value, size_t> groupOf;
  for (auto [i, roots] : llvm::enumerate(groups))
    for (Value root : roots)
      groupOf[root] = i;
  llvm::DenseSet<Value> all;
  for (const auto &entry : groupOf)
    all.insert(entry.first);
  std::vector<llvm::SetVector<size_t>> needs(groups.size());
  // Ops that are none of the graph's, such as kernels that were there before,
  // wait for what they read.
  auto needOf = [&](auto &self, Value value,
                    llvm::SetVector<size_t> &need) -> void {
    if (auto group = groupOf.find(value); group != groupOf.end()) {
      need.insert(group->second);
      return;
    }
    if (Operation *op = value.getDefiningOp())
      for (Value operand : op->getOperands())
        self(self, operand, need);
  };
  for (auto [i, roots] : llvm::enumerate(groups))
    for (Value leaf : leavesOf(roots, all))
      needOf(needOf, leaf, needs[i]);
  std::vector<bool> isDone(groups.size(), false);
  for (size_t numDone = 0; numDone < groups.size();) {
    size_t before = numDone;
    for (size_t i = 0; i < groups.size(); ++i) {
      if (isDone[i] ||
          !llvm::all_of(needs[i], [&](size_t need) { return isDone[need]; }))
        continue;
      isDone[i] = true;
      ++numDone;
    }
    if (numDone == before)
      return false;
  }
  return true;
}

/// Puts kernels together whose results have their leading sizes in common, as
/// long as that pays: what they both read, or both compute, is there once.
void FusionPlanner::mergeGroups() {
  auto shapeOf = [&](const KernelRoots &roots) {
    SmallVector<Size> longest;
    for (Value root : roots)
      if (SmallVector<Size> shape = sizes.sizesOf(root);
          shape.size() > longest.size())
        longest = shape;
    return longest;
  };
  bool isMerged = true;
  while (isMerged) {
    isMerged = false;
    for (size_t i = 0; i < groups.size() && !isMerged; ++i)
      for (size_t j = i + 1; j < groups.size() && !isMerged; ++j) {
        SmallVector<Size> a = shapeOf(groups[i]), b = shapeOf(groups[j]);
        if (a.size() > b.size())
          std::swap(a, b);
        if (a.empty() || ArrayRef(b).take_front(a.size()) != ArrayRef(a))
          continue;
        Groups merged = groups;
        llvm::append_range(merged[i], merged[j]);
        merged.erase(merged.begin() + j);
        if (!isAcyclic(merged))
          continue;
        double seconds = secondsOf(merged);
        if (seconds >= total * (1 - kLeastGain))
          continue;
        log.push_back({"one kernel for " + describe(groups[i].front()) +
                           " and " + describe(groups[j].front()),
                       total, seconds});
        groups = std::move(merged);
        total = seconds;
        isMerged = true;
      }
  }
}

/// Producers first; apart from that the order of the program.
void FusionPlanner::sortGroups() {
  Groups sorted;
  llvm::DenseSet<Value> done;
  Groups left = groups;
  llvm::sort(left, [&](const KernelRoots &a, const KernelRoots &b) {
    auto lastOf = [&](const KernelRoots &roots) {
      unsigned last = 0;
      for (Value root : roots)
        last = std::max(last, numbers.lookup(root));
      return last;
    };
    return lastOf(a) < lastOf(b);
  });
  while (!left.empty()) {
    auto ready = llvm::find_if(left, [&](const KernelRoots &roots) {
      return llvm::all_of(leavesOf(roots), [&](Value leaf) {
        return !stored.contains(leaf) || done.contains(leaf);
      });
    });
    sorted.push_back(*ready);
    done.insert(ready->begin(), ready->end());
    left.erase(ready);
  }
  groups = std::move(sorted);
}
