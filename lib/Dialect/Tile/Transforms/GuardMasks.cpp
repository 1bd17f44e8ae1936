//===- GuardMasks.cpp - most rounds have nothing to mask ------------------===//
//
// A mask made of positions is all true in most rounds of a loop: only rounds on
// the diagonal, or at the end, mix both. Whether it is can be told from the
// round's first and last position, by a few scalars for all elements:
//
//   %y = scf.if %all { yield %x } else { yield select(%mask, %x, %no) }
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse {
#define GEN_PASS_DEF_GUARDMASKS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// What all elements of a tile of integers lie between.
struct Bounds {
  Value least, most;
};

/// Scalars about all elements of a tile, computed where the builder stands.
class Bounder {
public:
  explicit Bounder(ImplicitLocOpBuilder &b) : b(b) {}
  /// Whether a condition is true everywhere, or null where nothing is known. It
  /// may be false although the condition is true.
  Value isTrue(Value condition);

private:
  Value isTrue(arith::CmpIOp compare);
  std::optional<Bounds> boundsOf(Value tile);
  std::optional<Bounds> boundsOf(IotaOp iota);
  std::optional<Bounds> inside(Bounds bounds, Value tile);
  Value subtract(Value a, Value c) {
    return b.createOrFold<arith::SubIOp>(a, c);
  }
  Value add(Value a, Value c) { return b.createOrFold<arith::AddIOp>(a, c); }
  Value logicalAnd(Value a, Value c) {
    return a && c ? b.createOrFold<arith::AndIOp>(a, c) : Value();
  }
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value isAtMost(Value a, Value c) {
    return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sle, a, c);
  }

  ImplicitLocOpBuilder &b;
  /// Without this the tiles' elements wrap.
  Value fits;
};

} // namespace

/// Whether groups of warps that multiply have numbers of their own.
static bool isSharedOut(IotaOp iota) {
  LayoutAttr layout = layoutOf(iota.getType());
  return layout && llvm::any_of(llvm::enumerate(iota.getCoefficients()),
                                [&](auto factor) {
                                  return factor.value() != 0 &&
                                         !sharesOfGroups(layout.getValue(),
                                                         factor.index())
                                              .empty();
                                });
}

/// Elements narrower than an index wrap where their numbers don't fit.
std::optional<Bounds> Bounder::inside(Bounds bounds, Value tile) {
  Type element = getElementTypeOrSelf(tile);
  if (element.isIndex() || element.isInteger(64))
    return bounds;
  if (!element.isInteger(32))
    return std::nullopt;
  Value own = logicalAnd(
      isAtMost(number(std::numeric_limits<int32_t>::min()), bounds.least),
      isAtMost(bounds.most, number(std::numeric_limits<int32_t>::max())));
  fits = fits ? logicalAnd(fits, own) : own;
  return bounds;
}

std::optional<Bounds> Bounder::boundsOf(IotaOp iota) {
  auto type = cast<RankedTensorType>(iota.getType());
  int64_t below = 0, above = 0;
  for (auto [factor, size] :
       llvm::zip_equal(iota.getCoefficients(), type.getShape()))
    (factor < 0 ? below : above) += factor * (size - 1);
  auto bounds = inside(
      {add(iota.getBase(), number(below)), add(iota.getBase(), number(above))},
      iota);
  // A group of warps that has numbers of its own need not mask where others
  // have to.
  if (bounds && isSharedOut(iota))
    return Bounds{LeastOp::create(b, b.getIndexType(), iota),
                  MostOp::create(b, b.getIndexType(), iota)};
  return bounds;
}

std::optional<Bounds> Bounder::boundsOf(Value tile) {
  if (APInt same; matchPattern(tile, m_ConstantInt(&same))) {
    Value only = number(same.getSExtValue());
    return Bounds{only, only};
  }
  Operation *op = tile.getDefiningOp();
  if (op && isa<BroadcastOp, TransposeOp>(op))
    return boundsOf(op->getOperand(0));
  // What wraps in 64 bits is not seen here.
  if (op && isa<arith::AddIOp, arith::SubIOp>(op) &&
      getElementTypeOrSelf(tile).isInteger(32)) {
    auto lhs = boundsOf(op->getOperand(0));
    auto rhs = lhs ? boundsOf(op->getOperand(1)) : std::nullopt;
    if (!rhs)
      return std::nullopt;
    if (isa<arith::AddIOp>(op))
      return inside({add(lhs->least, rhs->least), add(lhs->most, rhs->most)},
                    op->getResult(0));
    return inside(
        {subtract(lhs->least, rhs->most), subtract(lhs->most, rhs->least)},
        op->getResult(0));
  }
  if (auto iota = dyn_cast_or_null<IotaOp>(op))
    return boundsOf(iota);
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getRank() == 0 && type.getElementType().isIntOrIndex()) {
    Value only = tensor::ExtractOp::create(b, tile, ValueRange());
    if (!only.getType().isIndex())
      only = arith::IndexCastOp::create(b, b.getIndexType(), only);
    return Bounds{only, only};
  }
  return std::nullopt;
}

Value Bounder::isTrue(arith::CmpIOp compare) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  bool isLess = predicate == Predicate::sle || predicate == Predicate::slt;
  bool isMore = predicate == Predicate::sge || predicate == Predicate::sgt;
  if (!isLess && !isMore)
    return Value();
  auto lhs = boundsOf(compare.getLhs());
  auto rhs = lhs ? boundsOf(compare.getRhs()) : std::nullopt;
  if (!rhs)
    return Value();
  return b.createOrFold<arith::CmpIOp>(predicate,
                                       isLess ? lhs->most : lhs->least,
                                       isLess ? rhs->least : rhs->most);
}

Value Bounder::isTrue(Value condition) {
  Operation *op = condition.getDefiningOp();
  Value result;
  if (op && isa<BroadcastOp, TransposeOp>(op))
    result = isTrue(op->getOperand(0));
  else if (auto both = dyn_cast_or_null<arith::AndIOp>(op))
    result = logicalAnd(isTrue(both.getLhs()), isTrue(both.getRhs()));
  else if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    result = isTrue(compare);
  return result && fits ? logicalAnd(result, fits) : result;
}

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
    if (Value all = Bounder(b).isTrue(condition))
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
