//===- NestBuilder.cpp - derive a kernel's loop nest ----------------------===//
//
// Scopes, tiles, and which loop a reduction runs in.
//
//===----------------------------------------------------------------------===//

#include "BeginSums.h"
#include "NestEmitter.h"
#include "ScaleSums.h"
#include "fuse/Analysis/Fold.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::nest;

/// A kernel of more tiles than these is none that anybody would want.
static constexpr size_t kMostTiles = 8000;

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

NestEmitter::Needs NestEmitter::needsOf(const Element *element) {
  if (element->isReduction())
    return {1, true};
  if (auto known = needs.find(element); known != needs.end())
    return known->second;
  Needs all;
  for (auto [before, operand] : llvm::enumerate(element->operands())) {
    Needs own = needsOf(operand);
    all.tiles = std::max<unsigned>(all.tiles, before + own.tiles);
    all.hasLoop |= own.hasLoop;
  }
  return needs[element] = all;
}

/// What is read early hides how long that takes, so operands are in the order
/// in which they are written. Where that holds more tiles than there is room
/// for, as a choice among many does, it is done in steps: first all but the
/// last few tiles. None is to be held through a loop.
void NestEmitter::emitFirst(Scope &scope, const Element *element) {
  constexpr unsigned fewTiles = 8;
  unsigned tiles = needsOf(element).tiles;
  if (element->isReduction() || tiles <= fewTiles)
    return;
  for (const Element *operand : element->operands())
    if (needsOf(operand).hasLoop)
      emit(scope, operand);
  const Element *before = element;
  while (!before->isReduction() && needsOf(before).tiles + fewTiles > tiles) {
    ArrayRef<const Element *> operands = before->operands();
    before =
        *llvm::max_element(operands, [&](const Element *a, const Element *b) {
          return needsOf(a).tiles < needsOf(b).tiles;
        });
  }
  emit(scope, before);
}

/// The innermost scope from `scope` out to `home` that has one of the operands.
/// What a reduction accumulates may vary with nothing, and still be known only
/// where the reduction has found its loop.
Scope *NestEmitter::placeOf(Scope &scope, Scope &home, const Element *element,
                            ArrayRef<TileId> operands) {
  for (Scope *at = &scope; at != &home; at = at->parent)
    for (auto [operand, tile] : llvm::zip_equal(element->operands(), operands))
      if (auto known = at->memo.find(resolved(scope, operand));
          known != at->memo.end() && known->second == tile)
        return at;
  return &home;
}

/// What is computed where `element` is wanted.
const Element *NestEmitter::resolved(Scope &scope, const Element *element) {
  while (element->isReduction() && !lookupReduction(scope, element)) {
    const Element *other = rewritten(scope, element);
    if (!other)
      break;
    element = other;
  }
  return element;
}

TileId NestEmitter::emit(Scope &scope, const Element *element) {
  return maskedInside(scope, element, emitPlain(scope, element));
}

TileId NestEmitter::emitPlain(Scope &scope, const Element *element) {
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
    emitFirst(scope, element);
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
    home = placeOf(scope, *home, element, statement.operands);
    home->statements->push_back(std::move(statement));
  }
  home->memo[element] = tile;
  return tile;
}

static bool isFinite(TypedAttr number) {
  auto real = dyn_cast<FloatAttr>(number);
  return !real || real.getValue().isFinite();
}

bool NestEmitter::contributesNothing(
    const Element *reduction, ArrayRef<const Element *> operands,
    const IndexVar &var, unsigned which,
    SmallVectorImpl<const Element *> &trusted) {
  FoldPlace place = reduction->kind() == ElementKind::Reduce
                        ? FoldPlace::BehindEnd
                        : FoldPlace::FactorBehindEnd;
  auto contributeNothing = [&](Assumption outside) {
    SmallVector<TypedAttr> folded;
    for (const Element *operand : operands)
      folded.push_back(fold(operand, outside, {var}, place, &trusted));
    if (reduction->kind() == ElementKind::Reduce)
      return folded[0] &&
             folded[0] == identityOf(reduction->combine(), folded[0].getType());
    // 0 * finite is 0, but 0 * exp(garbage) may be NaN.
    bool oneIsZero = llvm::any_of(
        folded, [](TypedAttr number) { return number && isNumber(number, 0); });
    return oneIsZero && folded[which] && isFinite(folded[which]);
  };
  auto isReadAs0 = [&](const Element *element) -> TypedAttr {
    if (element->kind() == ElementKind::Load && element->variesWith(var))
      return makeNumber(element->type(), 0);
    return {};
  };
  if (!contributeNothing(isReadAs0))
    return false;
  // What chunks have left is read, too: a sum of exponentials, which is no 0
  // anywhere, is 0 there.
  return options.split <= 1 || contributeNothing([&](const Element *element) {
           return element->isReduction() && element->variesWith(var)
                      ? makeNumber(element->type(), 0)
                      : isReadAs0(element);
         });
}

Statement NestEmitter::makeMask(TileId tile, const VarSet &vars,
                                CombineKind combine) {
  Statement mask;
  mask.kind = Statement::Kind::Mask;
  mask.operands = {tile};
  mask.vars = vars;
  Type type = nest.tiles[tile].type;
  mask.identity = identityOf(combine, type);
  VarSet axes = nest.tiles[tile].axes;
  for (const IndexVar &var : vars)
    if (!llvm::is_contained(axes, var))
      axes.push_back(var);
  llvm::sort(axes);
  mask.result = makeTile(type, axes);
  return mask;
}

/// Looks for products that are to be 0 behind the end of a row, and would be
/// NaN if a factor is infinite. They are masked themselves, wherever they are
/// needed: before an activation, and before tiles of two axes are made of them.
void NestEmitter::findMaskedInside() {
  for (const Element *reduction : view.reductions)
    for (const IndexVar &var : reduction->boundVars()) {
      if (!nest.sizes.isRagged(var))
        continue;
      for (unsigned which : llvm::seq(reduction->operands().size())) {
        SmallVector<const Element *> trusted;
        if (contributesNothing(reduction, reduction->operands(), var, which,
                               trusted))
          for (const Element *product : trusted)
            if (!llvm::is_contained(masks[product], var))
              masks[product].push_back(var);
      }
    }
}

bool NestEmitter::isMaskedInside(ArrayRef<const Element *> trusted,
                                 const IndexVar &var) const {
  return llvm::all_of(trusted, [&](const Element *product) {
    auto vars = masks.find(product);
    return vars != masks.end() && llvm::is_contained(vars->second, var);
  });
}

TileId NestEmitter::maskedInside(Scope &scope, const Element *element,
                                 TileId tile) {
  auto wanted = masks.find(element);
  if (wanted == masks.end() || maskedTiles.contains(tile))
    return tile;
  Scope *home = &scope;
  while (home->parent && !home->memo.contains(element))
    home = home->parent;
  // What a loop has replaced by something else is there under another name.
  if (!home->memo.contains(element))
    home = &scope;
  VarSet vars = llvm::filter_to_vector<4>(wanted->second, [&](auto &var) {
    return home->isOpen(var) && llvm::is_contained(nest.tiles[tile].axes, var);
  });
  if (vars.empty())
    return tile;
  home->statements->push_back(makeMask(tile, vars, CombineKind::Sum));
  TileId masked = home->statements->back().result;
  maskedTiles.insert(masked);
  home->memo[element] = masked;
  return masked;
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
    for (const IndexVar &var : reduction->boundVars()) {
      SmallVector<const Element *> trusted;
      if (nest.sizes.isRagged(var) &&
          (!contributesNothing(reduction, operands, var, which, trusted) ||
           !isMaskedInside(trusted, var)))
        masked.push_back(var);
    }
    TileId tile = emit(scope, operand);
    if (!masked.empty()) {
      scope.statements->push_back(makeMask(tile, masked, combineOf(reduction)));
      tile = scope.statements->back().result;
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

/// Emits the resident reductions that a loop needs and that run over one of its
/// variables: inside, the loop's own variable of that name would hide theirs.
void NestEmitter::emitBefore(Scope &scope, const Group &group,
                             ArrayRef<const Element *> reductions) {
  for (const Element *reduction : reductions) {
    auto runsInLoop = [&](const IndexVar &var) {
      return llvm::is_contained(group.vars, var);
    };
    if (isResident(reduction) && group.needs(reduction) &&
        !group.hasAnyOf(reduction->reductions()) &&
        llvm::any_of(reduction->boundVars(), runsInLoop))
      emit(scope, reduction);
  }
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
  for (Group &group : groups) {
    emitBefore(scope, group, reductions);
    emitLoop(scope, group, maySplit);
  }
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
  // In a chain of hundreds, each needs all before it.
  llvm::DenseSet<const Element *> needs(reduction->reductions().begin(),
                                        reduction->reductions().end());
  needs.erase(reduction);
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
        if (needs.contains(statistic))
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

/// What was derived for one nest is the same in the next, unless a schedule has
/// something to say about it.
OrRefusal<Cascade> NestEmitter::join(const Element *reduction,
                                     const Group &group) {
  std::vector<const void *> question = {
      reduction, options.preferSequential ? reduction : nullptr,
      options.preferPilot ? reduction : nullptr};
  llvm::append_range(question, group.reductions);
  // Between two lists.
  question.push_back(nullptr);
  for (const auto &known : group.cascades)
    question.push_back(known.first);
  bool isKept = options.cascades.empty();
  if (auto known = kernel.cascades.find(question);
      isKept && known != kernel.cascades.end())
    return known->second;
  CascadeOptions cascade;
  auto requested = [&](const Element *reduction, const Element *statistic) {
    return requestedFor(reduction, statistic);
  };
  cascade.requested = requested;
  cascade.freezesMeans =
      options.preferPilot ||
      llvm::any_of(options.cascades, [](const NestCascade &request) {
        return request.strategy == CascadeStrategy::Pilot;
      });
  SmallVector<const Element *> cascaded;
  for (const auto &known : group.cascades)
    cascaded.push_back(known.first);
  OrRefusal<Cascade> derived =
      deriveCascade(algebra, reduction, group.reductions, cascaded, cascade);
  if (isKept)
    kernel.cascades.try_emplace(std::move(question), derived);
  return derived;
}

void NestEmitter::emitLoop(Scope &scope, Group &group, bool maySplit) {
  LoopBuilder(*this, scope, group).build(maySplit);
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
  findMaskedInside();
  reach(top, {}, stores);
  if (failure.empty()) {
    scaleSums(nest, context);
    beginSums(nest);
    if (options.mergesInCluster && nest.isSplit())
      nest.setChunks(nest.nests.front().chunk->size.getNumber(),
                     /*inCluster=*/true);
    return std::move(nest);
  }
  whyNot = failure;
  return std::nullopt;
}

std::optional<KernelNest> fuse::buildNest(KernelElements &kernel,
                                          const NestOptions &options,
                                          std::string &whyNot) {
  std::optional<OwnedVars> owned =
      options.owned ? options.owned : kernel.deriveOwned();
  const KernelView *view = owned ? kernel.view(*owned) : nullptr;
  if (!view) {
    whyNot = kernel.whyNot().str();
    return std::nullopt;
  }
  return NestEmitter(kernel, *view, options).build(whyNot);
}
