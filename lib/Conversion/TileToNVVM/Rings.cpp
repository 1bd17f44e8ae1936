//===- Rings.cpp - copies that go on while others run ---------------------===//
//
// Rings that `cp.async` fills. Acquiring and releasing cost nothing there:
// whoever waits for a number meets all other threads, which have read the
// number before by then.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"
#include "fuse/Dialect/Tile/Analysis/SharedPlaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

Value ThreadEmitter::count(Value number) {
  return b.createOrFold<arith::IndexCastOp>(b.getI32Type(),
                                            mapping.lookup(number));
}

Value ThreadEmitter::slotOf(TypedValue<RingType> ring, Value number) {
  return b.createOrFold<arith::RemUIOp>(count(number),
                                        i32(ring.getType().getSlots()));
}

/// Where the slot of `number` begins.
Value ThreadEmitter::slotAddress(TypedValue<RingType> ring, Value number) {
  Value bytes = b.createOrFold<arith::MulIOp>(slotOf(ring, number),
                                              i32(slotBytesOf(ring.getType())));
  return advance(advance(blockBase, bytes),
                 shared.rangeOf(ring.getDefiningOp()).offset);
}

void ThreadEmitter::mapParts(WaitOp op) {
  Value slot = slotAddress(op.getRing(), op.getNumber());
  RingType ring = op.getRing().getType();
  int64_t first = ring.firstPartOf(op.getKind());
  for (auto [part, tile] : llvm::enumerate(op.getParts()))
    sharedTiles[tile] = {slot, SharedMemory::partOffset(ring, first + part)};
}

/// What a thread has copied it can see before others can, and then rounds it if
/// that is asked for.
void ThreadEmitter::roundCopied(WaitOp op, CopyOp copy) {
  const Layout &layout = copy.getThreadsAttr().getValue();
  const SharedLayout &memory = sharedLayoutOf(copy.getTile()).getValue();
  unsigned bytes = elementBytes(copy.getTile().getElementType());
  Value slot = slotAddress(op.getRing(), op.getNumber());
  int64_t start =
      SharedMemory::partOffset(op.getRing().getType(), copy.getPart());
  OpBuilder::InsertionGuard guard(b);
  if (Value isFirst = isFirstCopy(layout)) {
    auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  SharedAddress address = fuse::addressOf(layout, memory);
  auto vectors =
      vectorAccesses(layout, memory, maxVectorWidth(layout, memory, bytes));
  for (const VectorAccess &vector : *vectors) {
    Value at = sharedAddress(slot, address, vector.offset, start, bytes);
    Value copied = loadVector(at, b.getF32Type(), vector.registers.size(),
                              Value(), /*isGlobal=*/false);
    storeVector(at, elementsOf(rounded(copied)), Value(),
                /*isGlobal=*/false);
  }
}

void ThreadEmitter::emitWait(WaitOp op) {
  NVVM::CpAsyncWaitGroupOp::create(b, op.getBehind().value_or(0));
  // All copies of a part are by the same threads.
  RingType ring = op.getRing().getType();
  SmallVector<CopyOp> copies(op.getParts().size());
  for (Operation *user : op.getRing().getUsers())
    if (auto copy = dyn_cast<CopyOp>(user);
        copy && copy.getRounded() &&
        ring.kindOf(copy.getPart()) == int64_t(op.getKind()))
      copies[copy.getPart() - ring.firstPartOf(op.getKind())] = copy;
  for (CopyOp copy : copies)
    if (copy)
      roundCopied(op, copy);
  if (llvm::any_of(op.getParts(), isReadAsynchronously))
    fenceWrites();
  barrier();
  mapParts(op);
}

LogicalResult ThreadEmitter::emitCopy(CopyOp op) {
  if (!op.getThreads())
    return op.emitOpError("needs 'threads', since a ring that cp.async fills "
                          "is filled by all of them");
  MemoryAccess access = MemoryAccess::of(op);
  const Layout &layout = op.getThreadsAttr().getValue();
  const SharedLayout &memory = sharedLayoutOf(op.getTile()).getValue();
  unsigned bytes = elementBytes(op.getTile().getElementType());
  int64_t width = asyncWidth(access, layout, memory);
  unsigned size = width * bytes;
  if (size == 0)
    return op.emitOpError("has no 4 bytes that follow each other in memory and "
                          "in the ring for a thread, which cp.async needs");
  Value slot = slotAddress(op.getRing(), op.getNumber());
  int64_t start =
      SharedMemory::partOffset(op.getRing().getType(), op.getPart());
  // Of several threads with one element, one copies it.
  Value isFirst = isFirstCopy(layout);
  SharedAddress address = fuse::addressOf(layout, memory);
  Addresses addresses;
  auto vectors = vectorAccesses(layout, memory, width);
  // Of a vector that ends behind the limit the rest is filled with zeros.
  unsigned fast = *access.fastAxis();
  Value end;
  if (width > access.vectorWidth())
    for (auto [limit, axis] : llvm::zip_equal(access.limits, access.axes))
      if (axis == fast)
        end = limit32(limit);
  for (const VectorAccess &vector : *vectors) {
    unsigned reg = vector.registers.front();
    Value inside = insideOf(access, layout, reg, {},
                            end ? std::optional(fast) : std::nullopt);
    Value from = elementAddress(access, layout, reg, {}, addresses);
    Value to = sharedAddress(slot, address, vector.offset, start, bytes);
    Value count;
    if (end) {
      Value left = arith::MulIOp::create(
          b, arith::SubIOp::create(b, end, position(layout, fast, reg)),
          i32(bytes));
      count = arith::MaxSIOp::create(
          b, arith::MinSIOp::create(b, left, i32(size)), i32(0));
    }
    if (inside)
      count =
          arith::SelectOp::create(b, inside, count ? count : i32(size), i32(0));
    auto copy = [&] {
      // Past the first cache, which only whole lines of 16 bytes can be. What
      // is 32 bits wide is copied by threads that multiply number by number,
      // where processors read the same at a time: through the first cache they
      // share it. G1i took 367 us past it and 353 through it, M4i 2891 and
      // 2861, D2 of 2048 rows 28.5 and 22.9.
      bool isPast = size == 16 && bytes < 4;
      NVVM::CpAsyncOp::create(b, to, from, size,
                              isPast ? NVVM::LoadCacheModifierKind::CG
                                     : NVVM::LoadCacheModifierKind::CA,
                              count);
    };
    if (!isFirst) {
      copy();
      continue;
    }
    auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    copy();
  }
  return success();
}

LogicalResult ThreadEmitter::emitRingOp(Operation *op) {
  if (isa<RingOp>(op))
    return success();
  auto ring = cast<TypedValue<RingType>>(
      *llvm::find_if(op->getOperands(), [](Value operand) {
        return isa<RingType>(operand.getType());
      }));
  if (ring.getDefiningOp<RingOp>().getFeed() == Feed::Tma)
    return emitEngineOp(op);
  if (auto wait = dyn_cast<WaitOp>(op)) {
    emitWait(wait);
    return success();
  }
  auto made = ring.getDefiningOp<RingOp>();
  SharedRange range = shared.rangeOf(made);
  if (auto copy = dyn_cast<CopyOp>(op)) {
    if (shared.takesTurns(made)) {
      if (hazards.needsBarrierBeforeFilling(range))
        barrier();
      hazards.written.push_back(range);
    }
    return emitCopy(copy);
  }
  // Who releases a slot has read it.
  if (isa<ReleaseOp>(op) && shared.takesTurns(made))
    hazards.read.push_back(range);
  if (isa<CommitOp>(op))
    NVVM::CpAsyncCommitGroupOp::create(b);
  return success();
}
