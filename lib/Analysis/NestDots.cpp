//===- NestDots.cpp - what products of a launch take ----------------------===//
//
// The part of the walk that counts products, and how long they wait.
//
//===----------------------------------------------------------------------===//

#include "NestWalker.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::cost;

/// What threads turn while they copy it comes in pieces of rows, of which a
/// block asks for the next one a round later: 5x6144 by 6144x6144 of f32, along
/// k, took 58 us in rounds of 64, 72 of 32 and 97 of 16.
void Walk::payForPieces(const Element *load) {
  constexpr double whole = 256, growing = 0.7;
  double run = runOf(load);
  if (machine.copying > 0 && run < whole &&
      bytesOf(load->tensor(), sizes, machine) >= machine.cacheSize &&
      inPieces.insert(load->tensor()).second)
    unique[load->tensor()] *= std::pow(whole / run, growing);
}

/// Whether four warps together multiply a product of f32 by parts: one factor
/// gives 64 rows and comes through registers, and the other one is read along
/// k. What they cannot do is multiplied number by number: D4 was planned as if
/// its 16 columns were enough, and to take 700 us where true f32 takes 294.
std::optional<Walk::SplitFactors>
Walk::splitByGroups(const Statement &dot) const {
  TileId lhs = dot.operands[0], rhs = dot.operands[1];
  ArrayRef<IndexVar> bound = dot.element->boundVars();
  double rows = 1, columns = 1, depth = 1;
  unsigned contracted = 0;
  for (const IndexVar &var : axesOf(dot.operands)) {
    double window = windowOf(var);
    bool isLeft = llvm::is_contained(axesOf(lhs), var),
         isRight = llvm::is_contained(axesOf(rhs), var);
    if (llvm::is_contained(bound, var)) {
      depth *= window;
      contracted += window > 1;
    } else if (isLeft && isRight && window > 1) {
      return std::nullopt;
    } else {
      (isLeft ? rows : columns) *= window;
    }
  }
  auto isAlongK = [&](TileId factor) {
    const Element *load = loads.lookup(factor);
    return !load || load->liesAlong(bound);
  };
  constexpr double leastRows = 64, leastOthers = 8, leastDepth = 8;
  if (contracted != 1 || depth < leastDepth)
    return std::nullopt;
  if (rows >= leastRows && columns >= leastOthers && isAlongK(rhs))
    return SplitFactors{lhs, rhs, rows};
  if (columns >= leastRows && rows >= leastOthers && isAlongK(lhs))
    return SplitFactors{rhs, lhs, columns};
  return std::nullopt;
}

double Walk::rateOf(const Statement &statement) const {
  const Element *dot = statement.element;
  Type type = dot->operands()[0]->type();
  if (type.isF64())
    return machine.dotDouble;
  if (type.isF32())
    return dot->precision() == Precision::Tf32 ? machine.dotTf32
           : isByParts(statement)              ? machine.dotTf32 / 3
                                               : machine.dotSingle;
  return widthOf(type) == 1 ? machine.dotByte : machine.dotHalf;
}

/// Whether tensor cores multiply the parts of its numbers.
bool Walk::isByParts(const Statement &dot) const {
  return dot.element->precision() == Precision::Tf32x3 &&
         (!machine.hasGroups || splitByGroups(dot));
}

/// Whether a product has one row or one column, and its other factor is in
/// registers anyway, as one of products is, or what cannot be copied ahead, or
/// of numbers that tensor cores do not multiply: it is summed up there.
bool Walk::isSummedUp(const Statement &dot) const {
  if (!machine.turnsProducts)
    return false;
  constexpr double wordBytes = 4;
  ArrayRef<IndexVar> bound = dot.element->boundVars();
  bool isByNumber = widthOf(dot.element->operands()[0]->type()) >= wordBytes;
  auto isThin = [&](TileId factor, TileId other) {
    return (multiplied.contains(other) || round.fetched.contains(other) ||
            (isByNumber && wasRead.contains(other))) &&
           llvm::all_of(axesOf(factor), [&](const IndexVar &var) {
             return (windowOf(var) == 1 && tilesOf(var) == 1) ||
                    llvm::is_contained(bound, var) ||
                    llvm::is_contained(axesOf(other), var);
           });
  };
  TileId lhs = dot.operands[0], rhs = dot.operands[1];
  return isThin(lhs, rhs) || isThin(rhs, lhs);
}

/// In a branch nothing is copied ahead, and one block multiplies by itself: of
/// D4's perceptron all layers took 75 us there, 2048 rows in sixteen rounds of
/// 16, and 25 elsewhere; the last two 32 in four rounds, and 7.6 of 128 rows, 4
/// a block. One row reads as much for less: 10.
void Walk::countInBranch(double products, double times) {
  constexpr double ofRound = 64 << 10;
  if (isInBranch)
    branchRounds += times * (products > 0 ? 0.5 + products / ofRound : 2);
}

/// What is split in registers is so in each round; the rests of the other
/// factor are written once for as many rounds as it stays the same.
void Walk::visitSplit(const Statement &dot, double times) {
  const VarSet &a = axesOf(dot.operands[0]), &b = axesOf(dot.operands[1]);
  double width = widthOf(dot.element->operands()[0]->type());
  double numbers = volumeOf(a) + volumeOf(b), others = 2;
  std::optional<SplitFactors> factors = splitByGroups(dot);
  double stays = factors ? staying.lookup(factors->right) : 0;
  if (machine.hasGroups && stays > 1) {
    double left = volumeOf(axesOf(factors->left)),
           right = volumeOf(axesOf(factors->right));
    numbers = left + right / stays;
    others = 1;
    // Beside both parts of one factor two slots of the other one, and what sums
    // pass through behind the loop.
    constexpr double slots = 2;
    if (factors->rows == BlockNeeds::rowsOfGroup)
      splitBlockBytes =
          std::max(splitBlockBytes, width * (2 * right + slots * left +
                                             volumeOf(axesOf(dot.result))));
  }
  double seconds = times * numbers * machine.splitting;
  dotSeconds += seconds;
  splitSeconds += seconds;
  round.splitBytes = std::max(
      round.splitBytes, others * width * std::max(volumeOf(a), volumeOf(b)));
}

/// Whether a factor is what lies in memory as integers.
static bool isOfIntegers(const Element &factor) {
  return (isOp<arith::SIToFPOp>(&factor) || isOp<arith::UIToFPOp>(&factor)) &&
         factor.operands().front()->kind() == ElementKind::Load;
}

/// What is summed up in registers instead of multiplied.
void Walk::visitSummedUp(const Statement &dot, double times) {
  ++numSummed;
  double products = 1;
  for (const IndexVar &var : axesOf(dot.operands[0]))
    if (!llvm::is_contained(dot.element->boundVars(), var) &&
        llvm::is_contained(axesOf(dot.operands[1]), var))
      products *= windowOf(var);
  summedProducts = std::max(summedProducts, products);
  multiplied.insert(dot.result);
  otherSeconds += times * 2 * volumeOf(axesOf(ArrayRef<TileId>(dot.operands))) /
                  machine.simple;
  countInBranch(0, times);
}

Walk::Product Walk::productOf(const Statement &dot) const {
  const VarSet &a = axesOf(dot.operands[0]), &b = axesOf(dot.operands[1]);
  ArrayRef<IndexVar> bound = dot.element->boundVars();
  Type type = dot.element->operands()[0]->type();
  Product product{dot};
  unsigned rowAxes = 0, columnAxes = 0, depthAxes = 0;
  for (const IndexVar &var : axesOf(dot.operands)) {
    double window = windowOf(var);
    bool isAxis = window > 1;
    if (llvm::is_contained(bound, var)) {
      depthAxes += isAxis;
    } else if (!llvm::is_contained(b, var)) {
      product.rows *= window;
      rowAxes += isAxis;
    } else if (!llvm::is_contained(a, var)) {
      product.columns *= window;
      columnAxes += isAxis;
    } else {
      product.sideBySide *= window;
    }
  }
  for (const IndexVar &var : bound)
    product.depthBytes =
        std::max(product.depthBytes, windowOf(var) * widthOf(type));
  product.rate = rateOf(dot);
  product.isOuter =
      product.rate == machine.dotSingle || product.rate == machine.dotDouble;
  product.isSplit = isByParts(dot);
  // Four warps together multiply tf32, too, where both factors lie along k.
  product.isTf32ByGroups = product.rate == machine.dotTf32 &&
                           llvm::all_of(dot.operands, [&](TileId factor) {
                             const Element *load = loads.lookup(factor);
                             return load && load->liesAlong(bound);
                           });
  product.isForGroups = product.rate == machine.dotHalf ||
                        product.rate == machine.dotByte ||
                        product.isTf32ByGroups;
  // Four warps together do one product of matrices at a time, whose
  // instructions take 32 bytes of k.
  constexpr double leastDepth = 32;
  product.isOfMatrices = product.sideBySide == 1 && rowAxes <= 1 &&
                         columnAxes <= 1 && depthAxes <= 1 &&
                         product.depthBytes >= leastDepth;
  return product;
}

/// Counts what a product reads, and what has been made of it.
void Walk::countFactors(const Product &product) {
  double outerFactors = 0;
  for (auto [number, factor] : llvm::enumerate(product.dot.operands)) {
    double volume = volumeOf(axesOf(factor));
    double bytes = volume * widthOf(kernel.tiles[factor].type);
    bool isMade = round.made.contains(factor);
    if (product.isOuter) {
      outerFactor = std::max(outerFactor, volume);
      if (round.read.contains(factor))
        round.outerRead += bytes;
      if (isMade)
        outerMade = std::max(outerMade, volume);
    }
    round.multipliesMade |= isMade;
    round.multipliesFetched |= round.fetched.contains(factor);
    if (isOfIntegers(*product.dot.element->operands()[number]))
      convertedBytes = std::max(convertedBytes, bytes);
    if (!wasRead.contains(factor) && carriedBytes > 0)
      needs.factorBytes = std::max(needs.factorBytes, bytes);
    // Tensor cores take from registers what a block has made, except where four
    // warps split it.
    bool isSplitByGroups = product.isSplit && machine.hasGroups && isMade;
    if ((product.isOuter || isSplitByGroups || wasRead.contains(factor)) &&
        factors.insert(factor).second)
      (product.isOuter ? outerFactors : factorBytes) += bytes;
  }
  round.level.all += outerFactors;
  round.level.largest = std::max(round.level.largest, outerFactors);
}

/// Counts what threads multiply number by number.
void Walk::countOuter(const Product &product, double times) {
  ArrayRef<IndexVar> bound = product.dot.element->boundVars();
  outerSums = std::max(outerSums, volumeOf(axesOf(product.dot.result)));
  bool isAlongRounds = bound.size() == 1 &&
                       llvm::any_of(round.innerTrips, [&](const auto &trip) {
                         return trip.second > 1 && trip.first == bound.front();
                       });
  hasOtherTerms |= loopsAround > 0 && !isAlongRounds;
  // What lies along k is turned while it is copied, number by number: of G1i
  // in blocks of 128 x 64 twice as much as of 64 x 128, 378 us and 353.
  constexpr double turned = 1;
  Type type = product.dot.element->operands()[0]->type();
  for (TileId factor : product.dot.operands)
    if (const Element *load = loads.lookup(factor))
      if (load->liesAlong(bound)) {
        outerBytes += turned * times / staying.lookup(factor) *
                      volumeOf(axesOf(factor)) * widthOf(type);
        payForPieces(load);
      }
}

/// What a round takes for a product beside its own time.
double Walk::turningOf(const Product &product) const {
  if (product.isOuter)
    return machine.meeting;
  // Sums that are apart at first are added up where the round ends.
  if (product.isSplit ||
      widthOf(product.dot.element->operands()[0]->type()) == 1)
    return machine.adding;
  // What is copied in whole runs is waited for less often.
  constexpr double wholeRun = 128, longTurning = 0.2;
  bool isLong = machine.hasGroups &&
                (product.rate == machine.dotHalf || product.isTf32ByGroups) &&
                product.rows >= BlockNeeds::rowsOfGroup &&
                product.depthBytes >= wholeRun;
  return isLong ? longTurning * machine.turning : machine.turning;
}

/// Notes whether groups of four warps can multiply it together, and what of.
void Walk::noteGroups(const Product &product, double times) {
  double rows = product.rows, columns = product.columns;
  needs.rows = std::min(needs.rows, rows);
  needs.columns = std::max(needs.columns, columns);
  needs.sums += volumeOf(axesOf(product.dot.result));
  needs.isByGroups &= product.isOfMatrices && product.isForGroups;
  areAllByGroups &= product.isOfMatrices && !product.isOuter;
  onlyHalves &= product.rate == machine.dotHalf;
  areTurned &= product.isOfMatrices && product.rate == machine.dotHalf &&
               rows < BlockNeeds::rowsOfGroup &&
               std::fmod(columns, BlockNeeds::rowsOfGroup) == 0;
  if (!machine.hasGroups)
    return;
  constexpr double fewRows = 16;
  if (product.isForGroups) {
    if (product.sideBySide > 1 && rows >= machine.dotRows)
      rowsOfMany = std::min(rowsOfMany, rows);
    hasOddTurned |=
        rows < fewRows && !llvm::isPowerOf2_64(static_cast<uint64_t>(columns));
  }
  bool isByGroups = product.isForGroups && product.isOfMatrices;
  // Sixty-four rows are multiplied at a time, by all columns.
  if (isByGroups) {
    double ofGroup = rows >= BlockNeeds::rowsOfGroup ? rows : columns,
           others = rows >= BlockNeeds::rowsOfGroup ? columns : rows;
    multipliedBytes +=
        times * product.depthBytes *
        (ofGroup + std::ceil(ofGroup / BlockNeeds::rowsOfGroup) * others);
  }
  // Few rows of 16 bits are columns of the transposed product.
  if (product.rate == machine.dotTf32 || product.rate == machine.dotByte)
    fewestRows = std::min({fewestRows, rows, columns});
  else if (isByGroups)
    fewestRows = std::min(fewestRows, rows >= machine.dotRows ? rows : columns);
}

/// What part of their rate tensor cores reach with so many rows and columns; 0
/// if these are too few.
double Walk::partOfShape(double rows, double columns) const {
  auto partOf = [&](double rows, double columns) {
    double part = std::min(1.0, columns / machine.dotColumns);
    // Few rows are multiplied by few warps, each of which waits for itself.
    bool isAlone = machine.turnsProducts && rows < machine.dotRows;
    return std::min(1.0, rows / machine.dotRows) *
           (isAlone ? part : std::sqrt(part));
  };
  double part = 0;
  if (rows >= machine.leastRows && columns >= machine.leastColumns)
    part = partOf(rows, columns);
  // Few columns of the transposed product take as long as more of them: D1 in
  // f16, 128 rows, took 10.2 us with 8 rows a block and 6.9 with 16.
  if (machine.turnsProducts && columns >= machine.dotRows &&
      rows >= machine.leastColumns)
    part = std::max(
        part, partOf(columns, rows) *
                  std::min(1.0, rows / static_cast<double>(machine.leastRows)));
  return part;
}

/// How much of a product is done in a second where all multiply.
double Walk::speedOf(const Product &product) const {
  double rows = product.rows, columns = product.columns;
  double shape = partOfShape(rows, columns);
  if (product.isOuter) {
    double terms = 1;
    for (const IndexVar &var : product.dot.element->boundVars())
      terms *= windowOf(var) *
               (llvm::is_contained(round.vars, var) ? round.trips : 1);
    shape = machine.outerPart(rows * columns, terms);
  }
  // Of 128 rows and 256 columns four warps read 10 bytes for each 16 x 16 x 16
  // of a product, of 256 and 128 they read 12: L2 took 1743 and 1777 us,
  // M4i_tf32x3 1268 and 1314.
  constexpr double wideColumns = 256, narrow = 0.97;
  if (machine.hasGroups &&
      (product.rate == machine.dotHalf || product.isSplit) &&
      columns < wideColumns)
    shape *= narrow;
  // A thin product runs as plain arithmetic.
  double plain = std::min(product.rate, machine.simple);
  if (shape == 0)
    plain *= std::min(1.0, rows * columns / machine.lanes) / machine.plainCost;
  else if (product.isOuter)
    plain *= std::min(1.0, rows * columns / machine.plainSums);
  // What each warp does by itself takes twice as long: attention with heads of
  // 32, four at a time, took 551 us, and 275 one by one; grouped queries, 32 of
  // each of four heads, took 1683 us.
  constexpr double byWarps = 0.5;
  if (machine.hasGroups && product.isForGroups && !product.isOfMatrices &&
      rows >= machine.dotRows / 2)
    shape *= byWarps;
  // Warps that multiply tf32 by themselves round what they have copied first:
  // 48x640 by 640x2560 took 16.4 us in 64 x 32, where the engine brings 64
  // columns as rows 5.1.
  constexpr double rounded = 0.1;
  if (machine.hasGroups && product.rate == machine.dotTf32 &&
      !splitByGroups(product.dot))
    shape *= rounded;
  return std::max(product.rate * shape, plain);
}

/// Counts a product that no loop carries.
void Walk::countLoose(const Statement &dot) {
  ++looseDots;
  largestLooseDot = std::max(largestLooseDot, tileBytes(dot.result));
  if (llvm::all_of(dot.operands,
                   [&](TileId factor) { return wasRead.contains(factor); }))
    for (TileId factor : dot.operands)
      looseFactors += tileBytes(factor);
}

void Walk::visitDot(const Statement &statement, double times) {
  if (isSummedUp(statement)) {
    visitSummedUp(statement, times);
    return;
  }
  Product product = productOf(statement);
  ++numDots;
  outerDots += product.isOuter;
  multipliesParts |= product.isSplit;
  round.hasOuter |= product.isOuter;
  round.hasInner |= !product.isOuter;
  multiplied.insert(statement.result);
  countFactors(product);
  if (product.isSplit)
    visitSplit(statement, times);
  if (product.isOuter)
    countOuter(product, times);
  round.turning = std::max(round.turning, turningOf(product));
  noteGroups(product, times);
  if (carriedBytes == 0)
    countLoose(statement);
  double volume = volumeOf(axesOf(statement.operands));
  bool isThin = std::min(product.rows, product.columns) <= 1;
  countInBranch(isThin ? 0 : volume, times);
  double seconds = times * 2 * volume / speedOf(product);
  dotSeconds += seconds;
  if (product.isOuter)
    round.outerSeconds += seconds;
  longestDot = std::max(longestDot, seconds);
}

/// The part of a product's time that it waits for what the next rounds read, if
/// a round reads so much: less than three of them fit on the chip at a time,
/// beside what else is there.
double Walk::waitingFor(double bytes, double others, bool isApart,
                        bool isOuter) const {
  // Measured: rounds of 96 KiB against 48, and of 192 KiB, of which no two fit.
  // Of two slots one is read by the product in flight, unless it is waited for
  // in its own round: L2 took 2.5 ms so instead of 1.77, M5 0.96 and not 1.06.
  constexpr double withTwo = 0.06, withOne = 0.4;
  // M4i took 3381 us with rounds of 64 and 3201 with 32.
  constexpr double alone = 0.02;
  // What a role of its own loads before the rounds stays where it is.
  double held = machine.hasGroups && needs.isByGroups ? needs.heldBytes : 0;
  bytes -= std::max(0.0, held - looseFactors);
  double room = machine.ahead - held;
  // Threads that copy by themselves have done so before they multiply. They
  // wait for each other each round, as those of another block do meanwhile.
  if (isOuter && machine.hasGroups)
    return 2 * bytes > room       ? withOne
           : 3 * bytes > room     ? withTwo
           : 3 * bytes > room / 2 ? alone
                                  : 0;
  if (3 * bytes <= room)
    return 0;
  return isApart && 2 * bytes + others <= room ? withTwo : withOne;
}
