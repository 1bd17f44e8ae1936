//===- ScheduleTiles.cpp - all tiles of a product -------------------------===//
//
// What a product costs that is no nest is soon known, so all of its tiles are
// looked at where a descent goes from one power of two to the next.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChoices.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::search;

static constexpr int64_t sixteens = 16, sixtyFours = 64;

static int64_t &tileOf(Choice &choice, const IndexVar &var) {
  return llvm::find_if(choice.tiles,
                       [&](auto &entry) { return entry.first == var; })
      ->second;
}

/// Whether a factor lies along columns: then the engine brings sixty-four of
/// them at a time.
bool Search::isAlongFactor(const KernelView &view, const IndexVar &column) {
  return llvm::any_of(view.reductions, [&](const Element *reduction) {
    return llvm::any_of(reduction->operands(), [&](const Element *factor) {
      return factor->kind() == ElementKind::Load &&
             factor->variesWith(column) && factor->liesAlong(column);
    });
  });
}

/// Windows to try of what a product has, those of a beginning first.
struct Search::ProductTiles {
  IndexVar row, column, term;
  SmallVector<int64_t> rows, columns, terms;
};

Search::ProductTiles Search::tilesToTry(const KernelView &view,
                                        const Choice &start,
                                        bool isTf32) const {
  constexpr int64_t least = 48, most = 256;
  Choice choice = start;
  const IndexVar &row = view.grid[view.grid.size() - 2],
                 &column = view.grid.back();
  // What threads bring is counted less well: 128x50257 by 50257x768, along k,
  // took 138 us in 128 x 48, and 64 in 128 x 32.
  bool areWords = haveWordRows(view);
  auto isWorthwhile = [&](const IndexVar &var, int64_t window, int64_t step) {
    if (!var.size.isNumber())
      return llvm::isPowerOf2_64(window);
    return window <= int64_t(llvm::alignTo(var.size.getNumber(), step)) &&
           (llvm::isPowerOf2_64(window) ||
            (areWords && isNearMultiple(var, window, /*isBeginning=*/true)));
  };
  SmallVector<int64_t> rows{tileOf(choice, row)},
      columns{tileOf(choice, column)}, terms;
  if (rows.front() >= sixtyFours && row.size.isNumber() && !isTf32)
    rows.append({sixteens, 2 * sixteens});
  if (rows.front() >= sixtyFours)
    for (int64_t size = sixtyFours; size <= most; size += sixtyFours)
      if (size != rows.front() && (!isTf32 || llvm::isPowerOf2_64(size)) &&
          isWorthwhile(row, size, sixtyFours))
        rows.push_back(size);
  bool areOfSixtyFours =
      isAlongFactor(view, column) || rows.front() < sixtyFours;
  int64_t step = areOfSixtyFours ? sixtyFours : sixteens;
  if (columns.front() >= sixtyFours)
    for (int64_t size = areOfSixtyFours ? step : least; size <= most;
         size += step)
      if (size != columns.front() && isWorthwhile(column, size, step))
        columns.push_back(size);
  const IndexVar *term = nullptr;
  for (const auto &[var, tile] : choice.tiles)
    if (var.level != IndexVar::kOutput && !isPaddedTerm(view, var) &&
        (!term || tile > tileOf(choice, *term)))
      term = &var;
  int64_t round = tileOf(choice, *term);
  terms.push_back(round);
  if (round == sixtyFours)
    terms.push_back(isTf32 ? round / 2 : 2 * round);
  return {row, column, *term, rows, columns, terms};
}

/// The best of all tiles of products that are no nests, whose cost soon tells
/// which those are: a descent goes from one power of two to the next, and what
/// leaves few processors idle is often between. 3000x1600 by 1600x1600 took 49
/// us so, and 27 in 128 x 160; 1536x5120 by 5120x1600 of tf32 165 and 70.
std::optional<Choice> Search::bestTiles(OwnedVars owned) {
  constexpr int64_t mostChunks = 16;
  const KernelView &view = *kernel.view(owned);
  bool isTf32 = areTf32AlongK(view) && view.reductions.size() == 1;
  if (isQuick || view.grid.size() < 2 || (!areFlatProducts(view) && !isTf32))
    return std::nullopt;
  Choice choice = *beginning(owned, /*isResident=*/false);
  ProductTiles tiles = tilesToTry(view, choice, isTf32);
  std::optional<Attempt> best;
  for (int64_t ofRow : tiles.rows)
    for (int64_t ofColumn : tiles.columns) {
      // One group of warps alone is slower than two with as many sums: two
      // layers of 2048x256-1024-256 took 9.4 us in 128 x 128, 10.7 in 64 x 256.
      // Few rows are columns of the transposed product.
      if ((ofRow == sixtyFours && ofColumn > kWideColumns) ||
          (ofRow < sixtyFours && ofColumn % sixtyFours != 0))
        continue;
      for (int64_t ofTerm : tiles.terms)
        for (int64_t chunks = 1; chunks <= mostChunks; chunks *= 2)
          for (bool isCluster : {false, true}) {
            if (isCluster && (chunks == 1 || chunks > machine.mostShares ||
                              !isOneProduct(view)))
              continue;
            Choice other = choice;
            tileOf(other, tiles.row) = ofRow;
            tileOf(other, tiles.column) = ofColumn;
            tileOf(other, tiles.term) = ofTerm;
            other.split = chunks;
            other.mergesInCluster = isCluster;
            Attempt found = attempt(std::move(other));
            if (found.nest && (!best || found.isBetterThan(*best, machine)))
              best = std::move(found);
          }
    }
  return best ? std::optional(best->choice) : std::nullopt;
}

/// The same of a product that threads multiply number by number: 2560x896 by
/// 896x1000 of f32 took 139 us in 64 x 64, and 124 in 64 x 128, of which two
/// chunks merge in a cluster.
std::optional<Choice> Search::bestTilesOfNumbers(OwnedVars owned) {
  constexpr int64_t least = 32, most = 256, mostSums = 128 * 128, shortest = 8,
                    longest = 64, mostChunks = 16;
  const KernelView &view = *kernel.view(owned);
  if (isQuick || !machine.hasGroups || view.grid.size() < 2 ||
      view.reductions.size() != 1)
    return std::nullopt;
  const Element *product = view.reductions.front();
  if (product->kind() != ElementKind::Dot || !product->type().isF32() ||
      !product->operands()[0]->type().isF32() ||
      product->precision() != Precision::Ieee ||
      product->boundVars().size() != 1 || !haveWordRows(view))
    return std::nullopt;
  Choice choice = *beginning(owned, /*isResident=*/false);
  SmallVector<int64_t *> tiles;
  for (const IndexVar &var : {view.grid[view.grid.size() - 2], view.grid.back(),
                              product->boundVars().front()})
    for (auto &[known, tile] : choice.tiles)
      if (known == var)
        tiles.push_back(&tile);
  // Of few terms it says too little of what chunks cost: 48x320 by 320x8192
  // took 13.7 us, and 16.0 in two chunks, D2 of 2048 rows 18.3 in one kernel,
  // and 20.6 with its first layer, of 512 terms, in two.
  constexpr int64_t fewestTerms = 768;
  Size terms = product->boundVars().front().size;
  if (tiles.size() != 3 || *tiles[0] < least || *tiles[1] < least ||
      !terms.isNumber() || terms.getNumber() < fewestTerms)
    return std::nullopt;
  std::optional<Attempt> best;
  for (*tiles[0] = least; *tiles[0] <= most; *tiles[0] *= 2)
    for (*tiles[1] = least; *tiles[0] * *tiles[1] <= mostSums; *tiles[1] *= 2)
      for (*tiles[2] = shortest; *tiles[2] <= longest; *tiles[2] *= 2)
        for (choice.split = 1; choice.split <= mostChunks; choice.split *= 2)
          for (bool isCluster : {false, true}) {
            choice.mergesInCluster = isCluster;
            if (isCluster && choice.split == 1)
              continue;
            Attempt found = attempt(choice);
            if (found.nest && (!best || found.isBetterThan(*best, machine)))
              best = std::move(found);
          }
  return best ? std::optional(best->choice) : std::nullopt;
}
