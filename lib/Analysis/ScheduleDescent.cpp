//===- ScheduleDescent.cpp - from one schedule to better ones -------------===//
//
// All steps from a schedule are tried, and each that gains is taken at once,
// until a round of them gains next to nothing.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChoices.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::search;

/// A descent ends when a round gains less than this.
static constexpr double kLeastGain = 0.02;

/// A step is taken if it gains more than this, unless it says otherwise.
static constexpr double kUsualGain = 0.001;

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

class Search::Descent {
public:
  /// `staysPadded`: no window may be too small for tensor cores.
  Descent(Search &search, Attempt start, bool staysPadded)
      : search(search), machine(search.machine), isQuick(search.isQuick),
        staysPadded(staysPadded), best(std::move(start)),
        view(*search.kernel.view(best.choice.owned)) {}

  Attempt run();

private:
  void consider(Choice choice, double leastGain = kUsualGain);
  void resize();
  void holdWhole();
  void swapTiles();
  void reshape();
  void chunk();
  void changeStrategies();
  void enlarge();

  Search &search;
  const Machine &machine;
  bool isQuick, staysPadded;
  Attempt best;
  const KernelView &view;
};

void Search::Descent::consider(Choice choice, double leastGain) {
  Attempt other = search.attempt(std::move(choice));
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
}

/// Gives each variable each window that it may have.
void Search::Descent::resize() {
  constexpr double worthTensorCores = 0.05;
  for (size_t i = 0; i < best.choice.tiles.size(); ++i) {
    const IndexVar var = best.choice.tiles[i].first;
    for (int64_t size : search.sizesFor(view, var)) {
      Choice choice = best.choice;
      int64_t &tile = choice.tiles[i].second;
      if (tile == size)
        continue;
      bool losesTensorCores = size < tile && search.isPadded(view, var);
      if (losesTensorCores && staysPadded)
        continue;
      tile = size;
      consider(std::move(choice),
               losesTensorCores ? worthTensorCores : kUsualGain);
    }
  }
}

/// What is held whole takes room that another window has to give up. On a
/// processor that led to larger blocks of attention which took 4.9 s to compile
/// instead of 0.9, when LLVM still unrolled all their loops; whether it would
/// pay there now has not been measured.
void Search::Descent::holdWhole() {
  if (machine.hasAnyTile)
    return;
  for (size_t i = 0; i < best.choice.tiles.size(); ++i)
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
}

/// What reads as much the other way round is two steps away, too, and may be
/// multiplied by other instructions.
void Search::Descent::swapTiles() {
  auto isShorter = [&](const IndexVar &var, int64_t tile) {
    return var.size.isNumber() && machine.tileFor(var.size.getNumber()) < tile;
  };
  for (size_t i = 0; i < best.choice.tiles.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      Choice choice = best.choice;
      auto &[a, tileOfA] = choice.tiles[i];
      auto &[c, tileOfC] = choice.tiles[j];
      if (a.level != IndexVar::kOutput || c.level != IndexVar::kOutput ||
          tileOfA == tileOfC || isShorter(a, tileOfC) || isShorter(c, tileOfA))
        continue;
      std::swap(tileOfA, tileOfC);
      consider(std::move(choice));
    }
}

/// So is what has as many elements, more along one variable and fewer along
/// another, where blocks choose by the latter what they read.
void Search::Descent::reshape() {
  constexpr int64_t factor = 16;
  for (size_t i = 0; best.cost.isChoosing && view.reductions.empty() &&
                     i < best.choice.tiles.size();
       ++i)
    for (size_t j = 0; j < best.choice.tiles.size(); ++j) {
      Choice choice = best.choice;
      int64_t &more = choice.tiles[i].second, &fewer = choice.tiles[j].second;
      for (int64_t by = 2; i != j && by <= factor && fewer % 2 == 0; by *= 2) {
        more *= 2;
        fewer /= 2;
        consider(choice);
      }
    }
}

/// Splits loops into chunks, which a launch of its own or a cluster merges.
void Search::Descent::chunk() {
  for (int64_t split : search.chunksFor(best))
    for (bool isCluster : {false, true}) {
      Choice choice = best.choice;
      bool isSame =
          choice.split == split && choice.mergesInCluster == isCluster;
      if (isSame || (isCluster && (split < 2 || split > machine.mostShares ||
                                   !search.isOneProduct(view))))
        continue;
      choice.split = split;
      choice.mergesInCluster = isCluster;
      consider(std::move(choice));
    }
}

void Search::Descent::changeStrategies() {
  for (auto [isSequential, isPilot] :
       {std::pair(false, false), {true, false}, {false, true}}) {
    Choice choice = best.choice;
    choice.isSequential = isSequential;
    choice.isPilot = isPilot;
    consider(std::move(choice));
  }
}

/// A larger tile whose rounds read no more, or twice as much, is two steps
/// away, of which neither may be worth it alone.
void Search::Descent::enlarge() {
  constexpr double leastGain = 0.02;
  constexpr int64_t leastTile = 128;
  for (size_t i = 0; i < best.choice.tiles.size(); ++i) {
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
    // One block with two groups of warps takes longer rounds than two with one
    // each, where rounds take their sums.
    for (size_t j = 0; j < larger.tiles.size(); ++j)
      if (choice = larger;
          view.reductions.size() > 1 && lengthenRounds(choice, j, machine))
        consider(std::move(choice), leastGain);
  }
}

Attempt Search::Descent::run() {
  const int mostRounds = isQuick ? 1 : 3;
  for (int round = 0; round < mostRounds; ++round) {
    double before = best.seconds();
    resize();
    if (!isQuick) {
      holdWhole();
      swapTiles();
      reshape();
    }
    chunk();
    changeStrategies();
    if (!isQuick)
      enlarge();
    auto isSettled = [&] { return best.seconds() > before * (1 - kLeastGain); };
    if (isSettled() && !isQuick)
      best = search.trade(std::move(best));
    if (isSettled())
      break;
  }
  if (std::optional<Choice> choice = search.fillUnits(best.choice))
    consider(std::move(*choice), kLeastGain);
  return std::move(best);
}

Attempt Search::descend(Choice from, bool staysPadded) {
  Attempt start = attempt(std::move(from));
  // What has no nest has none with other windows.
  if (!start.nest)
    return start;
  return Descent(*this, std::move(start), staysPadded).run();
}
