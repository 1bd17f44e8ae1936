//===- NestWalker.h - who counts what a launch does -------------*- C++ -*-===//
//
// The walk over a nest. NestWalk.cpp goes through statements, NestRounds.cpp
// through loops; NestLoads.cpp counts what they read, NestDots.cpp products.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_ANALYSIS_NESTWALKER_H
#define FUSE_LIB_ANALYSIS_NESTWALKER_H

#include "NestWalk.h"

namespace fuse::cost {

/// The bytes of an element.
double widthOf(mlir::Type type);

class Walk : NestCounts {
public:
  Walk(const KernelNest &kernel, llvm::ArrayRef<mlir::Value> roots,
       const SizeAnalysis &sizes, const Machine &machine, BlockTruths &truths)
      : kernel(kernel), roots(roots), sizes(sizes), machine(machine),
        truths(truths) {}

  NestCounts count(const Nest &nest);

private:
  /// Factors of what threads multiply number by number: all, those of the
  /// largest product, and those of the largest loop. In a loop all are there at
  /// a time; behind one, others may lie where its factors did. And what further
  /// slots of loops take.
  struct Level {
    double all = 0, largest = 0, largestInside = 0, slotsInside = 0;
    bool hasLoops = false;
  };

  /// One round of a loop, or what is around all loops.
  struct Round {
    /// How many there are, in each of how many times.
    double trips = 1, times = 1;
    double number() const { return times * trips; }
    /// The loop's variables, and how many rounds each has, in the order in
    /// which they run.
    VarSet vars;
    llvm::SmallVector<std::pair<IndexVar, double>> innerTrips;
    /// What the loop carries, as it is inside, and what took its place.
    llvm::DenseSet<TileId> carried;
    /// What was made of which product of this round, the first that it is made
    /// of.
    llvm::MapVector<TileId, TileId> madeOf;

    /// What a round reads, and what it keeps of a factor whose numbers are
    /// split, for two rounds.
    double bytes = 0, splitBytes = 0;
    /// How many copies there are of that if threads copy it, across what lies
    /// along the loop number by number.
    double copies = 0;
    /// What it reads that stays the same in the rounds of inner variables.
    double stayingBytes = 0;
    /// The largest tile that it reads.
    double largest = 0;
    /// What it has read, what it has made of that alone, and what can only be
    /// read when it is needed; and what threads hold of the last.
    llvm::DenseSet<TileId> read, made, fetched;
    double fetchedBytes = 0;
    /// Whether it multiplies with these.
    bool multipliesMade = false, multipliesFetched = false;
    /// Whether it sums up what it has read, made or multiplied, or seeks the
    /// maximum.
    bool reducesItsOwn = false;
    /// Whether it computes with a product of its own.
    bool takesProduct = false;
    /// Whether threads multiply in it number by number, and whether tensor
    /// cores do, too; and what it reads for the former, and how long these
    /// take.
    bool hasOuter = false, hasInner = false;
    double outerRead = 0, outerSeconds = 0;
    bool isMixed() const { return hasOuter && hasInner; }
    /// What it takes for products beside their own time.
    double turning = 0;
    Level level;

    /// Known when all rounds are done: how long their products take, and
    /// whether each multiplies number by number for longer than memory takes to
    /// answer, or not as long and does nothing else.
    double dotSeconds = 0;
    bool isLong = false, isBrief = false;
  };

  /// What was counted of loops before one of them.
  struct InLoops {
    unsigned numLoops, numDots;
    double longestDot, slotBytes;
  };

  /// What a statement reads of a tensor.
  struct Reading {
    const Statement &load;
    mlir::Value tensor;
    /// In how many rounds one after the other it is the same, and how often
    /// another one is read.
    double stays = 1, times = 1;
    /// Whether each round reads it anew, and whether rows lie along the loop.
    bool isOfRound = false, isAlongLoop = false;
    /// Whether all blocks read the same.
    bool isAlike = false;
    /// What is read of it, its tile, and all of the tensor.
    double bytes = 0, volume = 0, tileBytes = 0, whole = 0;
    /// The bytes that lie in a row, and how many come for each.
    double run = 0, perByte = 1;
    /// What comes, and what of it from the cache.
    double traffic = 0, fromCache = 0;
  };

  /// What is multiplied at a time.
  struct Product {
    const Statement &dot;
    double rows = 1, columns = 1, sideBySide = 1;
    /// Along k.
    double depthBytes = 0;
    double rate = 0;
    /// Whether threads multiply number by number, and whether tensor cores
    /// multiply the parts of its numbers.
    bool isOuter = false, isSplit = false;
    /// Whether four warps can multiply such numbers together, and whether they
    /// are those of two matrices.
    bool isForGroups = false, isTf32ByGroups = false, isOfMatrices = false;
  };

  /// What the copy engine takes begins at multiples of so many bytes.
  static constexpr int64_t word = 16;

  using LastUses = llvm::DenseMap<TileId, size_t>;

  /// What is behind the statement at a place of a list.
  struct Rest {
    llvm::ArrayRef<Statement> statements;
    size_t place;
    const LastUses &lastUses;

    bool needs(TileId tile) const { return lastUses.lookup(tile) > place; }
  };

  /// The factors of such a product: the one that gives rows, through registers,
  /// and the one whose rests are in shared memory.
  struct SplitFactors {
    TileId left, right;
    double rows;
  };

  /// Of a window, what is in front of the variable's end.
  double insideOf(const IndexVar &var) const {
    return std::max(1.0,
                    std::min<double>(windows.sizeOf(var), number(var.size)));
  }
  double windowOf(const IndexVar &var) const {
    return machine.hasAnyTile ? insideOf(var)
                              : std::max<double>(1, windows.sizeOf(var));
  }
  double volumeOf(llvm::ArrayRef<IndexVar> vars) const {
    double volume = 1;
    for (const IndexVar &var : vars)
      volume *= windowOf(var);
    return volume;
  }
  double tilesOf(const IndexVar &var) const {
    return std::ceil(number(var.size) / windowOf(var));
  }
  const VarSet &axesOf(TileId tile) const { return kernel.tiles[tile].axes; }
  double tileBytes(TileId tile) const {
    return volumeOf(axesOf(tile)) * widthOf(kernel.tiles[tile].type);
  }
  VarSet axesOf(llvm::ArrayRef<TileId> tiles) const {
    VarSet axes;
    for (TileId tile : tiles)
      for (const IndexVar &var : axesOf(tile))
        if (!llvm::is_contained(axes, var))
          axes.push_back(var);
    return axes;
  }

  // NestWalk.cpp
  double number(Size size) const;
  void visit(const std::vector<Statement> &statements, double all);
  void visitStore(const Statement &statement);
  void visitPart(const Statement &statement, double times);
  void visitComputed(const Statement &statement, double times,
                     const Rest &rest);
  bool isAddedByProduct(const Statement &statement) const;
  void countTile(TileId tile);
  void countLive(const Statement &statement, const Rest &rest);
  void stage(double bytes);
  bool readsRows(llvm::ArrayRef<IndexVar> bound) const;
  bool needsAgain(llvm::ArrayRef<Statement> statements, size_t reduction,
                  const LastUses &lastUses) const;
  void traceMaking(const Statement &statement, const Rest &rest);
  bool isOnlyAdded(TileId tile, const Rest &rest) const;
  void holdProduct(const Statement &statement, const Rest &rest);
  double heldBeside(TileId result, const Rest &rest) const;
  double replacedBy(const Statement &statement, const Rest &rest) const;

  // NestRounds.cpp
  void visitLoop(const NestLoop &loop, double times);
  double countTrips(const NestLoop &loop);
  double countCarried(const NestLoop &loop);
  bool goesOn(const NestLoop &loop) const;
  void joinLoops(const InLoops &before);
  Round roundOf(const NestLoop &loop, double times, double trips) const;
  void countWaits(const Round &done);
  void countTurning(Round &done);
  void countMixed(Round &done);
  void countReads(const Round &done);
  void countSlots(Round &done);
  void raiseLevel(const Level &inside);
  double bandOf(const NestLoop &loop) const;

  // NestLoads.cpp
  bool isDivided(const Statement &load) const;
  void visitLoad(const Statement &statement, double times);
  Reading readingOf(const Statement &load, double times) const;
  double perByteOf(const Reading &reading) const;
  void countRead(const Reading &reading);
  void countTensor(const Reading &reading);
  void noteRows(const Reading &reading);
  void countPieces(const Reading &reading);
  void countCopies(const Reading &reading);
  void countMemory(const Reading &reading);
  double stayingOf(TileId tile) const;

  // NestCopies.cpp
  double crossingOfPieces(double run) const;
  double crossingOf(const Reading &reading) const;
  static bool hasOwnVariables(const Element *load);
  bool haveRowsAt(int64_t bytes, mlir::Value tensor) const;
  bool canBeCopiedAhead(const Element *load) const;
  bool fitsInColumns(const Statement &load) const;
  double elementsAt(const AffineIndex &index) const;
  double runOf(mlir::RankedTensorType type,
               llvm::function_ref<const AffineIndex &(int64_t)> indexOf) const;
  double runOf(const Element *load) const;
  double rowOf(const Element *load) const;

  // NestDots.cpp
  void visitDot(const Statement &statement, double times);
  void visitSummedUp(const Statement &dot, double times);
  void visitSplit(const Statement &dot, double times);
  Product productOf(const Statement &dot) const;
  void countFactors(const Product &product);
  void countOuter(const Product &product, double times);
  void countLoose(const Statement &dot);
  void noteGroups(const Product &product, double times);
  double turningOf(const Product &product) const;
  double partOfShape(double rows, double columns) const;
  double speedOf(const Product &product) const;
  /// `products`: how many a round has of several rows; 0 for one row.
  void countInBranch(double products, double times);
  void payForPieces(const Element *load);
  double rateOf(const Statement &dot) const;
  bool isByParts(const Statement &dot) const;
  std::optional<SplitFactors> splitByGroups(const Statement &dot) const;
  bool isSummedUp(const Statement &dot) const;
  double waitingFor(double bytes, double others, bool isApart,
                    bool isOuter) const;

  // NestChoices.cpp
  void findParts(const std::vector<Statement> &statements);
  double partOf(const Statement &statement) const;

  const KernelNest &kernel;
  llvm::ArrayRef<mlir::Value> roots;
  const SizeAnalysis &sizes;
  const Machine &machine;
  BlockTruths &truths;
  TileSizes windows;
  /// What blocks are numbered by.
  llvm::ArrayRef<IndexVar> grid;

  llvm::MapVector<mlir::Value, double> unique;
  /// What the parts of a loop, whose variables have one level, read of a
  /// tensor.
  llvm::DenseMap<std::pair<mlir::Value, int32_t>, double> inParts;
  /// Those that come in pieces of rows.
  llvm::DenseSet<mlir::Value> inPieces;
  /// What is read of it where blocks divide it among them, in all loops.
  llvm::MapVector<mlir::Value, double> divided;
  /// The round at hand.
  Round round;
  /// What comes from products, which are waited for anyway.
  llvm::DenseSet<TileId> multiplied;
  /// The sums that loops carry on.
  llvm::DenseSet<TileId> sums;
  /// What loops have left, and what has taken the place of that.
  llvm::DenseSet<TileId> left;
  llvm::DenseSet<TileId> wasRead, factors;
  int loopsAround = 0;
  /// What the loops around a statement carry.
  double carriedBytes = 0;
  /// What part of all blocks computes a tile, if not all do.
  llvm::DenseMap<TileId, double> parts;
  /// Whether some blocks leave out the loop at hand.
  bool isInBranch = false;
  /// Whether nothing is reduced, in loops or at once.
  bool isOnlyPointwise = false;
  llvm::DenseMap<TileId, const Element *> loads;
  /// In how many rounds one after the other each of them is the same.
  llvm::DenseMap<TileId, double> staying;
};

} // namespace fuse::cost

#endif // FUSE_LIB_ANALYSIS_NESTWALKER_H
