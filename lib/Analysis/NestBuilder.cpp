//===- NestBuilder.cpp - derive a kernel's loop nest ----------------------===//
//
// Scopes, placing reductions into loops, and what a loop carries.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/NestBuilder.h"
#include "fuse/Analysis/Algebra.h"
#include "fuse/Analysis/Corrections.h"
#include "fuse/Analysis/Fold.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fuse;

namespace {

/// Markers are no index variables: they are free in values that live in one
/// scope only, so that nothing made of them is hoisted out of it.
constexpr int32_t kMarker = -2;

/// A kernel of more tiles than these is none that anybody would want.
constexpr size_t kMostTiles = 8000;

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
  bool opensAny(ArrayRef<IndexVar> vars) const {
    return llvm::any_of(vars, [&](const IndexVar &var) { return opens(var); });
  }
  bool isOpen(const IndexVar &var) const {
    return opens(var) || (parent && parent->isOpen(var));
  }
};

/// Something to be written once its variables are open.
struct StoreGoal {
  unsigned root;
  SmallVector<AffineIndex> index;
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
  SmallVector<IndexVar> vars;
  SmallVector<const Element *> reductions;
  llvm::MapVector<const Element *, Cascade> cascades;
  SmallVector<StoreGoal> stores;

  bool runsOver(ArrayRef<IndexVar> others) const {
    return vars.size() == others.size() &&
           llvm::all_of(others, [&](const IndexVar &var) {
             return llvm::is_contained(vars, var);
           });
  }
  bool hasAnyOf(ArrayRef<const Element *> others) const {
    return llvm::any_of(others, [&](const Element *other) {
      return llvm::is_contained(reductions, other);
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
  SmallVector<const Element *> collect(Scope &scope,
                                       ArrayRef<const Element *> wanted);

  // Tiles.
  IndexVar makeMarker();
  const Element *makeSlot(Type type);
  TileId makeTile(Type type, VarSet axes);
  VarSet axesOf(ArrayRef<TileId> tiles);
  TileId emit(Scope &scope, const Element *element);
  TileId emitReduction(Scope &scope, const Element *reduction,
                       ArrayRef<const Element *> operands);

  // Loops.
  void reach(Scope &scope, ArrayRef<const Element *> wanted,
             ArrayRef<StoreGoal> stores);
  void place(SmallVectorImpl<Group> &groups, const Element *reduction);
  void emitLoop(Scope &scope, Group &group, bool maySplit);
  void emitStore(Scope &scope, const StoreGoal &store);
  bool isResident(const Element *reduction) const;
  OrRefusal<Cascade> join(const Element *reduction, const Group &group);
  CascadeStrategy requestedFor(const Element *reduction,
                               const Element *statistic) const;
  std::string nameOf(const Element *reduction) const;
  std::string describe(const Cascade &cascade) const;

  void fail(const Twine &why) {
    if (failure.empty())
      failure = why.str();
  }

  friend class LoopBuilder;

  KernelElements &kernel;
  ElementContext &context;
  Algebra algebra;
  const KernelView &view;
  const NestOptions &options;
  KernelNest nest;
  int32_t numMarkers = 0;
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
  void update(Scope &inner, const Accumulator &accumulator, TileId block,
              const LoopPath &before, const LoopPath &after);
  void finish(NestLoop &loop);
  void setPilots(Scope &inner);
  NestLoop &merge(NestLoop &loop);
  void addBounds(NestLoop &loop);
  ElementMap beforeValues(), afterValues();

  NestEmitter &emitter;
  Algebra &algebra;
  Scope &scope;
  Group &group;
  SmallVector<Accumulator> accumulators;
  SmallVector<const Element *> moving;
  /// The number of elements seen, where a mean needs it.
  const Element *count = nullptr;
  llvm::MapVector<const Element *, Slots> slots;
  llvm::MapVector<const Element *, Pilot> pilots;
};

} // namespace

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

/// The innermost scope that opens a variable which the element, or the inside
/// of it if it is a reduction, varies with.
Scope *NestEmitter::homeOf(Scope &scope, const Element *element) {
  VarSet vars(element->freeVars());
  if (element->isReduction())
    for (const Element *operand : element->operands())
      vars.append(operand->freeVars().begin(), operand->freeVars().end());
  Scope *home = &scope;
  while (home->parent && !home->opensAny(vars))
    home = home->parent;
  return home;
}

std::optional<TileId> NestEmitter::lookup(Scope &scope,
                                          const Element *element) {
  if (element->isReduction())
    return lookupReduction(scope, element);
  Scope *home = homeOf(scope, element);
  for (Scope *at = &scope;; at = at->parent) {
    auto known = at->memo.find(element);
    if (known != at->memo.end())
      return known->second;
    if (at == home)
      return std::nullopt;
  }
}

/// What a reduction binds is not free in it, so scopes that open a variable of
/// the same name do not hide its result.
std::optional<TileId> NestEmitter::lookupReduction(Scope &scope,
                                                   const Element *element) {
  for (Scope *at = &scope; at; at = at->parent) {
    auto known = at->memo.find(element);
    if (known != at->memo.end())
      return known->second;
    if (at->opensAny(element->freeVars()))
      return std::nullopt;
  }
  return std::nullopt;
}

const Element *NestEmitter::rewritten(Scope &scope, const Element *element) {
  for (Scope *at = &scope; at; at = at->parent) {
    auto known = at->rewritten.find(element);
    if (known != at->rewritten.end())
      return known->second;
    if (at->opensAny(element->freeVars()))
      return nullptr;
  }
  return nullptr;
}

/// Reductions that are needed, that are not there yet, and that can be placed
/// in this scope because what they vary with is open; in order of dependence.
SmallVector<const Element *>
NestEmitter::collect(Scope &scope, ArrayRef<const Element *> wanted) {
  SmallVector<const Element *> found;
  llvm::DenseSet<const Element *> seen;
  auto visit = [&](auto &self, const Element *element) -> void {
    if (!seen.insert(element).second)
      return;
    if (element->isReduction()) {
      if (const Element *other = rewritten(scope, element))
        return self(self, other);
      if (lookupReduction(scope, element))
        return;
      if (llvm::all_of(element->freeVars(),
                       [&](const IndexVar &var) { return scope.isOpen(var); }))
        found.push_back(element);
    }
    for (const Element *operand : element->operands())
      self(self, operand);
  };
  for (const Element *element : wanted)
    visit(visit, element);
  llvm::sort(found, [](const Element *a, const Element *b) {
    return std::pair(a->reductions().size(), a->id()) <
           std::pair(b->reductions().size(), b->id());
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

IndexVar NestEmitter::makeMarker() {
  IndexVar marker;
  marker.level = kMarker;
  marker.place = numMarkers++;
  return marker;
}

const Element *NestEmitter::makeSlot(Type type) {
  return context.slot(type, {makeMarker()});
}

TileId NestEmitter::makeTile(Type type, VarSet axes) {
  nest.tiles.push_back({type, std::move(axes)});
  return nest.tiles.size() - 1;
}

VarSet NestEmitter::axesOf(ArrayRef<TileId> tiles) {
  VarSet axes;
  for (TileId tile : tiles)
    for (const IndexVar &var : nest.tiles[tile].axes)
      if (!llvm::is_contained(axes, var))
        axes.push_back(var);
  llvm::sort(axes);
  return axes;
}

TileId NestEmitter::emit(Scope &scope, const Element *element) {
  if (std::optional<TileId> known = lookup(scope, element))
    return *known;
  if (element->isReduction())
    if (const Element *other = rewritten(scope, element))
      return emit(scope, other);
  Scope *home = homeOf(scope, element);
  TileId tile;
  if (element->isReduction()) {
    if (!llvm::all_of(element->boundVars(),
                      [&](const IndexVar &var) { return home->isOpen(var); }))
      fail("a reduction has found no loop");
    tile = emitReduction(*home, element, element->operands());
  } else {
    Statement statement;
    statement.kind = Statement::Kind::Compute;
    statement.element = element;
    for (const Element *operand : element->operands())
      statement.operands.push_back(emit(scope, operand));
    VarSet axes = axesOf(statement.operands);
    for (const Index &index : element->indices())
      for (const auto &term : index.affine.terms)
        if (!llvm::is_contained(axes, term.first))
          axes.push_back(term.first);
    llvm::sort(axes);
    if (element->kind() == ElementKind::Slot)
      fail("a loop's value is used outside of the loop");
    tile = makeTile(element->type(), axes);
    statement.result = tile;
    home->statements->push_back(std::move(statement));
  }
  home->memo[element] = tile;
  return tile;
}

static bool isFinite(TypedAttr number) {
  auto real = dyn_cast<FloatAttr>(number);
  return !real || real.getValue().isFinite();
}

/// Whether reading 0 behind the end of `var` already makes the operands
/// contribute nothing.
static bool contributesNothing(const Element *reduction,
                               ArrayRef<const Element *> operands,
                               const IndexVar &var, unsigned which) {
  auto outside = [&](const Element *element) -> TypedAttr {
    if (element->kind() == ElementKind::Load && element->variesWith(var))
      return makeNumber(element->type(), 0);
    return {};
  };
  SmallVector<TypedAttr> folded;
  for (const Element *operand : operands)
    folded.push_back(fold(operand, outside, {var}));
  if (reduction->kind() == ElementKind::Reduce)
    return folded[0] &&
           folded[0] == identityOf(reduction->combine(), folded[0].getType());
  // 0 * finite is 0, but 0 * exp(garbage) may be NaN.
  bool oneIsZero = llvm::any_of(
      folded, [](TypedAttr number) { return number && isNumber(number, 0); });
  return oneIsZero && folded[which] && isFinite(folded[which]);
}

/// Reduces the current windows. What lies behind a ragged end reads as 0 in
/// loads; where that is not enough it is masked.
TileId NestEmitter::emitReduction(Scope &scope, const Element *reduction,
                                  ArrayRef<const Element *> operands) {
  Statement statement;
  statement.kind = Statement::Kind::Reduce;
  statement.element = reduction;
  for (auto [which, operand] : llvm::enumerate(operands)) {
    VarSet masked;
    for (const IndexVar &var : reduction->boundVars())
      if (nest.sizes.isRagged(var) &&
          !contributesNothing(reduction, operands, var, which))
        masked.push_back(var);
    TileId tile = emit(scope, operand);
    if (!masked.empty()) {
      Statement mask;
      mask.kind = Statement::Kind::Mask;
      mask.operands = {tile};
      mask.vars = masked;
      mask.identity = identityOf(combineOf(reduction), operand->type());
      VarSet axes = nest.tiles[tile].axes;
      for (const IndexVar &var : masked)
        if (!llvm::is_contained(axes, var))
          axes.push_back(var);
      llvm::sort(axes);
      tile = mask.result = makeTile(operand->type(), axes);
      scope.statements->push_back(std::move(mask));
    }
    statement.operands.push_back(tile);
  }
  VarSet axes = axesOf(statement.operands);
  llvm::erase_if(axes, [&](const IndexVar &var) {
    return llvm::is_contained(reduction->boundVars(), var);
  });
  TileId tile = statement.result = makeTile(reduction->type(), axes);
  scope.statements->push_back(std::move(statement));
  return tile;
}

void NestEmitter::emitStore(Scope &scope, const StoreGoal &store) {
  Statement statement;
  statement.kind = Statement::Kind::Store;
  statement.element = store.element;
  statement.target = store.root;
  statement.index = store.index;
  statement.operands = {emit(scope, store.element)};
  scope.statements->push_back(std::move(statement));
}

//===----------------------------------------------------------------------===//
// Placing
//===----------------------------------------------------------------------===//

bool NestEmitter::isResident(const Element *reduction) const {
  return llvm::all_of(reduction->boundVars(), [&](const IndexVar &var) {
    return nest.sizes.isResident(var);
  });
}

/// Emits everything that is wanted in this scope, loops first.
void NestEmitter::reach(Scope &scope, ArrayRef<const Element *> wanted,
                        ArrayRef<StoreGoal> stores) {
  // What is nested doubles with every level of products: a deep network as one
  // kernel would never be done.
  if (nest.tiles.size() > kMostTiles)
    fail("it would have more than " + Twine(kMostTiles) + " tiles");
  if (!failure.empty())
    return;
  SmallVector<const Element *> all(wanted);
  for (const StoreGoal &store : stores)
    all.push_back(store.element);

  // A variable whose whole range is one window needs no loop: it is open here.
  SmallVector<const Element *> reductions;
  while (true) {
    reductions = collect(scope, all);
    bool isNew = false;
    auto open = [&](const IndexVar &var) {
      if (scope.isOpen(var))
        return;
      scope.open.push_back(var);
      isNew = true;
    };
    for (const Element *reduction : reductions)
      if (isResident(reduction))
        llvm::for_each(reduction->boundVars(), open);
    if (!stores.empty())
      for (const IndexVar &var : view.owned)
        if (nest.sizes.isResident(var))
          open(var);
    if (!isNew)
      break;
  }

  SmallVector<Group, 0> groups;
  for (const Element *reduction : reductions)
    if (!isResident(reduction))
      place(groups, reduction);
  SmallVector<StoreGoal> later;
  for (const StoreGoal &store : stores) {
    VarSet vars = store.vars();
    llvm::erase_if(vars,
                   [&](const IndexVar &var) { return scope.isOpen(var); });
    if (vars.empty()) {
      later.push_back(store);
      continue;
    }
    // Behind everything that it depends on, in a loop over the same variables
    // if there is one.
    size_t first = 0;
    for (auto [i, group] : llvm::enumerate(groups))
      if (group.hasAnyOf(store.element->reductions()))
        first = i + 1;
    Group *target = nullptr;
    for (Group &group : MutableArrayRef(groups).drop_front(first))
      if (!target && group.runsOver(vars))
        target = &group;
    if (!target) {
      groups.emplace_back();
      target = &groups.back();
      target->vars.assign(vars.begin(), vars.end());
    }
    target->stores.push_back(store);
  }

  int64_t numReducing = llvm::count_if(
      groups, [](const Group &group) { return !group.reductions.empty(); });
  bool maySplit = !scope.parent && numReducing == 1;
  if (!scope.parent && options.split > 1 && !maySplit)
    nest.notes.push_back("not split: a later loop would need the merged "
                         "results of an earlier one");
  for (Group &group : groups)
    emitLoop(scope, group, maySplit);
  for (const StoreGoal &store : later)
    emitStore(scope, store);
}

static bool shareALoad(const Element *a, const Element *b,
                       ArrayRef<IndexVar> vars) {
  auto collect = [&](const Element *reduction,
                     llvm::DenseSet<const Element *> &loads) {
    llvm::DenseSet<const Element *> seen;
    auto visit = [&](auto &self, const Element *element) -> void {
      if (!seen.insert(element).second)
        return;
      if (element->kind() == ElementKind::Load &&
          llvm::any_of(vars, [&](const IndexVar &var) {
            return element->variesWith(var);
          }))
        loads.insert(element);
      for (const Element *operand : element->operands())
        self(self, operand);
    };
    for (const Element *operand : reduction->operands())
      visit(visit, operand);
  };
  llvm::DenseSet<const Element *> loads, others;
  collect(a, loads);
  collect(b, others);
  return llvm::any_of(
      loads, [&](const Element *load) { return others.contains(load); });
}

/// How the schedule calls a reduction.
static unsigned numberOf(const KernelView &view, const Element *reduction) {
  return llvm::find(view.reductions, reduction) - view.reductions.begin();
}

/// Which loop a reduction runs in: the first one over the same variables that
/// holds nothing it depends on, unless the cascade rule connects them, and that
/// shares something with it; never one before something that it needs.
void NestEmitter::place(SmallVectorImpl<Group> &groups,
                        const Element *reduction) {
  SmallVector<const Element *> needs(reduction->reductions());
  llvm::erase(needs, reduction);
  size_t first = 0;
  for (auto [i, group] : llvm::enumerate(groups))
    if (group.hasAnyOf(needs))
      first = i;
  for (Group &group : MutableArrayRef(groups).drop_front(first)) {
    if (!group.runsOver(reduction->boundVars()))
      continue;
    if (!group.hasAnyOf(needs)) {
      if (!llvm::any_of(group.reductions, [&](const Element *other) {
            return shareALoad(reduction, other, group.vars);
          }))
        continue;
      group.reductions.push_back(reduction);
      return;
    }
    OrRefusal<Cascade> cascade = join(reduction, group);
    if (!cascade) {
      nest.notes.push_back(nameOf(reduction) +
                           " has a loop of its own: " + cascade.reason());
      for (const Element *statistic : group.reductions)
        if (llvm::is_contained(needs, statistic))
          nest.cascades.push_back({numberOf(view, reduction),
                                   numberOf(view, statistic),
                                   CascadeStrategy::Sequential});
      continue;
    }
    nest.notes.push_back(describe(*cascade));
    for (const auto &[statistic, strategy] : cascade->edges)
      nest.cascades.push_back(
          {numberOf(view, reduction), numberOf(view, statistic), strategy});
    group.cascades.insert({reduction, *cascade});
    group.reductions.push_back(reduction);
    return;
  }
  groups.emplace_back();
  groups.back().vars.assign(reduction->boundVars().begin(),
                            reduction->boundVars().end());
  groups.back().reductions.push_back(reduction);
}

std::string NestEmitter::nameOf(const Element *reduction) const {
  std::string name;
  llvm::raw_string_ostream os(name);
  os << "reduction " << numberOf(view, reduction) << " (";
  if (reduction->kind() == ElementKind::Dot)
    os << "dot";
  else
    os << stringifyCombineKind(reduction->combine());
  os << " over ";
  llvm::interleaveComma(reduction->boundVars(), os);
  os << ")";
  return name;
}

std::string NestEmitter::describe(const Cascade &cascade) const {
  std::string text = nameOf(cascade.reduction) + " joins its statistics' loop:";
  for (const auto &[statistic, strategy] : cascade.edges)
    text += " " + stringifyCascadeStrategy(strategy).str() +
            " with respect to " + nameOf(statistic) + ";";
  return text + " " + std::to_string(cascade.accumulators.size()) +
         " accumulators" + (cascade.note.empty() ? "" : "; ") + cascade.note;
}

CascadeStrategy NestEmitter::requestedFor(const Element *reduction,
                                          const Element *statistic) const {
  for (const NestCascade &request : options.cascades)
    if (request.reduction == numberOf(view, reduction) &&
        request.statistic == numberOf(view, statistic))
      return request.strategy;
  if (options.preferSequential)
    return CascadeStrategy::Sequential;
  return CascadeStrategy::Auto;
}

OrRefusal<Cascade> NestEmitter::join(const Element *reduction,
                                     const Group &group) {
  CascadeOptions cascade;
  auto requested = [&](const Element *reduction, const Element *statistic) {
    return requestedFor(reduction, statistic);
  };
  cascade.requested = requested;
  SmallVector<const Element *> cascaded;
  for (const auto &known : group.cascades)
    cascaded.push_back(known.first);
  return deriveCascade(algebra, reduction, group.reductions, cascaded, cascade);
}

void NestEmitter::emitLoop(Scope &scope, Group &group, bool maySplit) {
  LoopBuilder(*this, scope, group).build(maySplit);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void LoopBuilder::collectAccumulators() {
  auto add = [&](const Accumulator &accumulator) {
    if (!llvm::any_of(accumulators, [&](const Accumulator &other) {
          return other.reduction == accumulator.reduction;
        }))
      accumulators.push_back(accumulator);
  };
  auto addPlain = [&](const Element *reduction) {
    Accumulator plain;
    plain.reduction = reduction;
    add(plain);
  };
  for (const Element *reduction : group.reductions) {
    auto cascade = group.cascades.find(reduction);
    if (cascade == group.cascades.end()) {
      addPlain(reduction);
      continue;
    }
    llvm::for_each(cascade->second.accumulators, add);
    for (const Element *statistic : cascade->second.moving())
      if (!llvm::is_contained(moving, statistic))
        moving.push_back(statistic);
  }
  count = countNeededBy(algebra, moving, group.vars);
  if (count)
    addPlain(count);
  // What corrections refer to is updated first.
  SmallVector<Accumulator> plain, corrected;
  for (Accumulator &accumulator : accumulators)
    (accumulator.isPlain() ? plain : corrected)
        .push_back(std::move(accumulator));
  accumulators = std::move(plain);
  llvm::append_range(accumulators, corrected);
}

/// Freezing a mean after the first block: its path is constant from there on,
/// so that the loop corrects nothing.
void LoopBuilder::choosePilots() {
  bool isAsked =
      emitter.options.preferPilot ||
      llvm::any_of(group.cascades, [](const auto &cascade) {
        return llvm::any_of(cascade.second.edges, [](const auto &edge) {
          return edge.second == CascadeStrategy::Pilot;
        });
      });
  if (!isAsked)
    return;
  for (const Element *statistic : findPilots(algebra, accumulators, moving))
    pilots[statistic] = {emitter.makeSlot(statistic->type()),
                         emitter.makeSlot(statistic->type()), 0};
}

LoopPath LoopBuilder::pathOf(const ElementMap &values,
                             const ElementMap &frozen) {
  return LoopPath(algebra, values, moving, group.vars, frozen);
}

/// The accumulator around the statistics on one path, moved to another one.
const Element *LoopBuilder::moved(const Accumulator &accumulator,
                                  const ElementMap &values,
                                  const LoopPath &from, Statistics to) {
  return correct(
      algebra, accumulator,
      [&](const Element *reduction) { return values.lookup(reduction); },
      [&](const Element *element) { return from.at(element); }, to);
}

VarSet LoopBuilder::axesOf(const Accumulator &accumulator) {
  VarSet axes;
  auto add = [&](const Element *element) {
    for (const IndexVar &var : element->freeVars())
      if (var.level != kMarker && !llvm::is_contained(axes, var))
        axes.push_back(var);
  };
  add(accumulator.reduction);
  llvm::for_each(accumulator.factors, add);
  if (accumulator.center)
    add(accumulator.center);
  llvm::erase_if(axes, [&](const IndexVar &var) {
    return llvm::is_contained(group.vars, var);
  });
  llvm::sort(axes);
  return axes;
}

ElementMap LoopBuilder::beforeValues() {
  ElementMap values;
  for (auto &[reduction, slot] : slots)
    values[reduction] = slot.before;
  return values;
}

ElementMap LoopBuilder::afterValues() {
  ElementMap values;
  for (auto &[reduction, slot] : slots)
    values[reduction] = slot.after;
  return values;
}

static const Element *combine(const Algebra &algebra, CombineKind kind,
                              const Element *a, const Element *b) {
  switch (kind) {
  case CombineKind::Sum:
    return algebra.add(a, b);
  case CombineKind::Prod:
    return algebra.mul(a, b);
  case CombineKind::Max:
    return algebra.max(a, b);
  case CombineKind::Min:
    return algebra.min(a, b);
  case CombineKind::Mean:
    break;
  }
  llvm_unreachable("a mean is a sum when it is demanded");
}

/// new = corrected(old) combined with what the block adds.
void LoopBuilder::update(Scope &inner, const Accumulator &accumulator,
                         TileId block, const LoopPath &before,
                         const LoopPath &after) {
  const Element *reduction = accumulator.reduction;
  const Element *added = emitter.makeSlot(reduction->type());
  inner.open.push_back(added->freeVars().front());
  inner.memo[added] = block;
  const Element *old = slots[reduction].before;
  // Around a frozen centre nothing moves until the loop is over.
  bool isFrozen = !pilots.empty() && accumulator.center;
  if (!accumulator.isPlain() && !isFrozen)
    old = moved(accumulator, beforeValues(), before,
                [&](const Element *element) { return after.at(element); });
  const Element *next = combine(algebra, combineOf(reduction), old, added);
  const Element *slot = slots[reduction].after;
  inner.memo[slot] = emitter.emit(inner, next);
  inner.open.push_back(slot->freeVars().front());
}

/// An integer element as an affine index, if it is one: then a loop's limit is
/// known without a tile. Positions are small, so nothing wraps around.
static std::optional<AffineIndex> asAffine(const Element *element) {
  if (element->kind() == ElementKind::Position)
    return element->position();
  if (element->kind() == ElementKind::Constant) {
    auto number = dyn_cast<IntegerAttr>(element->constant());
    if (!number)
      return std::nullopt;
    AffineIndex constant;
    constant.constant = number.getValue().getSExtValue();
    return constant;
  }
  if (isOp<arith::ExtSIOp, arith::IndexCastOp>(element))
    return asAffine(element->operands().front());
  if (!isOp<arith::AddIOp, arith::SubIOp>(element))
    return std::nullopt;
  auto a = asAffine(element->operands()[0]),
       b = asAffine(element->operands()[1]);
  if (!a || !b)
    return std::nullopt;
  return *a + *b * (isOp<arith::SubIOp>(element) ? -1 : 1);
}

void LoopBuilder::addBounds(NestLoop &loop) {
  if (!group.stores.empty() || accumulators.empty())
    return;
  std::vector<const Element *> reductions;
  for (const Accumulator &accumulator : accumulators)
    reductions.push_back(accumulator.reduction);
  auto [known, isNew] = emitter.kernel.loopConditions.try_emplace(reductions);
  if (isNew)
    known->second = findLoopConditions(algebra, accumulators, group.vars);
  for (const Element *condition : known->second)
    for (const IndexVar &var : group.vars)
      for (const LoopBound &bound : boundsOf(algebra, condition, var)) {
        // The limit has to be known before the loop.
        if (!llvm::all_of(bound.limit->freeVars(), [&](const IndexVar &free) {
              return scope.isOpen(free) &&
                     !llvm::is_contained(group.vars, free);
            }))
          continue;
        NestBound limit;
        limit.var = bound.var;
        limit.isUpper = bound.isUpper;
        if (std::optional<AffineIndex> affine = asAffine(bound.limit))
          limit.affine = *affine;
        else
          limit.computed = emitter.emit(scope, bound.limit);
        loop.bounds.push_back(std::move(limit));
      }
}

void LoopBuilder::build(bool maySplit) {
  collectAccumulators();
  choosePilots();
  for (const Accumulator &accumulator : accumulators)
    slots[accumulator.reduction] = {
        emitter.makeSlot(accumulator.reduction->type()),
        emitter.makeSlot(accumulator.reduction->type())};

  auto owned = std::make_unique<NestLoop>();
  NestLoop &loop = *owned;
  loop.vars = group.vars;
  bool isSplit = maySplit && emitter.options.split > 1 &&
                 !accumulators.empty() && group.stores.empty();
  if (isSplit && !pilots.empty()) {
    emitter.nest.notes.push_back("not split: chunks have no common pilot");
    isSplit = false;
  }
  loop.chunks = isSplit ? emitter.options.split : 1;
  addBounds(loop);

  Scope inner{&scope, {}, &loop.body};
  inner.open.assign(group.vars.begin(), group.vars.end());
  auto carry = [&](const Element *slot, const Element *reduction,
                   CombineKind kind, VarSet axes) {
    CarriedTile tile;
    tile.initial = identityOf(kind, slot->type());
    tile.reduction = reduction;
    tile.inside = emitter.makeTile(slot->type(), axes);
    tile.result = emitter.makeTile(slot->type(), axes);
    inner.open.push_back(slot->freeVars().front());
    inner.memo[slot] = tile.inside;
    loop.carried.push_back(std::move(tile));
  };
  for (const Accumulator &accumulator : accumulators) {
    const Element *reduction = accumulator.reduction;
    carry(slots[reduction].before, reduction, combineOf(reduction),
          axesOf(accumulator));
  }
  ElementMap frozenBefore, frozenAfter;
  for (auto &[statistic, pilot] : pilots) {
    pilot.carried = loop.carried.size();
    carry(pilot.before, statistic, CombineKind::Sum,
          emitter.nest.tiles[inner.memo[slots[statistic].before]].axes);
    frozenBefore[statistic] = pilot.before;
    frozenAfter[statistic] = pilot.after;
  }

  LoopPath before = pathOf(beforeValues(), frozenBefore);
  LoopPath after = pathOf(afterValues(), frozenAfter);
  llvm::DenseMap<const Element *, SmallVector<const Element *, 2>> bodies;
  SmallVector<const Element *> wanted;
  for (const Accumulator &accumulator : accumulators)
    for (const Element *operand : accumulator.reduction->operands()) {
      const Element *body = after.at(operand);
      bodies[accumulator.reduction].push_back(body);
      wanted.push_back(body);
    }
  bool arePilotsSet = false;
  for (const Accumulator &accumulator : accumulators) {
    if (!accumulator.isPlain() && !arePilotsSet) {
      setPilots(inner);
      arePilotsSet = true;
    }
    emitter.reach(inner, wanted, {});
    TileId block = emitter.emitReduction(inner, accumulator.reduction,
                                         bodies[accumulator.reduction]);
    update(inner, accumulator, block, before, after);
  }
  if (!arePilotsSet)
    setPilots(inner);
  for (const StoreGoal &store : group.stores) {
    emitter.reach(inner, store.element, {});
    emitter.emitStore(inner, store);
  }
  for (auto [accumulator, tile] : llvm::zip(accumulators, loop.carried))
    tile.next = inner.memo[slots[accumulator.reduction].after];
  for (auto &[statistic, pilot] : pilots)
    loop.carried[pilot.carried].next = inner.memo[pilot.after];

  Statement statement;
  statement.kind = Statement::Kind::Loop;
  statement.loop = std::move(owned);
  scope.statements->push_back(std::move(statement));
  finish(isSplit ? merge(loop) : loop);
}

/// The centre is the mean of the first block that has any element.
void LoopBuilder::setPilots(Scope &inner) {
  for (auto &[statistic, pilot] : pilots) {
    const Element *isFirst =
        algebra.compare(arith::CmpIPredicate::eq, slots[count].before,
                        algebra.zero(count->type()));
    const Element *mean = algebra.div(
        slots[statistic].after,
        algebra.max(slots[count].after, algebra.one(count->type())));
    inner.memo[pilot.after] =
        emitter.emit(inner, algebra.select(isFirst, mean, pilot.before));
    inner.open.push_back(pilot.after->freeVars().front());
  }
}

/// Behind the loop: the last correction, from where the path ended to the true
/// statistic, and then what was deferred.
void LoopBuilder::finish(NestLoop &loop) {
  auto publish = [&](Type type, TileId tile) {
    const Element *slot = emitter.makeSlot(type);
    scope.open.push_back(slot->freeVars().front());
    scope.memo[slot] = tile;
    return slot;
  };
  ElementMap ends, frozen;
  for (auto [accumulator, tile] : llvm::zip(accumulators, loop.carried))
    ends[accumulator.reduction] =
        publish(accumulator.reduction->type(), tile.result);
  for (auto &[statistic, pilot] : pilots)
    frozen[statistic] =
        publish(statistic->type(), loop.carried[pilot.carried].result);

  // From where the path ended, or from the frozen centre, to the truth. The
  // mean of all that was seen is the mean.
  LoopPath atEnd = pathOf(ends, ElementMap()), atPilot = pathOf(ends, frozen);
  auto truth = [](const Element *element) { return element; };
  ElementMap fixed;
  for (const Accumulator &accumulator : accumulators) {
    const Element *reduction = accumulator.reduction, *end = ends[reduction];
    if (accumulator.isPlain())
      scope.memo[reduction] = scope.memo[end];
    else if (!accumulator.center)
      fixed[reduction] = moved(accumulator, ends, atEnd, truth);
    else if (pilots.empty())
      fixed[reduction] = end;
    else
      fixed[reduction] =
          moved(accumulator, ends, atPilot,
                [&](const Element *element) { return atEnd.at(element); });
  }
  for (auto &[reduction, cascade] : group.cascades)
    scope.rewritten[reduction] = algebra.substitute(cascade.result, fixed);
}

/// The chunks of a split loop store what they have accumulated, and a second
/// launch combines the chunks: with the corrections of the loop itself, from
/// the statistics of one chunk to those of all before it.
NestLoop &LoopBuilder::merge(NestLoop &loop) {
  KernelNest &nest = emitter.nest;
  IndexVar chunk = emitter.makeMarker();
  chunk.size = Size::number(loop.chunks);
  nest.sizes.set(chunk, 1);
  nest.nests.back().chunk = chunk;
  auto part = [&](Statement::Kind kind, unsigned target, TileId tile) {
    Statement statement;
    statement.kind = kind;
    statement.target = target;
    statement.index.push_back(AffineIndex::of(chunk));
    for (const IndexVar &var : nest.tiles[tile].axes)
      statement.index.push_back(AffineIndex::of(var));
    return statement;
  };
  unsigned firstPart = nest.parts.size();
  for (auto [i, carried] : llvm::enumerate(loop.carried)) {
    PartBuffer buffer;
    buffer.type = nest.tiles[carried.result].type;
    buffer.shape.push_back(chunk.size);
    for (const IndexVar &var : nest.tiles[carried.result].axes)
      buffer.shape.push_back(var.size);
    nest.parts.push_back(std::move(buffer));
    Statement store =
        part(Statement::Kind::StorePart, firstPart + i, carried.result);
    store.operands = {carried.result};
    scope.statements->push_back(std::move(store));
  }

  nest.nests.emplace_back();
  nest.nests.back().grid = nest.nests.front().grid;
  scope.statements = &nest.nests.back().body;
  scope.memo.clear();
  auto owned = std::make_unique<NestLoop>();
  NestLoop &merging = *owned;
  merging.vars = {chunk};
  Scope inner{&scope, {chunk}, &merging.body};
  ElementMap parts;
  for (auto [i, accumulator] : llvm::enumerate(accumulators)) {
    const Element *reduction = accumulator.reduction;
    const Element *slot = emitter.makeSlot(reduction->type());
    Slots &own = slots[reduction];
    own = {emitter.makeSlot(reduction->type()),
           emitter.makeSlot(reduction->type())};
    CarriedTile tile;
    tile.initial = loop.carried[i].initial;
    tile.reduction = reduction;
    VarSet axes = nest.tiles[loop.carried[i].result].axes;
    tile.inside = emitter.makeTile(slot->type(), axes);
    tile.result = emitter.makeTile(slot->type(), axes);
    inner.open.push_back(own.before->freeVars().front());
    inner.memo[own.before] = tile.inside;
    merging.carried.push_back(std::move(tile));

    TileId loaded = emitter.makeTile(slot->type(), axes);
    Statement load = part(Statement::Kind::LoadPart, firstPart + i, loaded);
    load.result = loaded;
    merging.body.push_back(std::move(load));
    inner.open.push_back(slot->freeVars().front());
    inner.memo[slot] = loaded;
    parts[reduction] = slot;
  }
  LoopPath from = pathOf(parts, ElementMap()),
           before = pathOf(beforeValues(), ElementMap()),
           after = pathOf(afterValues(), ElementMap());
  for (const Accumulator &accumulator : accumulators) {
    const Element *reduction = accumulator.reduction;
    TileId part = inner.memo[parts[reduction]];
    if (!accumulator.isPlain())
      part = emitter.emit(
          inner, moved(accumulator, parts, from, [&](const Element *element) {
            return after.at(element);
          }));
    update(inner, accumulator, part, before, after);
  }
  for (auto [accumulator, tile] : llvm::zip(accumulators, merging.carried))
    tile.next = inner.memo[slots[accumulator.reduction].after];
  Statement statement;
  statement.kind = Statement::Kind::Loop;
  statement.loop = std::move(owned);
  scope.statements->push_back(std::move(statement));
  return merging;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

std::optional<KernelNest> NestEmitter::build(std::string &whyNot) {
  nest.nests.emplace_back();
  nest.nests.back().grid = view.grid;
  Scope top{nullptr, {}, &nest.nests.back().body};
  top.open.assign(view.grid.begin(), view.grid.end());
  SmallVector<StoreGoal> stores;
  for (auto [i, root] : llvm::enumerate(view.roots)) {
    StoreGoal store;
    store.root = i;
    store.element = root.element;
    for (const Index &at : root.index)
      store.index.push_back(at.affine);
    stores.push_back(std::move(store));
  }
  reach(top, {}, stores);
  if (failure.empty())
    return std::move(nest);
  whyNot = failure;
  return std::nullopt;
}

std::optional<KernelNest> fuse::buildNest(KernelElements &kernel,
                                          const NestOptions &options,
                                          std::string &whyNot) {
  std::optional<unsigned> owned =
      options.owned ? options.owned : kernel.deriveOwned();
  const KernelView *view =
      owned ? kernel.view(std::min(*owned, kernel.numOutputVars())) : nullptr;
  if (!view) {
    whyNot = kernel.whyNot().str();
    return std::nullopt;
  }
  return NestEmitter(kernel, *view, options).build(whyNot);
}
