//===- NestEmitter.h - the state of deriving a nest -------------*- C++ -*-===//
//
// What the two halves of the nest builder share: NestBuilder.cpp makes tiles
// and says which loop a reduction runs in, NestLoops.cpp makes one loop, what
// it carries, and what it leaves behind.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_ANALYSIS_NESTEMITTER_H
#define FUSE_LIB_ANALYSIS_NESTEMITTER_H

#include "LoopSeams.h"
#include "fuse/Analysis/NestBuilder.h"

namespace fuse::nest {

/// Markers are no index variables: they are free in values that live in one
/// scope only, so that nothing made of them is hoisted out of it.
inline constexpr int32_t kMarker = -2;

/// The body of one loop, or of the block.
struct Scope {
  Scope *parent;
  VarSet open;
  std::vector<Statement> *statements;
  llvm::DenseMap<const Element *, TileId> memo{};
  /// Reductions that a loop has replaced by an expression of its results.
  llvm::DenseMap<const Element *, const Element *> rewritten{};

  bool opens(const IndexVar &var) const {
    return llvm::is_contained(open, var);
  }
  bool opensAny(llvm::ArrayRef<IndexVar> vars) const {
    return llvm::any_of(vars, [&](const IndexVar &var) { return opens(var); });
  }
  bool isOpen(const IndexVar &var) const {
    return opens(var) || (parent && parent->isOpen(var));
  }
  /// Whether it is in a loop over a part of what is read.
  bool isInPart() const {
    return llvm::any_of(open,
                        [](const IndexVar &var) { return var.isOfPart(); }) ||
           (parent && parent->isInPart());
  }
};

/// Something to be written once its variables are open.
struct StoreGoal {
  unsigned root;
  llvm::SmallVector<AffineIndex> index;
  const Element *element;

  VarSet vars() const {
    VarSet all(element->freeVars());
    for (const AffineIndex &at : index)
      for (const auto &term : at.terms)
        if (!llvm::is_contained(all, term.first))
          all.push_back(term.first);
    llvm::sort(all);
    return all;
  }
};

/// Reductions and stores that share one loop.
struct Group {
  llvm::SmallVector<IndexVar> vars;
  llvm::SmallVector<const Element *> reductions;
  llvm::MapVector<const Element *, Cascade> cascades;
  llvm::SmallVector<StoreGoal> stores;

  bool runsOver(llvm::ArrayRef<IndexVar> others) const {
    return vars.size() == others.size() &&
           llvm::all_of(others, [&](const IndexVar &var) {
             return llvm::is_contained(vars, var);
           });
  }
  bool hasAnyOf(llvm::ArrayRef<const Element *> others) const {
    return llvm::any_of(others, [&](const Element *other) {
      return llvm::is_contained(reductions, other);
    });
  }
  bool hasAnyOf(const llvm::DenseSet<const Element *> &others) const {
    return llvm::any_of(reductions, [&](const Element *reduction) {
      return others.contains(reduction);
    });
  }
  bool needs(const Element *reduction) const {
    auto dependsOnIt = [&](const Element *element) {
      return llvm::is_contained(element->reductions(), reduction);
    };
    return llvm::any_of(reductions, dependsOnIt) ||
           llvm::any_of(stores, [&](const StoreGoal &store) {
             return dependsOnIt(store.element);
           });
  }
};

/// Of an accumulator, inside its loop: the placeholders of its value before and
/// after a round.
struct Slots {
  const Element *before = nullptr, *after = nullptr;
};

using ElementMap = LoopPath::Table;

class NestEmitter {
public:
  NestEmitter(KernelElements &kernel, const KernelView &view,
              const NestOptions &options)
      : kernel(kernel), context(kernel.context()), algebra(kernel.context()),
        view(view), options(options) {
    nest.sizes = options.sizes;
    // Scopes point to the statements of a launch.
    nest.nests.reserve(2);
  }

  std::optional<KernelNest> build(std::string &whyNot);

private:
  // Scopes.
  Scope *homeOf(Scope &scope, const Element *element);
  std::optional<TileId> lookup(Scope &scope, const Element *element);
  std::optional<TileId> lookupReduction(Scope &scope, const Element *element);
  const Element *rewritten(Scope &scope, const Element *element);
  llvm::SmallVector<const Element *>
  collect(Scope &scope, llvm::ArrayRef<const Element *> wanted);

  // Tiles.
  IndexVar makeMarker();
  const Element *makeSlot(mlir::Type type);
  TileId makeTile(mlir::Type type, VarSet axes);
  VarSet axesOf(llvm::ArrayRef<TileId> tiles);
  /// How many tiles there are at a time if operands come in their order, and
  /// whether some come out of a loop.
  struct Needs {
    unsigned tiles = 1;
    bool hasLoop = false;
  };
  Needs needsOf(const Element *element);
  void emitFirst(Scope &scope, const Element *element);
  Scope *placeOf(Scope &scope, Scope &home, const Element *element,
                 llvm::ArrayRef<TileId> operands);
  const Element *resolved(Scope &scope, const Element *element);
  TileId emit(Scope &scope, const Element *element);
  TileId emitReduction(Scope &scope, const Element *reduction,
                       llvm::ArrayRef<const Element *> operands);

  // Loops.
  void reach(Scope &scope, llvm::ArrayRef<const Element *> wanted,
             llvm::ArrayRef<StoreGoal> stores);
  void place(llvm::SmallVectorImpl<Group> &groups, const Element *reduction);
  void emitBefore(Scope &scope, const Group &group,
                  llvm::ArrayRef<const Element *> reductions);
  void emitLoop(Scope &scope, Group &group, bool maySplit);
  void emitStore(Scope &scope, const StoreGoal &store);
  bool isResident(const Element *reduction) const;
  OrRefusal<Cascade> join(const Element *reduction, const Group &group);
  CascadeStrategy requestedFor(const Element *reduction,
                               const Element *statistic) const;
  std::string nameOf(const Element *reduction) const;
  std::string describe(const Cascade &cascade) const;

  void fail(const llvm::Twine &why) {
    if (failure.empty())
      failure = why.str();
  }

  friend class LoopBuilder;

  /// Whether reading 0 behind the end of `var` already makes the operands
  /// contribute nothing, with what has to be masked for that.
  bool contributesNothing(const Element *reduction,
                          llvm::ArrayRef<const Element *> operands,
                          const IndexVar &var, unsigned which,
                          llvm::SmallVectorImpl<const Element *> &trusted);
  void findMaskedInside();
  bool isMaskedInside(llvm::ArrayRef<const Element *> trusted,
                      const IndexVar &var) const;
  Statement makeMask(TileId tile, const VarSet &vars, CombineKind combine);
  TileId maskedInside(Scope &scope, const Element *element, TileId tile);
  TileId emitPlain(Scope &scope, const Element *element);

  /// Products of which 0 has to be left behind these ends, though a factor of
  /// the whole row may be infinite. The sum, a tile of the row's size or of
  /// more, need not be masked then.
  llvm::DenseMap<const Element *, VarSet> masks;
  llvm::DenseSet<TileId> maskedTiles;
  llvm::DenseMap<const Element *, Needs> needs;
  KernelElements &kernel;
  ElementContext &context;
  Algebra algebra;
  const KernelView &view;
  const NestOptions &options;
  KernelNest nest;
  int32_t numMarkers = 0, numParted = 0;
  std::string failure;
};

/// One loop that accumulates: its placeholders, its corrections, and what it
/// leaves behind.
class LoopBuilder {
public:
  LoopBuilder(NestEmitter &emitter, Scope &scope, Group &group)
      : emitter(emitter), algebra(emitter.algebra), scope(scope), group(group) {
  }

  void build(bool maySplit);

private:
  struct Pilot {
    const Element *before, *after;
    unsigned carried;
  };

  void collectAccumulators();
  void choosePilots();
  LoopPath pathOf(const ElementMap &values, const ElementMap &frozen);
  const Element *moved(const Accumulator &accumulator, const ElementMap &values,
                       const LoopPath &from, Statistics to);
  VarSet axesOf(const Accumulator &accumulator);
  int64_t chooseChunks(bool maySplit);
  llvm::SmallVector<LoopPart, 0> findParts();
  llvm::SmallVector<TileId> buildPart(const LoopPart *part, int64_t chunks,
                                      llvm::ArrayRef<TileId> before);
  void carryTiles(NestLoop &loop, Scope &inner);
  void accumulate(Scope &inner, const LoopPart *part);
  void closeRound(NestLoop &loop, Scope &inner);
  void update(Scope &inner, const Accumulator &accumulator, TileId block,
              const LoopPath &before, const LoopPath &after);
  /// `results` are the tiles that accumulators and pilots are in the end.
  void finish(llvm::ArrayRef<TileId> results);
  const Element *ofRounds(const Element *reduction, const Element *value);
  void setPilots(Scope &inner);
  void merge(NestLoop &loop, llvm::MutableArrayRef<TileId> results);
  void mergeSome(const IndexVar &chunk, unsigned firstPart, unsigned first,
                 unsigned end, ElementMap &finals,
                 llvm::MutableArrayRef<TileId> results);
  Statement partOf(const IndexVar &chunk, Statement::Kind kind, unsigned target,
                   TileId tile);
  void addBounds(NestLoop &loop, const LoopPart *part);
  ElementMap beforeValues(), afterValues();

  NestEmitter &emitter;
  Algebra &algebra;
  Scope &scope;
  Group &group;
  llvm::SmallVector<Accumulator> accumulators;
  llvm::SmallVector<const Element *> moving;
  /// The number of elements seen, where a mean needs it.
  const Element *count = nullptr;
  llvm::MapVector<const Element *, Slots> slots;
  llvm::MapVector<const Element *, Pilot> pilots;
};

} // namespace fuse::nest

#endif // FUSE_LIB_ANALYSIS_NESTEMITTER_H
