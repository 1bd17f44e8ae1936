//===- GuardMasks.cpp - most rounds have nothing to mask ------------------===//
//
// A mask made of positions is all true in most rounds of a loop: only rounds on
// the diagonal, or at the end, mix both. Whether it is can be told from the
// round's first and last position, by a few scalars for all elements:
//
//   %y = scf.if %all { yield %x } else { yield select(%mask, %x, %no) }
//
//===----------------------------------------------------------------------===//

#include "PositionBounds.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse {
#define GEN_PASS_DEF_GUARDMASKS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Ops before `branch` that only its blocks need go into the block that does.
static void sinkInto(Block &block) {
  Operation *branch = block.getParentOp();
  for (Operation *op = branch->getPrevNode(); op;) {
    Operation *previous = op->getPrevNode();
    if (!op->use_empty() && op->getNumRegions() == 0 && isPure(op) &&
        llvm::all_of(op->getUsers(), [&](Operation *user) {
          return block.findAncestorOpInBlock(*user) != nullptr;
        }))
      op->moveBefore(&block, block.begin());
    op = previous;
  }
}

/// `masked` is `source` wherever `all` is true.
static void guard(Operation *masked, Value source, Value all) {
  OpBuilder b(masked);
  Location loc = masked->getLoc();
  auto branch = scf::IfOp::create(b, loc, masked->getResultTypes(), all,
                                  /*withElseRegion=*/true);
  masked->getResult(0).replaceAllUsesWith(branch.getResult(0));
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, loc, source);
  Block &other = *branch.elseBlock();
  masked->moveBefore(&other, other.begin());
  b.setInsertionPointToEnd(&other);
  scf::YieldOp::create(b, loc, masked->getResult(0));
  sinkInto(other);
}

/// The conditions that are all true where `condition` is.
static void splitInto(SmallVector<Value> &all, Value condition) {
  auto both = condition.getDefiningOp<arith::AndIOp>();
  if (!both) {
    all.push_back(condition);
    return;
  }
  splitInto(all, both.getLhs());
  splitInto(all, both.getRhs());
}

/// Whoever uses a condition must not seem to be one that nobody asks for.
static void eraseUnused(Value condition) {
  auto both = condition.getDefiningOp<arith::AndIOp>();
  if (!both || !both->use_empty())
    return;
  Value lhs = both.getLhs(), rhs = both.getRhs();
  both->erase();
  eraseUnused(lhs);
  eraseUnused(rhs);
}

/// Of several conditions each has a branch of its own: they are mixed in other
/// rounds, on a diagonal or where padding ends. What nothing is known of is
/// asked in all of them.
static void guardSelect(arith::SelectOp select) {
  if (!isa<RankedTensorType>(select.getCondition().getType()))
    return;
  SmallVector<Value> conditions;
  splitInto(conditions, select.getCondition());
  // What is worked out in vain is erased.
  ImplicitLocOpBuilder b(select.getLoc(), select);
  SmallVector<std::pair<Value, Value>> guarded;
  Value others;
  for (Value condition : conditions) {
    if (Value all =
            PositionBounds(b, PositionBounds::Of::Group).isTrue(condition))
      guarded.emplace_back(condition, all);
    else
      others = others ? arith::AndIOp::create(b, others, condition) : condition;
  }
  if (guarded.empty())
    return;
  Value no = select.getFalseValue(), before = select.getCondition();
  auto also = [&](Value condition) {
    Value masked =
        arith::SelectOp::create(b, condition, select.getTrueValue(), no);
    select.getTrueValueMutable().assign(masked);
    return masked.getDefiningOp<arith::SelectOp>();
  };
  if (others)
    also(others);
  SmallVector<arith::SelectOp> selects;
  for (auto [condition, all] : ArrayRef(guarded).drop_back())
    selects.push_back(also(condition));
  selects.push_back(select);
  select.getConditionMutable().assign(guarded.back().first);
  eraseUnused(before);
  for (auto [each, conditionAndAll] : llvm::zip_equal(selects, guarded))
    guard(each, each.getTrueValue(), conditionAndAll.second);
}

static void guardMask(MaskOp mask) {
  ImplicitLocOpBuilder b(mask.getLoc(), mask);
  Value all;
  for (auto [limit, axis] : llvm::zip_equal(mask.getLimits(), mask.getAxes())) {
    Value size =
        arith::ConstantIndexOp::create(b, mask.getType().getDimSize(axis));
    Value isFull =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sle, size, limit);
    all = all ? arith::AndIOp::create(b, all, isFull).getResult() : isFull;
  }
  for (Value start : mask.getStarts()) {
    Value none = arith::ConstantIndexOp::create(b, 0);
    Value isFull =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sle, start, none);
    all = arith::AndIOp::create(b, all, isFull);
  }
  if (all)
    guard(mask, mask.getSource(), all);
}

namespace {

struct GuardMasksPass final : fuse::impl::GuardMasksBase<GuardMasksPass> {
  void runOnOperation() final {
    // Elsewhere there are no rounds that need none.
    SmallVector<Operation *> masked;
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::SelectOp, MaskOp>(op) &&
          isa<scf::ForOp>(op->getParentOp()) &&
          isa<RankedTensorType>(op->getResult(0).getType()))
        masked.push_back(op);
    });
    for (Operation *op : masked) {
      if (auto select = dyn_cast<arith::SelectOp>(op))
        guardSelect(select);
      else
        guardMask(cast<MaskOp>(op));
    }
  }
};

} // namespace
