//===- SumThinProducts.cpp - one column of a product is a sum -------------===//
//
// A product with one row or one column becomes the sum of one factor times the
// other where that one is in registers anyway:
//
//   tile.dot %h, %w -> tile.reduce sum (%h * %w)
//
// If it was a product itself, it is spread over threads as that left it. As a
// factor it would have to go through shared memory, which for a thousand rows
// is all that there is, for few threads to read it. If its rows begin within
// words nothing copies it to shared memory but threads, element by element. And
// what tensor cores do not multiply, f32 and wider, threads would read there
// once, each for sums of its own, if there is but one row or column in all
// (`tile.thin`): 1x4096 by 4096x4096 took 38 us.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse {
#define GEN_PASS_DEF_SUMTHINPRODUCTS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Whether a tile is computed of a product, be it the sum of a loop.
static bool isOfProduct(Value tile) {
  SetVector<Value> tiles;
  tiles.insert(tile);
  for (unsigned next = 0; next < tiles.size(); ++next) {
    Operation *op = tiles[next].getDefiningOp();
    if (!op || isa<LoadOp, GatherOp>(op))
      continue;
    if (isa<DotOp>(op))
      return true;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      unsigned number = cast<OpResult>(tiles[next]).getResultNumber();
      tiles.insert(loop.getYieldedValues()[number]);
      continue;
    }
    if (op->getNumRegions() == 0)
      tiles.insert_range(op->getOperands());
  }
  return false;
}

/// Whether a round reads a tile whose rows begin within words, so that it
/// cannot be copied ahead.
static bool isFetched(Value tile) {
  constexpr int64_t wordBytes = 4;
  auto load = tile.getDefiningOp<LoadOp>();
  if (!load || !isa<scf::ForOp>(load->getParentOp()))
    return false;
  MemoryAccess access = MemoryAccess::of(load);
  std::optional<unsigned> fast = access.fastAxis();
  unsigned bytes = elementBytes(load.getType().getElementType());
  return fast &&
         llvm::any_of(
             llvm::seq<unsigned>(load.getType().getRank()), [&](unsigned axis) {
               return axis != *fast &&
                      access.stepDivisor(axis) * bytes % wordBytes != 0;
             });
}

namespace {

/// The axes of a factor that only it has, and that it shares with the sum.
struct Factor {
  Value tile;
  unsigned firstFree, numFree;

  RankedTensorType type() const {
    return cast<RankedTensorType>(tile.getType());
  }
  /// Whether it has one row, or one column.
  bool isThin() const {
    return llvm::all_of(type().getShape().slice(firstFree, numFree),
                        [](int64_t size) { return size == 1; });
  }
};

} // namespace

static SmallVector<int64_t> allBut(unsigned rank, unsigned first,
                                   unsigned count) {
  SmallVector<int64_t> axes;
  for (unsigned axis = 0; axis < rank; ++axis)
    if (axis < first || axis >= first + count)
      axes.push_back(axis);
  return axes;
}

static SmallVector<int64_t> range(unsigned first, unsigned count) {
  return llvm::to_vector(llvm::seq<int64_t>(first, first + count));
}

/// Repeats a tile along `count` axes of `type`, from `first` on.
static Value repeat(ImplicitLocOpBuilder &b, Value tile, RankedTensorType type,
                    unsigned first, unsigned count) {
  if (count == 0)
    return tile;
  return BroadcastOp::create(b,
                             type.clone(getElementTypeOrSelf(tile.getType())),
                             tile, allBut(type.getRank(), first, count));
}

static void sumUp(DotOp dot) {
  auto sumType = cast<RankedTensorType>(dot.getType());
  unsigned batch = dot.getBatch(), contract = dot.getContract();
  auto rank = [](Value tile) {
    return static_cast<unsigned>(
        cast<RankedTensorType>(tile.getType()).getRank());
  };
  Factor lhs{dot.getLhs(), batch, rank(dot.getLhs()) - batch - contract};
  Factor rhs{dot.getRhs(), batch + contract,
             rank(dot.getRhs()) - batch - contract};
  if (!isa<FloatType>(sumType.getElementType()))
    return;
  constexpr unsigned wordBytes = 4;
  bool isByNumber = dot->hasAttr("tile.thin") &&
                    elementBytes(lhs.type().getElementType()) >= wordBytes;
  dot->removeAttr("tile.thin");
  auto isOfUse = [&](const Factor &wide, const Factor &thin) {
    return thin.isThin() &&
           (isByNumber || isOfProduct(wide.tile) || isFetched(wide.tile));
  };
  bool hasThinRight = isOfUse(lhs, rhs);
  if (!hasThinRight && !isOfUse(rhs, lhs))
    return;
  Factor wide = hasThinRight ? lhs : rhs, thin = hasThinRight ? rhs : lhs;
  ImplicitLocOpBuilder b(dot.getLoc(), dot);
  auto widen = [&](Value tile) -> Value {
    auto type = cast<RankedTensorType>(tile.getType());
    return type.getElementType() == sumType.getElementType()
               ? tile
               : arith::ExtFOp::create(b, type.clone(sumType.getElementType()),
                                       tile);
  };
  Value few = widen(thin.tile);
  if (thin.numFree != 0)
    few = ReduceOp::create(b, CombineKind::Sum, few,
                           range(thin.firstFree, thin.numFree));
  few = repeat(b, few, wide.type(), wide.firstFree, wide.numFree);
  Value products = arith::MulFOp::create(b, widen(wide.tile), few);
  // The axes that are summed over are behind the wide factor's own, or before.
  unsigned firstSummed = hasThinRight ? batch + wide.numFree : batch;
  Value sum = ReduceOp::create(b, CombineKind::Sum, products,
                               range(firstSummed, contract));
  // In the result the left factor's axes come first.
  unsigned firstThin = hasThinRight ? batch + wide.numFree : batch;
  sum = repeat(b, sum, sumType, firstThin, thin.numFree);
  sum = arith::AddFOp::create(b, dot.getAcc(), sum);
  dot.replaceAllUsesWith(sum);
  dot.erase();
}

namespace {

struct SumThinProductsPass final
    : fuse::impl::SumThinProductsBase<SumThinProductsPass> {
  void runOnOperation() final {
    SmallVector<DotOp> dots;
    getOperation().walk([&](DotOp dot) { dots.push_back(dot); });
    for (DotOp dot : dots)
      sumUp(dot);
  }
};

} // namespace
