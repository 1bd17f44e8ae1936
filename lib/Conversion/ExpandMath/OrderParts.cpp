//===- OrderParts.cpp - one part of a chain of ops behind the other -------===//
//
// Between two places where threads meet, memory is read, or control flow is,
// parts move in front of the first op that needs them and is no part; those
// that are needed later follow. So one part goes all the way through a chain of
// ops, and is stored, before the next one begins.
//
// No part moves beyond such a place, unless it says that parts may, and nothing
// else moves: the order of products and of loads was chosen by whoever wrote
// them.
//
//===----------------------------------------------------------------------===//

#include "OrderParts.h"
#include "fuse/Conversion/PartsPass.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fuse;

/// Ops whose effects are not known may be barriers. Loads end a segment, too: a
/// step of a product is done before the factors of the next one are read.
static bool isBoundary(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<LoopLikeOpInterface>(op))
    return true;
  // A load under a condition is a piece of assembly.
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    if (llvm::any_of(assembly.getOperandTypes(),
                     llvm::IsaPred<LLVM::LLVMPointerType>))
      return true;
  auto effects = getEffectsRecursively(op);
  return !effects ||
         llvm::any_of(*effects,
                      [](const MemoryEffects::EffectInstance &effect) {
                        return isa<MemoryEffects::Read>(effect.getEffect());
                      });
}

namespace {

/// Ops that follow each other without a boundary in between.
class Segment {
public:
  void addMoving(Operation *op) { moving.push_back(op); }
  void addStaying(Operation *op) { staying.push_back(op); }
  /// Parts that nobody has needed so far go before `end`, or are left.
  void orderBefore(Operation *end);
  SmallVector<Operation *> orderAndLeave();

private:
  void place(Operation *root, Operation *before);
  bool isLeft(Operation *op) const { return left.contains(op); }

  SmallVector<Operation *> moving, staying;
  /// What has no place yet.
  llvm::DenseSet<Operation *> left;
};

} // namespace

/// Moves what `root` needs, and at last `root` if it moves, too.
void Segment::place(Operation *root, Operation *before) {
  SmallVector<std::pair<Operation *, bool>> stack;
  auto pushNeeds = [&](Operation *op) {
    SmallVector<Operation *> needs;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *made = operand.getDefiningOp(); made && isLeft(made))
          needs.push_back(made);
    });
    for (Operation *need : llvm::reverse(needs))
      stack.push_back({need, false});
  };
  if (isLeft(root))
    stack.push_back({root, false});
  else
    pushNeeds(root);
  while (!stack.empty()) {
    auto [op, hasItsNeeds] = stack.pop_back_val();
    if (!isLeft(op))
      continue;
    if (!hasItsNeeds) {
      stack.push_back({op, true});
      pushNeeds(op);
      continue;
    }
    left.erase(op);
    op->moveBefore(before);
  }
}

SmallVector<Operation *> Segment::orderAndLeave() {
  left.insert(moving.begin(), moving.end());
  for (Operation *op : staying)
    place(op, op);
  return llvm::filter_to_vector(moving,
                                [&](Operation *op) { return isLeft(op); });
}

void Segment::orderBefore(Operation *end) {
  orderAndLeave();
  SmallVector<Operation *> last;
  for (Operation *op : moving)
    if (isLeft(op) && llvm::none_of(op->getUsers(), [&](Operation *user) {
          return isLeft(user);
        }))
      last.push_back(op);
  for (Operation *op : last)
    place(op, end);
}

void fuse::orderParts(Block &block, const llvm::DenseSet<Operation *> &parts) {
  SmallVector<Operation *> ops(llvm::make_pointer_range(block));
  Segment segment;
  for (Operation *op : ops) {
    if (parts.contains(op)) {
      segment.addMoving(op);
    } else if (!isBoundary(op)) {
      segment.addStaying(op);
    } else if (op->hasAttr(partsPassAttr)) {
      Segment next;
      segment.addStaying(op);
      for (Operation *part : segment.orderAndLeave())
        next.addMoving(part);
      segment = std::move(next);
    } else {
      segment.orderBefore(op);
      segment = Segment();
    }
  }
}

/// The first op of `block` that needs `op`; null if another block does.
static Operation *firstUserOf(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    Operation *own = op->getBlock()->findAncestorOpInBlock(*user);
    if (!own)
      return nullptr;
    if (!first || own->isBeforeInBlock(first))
      first = own;
  }
  return first;
}

/// Moves `op` before `place`, and before it what it is computed from, if all of
/// that may move.
static void moveUp(Operation *op, Operation *place) {
  SetVector<Operation *> slice;
  SmallVector<Operation *> left{op};
  while (!left.empty()) {
    Operation *next = left.pop_back_val();
    slice.insert(next);
    for (Value operand : next->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source || source->getBlock() != op->getBlock() ||
          source->isBeforeInBlock(place) || slice.contains(source))
        continue;
      if (!isPure(source) || source->getNumRegions() != 0)
        return;
      left.push_back(source);
    }
  }
  SmallVector<Operation *> ordered = slice.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *c) { return a->isBeforeInBlock(c); });
  for (Operation *moved : ordered)
    moved->moveBefore(place);
}

void fuse::orderLoads(Block &block) {
  SmallVector<Operation *> loads, places;
  for (Operation &op : block) {
    if (op.hasAttr(aheadAttr))
      loads.push_back(&op);
    if (op.hasAttr(pieceAttr))
      places.push_back(&op);
  }
  for (Operation *load : loads) {
    int64_t ahead = load->getAttrOfType<IntegerAttr>(aheadAttr).getInt();
    Operation *user = firstUserOf(load);
    if (!user)
      continue;
    int64_t before = llvm::count_if(
        places, [&](Operation *place) { return place->isBeforeInBlock(user); });
    // Behind no place, or only the first, is what all pieces need.
    if (before < 2)
      continue;
    Operation *place = places[std::max<int64_t>(before - ahead, 0)];
    if (place->isBeforeInBlock(load))
      moveUp(load, place);
  }
}
