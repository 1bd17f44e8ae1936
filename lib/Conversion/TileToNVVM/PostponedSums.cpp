//===- PostponedSums.cpp - threads are added up behind a loop -------------===//
//
// What a loop only adds up, and scales alike in all threads, need not be the
// whole sum in each round: threads keep what is theirs, and are added up once
// behind it. So are maxima and minima that a round does not look at.
//
//   l' = l * x + sum(p)
//   l' = l + y + sum(p)
//   m' = max(m, max(p))
//
// What all of them would add alike, y, one of them does.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Whether nothing but `user` needs a value; where a pin holds its work back,
/// any part of it will do.
static bool isOnlyFor(Value value, Operation *user) {
  return llvm::all_of(value.getUsers(), [&](Operation *other) {
    return other == user || isa<PinOp>(other);
  });
}

/// Whether `value` is what the loop carries, times and plus what all lanes that
/// share an element have alike; notes what is added.
static bool isMoved(Value value, BlockArgument carried, Operation *user,
                    SmallVectorImpl<OpOperand *> &added) {
  if (!isOnlyFor(value, user))
    return false;
  if (value == carried)
    return true;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::AddFOp>(op) ||
      op->getOperand(0) == op->getOperand(1))
    return false;
  for (unsigned side : {0, 1})
    if (isMoved(op->getOperand(side), carried, op, added)) {
      if (isa<arith::AddFOp>(op))
        added.push_back(&op->getOpOperand(1 - side));
      return true;
    }
  return false;
}

/// Whether an op combines as a reduction does, of which every thread may have
/// some of what is combined.
static bool combinesLike(Operation *op, CombineKind kind) {
  switch (kind) {
  case CombineKind::Sum:
    return isa<arith::AddFOp, arith::AddIOp>(op);
  case CombineKind::Max:
    return isa<arith::MaximumFOp, arith::MaxSIOp>(op);
  case CombineKind::Min:
    return isa<arith::MinimumFOp, arith::MinSIOp>(op);
  case CombineKind::Prod:
    return false;
  }
  llvm_unreachable("every kind is handled above");
}

static Reduction reductionOf(ReduceOp op) {
  const Layout &layout = layoutOf(op.getSource().getType()).getValue();
  return *layout.reduction(toUnsigned(op.getDims()));
}

/// The threads of a block that a reduction combines.
static unsigned threadMask(const Reduction &reduction) {
  return reduction.laneMask | reduction.warpMask << numLaneBits;
}

ReduceOp
ThreadEmitter::postponedReduction(scf::ForOp loop, unsigned number,
                                  SmallVectorImpl<OpOperand *> &added) {
  Operation *yield = loop.getBody()->getTerminator();
  Value next = loop.getYieldedValues()[number];
  Operation *both = next.getDefiningOp();
  if (!both || both->getBlock() != loop.getBody() ||
      both->getNumOperands() != 2 || !isOnlyFor(next, yield) ||
      llvm::count(loop.getYieldedValues(), next) != 1)
    return {};
  BlockArgument carried = loop.getRegionIterArg(number);
  Value lhs = both->getOperand(0), rhs = both->getOperand(1);
  for (auto [part, rest] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
    auto reduce = part.getDefiningOp<ReduceOp>();
    if (!reduce || reduce->getBlock() != loop.getBody() ||
        !combinesLike(both, reduce.getKind()) || !isOnlyFor(part, both))
      continue;
    added.clear();
    bool isOwn = reduce.getKind() == CombineKind::Sum
                     ? isMoved(rest, carried, both, added)
                     : rest == carried && isOnlyFor(rest, both);
    Reduction reduction = reductionOf(reduce);
    if (isOwn && threadMask(reduction) != 0 && reduction.ctaMask == 0 &&
        layoutOf(reduce.getType()) == layoutOf(carried.getType()))
      return reduce;
  }
  return {};
}

/// Of threads that share an element the first has what was there before, and
/// others have nothing. It may be combined with a maximum more than once.
Value ThreadEmitter::shareOfThread(Value vector, ReduceOp reduce) {
  if (reduce.getKind() != CombineKind::Sum ||
      matchPattern(vector, m_AnyZeroFloat()) || matchPattern(vector, m_Zero()))
    return vector;
  auto type = cast<VectorType>(vector.getType());
  Value own =
      arith::AndIOp::create(b, thread, i32(threadMask(reductionOf(reduce))));
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, own, i32(0));
  Value zero = constant(cast<TypedAttr>(b.getZeroAttr(type.getElementType())),
                        type.getDimSize(0));
  return arith::SelectOp::create(b, isFirst, vector, zero);
}

/// An addition to what threads keep for themselves, of which `alike` is the
/// same in all of them.
Value ThreadEmitter::addOnce(OpOperand &alike, ReduceOp reduce) {
  Operation *op = alike.getOwner();
  Value own = vectorFor(op->getOperand(1 - alike.getOperandNumber()));
  return arith::AddFOp::create(b, own,
                               shareOfThread(vectorFor(alike.get()), reduce));
}

Value ThreadEmitter::combineThreads(ReduceOp reduce, Value vector) {
  Reduction reduction = reductionOf(reduce);
  vector = combineLanes(reduce.getKind(), vector, reduction.laneMask);
  return reduction.warpMask == 0 ? vector
                                 : reduceAcrossWarps(reduce, reduction, vector);
}

Value ThreadEmitter::combineLanes(CombineKind kind, Value vector,
                                  unsigned laneMask) {
  for (unsigned bit = 0; bit < numLaneBits; ++bit) {
    if (!(laneMask >> bit & 1))
      continue;
    SmallVector<Value> others = elementsOf(vector);
    for (Value &element : others)
      element = shuffle(element, i32(1 << bit), /*isButterfly=*/true);
    vector = combine(b, kind, vector, vectorOfElements(others));
  }
  return vector;
}
