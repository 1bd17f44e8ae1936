//===- TileClasses.cpp - tiles that have one layout -----------------------===//

#include "TileClasses.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static bool isTile(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// Ops that make a tile of nothing but numbers: each user may have its own.
static bool isFree(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<IotaOp, tensor::SplatOp, tensor::FromElementsOp>(op);
}

/// Ops whose tiles all have one layout.
static bool keepsLayout(Operation *op) {
  return isa<MaskOp, GatherOp>(op) || OpTrait::hasElementwiseMappableTraits(op);
}

void fuse::tile::separateFreeOps(KernelOp kernel) {
  SmallVector<Operation *> free;
  kernel.walk([&](Operation *op) {
    bool makesTile = llvm::any_of(op->getResults(), isTile);
    if (makesTile && (isFree(op) || isa<BroadcastOp>(op)))
      free.push_back(op);
  });
  // From the last on, so that copies of what a copy uses are made, too.
  for (Operation *op : llvm::reverse(free)) {
    SmallVector<OpOperand *> uses(llvm::make_pointer_range(op->getUses()));
    for (OpOperand *use : ArrayRef(uses).drop_front(uses.empty() ? 0 : 1)) {
      OpBuilder b(op);
      use->set(b.clone(*op)->getResult(0));
    }
  }
}

TileClass *TileClasses::of(Value value) const {
  auto leader = sets.findLeader(value.getAsOpaquePointer());
  return leader == sets.member_end() ? nullptr : byLeader.lookup(*leader);
}

void TileClasses::connect(Operation *op) {
  auto join = [&](Value a, Value b) {
    if (isTile(a) && isTile(b))
      sets.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
  };
  if (keepsLayout(op)) {
    Value first;
    auto joinAll = [&](Value value) {
      if (!isTile(value))
        return;
      if (first)
        join(first, value);
      first = value;
    };
    llvm::for_each(op->getResults(), joinAll);
    llvm::for_each(op->getOperands(), joinAll);
  }
  if (auto dot = dyn_cast<DotOp>(op))
    join(dot.getAcc(), dot.getResult());
  if (auto collect = dyn_cast<CollectOp>(op))
    for (unsigned source = 0; source < collect.getSources().size(); ++source)
      for (Value share : collect.sharesOf(source))
        join(*collect.sharesOf(source).begin(), share);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    for (auto [init, argument, yielded, result] :
         llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                         loop.getYieldedValues(), loop.getResults())) {
      join(init, argument);
      join(argument, yielded);
      join(yielded, result);
    }
  if (auto branch = dyn_cast<scf::IfOp>(op))
    for (Region *region : branch.getRegions())
      if (!region->empty())
        for (auto [result, yielded] :
             llvm::zip_equal(branch.getResults(),
                             region->front().getTerminator()->getOperands()))
          join(result, yielded);
}

void TileClasses::collect(KernelOp kernel) {
  SmallVector<Value> tiles;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(
            tiles, llvm::make_filter_range(block.getArguments(), isTile));
    llvm::append_range(tiles,
                       llvm::make_filter_range(op->getResults(), isTile));
  });
  for (Value tile : tiles)
    sets.insert(tile.getAsOpaquePointer());
  kernel.walk([&](Operation *op) { connect(op); });
  for (Value tile : tiles) {
    TileClass *&c = byLeader[*sets.findLeader(tile.getAsOpaquePointer())];
    if (!c) {
      c = classes.emplace_back(std::make_unique<TileClass>()).get();
      c->number = classes.size();
      c->type = cast<RankedTensorType>(tile.getType());
    }
    c->members.push_back(tile);
  }
  kernel.walk([&](Operation *op) {
    if (auto dot = dyn_cast<DotOp>(op)) {
      of(dot.getResult())->sums.push_back(dot);
      of(dot.getLhs())->uses.push_back(dot);
      of(dot.getRhs())->uses.push_back(dot);
    } else if (isa<LoadOp, GatherOp>(op)) {
      of(op->getResult(0))->memory.push_back(op);
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      of(store.getSource())->memory.push_back(op);
    }
  });
}
