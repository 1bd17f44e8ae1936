//===- Engine.cpp - rings that the copy engine fills ----------------------===//
//
// Each slot has two barriers in shared memory. One counts the bytes that the
// engine has copied, the other the warps that have read them. A barrier's phase
// turns when all have come, so the phase to wait for is that of how many times
// the slot was used before: number div slots, of which the lowest bit counts.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "ThreadEmitter.h"
#include "fuse/Dialect/Tile/Analysis/BoxCopy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

Value ThreadEmitter::slotBarrier(TypedValue<RingType> ring, Value number,
                                 bool isRead) {
  constexpr int64_t barrierBytes = SharedMemory::barrierBytes;
  int64_t first = shared.barriersOf(ring.getDefiningOp<RingOp>());
  if (isRead)
    first += ring.getType().getSlots() * barrierBytes;
  Value bytes =
      b.createOrFold<arith::MulIOp>(slotOf(ring, number), i32(barrierBytes));
  return advance(advance(sharedBase, bytes), first);
}

/// How many times the slot was filled before, of which a barrier knows whether
/// it is odd.
Value ThreadEmitter::phaseOf(TypedValue<RingType> ring, Value number) {
  Value times = b.createOrFold<arith::DivUIOp>(count(number),
                                               i32(ring.getType().getSlots()));
  return b.createOrFold<arith::AndIOp>(times, i32(1));
}

void ThreadEmitter::waitForPhase(Value barrier, Value phase) {
  assemble(b,
           "{\n\t.reg .pred done;\n\t"
           "again:\n\t"
           "mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;\n\t"
           "@done bra.uni over;\n\t"
           "bra.uni again;\n\t"
           "over:\n\t}",
           "r,r,~{memory}", {barrier, phase}, 0);
}

std::string ThreadEmitter::placeOfBox(const MemoryAccess &access,
                                      ArrayRef<SmallVector<Value>> offsets,
                                      SmallVectorImpl<Value> &operands) {
  std::string place;
  for (unsigned dim = offsets.size(); dim-- > 0;) {
    Value at = b.createOrFold<arith::IndexCastOp>(
        b.getI32Type(), mapping.lookup(access.indices[dim]));
    for (Value offset : offsets[dim])
      at = b.createOrFold<arith::AddIOp>(at, offset);
    place += (place.empty() ? "$" : ", $") + std::to_string(operands.size());
    operands.push_back(at);
  }
  return place;
}

LogicalResult ThreadEmitter::emitEngineCopy(CopyOp op) {
  MemoryAccess access = MemoryAccess::of(op);
  auto copy = boxCopy(access, sharedLayoutOf(op.getTile()).getValue());
  Value map = tensorMaps.lookup(op);
  if (!copy || !map)
    return op.emitOpError("is no copy of boxes, which the copy engine needs");
  Value slot = slotAddress(op.getRing(), op.getNumber());
  Value barrier = slotBarrier(op.getRing(), op.getNumber(), /*isRead=*/false);
  int64_t part =
      SharedMemory::partOffset(op.getRing().getType().getParts(), op.getPart());
  unsigned rank = access.indices.size();
  for (const BoxCopy::Box &box : copy->boxes) {
    SmallVector<SmallVector<Value>> offsets(rank);
    for (unsigned dim = 0; dim < rank; ++dim)
      if (box.start[dim] != 0)
        offsets[dim].push_back(i32(box.start[dim]));
    SmallVector<Value> operands{advance(slot, part + box.offsetBytes), map};
    std::string place = placeOfBox(access, offsets, operands);
    std::string last = std::to_string(operands.size());
    operands.push_back(barrier);
    std::string constraints = "r,l";
    for (unsigned i = 0; i < rank + 1; ++i)
      constraints += ",r";
    assemble(b,
             "cp.async.bulk.tensor." + std::to_string(rank) +
                 "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[$0], [$1, {" +
                 place + "}], [$" + last + "];",
             constraints + ",~{memory}", operands, 0);
  }
  return success();
}

LogicalResult ThreadEmitter::emitEngineOp(Operation *op) {
  if (auto acquire = dyn_cast<AcquireOp>(op)) {
    TypedValue<RingType> ring = acquire.getRing();
    // A slot that was never filled counts as read: the phase before the first.
    Value phase =
        arith::XOrIOp::create(b, phaseOf(ring, acquire.getNumber()), i32(1));
    waitForPhase(slotBarrier(ring, acquire.getNumber(), /*isRead=*/true),
                 phase);
    int64_t bytes = 0;
    for (RankedTensorType part : ring.getType().getParts())
      bytes += part.getNumElements() * elementBytes(part.getElementType());
    assemble(
        b, "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;",
        "r,r,~{memory}",
        {slotBarrier(ring, acquire.getNumber(), /*isRead=*/false), i32(bytes)},
        0);
    return success();
  }
  if (auto copy = dyn_cast<CopyOp>(op))
    return emitEngineCopy(copy);
  if (auto wait = dyn_cast<WaitOp>(op)) {
    waitForPhase(
        slotBarrier(wait.getRing(), wait.getNumber(), /*isRead=*/false),
        phaseOf(wait.getRing(), wait.getNumber()));
    mapParts(wait);
    return success();
  }
  if (auto release = dyn_cast<ReleaseOp>(op)) {
    // All lanes have read when the first one says so.
    NVVM::SyncWarpOp::create(b, i32(-1));
    auto branch = scf::IfOp::create(b, isFirstLane(), /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    assemble(b, "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}",
             {slotBarrier(release.getRing(), release.getNumber(),
                          /*isRead=*/true)},
             0);
  }
  // A commit says nothing: the barrier knows how many bytes to wait for.
  return success();
}
