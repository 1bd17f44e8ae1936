//===- FusionPlan.cpp - which values of a graph are stored ----------------===//
//
// The search: in each stretch of the graph a beam over sets of cuts, from both
// ends; then the seams between them, and the merging of kernels that have an
// index space in common.
//
//===----------------------------------------------------------------------===//

#include "FusionPlan.h"
#include <set>

using namespace mlir;
using namespace fuse;

/// How many plans the search keeps, and what a step has to gain. What storing
/// gains has to be beyond what the cost model cannot tell.
static constexpr size_t kBeam = 3;
static constexpr double kLeastGain = 0.005, kLeastGainOfStoring = 0.05;
/// Of two plans that cost the same, the one that stores less is better.
static constexpr double kStoredValue = 0.005;

/// A plan that is so many times as slow as the best one is not followed. It is
/// the best one's opposite end, whose kernels are the largest, or the most, and
/// take most of the time to cost: T1 was planned in 1.7 s with both ends, and
/// is in 0.6 with one.
static constexpr double kHopeless = 1.5;

/// A stretch so long that more kernels than these are costed is searched no
/// further.
static constexpr size_t kMostKernels = 1000;
/// How many candidates a stretch has, as far as seams allow.
static constexpr size_t kLongestStretch = 16;
/// Of a stretch with more candidates the kernels are costed quickly.
static constexpr size_t kLargeStretch = 64;
/// A kernel takes in so many stretches one by one.
static constexpr size_t kMostAtOnce = 8;
/// Of more kernels only those pairs are costed that may well gain what a merge
/// has to: two become one that takes no less than either.
static constexpr size_t kManyKernels = 64;

static constexpr double kNever = std::numeric_limits<double>::infinity();

static std::string describe(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value.getDefiningOp()->getName() << " : " << value.getType();
  return text;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

llvm::SetVector<Value> FusionPlanner::leavesOf(ArrayRef<Value> roots) {
  return graph.leavesOf(roots, [&](Value value) { return isStored(value); });
}

bool FusionPlanner::isFused(Value operand, Operation *consumer) const {
  if (!isStored(operand))
    return true;
  for (const auto &[roots, read] : llvm::zip(groups, leaves)) {
    if (!llvm::is_contained(roots, operand))
      continue;
    llvm::SetVector<Value> inside(roots.begin(), roots.end());
    for (size_t i = 0; i < inside.size(); ++i) {
      Operation *op = inside[i].getDefiningOp();
      if (op == consumer)
        return true;
      for (Value value : op->getOperands())
        if (isa<RankedTensorType>(value.getType()) && !read.contains(value))
          inside.insert(value);
    }
  }
  return false;
}

const ScheduledKernel &FusionPlanner::scheduleOf(const KernelRoots &roots) {
  return costs.of(roots, [&](Value value) { return isStored(value); });
}

static double secondsOf(const ScheduledKernel &kernel) {
  return kernel.exists() ? kernel.cost.seconds : kNever;
}

double FusionPlanner::secondsOf(const Groups &groups) {
  llvm::DenseSet<Value> roots;
  for (const KernelRoots &group : groups)
    roots.insert(group.begin(), group.end());
  auto isStoredNow = [&](Value value) {
    return roots.contains(value) || isStored(value);
  };
  double seconds = 0;
  for (const KernelRoots &group : groups)
    seconds += ::secondsOf(costs.of(group, isStoredNow, effort));
  return seconds;
}

double FusionPlanner::unfusedSeconds() {
  Groups all;
  for (Value value : graph.required())
    all.push_back({value});
  for (Value value : graph.candidates())
    all.push_back({value});
  return secondsOf(all);
}

/// The groups, without one value that they store.
static SmallVector<KernelRoots> without(ArrayRef<KernelRoots> groups,
                                        Value cut) {
  SmallVector<KernelRoots> others;
  for (const KernelRoots &roots : groups) {
    KernelRoots kept;
    for (Value root : roots)
      if (root != cut)
        kept.push_back(root);
    if (!kept.empty())
      others.push_back(std::move(kept));
  }
  return others;
}

double FusionPlanner::secondsWithout(Value cut) {
  if (isRequired(cut))
    return kNever;
  // Other kernels stay as they are.
  Groups affected;
  for (const auto &[roots, read] : llvm::zip(groups, leaves))
    if (llvm::is_contained(roots, cut) || read.contains(cut))
      affected.push_back(roots);
  double before = secondsOf(affected);
  stored.erase(cut);
  double after = secondsOf(without(affected, cut));
  stored.insert(cut);
  return total - before + after;
}

//===----------------------------------------------------------------------===//
// The search in one stretch
//===----------------------------------------------------------------------===//

struct FusionPlanner::State {
  Cuts cuts;
  double seconds;
  bool isExpanded = false;
  SmallVector<FusionStep> steps;

  double rank() const {
    return seconds * (1 + kStoredValue * llvm::count(cuts, true));
  }
};

class FusionPlanner::StretchSearch {
public:
  StretchSearch(FusionPlanner &planner, const Stretch &stretch)
      : planner(planner), stretch(stretch),
        most(planner.costs.numCosted() + kMostKernels) {}

  State find();
  Groups groupsOf(const Cuts &cuts) const;

private:
  double secondsOf(const Cuts &cuts);
  std::optional<State> flipped(const State &state, size_t i);
  State beginning(bool isCut);
  bool isLarge() const { return stretch.candidates.size() > kLargeStretch; }
  bool mayGoOn() const { return planner.costs.numCosted() <= most; }

  FusionPlanner &planner;
  const Stretch &stretch;
  size_t most;
  std::map<Cuts, double> known;
  /// The plans that a step has led to. One that gained too little from one side
  /// may be a gain from another.
  std::set<Cuts> reached;
};

FusionPlanner::Groups
FusionPlanner::StretchSearch::groupsOf(const Cuts &cuts) const {
  Groups groups;
  for (Value value : stretch.required)
    groups.push_back({value});
  for (auto [value, isCut] : llvm::zip(stretch.candidates, cuts))
    if (isCut)
      groups.push_back({value});
  return groups;
}

double FusionPlanner::StretchSearch::secondsOf(const Cuts &cuts) {
  auto [entry, isNew] = known.try_emplace(cuts, 0);
  if (isNew)
    entry->second = planner.secondsOf(groupsOf(cuts));
  return entry->second;
}

/// `state` with one value stored or not, the other way round; nothing if that
/// has been reached already or gains too little.
std::optional<FusionPlanner::State>
FusionPlanner::StretchSearch::flipped(const State &state, size_t i) {
  State other = state;
  other.isExpanded = false;
  other.cuts[i] = !other.cuts[i];
  if (reached.count(other.cuts) != 0)
    return std::nullopt;
  other.seconds = secondsOf(other.cuts);
  double least = other.cuts[i] ? kLeastGainOfStoring : 0;
  bool gains = other.rank() < state.rank() * (1 - least) ||
               (state.seconds == kNever && other.seconds != kNever);
  if (!gains)
    return std::nullopt;
  reached.insert(other.cuts);
  other.steps.push_back(
      {(other.cuts[i] ? "store " : "fuse ") + describe(stretch.candidates[i]),
       state.seconds, other.seconds});
  return other;
}

/// Nothing or everything stored. In a large stretch every step that gains is
/// taken as it is found; a beam would look at all of them for each.
FusionPlanner::State FusionPlanner::StretchSearch::beginning(bool isCut) {
  Cuts cuts(stretch.candidates.size(), isCut);
  State state{cuts, secondsOf(cuts), false, {}};
  reached.insert(cuts);
  bool hasMoved = isLarge() && state.seconds != kNever;
  while (hasMoved) {
    hasMoved = false;
    for (size_t i = 0; i < cuts.size() && mayGoOn(); ++i)
      if (std::optional<State> other = flipped(state, i)) {
        state = std::move(*other);
        hasMoved = true;
      }
  }
  return state;
}

FusionPlanner::State FusionPlanner::StretchSearch::find() {
  std::vector<State> beam = {beginning(/*isCut=*/false)};
  if (!stretch.candidates.empty())
    beam.push_back(beginning(/*isCut=*/true));
  // The best of several plans are followed one step at a time.
  auto isBetter = [](const State &a, const State &b) {
    return std::pair(a.rank(), a.cuts) < std::pair(b.rank(), b.cuts);
  };
  while (true) {
    llvm::sort(beam, isBetter);
    std::vector<State> next;
    for (State &state : beam) {
      // From no plan at all, or from one that is far from the best, the way is
      // long; from the other end it is not.
      bool isHopeless = state.seconds == kNever
                            ? beam.front().seconds != kNever
                            : state.rank() > kHopeless * beam.front().rank();
      if (state.isExpanded || isHopeless)
        continue;
      state.isExpanded = true;
      for (size_t i = 0; i < state.cuts.size() && mayGoOn(); ++i)
        if (std::optional<State> other = flipped(state, i))
          next.push_back(std::move(*other));
    }
    if (next.empty())
      return beam.front();
    for (State &state : next)
      beam.push_back(std::move(state));
    llvm::sort(beam, isBetter);
    if (beam.size() > kBeam)
      beam.resize(kBeam);
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

LogicalResult FusionPlanner::plan(unsigned mostKernels) {
  SmallVector<Stretch> stretches = graph.stretches(kLongestStretch);
  for (const Stretch &stretch : stretches) {
    stored.insert(stretch.required.begin(), stretch.required.end());
    if (stretch.candidates.size() > kLargeStretch)
      effort = SearchEffort::Quick;
  }
  SmallVector<Groups> parts;
  for (const Stretch &stretch : stretches) {
    StretchSearch search(*this, stretch);
    State best = search.find();
    parts.push_back(search.groupsOf(best.cuts));
    llvm::append_range(log, best.steps);
  }
  for (const Groups &part : parts)
    for (const KernelRoots &roots : part)
      stored.insert(roots.begin(), roots.end());
  joinStretches(parts, stretches);
  for (const Groups &part : parts)
    llvm::append_range(groups, part);
  fuseStored(/*mustGain=*/false);
  total = secondsOf(groups);
  if (total == kNever) {
    for (const KernelRoots &roots : groups) {
      const ScheduledKernel &kernel = scheduleOf(roots);
      if (!kernel.exists())
        return roots.front().getDefiningOp()->emitOpError(
                   "cannot be part of a kernel: ")
               << kernel.whyNot;
    }
  }
  // In a long graph a step gains little of the whole. What a kernel of two
  // computes once may gain where neither of both did.
  while (mergeGroups(kLeastGain / stretches.size()) &&
         fuseStored(/*mustGain=*/true))
    total = secondsOf(groups);
  if (mostKernels != 0 && failed(limitKernels(mostKernels)))
    return failure();
  sortGroups();
  findLeaves();
  return success();
}

/// How many of `fused`, which were seams, a kernel computes that ends in
/// `last`.
unsigned FusionPlanner::countInside(Value last,
                                    const llvm::DenseSet<Value> &fused) const {
  auto isStoredNow = [&](Value value) { return isStored(value); };
  llvm::SetVector<Value> inside;
  inside.insert(last);
  for (size_t i = 0; i < inside.size(); ++i)
    for (Value operand : inside[i].getDefiningOp()->getOperands())
      if (graph.isInside(operand, last, isStoredNow))
        inside.insert(operand);
  return llvm::count_if(inside,
                        [&](Value value) { return fused.contains(value); });
}

/// Seams are stored only because the search was cut there. A kernel that takes
/// in stretch after stretch is costed as a whole each time, so one that has
/// taken in some is left for later, when the next ones are as long: of 200
/// softmaxes in a row 80 % of the time went into that.
void FusionPlanner::joinStretches(MutableArrayRef<Groups> parts,
                                  ArrayRef<Stretch> stretches) {
  struct Seam {
    Value value;
    size_t part;
  };
  SmallVector<Seam> seams;
  for (size_t i = 0; i + 1 < parts.size(); ++i)
    for (Value seam : stretches[i].required)
      if (!isRequired(seam))
        seams.push_back({seam, i});
  llvm::DenseSet<Value> fused;
  for (size_t most = kMostAtOnce; !seams.empty(); most *= kMostAtOnce) {
    SmallVector<Seam> later;
    for (const Seam &seam : seams) {
      if (countInside(seam.value, fused) >= most) {
        later.push_back(seam);
        continue;
      }
      Groups &first = parts[seam.part];
      Groups &second =
          *llvm::find_if(parts.drop_front(seam.part + 1),
                         [](const Groups &part) { return !part.empty(); });
      Groups both = first;
      llvm::append_range(both, second);
      double before = secondsOf(both);
      both = without(both, seam.value);
      stored.erase(seam.value);
      double after = secondsOf(both);
      if (after >= before * (1 + kStoredValue)) {
        stored.insert(seam.value);
        continue;
      }
      log.push_back({"fuse " + describe(seam.value), before, after});
      fused.insert(seam.value);
      first.clear();
      second = std::move(both);
    }
    seams = std::move(later);
  }
}

/// A search that began with everything stored has asked every step for a gain,
/// and none of what is still stored. What gained nothing alone may gain when
/// another one is fused. With `mustGain` it is not enough that a kernel and
/// what is stored are worth more than the model says.
bool FusionPlanner::fuseStored(bool mustGain) {
  // A quick search does not find the best schedule of a large kernel.
  if (effort == SearchEffort::Quick)
    return false;
  bool isAny = false;
  findLeaves();
  while (fuseSomeStored(mustGain)) {
    isAny = true;
    findLeaves();
  }
  return isAny;
}

bool FusionPlanner::fuseSomeStored(bool mustGain) {
  bool isAny = false;
  llvm::SetVector<Value> roots;
  for (const KernelRoots &group : groups)
    roots.insert(group.begin(), group.end());
  for (Value value : roots) {
    if (isRequired(value))
      continue;
    Groups affected, others;
    for (const auto &[group, read] : llvm::zip(groups, leaves))
      (llvm::is_contained(group, value) || read.contains(value) ? affected
                                                                : others)
          .push_back(group);
    double before = secondsOf(affected);
    stored.erase(value);
    Groups fused = without(affected, value);
    double after = secondsOf(fused);
    bool isCached = bytesOf(value, sizes(), machine) <= machine.cacheSize;
    double leastGain =
        isCached ? machine.leastGainOfCached : machine.leastGainOfStored;
    // Of a long kernel that is more than a launch and what is stored.
    constexpr double ofLong = 0.1, longSeconds = 15e-6;
    double gain = mustGain ? 0 : leastGain * after;
    if (isCached)
      gain = std::min(gain, std::max(longSeconds, ofLong * after));
    // A copy is there for nothing but to be stored; a short one takes longer
    // than the model says. 6000x333 by 333x2500 bf16, 38.0 us by the model and
    // 33.8 with both copied, took 51.5 and 34.1; 48x1111 by 1111x100 3.7 and
    // 5.1. Numbers of 32 bits are read by words either way.
    constexpr double ofCopy = 0.02, shortCopy = 1.5e-6;
    constexpr int64_t narrowBits = 16;
    Type element = getElementTypeOrSelf(value.getType());
    if (isa_and_nonnull<CopyOp>(value.getDefiningOp()) &&
        element.isIntOrFloat() && element.getIntOrFloatBitWidth() <= narrowBits)
      gain = std::min(gain, std::max(shortCopy, ofCopy * after));
    if (after == kNever || after - gain >= before) {
      stored.insert(value);
      continue;
    }
    log.push_back({"fuse " + describe(value), before, after});
    llvm::append_range(others, fused);
    groups = std::move(others);
    merges.clear();
    findLeaves();
    isAny = true;
  }
  return isAny;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

FusionPlanner::Order FusionPlanner::findOrder() const {
  llvm::DenseMap<Value, size_t> groupOf;
  for (auto [i, roots] : llvm::enumerate(groups))
    for (Value root : roots)
      groupOf[root] = i;
  llvm::BitVector none(groups.size());
  Order order;
  order.needs.assign(groups.size(), none);
  order.needsByOthers.assign(groups.size(), none);
  for (auto [i, roots] : llvm::enumerate(groups)) {
    llvm::DenseSet<Value> seen;
    // Ops that are none of the graph's, such as kernels that were there
    // before, wait for what they read.
    auto visit = [&](auto &self, Value value) -> void {
      if (auto group = groupOf.find(value); group != groupOf.end()) {
        order.needs[i].set(group->second);
        order.needsByOthers[i].set(group->second);
        return;
      }
      if (!seen.insert(value).second)
        return;
      if (Operation *op = value.getDefiningOp())
        for (Value operand : op->getOperands())
          self(self, operand);
    };
    for (Value leaf :
         graph.leavesOf(roots, [&](Value value) { return isStored(value); }))
      if (auto group = groupOf.find(leaf); group != groupOf.end()) {
        order.needs[i].set(group->second);
        order.readers[leaf].push_back(i);
      } else {
        visit(visit, leaf);
      }
  }
  for (size_t k = 0; k < groups.size(); ++k)
    for (llvm::BitVector &need : order.needs)
      if (need.test(k))
        need |= order.needs[k];
  order.neededBy.assign(groups.size(), none);
  for (size_t i = 0; i < groups.size(); ++i)
    for (unsigned need : order.needs[i].set_bits())
      order.neededBy[need].set(i);
  return order;
}

bool FusionPlanner::Order::isBetween(size_t first, size_t last) const {
  llvm::BitVector between = neededBy[first];
  between &= needs[last];
  return between.any() || needsByOthers[last].test(first);
}

bool FusionPlanner::Order::isReadBeyond(Value value, size_t first,
                                        size_t second) const {
  auto known = readers.find(value);
  return known != readers.end() &&
         llvm::any_of(known->second, [&](unsigned reader) {
           return reader != first && reader != second;
         });
}

/// Two kernels as one, without what only one of them has stored for the other.
FusionPlanner::Merge FusionPlanner::mergeOf(size_t first, size_t second,
                                            const Order &order, double before) {
  KernelRoots all = groups[first], kept, dropped;
  llvm::append_range(all, groups[second]);
  for (Value root : all) {
    bool isNeeded = isRequired(root) || order.isReadBeyond(root, first, second);
    (isNeeded ? kept : dropped).push_back(root);
  }
  if (!kept.empty() && !dropped.empty()) {
    for (Value root : dropped)
      stored.erase(root);
    double after = secondsOf(Groups{kept});
    stored.insert(dropped.begin(), dropped.end());
    if (after != kNever)
      return {first, second, kept, before - after};
  }
  return {first, second, all, before - secondsOf(Groups{all})};
}

/// The same. What two kernels have come to does not change when others become
/// one, as long as the same values are stored, and of hundreds most pairs are
/// asked for hundreds of times.
const FusionPlanner::Merge &FusionPlanner::knownMergeOf(size_t first,
                                                        size_t second,
                                                        const Order &order,
                                                        double before) {
  std::vector<const void *> pair;
  auto add = [&](const KernelRoots &roots) {
    for (Value root : roots)
      pair.push_back(root.getAsOpaquePointer());
  };
  add(groups[first]);
  pair.push_back(nullptr);
  add(groups[second]);
  auto known = merges.find(pair);
  if (known == merges.end())
    known =
        merges.emplace(std::move(pair), mergeOf(first, second, order, before))
            .first;
  known->second.first = first;
  known->second.second = second;
  return known->second;
}

/// Shows pairs of kernels that can be one and may gain more than `least` until
/// one is wanted: kernels whose results have their leading sizes in common. A
/// pair that cannot gain more is not costed: among a thousand results there are
/// half a million. A kernel may not wait for a value that itself waits for the
/// kernel. One root alone cannot close such a cycle, as everything between is
/// computed anew.
void FusionPlanner::visitMerges(
    double least, llvm::function_ref<bool(const Merge &)> isWanted) {
  auto shapeOf = [&](const KernelRoots &roots) {
    SmallVector<Size> longest;
    for (Value root : roots)
      if (SmallVector<Size> shape = graph.sizes().sizesOf(root);
          shape.size() > longest.size())
        longest = shape;
    return longest;
  };
  auto haveCommonSizes = [](ArrayRef<Size> a, ArrayRef<Size> b) {
    if (a.size() > b.size())
      std::swap(a, b);
    return !a.empty() && b.take_front(a.size()) == a;
  };
  Order order = findOrder();
  SmallVector<SmallVector<Size>> shapes;
  SmallVector<double> seconds;
  for (const KernelRoots &roots : groups) {
    shapes.push_back(shapeOf(roots));
    seconds.push_back(secondsOf(Groups{roots}));
  }
  for (size_t i = 0; i < groups.size(); ++i)
    for (size_t j = i + 1; j < groups.size(); ++j) {
      double before = seconds[i] + seconds[j];
      double most = groups.size() > kManyKernels
                        ? std::min(seconds[i], seconds[j])
                        : before;
      if (most <= least || !haveCommonSizes(shapes[i], shapes[j]) ||
          order.isBetween(i, j) || order.isBetween(j, i))
        continue;
      if (isWanted(knownMergeOf(i, j, order, before)))
        return;
    }
}

void FusionPlanner::merge(const Merge &merge) {
  KernelRoots &first = groups[merge.first], &second = groups[merge.second];
  log.push_back({"one kernel for " + describe(first.front()) + " and " +
                     describe(second.front()),
                 total, total - merge.gain});
  for (const KernelRoots &roots : {first, second})
    for (Value root : roots)
      if (!llvm::is_contained(merge.roots, root))
        stored.erase(root);
  first = merge.roots;
  groups.erase(groups.begin() + merge.second);
  total -= merge.gain;
}

/// Puts kernels together as long as that pays: what they both read, or both
/// compute, is there once.
bool FusionPlanner::mergeGroups(double least) {
  size_t before = groups.size();
  std::optional<Merge> found;
  do {
    found.reset();
    visitMerges(least * total, [&](const Merge &merge) {
      if (merge.gain > least * total)
        found = merge;
      return found.has_value();
    });
    if (found)
      merge(*found);
  } while (found);
  return groups.size() < before;
}

/// Does with fewer kernels than pay: stores a value less, or makes one kernel
/// of two, whatever costs least.
LogicalResult FusionPlanner::limitKernels(unsigned most) {
  while (groups.size() > most) {
    findLeaves();
    double least = kNever;
    Value cut;
    std::optional<Merge> best;
    for (const KernelRoots &roots : groups) {
      if (roots.size() != 1 || isRequired(roots.front()))
        continue;
      double loss = secondsWithout(roots.front()) - total;
      if (loss < least) {
        least = loss;
        cut = roots.front();
      }
    }
    visitMerges(-kNever, [&](const Merge &merge) {
      if (-merge.gain < least) {
        least = -merge.gain;
        best = merge;
      }
      return false;
    });
    if (best) {
      merge(*best);
    } else if (cut) {
      log.push_back({"fuse " + describe(cut), total, total + least});
      groups = without(groups, cut);
      stored.erase(cut);
      merges.clear();
      total += least;
    } else {
      Operation *function = groups.front().front().getDefiningOp();
      return function->getParentOp()->emitOpError("needs ")
             << groups.size() << " kernels, but may have " << most;
    }
  }
  return success();
}

void FusionPlanner::findLeaves() {
  leaves.clear();
  for (const KernelRoots &roots : groups)
    leaves.push_back(leavesOf(roots));
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
        last = std::max(last, graph.numberOf(root));
      return last;
    };
    return lastOf(a) < lastOf(b);
  });
  while (!left.empty()) {
    auto *ready = llvm::find_if(left, [&](const KernelRoots &roots) {
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
