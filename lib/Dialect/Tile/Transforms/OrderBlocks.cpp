//===- OrderBlocks.cpp - the longest blocks start first -------------------===//
//
// How the number of a loop's rounds moves with each dimension of the grid, from
// the ops that its bounds are computed by, and the order that follows.
//
//===----------------------------------------------------------------------===//

#include "BlockTraffic.h"
#include "fuse/Dialect/Tile/Analysis/Places.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

namespace fuse {
#define GEN_PASS_DEF_ORDERBLOCKS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// Which ways a number goes when a dimension of the grid does: any of them.
struct Direction {
  bool canGrow = false, canFall = false;

  Direction operator|(Direction other) const {
    return {canGrow || other.canGrow, canFall || other.canFall};
  }
  Direction reversed() const { return {canFall, canGrow}; }
  static Direction any() { return {true, true}; }
};

/// Follows numbers back to one dimension of the grid.
class Follower {
public:
  explicit Follower(BlockArgument dimension) : dimension(dimension) {}
  Direction directionOf(Value value);

private:
  Direction followed(Operation *op);

  BlockArgument dimension;
  DenseMap<Value, Direction> known;
};

} // namespace

/// The sign of a constant; absent if it is none.
static std::optional<int> signOf(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.isZero() ? 0 : number.isNegative() ? -1 : 1;
}

Direction Follower::followed(Operation *op) {
  Direction all;
  for (Value operand : op->getOperands())
    all = all | directionOf(operand);
  // What depends on it in no way at all does not move.
  if (!all.canGrow && !all.canFall && op->getNumRegions() == 0)
    return {};
  if (isa<arith::AddIOp, arith::MinSIOp, arith::MaxSIOp, arith::IndexCastOp,
          arith::ExtSIOp>(op))
    return all;
  if (isa<arith::SubIOp>(op))
    return directionOf(op->getOperand(0)) |
           directionOf(op->getOperand(1)).reversed();
  if (isa<arith::MulIOp, arith::DivSIOp, arith::CeilDivSIOp,
          arith::FloorDivSIOp>(op)) {
    std::optional<int> sign = signOf(op->getOperand(1));
    // By zero nothing is divided.
    if (!sign || (*sign == 0 && !isa<arith::MulIOp>(op)))
      return Direction::any();
    return *sign > 0 ? all : *sign < 0 ? all.reversed() : Direction();
  }
  return Direction::any();
}

Direction Follower::directionOf(Value value) {
  if (value == dimension)
    return {true, false};
  Operation *op = value.getDefiningOp();
  if (!op) {
    // Another dimension stays; what a loop counts or carries is not followed.
    bool isOfKernel = isa<KernelOp>(value.getParentBlock()->getParentOp());
    return isOfKernel ? Direction() : Direction::any();
  }
  auto [entry, isNew] = known.try_emplace(value, Direction::any());
  if (!isNew)
    return entry->second;
  Direction found = followed(op);
  known[value] = found;
  return found;
}

/// In how many parts places come one after the other, so that what blocks of
/// one part read in rounds, wherever they are along the slowest dimensions,
/// stays in the second cache from one of them to the next. Of memory whose size
/// is not known that is not known.
static int64_t partsOf(KernelOp kernel, ArrayRef<int64_t> slowest) {
  // Half of what an H200 has: rows and results go through it, too.
  constexpr int64_t cacheBytes = 25 << 20;
  SmallVector<Value> slow, all(kernel.getPlace());
  for (int64_t dim : slowest)
    slow.push_back(all[dim]);
  SmallVector<Value> others;
  for (Value place : all)
    if (!llvm::is_contained(slow, place))
      others.push_back(place);
  PlaceUses onSlow(slow), onOthers(others);
  std::optional<int64_t> bytes = bytesReadInLoops(kernel, [&](LoadOp load) {
    return !onSlow.reaches(load.getIndices()) &&
           onOthers.reaches(load.getIndices());
  });
  if (!bytes)
    return 1;
  // The longest block takes about twice as long as others. It begins when the
  // last part does, and there has to be that much to do for all others then.
  constexpr int64_t processors = 132, blocksInPart = 2;
  auto numberOf = [&](StringRef name, int64_t otherwise) {
    auto number = kernel->getAttrOfType<IntegerAttr>(name);
    return number ? number.getInt() : otherwise;
  };
  int64_t together = processors * numberOf("tile.residents", 1);
  int64_t most = numberOf("tile.blocks", 0) / (blocksInPart * together);
  return std::min<int64_t>(llvm::divideCeil(*bytes, cacheBytes), most);
}

namespace {

struct OrderBlocksPass final : fuse::impl::OrderBlocksBase<OrderBlocksPass> {
  void runOnOperation() final {
    KernelOp kernel = getOperation();
    if (kernel->hasAttr("tile.order"))
      return;
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    SmallVector<int64_t> slowest, down;
    for (auto [dim, place] : llvm::enumerate(kernel.getPlace())) {
      Follower follower(place);
      Direction rounds;
      for (scf::ForOp loop : loops)
        rounds = rounds | follower.directionOf(loop.getUpperBound()) |
                 follower.directionOf(loop.getLowerBound()).reversed();
      if (rounds.canGrow == rounds.canFall)
        continue;
      slowest.push_back(dim);
      if (rounds.canGrow)
        down.push_back(dim);
    }
    if (slowest.empty())
      return;
    kernel->setAttr("tile.order", OrderAttr::get(&getContext(), slowest, down));
    int64_t parts = partsOf(kernel, slowest);
    if (parts > 1)
      kernel->setAttr("tile.parts", OpBuilder(kernel).getI64IntegerAttr(parts));
    remark::analysis(
        kernel.getLoc(),
        remark::RemarkOpts::name("OrderBlocks").category("schedule"))
        << (kernel.getSymName() +
            ": blocks with longer loops start first, by dimension " +
            Twine(slowest.front()) + " of the grid" +
            (slowest.size() > 1 ? " and others" : ""))
               .str();
  }
};

} // namespace
