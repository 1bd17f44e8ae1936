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
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

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
  return advance(advance(blockBase, bytes), first);
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
                                      ArrayRef<BoxCopy::Dim> dims,
                                      ArrayRef<SmallVector<Value>> offsets,
                                      SmallVectorImpl<Value> &operands) {
  std::string place;
  for (unsigned dim = offsets.size(); dim-- > 0;) {
    const BoxCopy::Dim &own = dims[dim];
    Value at = b.createOrFold<arith::IndexCastOp>(
        b.getI32Type(), mapping.lookup(access.indices[own.of]));
    // Of what is divided into several the digit.
    if (dim != 0 && dims[dim - 1].of == own.of)
      at = b.createOrFold<arith::RemUIOp>(at, i32(own.size * own.step));
    if (own.step != 1)
      at = b.createOrFold<arith::DivUIOp>(at, i32(own.step));
    for (Value offset : offsets[dim])
      at = b.createOrFold<arith::AddIOp>(at, offset);
    place += (place.empty() ? "$" : ", $") + std::to_string(operands.size());
    operands.push_back(at);
  }
  return place;
}

int64_t ThreadEmitter::fillersOf(TypedValue<RingType> ring) {
  bool isShared = llvm::any_of(ring.getUsers(), [](Operation *user) {
    auto copy = dyn_cast<CopyOp>(user);
    return copy && copy.getMulticast();
  });
  return isShared ? blocksOfCluster(
                        ring.getDefiningOp()->getParentOfType<KernelOp>())
                  : 1;
}

Value ThreadEmitter::rankInCluster() {
  if (clusterRank)
    return clusterRank;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(prologue);
  clusterRank =
      LLVM::InlineAsmOp::create(
          b, b.getI32Type(), ValueRange(), "mov.u32 $0, %cluster_ctarank;",
          "=r", /*has_side_effects=*/false, /*is_align_stack=*/false,
          LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
          /*operand_attrs=*/{})
          .getResult(0);
  return clusterRank;
}

void ThreadEmitter::meetCluster(bool isTogether) {
  std::string end = isTogether ? ".aligned;" : ";";
  assemble(b,
           "barrier.cluster.arrive.release" + end +
               "\n\tbarrier.cluster.wait.acquire" + end,
           "~{memory}", {}, 0);
}

/// Who says no more than that he is there need not wait for what he has asked
/// memory for, which `release` does, loads among it.
void ThreadEmitter::beginCluster() {
  assemble(b,
           "barrier.cluster.arrive.relaxed.aligned;"
           "\n\tbarrier.cluster.wait.acquire.aligned;",
           "~{memory}", {}, 0);
}

void ThreadEmitter::emitBoxes(CopyOp op, const BoxCopy &copy,
                              ArrayRef<BoxCopy::Box> boxes, Value map) {
  MemoryAccess access = MemoryAccess::of(op);
  Value slot = slotAddress(op.getRing(), op.getNumber());
  Value barrier = slotBarrier(op.getRing(), op.getNumber(), /*isRead=*/false);
  int64_t part = SharedMemory::partOffset(op.getRing().getType(), op.getPart());
  unsigned rank = copy.dims.size();
  // Each block of a cluster brings some boxes to all of them.
  int64_t shares =
      op.getMulticast() ? blocksOfCluster(op->getParentOfType<KernelOp>()) : 1;
  int64_t own = boxes.size() / shares;
  for (int64_t number = 0; number < own; ++number) {
    const BoxCopy::Box &box = boxes[number];
    // A number of the box that is this block's; null if all blocks have that of
    // the first one.
    auto ofShare = [&](auto numberOf) {
      Value made;
      for (int64_t share = 1; share < shares; ++share) {
        int64_t other = numberOf(boxes[number + share * own]);
        if (other == numberOf(box))
          continue;
        Value isOwn = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                            rankInCluster(), i32(share));
        made = arith::SelectOp::create(b, isOwn, i32(other),
                                       made ? made : i32(numberOf(box)));
      }
      return made;
    };
    SmallVector<SmallVector<Value>> offsets(rank);
    for (unsigned dim = 0; dim < rank; ++dim) {
      if (Value start =
              ofShare([&](const BoxCopy::Box &own) { return own.start[dim]; }))
        offsets[dim].push_back(start);
      else if (box.start[dim] != 0)
        offsets[dim].push_back(i32(box.start[dim]));
    }
    Value to = ofShare([](const BoxCopy::Box &own) { return own.offsetBytes; });
    SmallVector<Value> operands{to ? advance(advance(slot, part), to)
                                   : advance(slot, part + box.offsetBytes),
                                map};
    std::string place = placeOfBox(access, copy.dims, offsets, operands);
    std::string last = std::to_string(operands.size());
    operands.push_back(barrier);
    std::string constraints = "r,l";
    for (unsigned i = 0; i < rank + 1; ++i)
      constraints += ",r";
    std::string kind, mask;
    if (shares != 1) {
      kind = ".multicast::cluster";
      mask = ", $" + std::to_string(operands.size());
      operands.push_back(
          arith::ConstantOp::create(b, b.getI16IntegerAttr((1 << shares) - 1)));
      constraints += ",h";
    }
    assemble(b,
             "cp.async.bulk.tensor." + std::to_string(rank) +
                 "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes" +
                 kind + " [$0], [$1, {" + place + "}], [$" + last + "]" + mask +
                 ";",
             constraints + ",~{memory}", operands, 0);
  }
}

Value ThreadEmitter::isRest(const BoxRest &rest) {
  return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                       limit32(rest.limit), i32(rest.size));
}

LogicalResult ThreadEmitter::emitEngineCopy(CopyOp op) {
  auto copy = boxCopy(op);
  Value map = tensorMaps.lookup(op);
  if (!copy || !map)
    return op.emitOpError("is no copy of boxes, which the copy engine needs");
  std::optional<BoxRest> rest = boxRest(op, *copy);
  if (!rest) {
    emitBoxes(op, *copy, copy->boxes, map);
    return success();
  }
  Value mapOfRest = mapsOfRests.lookup(op);
  auto emitRest = [&] {
    emitBoxes(op, *copy, rest->boxes, mapOfRest ? mapOfRest : map);
  };
  Value condition = isRest(*rest);
  if (matchPattern(condition, m_One())) {
    emitRest();
    return success();
  }
  auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitRest();
  b.setInsertionPointToStart(branch.elseBlock());
  emitBoxes(op, *copy, copy->boxes, map);
  return success();
}

/// The kind of what is copied next, in branches, too.
static int64_t kindOf(AcquireOp acquire) {
  RingType ring = acquire.getRing().getType();
  for (Operation *op = acquire->getNextNode(); op; op = op->getNextNode()) {
    std::optional<int64_t> kind;
    op->walk([&](CopyOp copy) {
      if (copy.getRing() != acquire.getRing())
        return WalkResult::advance();
      kind = ring.kindOf(copy.getPart());
      return WalkResult::interrupt();
    });
    if (kind)
      return *kind;
  }
  return 0;
}

Value ThreadEmitter::bytesOf(AcquireOp acquire) {
  RingType ring = acquire.getRing().getType();
  int64_t bytes = 0;
  for (RankedTensorType part : ring.partsOf(kindOf(acquire)))
    bytes += part.getNumElements() * elementBytes(part.getElementType());
  Value all = i32(bytes);
  // Other rings may be filled in between.
  auto isEnd = [&](Operation &op) {
    auto commit = dyn_cast<CommitOp>(op);
    return commit && commit.getRing() == acquire.getRing();
  };
  for (Operation &op : llvm::make_range(std::next(acquire->getIterator()),
                                        acquire->getBlock()->end())) {
    if (isEnd(op))
      break;
    auto copy = dyn_cast<CopyOp>(op);
    if (!copy || copy.getRing() != acquire.getRing())
      continue;
    auto whole = boxCopy(copy);
    std::optional<BoxRest> rest;
    if (!whole || !(rest = boxRest(copy, *whole)))
      continue;
    int64_t less =
        rest->lessThan(*whole) * elementBytes(copy.getTile().getElementType());
    Value missing =
        b.createOrFold<arith::SelectOp>(isRest(*rest), i32(less), i32(0));
    all = b.createOrFold<arith::SubIOp>(all, missing);
  }
  return all;
}

/// Whether all products of the block are done when the slot is released.
static bool endsProducts(ReleaseOp release) {
  if (!release->getParentOfType<scf::ForOp>())
    return false;
  Block *block = release->getBlock();
  auto isIssue = [](Operation &op) { return isa<DotIssueOp>(op); };
  if (llvm::any_of(llvm::make_range(release->getIterator(), block->end()),
                   isIssue))
    return false;
  for (Operation *op = release->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto retire = dyn_cast<RetireOp>(op))
      return retire.getBehind() == 0;
    if (isIssue(*op))
      return false;
  }
  return false;
}

LogicalResult ThreadEmitter::emitEngineOp(Operation *op) {
  if (auto acquire = dyn_cast<AcquireOp>(op)) {
    TypedValue<RingType> ring = acquire.getRing();
    // A slot that was never filled counts as read: the phase before the first.
    Value phase =
        arith::XOrIOp::create(b, phaseOf(ring, acquire.getNumber()), i32(1));
    waitForPhase(slotBarrier(ring, acquire.getNumber(), /*isRead=*/true),
                 phase);
    assemble(b, "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;",
             "r,r,~{memory}",
             {slotBarrier(ring, acquire.getNumber(), /*isRead=*/false),
              bytesOf(acquire)},
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
    // What lanes load has to be there before they say so, since it is engines,
    // possibly of other blocks, that fill the slot again: the loads, unlike
    // what wgmma reads, were not waited for.
    if (isReadByThreads(release.getRing()))
      fenceWrites();
    // All lanes have read when the first one says so; one lane for each block
    // that fills the slot.
    NVVM::SyncWarpOp::create(b, i32(-1));
    auto read = [&] {
      return slotBarrier(release.getRing(), release.getNumber(),
                         /*isRead=*/true);
    };
    if (int64_t fillers = fillersOf(release.getRing()); fillers != 1) {
      Value lane = arith::AndIOp::create(b, thread, i32(numLanes - 1));
      Value isFiller = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, lane,
                                             i32(fillers));
      auto branch = scf::IfOp::create(b, isFiller, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      // Not with the cluster's scope, which would wait for all that this thread
      // has written.
      assemble(b,
               "{\n\t.reg .b32 there;\n\t"
               "mapa.shared::cluster.u32 there, $0, $1;\n\t"
               "mbarrier.arrive.shared::cluster.b64 _, [there];\n\t}",
               "r,r,~{memory}", {read(), lane}, 0);
      return success();
    }
    auto branch = scf::IfOp::create(b, isFirstLane(), /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      assemble(b, "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}",
               {read()}, 0);
    }
    // Else ptxas computes first what is made of the sums, a thousand
    // instructions perhaps, while another crew waits for the slot. The number
    // by which nobody ends takes a register, which others may not have.
    if (crewNumber && endsProducts(release))
      keepBehind();
  }
  // A commit says nothing: the barrier knows how many bytes to wait for.
  return success();
}
