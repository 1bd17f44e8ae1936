//===- KernelElements.cpp - what a kernel computes, by element ------------===//
//
// Demanding the results of a kernel over shared variables, and finding those
// that a block has to own.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/KernelElements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fuse;

static int64_t rankOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

/// The root whose index space contains those of the others.
static Value findMain(ArrayRef<Value> roots) {
  return *llvm::max_element(
      roots, [](Value a, Value b) { return rankOf(a) < rankOf(b); });
}

static size_t indexOf(ArrayRef<Value> roots, Value root) {
  return llvm::find(roots, root) - roots.begin();
}

static llvm::DenseSet<Value> without(llvm::DenseSet<Value> all,
                                     ArrayRef<Value> some) {
  for (Value value : some)
    all.erase(value);
  return all;
}

KernelElements::KernelElements(const SizeAnalysis &sizes, ArrayRef<Value> roots,
                               llvm::DenseSet<Value> stored)
    : sizeAnalysis(sizes), elements(roots.front().getContext()), values(roots),
      main(findMain(roots)),
      demand(sizes, elements, without(std::move(stored), roots)) {
  for (Value root : roots)
    for (int64_t dim = 0; dim < rankOf(root); ++dim)
      if (sizes.sizeOf(root, dim) != sizes.sizeOf(main, dim)) {
        llvm::raw_string_ostream(reason)
            << "results of one kernel share their leading dimensions, but "
            << "dimension " << dim << " of #" << indexOf(roots, root) << " is "
            << sizes.sizeOf(root, dim) << " and of #" << indexOf(roots, main)
            << " " << sizes.sizeOf(main, dim);
        return;
      }
  for (int64_t dim = 0; dim < rankOf(main); ++dim)
    for (Size size : demand.factorsOf(main, dim))
      parts.push_back({dim, size});
}

/// A variable of the given size that is not in `used`.
static IndexVar freshVar(Size size, const VarSet &used) {
  IndexVar var;
  var.size = size;
  while (llvm::is_contained(used, var))
    ++var.level;
  return var;
}

bool KernelElements::build(OwnedVars owned, ArrayRef<Value> roots,
                           KernelView &view) {
  SmallVector<IndexVar> vars;
  for (auto [place, part] : llvm::enumerate(parts)) {
    if (owns(owned, place)) {
      vars.push_back(freshVar(part.size, view.owned));
      view.owned.push_back(vars.back());
      continue;
    }
    IndexVar var;
    var.size = part.size;
    var.level = IndexVar::kOutput;
    var.place = static_cast<int32_t>(place);
    vars.push_back(var);
    view.grid.push_back(var);
  }
  SmallVector<Index> index;
  for (int64_t dim = 0; dim < rankOf(main); ++dim) {
    AffineIndex affine;
    int64_t stride = 1;
    for (size_t i = parts.size(); i-- > 0;) {
      if (parts[i].dim != dim)
        continue;
      affine = affine + AffineIndex::of(vars[i], stride);
      // Only the first factor's size may be a symbol.
      if (parts[i].size.isNumber())
        stride *= parts[i].size.getNumber();
    }
    index.push_back(affine);
  }
  demand.forget();
  for (Value root : roots) {
    // Blocks that differ only in a dimension that the root has not would all
    // write it, or none would where that dimension is empty.
    for (const IndexVar &var : view.grid)
      if (parts[var.place].dim >= rankOf(root) && var.size != Size::number(1)) {
        reason = "a result of fewer dimensions would be written by several "
                 "blocks";
        return false;
      }
    ArrayRef<Index> mine = ArrayRef(index).take_front(rankOf(root));
    const Element *element = demand.at(root, mine);
    if (!element) {
      failed = demand.failedOp();
      reason = demand.needsTooMany()
                   ? "too many different elements are needed of what ops make"
                   : "an op does not make its elements one by one";
      return false;
    }
    view.roots.push_back({root, llvm::to_vector(mine), element});
    for (const Element *reduction : element->reductions())
      if (!llvm::is_contained(view.reductions, reduction))
        view.reductions.push_back(reduction);
  }
  return true;
}

OwnedVars KernelElements::lastVars(size_t count) const {
  OwnedVars owned = 0;
  for (size_t place = parts.size() - std::min(count, parts.size());
       place < parts.size() && place < std::numeric_limits<OwnedVars>::digits;
       ++place)
    owned |= OwnedVars(1) << place;
  return owned;
}

const KernelView *KernelElements::view(OwnedVars owned) {
  std::unique_ptr<KernelView> &known = views[owned];
  if (!known) {
    auto view = std::make_unique<KernelView>();
    if (!build(owned, values, *view))
      return nullptr;
    known = std::move(view);
  }
  return known.get();
}

/// The loads in `element`, without entering reductions that bind one of `vars`:
/// inside of them, that name is another variable.
static void collectLoads(const Element *element, ArrayRef<IndexVar> vars,
                         llvm::DenseSet<const Element *> &seen,
                         llvm::DenseSet<const Element *> &loads) {
  if (!seen.insert(element).second)
    return;
  if (element->isReduction() &&
      llvm::any_of(element->boundVars(), [&](const IndexVar &bound) {
        return llvm::is_contained(vars, bound);
      }))
    return;
  if (element->kind() == ElementKind::Load)
    loads.insert(element);
  for (const Element *operand : element->operands())
    collectLoads(operand, vars, seen, loads);
}

/// How often a load of an element is also what a reduction within it reads over
/// variables that are owned.
static size_t countShared(const KernelView &view) {
  const Element *element = view.roots.front().element;
  llvm::DenseSet<const Element *> seen, outside;
  collectLoads(element, view.owned, seen, outside);
  size_t count = 0;
  for (const Element *reduction : element->reductions()) {
    VarSet added;
    for (const IndexVar &var : reduction->boundVars())
      if (llvm::is_contained(view.owned, var))
        added.push_back(var);
    llvm::DenseSet<const Element *> inSeen, inside;
    for (const Element *operand : reduction->operands())
      collectLoads(operand, {}, inSeen, inside);
    count += llvm::count_if(inside, [&](const Element *load) {
      return outside.contains(load) &&
             llvm::any_of(added, [&](const IndexVar &var) {
               return load->variesWith(var);
             });
    });
  }
  return count;
}

/// The last variables up to the first one over which a statistic runs, without
/// those in between that none needs: a batch norm owns all of a channel and not
/// the channels, though these lie between what it owns.
std::optional<OwnedVars> KernelElements::ownedOf(Value root) {
  OwnedVars owned = 0;
  size_t most = 0;
  for (size_t count = 1; count <= parts.size(); ++count) {
    KernelView view;
    if (!build(lastVars(count), root, view))
      return std::nullopt;
    if (size_t shared = countShared(view); shared > most) {
      most = shared;
      owned = lastVars(count);
    }
  }
  for (size_t place = 0; place < parts.size(); ++place) {
    if (!owns(owned, place))
      continue;
    OwnedVars fewer = owned & ~(OwnedVars(1) << place);
    KernelView view;
    if (!build(fewer, root, view))
      return std::nullopt;
    if (countShared(view) == most)
      owned = fewer;
  }
  return owned;
}

std::optional<OwnedVars> KernelElements::deriveOwned() {
  OwnedVars owned = 0;
  for (Value root : values) {
    if (rankOf(root) != rankOf(main))
      continue;
    std::optional<OwnedVars> own = ownedOf(root);
    if (!own)
      return std::nullopt;
    owned |= *own;
  }
  // What a root does not have is walked by the block that writes it.
  for (Value root : values)
    for (auto [place, part] : llvm::enumerate(parts))
      if (part.dim >= rankOf(root) && part.size != Size::number(1))
        owned |= lastVars(parts.size() - place);
  return owned;
}
