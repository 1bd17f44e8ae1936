//===- WalkBlocks.cpp - one block does many places of the grid ------------===//
//
// A block that fills a processor ends before the next one starts, and while it
// begins and ends nothing is multiplied. A block that goes on to another place
// of the grid can copy what it needs there before it is done here.
//
// Blocks that run at the same time should read the same memory. Of the grid's
// last two dimensions they take a rectangle whose sides are chosen for that.
//
// Where places take differently long, and are in order of that, a block takes
// turns: who has had the longest of one round gets the shortest of the next.
//
//===----------------------------------------------------------------------===//

#include "BlockTraffic.h"
#include "fuse/Dialect/Tile/Analysis/Collect.h"
#include "fuse/Dialect/Tile/Analysis/Places.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse {
#define GEN_PASS_DEF_WALKBLOCKS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// The way through the grid
//===----------------------------------------------------------------------===//

/// How many rows of the grid are gone through together: so many that the blocks
/// of all processors read as little as possible.
static int64_t rowsTogether(KernelOp kernel, int64_t processors) {
  BlockTraffic traffic = BlockTraffic::of(kernel);
  if (!traffic.isShared())
    return 1;
  // Clusters are gone through as blocks are.
  processors /= blocksOfCluster(kernel);
  auto cost = [&](int64_t rows) {
    return rows * traffic.byRow +
           llvm::divideCeil(processors, rows) * traffic.byColumn;
  };
  int64_t best = 1;
  for (int64_t rows = 2; rows <= processors; rows *= 2)
    if (cost(rows) < cost(best))
      best = rows;
  return best;
}

namespace {

/// Writes the loop, and where in the grid an item is.
class Walker {
public:
  Walker(KernelOp kernel, int64_t rowsTogether)
      : kernel(kernel), b(kernel.getLoc(), kernel.getContext()),
        rowsTogether(rowsTogether),
        order(kernel->getAttrOfType<OrderAttr>("tile.order")),
        cluster(kernel->getAttrOfType<DenseI64ArrayAttr>("tile.cluster")) {}
  void walk();

private:
  void measure(ValueRange grid);
  Value takeTurns(Value item);
  SmallVector<Value> placeOf(Value item);
  Value narrow(Value index) {
    return arith::IndexCastUIOp::create(b, b.getI32Type(), index);
  }
  Value number(int64_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  }
  Value divide(Value a, Value c) {
    return b.createOrFold<arith::DivUIOp>(a, c);
  }
  Value rest(Value a, Value c) { return b.createOrFold<arith::RemUIOp>(a, c); }

  KernelOp kernel;
  ImplicitLocOpBuilder b;
  int64_t rowsTogether;
  OrderAttr order;
  DenseI64ArrayAttr cluster;
  /// This block's number in its cluster, if there are any: then what walks is
  /// clusters.
  Value inCluster;
  /// This block, of how many, and how many items there are.
  Value block, blocks, allItems;
  SmallVector<Value> extents;
  /// How many items one place of the outer dimensions has, and how many rows
  /// are gone through together, with how many items; null if one by one.
  Value plane, together, band;
};

} // namespace

/// What does not change on the way, before the loop. Everything fits in 32
/// bits, as the number of blocks does, in which the chip divides faster.
void Walker::measure(ValueRange grid) {
  for (auto [dim, extent] : llvm::enumerate(grid))
    extents.push_back(inCluster ? divide(narrow(extent), number(cluster[dim]))
                                : narrow(extent));
  if (grid.size() < 2 || rowsTogether == 1)
    return;
  Value rows = extents[grid.size() - 2], columns = extents.back();
  plane = arith::MulIOp::create(b, rows, columns);
  together = number(rowsTogether);
  band = arith::MulIOp::create(b, together, columns);
}

/// The item that a block takes in place of `item`: in every other round, unless
/// there are not enough for all, the first block takes the last one.
Value Walker::takeTurns(Value item) {
  Value own = narrow(item);
  Value round = divide(own, blocks);
  Value begin = arith::MulIOp::create(b, round, blocks);
  Value end = arith::AddIOp::create(b, begin, blocks);
  Value isOdd = arith::TruncIOp::create(b, b.getI1Type(), round);
  Value isWhole =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ule, end, allItems);
  Value last = arith::SubIOp::create(b, end, number(1));
  Value fromEnd = arith::SubIOp::create(b, last, block);
  Value isTurned = arith::AndIOp::create(b, isOdd, isWhole);
  Value taken = arith::SelectOp::create(b, isTurned, fromEnd, own);
  return arith::IndexCastUIOp::create(b, b.getIndexType(), taken);
}

SmallVector<Value> Walker::placeOf(Value item) {
  Value left = narrow(item);
  unsigned rank = extents.size(), plain = rank;
  SmallVector<Value> place(rank);
  if (plane) {
    Value inPlane = rest(left, plane), inBand = rest(inPlane, band);
    left = divide(left, plane);
    Value firstRow = arith::MulIOp::create(b, divide(inPlane, band), together);
    Value rowsHere = arith::MinUIOp::create(
        b, together, arith::SubIOp::create(b, extents[rank - 2], firstRow));
    // Also where items are computed that there are not.
    rowsHere = arith::MaxUIOp::create(b, rowsHere, number(1));
    place[rank - 2] =
        arith::AddIOp::create(b, firstRow, rest(inBand, rowsHere));
    place[rank - 1] = divide(inBand, rowsHere);
    plain = rank - 2;
  }
  SmallVector<int64_t> dims;
  ArrayRef<int64_t> down;
  if (order) {
    llvm::append_range(dims, order.getSlowest());
    down = order.getDown();
  }
  for (int64_t dim : llvm::seq<int64_t>(plain))
    if (!llvm::is_contained(dims, dim))
      dims.push_back(dim);
  for (int64_t dim : llvm::reverse(dims)) {
    place[dim] = left;
    if (dim != dims.front()) {
      place[dim] = rest(left, extents[dim]);
      left = divide(left, extents[dim]);
    }
    if (llvm::is_contained(down, dim)) {
      Value last = arith::SubIOp::create(b, extents[dim], number(1));
      place[dim] = arith::SubIOp::create(b, last, place[dim]);
    }
  }
  if (inCluster) {
    Value other = narrow(inCluster);
    for (auto [at, size] : llvm::zip_equal(place, cluster.asArrayRef())) {
      if (size == 1)
        continue;
      at = arith::AddIOp::create(b, arith::MulIOp::create(b, at, number(size)),
                                 rest(other, number(size)));
      other = divide(other, number(size));
    }
  }
  for (Value &at : place)
    at = arith::IndexCastUIOp::create(b, b.getIndexType(), at);
  return place;
}

void Walker::walk() {
  Block &body = kernel.getBody().front();
  unsigned firstPlace = kernel.getMemory().size();
  SmallVector<BlockArgument> old(kernel.getPlace());
  Location loc = kernel.getLoc();
  for (unsigned i = 0, n = old.size() + 2; i < n; ++i)
    body.addArgument(b.getIndexType(), loc);
  ValueRange all = body.getArguments().drop_front(firstPlace + old.size());
  Value first = all[0], step = all[1];
  ValueRange grid = all.drop_front(2);

  SmallVector<Operation *> ops(
      llvm::make_pointer_range(body.without_terminator()));
  b.setInsertionPointToStart(&body);
  Value items = grid.front();
  for (Value extent : grid.drop_front())
    items = arith::MulIOp::create(b, items, extent);
  if (int64_t together = blocksOfCluster(kernel); together != 1) {
    Value size = arith::ConstantIndexOp::create(b, together);
    inCluster = arith::RemUIOp::create(b, first, size);
    first = arith::DivUIOp::create(b, first, size);
    step = arith::DivUIOp::create(b, step, size);
    // Also for who does not know that there is a whole cluster.
    step =
        arith::MaxUIOp::create(b, step, arith::ConstantIndexOp::create(b, 1));
    items = arith::DivUIOp::create(b, items, size);
  }
  measure(grid);
  if (order) {
    block = narrow(first);
    blocks = narrow(step);
    allItems = narrow(items);
  }
  auto loop = scf::ForOp::create(b, first, items, step);
  b.setInsertionPointToStart(loop.getBody());
  Value item = loop.getInductionVar();
  if (order)
    item = takeTurns(item);
  for (auto [before, now] : llvm::zip_equal(old, placeOf(item)))
    before.replaceAllUsesWith(now);
  for (Operation *op : ops)
    op->moveBefore(loop.getBody()->getTerminator());
  body.eraseArguments(firstPlace, old.size());
  kernel.setWalks(true);
}

namespace {

struct WalkBlocksPass final : fuse::impl::WalkBlocksBase<WalkBlocksPass> {
  using WalkBlocksBase::WalkBlocksBase;

  void runOnOperation() final {
    KernelOp kernel = getOperation();
    // Few blocks would begin later, and go nowhere.
    auto residents = kernel->getAttrOfType<IntegerAttr>("tile.residents");
    int64_t together = processors * (residents ? residents.getInt() : 1);
    auto blocks = kernel->getAttrOfType<IntegerAttr>("tile.blocks");
    if (blocks && blocks.getInt() <= together)
      return;
    bool isOrdered = kernel->hasAttr("tile.order");
    // How many of them share a processor may have been decided.
    if (kernel.getWalks() || collects(kernel) || kernel.getPlace().empty() ||
        !(residents ? multipliesByWarpgroups(kernel)
                    : fillsProcessor(kernel)) ||
        !(isOrdered || areEqualBlocks(kernel)))
      return;
    // Of unequal blocks the next one goes where one has ended first, which
    // nobody knows ahead, and what it waits for at its beginning others fill.
    if (isOrdered && residents && residents.getInt() > 1)
      return;
    Walker(kernel, isOrdered ? 1 : rowsTogether(kernel, processors)).walk();
  }
};

} // namespace
