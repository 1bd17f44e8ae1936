//===- RingWriter.cpp - a ring in the loop that it feeds ------------------===//

#include "RingWriter.h"
#include "RingRounds.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Layout/Atoms.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

class RingWriter {
public:
  RingWriter(IRRewriter &rewriter, const CountedLoop &counted,
             ArrayRef<RingPart> parts, TypedValue<RingType> ring, int64_t kind)
      : rewriter(rewriter), b(counted.loop->getLoc(), rewriter),
        counted(counted), loop(counted.loop), parts(parts), ring(ring),
        kind(kind) {}

  void write(bool isEarly);

private:
  Operation *computeAddresses();
  WaitOp copyParts();
  Operation *readInRegisters(RingPart part, Value slot, WaitOp wait);

  IRRewriter &rewriter;
  ImplicitLocOpBuilder b;
  const CountedLoop &counted;
  scf::ForOp loop;
  ArrayRef<RingPart> parts;
  TypedValue<RingType> ring;
  int64_t kind;
  Value number;
};

} // namespace

/// Which thread copies what. As threads would have loaded it, except where a
/// slot lies across what is in memory, and elements are copied one by one: then
/// lanes take sectors of as many rows as follow each other in the slot.
static LayoutAttr threadsOfCopy(LoadOp load, RankedTensorType type) {
  LayoutAttr loaded = layoutOf(load.getResult().getType());
  MemoryAccess access = MemoryAccess::of(load);
  const SharedLayout &shared = sharedLayoutOf(type).getValue();
  const Layout &threads = loaded.getValue();
  unsigned bytes = elementBytes(type.getElementType());
  std::optional<unsigned> fast = access.fastAxis();
  if (!fast || asyncWidth(access, threads, shared) != 1 ||
      access.vectorWidth() == 1 || threads.numCtas() != 1)
    return loaded;
  constexpr int64_t sectorBytes = 32, chunkBytes = 16;
  int64_t chunk = chunkBytes / bytes;
  Coordinates last = shared.position(chunk - 1);
  const auto *across =
      llvm::find_if(last, [&](int64_t at) { return at == chunk - 1; });
  if (across == last.end() || across - last.begin() == *fast)
    return loaded;
  unsigned slow = across - last.begin();
  LayoutBuilder builder(threads.tile().extents());
  int64_t lanes = numLanes, warps = threads.numWarps();
  lanes /= builder.take(Place::Lane, *fast, sectorBytes / bytes);
  lanes /= builder.take(Place::Lane, slow, std::min(lanes, chunk));
  for (unsigned axis : {*fast, slow})
    lanes /= builder.take(Place::Lane, axis, lanes);
  for (unsigned axis : {*fast, slow})
    warps /= builder.take(Place::Warp, axis, warps);
  if (lanes != 1 || warps != 1)
    return loaded;
  return LayoutAttr::get(load.getContext(), builder.finish());
}

/// Moves what computes addresses to the loop's start: each is of the round
/// only. Returns where the last of them is known, and no part is used yet.
Operation *RingWriter::computeAddresses() {
  SetVector<Operation *> slice;
  BackwardSliceOptions within;
  within.omitBlockArguments = true;
  within.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody();
  };
  for (RingPart part : parts)
    (void)getBackwardSlice(part.load.getOperation(), &slice, within);
  Operation *first = &loop.getBody()->front();
  for (Operation *op : topologicalSort(slice)) {
    if (op == first)
      first = first->getNextNode();
    else
      op->moveBefore(first);
  }
  return first;
}

/// What a round copies: acquire, copy, commit, and wait for it.
WaitOp RingWriter::copyParts() {
  int64_t firstPart = ring.getType().firstPartOf(kind);
  b.setInsertionPoint(computeAddresses());
  number = counted.base;
  if (counted.isAdded)
    number = b.createOrFold<arith::AddIOp>(number, loop.getInductionVar());
  AcquireOp::create(b, ring, number);
  for (auto [index, each] : llvm::enumerate(parts)) {
    RingPart part = each;
    auto copy = CopyOp::create(b, part.load, ring, number, firstPart + index);
    copy->setLoc(part.load.getLoc());
    copy.setThreadsAttr(threadsOfCopy(part.load, part.type));
    copy.setRounded(part.round != nullptr);
    copy.setMulticast(part.load->hasAttr("tile.multicast"));
  }
  CommitOp::create(b, ring, number);
  return WaitOp::create(b, ring, number, kind);
}

/// Lets threads read a slot, once for all who want the part in the same layout.
/// Returns the last op that reads; null if none does.
Operation *RingWriter::readInRegisters(RingPart part, Value slot, WaitOp wait) {
  Value value = part.value();
  Operation *last = nullptr;
  llvm::SmallDenseMap<Attribute, Value> read;
  SetVector<Operation *> users(value.user_begin(), value.user_end());
  for (Operation *user : users) {
    LayoutAttr wanted = wantedBy(user, value);
    Value &own = read[wanted];
    if (!own) {
      RankedTensorType type = place(value.getType(), wanted);
      auto *behind = firstBehindLoops(loop, users.getArrayRef(), type);
      b.setInsertionPoint(behind ? behind : wait->getNextNode());
      own = ConvertLayoutOp::create(b, value.getLoc(), type, slot);
      if (!last || last->isBeforeInBlock(own.getDefiningOp()))
        last = own.getDefiningOp();
    }
    if (isa<ConvertLayoutOp>(user) && layoutOf(user->getResult(0).getType()))
      rewriter.replaceOp(user, own);
    else
      user->replaceUsesOfWith(value, own);
  }
  return last;
}

void RingWriter::write(bool isEarly) {
  WaitOp wait = copyParts();
  bool isRead = isEarly;
  Operation *lastRead = nullptr;
  for (auto [each, slot] : llvm::zip_equal(parts, wait.getParts())) {
    RingPart part = each;
    isRead &= !part.shared;
    if (part.shared)
      rewriter.replaceOp(part.shared, slot);
    if (Operation *last = readInRegisters(part, slot, wait);
        last && (!lastRead || lastRead->isBeforeInBlock(last)))
      lastRead = last;
    if (part.round)
      rewriter.eraseOp(part.round);
    rewriter.eraseOp(part.load);
  }
  SmallVector<Operation *> readers;
  for (Value slot : wait.getParts())
    llvm::append_range(readers, slot.getUsers());
  Operation *lastOuter = lastBeforeLoops(loop, readers);
  if (isRead && lastRead)
    b.setInsertionPointAfter(lastRead);
  else if (lastOuter)
    b.setInsertionPointAfter(lastOuter);
  else
    b.setInsertionPoint(loop.getBody()->getTerminator());
  ReleaseOp::create(b, ring, number, ValueRange());
}

TypedValue<RingType>
fuse::tile::createRing(IRRewriter &rewriter, scf::ForOp loop, int64_t slots,
                       ArrayRef<SmallVector<RankedTensorType>> kinds) {
  SmallVector<RankedTensorType> parts;
  SmallVector<int64_t> sizes;
  for (ArrayRef<RankedTensorType> kind : kinds) {
    llvm::append_range(parts, kind);
    sizes.push_back(kind.size());
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(
      &loop->getParentOfType<KernelOp>().getBody().front());
  auto type = RingType::get(rewriter.getContext(), slots, parts, sizes);
  return RingOp::create(rewriter, loop.getLoc(), type, Feed::CpAsync);
}

void fuse::tile::writeRing(IRRewriter &rewriter, const CountedLoop &counted,
                           ArrayRef<RingPart> parts, TypedValue<RingType> ring,
                           int64_t kind, bool isEarly) {
  RingWriter(rewriter, counted, parts, ring, kind).write(isEarly);
}
