//===- ScheduleSearch.cpp - the best schedule of one kernel ---------------===//
//
// The descent.
//
//===----------------------------------------------------------------------===//

#include "ScaleSums.h"
#include "ScheduleChoices.h"
#include "WarpsOfSchedule.h"
#include "fuse/Analysis/ScheduleOptions.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::search;

/// A descent ends when a round gains less than this.
static constexpr double kLeastGain = 0.02;

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
    if (mayScaleSums)
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

/// As many blocks, of which each has more to sum of fewer rows, or the other
/// way round; or shorter rounds in more chunks, as long as each has a unit for
/// itself, or the other way round.
Attempt Search::trade(Attempt best) {
  if (!best.nest->isSplit())
    return best;
  for (size_t i = 0; i < best.choice.tiles.size(); ++i)
    for (bool isLarger : {false, true}) {
      Choice choice = best.choice;
      auto &[var, tile] = choice.tiles[i];
      bool isTooLarge = var.size.isNumber() &&
                        2 * tile > machine.tileFor(var.size.getNumber());
      bool isOutput = var.level == IndexVar::kOutput;
      bool hasMoreChunks = isLarger == isOutput;
      bool isCrowded =
          !isOutput && hasMoreChunks && 2 * blocksOf(choice) > machine.units;
      if (choice.split < 2 || isCrowded || (isLarger ? isTooLarge : tile < 2))
        continue;
      tile = isLarger ? 2 * tile : tile / 2;
      choice.split = hasMoreChunks ? 2 * choice.split : choice.split / 2;
      Attempt other = attempt(std::move(choice));
      if (other.seconds() < best.seconds() * (1 - kLeastGain))
        best = std::move(other);
    }
  return best;
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

/// Doubles the window of a reduction that is walked. False if it is none, or
/// does not get longer.
static bool lengthenRounds(Choice &choice, size_t which,
                           const Machine &machine) {
  auto &[var, tile] = choice.tiles[which];
  if (var.level == IndexVar::kOutput ||
      (var.size.isNumber() && 2 * tile > machine.tileFor(var.size.getNumber())))
    return false;
  tile *= 2;
  return true;
}

/// Halves the windows of reductions that are walked, or one of them. False if
/// there are none.
static bool shortenRounds(Choice &choice,
                          std::optional<size_t> only = std::nullopt) {
  constexpr int64_t shortest = 32;
  bool isAny = false;
  for (auto [i, entry] : llvm::enumerate(choice.tiles)) {
    auto &[var, tile] = entry;
    if (var.level == IndexVar::kOutput || tile < 2 * shortest ||
        (only && *only != i))
      continue;
    tile /= 2;
    isAny = true;
  }
  return isAny;
}

/// As few columns a block as leave each of its own a unit, where one product
/// has too few blocks for all units to have one: 256x5120 by 5120x5120, along
/// k, took 27.8 us in 108 blocks of 96 columns, and 22.0 in 128 of 80. Where
/// the right factor lies along them the engine brings sixty-four at a time:
/// 2560x1000 by 1000x500, along n, took 12.9 us in 128, and 16.0 in 96.
std::optional<Choice> Search::fillUnits(Choice choice) {
  constexpr int64_t sixteens = 16, sixtyFours = 64, fewest = 48, most = 256;
  const KernelView &view = *kernel.view(choice.owned);
  if (isQuick || !isOneProduct(view))
    return std::nullopt;
  for (auto &[var, tile] : choice.tiles) {
    if (!isColumn(view, var) || !var.size.isNumber())
      continue;
    int64_t columns = var.size.getNumber();
    double rows = blocksOf(choice) / llvm::divideCeil(columns, tile);
    auto parts = static_cast<int64_t>(machine.units / rows);
    if (parts < 1)
      return std::nullopt;
    tile = llvm::alignTo(llvm::divideCeil(columns, parts),
                         isAlongFactor(view, var) ? sixtyFours : sixteens);
    if (tile < fewest || tile > most || tile >= columns)
      return std::nullopt;
    return choice;
  }
  return std::nullopt;
}

/// How many chunks to try: beside powers of two those that fill all units a few
/// times, where they are known to have two blocks each.
SmallVector<int64_t> Search::chunksFor(const Attempt &best) {
  SmallVector<int64_t> chunks{1, 2, 4, 8, 16, 32, 64, 128, 256};
  constexpr int64_t pair = 2, most = 4;
  if (best.cost.residents != pair || best.choice.split < 2)
    return chunks;
  double rows = blocksOf(best.choice) / best.choice.split;
  for (int64_t times = 1; times <= most; ++times)
    if (auto number = int64_t(times * pair * machine.units / rows); number > 1)
      chunks.push_back(best.nest->fittingChunks(number));
  return chunks;
}

Attempt Search::descend(Choice from, bool staysPadded) {
  Attempt best = attempt(std::move(from));
  // What has no nest has none with other windows.
  if (!best.nest)
    return best;
  const KernelView &view = *kernel.view(best.choice.owned);
  auto consider = [&](Choice choice, double leastGain = 0.001) {
    Attempt other = attempt(std::move(choice));
    // Of what reduces as fast as memory brings it that wins which reads less:
    // softmax along the second of 64x1000x512 f32 took 105 us with columns that
    // two blocks read, and 86 with one block for each.
    constexpr double muchLess = 0.9;
    bool readsLess = other.nest && !other.isRejected &&
                     !view.reductions.empty() && other.cost.dotSeconds == 0 &&
                     other.seconds() <= best.seconds() &&
                     other.cost.cacheBytes < muchLess * best.cost.cacheBytes;
    if (readsLess || other.seconds() < best.seconds() * (1 - leastGain))
      best = std::move(other);
  };
  for (int round = 0; round < (isQuick ? 1 : 3); ++round) {
    double before = best.seconds();
    for (size_t i = 0; i < best.choice.tiles.size(); ++i) {
      const IndexVar var = best.choice.tiles[i].first;
      for (int64_t size : sizesFor(view, var)) {
        Choice choice = best.choice;
        int64_t &tile = choice.tiles[i].second;
        if (tile == size)
          continue;
        bool losesTensorCores = size < tile && isPadded(view, var);
        if (losesTensorCores && staysPadded)
          continue;
        tile = size;
        consider(std::move(choice), losesTensorCores ? 0.05 : 0.001);
      }
    }
    // What is held whole takes room that another window has to give up. On a
    // processor that led to larger blocks of attention which took 4.9 s to
    // compile instead of 0.9, when LLVM still unrolled all their loops; whether
    // it would pay there now has not been measured.
    for (size_t i = 0;
         !isQuick && !machine.hasAnyTile && i < best.choice.tiles.size(); ++i)
      for (size_t j = 0; j < best.choice.tiles.size(); ++j) {
        Choice choice = best.choice;
        const auto &[var, tile] = choice.tiles[j];
        if (i == j || !var.size.isNumber() || choice.tiles[i].second < 2)
          continue;
        int64_t whole = machine.tileFor(var.size.getNumber());
        if (whole <= tile || whole > kLongestResident)
          continue;
        choice.tiles[j].second = whole;
        choice.tiles[i].second /= 2;
        consider(std::move(choice));
      }
    // What reads as much the other way round is two steps away, too, and may be
    // multiplied by other instructions.
    for (size_t i = 0; !isQuick && i < best.choice.tiles.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        Choice choice = best.choice;
        auto &[a, tileOfA] = choice.tiles[i];
        auto &[c, tileOfC] = choice.tiles[j];
        auto isShorter = [&](const IndexVar &var, int64_t tile) {
          return var.size.isNumber() &&
                 machine.tileFor(var.size.getNumber()) < tile;
        };
        if (a.level != IndexVar::kOutput || c.level != IndexVar::kOutput ||
            tileOfA == tileOfC || isShorter(a, tileOfC) ||
            isShorter(c, tileOfA))
          continue;
        std::swap(tileOfA, tileOfC);
        consider(std::move(choice));
      }
    // So is what has as many elements, more along one variable and fewer along
    // another, where blocks choose by the latter what they read.
    constexpr int64_t factor = 16;
    for (size_t i = 0; !isQuick && best.cost.isChoosing &&
                       view.reductions.empty() && i < best.choice.tiles.size();
         ++i)
      for (size_t j = 0; j < best.choice.tiles.size(); ++j) {
        Choice choice = best.choice;
        int64_t &more = choice.tiles[i].second, &fewer = choice.tiles[j].second;
        for (int64_t by = 2; i != j && by <= factor && fewer % 2 == 0;
             by *= 2) {
          more *= 2;
          fewer /= 2;
          consider(choice);
        }
      }
    for (int64_t split : chunksFor(best))
      for (bool isCluster : {false, true}) {
        Choice choice = best.choice;
        bool isSame =
            choice.split == split && choice.mergesInCluster == isCluster;
        if (isSame || (isCluster && (split < 2 || split > machine.mostShares ||
                                     !isOneProduct(view))))
          continue;
        choice.split = split;
        choice.mergesInCluster = isCluster;
        consider(std::move(choice));
      }
    for (auto [isSequential, isPilot] :
         {std::pair(false, false), {true, false}, {false, true}}) {
      Choice choice = best.choice;
      choice.isSequential = isSequential;
      choice.isPilot = isPilot;
      consider(std::move(choice));
    }
    // A larger tile whose rounds read no more, or twice as much, is two steps
    // away, of which neither may be worth it alone.
    constexpr double leastGain = 0.02;
    constexpr int64_t leastTile = 128;
    for (size_t i = 0; !isQuick && i < best.choice.tiles.size(); ++i) {
      Choice larger = best.choice;
      auto &[var, tile] = larger.tiles[i];
      tile *= 2;
      bool isTooLarge =
          var.size.isNumber() && tile > machine.tileFor(var.size.getNumber());
      if (var.level != IndexVar::kOutput || tile < leastTile || isTooLarge)
        continue;
      Choice choice = larger;
      if (shortenRounds(choice))
        consider(std::move(choice), leastGain);
      // Of several loops one may be enough.
      for (size_t j = 0; j < larger.tiles.size(); ++j)
        if (choice = larger; shortenRounds(choice, j))
          consider(std::move(choice), leastGain);
      // One block with two groups of warps takes longer rounds than two with
      // one each, where rounds take their sums.
      for (size_t j = 0; j < larger.tiles.size(); ++j)
        if (choice = larger;
            view.reductions.size() > 1 && lengthenRounds(choice, j, machine))
          consider(std::move(choice), leastGain);
    }
    auto isSettled = [&] { return best.seconds() > before * (1 - kLeastGain); };
    if (isSettled() && !isQuick)
      best = trade(std::move(best));
    if (isSettled())
      break;
  }
  if (std::optional<Choice> choice = fillUnits(best.choice))
    consider(std::move(*choice), kLeastGain);
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

ScheduledKernel Search::find() {
  std::optional<OwnedVars> owned = kernel.deriveOwned();
  if (!owned) {
    ScheduledKernel none;
    none.whyNot = kernel.whyNot().str();
    return none;
  }
  SmallVector<OwnedVars> ownings = {*owned};
  if (*owned != 0 && !isQuick) {
    // With what lies behind it a block has rows that follow each other.
    OwnedVars all = kernel.lastVars(kernel.numOutputVars());
    OwnedVars behind = all & ~((*owned & -*owned) - 1);
    if (behind != *owned && behind != all)
      ownings.push_back(behind);
    ownings.push_back(0);
  }
  Attempt best;
  best.whyNot = "no schedule was found";
  for (OwnedVars owning : ownings) {
    const KernelView *view = kernel.view(owning);
    if (!view) {
      best.whyNot = kernel.whyNot().str();
      continue;
    }
    bool hasReductions = !view->reductions.empty();
    mayScaleSums = llvm::any_of(view->reductions, [](const Element *reduction) {
      return nest::mayScaleSum(reduction, reduction->operands());
    });
    auto beginWith = [&](Choice choice, int64_t split, double leastGain = 0,
                         bool staysPadded = false) {
      choice.split = split;
      Attempt found = mergeInCluster(descend(std::move(choice), staysPadded));
      bool isEnough =
          leastGain == 0 || found.seconds() < best.seconds() * (1 - leastGain);
      if (!best.nest || (isEnough && found.isBetterThan(best, machine)))
        best = std::move(found);
    };
    beginWith(*beginning(owning, false), 1);
    // Sums of rows may be faster in any other windows but those that suit
    // products: two rows of 2880 by 2880x896 took 8.0 us so, and 3.5 padded.
    if (llvm::any_of(view->grid, [&](const IndexVar &var) {
          return isPadded(*view, var) && isRowOfProduct(*view, var);
        }))
      beginWith(*beginning(owning, false), 1, 0, /*staysPadded=*/true);
    if (!hasReductions && machine.streamedTile > 0)
      beginWith(streaming(owning), 1);
    if (!hasReductions || isQuick)
      continue;
    beginWith(*beginning(owning, false), 32);
    beginWith(*beginning(owning, true), 1);
    if (auto row = ofOneRow(owning);
        row && machine.latency > 0 && attempt(*row).cost.reducesRows)
      beginWith(std::move(*row), 1);
    if (auto rounds = ofLongRounds(owning); rounds && machine.latency > 0)
      if (Attempt found = attempt(std::move(*rounds));
          found.cost.share <= 1 && !found.isRejected && found.nest &&
          found.isBetterThan(best, machine))
        best = std::move(found);
    // 1024x11008 by 11008x3072 took 112 us in 128 x 128, split in two, and 90
    // in 128 x 192; 128x3072 by 3072x11008, which 128 x 96 leave in one piece
    // for each of nearly all units, 26.1 and 22.4.
    constexpr double third = 1.0 / 3, mostOf = 0.75, one = 1;
    double any = std::numeric_limits<double>::infinity();
    if (auto wide = ofColumns(owning, kWideColumns, third, any))
      beginWith(std::move(*wide), 1);
    if (auto narrow = ofColumns(owning, kWideColumns / 2, mostOf, one))
      beginWith(std::move(*narrow), 1);
    // Two products have half of the wide columns each: 1536x2880 by two of
    // 2880x3072 took 92 us in 128 x 128, and 75 so, in three turns each. The
    // model thinks too well of pieces of lines: 256x4096 by two of 4096x11008
    // took 76 us, and 80 so, for 99 and 86.
    constexpr double muchFaster = 0.135;
    if (auto halves = ofColumnsOfTwo(owning)) {
      auto chunks = static_cast<int64_t>(machine.units / blocksOf(*halves));
      beginWith(std::move(*halves), std::max<int64_t>(chunks, 1), muchFaster);
    }
    if (auto few = ofFewRows(owning))
      beginWith(std::move(*few), 1);
    constexpr double little = 0.03;
    if (auto tiles = bestTilesOfNumbers(owning)) {
      int64_t chunks = tiles->split;
      beginWith(std::move(*tiles), chunks, little);
    }
    if (auto tiles = bestTiles(owning)) {
      int64_t chunks = tiles->split;
      beginWith(std::move(*tiles), chunks,
                view->reductions.size() == 1 ? little : muchFaster);
    }
    // What does not vary in the window of one variable scales sums; in that of
    // another it is something else.
    if (mayScaleSums) {
      beginWith(*beginning(owning, false, Long::First), 128);
      if (auto pairs = inPairs(owning))
        beginWith(std::move(*pairs), 32);
    }
  }
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
