//===- Places.cpp - what depends on where a block is ----------------------===//

#include "fuse/Dialect/Tile/Analysis/Places.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fuse::tile;

bool PlaceUses::reaches(Value value) {
  if (llvm::is_contained(place, value))
    return true;
  auto [it, isNew] = known.insert({value, false});
  if (!isNew)
    return it->second;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  bool depends = reaches(op->getOperands());
  known[value] = depends;
  return depends;
}

bool PlaceUses::reaches(ValueRange values) {
  return llvm::any_of(values, [&](Value value) { return reaches(value); });
}

bool fuse::tile::areEqualBlocks(KernelOp kernel) {
  return areEqualBlocks(kernel, kernel.getPlace());
}

bool fuse::tile::areEqualBlocks(KernelOp kernel, ValueRange place) {
  PlaceUses uses(place);
  return !kernel
              .walk([&](scf::ForOp loop) {
                return uses.reaches(
                           {loop.getLowerBound(), loop.getUpperBound()})
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}
