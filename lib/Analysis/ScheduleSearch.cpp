//===- ScheduleSearch.cpp - the best schedule of one kernel ---------------===//
//
// What is attempted, and where descents begin.
//
//===----------------------------------------------------------------------===//

#include "LoopSeams.h"
#include "ScaleSums.h"
#include "ScheduleChoices.h"
#include "WarpsOfSchedule.h"
#include "fuse/Analysis/ScheduleOptions.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::search;

/// Attempts of one structure share a nest, which has the last one's windows.
static void use(KernelNest &nest, const Choice &choice) {
  for (const auto &[var, tile] : choice.tiles)
    nest.sizes.set(var, tile);
  nest.setChunks(nest.fittingChunks(choice.split), choice.mergesInCluster);
}

Search::Structure Search::structureOf(const Choice &choice) const {
  Structure structure{{},
                      {},
                      choice.owned,
                      choice.split > 1,
                      choice.isSequential,
                      choice.isPilot};
  TileSizes sizes = choice.options().sizes;
  for (const auto &[var, tile] : choice.tiles) {
    structure.windows.push_back(sizes.isResident(var));
    structure.windows.push_back(sizes.isRagged(var));
    if (mayScaleSums || mayHaveSeams)
      structure.sizes.push_back(tile);
  }
  return structure;
}

const Search::Known &Search::known(const Choice &choice) {
  auto [entry, isNew] = nests.try_emplace(structureOf(choice));
  Known &known = entry->second;
  if (isNew)
    if (auto nest = buildNest(kernel, choice.options(), known.whyNot))
      known.nest = std::make_shared<KernelNest>(std::move(*nest));
  return known;
}

/// The nest of a choice, which loses what has no meaning in it: strategies
/// where there are no cascades, pilots where none are possible, chunks where no
/// loop can be split.
const Search::Known &Search::nestFor(Choice &choice) {
  if (choice.isSequential || choice.isPilot) {
    Choice plain = choice;
    plain.isSequential = plain.isPilot = false;
    const KernelNest *byDefault = known(plain).nest.get();
    if (byDefault && (byDefault->cascades.empty() ||
                      (choice.isPilot && !byDefault->mayHavePilots)))
      choice = std::move(plain);
  }
  const Known *found = &known(choice);
  if (choice.split > 1 && found->nest && !found->nest->isSplit()) {
    choice.split = 1;
    found = &known(choice);
  }
  choice.mergesInCluster &= choice.split > 1 && machine.mostShares > 1;
  return *found;
}

Attempt Search::attempt(Choice choice) {
  Attempt attempt;
  const KernelView *view = kernel.view(choice.owned);
  for (const auto &[var, tile] : choice.tiles)
    if (view && !mayHave(*view, var, tile)) {
      attempt.whyNot = "a window is none that its instructions take";
      return attempt;
    }
  Choice effective = choice;
  const Known &known = nestFor(effective);
  attempt.nest = known.nest;
  attempt.whyNot = known.whyNot;
  if (known.nest) {
    auto [entry, isNew] = costs.try_emplace(effective);
    if (isNew) {
      use(*known.nest, effective);
      entry->second =
          costOf(*known.nest, roots, kernel.sizes(), machine, truths);
    }
    attempt.cost = entry->second;
  }
  attempt.choice = std::move(choice);
  attempt.isRejected = attempt.nest && isRejected(attempt);
  return attempt;
}

/// How many blocks compute, before those that merge.
double Search::blocksOf(const Choice &choice) {
  const KernelView &view = *kernel.view(choice.owned);
  double blocks = static_cast<double>(choice.split);
  for (const auto &[var, tile] : choice.tiles)
    if (llvm::is_contained(view.grid, var)) {
      int64_t size =
          var.size.isNumber() ? var.size.getNumber() : machine.assumedSize;
      blocks *=
          std::ceil(static_cast<double>(size) / static_cast<double>(tile));
    }
  return blocks;
}

/// Where a loop is split anyway, the blocks that have the chunks may merge
/// them, even if there are half as many then. That a split pays only because of
/// it has been seen of single products only, whose search knows.
Attempt Search::mergeInCluster(Attempt best) {
  if (!best.nest || !best.nest->isSplit())
    return best;
  for (int64_t chunks : {best.choice.split, best.choice.split / 2}) {
    if (chunks < 2 || chunks > machine.mostShares)
      continue;
    Choice choice = best.choice;
    choice.split = chunks;
    choice.mergesInCluster = true;
    Attempt other = attempt(std::move(choice));
    if (other.seconds() < best.seconds())
      best = std::move(other);
  }
  return best;
}

/// Writes down what an attempt chose, strategies included.
Schedule Search::scheduleOf(const Attempt &attempt) const {
  use(*attempt.nest, attempt.choice);
  Schedule schedule;
  for (const auto &[var, tile] : attempt.choice.tiles) {
    if (var.level != IndexVar::kOutput) {
      schedule.sequential.push_back({loopNameOf(var), tile});
      continue;
    }
    // What is owned has no tile of its own.
    schedule.parallel.resize(
        std::max<size_t>(schedule.parallel.size(), var.place + 1), 1);
    schedule.parallel[var.place] = tile;
  }
  schedule.owned = ownedOf(attempt.choice.owned, kernel);
  schedule.split = attempt.nest->isSplit()
                       ? attempt.nest->fittingChunks(attempt.choice.split)
                       : 1;
  if (attempt.nest->mergesInCluster)
    schedule.merge = MergePlace::Cluster;
  if (attempt.cost.residents > 1)
    schedule.residents = attempt.cost.residents;
  if (attempt.cost.share > 1)
    schedule.share = attempt.cost.share;
  schedule.cluster.assign(attempt.cost.cluster.begin(),
                          attempt.cost.cluster.end());
  if (attempt.cost.crews > 1)
    schedule.crews = attempt.cost.crews;
  schedule.warps = warpsFor(*attempt.nest, attempt.cost, machine);
  for (const NestCascade &cascade : attempt.nest->cascades) {
    Schedule::Cascade pair;
    pair.reduction = cascade.reduction;
    pair.statistic = cascade.statistic;
    pair.strategy = cascade.strategy;
    if (!llvm::any_of(schedule.cascades, [&](const Schedule::Cascade &known) {
          return known.reduction == pair.reduction &&
                 known.statistic == pair.statistic;
        }))
      schedule.cascades.push_back(pair);
  }
  return schedule;
}

ScheduledKernel Search::record(const Attempt &attempt) const {
  ScheduledKernel result;
  if (!attempt.nest || attempt.isRejected) {
    result.whyNot =
        attempt.nest ? "all schedules were rejected" : attempt.whyNot;
    return result;
  }
  result.schedule = scheduleOf(attempt);
  result.cost = attempt.cost;
  result.notes.assign(attempt.nest->notes.begin(), attempt.nest->notes.end());
  return result;
}

/// Whether kernels differ at most in numbers that their code does not depend
/// on.
static bool haveSameCode(Schedule a, Schedule b) {
  for (Schedule *schedule : {&a, &b}) {
    schedule->split = std::min<int64_t>(schedule->split, 2);
    schedule->cluster.clear();
  }
  return a == b;
}

bool Search::isRejected(const Attempt &attempt) const {
  if (rejected.empty())
    return false;
  Schedule schedule = scheduleOf(attempt);
  return llvm::any_of(rejected, [&](const Schedule &other) {
    return haveSameCode(schedule, other);
  });
}

/// What blocks may own: what they should, what lies behind it, too, so that
/// their rows follow each other, and nothing.
SmallVector<OwnedVars> Search::ownings(OwnedVars derived) const {
  SmallVector<OwnedVars> all = {derived};
  if (derived != 0 && !isQuick) {
    OwnedVars every = kernel.lastVars(kernel.numOutputVars());
    OwnedVars behind = every & ~((derived & -derived) - 1);
    if (behind != derived && behind != every)
      all.push_back(behind);
    all.push_back(0);
  }
  return all;
}

void Search::beginWith(Attempt &best, Choice choice, int64_t split,
                       double leastGain, bool staysPadded) {
  choice.split = split;
  Attempt found = mergeInCluster(descend(std::move(choice), staysPadded));
  bool isEnough =
      leastGain == 0 || found.seconds() < best.seconds() * (1 - leastGain);
  if (!best.nest || (isEnough && found.isBetterThan(best, machine)))
    best = std::move(found);
}

/// Begins with what suits rows that are reduced.
void Search::searchRows(OwnedVars owning, Attempt &best) {
  beginWith(best, *beginning(owning, true), 1);
  if (machine.latency <= 0)
    return;
  if (auto row = ofOneRow(owning); row && attempt(*row).cost.reducesRows)
    beginWith(best, std::move(*row), 1);
  if (auto rounds = ofLongRounds(owning))
    if (Attempt found = attempt(std::move(*rounds));
        found.cost.share <= 1 && !found.isRejected && found.nest &&
        found.isBetterThan(best, machine))
      best = std::move(found);
}

/// Begins with what suits products.
void Search::searchProducts(OwnedVars owning, const KernelView &view,
                            Attempt &best) {
  // 1024x11008 by 11008x3072 took 112 us in 128 x 128, split in two, and 90 in
  // 128 x 192; 128x3072 by 3072x11008, which 128 x 96 leave in one piece for
  // each of nearly all units, 26.1 and 22.4.
  constexpr double third = 1.0 / 3, mostOf = 0.75, one = 1;
  double any = std::numeric_limits<double>::infinity();
  if (auto wide = ofColumns(owning, kWideColumns, third, any))
    beginWith(best, std::move(*wide), 1);
  if (auto narrow = ofColumns(owning, kWideColumns / 2, mostOf, one))
    beginWith(best, std::move(*narrow), 1);
  // Two products have half of the wide columns each: 1536x2880 by two of
  // 2880x3072 took 92 us in 128 x 128, and 75 so, in three turns each. The
  // model thinks too well of pieces of lines: 256x4096 by two of 4096x11008
  // took 76 us, and 80 so, for 99 and 86.
  constexpr double muchFaster = 0.135;
  if (auto halves = ofColumnsOfTwo(owning)) {
    auto chunks = static_cast<int64_t>(machine.units / blocksOf(*halves));
    beginWith(best, std::move(*halves), std::max<int64_t>(chunks, 1),
              muchFaster);
  }
  if (auto few = ofFewRows(owning))
    beginWith(best, std::move(*few), 1);
  constexpr double little = 0.03;
  if (auto tiles = bestTilesOfNumbers(owning)) {
    int64_t chunks = tiles->split;
    beginWith(best, std::move(*tiles), chunks, little);
  }
  if (auto tiles = bestTiles(owning)) {
    int64_t chunks = tiles->split;
    beginWith(best, std::move(*tiles), chunks,
              view.reductions.size() == 1 ? little : muchFaster);
  }
}

/// Searches among the schedules in which blocks own that.
void Search::searchWith(OwnedVars owning, const KernelView &view,
                        Attempt &best) {
  bool hasReductions = !view.reductions.empty();
  mayScaleSums = llvm::any_of(view.reductions, nest::mayScaleSum);
  mayHaveSeams = nest::mayHaveSeams(view.reductions);
  beginWith(best, *beginning(owning, false), 1);
  // Sums of rows may be faster in any other windows but those that suit
  // products: two rows of 2880 by 2880x896 took 8.0 us so, and 3.5 padded.
  if (llvm::any_of(view.grid, [&](const IndexVar &var) {
        return isPadded(view, var) && isRowOfProduct(view, var);
      }))
    beginWith(best, *beginning(owning, false), 1, /*leastGain=*/0,
              /*staysPadded=*/true);
  if (!hasReductions && machine.streamedTile > 0)
    beginWith(best, streaming(owning), 1);
  if (!hasReductions || isQuick)
    return;
  beginWith(best, *beginning(owning, false), 32);
  searchRows(owning, best);
  searchProducts(owning, view, best);
  // What does not vary in the window of one variable scales sums; in that of
  // another it is something else.
  if (mayScaleSums) {
    beginWith(best, *beginning(owning, false, Long::First), 128);
    if (auto pairs = inPairs(owning))
      beginWith(best, std::move(*pairs), 32);
  }
}

ScheduledKernel Search::find() {
  std::optional<OwnedVars> derived = kernel.deriveOwned();
  if (!derived) {
    ScheduledKernel none;
    none.whyNot = kernel.whyNot().str();
    return none;
  }
  Attempt best;
  best.whyNot = "no schedule was found";
  for (OwnedVars owning : ownings(*derived))
    if (const KernelView *view = kernel.view(owning))
      searchWith(owning, *view, best);
    else
      best.whyNot = kernel.whyNot().str();
  return record(best);
}

ScheduledKernel fuse::findSchedule(KernelElements &kernel,
                                   ArrayRef<Value> roots,
                                   const Machine &machine, SearchEffort effort,
                                   ArrayRef<Schedule> rejected) {
  if (!kernel.whyNot().empty()) {
    ScheduledKernel none;
    none.whyNot = kernel.whyNot().str();
    return none;
  }
  return Search(kernel, roots, machine, effort, rejected).find();
}
