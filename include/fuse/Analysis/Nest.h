//===- Nest.h - a kernel as a loop nest of tiles ----------------*- C++ -*-===//
//
// What one block of a kernel does, before any IR is written: statements that
// make tiles, in loops that carry them. A nest is made by a NestBuilder, costed
// by a CostModel, and written down as `tile` ops by convert-fuse-to-tile.
//
// The axes of a tile are *named* by index variables. So nothing is broadcast
// and nothing is transposed in a nest: operands of a statement are aligned by
// the names of their axes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_NEST_H
#define FUSE_ANALYSIS_NEST_H

#include "fuse/Analysis/Cascade.h"
#include "fuse/Analysis/Element.h"
#include "fuse/Analysis/LoopBounds.h"

namespace fuse {

/// A tile of a nest, by number.
using TileId = uint32_t;

/// How large the windows of the variables are.
class TileSizes {
public:
  void set(const IndexVar &var, int64_t size);
  /// The size of the window of `var`. Where none was set, no larger than
  /// needed.
  int64_t sizeOf(const IndexVar &var) const;
  /// Its window is all of it: there is no loop. What is empty has a loop that
  /// never runs.
  bool isResident(const IndexVar &var) const {
    return var.size.isNumber() && var.size.getNumber() > 0 &&
           sizeOf(var) >= var.size.getNumber();
  }
  /// Its last window may reach behind its end.
  bool isRagged(const IndexVar &var) const {
    int64_t window = sizeOf(var);
    return window > 1 &&
           (!var.size.isNumber() || var.size.getNumber() % window != 0);
  }

  /// What a variable gets that was not set.
  int64_t byDefault = 64;

private:
  /// Output variables are known by their place alone.
  using Key = std::tuple<int32_t, int32_t, Size>;
  static Key key(const IndexVar &var) {
    return {var.level, var.place,
            var.level == IndexVar::kOutput ? Size::number(0) : var.size};
  }
  /// There are few, and they are looked up all the time.
  llvm::SmallVector<std::pair<Key, int64_t>, 8> sizes;
};

/// A buffer that one nest of a kernel fills and the next one reads: what the
/// chunks of a split loop have accumulated.
struct PartBuffer {
  mlir::Type type;
  llvm::SmallVector<Size> shape;
  /// The variables of its dimensions behind that of the chunks.
  VarSet axes;
};

struct NestLoop;

struct Statement {
  enum class Kind {
    /// `result` = the element's own operation on the operands.
    Compute,
    /// `result` = the operand, with `identity` where a variable in `vars` is
    /// at or behind its end.
    Mask,
    /// `result` = the reduction `element` of the operands' windows.
    Reduce,
    /// Writes the operand to root number `target` at `index`.
    Store,
    /// Writes the operand to part buffer `target`, and reads it.
    StorePart,
    LoadPart,
    Loop,
  };

  Kind kind;
  TileId result = 0;
  llvm::SmallVector<TileId, 3> operands;
  const Element *element = nullptr;
  VarSet vars;
  mlir::TypedAttr identity;
  unsigned target = 0;
  llvm::SmallVector<AffineIndex> index;
  std::unique_ptr<NestLoop> loop;
};

/// A tile that a loop carries.
struct CarriedTile {
  /// What it is before the first round.
  mlir::TypedAttr initial;
  /// The tile that it is instead, if there is one.
  std::optional<TileId> from{};
  /// Inside, at the end of a round, and behind the loop.
  TileId inside = 0, next = 0, result = 0;
};

/// A condition that has to hold for a round of the loop to have any effect:
/// `var < limit`, or `var >= limit`.
struct NestBound {
  IndexVar var;
  bool isUpper = true;
  /// The limit; a tile where it varies inside of the block.
  AffineIndex affine;
  std::optional<TileId> computed;
};

struct NestLoop {
  llvm::SmallVector<IndexVar> vars;
  llvm::SmallVector<CarriedTile> carried;
  std::vector<Statement> body;
  llvm::SmallVector<NestBound> bounds;
  /// In how many chunks blocks share its rounds.
  int64_t chunks = 1;
  /// How many rounds are written one behind the other. What they read is ready
  /// before any of them, and so is asked for at once.
  int64_t roundsAtOnce = 1;

  /// In how many parts the chunks divide the range of each variable: that of
  /// the first as far as it has rounds, and then that of the next.
  llvm::SmallVector<int64_t> partsOf(const TileSizes &sizes) const;
};

/// How many windows a variable has, if that is known.
std::optional<int64_t> roundsOf(const IndexVar &var, const TileSizes &sizes);

struct TileInfo {
  mlir::Type type;
  /// Sorted. Variables whose windows have size 1 are among them.
  VarSet axes;
};

/// One launch.
struct Nest {
  /// Variables that blocks share; the last varies fastest.
  llvm::SmallVector<IndexVar> grid;
  /// The variable that numbers the chunks of a split loop.
  std::optional<IndexVar> chunk;
  /// Whether it combines what the chunks of another one have left.
  bool isMerge = false;
  std::vector<Statement> body;
};

/// How a reduction with one number shares the loop of the statistic with the
/// other. Numbers as in KernelView::reductions.
struct NestCascade {
  unsigned reduction, statistic;
  CascadeStrategy strategy;
};

/// A whole kernel: one launch, or two where a reduction is split.
struct KernelNest {
  TileSizes sizes;
  llvm::SmallVector<Nest, 1> nests;
  std::vector<TileInfo> tiles;
  llvm::SmallVector<PartBuffer> parts;
  /// The strategy of every pair of reductions that could share a loop.
  llvm::SmallVector<NestCascade> cascades;
  /// What was decided, in words: remarks.
  llvm::SmallVector<std::string> notes;

  /// The windows of one launch. Blocks that merge do little but wait for
  /// memory, so there are many, with small windows of the variables that blocks
  /// share; or, in a cluster, with a share of one window.
  TileSizes sizesOf(const Nest &nest) const;

  /// Whether a loop could have pilots, or has.
  bool mayHavePilots = false;

  /// Whether a loop is split.
  bool isSplit() const { return nests.size() > 1; }
  /// Whether the blocks that have the chunks merge them, in a cluster, each a
  /// share of the whole. Then both nests are one launch.
  bool mergesInCluster = false;
  /// The variable of whose windows they have shares; none if they cannot merge
  /// in a cluster.
  std::optional<IndexVar> sharedVar() const;
  /// How many chunks `nest`, which merges them, asks for at once.
  int64_t chunksAtOnce(const Nest &nest) const;
  /// Splits the loop that is split into another number of chunks, which are
  /// merged in a cluster if they are to be and can be.
  void setChunks(int64_t chunks, bool inCluster);
  /// About as many as `chunks`, and none of them without a round if the sizes
  /// are known.
  int64_t fittingChunks(int64_t chunks) const;

private:
  int64_t mergedAtOnce(const Nest &nest) const;
  int64_t mergedElements(const TileSizes &own) const;
};

/// How many chunks are asked for before the first of them is waited for, when
/// so many are merged.
int64_t chunksAtOnce(int64_t chunks, int64_t most = 16);

} // namespace fuse

#endif // FUSE_ANALYSIS_NEST_H
