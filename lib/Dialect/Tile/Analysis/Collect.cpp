//===- Collect.cpp - what blocks of a cluster write for each other --------===//

#include "fuse/Dialect/Tile/Analysis/Collect.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Layout/Conversion.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// For each register of a share the one of the source that has its element of
/// the share with this part of its number, or nothing.
static SmallVector<std::optional<unsigned>> registersOf(const Layout &source,
                                                        unsigned axis,
                                                        const Slice &slice,
                                                        int64_t share) {
  SmallVector<std::optional<unsigned>> registers(slice.sources.size());
  for (unsigned reg = 0; reg < source.numRegisters(); ++reg) {
    std::optional<unsigned> &known = registers[slice.sliceOf[reg]];
    if (!known && source.registerPart(reg).flip[axis] == share)
      known = reg;
  }
  return registers;
}

std::optional<CollectPlan> tile::planCollect(const Layout &from,
                                             const Layout &to, unsigned axis,
                                             int64_t blocks,
                                             unsigned elementBytes) {
  Coordinates extents = from.tile().extents();
  extents[axis] /= blocks;
  extents.insert(extents.begin() + axis, blocks);
  std::optional<Layout> source = from.reshape(extents);
  if (!source)
    return std::nullopt;
  Slice slice = source->slice({axis});
  ConversionOptions options;
  options.elementBytes = elementBytes;
  // All of it is there at a time.
  options.maxBytes = std::numeric_limits<int64_t>::max();
  // Other blocks are told words.
  constexpr unsigned wordBytes = 4;
  if (elementBytes < wordBytes)
    options.maxVectorBytes = elementBytes;
  SharedPlan shared = planShared(slice.layout, to, options);
  CollectPlan plan{
      *source,          axis, slice.layout, shared.memory, shared.storeWidth,
      shared.loadWidth, {}};
  llvm::SmallSetVector<int64_t, 8> shares;
  for (unsigned reg = 0; reg < source->numRegisters(); ++reg)
    shares.insert(source->registerPart(reg).flip[axis]);
  auto accesses = vectorAccesses(plan.share, plan.memory, plan.storeWidth);
  for (int64_t share : shares) {
    auto registers = registersOf(*source, axis, slice, share);
    for (const VectorAccess &access : *accesses) {
      CollectPlan::Store store;
      store.share = share;
      store.offset = access.offset;
      for (unsigned number : access.registers) {
        if (!registers[number])
          return std::nullopt;
        store.registers.push_back(*registers[number]);
      }
      plan.stores.push_back(std::move(store));
    }
  }
  return plan;
}

std::optional<CollectPlan> tile::planCollect(CollectOp op, unsigned source) {
  auto from = cast<RankedTensorType>(op.getSources()[source].getType());
  auto to = (*op.sharesOf(source).begin()).getType();
  return planCollect(layoutOf(from).getValue(), layoutOf(to).getValue(),
                     op.getAxes()[source], op.getBlocks(),
                     elementBytes(from.getElementType()));
}

int64_t tile::collectOffset(CollectOp op, unsigned source) {
  constexpr int64_t vectorBytes = 16;
  int64_t offset = 0;
  for (Value before : op.getSources().take_front(source)) {
    auto type = cast<RankedTensorType>(before.getType());
    // Each share begins where vectors may.
    int64_t share = type.getNumElements() / op.getBlocks() *
                    elementBytes(type.getElementType());
    offset += op.getBlocks() * llvm::alignTo(share, vectorBytes);
  }
  return offset;
}

int64_t tile::collectBytes(CollectOp op) {
  return collectOffset(op, op.getSources().size());
}

std::string tile::whyNoCollecting(KernelOp kernel) {
  auto cluster = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.cluster");
  std::string why;
  kernel.walk([&](CollectOp op) {
    if (!why.empty())
      return;
    int64_t blocks = op.getBlocks();
    if (kernel.getWalks())
      why = "blocks that collect do not walk";
    else if (!cluster || cluster.empty() || cluster[0] != blocks ||
             blocksOfCluster(kernel) != blocks)
      why = "it collects from " + std::to_string(blocks) +
            " blocks that are neighbours in the first dimension of the grid, "
            "which form no cluster";
  });
  return why;
}

bool tile::collects(KernelOp kernel) {
  return kernel.walk([](CollectOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}
