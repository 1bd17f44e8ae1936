//===- ScheduleSearch.cpp - the best schedule of one kernel ---------------===//
//
// The choices, and the descent.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/ScheduleSearch.h"
#include "ScaleSums.h"
#include "WarpsOfSchedule.h"
#include "fuse/Analysis/ScheduleOptions.h"

using namespace mlir;
using namespace fuse;

namespace {

/// One point in the space of schedules.
struct Choice {
  SmallVector<std::pair<IndexVar, int64_t>> tiles;
  unsigned owned = 0;
  int64_t split = 1;
  bool isSequential = false, isPilot = false, mergesInCluster = false;

  NestOptions options() const {
    NestOptions options;
    for (const auto &[var, tile] : tiles)
      options.sizes.set(var, tile);
    options.owned = owned;
    options.split = split;
    options.mergesInCluster = mergesInCluster;
    options.preferSequential = isSequential;
    options.preferPilot = isPilot;
    return options;
  }

  friend bool operator<(const Choice &a, const Choice &b) {
    auto all = [](const Choice &choice) {
      return std::tie(choice.tiles, choice.owned, choice.split,
                      choice.isSequential, choice.isPilot,
                      choice.mergesInCluster);
    };
    return all(a) < all(b);
  }
};

struct Attempt {
  Choice choice;
  Cost cost;
  std::shared_ptr<KernelNest> nest;
  /// It has a nest, but may not be taken. A descent may begin there.
  bool isRejected = false;
  std::string whyNot;

  double seconds() const {
    return nest && !isRejected ? cost.seconds
                               : std::numeric_limits<double>::infinity();
  }
  /// Of what takes the same time, that which reads less: a row that is held is
  /// read once, and memory may be as busy as with one that is read twice. Of
  /// rows that are held in both, smaller blocks, of which some compute while
  /// others wait; rounds wait for less where they are longer.
  bool isBetterThan(const Attempt &other, const Machine &machine) const {
    bool isSame = nest && other.nest &&
                  std::abs(seconds() - other.seconds()) <
                      machine.sameTime * other.seconds();
    bool isOfRows =
        cost.dotSeconds == 0 && !cost.isStreaming && !cost.hasRounds;
    if (isSame && cost.cacheBytes == other.cost.cacheBytes)
      return isOfRows && seconds() == other.seconds() &&
             cost.blocks > other.cost.blocks;
    return isSame ? cost.cacheBytes < other.cost.cacheBytes
                  : seconds() < other.seconds();
  }
};

class Search {
public:
  Search(KernelElements &kernel, ArrayRef<Value> roots, const Machine &machine,
         SearchEffort effort, ArrayRef<Schedule> rejected)
      : kernel(kernel), roots(roots), machine(machine), rejected(rejected),
        isQuick(effort == SearchEffort::Quick) {}

  ScheduledKernel find();

private:
  /// Of the variables of a reduction which one has a window to begin with.
  enum class Long { First, Last };
  std::optional<Choice> beginning(unsigned owned, bool isResident,
                                  Long inReductions = Long::Last);
  Choice streaming(unsigned owned);
  std::optional<Choice> ofColumns(unsigned owned, int64_t columns,
                                  double fewest, double most);
  Attempt attempt(Choice choice);
  bool isRejected(const Attempt &attempt) const;
  Attempt descend(Choice from);
  double blocksOf(const Choice &choice);
  Attempt trade(Attempt best);
  Attempt mergeInCluster(Attempt best);
  int64_t largestWindow(const KernelView &view, const IndexVar &var) const;
  SmallVector<int64_t> sizesFor(const KernelView &view,
                                const IndexVar &var) const;
  bool areAnyColumns(const KernelView &view) const;
  bool isOneProduct(const KernelView &view) const;
  bool isColumn(const KernelView &view, const IndexVar &var) const;
  int64_t wholeWindow(const KernelView &view, const IndexVar &var) const;
  bool mayHave(const KernelView &view, const IndexVar &var,
               int64_t window) const;
  bool mayBePadded(const IndexVar &var) const;
  bool isPadded(const KernelView &view, const IndexVar &var) const;

  /// What the structure of a nest depends on. Apart from it window sizes and
  /// the number of chunks change nothing but the cost, and nests are not built
  /// anew for them.
  struct Structure {
    std::vector<bool> windows;
    /// The windows themselves, where they say whether factors scale sums.
    std::vector<int64_t> sizes;
    unsigned owned;
    bool isSplit, isSequential, isPilot;

    auto operator<=>(const Structure &) const = default;
  };
  struct Known {
    std::shared_ptr<KernelNest> nest;
    std::string whyNot;
  };
  Structure structureOf(const Choice &choice) const;
  const Known &known(const Choice &choice);
  const Known &nestFor(Choice &choice);

  KernelElements &kernel;
  ArrayRef<Value> roots;
  const Machine &machine;
  ArrayRef<Schedule> rejected;
  bool isQuick;
  bool mayScaleSums = false;
  std::map<Structure, Known> nests;
  std::map<Choice, Cost> costs;
};

} // namespace

/// A descent ends when a round gains less than this.
static constexpr double kLeastGain = 0.02;
static constexpr int64_t kLongestResident = 1024;
/// Between powers of two, for columns.
static constexpr int64_t kWideColumns = 192;
/// No single window is larger, unless several blocks hold it together.
static constexpr int64_t kLargestWindow = 16384;

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
      entry->second = costOf(*known.nest, roots, kernel.sizes(), machine);
    }
    attempt.cost = entry->second;
  }
  attempt.choice = std::move(choice);
  attempt.isRejected = attempt.nest && isRejected(attempt);
  return attempt;
}

static bool hasDots(const KernelView &view) {
  return llvm::any_of(view.reductions, [](const Element *reduction) {
    return reduction->kind() == ElementKind::Dot;
  });
}

/// Whether a variable may have a window beyond its end: what a product has too
/// few of for tensor cores can be padded.
bool Search::mayBePadded(const IndexVar &var) const {
  return var.level == IndexVar::kOutput && var.size.isNumber() &&
         var.size.getNumber() >= 1 &&
         var.size.getNumber() < machine.leastColumns;
}

/// Whether it is padded unless that costs something. Tensor cores have time
/// while the other factor is read. It is not where elements of its own factor
/// follow each other along it, which then are too few to be copied.
bool Search::isPadded(const KernelView &view, const IndexVar &var) const {
  auto isPaddable = [&](const Element *factor) {
    return factor->kind() == ElementKind::Load && !factor->indices().empty() &&
           (factor->type().isF16() || factor->type().isBF16()) &&
           factor->variesWith(var) && !factor->liesAlong(var);
  };
  return mayBePadded(var) &&
         llvm::any_of(view.reductions, [&](const Element *reduction) {
           return reduction->kind() == ElementKind::Dot &&
                  llvm::any_of(reduction->operands(), isPaddable);
         });
}

/// Whether four warps together do all products, of 16-bit numbers, which need
/// not be turned: then any eights of columns do, and any sixteens of terms.
/// Rows come in sixty-fours for each group of warps.
bool Search::areAnyColumns(const KernelView &view) const {
  constexpr int64_t fewestTerms = 16;
  bool hasDot = false;
  for (const Element *reduction : view.reductions)
    if (reduction->kind() == ElementKind::Dot) {
      hasDot = true;
      bool isShort = llvm::all_of(reduction->boundVars(), [](auto &var) {
        return var.size.isNumber() && var.size.getNumber() < fewestTerms;
      });
      if (isShort ||
          reduction->operands()[0]->type().getIntOrFloatBitWidth() != 16)
        return false;
    }
  return machine.hasGroups && hasDot;
}

/// Whether a kernel is a single product of such numbers.
bool Search::isOneProduct(const KernelView &view) const {
  return view.reductions.size() == 1 && areAnyColumns(view);
}

/// Whether a variable is of columns of which any eights do: nine blocks of 256
/// columns leave more processors idle than twelve of 192.
bool Search::isColumn(const KernelView &view, const IndexVar &var) const {
  return !view.grid.empty() && var == view.grid.back() && areAnyColumns(view);
}

/// Whether a variable may have a window: beside powers of two, columns and
/// terms may have others, and the last variable all of itself. Half of 208
/// terms are no sixteens, which tensor cores cannot take together: LLVM and
/// ptxas took 20 s.
bool Search::mayHave(const KernelView &view, const IndexVar &var,
                     int64_t window) const {
  constexpr int64_t eights = 8, sixteens = 16;
  bool isTerms = var.level != IndexVar::kOutput;
  return machine.hasAnyTile || window <= 1 || llvm::isPowerOf2_64(window) ||
         (isColumn(view, var) && window % eights == 0) ||
         (isTerms && window % sixteens == 0 && areAnyColumns(view)) ||
         (var.size.isNumber() && window == wholeWindow(view, var));
}

/// The window that is all of a variable whose size is known. Heads of 80 and 96
/// are not padded to 128 where that need not be: the former took 104 us so, and
/// 119 padded. Below that it is no gain: of 40 they took 40 us in 48, and 37 in
/// 64.
int64_t Search::wholeWindow(const KernelView &view, const IndexVar &var) const {
  constexpr int64_t least = 32, leastOfLong = 16, mostPadded = 64, most = 256;
  int64_t whole = var.size.getNumber();
  bool isLast = var.level != IndexVar::kOutput ||
                (!view.owned.empty() && var == view.owned.back()) ||
                (!view.grid.empty() && var == view.grid.back());
  bool isExact = whole % (whole > mostPadded ? leastOfLong : least) == 0 &&
                 whole <= most && isLast;
  return isExact && areAnyColumns(view) ? whole : machine.tileFor(whole);
}

/// The largest window of a variable that is whole.
int64_t Search::largestWindow(const KernelView &view,
                              const IndexVar &var) const {
  bool isShared =
      !hasDots(view) &&
      llvm::any_of(view.reductions, [&](const Element *reduction) {
        return llvm::any_of(reduction->boundVars(), [&](const IndexVar &bound) {
          return bound.size == var.size;
        });
      });
  // Of narrow numbers a block holds twice as many.
  constexpr int64_t ofNarrow = 2;
  return isShared ? kLargestWindow * machine.mostShares * ofNarrow
                  : kLargestWindow;
}

/// Whether windows of so many leave little behind the end, and the copy engine
/// can store what they make.
static bool isNearMultiple(const IndexVar &var, int64_t window) {
  constexpr int64_t word = 8, most = 17, of = 16;
  if (!var.size.isNumber())
    return false;
  int64_t whole = var.size.getNumber();
  return whole % window == 0 ||
         (whole % word == 0 &&
          of * static_cast<int64_t>(llvm::alignTo(whole, window)) <=
              most * whole);
}

SmallVector<int64_t> Search::sizesFor(const KernelView &view,
                                      const IndexVar &var) const {
  SmallVector<int64_t> sizes = {1, 4, 16, 64, 128, 256, 512};
  // What comes between in the rounds of a loop is how much is on its way.
  if (var.level != IndexVar::kOutput)
    sizes.insert(llvm::find(sizes, 64), 32);
  // With little behind the end. Where the copy engine cannot store, that was
  // slower: 128x3072 by 3072x50257 took 404 us, and 368 with 256.
  if (isColumn(view, var) && isNearMultiple(var, kWideColumns))
    sizes.insert(llvm::find(sizes, 256), kWideColumns);
  // Of what is only reduced a round may read more: nothing else goes on while
  // it waits for memory.
  if (machine.latency > 0 && var.level != IndexVar::kOutput && !hasDots(view))
    sizes.append({1024, 2048, 4096, 8192});
  if (isQuick)
    sizes = {1, 16, 128};
  if (var.size.isNumber()) {
    int64_t whole = var.size.getNumber();
    llvm::erase_if(sizes, [&](int64_t size) { return size >= whole; });
    if (whole >= 1 && machine.tileFor(whole) <= largestWindow(view, var))
      for (int64_t window : {wholeWindow(view, var), machine.tileFor(whole)})
        if (!llvm::is_contained(sizes, window))
          sizes.push_back(window);
    if (sizes.empty())
      sizes.push_back(1);
    if (mayBePadded(var) && hasDots(view))
      sizes.push_back(machine.leastColumns);
  }
  return sizes;
}

/// Small windows where there are many variables. `isResident`: reductions that
/// are not long in one window, so that what is nested in them is computed once.
/// From parts a descent does not find that, since each step costs.
std::optional<Choice> Search::beginning(unsigned owned, bool isResident,
                                        Long inReductions) {
  const KernelView *view = kernel.view(owned);
  if (!view)
    return std::nullopt;
  Choice choice;
  choice.owned = owned;
  auto add = [&](const IndexVar &var, int64_t size) {
    for (const auto &known : choice.tiles)
      if (known.first == var)
        return;
    // What is short is not worth a loop. Sizes that are given here are powers
    // of two.
    if (var.size.isNumber()) {
      int64_t whole = std::max<int64_t>(var.size.getNumber(), 1);
      size = machine.tileFor(whole <= 32 ? whole : std::min(size, whole));
    }
    if (isPadded(*view, var))
      size = machine.leastColumns;
    choice.tiles.push_back({var, size});
  };
  auto isWhole = [&](const IndexVar &var) {
    return isResident && var.size.isNumber() &&
           machine.tileFor(var.size.getNumber()) <= largestWindow(*view, var);
  };
  // Rows that are held whole are long enough by themselves.
  bool isLong = llvm::any_of(view->owned, [&](const IndexVar &var) {
    return isWhole(var) && var.size.getNumber() > kLongestResident / 2;
  });
  unsigned total = view->grid.size() + view->owned.size();
  for (auto [i, var] : llvm::enumerate(view->grid))
    add(var, i + 2 < total || isLong ? 1 : 128);
  for (const IndexVar &var : view->owned)
    add(var, isWhole(var) ? var.size.getNumber() : 128);
  for (const Element *reduction : view->reductions) {
    ArrayRef<IndexVar> bound = reduction->boundVars();
    const IndexVar &longVar =
        inReductions == Long::First ? bound.front() : bound.back();
    for (const IndexVar &var : bound) {
      bool isHeld = isWhole(var) && var.size.getNumber() <= kLongestResident;
      add(var, isHeld ? var.size.getNumber() : var == longVar ? 64 : 1);
    }
  }
  return choice;
}

/// Blocks that read as much in a row as comes as fast as memory can. From
/// squares no single step leads there.
Choice Search::streaming(unsigned owned) {
  Choice choice = *beginning(owned, /*isResident=*/false);
  Type element = getElementTypeOrSelf(roots.front().getType());
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  int64_t left = static_cast<int64_t>(machine.streamedTile) * 8 / bits;
  for (auto &[var, tile] : llvm::reverse(choice.tiles)) {
    // What is not known may be short.
    constexpr int64_t unknown = 128;
    tile = std::clamp<int64_t>(
        var.size.isNumber() ? machine.tileFor(var.size.getNumber()) : unknown,
        1, left);
    left /= tile;
  }
  return choice;
}

/// Tiles of so many columns, where these do and make as many blocks as that;
/// from squares they are several steps away, of which each costs.
std::optional<Choice> Search::ofColumns(unsigned owned, int64_t columns,
                                        double fewest, double most) {
  const KernelView &view = *kernel.view(owned);
  if (isQuick || !isOneProduct(view))
    return std::nullopt;
  // Of few rows the transposed product is made, and columns come in
  // sixty-fours.
  constexpr int64_t group = 64;
  Choice choice = *beginning(owned, /*isResident=*/false);
  int64_t rows = choice.tiles.front().second;
  for (auto &[var, tile] : choice.tiles)
    if (isColumn(view, var) && isNearMultiple(var, columns) &&
        (rows >= group || columns % group == 0)) {
      tile = columns;
      double blocks = blocksOf(choice);
      if (blocks >= fewest * machine.units && blocks <= most * machine.units)
        return choice;
    }
  return std::nullopt;
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

Attempt Search::descend(Choice from) {
  Attempt best = attempt(std::move(from));
  // What has no nest has none with other windows.
  if (!best.nest)
    return best;
  auto consider = [&](Choice choice, double leastGain = 0.001) {
    Attempt other = attempt(std::move(choice));
    if (other.seconds() < best.seconds() * (1 - leastGain))
      best = std::move(other);
  };
  const KernelView &view = *kernel.view(best.choice.owned);
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
    for (int64_t split : {1, 2, 4, 8, 16, 32, 64, 128, 256})
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
  return best;
}

/// Writes down what an attempt chose, strategies included.
static Schedule scheduleOf(const Attempt &attempt, const Machine &machine) {
  use(*attempt.nest, attempt.choice);
  Schedule schedule;
  for (const auto &[var, tile] : attempt.choice.tiles) {
    if (var.level == IndexVar::kOutput)
      schedule.parallel.push_back(tile);
    else
      schedule.sequential.push_back({loopNameOf(var), tile});
  }
  schedule.owned = attempt.choice.owned;
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

static ScheduledKernel record(const Attempt &attempt, const Machine &machine) {
  ScheduledKernel result;
  if (!attempt.nest || attempt.isRejected) {
    result.whyNot =
        attempt.nest ? "all schedules were rejected" : attempt.whyNot;
    return result;
  }
  result.schedule = scheduleOf(attempt, machine);
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
  Schedule schedule = scheduleOf(attempt, machine);
  return llvm::any_of(rejected, [&](const Schedule &other) {
    return haveSameCode(schedule, other);
  });
}

ScheduledKernel Search::find() {
  std::optional<unsigned> owned = kernel.deriveOwned();
  if (!owned) {
    ScheduledKernel none;
    none.whyNot = kernel.whyNot().str();
    return none;
  }
  SmallVector<unsigned> ownings = {*owned};
  if (*owned != 0 && !isQuick)
    ownings.push_back(0);
  Attempt best;
  best.whyNot = "no schedule was found";
  for (unsigned owning : ownings) {
    const KernelView *view = kernel.view(owning);
    if (!view)
      continue;
    bool hasReductions = !view->reductions.empty();
    mayScaleSums = llvm::any_of(view->reductions, nest::mayScaleSum);
    auto beginWith = [&](Choice choice, int64_t split) {
      choice.split = split;
      Attempt found = mergeInCluster(descend(std::move(choice)));
      if (!best.nest || found.isBetterThan(best, machine))
        best = std::move(found);
    };
    beginWith(*beginning(owning, false), 1);
    if (!hasReductions && machine.streamedTile > 0)
      beginWith(streaming(owning), 1);
    if (!hasReductions || isQuick)
      continue;
    beginWith(*beginning(owning, false), 32);
    beginWith(*beginning(owning, true), 1);
    // 1024x11008 by 11008x3072 took 112 us in 128 x 128, split in two, and 90
    // in 128 x 192; 128x3072 by 3072x11008, which 128 x 96 leave in one piece
    // for each of nearly all units, 26.1 and 22.4.
    constexpr double third = 1.0 / 3, mostOf = 0.75, one = 1;
    double any = std::numeric_limits<double>::infinity();
    if (auto wide = ofColumns(owning, kWideColumns, third, any))
      beginWith(std::move(*wide), 1);
    if (auto narrow = ofColumns(owning, kWideColumns / 2, mostOf, one))
      beginWith(std::move(*narrow), 1);
    // What does not vary in the window of one variable scales sums; in that of
    // another it is something else.
    if (mayScaleSums)
      beginWith(*beginning(owning, false, Long::First), 128);
  }
  return record(best, machine);
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
