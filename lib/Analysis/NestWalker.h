//===- NestWalker.h - who counts what a launch does -------------*- C++ -*-===//
//
// The walk over a nest. NestWalk.cpp goes through loops and what they read,
// NestDots.cpp counts products.
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
  double number(Size size) const;
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
  VarSet axesOf(llvm::ArrayRef<TileId> tiles) const {
    VarSet axes;
    for (TileId tile : tiles)
      for (const IndexVar &var : axesOf(tile))
        if (!llvm::is_contained(axes, var))
          axes.push_back(var);
    return axes;
  }

  void visit(const std::vector<Statement> &statements, double all);
  void stage(double bytes);
  void visitLoop(const NestLoop &loop, double times);
  void findParts(const std::vector<Statement> &statements);
  double partOf(const Statement &statement) const;
  void visitDot(const Statement &statement, double times);
  void visitSplit(const Statement &dot, double times);
  /// `products`: how many a round has of several rows; 0 for one row.
  void countInBranch(double products, double times);
  /// What the copy engine takes begins at multiples of so many bytes.
  static constexpr int64_t word = 16;
  double crossingOfPieces(double run) const;
  static bool hasOwnVariables(const Element *load);
  bool haveRowsAt(int64_t bytes, mlir::Value tensor) const;
  bool endsWithSlice(const Element *load) const;
  bool canBeCopiedAhead(const Element *load) const;
  bool fitsInColumns(const Statement &load) const;
  bool isDivided(const Statement &load) const;
  bool readsRows(llvm::ArrayRef<IndexVar> bound) const;
  using LastUses = llvm::DenseMap<TileId, size_t>;
  bool needsAgain(llvm::ArrayRef<Statement> statements, size_t reduction,
                  const LastUses &lastUses) const;
  void visitLoad(const Statement &statement, double times);
  void payForPieces(const Element *load);
  double stayingOf(TileId tile) const;
  double elementsAt(const AffineIndex &index) const;
  double runOf(mlir::RankedTensorType type,
               llvm::function_ref<const AffineIndex &(int64_t)> indexOf) const;
  double runOf(const Element *load) const;
  double rowOf(const Element *load) const;
  double bandOf(const NestLoop &loop) const;
  double rateOf(const Statement &dot) const;
  bool isByParts(const Statement &dot) const;
  /// The factors of such a product: the one that gives rows, through registers,
  /// and the one whose rests are in shared memory.
  struct SplitFactors {
    TileId left, right;
    double rows;
  };
  std::optional<SplitFactors> splitByGroups(const Statement &dot) const;
  bool isSummedUp(const Statement &dot) const;
  void traceMaking(const Statement &statement,
                   llvm::ArrayRef<Statement> others);
  bool isOnlyAdded(TileId tile, llvm::ArrayRef<Statement> others) const;
  void holdProduct(const Statement &statement,
                   llvm::ArrayRef<Statement> others);
  double heldBeside(TileId result, llvm::ArrayRef<Statement> others) const;
  double replacedBy(const Statement &statement,
                    llvm::ArrayRef<Statement> others) const;
  double waitingFor(double bytes, double others, bool isApart,
                    bool isOuter) const;

  const KernelNest &kernel;
  llvm::ArrayRef<mlir::Value> roots;
  const SizeAnalysis &sizes;
  const Machine &machine;
  BlockTruths &truths;
  TileSizes windows;
  /// What blocks are numbered by.
  llvm::ArrayRef<IndexVar> grid;

  llvm::MapVector<mlir::Value, double> unique;
  /// Those that come in pieces of rows.
  llvm::DenseSet<mlir::Value> inPieces;
  /// What is read of it where blocks divide it among them, in all loops.
  llvm::MapVector<mlir::Value, double> divided;
  /// What one round of the loop at hand reads, and what it keeps of a factor
  /// whose numbers are split, for two rounds.
  double roundBytes = 0, splitBytes = 0;
  /// How many copies there are of that if threads copy it, across what lies
  /// along the loop number by number.
  double roundCopies = 0;
  /// What it reads that stays the same in the rounds of inner variables.
  double stayingBytes = 0;
  /// What the round at hand has read, what it has made of that alone, and what
  /// comes from products, which are waited for anyway; and whether it
  /// multiplies with what it has made.
  llvm::DenseSet<TileId> read, made, multiplied;
  bool multipliesMade = false;
  /// Whether it sums up what it has read, made or multiplied, or seeks the
  /// maximum.
  bool reducesItsOwn = false;
  /// Whether the round at hand multiplies number by number.
  bool hasOuter = false;
  /// Whether tensor cores multiply in it, too; and what a round reads for those
  /// that do not, and how long these take.
  bool hasInner = false;
  double outerRead = 0, outerSeconds = 0;
  /// The same for what can only be read when it is needed, and what threads
  /// hold of it in a round.
  llvm::DenseSet<TileId> fetched;
  bool multipliesFetched = false;
  double fetchedBytes = 0;
  /// Whether the round at hand computes with a product of its own; and the sums
  /// that it carries on.
  llvm::DenseSet<TileId> sums;
  bool takesProduct = false;
  /// What the round at hand takes for products beside their own time.
  double turning = 0;
  llvm::DenseSet<TileId> wasRead, factors;
  /// Factors of what threads multiply number by number: all, those of the
  /// largest product, and those of the largest loop. In a loop all are there at
  /// a time; behind one, others may lie where its factors did. And what further
  /// slots of loops take.
  struct Level {
    double all = 0, largest = 0, largestInside = 0, slotsInside = 0;
    bool hasLoops = false;
  };
  Level level;
  int loopsAround = 0;
  /// What the loops around a statement carry.
  double carriedBytes = 0;
  /// What the loop at hand carries, as it is inside, and what took its place.
  llvm::DenseSet<TileId> carriedHere;
  /// What the loop at hand has made in this round of which product, the first
  /// that it is made of.
  llvm::MapVector<TileId, TileId> madeHere;
  /// The variables of the loop at hand, and its rounds.
  VarSet loopVars;
  double loopTrips = 1;
  /// Of each of them, in the order in which they run.
  llvm::SmallVector<std::pair<IndexVar, double>> innerTrips;
  /// What part of all blocks computes a tile, if not all do.
  llvm::DenseMap<TileId, double> parts;
  /// Whether some blocks leave out the loop at hand.
  bool isInBranch = false;
  /// Whether nothing is reduced, in loops or at once.
  bool isOnlyPointwise = false;
  llvm::DenseMap<TileId, const Element *> loads;
  /// In how many rounds one after the other each of them is the same.
  llvm::DenseMap<TileId, double> staying;
  /// The largest tile that the round at hand reads.
  double largestOfRound = 0;
};

} // namespace fuse::cost

#endif // FUSE_LIB_ANALYSIS_NESTWALKER_H
