//===- BlockTraffic.cpp - what blocks read in a round ---------------------===//

#include "BlockTraffic.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Analysis/Places.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

BlockTraffic BlockTraffic::of(KernelOp kernel) {
  BlockTraffic traffic;
  ValueRange place = kernel.getPlace();
  if (place.size() < 2)
    return traffic;
  PlaceUses onRow(place[place.size() - 2]), onColumn(place.back());
  kernel.walk([&](LoadOp load) {
    if (!isa<scf::ForOp>(load->getParentOp()))
      return;
    bool row = onRow.reaches(load.getIndices()),
         column = onColumn.reaches(load.getIndices());
    RankedTensorType type = load.getResult().getType();
    int64_t bytes = type.getNumElements() * elementBytes(type.getElementType());
    if (row && !column)
      traffic.byRow += bytes;
    if (column && !row)
      traffic.byColumn += bytes;
  });
  if (auto sizes = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.cluster")) {
    traffic.byRow *= sizes.asArrayRef().take_back(2).front();
    traffic.byColumn *= sizes.asArrayRef().back();
  }
  return traffic;
}

std::optional<int64_t>
fuse::tile::bytesReadInLoops(KernelOp kernel,
                             llvm::function_ref<bool(LoadOp)> meant) {
  llvm::SmallPtrSet<Value, 4> memories;
  kernel.walk([&](LoadOp load) {
    if (load->getParentOfType<scf::ForOp>() && meant(load))
      memories.insert(load.getMemory());
  });
  int64_t bytes = 0;
  for (Value memory : memories) {
    auto type = cast<MemRefType>(memory.getType());
    if (!type.hasStaticShape())
      return std::nullopt;
    bytes += type.getNumElements() * elementBytes(type.getElementType());
  }
  return bytes;
}
