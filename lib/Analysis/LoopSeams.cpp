//===- LoopSeams.cpp - where what a loop reads changes --------------------===//
//
// A choice is looked for in what is multiplied, and its condition is asked of
// each range of rounds.
//
//===----------------------------------------------------------------------===//

#include "LoopSeams.h"
#include "fuse/Analysis/Interval.h"
#include "fuse/Analysis/LoopBounds.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <set>

using namespace mlir;
using namespace fuse;
using namespace fuse::nest;

using Conditions = llvm::SetVector<const Element *>;

namespace {

/// Finds the conditions that say which of two tensors is read at a variable.
class SeamFinder {
public:
  explicit SeamFinder(const IndexVar &var) : var(var) {}

  void visit(const Element *element) {
    // A variable that is bound anew is another one.
    if (!element->variesWith(var) || !seen.insert(element).second)
      return;
    if (isOp<arith::SelectOp>(element) && isSeam(element))
      conditions.insert(element->operands()[0]);
    for (const Element *operand : element->operands())
      visit(operand);
  }

  Conditions conditions;

private:
  /// Of what leaves something out findLoopConditions knows.
  bool isSeam(const Element *select) {
    const Element *condition = select->operands()[0];
    return condition->freeVars() == ArrayRef(var) &&
           condition->reductions().empty() &&
           readsAlong(select->operands()[1]) &&
           readsAlong(select->operands()[2]);
  }

  /// Whether anything that varies with the variable is read from memory for it.
  bool readsAlong(const Element *element) {
    if (!element->variesWith(var))
      return false;
    if (element->kind() == ElementKind::Load)
      return true;
    auto [entry, isNew] = reads.try_emplace(element, false);
    if (!isNew)
      return entry->second;
    bool result =
        llvm::any_of(element->operands(), [&](const Element *operand) {
          return readsAlong(operand);
        });
    return reads[element] = result;
  }

  IndexVar var;
  llvm::DenseSet<const Element *> seen;
  llvm::DenseMap<const Element *, bool> reads;
};

} // namespace

static Conditions seamsOf(ArrayRef<const Element *> reductions,
                          const IndexVar &var) {
  // Reductions of numbers choose as they read, which is cheap beside a second
  // loop's code; what is multiplied is brought to the chip by rounds.
  if (llvm::none_of(reductions, [](const Element *reduction) {
        return reduction->kind() == ElementKind::Dot;
      }))
    return {};
  SeamFinder finder(var);
  for (const Element *reduction : reductions)
    for (const Element *operand : reduction->operands())
      finder.visit(operand);
  return std::move(finder.conditions);
}

/// Where a condition begins or ends to hold, if that is one number.
static std::optional<int64_t>
limitOf(const Algebra &algebra, const Element *condition, const IndexVar &var) {
  SmallVector<LoopBound, 2> bounds = boundsOf(algebra, condition, var);
  if (bounds.size() != 1)
    return std::nullopt;
  std::optional<AffineIndex> limit = affineOf(bounds.front().limit);
  if (!limit || !limit->terms.empty())
    return std::nullopt;
  return limit->constant;
}

SmallVector<LoopPart, 0>
nest::partsBetweenSeams(const Algebra &algebra,
                        ArrayRef<const Element *> reductions,
                        const IndexVar &var, int32_t level) {
  // Each part is the loop's body once more.
  constexpr size_t kMostParts = 4;
  if (!var.size.isNumber())
    return {};
  int64_t size = var.size.getNumber();
  Conditions conditions = seamsOf(reductions, var);
  std::set<int64_t> ends = {size};
  for (const Element *condition : conditions)
    if (std::optional<int64_t> limit = limitOf(algebra, condition, var))
      if (*limit > 0 && *limit < size)
        ends.insert(*limit);
  if (ends.size() < 2 || ends.size() > kMostParts)
    return {};
  SmallVector<LoopPart, 0> parts;
  int64_t begin = 0;
  for (int64_t end : ends) {
    LoopPart &part = parts.emplace_back();
    part.whole = var;
    part.begin = begin;
    part.own.size = Size::number(end - begin);
    part.own.level = level;
    for (const Element *condition : conditions) {
      Truth truth =
          classify(condition,
                   {[&](const IndexVar &) { return Interval{begin, end - 1}; },
                    [](const Element *) { return std::nullopt; }});
      if (truth != Truth::Mixed)
        part.known[condition] = truth == Truth::Always;
    }
    begin = end;
  }
  return parts;
}

AffineIndex LoopPart::inside(const AffineIndex &index) const {
  AffineIndex result;
  result.constant = index.constant;
  for (const auto &[var, coefficient] : index.terms) {
    AffineIndex term = AffineIndex::of(var == whole ? own : var, coefficient);
    if (var == whole)
      term.constant = coefficient * begin;
    result = result + term;
  }
  return result;
}

namespace {

/// Rebuilds an element for a part.
class PartWriter {
public:
  PartWriter(ElementContext &context, const LoopPart &part)
      : context(context), part(part) {}

  const Element *write(const Element *element) {
    // A variable that is bound anew is another one.
    if (!element->variesWith(part.whole))
      return element;
    if (const Element *done = memo.lookup(element))
      return done;
    const Element *result = compute(element);
    memo[element] = result;
    return result;
  }

private:
  const Element *compute(const Element *element) {
    if (isOp<arith::SelectOp>(element))
      if (auto truth = part.known.find(element->operands()[0]);
          truth != part.known.end())
        return write(element->operands()[truth->second ? 1 : 2]);
    if (element->kind() == ElementKind::Position)
      return context.position(part.inside(element->position()),
                              element->type());
    if (element->kind() == ElementKind::Load) {
      SmallVector<Index> indices;
      for (const Index &index : element->indices())
        indices.push_back(index.computed ? Index(write(index.computed))
                                         : Index(part.inside(index.affine)));
      return context.load(element->tensor(), indices);
    }
    SmallVector<const Element *> operands;
    for (const Element *operand : element->operands())
      operands.push_back(write(operand));
    return context.withOperands(element, operands);
  }

  ElementContext &context;
  const LoopPart &part;
  llvm::DenseMap<const Element *, const Element *> memo;
};

} // namespace

const Element *LoopPart::inside(ElementContext &context,
                                const Element *element) const {
  return PartWriter(context, *this).write(element);
}

const Element *LoopPart::reduce(ElementContext &context, const Element *like,
                                ArrayRef<const Element *> bodies) const {
  return like->kind() == ElementKind::Dot
             ? context.dot({own}, bodies[0], bodies[1], like->type(),
                           like->precision())
             : context.reduce(like->combine(), {own}, bodies[0]);
}

bool nest::mayHaveSeams(ArrayRef<const Element *> reductions) {
  std::map<IndexVar, SmallVector<const Element *>> byVar;
  for (const Element *reduction : reductions)
    for (const IndexVar &var : reduction->boundVars())
      byVar[var].push_back(reduction);
  return llvm::any_of(byVar, [](const auto &entry) {
    return !seamsOf(entry.second, entry.first).empty();
  });
}
