//===- NestWalk.cpp - what one launch does, counted -----------------------===//
//
// The walk over a nest.
//
//===----------------------------------------------------------------------===//

#include "NestWalker.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <numeric>

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
bool Walk::isOnlyAdded(TileId tile, ArrayRef<Statement> others) const {
  return sums.contains(tile) ||
         llvm::all_of(others, [&](const Statement &other) {
           return !uses(other, tile) ||
                  (other.kind == Statement::Kind::Compute &&
                   isOp<arith::AddFOp>(other.element) &&
                   sums.contains(other.result));
         });
}

void Walk::traceMaking(const Statement &statement, ArrayRef<Statement> others) {
  auto isIn = [&](const llvm::DenseSet<TileId> &set) {
    return llvm::any_of(statement.operands,
                        [&](TileId tile) { return set.contains(tile); });
  };
  if (isIn(multiplied)) {
    // What is only added to a sum is not waited for, nor, where threads have
    // products in registers, what is scaled before.
    takesProduct |= hasOuter ? !isOnlyAdded(statement.result, others)
                             : !sums.contains(statement.result);
    multiplied.insert(statement.result);
  } else if (isIn(read) || isIn(made))
    made.insert(statement.result);
}

/// The bytes that a statement's result does not need, since it takes the place
/// of a carried tile of its shape that no statement behind it reads: a sum that
/// is scaled is not there twice.
double Walk::replacedBy(const Statement &statement,
                        ArrayRef<Statement> others) const {
  const TileInfo &result = kernel.tiles[statement.result];
  for (TileId tile : statement.operands) {
    const TileInfo &operand = kernel.tiles[tile];
    if (carriedHere.contains(tile) && operand.axes == result.axes &&
        widthOf(operand.type) >= widthOf(result.type) &&
        llvm::none_of(
            others, [&](const Statement &other) { return uses(other, tile); }))
      return volumeOf(result.axes) * widthOf(result.type);
  }
  return 0;
}

/// The bytes of what other products of the round have made, the most of each,
/// that is needed behind a statement that computes with one: of two products of
/// a round the first waits for the second.
double Walk::heldBeside(TileId result, ArrayRef<Statement> others) const {
  const auto *own = madeHere.find(result);
  if (own == madeHere.end())
    return 0;
  llvm::SmallMapVector<TileId, double, 2> most;
  for (auto [tile, product] : madeHere)
    if (product != own->second &&
        llvm::any_of(others, [&, tile = tile](const Statement &other) {
          return uses(other, tile);
        }))
      most[product] =
          std::max(most[product],
                   volumeOf(axesOf(tile)) * widthOf(kernel.tiles[tile].type));
  double bytes = 0;
  for (auto [product, held] : most)
    bytes += held;
  return bytes;
}

/// Notes what a product of a round leaves, unless its instruction adds that to
/// a sum by itself.
void Walk::holdProduct(const Statement &statement, ArrayRef<Statement> others) {
  TileId result = statement.result;
  if (loopsAround == 0 || isOnlyAdded(result, others))
    return;
  madeHere.insert({result, result});
  double bytes = volumeOf(axesOf(result)) * widthOf(kernel.tiles[result].type);
  largestLive =
      std::max(largestLive, carriedBytes + bytes + heldBeside(result, others));
}

/// Whether blocks read different parts.
bool Walk::isDivided(const Statement &load) const {
  return llvm::any_of(grid, [&](const IndexVar &var) {
    return tilesOf(var) > 1 && llvm::is_contained(axesOf(load.result), var);
  });
}

/// In how many rounds one after the other a tile is the same, since it varies
/// with none of the variables that run inside.
double Walk::stayingOf(TileId tile) const {
  double rounds = 1;
  for (const auto &[var, trips] : llvm::reverse(innerTrips)) {
    if (llvm::is_contained(axesOf(tile), var))
      break;
    rounds *= trips;
  }
  return rounds;
}

void Walk::visitLoad(const Statement &statement, double times) {
  Value tensor = statement.element->tensor();
  double width = widthOf(statement.element->type());
  bool isOfLoop = llvm::any_of(axesOf(statement.result), [&](auto &var) {
    return llvm::is_contained(loopVars, var);
  });
  isGathered |= llvm::any_of(statement.element->indices(),
                             [](const Index &at) { return at.computed; });
  double bytes = width, stays = isOfLoop ? stayingOf(statement.result) : 1;
  times /= stays;
  staying[statement.result] = stays;
  for (const IndexVar &var : axesOf(statement.result))
    bytes *= insideOf(var);
  // What is read around a short run is read for nothing.
  double run = runOf(statement.element);
  double perByte = std::max(1.0, machine.line / run);
  // Where rows begin within words a run has a part of a line at both ends,
  // which as a rule is there when the next round asks for it. 3072 rows of
  // 50257 bf16 came in 118 us in runs of 64, 110 of 128, 100 of 256 and 96 of
  // 512, eight or sixteen rows at a time.
  constexpr double seldom = 0.05;
  bool isAlongLoop = llvm::any_of(loopVars, [&](const IndexVar &var) {
    return statement.element->liesAlong(var);
  });
  if (machine.latency > 0 && isAlongLoop &&
      !canBeCopiedAhead(statement.element))
    perByte = std::max(perByte, 1 + seldom * machine.line / run);
  // Two lines that memory opens together come a little faster than each alone:
  // sums of 4096 rows of 4096 f32 took 18.5 us, 16 columns at a time, and 17.3
  // with 32 or 64.
  constexpr double alone = 1.06;
  if (machine.latency > 0 && !isOnlyPointwise && run <= machine.line)
    perByte = std::max(perByte, alone);
  double traffic = times * bytes * perByte;
  loads[statement.result] = statement.element;
  double volume = volumeOf(axesOf(statement.result));
  mostElements = std::max(mostElements, volume);
  read.insert(statement.result);
  wasRead.insert(statement.result);
  bool isOfRound = isOfLoop && stays == 1;
  // A few bytes stay near, and what does not change from round to round is
  // read once.
  constexpr double fewBytes = 128;
  double tileBytes = volume * width;
  if (machine.fetching > 0 && isOfRound && tileBytes > fewBytes &&
      !canBeCopiedAhead(statement.element)) {
    fetched.insert(statement.result);
    fetchedBytes += tileBytes;
  }
  largestLoad = std::max(largestLoad, tileBytes);
  if (isOfRound)
    largestOfRound = std::max(largestOfRound, tileBytes);
  else
    largestSlots = std::max(largestSlots, 2 * tileBytes);
  if (!isOfRound)
    looseElements += volume;
  (isOfRound ? needs.slotBytes : needs.heldBytes) += tileBytes;
  (stays > 1 ? stayingBytes : roundBytes) += tileBytes;
  bool isByWord = isAlongLoop || !haveRowsAt(word, tensor);
  roundCopies += isByWord ? volume : tileBytes / word;
  double whole = bytesOf(tensor, sizes, machine);
  // Around the end of a row a block may read what another one does, too.
  constexpr double nearlyOnce = 1.5;
  if (!unique.contains(tensor))
    tensorBytes += whole;
  if (whole > largestTensor) {
    largestTensor = whole;
    timesOfLargest = 1;
  }
  if (double read = times * bytes;
      whole == largestTensor && read > nearlyOnce * whole)
    timesOfLargest = std::max(timesOfLargest, read / whole);
  double fromCache = whole > machine.nearSize
                         ? traffic
                         : std::min(traffic, machine.units * whole);
  cacheBytes += fromCache;
  // A chunk of a split loop is its own.
  if (!isDivided(statement) && !(isSplit && isOfLoop))
    alikeBytes += fromCache;
  nearBytes += traffic - fromCache;
  // What the copy engine takes; where rows begin within lines, each piece of
  // one is in two of them.
  // Shorter rows that begin within sectors take longer than a line: attention
  // with 40 features took 52 us with 64 rows a block, however many on a unit,
  // and 37 with 128.
  constexpr int64_t line = 128, sector = 32;
  constexpr double ofShort = 1.5;
  // The engine asks for each row of a box, which has as many bytes as swizzles
  // have.
  double row = rowOf(statement.element);
  double ofBox = std::gcd(static_cast<int64_t>(row), line);
  asked = std::max(asked, times * bytes / whole * line / ofBox);
  readsAlong &= !isOfRound || hasOwnVariables(statement.element);
  bool fits = !isOfRound || fitsInColumns(statement);
  haveColumns &= fits;
  othersCopy |= isOfRound && !endsWithSlice(statement.element);
  auto hasSeveral = [&](bool ofBlock) {
    return llvm::any_of(axesOf(statement.result), [&](const IndexVar &var) {
      return insideOf(var) > 1 && llvm::is_contained(grid, var) == ofBlock &&
             (ofBlock || statement.element->liesAlong(var));
    });
  };
  areRowsLoose =
      !haveRowsAt(word, tensor) && loads.size() == 1 && hasSeveral(false);
  cutsRows = areRowsLoose && hasSeveral(/*ofBlock=*/true);
  areLooseWords &= isOfRound || haveRowsAt(word, tensor);
  if (isOfRound && !haveRowsAt(word, tensor)) {
    othersCopy = true;
    bool isOpen = cast<RankedTensorType>(tensor.getType()).getShape().back() ==
                  ShapedType::kDynamic;
    // Two words at a time take half as long as one.
    constexpr double ofTwo = 0.5;
    if (!isOpen && haveRowsAt(word / 2, tensor))
      copiedPieces += ofTwo * times * bytes / (word / 2);
    else if (!isOpen && haveRowsAt(word / 4, tensor))
      copiedPieces += times * bytes / (word / 4);
  } else if (isOfRound) {
    double crossing = haveRowsAt(line, tensor) ? crossingOfPieces(run) : 1;
    if (row < line && !haveRowsAt(sector, tensor))
      crossing = ofShort * line / row;
    Copied own{fromCache, crossing * fromCache, times * bytes / ofBox};
    copied.add(own);
    for (auto [var, along] : llvm::zip_equal(grid, neighbours))
      if (!llvm::is_contained(axesOf(statement.result), var))
        along.alike.add(own);
  }
  // What does not stay in cache is read again, an eighth of the times: blocks
  // that run side by side read the same. On a GPU half a line takes as long as
  // all of it, even if another block reads the other half at the same time:
  // sums of 16 columns of 4096x4096 of bf16 took 24 us, and 10.3 of 256.
  double once = machine.latency > 0 ? whole * perByte : whole;
  double fromMemory = whole < machine.cacheSize
                          ? std::min(once, traffic)
                          : std::min(traffic, std::max(once, traffic / 8));
  // Measured: sums of 128 rows at a time against 16.
  constexpr double scattered = 1.4;
  if (whole >= machine.cacheSize && run < machine.page &&
      bytes / run > machine.streams)
    fromMemory *= scattered;
  double &known = unique[tensor];
  known = std::max(known, fromMemory);
  if (traffic <= nearlyOnce * whole)
    divided[tensor] += std::min(traffic, whole);
}

/// How many rounds there are at most between two limits that move together:
/// some chunks of a split loop have them all.
double Walk::bandOf(const NestLoop &loop) const {
  double most = std::numeric_limits<double>::infinity();
  for (const NestBound &upper : loop.bounds)
    for (const NestBound &lower : loop.bounds) {
      if (!upper.isUpper || lower.isUpper || upper.computed || lower.computed ||
          upper.var != lower.var || upper.affine.terms.empty() ||
          upper.affine.terms != lower.affine.terms)
        continue;
      double width = static_cast<double>(upper.affine.constant) -
                     static_cast<double>(lower.affine.constant);
      for (const auto &[var, coefficient] : upper.affine.terms)
        width += std::abs(coefficient) * (windowOf(var) - 1);
      most = std::min(most, std::max(1.0, width / windowOf(upper.var) + 1));
    }
  return most;
}

void Walk::visitLoop(const NestLoop &loop, double times) {
  double trips = 1;
  for (const IndexVar &var : loop.vars)
    trips *= tilesOf(var);
  trips = std::max(1.0, trips / loop.chunks);
  // A limit that moves with the block leaves half of the rounds, two of them
  // what is between, and then all blocks have as many.
  bool hasMoving = llvm::any_of(loop.bounds, [](const NestBound &bound) {
    return !bound.computed && !bound.affine.terms.empty();
  });
  if (double band = bandOf(loop); std::isfinite(band)) {
    trips = std::min(trips, band);
  } else if (hasMoving) {
    double most = trips;
    trips = trips / 2 + 0.5;
    longest = std::max(longest, most / trips);
  }
  double own = 0;
  for (const CarriedTile &tile : loop.carried) {
    sums.insert(tile.next);
    // A product that a sum begins with is not there beside it.
    if (tile.from)
      largestLooseDot = 0;
  }
  for (const CarriedTile &tile : loop.carried) {
    double bytes =
        volumeOf(axesOf(tile.inside)) * widthOf(kernel.tiles[tile.inside].type);
    own += bytes;
    largestSum = std::max(largestSum, bytes);
  }
  accumulatorBytes += own;
  rounds += times * trips;
  ++numLoops;
  carriedBytes += own;
  double outerCopies = std::exchange(roundCopies, 0);
  double outside = std::exchange(roundBytes, 0),
         outerSplit = std::exchange(splitBytes, 0), dotsBefore = dotSeconds,
         outerFetched = std::exchange(fetchedBytes, 0);
  bool outerMakes = std::exchange(multipliesMade, false),
       outerOuter = std::exchange(hasOuter, false),
       outerInner = std::exchange(hasInner, false),
       outerReduces = std::exchange(reducesItsOwn, false),
       outerTakes = std::exchange(takesProduct, false),
       outerFetches = std::exchange(multipliesFetched, false);
  double outerTurning = std::exchange(turning, 0),
         readBySome = std::exchange(outerRead, 0),
         secondsBySome = std::exchange(outerSeconds, 0);
  auto readBefore = std::exchange(read, {}),
       madeBefore = std::exchange(made, {}),
       fetchedBefore = std::exchange(fetched, {});
  VarSet varsBefore =
      std::exchange(loopVars, VarSet(loop.vars.begin(), loop.vars.end()));
  auto carriedBefore = std::exchange(carriedHere, {});
  auto heldBefore = std::exchange(madeHere, {});
  for (const CarriedTile &tile : loop.carried)
    carriedHere.insert(tile.inside);
  auto tripsBefore = std::exchange(innerTrips, {});
  for (auto [var, parts] : llvm::zip(loop.vars, loop.partsOf(windows)))
    innerTrips.emplace_back(var, std::max(1.0, tilesOf(var) / parts));
  double outerStaying = std::exchange(stayingBytes, 0);
  double outerTrips = std::exchange(loopTrips, trips),
         outerLargest = std::exchange(largestOfRound, 0);
  Level outerLevel = std::exchange(level, {});
  ++loopsAround;
  visit(loop.body, times * trips);
  --loopsAround;
  Level inside = std::exchange(level, outerLevel);
  carriedHere = std::move(carriedBefore);
  madeHere = std::move(heldBefore);
  innerTrips = std::move(tripsBefore);
  outside += std::exchange(stayingBytes, outerStaying);
  loopVars = varsBefore;
  loopTrips = outerTrips;
  // Threads that multiply number by number put down what they have made where
  // the others find it, and meet before and behind that. Where they also reduce
  // it nothing else goes on meanwhile, products included: A1 took 17.7 us in
  // two rounds, and 11.8 in one; attention with a cap 299 us with rounds of 32
  // keys, and 259 with 64.
  bool isReducing = hasOuter && reducesItsOwn;
  bool isWaiting = isReducing && takesProduct;
  if (multipliesMade && hasOuter && !isReducing)
    turningSeconds += times * trips * 4 * machine.meeting;
  else if (multipliesMade || isWaiting)
    makingRounds += times * trips;
  // Threads wait once for as much as has room in registers beside sums: 16x768
  // by 768x50257, along n, took 1.2 us for a round of 16 KiB, and 3.1 of 32.
  constexpr double atOnce = 12 << 10;
  if (multipliesFetched) {
    fetchingRounds += times * trips * std::max(1.0, fetchedBytes / atOnce);
    mostFetched = std::max(mostFetched, fetchedBytes);
  }
  fetchedBytes = outerFetched;
  multipliesFetched = outerFetches;
  if (takesProduct && !isWaiting)
    takingRounds += times * trips;
  double dots = dotSeconds - dotsBefore;
  bool isAlone = loopsAround == 0 && !inside.hasLoops;
  bool isByNumbers = hasOuter && isAlone && trips > 1;
  bool isLong =
      isByNumbers && dots * machine.units >= machine.latency * times * trips;
  bool isBrief = isByNumbers && !isLong && !takesProduct && !multipliesMade &&
                 !hasOtherTerms;
  hasShortRounds |= dots > 0 && !isLong && !isBrief;
  if (isByNumbers)
    copiesOfRound = std::max(copiesOfRound, roundCopies);
  if (isBrief) {
    briefSeconds += dots * machine.units;
    briefRounds += times * trips;
  }
  // Who computes with a product waits for it anyway, and then its slot is free.
  if (!takesProduct)
    (isBrief  ? briefTurningSeconds
     : isLong ? longTurningSeconds
              : turningSeconds) += times * trips * turning;
  bool isApart =
      (takesProduct && needs.isByGroups) || turning > machine.turning;
  turning = outerTurning;
  takesProduct = outerTakes;
  multipliesMade = outerMakes;
  reducesItsOwn = outerReduces;
  for (const CarriedTile &tile : loop.carried)
    if (multiplied.contains(tile.next))
      multiplied.insert(tile.result);
  read = std::move(readBefore);
  made = std::move(madeBefore);
  fetched = std::move(fetchedBefore);
  // What tensor cores multiply in the same rounds is copied ahead, and they go
  // on while threads multiply: D1 of 65536 rows as tf32x3 took 289 us with 32
  // columns of its first layer a round, number by number, and 341 with 64.
  bool isOuter = std::exchange(hasOuter, outerOuter);
  bool isMixed = std::exchange(hasInner, outerInner) && isOuter;
  double readByThreads = std::exchange(outerRead, readBySome);
  double byThreads = std::exchange(outerSeconds, secondsBySome);
  if (isMixed) {
    dots -= byThreads;
    dotSeconds -= byThreads;
    otherSeconds += byThreads;
  }
  if (isOuter)
    outerBytes += times * trips *
                  (isMixed ? std::min(readByThreads, roundBytes) : roundBytes);
  else if (dots > 0 && trips <= 1)
    serialBytes += times * roundBytes;
  // One round is not waited for by another.
  bool isAhead = trips > 1;
  if (isAhead)
    waitingSeconds +=
        dots * waitingFor(roundBytes, splitBytes, isApart, isOuter && !isMixed);
  // What threads sum up of a row and a matrix they have in registers.
  bool isSummed = dots == 0 && numSummed > 0;
  bool hasOneSlot =
      machine.copying > 0 && ((isOuter && !isMixed) || !isAhead || isSummed);
  largestSlots = std::max(largestSlots, (hasOneSlot ? 1 : 2) * largestOfRound);
  largestOfRound = outerLargest;
  if (dots > 0) {
    idleSeconds +=
        std::max(0.0, times * trips * machine.shortest - dots * machine.units);
    // As rings get their slots: all but the one that is read are on their way.
    double mostSlots = isLong ? 2 : 4, inTurns = 2;
    double slots = std::floor(machine.ahead / 2 / roundBytes);
    if (slots < 2)
      slots = std::floor(machine.ahead / roundBytes);
    slots = std::min({slots, mostSlots, trips + 1});
    inside.slotsInside +=
        std::max(0.0, (isBrief ? std::min(slots, inTurns) : slots) - 1) *
        roundBytes;
    if (slots * roundBytes > ring) {
      ring = slots * roundBytes;
      mostAhead = std::max(slots - 1, 0.5) * roundBytes;
    }
  }
  if (dots == 0)
    roundAhead = std::max(roundAhead, roundBytes);
  double factorsInside = inside.all + inside.largestInside;
  loopBytes = std::max(loopBytes, factorsInside + inside.slotsInside);
  level.largestInside = std::max(level.largestInside, factorsInside);
  level.slotsInside = std::max(level.slotsInside, inside.slotsInside);
  level.hasLoops = true;
  splitBytes = outerSplit;
  roundBytes = outside;
  roundCopies = outerCopies;
  carriedBytes -= own;
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

void Walk::visit(const std::vector<Statement> &statements, double all) {
  LastUses lastUses;
  for (auto [i, statement] : llvm::enumerate(statements)) {
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
    case Statement::Kind::Store: {
      Value root = roots[statement.target];
      // A line of which only a part is written comes from memory first. Sums
      // are little beside what they are of.
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
      continue;
    }
    case Statement::Kind::StorePart:
    case Statement::Kind::LoadPart: {
      TileId tile = statement.kind == Statement::Kind::StorePart
                        ? statement.operands[0]
                        : statement.result;
      double bytes = widthOf(kernel.tiles[tile].type);
      for (const IndexVar &var : axesOf(tile))
        bytes *= insideOf(var);
      if (!kernel.mergesInCluster) {
        memoryBytes += times * bytes;
        if (statement.kind == Statement::Kind::StorePart) {
          partBytes += times * bytes;
          stage(volumeOf(axesOf(tile)) * widthOf(kernel.tiles[tile].type));
        }
      } else if (statement.kind == Statement::Kind::StorePart) {
        // Each block has room for what it gets, which is as much.
        double own = volumeOf(axesOf(tile)) * widthOf(kernel.tiles[tile].type);
        exchangedBytes += times * own;
        needs.heldBytes += own;
        factorBytes += own;
        receivedBytes += own;
      }
      continue;
    }
    case Statement::Kind::Mask:
      break;
    case Statement::Kind::Reduce:
      reduces = true;
      if (statement.element->kind() == ElementKind::Dot) {
        if (loopsAround == 0)
          isInBranch = partOf(statement) < 1;
        visitDot(statement, times);
        holdProduct(statement, ArrayRef(statements).drop_front(i + 1));
        continue;
      }
      reducesOthers = true;
      reducesOnlyRows &= readsRows(statement.element->boundVars());
      if (loopsAround == 0 && !holdsReduced) {
        if (lastUses.empty())
          noteUses(statements, lastUses);
        holdsReduced = needsAgain(statements, i, lastUses);
      }
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
    VarSet axes = axesOf(statement.operands);
    for (const IndexVar &var : axesOf(statement.result))
      if (!llvm::is_contained(axes, var))
        axes.push_back(var);
    // The instruction adds to a sum by itself.
    bool isAdded = machine.hasGroups && needs.areByGroups() &&
                   sums.contains(statement.result) &&
                   statement.kind == Statement::Kind::Compute &&
                   isOp<arith::AddFOp>(statement.element) &&
                   llvm::any_of(statement.operands, [&](TileId tile) {
                     return multiplied.contains(tile);
                   });
    double count =
        isAdded ? 0 : times * std::max(volumeOf(axes), machine.lanes);
    bool isSpecial =
        statement.kind == Statement::Kind::Compute &&
        (isa_and_nonnull<math::MathDialect>(
             statement.element->pointwise().getDialect()) ||
         isOp<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemUIOp>(
             statement.element));
    hasPolynomials |=
        statement.kind == Statement::Kind::Compute &&
        isOp<math::ErfOp, math::ErfcOp, math::LogOp, math::Log2Op,
             math::Log10Op, math::Log1pOp, math::ExpM1Op, math::PowFOp,
             math::SinOp, math::CosOp, math::TanOp>(statement.element);
    reducesItsOwn |= statement.kind == Statement::Kind::Reduce &&
                     llvm::any_of(statement.operands, [&](TileId tile) {
                       return read.contains(tile) || made.contains(tile) ||
                              multiplied.contains(tile);
                     });
    auto others = ArrayRef(statements).drop_front(i + 1);
    traceMaking(statement, others);
    otherSeconds += count / (isSpecial ? machine.special : machine.simple);
    double bytes = volumeOf(axesOf(statement.result)) *
                   widthOf(kernel.tiles[statement.result].type);
    if (bytes > largestTile) {
      largestTile = bytes;
      rowsOfLargest = 1;
      axesOfLargest = 0;
      for (const IndexVar &var : axesOf(statement.result)) {
        axesOfLargest += windowOf(var) > 1;
        if (llvm::is_contained(grid, var))
          rowsOfLargest *= windowOf(var);
      }
    }
    mostElements = std::max(mostElements, volumeOf(axesOf(statement.result)));
    double replaced = replacedBy(statement, others);
    if (replaced > 0)
      carriedHere.insert(statement.result);
    for (TileId tile : statement.operands)
      if (auto *known = madeHere.find(tile); known != madeHere.end())
        madeHere.insert({statement.result, known->second});
    largestLive =
        std::max(largestLive, carriedBytes + bytes - replaced +
                                  heldBeside(statement.result, others));
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
  factorBytes += std::max(level.largest, level.largestInside);
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
  looseBytes = roundBytes;
  // Without a loop nothing is asked for while something else is multiplied.
  if (mostAhead == 0 && dotSeconds > 0)
    (hasOuter ? outerBytes : serialBytes) += blocks * roundBytes;
  return *this;
}

NestCounts cost::countNest(const KernelNest &kernel, const Nest &nest,
                           ArrayRef<Value> roots, const SizeAnalysis &sizes,
                           const Machine &machine, BlockTruths &truths) {
  return Walk(kernel, roots, sizes, machine, truths).count(nest);
}
