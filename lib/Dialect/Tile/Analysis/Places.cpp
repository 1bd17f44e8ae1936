//===- Places.cpp - what depends on where a block is ----------------------===//

#include "fuse/Dialect/Tile/Analysis/Places.h"

using namespace mlir;

bool fuse::tile::dependsOn(Value value, ValueRange places,
                           llvm::SmallDenseMap<Value, bool> &known) {
  if (llvm::is_contained(places, value))
    return true;
  auto [it, isNew] = known.insert({value, false});
  if (!isNew)
    return it->second;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  bool depends = llvm::any_of(op->getOperands(), [&](Value operand) {
    return dependsOn(operand, places, known);
  });
  known[value] = depends;
  return depends;
}
