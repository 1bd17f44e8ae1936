//===- ScheduleChoices.h - what a schedule may be ---------------*- C++ -*-===//
//
// The search for a kernel's schedule: its points, and which there are.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_ANALYSIS_SCHEDULECHOICES_H
#define FUSE_LIB_ANALYSIS_SCHEDULECHOICES_H

#include "fuse/Analysis/ScheduleSearch.h"

namespace fuse::search {

/// One point in the space of schedules.
struct Choice {
  llvm::SmallVector<std::pair<IndexVar, int64_t>> tiles;
  OwnedVars owned = 0;
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
  Search(KernelElements &kernel, llvm::ArrayRef<mlir::Value> roots,
         const Machine &machine, SearchEffort effort,
         llvm::ArrayRef<Schedule> rejected)
      : kernel(kernel), roots(roots), machine(machine), rejected(rejected),
        isQuick(effort == SearchEffort::Quick) {}

  ScheduledKernel find();

private:
  /// Of the variables of a reduction which one has a window to begin with.
  enum class Long { First, Last };
  std::optional<Choice> beginning(OwnedVars owned, bool isResident,
                                  Long inReductions = Long::Last);
  std::optional<Choice> ofOneRow(OwnedVars owned);
  Choice streaming(OwnedVars owned);
  std::optional<Choice> inPairs(OwnedVars owned);
  std::optional<Choice> ofColumns(OwnedVars owned, int64_t columns,
                                  double fewest, double most);
  std::optional<Choice> ofColumnsOfTwo(OwnedVars owned);
  std::optional<Choice> ofFewRows(OwnedVars owned);
  struct ProductTiles;
  ProductTiles tilesToTry(const KernelView &view, const Choice &start,
                          bool isTf32) const;
  std::optional<Choice> bestTiles(OwnedVars owned);
  std::optional<Choice> bestTilesOfNumbers(OwnedVars owned);
  std::optional<Choice> ofLongRounds(OwnedVars owned);
  Attempt attempt(Choice choice);
  Schedule scheduleOf(const Attempt &attempt) const;
  ScheduledKernel record(const Attempt &attempt) const;
  bool isRejected(const Attempt &attempt) const;
  class Descent;
  Attempt descend(Choice from, bool staysPadded);
  llvm::SmallVector<OwnedVars> ownings(OwnedVars derived) const;
  void searchWith(OwnedVars owning, const KernelView &view, Attempt &best);
  void searchRows(OwnedVars owning, Attempt &best);
  void searchProducts(OwnedVars owning, const KernelView &view, Attempt &best);
  /// Descends from there, and takes what it finds if that gains enough.
  void beginWith(Attempt &best, Choice choice, int64_t split,
                 double leastGain = 0, bool staysPadded = false);
  llvm::SmallVector<int64_t> chunksFor(const Attempt &best);
  double blocksOf(const Choice &choice);
  Attempt trade(Attempt best);
  std::optional<Choice> fillUnits(Choice choice);
  Attempt mergeInCluster(Attempt best);
  int64_t largestWindow(const KernelView &view, const IndexVar &var) const;
  llvm::SmallVector<int64_t> sizesFor(const KernelView &view,
                                      const IndexVar &var) const;
  void fitSizes(const KernelView &view, const IndexVar &var,
                llvm::SmallVectorImpl<int64_t> &sizes) const;
  bool areAnyColumns(const KernelView &view) const;
  bool isOneProduct(const KernelView &view) const;
  bool areFlatProducts(const KernelView &view) const;
  bool isPaddedTerm(const KernelView &view, const IndexVar &var) const;
  bool haveWordRows(const KernelView &view) const;
  static bool isAlongFactor(const KernelView &view, const IndexVar &column);
  bool isRow(const KernelView &view, const IndexVar &var) const;
  bool isRowOfProduct(const KernelView &view, const IndexVar &var) const;
  bool areTf32AlongK(const KernelView &view) const;
  bool isFewRows(const KernelView &view, const IndexVar &var) const;
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
    /// The windows themselves, where they say whether factors scale sums, or
    /// are those of parts of loops, too.
    std::vector<int64_t> sizes;
    OwnedVars owned;
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
  llvm::ArrayRef<mlir::Value> roots;
  const Machine &machine;
  llvm::ArrayRef<Schedule> rejected;
  bool isQuick;
  bool mayScaleSums = false, mayHaveSeams = false;
  std::map<Structure, Known> nests;
  std::map<Choice, Cost> costs;
  BlockTruths truths;
};

/// What is whole up to here is one window to begin with.
constexpr int64_t kLongestResident = 1024;
/// Between powers of two, for columns.
constexpr int64_t kWideColumns = 192;

/// Whether windows of so many leave little behind the end, or no more than
/// those of the power of two below it, and the copy engine can store what they
/// make. `isBeginning`: a few more may be left where a search begins there:
/// 5000x5000 by 5000x1000 took 124 us in 128 columns, and 86 in 192.
bool isNearMultiple(const IndexVar &var, int64_t window,
                    bool isBeginning = false);

} // namespace fuse::search

#endif // FUSE_LIB_ANALYSIS_SCHEDULECHOICES_H
