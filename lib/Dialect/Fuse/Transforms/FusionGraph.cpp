//===- FusionGraph.cpp - the values that a plan is about ------------------===//
//
// Candidates, leaves and seams.
//
//===----------------------------------------------------------------------===//

#include "FusionGraph.h"
#include "FusionRules.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;

FusionGraph::FusionGraph(func::FuncOp function)
    : body(&function.getBody().front()), sizeAnalysis(function) {
  for (Operation &op : *body) {
    bool isPlain = isReducing(&op) || isView(&op) || isPointwise(&op) ||
                   isa<ConcatOp, GatherOp>(op);
    // Nobody has to compute a constant.
    isPlain &= !isa<arith::ConstantOp>(op);
    if (isPlain && op.getNumResults() == 1 &&
        isa<RankedTensorType>(op.getResult(0).getType()))
      numbers[op.getResult(0)] = numbers.size();
  }
  findRequired();
  findCandidates();
}

void FusionGraph::findRequired() {
  for (Operation &op : *body) {
    bool isPlain = op.getNumResults() == 1 && numbers.contains(op.getResult(0));
    // Of a size nobody needs the elements.
    if (isPlain || isa<tensor::DimOp>(op))
      continue;
    for (Value operand : op.getOperands())
      if (contains(operand) && isMustStore.insert(operand).second)
        mustStore.push_back(operand);
  }
}

/// What a product reads that ops of one element have made: views are looked
/// through. Null if there is no such op.
static Value findMadeFactor(Value factor) {
  Operation *op = factor.getDefiningOp();
  while (op && isView(op) && op->getNumOperands() == 1) {
    factor = op->getOperand(0);
    op = factor.getDefiningOp();
  }
  return op && isPointwise(op) && !isView(op) ? factor : Value();
}

/// What `value` is wider than without knowing more: whoever reads that widens
/// it again for nothing.
static Value narrowed(Value value) {
  while (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Whether elements of `value` are looked up by others of its elements.
static bool looksUpItself(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    auto gather = dyn_cast<GatherOp>(user);
    return gather && gather.getSource() == value &&
           gather.getIndices() == value;
  });
}

/// Where a cut can pay: behind a reduction and its epilogue, at values that
/// several ops use, and at factors of products, which every block that shares
/// one would have to make.
void FusionGraph::findCandidates() {
  auto usersOf = [](Value value) {
    llvm::SetVector<Operation *> users;
    for (Operation *user : value.getUsers())
      if (!isa<tensor::DimOp>(user))
        users.insert(user);
    return users;
  };
  for (Operation &op : *body) {
    if (op.getNumResults() != 1 || !numbers.contains(op.getResult(0)))
      continue;
    Value value = op.getResult(0);
    bool isHeavy = isReducing(&op) || isa<ConcatOp>(op);
    // Another look-up costs what the first one did, even by the same op.
    bool isShared = (isa<GatherOp>(op) || (isPointwise(&op) && !isView(&op))) &&
                    (usersOf(value).size() > 1 || looksUpItself(value));
    if (!isHeavy && !isShared)
      continue;
    while (!isRequired(value)) {
      auto users = usersOf(value);
      if (users.size() != 1 || !isPointwise(users.front()) ||
          isView(users.front()) || users.front()->getNumResults() != 1 ||
          cast<ShapedType>(users.front()->getResult(0).getType()).getShape() !=
              cast<ShapedType>(value.getType()).getShape())
        break;
      value = users.front()->getResult(0);
    }
    value = narrowed(value);
    if (!contains(value))
      continue;
    if (!isRequired(value) && !llvm::is_contained(mayStore, value))
      mayStore.push_back(value);
  }
  for (Operation &op : *body)
    if (isa<MatmulOp>(op))
      for (Value operand : op.getOperands())
        if (Value factor = findMadeFactor(operand);
            factor && contains(factor = narrowed(factor)) &&
            !isRequired(factor) && !llvm::is_contained(mayStore, factor))
          mayStore.push_back(factor);
  llvm::sort(mayStore,
             [&](Value a, Value b) { return numberOf(a) < numberOf(b); });
}

bool FusionGraph::isInside(Value value, ArrayRef<Value> roots,
                           llvm::function_ref<bool(Value)> isStored) const {
  // One number for all elements is in the code, other constants are data.
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return isa<SplatElementsAttr>(constant.getValue());
  return contains(value) &&
         (!isStored(value) || llvm::is_contained(roots, value));
}

llvm::SetVector<Value>
FusionGraph::leavesOf(ArrayRef<Value> roots,
                      llvm::function_ref<bool(Value)> isStored) const {
  llvm::SetVector<Value> leaves;
  llvm::DenseSet<Value> seen;
  auto visit = [&](auto &self, Value value) -> void {
    if (!isa<RankedTensorType>(value.getType()) || !seen.insert(value).second)
      return;
    if (!isInside(value, roots, isStored)) {
      leaves.insert(value);
      return;
    }
    for (Value operand : value.getDefiningOp()->getOperands())
      self(self, operand);
  };
  for (Value root : roots)
    visit(visit, root);
  return leaves;
}

/// Candidates behind which nothing else is needed of what was computed before
/// them. What is made of arguments alone without a reduction, such as masks, is
/// computed again anywhere; what has to be stored is there anyway.
SmallVector<Value> FusionGraph::findSeams() const {
  llvm::DenseSet<Value> isCandidate(mayStore.begin(), mayStore.end()), costly;
  llvm::DenseMap<Value, unsigned> usesLeft;
  SmallVector<Value> seams;
  for (Operation &op : *body) {
    if (op.getNumResults() != 1 || !numbers.contains(op.getResult(0)))
      continue;
    Value value = op.getResult(0);
    bool isCostly = isReducing(&op) || isCandidate.contains(value);
    for (Value operand : op.getOperands()) {
      isCostly |= costly.contains(operand);
      if (auto left = usesLeft.find(operand);
          left != usesLeft.end() && --left->second == 0)
        usesLeft.erase(left);
    }
    if (isCostly)
      costly.insert(value);
    unsigned numUses = llvm::count_if(value.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return user->getNumResults() == 1 && numbers.contains(user->getResult(0));
    });
    if (isCostly && numUses != 0 && !isRequired(value))
      usesLeft[value] = numUses;
    if (isCandidate.contains(value) && usesLeft.size() == 1 &&
        usesLeft.contains(value))
      seams.push_back(value);
  }
  return seams;
}

SmallVector<Stretch> FusionGraph::stretches(size_t most) const {
  SmallVector<Value> ends;
  if (mayStore.size() > most) {
    // As long as possible, so that little is decided before it is compared.
    size_t begun = 0, fits = 0;
    Value last;
    auto countUpTo = [&](Value seam) {
      return llvm::count_if(mayStore, [&](Value value) {
        return numberOf(value) <= numberOf(seam);
      });
    };
    for (Value seam : findSeams()) {
      size_t count = countUpTo(seam);
      if (count - begun > most && last) {
        ends.push_back(last);
        begun = fits;
      }
      last = seam;
      fits = count;
    }
    if (last && mayStore.size() - begun > most)
      ends.push_back(last);
  }
  SmallVector<Stretch> result(ends.size() + 1);
  auto stretchOf = [&](Value value) -> Stretch & {
    size_t i = llvm::count_if(
        ends, [&](Value end) { return numberOf(end) < numberOf(value); });
    return result[i];
  };
  for (Value value : mustStore)
    stretchOf(value).required.push_back(value);
  for (Value value : mayStore) {
    Stretch &stretch = stretchOf(value);
    bool isSeam = llvm::is_contained(ends, value);
    (isSeam ? stretch.required : stretch.candidates).push_back(value);
  }
  return result;
}
