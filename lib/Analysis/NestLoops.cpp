//===- NestLoops.cpp - the loops of a nest --------------------------------===//
//
// What a loop accumulates, how that follows moving statistics, where the loop
// begins and ends, and how its chunks are merged.
//
//===----------------------------------------------------------------------===//

#include "NestEmitter.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::nest;

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
    auto *cascade = group.cascades.find(reduction);
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
  bool isPossible =
      llvm::any_of(accumulators, [](const Accumulator &accumulator) {
        return accumulator.center != nullptr;
      });
  if (!isPossible || (!isAsked && emitter.nest.mayHavePilots))
    return;
  SmallVector<const Element *> found =
      findPilots(algebra, accumulators, moving);
  emitter.nest.mayHavePilots |= !found.empty();
  if (!isAsked)
    return;
  for (const Element *statistic : found)
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

void LoopBuilder::addBounds(NestLoop &loop, const LoopPart *part) {
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
        limit.var = part ? part->own : bound.var;
        limit.isUpper = bound.isUpper;
        const Element *value = bound.limit;
        if (part)
          value =
              algebra.sub(clampLimit(algebra, value),
                          algebra.number(value->type(), double(part->begin)));
        if (std::optional<AffineIndex> affine = affineOf(value))
          limit.affine = *affine;
        else
          limit.computed = emitter.emit(scope, value);
        loop.bounds.push_back(std::move(limit));
      }
}

/// In how many chunks the loop is done, by blocks next to each other.
int64_t LoopBuilder::chooseChunks(bool maySplit) {
  if (!maySplit || emitter.options.split <= 1 || accumulators.empty() ||
      !group.stores.empty())
    return 1;
  if (pilots.empty())
    return emitter.options.split;
  emitter.nest.notes.push_back("not split: chunks have no common pilot");
  return 1;
}

/// Every accumulator is a tile that goes from round to round, and so is what a
/// pilot has frozen.
void LoopBuilder::carryTiles(NestLoop &loop, Scope &inner) {
  auto carry = [&](const Element *slot, CombineKind kind, VarSet axes) {
    CarriedTile tile;
    tile.initial = identityOf(kind, slot->type());
    tile.inside = emitter.makeTile(slot->type(), axes);
    tile.result = emitter.makeTile(slot->type(), axes);
    inner.open.push_back(slot->freeVars().front());
    inner.memo[slot] = tile.inside;
    loop.carried.push_back(tile);
  };
  for (const Accumulator &accumulator : accumulators) {
    const Element *reduction = accumulator.reduction;
    carry(slots[reduction].before, combineOf(reduction), axesOf(accumulator));
  }
  for (auto &[statistic, pilot] : pilots) {
    pilot.carried = loop.carried.size();
    carry(pilot.before, CombineKind::Sum,
          emitter.nest.tiles[inner.memo[slots[statistic].before]].axes);
  }
}

/// What a round adds to each accumulator, around the statistics as they are
/// after the round.
void LoopBuilder::accumulate(Scope &inner, const LoopPart *part) {
  ElementMap frozenBefore, frozenAfter;
  for (auto &[statistic, pilot] : pilots) {
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
      if (part)
        body = part->inside(emitter.context, body);
      bodies[accumulator.reduction].push_back(body);
      wanted.push_back(body);
    }
  // Pilots stand between the plain accumulators, which they are made of, and
  // the corrected ones, which they are the centres of.
  bool arePilotsSet = false;
  for (const Accumulator &accumulator : accumulators) {
    if (!accumulator.isPlain() && !arePilotsSet) {
      setPilots(inner);
      arePilotsSet = true;
    }
    emitter.reach(inner, wanted, {});
    ArrayRef<const Element *> added = bodies[accumulator.reduction];
    const Element *reduction =
        part ? part->reduce(emitter.context, accumulator.reduction, added)
             : accumulator.reduction;
    TileId block = emitter.emitReduction(inner, reduction, added);
    update(inner, accumulator, block, before, after);
  }
  if (!arePilotsSet)
    setPilots(inner);
}

/// What the round leaves is what the next one begins with.
void LoopBuilder::closeRound(NestLoop &loop, Scope &inner) {
  for (auto [accumulator, tile] : llvm::zip(accumulators, loop.carried))
    tile.next = inner.memo[slots[accumulator.reduction].after];
  for (auto &[statistic, pilot] : pilots)
    loop.carried[pilot.carried].next = inner.memo[pilot.after];
}

/// The parts that are loops of their own. Each has the windows of the whole. In
/// a part there are none, or code would grow with each loop in a loop.
SmallVector<LoopPart, 0> LoopBuilder::findParts() {
  if (group.vars.size() != 1 || !group.stores.empty() || scope.isInPart())
    return {};
  SmallVector<const Element *> reductions;
  for (const Accumulator &accumulator : accumulators)
    reductions.push_back(accumulator.reduction);
  const IndexVar &var = group.vars.front();
  SmallVector<LoopPart, 0> parts = partsBetweenSeams(
      algebra, reductions, var, IndexVar::kFirstPart + emitter.numParted);
  TileSizes &windows = emitter.nest.sizes;
  for (const LoopPart &part : parts)
    windows.set(part.own, windows.sizeOf(var));
  emitter.numParted += !parts.empty();
  return parts;
}

/// One loop, over all rounds or those of a part, which goes on with what is
/// there `before`. Yields what there is behind it.
SmallVector<TileId> LoopBuilder::buildPart(const LoopPart *part, int64_t chunks,
                                           ArrayRef<TileId> before) {
  Statement statement;
  statement.kind = Statement::Kind::Loop;
  statement.loop = std::make_unique<NestLoop>();
  NestLoop &loop = *statement.loop;
  loop.vars = group.vars;
  if (part)
    loop.vars = {part->own};
  loop.chunks = chunks;
  addBounds(loop, part);

  Scope inner{&scope, {}, &loop.body};
  inner.open.assign(loop.vars.begin(), loop.vars.end());
  carryTiles(loop, inner);
  for (auto [tile, from] : llvm::zip(loop.carried, before))
    tile.from = from;
  accumulate(inner, part);
  for (const StoreGoal &store : group.stores) {
    emitter.reach(inner, store.element, {});
    emitter.emitStore(inner, store);
  }
  closeRound(loop, inner);

  SmallVector<TileId> results;
  for (const CarriedTile &tile : loop.carried)
    results.push_back(tile.result);
  scope.statements->push_back(std::move(statement));
  return results;
}

void LoopBuilder::build(bool maySplit) {
  collectAccumulators();
  choosePilots();
  for (const Accumulator &accumulator : accumulators)
    slots[accumulator.reduction] = {
        emitter.makeSlot(accumulator.reduction->type()),
        emitter.makeSlot(accumulator.reduction->type())};

  int64_t chunks = chooseChunks(maySplit);
  SmallVector<TileId> results;
  if (SmallVector<LoopPart, 0> parts = findParts(); !parts.empty())
    for (const LoopPart &part : parts)
      results = buildPart(&part, chunks, results);
  else
    results = buildPart(/*part=*/nullptr, chunks, /*before=*/{});
  if (chunks > 1)
    merge(*scope.statements->back().loop, results);
  finish(results);
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
void LoopBuilder::finish(ArrayRef<TileId> results) {
  auto publish = [&](Type type, TileId tile) {
    const Element *slot = emitter.makeSlot(type);
    scope.open.push_back(slot->freeVars().front());
    scope.memo[slot] = tile;
    return slot;
  };
  ElementMap ends, frozen;
  for (auto [accumulator, tile] : llvm::zip(accumulators, results))
    ends[accumulator.reduction] = publish(accumulator.reduction->type(), tile);
  for (auto &[statistic, pilot] : pilots)
    frozen[statistic] = publish(statistic->type(), results[pilot.carried]);

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
    scope.rewritten[reduction] =
        ofRounds(reduction, algebra.substitute(cascade.result, fixed));
}

/// `value`, or 0 where a sum has no terms: then the statistics that it was
/// corrected with are those of nothing, infinite or no numbers.
const Element *LoopBuilder::ofRounds(const Element *reduction,
                                     const Element *value) {
  if (combineOf(reduction) != CombineKind::Sum)
    return value;
  const Element *zero = algebra.zero(value->type());
  Type integers = IntegerType::get(value->type().getContext(), 64);
  const Element *size = algebra.sizeOf(reduction->boundVars(), integers);
  if (llvm::all_of(reduction->boundVars(),
                   [](const IndexVar &var) { return var.size.isNumber(); }))
    return isNumber(size, 0) ? zero : value;
  return algebra.select(
      algebra.compare(arith::CmpIPredicate::eq, size, algebra.zero(integers)),
      zero, value);
}

/// The chunks of a split loop store what they have accumulated, and a second
/// launch combines the chunks: first what needs no corrections, statistics
/// among it, then the rest, moved from the statistics of its chunk to those of
/// all. One loop for both would correct what it has at each chunk once more,
/// and make each chunk wait for the one before.
void LoopBuilder::merge(NestLoop &loop, MutableArrayRef<TileId> results) {
  KernelNest &nest = emitter.nest;
  IndexVar chunk = emitter.makeMarker();
  chunk.size = Size::number(loop.chunks);
  nest.sizes.set(chunk, 1);
  nest.nests.back().chunk = chunk;
  unsigned firstPart = nest.parts.size();
  for (auto [i, carried] : llvm::enumerate(loop.carried)) {
    PartBuffer buffer;
    buffer.type = nest.tiles[carried.result].type;
    buffer.shape.push_back(chunk.size);
    buffer.axes = nest.tiles[carried.result].axes;
    for (const IndexVar &var : buffer.axes)
      buffer.shape.push_back(var.size);
    nest.parts.push_back(std::move(buffer));
    scope.statements->push_back(partOf(chunk, Statement::Kind::StorePart,
                                       firstPart + i, carried.result));
  }

  nest.nests.emplace_back();
  nest.nests.back().grid = nest.nests.front().grid;
  nest.nests.back().isMerge = true;
  scope.statements = &nest.nests.back().body;
  scope.memo.clear();
  ElementMap finals;
  auto isPlain = [](const Accumulator &accumulator) {
    return accumulator.isPlain();
  };
  // What is corrected comes behind the others.
  unsigned numPlain = llvm::count_if(accumulators, isPlain);
  if (numPlain > 0)
    mergeSome(chunk, firstPart, 0, numPlain, finals, results);
  if (numPlain < accumulators.size())
    mergeSome(chunk, firstPart, numPlain, accumulators.size(), finals, results);
}

/// A part of the accumulators, in one loop over the chunks. `finals` are the
/// values that others have in the end.
void LoopBuilder::mergeSome(const IndexVar &chunk, unsigned firstPart,
                            unsigned first, unsigned end, ElementMap &finals,
                            MutableArrayRef<TileId> results) {
  KernelNest &nest = emitter.nest;
  auto owned = std::make_unique<NestLoop>();
  NestLoop &merging = *owned;
  merging.vars = {chunk};
  merging.roundsAtOnce = nest.chunksAtOnce(nest.nests.back());
  Scope inner{&scope, {chunk}, &merging.body};
  auto open = [&](Scope &scope, Type type, TileId tile) {
    const Element *slot = emitter.makeSlot(type);
    scope.open.push_back(slot->freeVars().front());
    scope.memo[slot] = tile;
    return slot;
  };
  // A correction may read other parts than its own.
  ElementMap parts;
  SmallVector<TileId> loaded;
  for (const Accumulator &accumulator : accumulators) {
    Type type = accumulator.reduction->type();
    VarSet axes = nest.parts[firstPart + loaded.size()].axes;
    loaded.push_back(emitter.makeTile(type, axes));
    parts[accumulator.reduction] = open(inner, type, loaded.back());
  }
  LoopPath from = pathOf(parts, ElementMap()),
           to = pathOf(finals, ElementMap());
  SmallVector<const Element *> added;
  for (unsigned i = first; i < end; ++i)
    added.push_back(
        accumulators[i].isPlain()
            ? parts[accumulators[i].reduction]
            : moved(accumulators[i], parts, from,
                    [&](const Element *element) { return to.at(element); }));
  for (auto [i, accumulator] : llvm::enumerate(accumulators)) {
    const IndexVar &name = parts[accumulator.reduction]->freeVars().front();
    if (llvm::any_of(added, [&](const Element *element) {
          return element->variesWith(name);
        }))
      merging.body.push_back(
          partOf(chunk, Statement::Kind::LoadPart, firstPart + i, loaded[i]));
  }
  for (unsigned i = first; i < end; ++i) {
    const Element *reduction = accumulators[i].reduction;
    VarSet axes = nest.parts[firstPart + i].axes;
    CarriedTile tile;
    tile.initial = identityOf(combineOf(reduction), reduction->type());
    tile.inside = emitter.makeTile(reduction->type(), axes);
    tile.result = emitter.makeTile(reduction->type(), axes);
    const Element *before = open(inner, reduction->type(), tile.inside);
    tile.next = emitter.emit(inner, combine(algebra, combineOf(reduction),
                                            before, added[i - first]));
    results[i] = tile.result;
    finals[reduction] = open(scope, reduction->type(), tile.result);
    merging.carried.push_back(tile);
  }
  Statement statement;
  statement.kind = Statement::Kind::Loop;
  statement.loop = std::move(owned);
  scope.statements->push_back(std::move(statement));
}

/// Writes or reads what one chunk has accumulated.
Statement LoopBuilder::partOf(const IndexVar &chunk, Statement::Kind kind,
                              unsigned target, TileId tile) {
  Statement statement;
  statement.kind = kind;
  statement.target = target;
  if (kind == Statement::Kind::LoadPart)
    statement.result = tile;
  else
    statement.operands = {tile};
  statement.index.push_back(AffineIndex::of(chunk));
  for (const IndexVar &var : emitter.nest.tiles[tile].axes)
    statement.index.push_back(AffineIndex::of(var));
  return statement;
}
