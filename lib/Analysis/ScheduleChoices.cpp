//===- ScheduleChoices.cpp - what a schedule may be -----------------------===//
//
// Which windows variables may have, and with which a search begins.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChoices.h"
#include "fuse/Analysis/RowPitch.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::search;

/// No single window is larger, unless several blocks hold it together.
static constexpr int64_t kLargestWindow = 16384;

/// Tensor cores take so many terms of 16-bit numbers at a time.
static constexpr int64_t kFewestTerms = 16;

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
  bool hasDot = false;
  for (const Element *reduction : view.reductions)
    if (reduction->kind() == ElementKind::Dot) {
      hasDot = true;
      bool isShort = llvm::all_of(reduction->boundVars(), [&](auto &var) {
        return var.size.isNumber() && var.size.getNumber() < kFewestTerms &&
               !isPaddedTerm(view, var);
      });
      if (isShort ||
          reduction->operands()[0]->type().getIntOrFloatBitWidth() != 16)
        return false;
    }
  return machine.hasGroups && hasDot;
}

/// Whether a variable is of fewer terms than tensor cores take at a time, of
/// one product beside others that have enough: it is padded, since what is done
/// without them lies otherwise in registers, and all would be turned each
/// round. 10000x1600 by 1600x2304 beside rank 4 took 588 us so, and 134 padded.
bool Search::isPaddedTerm(const KernelView &view, const IndexVar &var) const {
  auto isShort = [](const Element *dot) {
    return llvm::all_of(dot->boundVars(), [&](const IndexVar &bound) {
      return bound.size.isNumber() && bound.size.getNumber() < kFewestTerms;
    });
  };
  auto isOf16Bits = [](const Element *reduction) {
    return reduction->kind() == ElementKind::Dot &&
           reduction->operands()[0]->type().getIntOrFloatBitWidth() == 16;
  };
  return machine.leastColumns > 1 && var.level != IndexVar::kOutput &&
         llvm::all_of(view.reductions, isOf16Bits) &&
         !llvm::all_of(view.reductions, isShort) &&
         llvm::any_of(view.reductions, [&](const Element *dot) {
           return isShort(dot) && dot->boundVars().size() == 1 &&
                  dot->boundVars().front() == var;
         });
}

/// Whether products are done in parts, of f32 numbers: then terms come in any
/// eights.
static bool areInParts(const KernelView &view) {
  return llvm::any_of(view.reductions, [](const Element *reduction) {
    return reduction->kind() == ElementKind::Dot &&
           reduction->precision() == Precision::Tf32x3;
  });
}

/// Whether a product has other terms beside those of a variable.
static bool hasOtherTerms(const KernelView &view, const IndexVar &var) {
  return llvm::any_of(view.reductions, [&](const Element *reduction) {
    return reduction->kind() == ElementKind::Dot &&
           reduction->boundVars().size() > 1 &&
           llvm::is_contained(reduction->boundVars(), var);
  });
}

/// Whether a kernel is products of such numbers, each of one loop.
bool Search::areFlatProducts(const KernelView &view) const {
  return !isQuick && areAnyColumns(view) && view.grid.size() > 1 &&
         llvm::all_of(view.reductions, [](const Element *reduction) {
           return reduction->kind() == ElementKind::Dot &&
                  reduction->boundVars().size() == 1;
         });
}

/// Whether a kernel is a single product of such numbers.
bool Search::isOneProduct(const KernelView &view) const {
  return view.reductions.size() == 1 && areAnyColumns(view);
}

/// Whether only one factor of a single product varies with a variable.
bool Search::isRowOfProduct(const KernelView &view, const IndexVar &var) const {
  return !isQuick && isOneProduct(view) &&
         llvm::count_if(view.reductions.front()->operands(),
                        [&](const Element *factor) {
                          return factor->variesWith(var);
                        }) == 1;
}

/// Whether a variable is of so few rows of a single product that they are
/// columns of the transposed one, of which any eights do.
bool Search::isFewRows(const KernelView &view, const IndexVar &var) const {
  constexpr int64_t group = 64;
  return var.level == IndexVar::kOutput && var.size.isNumber() &&
         var.size.getNumber() < group && !view.grid.empty() &&
         !isColumn(view, var) && isRowOfProduct(view, var) &&
         view.grid.back().size.isNumber() &&
         view.grid.back().size.getNumber() >= group;
}

/// Whether a kernel is two products, no factor of which lies along a variable.
static bool areTwoAcross(const KernelView &view, const IndexVar &var) {
  return view.reductions.size() == 2 &&
         llvm::all_of(view.reductions, [&](const Element *reduction) {
           return reduction->kind() == ElementKind::Dot &&
                  llvm::none_of(reduction->operands(), [&](const Element *x) {
                    return x->kind() == ElementKind::Load && x->liesAlong(var);
                  });
         });
}

/// Whether all products are of tf32, and columns lie along k, so that they need
/// not be turned: 1536x896 by 896x6144 took 63.5 us in 128 columns, and 49.3 in
/// 192. Turned, a thread spills that has so many sums.
bool Search::areTf32AlongK(const KernelView &view) const {
  return machine.hasGroups && !view.reductions.empty() &&
         llvm::all_of(view.reductions, [](const Element *reduction) {
           return reduction->kind() == ElementKind::Dot &&
                  reduction->operands()[0]->type().isF32() &&
                  reduction->precision() == Precision::Tf32 &&
                  reduction->operands()[1]->kind() == ElementKind::Load &&
                  reduction->operands()[1]->liesAlong(reduction->boundVars());
         });
}

/// Whether a variable is of columns that need not be a power of two: nine
/// blocks of 256 columns leave more processors idle than twelve of 192.
bool Search::isColumn(const KernelView &view, const IndexVar &var) const {
  return !view.grid.empty() && var == view.grid.back() &&
         (areAnyColumns(view) || areTf32AlongK(view));
}

/// Whether a variable is of rows of products, of which a group of warps may
/// have any sixty-fours.
bool Search::isRow(const KernelView &view, const IndexVar &var) const {
  return view.grid.size() > 1 && var == view.grid[view.grid.size() - 2] &&
         areFlatProducts(view);
}

/// Whether a variable may have a window: beside powers of two, rows, columns
/// and terms may have others, and the last variable all of itself. Half of 208
/// terms are no sixteens, which tensor cores cannot take together: LLVM and
/// ptxas took 20 s.
bool Search::mayHave(const KernelView &view, const IndexVar &var,
                     int64_t window) const {
  constexpr int64_t eights = 8, sixteens = 16, sixtyFours = 64;
  bool isTerms = var.level != IndexVar::kOutput;
  if (isPaddedTerm(view, var))
    return window == kFewestTerms;
  return machine.hasAnyTile || window <= 1 || llvm::isPowerOf2_64(window) ||
         (isColumn(view, var) && window % eights == 0) ||
         (isFewRows(view, var) && window % eights == 0) ||
         (isRow(view, var) && window % sixtyFours == 0) ||
         (isTerms && window % sixteens == 0 && areAnyColumns(view)) ||
         (isTerms && window % eights == 0 && areInParts(view)) ||
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

bool fuse::search::isNearMultiple(const IndexVar &var, int64_t window,
                                  bool isBeginning) {
  constexpr int64_t word = 8;
  if (!var.size.isNumber())
    return false;
  auto whole = static_cast<double>(var.size.getNumber());
  auto covered = [&](int64_t by) {
    return static_cast<double>(llvm::alignTo(var.size.getNumber(), by));
  };
  constexpr double little = 17.0 / 16, few = 8.0 / 7;
  double ofPower = covered(llvm::bit_floor(static_cast<uint64_t>(window)));
  return covered(window) == whole ||
         (var.size.getNumber() % word == 0 &&
          (covered(window) <= little * whole ||
           covered(window) <= (isBeginning ? few : 1) * ofPower));
}

/// Of windows of a variable whose size is known only those that are smaller
/// count, and some that are made for its size.
void Search::fitSizes(const KernelView &view, const IndexVar &var,
                      SmallVectorImpl<int64_t> &sizes) const {
  int64_t whole = var.size.getNumber();
  llvm::erase_if(sizes, [&](int64_t size) { return size >= whole; });
  if (whole >= 1 && machine.tileFor(whole) <= largestWindow(view, var))
    for (int64_t window : {wholeWindow(view, var), machine.tileFor(whole)})
      if (!llvm::is_contained(sizes, window))
        sizes.push_back(window);
  // Few terms have a window that is not much longer: 10000x77 by 77x777 took
  // 29.3 us in 128, and 26.4 in 80. So do keys: 512 queries of 1024 heads on
  // 77 took 92.2 us, and 48.0; but not heads of 40.
  constexpr int64_t fewTerms = 128, sixteens = 16, fewest = 64;
  if (int64_t size = llvm::alignTo(whole, sixteens);
      var.level != IndexVar::kOutput && whole < fewTerms &&
      (whole > fewest ? areAnyColumns(view) : isOneProduct(view)) &&
      !llvm::is_contained(sizes, size))
    sizes.push_back(size);
  // 24x2048 by 2048x5120, in rounds of 64, took 9.1 us in 32 rows, and 9.0 in
  // 24.
  constexpr int64_t eights = 8;
  if (int64_t size = llvm::alignTo(whole, eights);
      isFewRows(view, var) && whole > eights &&
      !llvm::is_contained(sizes, size))
    sizes.push_back(size);
  if (sizes.empty())
    sizes.push_back(1);
  if (mayBePadded(var) && hasDots(view)) {
    sizes.push_back(machine.leastColumns);
    // Few columns are too few to be rows of the transposed product: one query
    // of 384 heads with 32 features on 8192 keys took 189 us number by
    // number, and 114 in 16 rows.
    constexpr int64_t manyColumns = 64;
    if (machine.leastColumns > 1 && !view.grid.empty() &&
        var != view.grid.back() && view.grid.back().size.isNumber() &&
        view.grid.back().size.getNumber() < manyColumns)
      sizes.push_back(2 * machine.leastColumns);
  }
}

SmallVector<int64_t> Search::sizesFor(const KernelView &view,
                                      const IndexVar &var) const {
  if (isPaddedTerm(view, var))
    return {kFewestTerms};
  SmallVector<int64_t> sizes = {1, 4, 16, 64, 128, 256, 512};
  // What comes between in the rounds of a loop is how much is on its way, and
  // of columns that are held how much of a line a row of them is: softmax along
  // the second of 64x1000x512 bf16 took 57 us with 16, and 52 with 32.
  bool isHeld = machine.latency > 0 && !view.owned.empty() && !hasDots(view);
  if (var.level != IndexVar::kOutput || isHeld)
    sizes.insert(llvm::find(sizes, 64), 32);
  // If a round has other terms, too, a few of these are many.
  if (var.level != IndexVar::kOutput && hasOtherTerms(view, var))
    sizes.insert(llvm::find(sizes, 16), 8);
  // What does not stay in one window is best divided without a rest.
  constexpr int64_t step = 8, least = 40, most = 120;
  if (machine.hasGroups && var.level != IndexVar::kOutput &&
      var.size.isNumber() && areInParts(view))
    for (int64_t size = least; size <= most; size += step)
      if (!llvm::isPowerOf2_64(size) && var.size.getNumber() % size == 0)
        sizes.push_back(size);
  // With little behind the end. Where the copy engine cannot store, that was
  // slower: 128x3072 by 3072x50257 took 404 us, and 368 with 256.
  if (isColumn(view, var) && isNearMultiple(var, kWideColumns))
    sizes.insert(llvm::find(sizes, 256), kWideColumns);
  // Of two products side by side each has half of these, if columns are not
  // lines of 128 bytes: 2048x2048 by two of 2048x8192 took 190 us so, and 173
  // with 128.
  constexpr int64_t half = kWideColumns / 2;
  if (isColumn(view, var) && isNearMultiple(var, half) &&
      areTwoAcross(view, var))
    sizes.insert(llvm::find(sizes, 128), half);
  // Of what is only reduced a round may read more: nothing else goes on while
  // it waits for memory.
  if (machine.latency > 0 && var.level != IndexVar::kOutput && !hasDots(view))
    sizes.append({1024, 2048, 4096, 8192});
  if (isQuick)
    sizes = {1, 16, 128};
  if (var.size.isNumber())
    fitSizes(view, var, sizes);
  return sizes;
}

/// Small windows where there are many variables. `isResident`: reductions that
/// are not long in one window, so that what is nested in them is computed once.
/// From parts a descent does not find that, since each step costs.
std::optional<Choice> Search::beginning(OwnedVars owned, bool isResident,
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
    if (isPaddedTerm(*view, var))
      size = kFewestTerms;
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

/// Blocks that reduce to one number all that it is made of, at once. From
/// several rows, which are too much, no single step leads there.
std::optional<Choice> Search::ofOneRow(OwnedVars owned) {
  constexpr int64_t fewest = 128, most = 16384;
  if (hasDots(*kernel.view(owned)))
    return std::nullopt;
  Choice choice = *beginning(owned, /*isResident=*/false);
  int64_t numbers = 1;
  for (auto &[var, tile] : choice.tiles) {
    if (!var.size.isNumber())
      return std::nullopt;
    tile = var.level == IndexVar::kOutput
               ? 1
               : machine.tileFor(std::max<int64_t>(1, var.size.getNumber()));
    numbers *= tile;
  }
  if (numbers < fewest || numbers > most)
    return std::nullopt;
  return choice;
}

/// Blocks that have one of what is reduced along several variables, in rounds
/// as long as threads can hold, and then go through what it was made of. From a
/// few of them in short rounds several steps lead there: batch norm of
/// 16x256x3136 f32 took 128 us in two channels with rounds of 16 x 128, 45 in
/// one with 4 x 4096, and 78 where four blocks hold all of a channel.
std::optional<Choice> Search::ofLongRounds(OwnedVars owned) {
  constexpr int64_t longest = 4096, most = 1024;
  const KernelView &view = *kernel.view(owned);
  auto isReduced = [&](const IndexVar &var) {
    return llvm::any_of(view.reductions, [&](const Element *reduction) {
      return reduction->boundVars().size() > 1 &&
             llvm::any_of(reduction->boundVars(), [&](const IndexVar &bound) {
               return bound.size == var.size;
             });
    });
  };
  if (hasDots(view) || llvm::none_of(view.grid, isReduced))
    return std::nullopt;
  Choice choice = *beginning(owned, /*isResident=*/false);
  int64_t left = longest * 4;
  for (auto &[var, tile] : llvm::reverse(choice.tiles)) {
    if (!var.size.isNumber())
      return std::nullopt;
    int64_t whole = machine.tileFor(std::max<int64_t>(1, var.size.getNumber()));
    if (var.level == IndexVar::kOutput) {
      tile = isReduced(var) ? std::min(whole, most) : 1;
    } else {
      tile = std::min({whole, longest, left});
      left = std::max<int64_t>(left / tile, 1);
    }
  }
  return choice;
}

/// Blocks that read as much in a row as comes as fast as memory can. From
/// squares no single step leads there.
Choice Search::streaming(OwnedVars owned) {
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

/// Blocks of which a unit has two that multiply in parts, with one group of
/// four warps each: those have room for 64 rows, and for a few of what scales
/// sums. From larger ones that is several steps away.
std::optional<Choice> Search::inPairs(OwnedVars owned) {
  constexpr int64_t rows = 64, few = 4;
  const KernelView &view = *kernel.view(owned);
  if (isQuick || !machine.hasGroups || !areInParts(view))
    return std::nullopt;
  Choice choice = *beginning(owned, /*isResident=*/false, Long::First);
  for (auto &[var, tile] : choice.tiles)
    if (var.level == IndexVar::kOutput)
      tile = std::min(tile, rows);
  for (const Element *reduction : view.reductions)
    for (auto &[var, tile] : choice.tiles)
      if (reduction->boundVars().size() > 1 &&
          var == reduction->boundVars().back())
        tile = few;
  return choice;
}

/// Tiles of so many columns, where these do and make as many blocks as that;
/// from squares they are several steps away, of which each costs.
std::optional<Choice> Search::ofColumns(OwnedVars owned, int64_t columns,
                                        double fewest, double most) {
  const KernelView &view = *kernel.view(owned);
  bool isOne = isOneProduct(view) ||
               (areTf32AlongK(view) && view.reductions.size() == 1 &&
                columns == kWideColumns);
  if (isQuick || !isOne)
    return std::nullopt;
  // Of few rows the transposed product is made, and columns come in
  // sixty-fours.
  constexpr int64_t group = 64;
  Choice choice = *beginning(owned, /*isResident=*/false);
  // As many bytes a round as of 16-bit numbers.
  constexpr int64_t wideTerms = 32;
  if (areTf32AlongK(view))
    for (auto &[var, tile] : choice.tiles)
      if (var.level != IndexVar::kOutput)
        tile = std::min(tile, wideTerms);
  int64_t rows = choice.tiles.front().second;
  for (auto &[var, tile] : choice.tiles)
    if (isColumn(view, var) &&
        isNearMultiple(var, columns, /*isBeginning=*/true) &&
        (rows >= group || columns % group == 0)) {
      tile = columns;
      double blocks = blocksOf(choice);
      if (blocks >= fewest * machine.units && blocks <= most * machine.units)
        return choice;
    }
  return std::nullopt;
}

/// The same for two products side by side, which have half of them each. Where
/// there are many blocks 128 are as fast: 8000x768 by two of 768x2880 took 101
/// us so, and 110 in halves.
std::optional<Choice> Search::ofColumnsOfTwo(OwnedVars owned) {
  const KernelView &view = *kernel.view(owned);
  if (isQuick || view.reductions.size() != 2 || !areAnyColumns(view) ||
      view.reductions[0]->boundVars() != view.reductions[1]->boundVars())
    return std::nullopt;
  constexpr int64_t half = kWideColumns / 2;
  constexpr double mostTurns = 3;
  Choice choice = *beginning(owned, /*isResident=*/false);
  for (auto &[var, tile] : choice.tiles)
    if (isColumn(view, var) && isNearMultiple(var, half)) {
      tile = half;
      return blocksOf(choice) <= mostTurns * machine.units
                 ? std::optional(std::move(choice))
                 : std::nullopt;
    }
  return std::nullopt;
}

/// All of few rows, as many columns as four warps have rows for, and long
/// rounds; from wider tiles in chunks that is several steps away.
std::optional<Choice> Search::ofFewRows(OwnedVars owned) {
  constexpr int64_t eights = 8, group = 64, longRound = 128;
  const KernelView &view = *kernel.view(owned);
  Choice choice = *beginning(owned, /*isResident=*/false);
  bool areFew = false;
  for (auto &[var, tile] : choice.tiles) {
    if (isFewRows(view, var)) {
      tile = llvm::alignTo(var.size.getNumber(), eights);
      areFew = true;
    } else if (isColumn(view, var)) {
      tile = std::min(tile, group);
    } else if (var.level != IndexVar::kOutput && tile == longRound / 2) {
      tile = longRound;
    }
  }
  return areFew ? std::optional(std::move(choice)) : std::nullopt;
}

/// Whether rows of all factors are whole words, which the copy engine brings.
bool Search::haveWordRows(const KernelView &view) const {
  constexpr int64_t wordBytes = 16;
  return llvm::all_of(view.reductions, [&](const Element *reduction) {
    return llvm::all_of(reduction->operands(), [&](const Element *factor) {
      return factor->kind() != ElementKind::Load ||
             haveRowsAt(wordBytes, factor->tensor(), machine.pitchesRows);
    });
  });
}
