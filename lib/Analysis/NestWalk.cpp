//===- NestWalk.cpp - what one launch does, counted -----------------------===//
//
// The walk over a nest, and what its threads compute. NestRounds.cpp goes
// through loops.
//
//===----------------------------------------------------------------------===//

#include "NestWalker.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::cost;

double cost::widthOf(Type type) {
  return type.isIntOrFloat() ? std::max(1.0, type.getIntOrFloatBitWidth() / 8.0)
                             : 8;
}

static double number(Size size, const SizeAnalysis &sizes,
                     const Machine &machine) {
  std::optional<int64_t> likely = sizes.likely(size);
  return likely ? static_cast<double>(*likely) : machine.assumedSize;
}

double fuse::bytesOf(Value tensor, const SizeAnalysis &sizes,
                     const Machine &machine) {
  auto type = cast<RankedTensorType>(tensor.getType());
  double bytes = widthOf(type.getElementType());
  for (Size size : sizes.sizesOf(tensor))
    bytes *= number(size, sizes, machine);
  return bytes;
}

double Walk::number(Size size) const { return ::number(size, sizes, machine); }

static bool uses(const Statement &statement, TileId tile) {
  return llvm::is_contained(statement.operands, tile) ||
         (statement.loop &&
          llvm::any_of(statement.loop->body,
                       [&](auto &inner) { return uses(inner, tile); }));
}

/// Whether all that happens to a tile is that a sum grows by it.
bool Walk::isOnlyAdded(TileId tile, const Rest &rest) const {
  return sums.contains(tile) || !rest.needs(tile) ||
         llvm::all_of(rest.statements, [&](const Statement &other) {
           return !uses(other, tile) ||
                  (other.kind == Statement::Kind::Compute &&
                   isOp<arith::AddFOp>(other.element) &&
                   sums.contains(other.result));
         });
}

void Walk::traceMaking(const Statement &statement, const Rest &rest) {
  auto isIn = [&](const llvm::DenseSet<TileId> &set) {
    return llvm::any_of(statement.operands,
                        [&](TileId tile) { return set.contains(tile); });
  };
  if (isIn(multiplied)) {
    // What is only added to a sum is not waited for, nor, where threads have
    // products in registers, what is scaled before.
    round.takesProduct |= round.hasOuter ? !isOnlyAdded(statement.result, rest)
                                         : !sums.contains(statement.result);
    multiplied.insert(statement.result);
  } else if (isIn(round.read) || isIn(round.made))
    round.made.insert(statement.result);
}

/// The bytes that a statement's result does not need, since it takes the place
/// of a carried tile of its shape that no statement behind it reads: a sum that
/// is scaled is not there twice.
double Walk::replacedBy(const Statement &statement, const Rest &rest) const {
  const TileInfo &result = kernel.tiles[statement.result];
  for (TileId tile : statement.operands) {
    const TileInfo &operand = kernel.tiles[tile];
    if (round.carried.contains(tile) && operand.axes == result.axes &&
        widthOf(operand.type) >= widthOf(result.type) && !rest.needs(tile))
      return volumeOf(result.axes) * widthOf(result.type);
  }
  return 0;
}

/// The bytes of what other products of the round have made, the most of each,
/// that is needed behind a statement that computes with one: of two products of
/// a round the first waits for the second.
double Walk::heldBeside(TileId result, const Rest &rest) const {
  const auto *own = round.madeOf.find(result);
  if (own == round.madeOf.end())
    return 0;
  llvm::SmallMapVector<TileId, double, 2> most;
  for (auto [tile, product] : round.madeOf)
    if (product != own->second && rest.needs(tile))
      most[product] = std::max(most[product], tileBytes(tile));
  double bytes = 0;
  for (auto [product, held] : most)
    bytes += held;
  return bytes;
}

/// Notes what a product of a round leaves, unless its instruction adds that to
/// a sum by itself.
void Walk::holdProduct(const Statement &statement, const Rest &rest) {
  TileId result = statement.result;
  if (loopsAround == 0 || isOnlyAdded(result, rest))
    return;
  round.madeOf.insert({result, result});
  double bytes = tileBytes(result);
  largestLive =
      std::max(largestLive, carriedBytes + bytes + heldBeside(result, rest));
}

/// Whether all that is read along these variables is in rows, as tiles have
/// their axes in the order of memory.
bool Walk::readsRows(ArrayRef<IndexVar> bound) const {
  return llvm::all_of(loads, [&](const auto &load) {
    const auto &[tile, element] = load;
    bool isAlong = llvm::any_of(axesOf(tile), [&](const IndexVar &var) {
      return llvm::is_contained(bound, var);
    });
    return !isAlong || element->liesAlong(bound);
  });
}

/// The last of some statements that uses each tile, itself or in its loop.
static void noteUses(ArrayRef<Statement> statements,
                     llvm::DenseMap<TileId, size_t> &lastUses,
                     std::optional<size_t> around = std::nullopt) {
  for (auto [i, statement] : llvm::enumerate(statements)) {
    for (TileId operand : statement.operands)
      lastUses[operand] = around.value_or(i);
    if (statement.loop)
      noteUses(statement.loop->body, lastUses, around.value_or(i));
  }
}

/// Whether what was there before a reduction, of the size of what it reduces,
/// is needed behind it.
bool Walk::needsAgain(ArrayRef<Statement> statements, size_t reduction,
                      const LastUses &lastUses) const {
  double volume = 0;
  for (TileId tile : statements[reduction].operands)
    volume = std::max(volume, volumeOf(axesOf(tile)));
  return llvm::any_of(
      statements.take_front(reduction), [&](const Statement &made) {
        bool isTile = made.kind == Statement::Kind::Compute ||
                      made.kind == Statement::Kind::Mask;
        return isTile && lastUses.lookup(made.result) > reduction &&
               volumeOf(axesOf(made.result)) >= volume;
      });
}

/// Stores go through two pieces of at most 16 KiB, of which one is written
/// while the engine stores the other.
void Walk::stage(double bytes) {
  constexpr double mostStaged = 32 << 10;
  needs.stagedBytes = std::max(needs.stagedBytes, std::min(mostStaged, bytes));
}

void Walk::visitStore(const Statement &statement) {
  Value root = roots[statement.target];
  // A line of which only a part is written comes from memory first. Sums are
  // little beside what they are of.
  double perByte = 1;
  if (machine.latency > 0 && !reduces) {
    double run = runOf(cast<RankedTensorType>(root.getType()),
                       [&](int64_t dim) -> const AffineIndex & {
                         return statement.index[dim];
                       });
    perByte = std::max(1.0, machine.line / run);
  }
  unique[root] = perByte * bytesOf(root, sizes, machine);
  othersStore |= !haveRowsAt(word, root);
  if (haveRowsAt(word, root))
    stage(volumeOf(axesOf(statement.operands[0])) *
          widthOf(getElementTypeOrSelf(root)));
  ++numStores;
}

/// What a chunk leaves for others to merge, or what is merged.
void Walk::visitPart(const Statement &statement, double times) {
  bool isStore = statement.kind == Statement::Kind::StorePart;
  TileId tile = isStore ? statement.operands[0] : statement.result;
  double width = widthOf(kernel.tiles[tile].type);
  double bytes = width;
  for (const IndexVar &var : axesOf(tile))
    bytes *= insideOf(var);
  if (!kernel.mergesInCluster) {
    memoryBytes += times * bytes;
    if (isStore) {
      partBytes += times * bytes;
      stage(volumeOf(axesOf(tile)) * width);
    }
  } else if (isStore) {
    // Each block has room for what it gets, which is as much.
    double own = volumeOf(axesOf(tile)) * width;
    exchangedBytes += times * own;
    needs.heldBytes += own;
    factorBytes += own;
    receivedBytes += own;
  }
}

/// Whether machines have no instruction of usual speed for it.
static bool isSpecial(const Statement &statement) {
  return statement.kind == Statement::Kind::Compute &&
         (isa_and_nonnull<math::MathDialect>(
              statement.element->pointwise().getDialect()) ||
          isOp<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemUIOp>(
              statement.element));
}

static bool isPolynomial(const Statement &statement) {
  return statement.kind == Statement::Kind::Compute &&
         isOp<math::ErfOp, math::ErfcOp, math::LogOp, math::Log2Op,
              math::Log10Op, math::Log1pOp, math::ExpM1Op, math::PowFOp,
              math::SinOp, math::CosOp, math::TanOp>(statement.element);
}

/// Whether it grows a sum by a product, which the instruction does by itself.
bool Walk::isAddedByProduct(const Statement &statement) const {
  return machine.hasGroups && needs.areByGroups() &&
         sums.contains(statement.result) &&
         statement.kind == Statement::Kind::Compute &&
         isOp<arith::AddFOp>(statement.element) &&
         llvm::any_of(statement.operands,
                      [&](TileId tile) { return multiplied.contains(tile); });
}

/// Counts a tile that a block makes.
void Walk::countTile(TileId tile) {
  const VarSet &axes = axesOf(tile);
  double bytes = volumeOf(axes) * widthOf(kernel.tiles[tile].type);
  mostElements = std::max(mostElements, volumeOf(axes));
  if (bytes <= largestTile)
    return;
  largestTile = bytes;
  rowsOfLargest = 1;
  axesOfLargest = 0;
  for (const IndexVar &var : axes) {
    axesOfLargest += windowOf(var) > 1;
    if (llvm::is_contained(grid, var))
      rowsOfLargest *= windowOf(var);
  }
}

/// Counts what is alive while a statement is computed, `rest` behind it.
void Walk::countLive(const Statement &statement, const Rest &rest) {
  double bytes = tileBytes(statement.result);
  double replaced = replacedBy(statement, rest);
  if (replaced > 0)
    round.carried.insert(statement.result);
  for (TileId tile : statement.operands)
    if (left.contains(tile) && axesOf(tile) == axesOf(statement.result) &&
        !rest.needs(tile))
      left.insert(statement.result);
  for (TileId tile : statement.operands)
    if (auto *known = round.madeOf.find(tile); known != round.madeOf.end())
      round.madeOf.insert({statement.result, known->second});
  largestLive = std::max(largestLive, carriedBytes + bytes - replaced +
                                          heldBeside(statement.result, rest));
}

/// What threads compute, be it element by element, a mask, or a reduction.
void Walk::visitComputed(const Statement &statement, double times,
                         const Rest &rest) {
  VarSet axes = axesOf(statement.operands);
  for (const IndexVar &var : axesOf(statement.result))
    if (!llvm::is_contained(axes, var))
      axes.push_back(var);
  double count = isAddedByProduct(statement)
                     ? 0
                     : times * std::max(volumeOf(axes), machine.lanes);
  otherSeconds +=
      count / (isSpecial(statement) ? machine.special : machine.simple);
  hasPolynomials |= isPolynomial(statement);
  round.reducesItsOwn |= statement.kind == Statement::Kind::Reduce &&
                         llvm::any_of(statement.operands, [&](TileId tile) {
                           return round.read.contains(tile) ||
                                  round.made.contains(tile) ||
                                  multiplied.contains(tile);
                         });
  traceMaking(statement, rest);
  countTile(statement.result);
  countLive(statement, rest);
}

void Walk::visit(const std::vector<Statement> &statements, double all) {
  LastUses lastUses;
  noteUses(statements, lastUses);
  for (auto [i, statement] : llvm::enumerate(statements)) {
    Rest rest{ArrayRef(statements).drop_front(i + 1), i, lastUses};
    // However few blocks do it, it takes as long as it takes one of them.
    double times = loopsAround == 0 ? std::max(all * partOf(statement),
                                               std::min(all, machine.units))
                                    : all;
    switch (statement.kind) {
    case Statement::Kind::Loop:
      if (loopsAround == 0)
        isInBranch = partOf(statement) < 1;
      visitLoop(*statement.loop, times);
      continue;
    case Statement::Kind::Store:
      visitStore(statement);
      continue;
    case Statement::Kind::StorePart:
    case Statement::Kind::LoadPart:
      visitPart(statement, times);
      continue;
    case Statement::Kind::Mask:
      break;
    case Statement::Kind::Reduce:
      reduces = true;
      if (statement.element->kind() == ElementKind::Dot) {
        if (loopsAround == 0)
          isInBranch = partOf(statement) < 1;
        visitDot(statement, times);
        holdProduct(statement, rest);
        continue;
      }
      reducesOthers = true;
      reducesOnlyRows &= readsRows(statement.element->boundVars());
      if (loopsAround == 0 && !holdsReduced)
        holdsReduced = needsAgain(statements, i, lastUses);
      break;
    case Statement::Kind::Compute:
      if (statement.element->kind() == ElementKind::Load) {
        visitLoad(statement, times);
        continue;
      }
      if (statement.element->kind() != ElementKind::Pointwise)
        continue;
      break;
    }
    visitComputed(statement, times, rest);
  }
}

double NestCounts::blocksOnUnit(const Machine &machine) const {
  constexpr double numbersOfWarp = 1024, mostOfBlock = 16, warpsOfUnit = 64,
                   most = 32;
  double warps = std::clamp(mostElements / numbersOfWarp, 1.0, mostOfBlock);
  return std::clamp(std::min(warpsOfUnit / warps, blocks / machine.units), 1.0,
                    most);
}

static bool anyReduces(const std::vector<Statement> &statements) {
  return llvm::any_of(statements, [](const Statement &statement) {
    return statement.kind == Statement::Kind::Loop ||
           statement.kind == Statement::Kind::Reduce;
  });
}

NestCounts Walk::count(const Nest &nest) {
  windows = kernel.sizesOf(nest);
  grid = nest.grid;
  isSplit = nest.chunk.has_value();
  for (const IndexVar &var : nest.grid) {
    blocks *= tilesOf(var);
    // Of sizes that are open nobody knows whether they are even.
    neighbours.push_back({var.size.isNumber() ? tilesOf(var) : 1, {}});
  }
  if (nest.chunk)
    blocks *= number(nest.chunk->size);
  if (kernel.mergesInCluster)
    clusterBlocks = kernel.nests.front().chunk->size.getNumber();
  findParts(nest.body);
  isOnlyPointwise = !anyReduces(nest.body);
  visit(nest.body, blocks);
  loopBytes += factorBytes;
  factorBytes += std::max(round.level.largest, round.level.largestInside);
  // A row that is read twice comes from memory twice, if what all blocks are at
  // does not fit in the cache.
  bool isSlow = machine.latency > 0 && numDots == 0;
  double part = std::min(1.0, machine.units * blocksOnUnit(machine) / blocks);
  for (auto [tensor, bytes] : unique) {
    bool isFar =
        isSlow && part * bytesOf(tensor, sizes, machine) > machine.cacheSize;
    memoryBytes += isFar ? std::max(bytes, divided.lookup(tensor)) : bytes;
  }
  needs.liveBytes = largestLive;
  looseBytes = round.bytes;
  // Without a loop nothing is asked for while something else is multiplied.
  if (mostAhead == 0 && dotSeconds > 0)
    (round.hasOuter ? outerBytes : serialBytes) += blocks * round.bytes;
  return *this;
}

NestCounts cost::countNest(const KernelNest &kernel, const Nest &nest,
                           ArrayRef<Value> roots, const SizeAnalysis &sizes,
                           const Machine &machine, BlockTruths &truths) {
  return Walk(kernel, roots, sizes, machine, truths).count(nest);
}
