//===- GuardChoices.cpp - what a block does not choose it does not compute ===//
//
// What is put together of several tensors is a choice among them by positions,
// and most blocks take all of their elements from one or few of them. Which
// they need can be told from a block's first and last position:
//
//   %a = scf.if %nothingOfA { yield 0 } else { ..what only %a needs.. }
//   %c = scf.if %onlyA { yield %a } else { ..%b..; arith.select %mask, %a, %b }
//
// As all threads of a block go the same way, they may meet in there.
//
//===----------------------------------------------------------------------===//

#include "PositionBounds.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse {
#define GEN_PASS_DEF_GUARDCHOICES
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Whether an op can be left out where nobody needs its results. What four
/// warps do together is planned for the kernel as a whole.
static bool canBeLeftOut(Operation *op) {
  if (op->use_empty() || matchPattern(op, m_Constant()) ||
      !isMemoryEffectFree(op))
    return false;
  return !op->walk([](DotOp dot) {
              return dot.getAtom() == Atom::Wgmma ? WalkResult::interrupt()
                                                  : WalkResult::advance();
            }).wasInterrupted();
}

/// The ops before `select` in its block that only one of its operands needs,
/// the last one first.
static SmallVector<Operation *> neededBy(OpOperand &operand) {
  Operation *select = operand.getOwner();
  SmallVector<Operation *> needed;
  llvm::SmallPtrSet<Operation *, 16> seen;
  for (Operation *op = select->getPrevNode(); op; op = op->getPrevNode()) {
    if (!canBeLeftOut(op))
      continue;
    bool isOnly = llvm::all_of(op->getUses(), [&](OpOperand &use) {
      Operation *user =
          select->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return &use == &operand || seen.contains(user);
    });
    if (isOnly && seen.insert(op).second)
      needed.push_back(op);
  }
  return needed;
}

/// Whether it is worth a branch: memory is read, or tiles are multiplied or
/// reduced.
static bool isMuch(ArrayRef<Operation *> ops) {
  return llvm::any_of(ops, [](Operation *op) {
    return isa<LoadOp, GatherOp, DotOp, ReduceOp>(op) ||
           op->getNumRegions() != 0;
  });
}

/// A branch before `op`, of which the first block yields `value`, and the other
/// one has `needed`, the last one first, and yields what `result` is there.
static Value branchBefore(Operation *op, Value condition, Value value,
                          ArrayRef<Operation *> needed, Value result) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  auto branch = scf::IfOp::create(b, loc, value.getType(), condition,
                                  /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, loc, value);
  b.setInsertionPointToStart(branch.elseBlock());
  Operation *next = scf::YieldOp::create(b, loc, result);
  for (Operation *each : needed) {
    each->moveBefore(next);
    next = each;
  }
  return branch.getResult(0);
}

static void guardChoice(arith::SelectOp select) {
  OpOperand *first = &select.getTrueValueMutable(),
            *last = &select.getFalseValueMutable();
  SmallVector<Operation *> forFirst = neededBy(*first),
                           forLast = neededBy(*last);
  // A mask of what is there anyway is no choice.
  if (!isMuch(forFirst) || !isMuch(forLast))
    return;
  ImplicitLocOpBuilder b(select.getLoc(), select);
  PositionBounds bounds(b, PositionBounds::Of::Block);
  Value isAllFirst = bounds.isTrue(select.getCondition());
  Value isAllLast = bounds.isFalse(select.getCondition());
  if (!isAllFirst || !isAllLast)
    return;
  // What takes more to compute is computed before the other takes registers.
  if (forFirst.size() < forLast.size()) {
    std::swap(first, last);
    std::swap(forFirst, forLast);
    std::swap(isAllFirst, isAllLast);
  }
  auto type = cast<RankedTensorType>(select.getType());
  Value nothing = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, b.getZeroAttr(type.getElementType())));
  first->set(branchBefore(select, isAllLast, nothing, forFirst, first->get()));
  // The choice itself belongs to the other one.
  Operation *next = select->getNextNode();
  forLast.insert(forLast.begin(), select);
  Value chosen =
      branchBefore(next, isAllFirst, first->get(), forLast, select.getResult());
  select.getResult().replaceUsesWithIf(chosen, [&](OpOperand &use) {
    return use.getOwner()->getBlock() != select->getBlock();
  });
}

namespace {

struct GuardChoicesPass final : fuse::impl::GuardChoicesBase<GuardChoicesPass> {
  void runOnOperation() final {
    // In loops, what is read is copied ahead, and cannot be left out.
    SmallVector<arith::SelectOp> selects;
    for (auto select :
         getOperation().getBody().front().getOps<arith::SelectOp>())
      if (isa<RankedTensorType>(select.getCondition().getType()))
        selects.push_back(select);
    // From the last one on: what it chooses among may be chosen itself, and is
    // then in a branch of its own.
    for (arith::SelectOp select : llvm::reverse(selects))
      guardChoice(select);
  }
};

} // namespace
