//===- LoadEarly.cpp - loads go before what is waited for -----------------===//
//
// What is done with a product when it is there often needs a row of memory
// more, such as a bias. Its load is set off while the last products go on,
// which takes as long as memory does.
//
//===----------------------------------------------------------------------===//

#include "ThreadLimits.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse {
#define GEN_PASS_DEF_LOADEARLY
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// Goes through a block from its start on.
class Mover {
public:
  /// `registers` are those that a thread has.
  explicit Mover(int64_t registers) : free(registers) {}
  void run(Block &block);

private:
  bool canMove(Operation *op, SmallVectorImpl<Operation *> &slice);
  void visit(Operation &op);

  /// Since the last op that the loads must not pass, the first that waits for
  /// products.
  Operation *firstWait = nullptr;
  int64_t free;
};

} // namespace

/// Adds to `slice`, in their order, what `op` is computed from behind
/// `firstWait`, and `op` itself; false if not all of it can be moved.
bool Mover::canMove(Operation *op, SmallVectorImpl<Operation *> &slice) {
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (!source || source->getBlock() != op->getBlock() ||
        source->isBeforeInBlock(firstWait) || llvm::is_contained(slice, source))
      continue;
    bool isScalar = source->getNumRegions() == 0 && isPure(source) &&
                    llvm::all_of(source->getResultTypes(),
                                 [](Type type) { return type.isIntOrIndex(); });
    if (!isScalar || !canMove(source, slice))
      return false;
  }
  slice.push_back(op);
  return true;
}

void Mover::visit(Operation &op) {
  if (op.getNumRegions() != 0) {
    firstWait = nullptr;
    return;
  }
  if (isa<RetireOp, TakeOp>(op) && !firstWait)
    firstWait = &op;
  auto load = dyn_cast<LoadOp>(op);
  if (!load || !firstWait)
    return;
  int64_t needed = registersOf(load.getResult().getType());
  SmallVector<Operation *> slice;
  if (needed > free || !canMove(&op, slice))
    return;
  free -= needed;
  for (Operation *moved : slice)
    moved->moveBefore(firstWait);
}

void Mover::run(Block &block) {
  // The sums that are waited for, and what is computed from them bit by bit.
  constexpr int64_t others = 56;
  free -= others;
  block.walk([&](TakeOp take) {
    if (take->getBlock() == &block)
      free -= registersOf(take.getResult().getType());
  });
  for (Operation &op : llvm::make_early_inc_range(block))
    visit(op);
}

namespace {

struct LoadEarlyPass final : fuse::impl::LoadEarlyBase<LoadEarlyPass> {
  void runOnOperation() final {
    constexpr int64_t processorRegisters = 65536, mostRegisters = 255;
    auto warps = getOperation()->getAttrOfType<IntegerAttr>("tile.warps");
    if (!warps)
      return;
    int64_t equal = std::min(mostRegisters,
                             processorRegisters / (warps.getInt() * numLanes));
    SetVector<Block *> blocks;
    getOperation().walk([&](TakeOp take) { blocks.insert(take->getBlock()); });
    for (Block *block : blocks) {
      auto role = block->getParentOp()->getParentOfType<RoleOp>();
      if (!role)
        role = dyn_cast<RoleOp>(block->getParentOp());
      Mover(role ? role.getRegisters().value_or(equal) : equal).run(*block);
    }
  }
};

} // namespace
