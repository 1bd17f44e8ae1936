//===- Scratch.cpp - shared memory that single ops need -------------------===//
//
// Asks the plans of reductions and conversions.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/Scratch.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Analysis/SharedPlaces.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Layout/Atoms.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// How a reduction is done, and the bytes of each of its results.
static std::pair<std::optional<Reduction>, int64_t> reductionOf(ReduceOp op) {
  RankedTensorType type = op.getSource().getType();
  return {layoutOf(type).getValue().reduction(toUnsigned(op.getDims())),
          elementBytes(type.getElementType())};
}

int64_t fuse::tile::scratchBytes(ReduceOp op) {
  auto [reduction, bytes] = reductionOf(op);
  if (!reduction || reduction->warpMask == 0)
    return 0;
  return int64_t(reduction->groups.size()) * reduction->layout.numWarps() *
         numLanes * bytes;
}

unsigned fuse::tile::alikeThreads(const Layout &layout) {
  return layout.zeroMask(Place::Lane) | layout.zeroMask(Place::Warp)
                                            << numLaneBits;
}

int64_t fuse::tile::exchangeBytes(ReduceOp op) {
  auto [reduction, bytes] = reductionOf(op);
  if (!reduction || reduction->ctaMask == 0)
    return 0;
  const Layout &layout = reduction->layout;
  int64_t senders = int64_t(layout.numWarps()) * numLanes >>
                    llvm::popcount(alikeThreads(layout));
  return int64_t(reduction->groups.size()) * layout.numCtas() * senders * bytes;
}

llvm::Expected<Conversion> fuse::tile::planConvert(ConvertLayoutOp op) {
  constexpr int64_t beforeStore = 8 << 10;
  ConversionOptions options;
  options.elementBytes = elementBytes(op.getType().getElementType());
  if (llvm::all_of(op->getUsers(), llvm::IsaPred<StoreOp>)) {
    WalkResult products =
        op->getParentOfType<KernelOp>().walk([](Operation *other) {
          return isa<DotOp, DotIssueOp>(other) ? WalkResult::interrupt()
                                               : WalkResult::advance();
        });
    if (products.wasInterrupted())
      options.maxBytes = beforeStore;
  }
  return planConversion(layoutOf(op.getSource().getType()).getValue(),
                        layoutOf(op.getType()).getValue(), options);
}

static int64_t scratchBytes(ConvertLayoutOp op) {
  if (!layoutOf(op.getSource().getType()) || !layoutOf(op.getType()))
    return 0;
  llvm::Expected<Conversion> conversion = planConvert(op);
  if (!conversion) {
    llvm::consumeError(conversion.takeError());
    return 0;
  }
  return conversion->memory ? conversion->memory->bytes : 0;
}

int64_t fuse::tile::scratchBytes(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return scratchBytes(reduce);
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return ::scratchBytes(convert);
  return 0;
}

Value fuse::tile::splitFactor(DotOp op) {
  if (op.getPrecision() != Precision::Tf32x3 || op.getAtom() != Atom::Wgmma)
    return {};
  auto sum = sumAsMatrix(op.getLhs().getType(), op.getType());
  auto form = sum ? wgmmaFormOf(*sum) : std::nullopt;
  if (!form)
    return {};
  return form->isTransposed ? op.getLhs() : op.getRhs();
}

bool fuse::tile::hasRests(ConvertLayoutOp op) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    auto dot = dyn_cast<DotOp>(user);
    return dot && dot->getBlock() != op->getBlock() &&
           splitFactor(dot) == op.getResult();
  });
}

int64_t fuse::tile::sharedBytes(ConvertLayoutOp op) {
  return sharedTileBytes(op.getType()) * (hasRests(op) ? 2 : 1);
}

int64_t fuse::tile::splitBytes(DotOp op) {
  Value factor = splitFactor(op);
  if (!factor)
    return 0;
  if (auto convert = factor.getDefiningOp<ConvertLayoutOp>();
      convert && hasRests(convert))
    return 0;
  // One round writes while what the one before has written is still read.
  return 2 * sharedTileBytes(cast<RankedTensorType>(factor.getType()));
}
