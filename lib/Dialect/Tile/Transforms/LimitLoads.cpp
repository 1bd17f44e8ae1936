//===- LimitLoads.cpp - what a mask hides is not read ---------------------===//
//
// A row that is held whole is read whole, also where a mask keeps a part of it
// only. Where the mask compares positions along an axis with something that has
// a largest element, nothing behind that is needed:
//
//   j = iota a, e = iota b;  y = select(j <= e, load x, other)
//   -> load x, of which the elements with a + j > max(b ...) are not read
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"

namespace fuse {
#define GEN_PASS_DEF_LIMITLOADS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// A count along the axes of a tile: base plus the sum of coefficients times
/// positions.
struct Count {
  Value base;
  SmallVector<int64_t> coefficients;
};

/// What is at most so many positions along an axis behind `first`: those
/// before `end + more`.
struct Limit {
  unsigned axis;
  Value first, end;
  int64_t more;
};

} // namespace

/// What a tile counts, through broadcasts, if its numbers cannot wrap around.
static std::optional<Count> countOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (auto iota = value.getDefiningOp<IotaOp>()) {
    constexpr unsigned wide = 32;
    if (!type.getElementType().isInteger() ||
        type.getElementTypeBitWidth() < wide)
      return std::nullopt;
    return Count{iota.getBase(), SmallVector<int64_t>(iota.getCoefficients())};
  }
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return std::nullopt;
  std::optional<Count> source = countOf(broadcast.getSource());
  if (!source)
    return std::nullopt;
  SmallVector<int64_t> coefficients(type.getRank(), 0);
  for (auto [coefficient, axis] :
       llvm::zip_equal(source->coefficients, broadcast.getDims()))
    coefficients[axis] = coefficient;
  return Count{source->base, std::move(coefficients)};
}

/// Where along an axis `less <= most`, or `<`, ends.
static std::optional<Limit> limitOf(Value less, Value most, bool isStrict) {
  std::optional<Count> positions = countOf(less), others = countOf(most);
  if (!positions || !others)
    return std::nullopt;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(less.getType()).getShape();
  std::optional<unsigned> axis;
  int64_t more = isStrict ? 0 : 1;
  for (auto [i, extent] : llvm::enumerate(shape)) {
    int64_t own = positions->coefficients[i], other = others->coefficients[i];
    if (own == 1 && other == 0 && !axis)
      axis = i;
    else if (own != 0 || other < 0)
      return std::nullopt;
    else
      more += other * (extent - 1);
  }
  if (!axis)
    return std::nullopt;
  return Limit{*axis, positions->base, others->base, more};
}

/// All that has to hold where `mask` does.
static void limitsOf(Value mask, SmallVectorImpl<Limit> &limits) {
  if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
    limitsOf(both.getLhs(), limits);
    limitsOf(both.getRhs(), limits);
    return;
  }
  if (auto broadcast = mask.getDefiningOp<BroadcastOp>())
    return;
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return;
  using Predicate = arith::CmpIPredicate;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::sge || predicate == Predicate::sgt)
    std::swap(lhs, rhs);
  else if (predicate != Predicate::sle && predicate != Predicate::slt)
    return;
  bool isStrict = predicate == Predicate::slt || predicate == Predicate::sgt;
  if (auto limit = limitOf(lhs, rhs, isStrict))
    limits.push_back(*limit);
}

/// The mask of the only op that reads a load, itself or made wider.
static Value maskOf(LoadOp load) {
  Value value = load.getResult();
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    if (isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(use.getOwner())) {
      value = use.getOwner()->getResult(0);
      continue;
    }
    auto select = dyn_cast<arith::SelectOp>(use.getOwner());
    bool isKept = select && select.getTrueValue() == value &&
                  isa<RankedTensorType>(select.getCondition().getType());
    return isKept ? select.getCondition() : Value();
  }
  return {};
}

/// Whole lines of memory are read, so that vectors need not be cut.
static Value createLimit(OpBuilder &b, Location loc, const Limit &limit,
                         int64_t line) {
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(b, loc, number);
  };
  Value count = arith::SubIOp::create(b, loc, limit.end, limit.first);
  count = arith::AddIOp::create(b, loc, count, constant(limit.more + line - 1));
  Value lines = arith::DivSIOp::create(b, loc, count, constant(line));
  return arith::MulIOp::create(b, loc, lines, constant(line));
}

static void limitLoad(LoadOp load, DominanceInfo &dominance) {
  Value mask = maskOf(load);
  if (!mask)
    return;
  SmallVector<Limit> found;
  limitsOf(mask, found);
  constexpr int64_t lineBytes = 64;
  int64_t line = std::max<int64_t>(
      1, lineBytes / elementBytes(load.getType().getElementType()));
  OpBuilder b(load);
  SmallVector<Value> limits(load.getLimits());
  SmallVector<int64_t> axes(load.getAxes());
  for (const Limit &limit : found) {
    if (!dominance.properlyDominates(limit.first, load) ||
        !dominance.properlyDominates(limit.end, load) ||
        load.getType().getDimSize(limit.axis) <= line)
      continue;
    Value made = createLimit(b, load.getLoc(), limit, line);
    // Axes are in order.
    auto *known = llvm::lower_bound(axes, static_cast<int64_t>(limit.axis));
    unsigned place = known - axes.begin();
    if (known == axes.end() || *known != static_cast<int64_t>(limit.axis)) {
      axes.insert(known, limit.axis);
      limits.insert(limits.begin() + place, made);
      continue;
    }
    Value &before = limits[place];
    before = arith::MinSIOp::create(b, load.getLoc(), before, made);
  }
  if (axes.empty())
    return;
  load.getLimitsMutable().assign(limits);
  load.setAxes(axes);
  // What a mask hides is not only what nobody uses.
  load.removeUnusedAttr();
}

namespace {

struct LimitLoadsPass final : fuse::impl::LimitLoadsBase<LimitLoadsPass> {
  void runOnOperation() final {
    KernelOp kernel = getOperation();
    // What is copied ahead for products comes in whole boxes.
    bool hasDots = kernel.walk([](DotOp) { return WalkResult::interrupt(); })
                       .wasInterrupted();
    if (hasDots)
      return;
    DominanceInfo dominance(kernel);
    kernel.walk([&](LoadOp load) { limitLoad(load, dominance); });
  }
};

} // namespace
