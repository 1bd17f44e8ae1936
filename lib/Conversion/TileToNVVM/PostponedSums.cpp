//===- PostponedSums.cpp - lanes are added up behind a loop ---------------===//
//
// What a loop only adds up, and scales alike in all lanes, need not be the
// whole sum in each round: lanes keep what is theirs, and are added up once
// behind it.
//
//   l' = l * x + sum(p)
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

/// Whether `value` is what the loop carries, times what all lanes that share an
/// element have alike.
static bool isScaled(Value value, BlockArgument carried, Operation *user) {
  if (!isOnlyFor(value, user))
    return false;
  if (value == carried)
    return true;
  auto product = value.getDefiningOp<arith::MulFOp>();
  return product && product.getLhs() != product.getRhs() &&
         (isScaled(product.getLhs(), carried, product) ||
          isScaled(product.getRhs(), carried, product));
}

ReduceOp ThreadEmitter::postponedSum(scf::ForOp loop, unsigned number) {
  Operation *yield = loop.getBody()->getTerminator();
  Value next = loop.getYieldedValues()[number];
  auto sum = next.getDefiningOp<arith::AddFOp>();
  if (!sum || sum->getBlock() != loop.getBody() || !isOnlyFor(next, yield) ||
      llvm::count(loop.getYieldedValues(), next) != 1)
    return {};
  BlockArgument carried = loop.getRegionIterArg(number);
  for (auto [part, rest] : {std::pair(sum.getLhs(), sum.getRhs()),
                            std::pair(sum.getRhs(), sum.getLhs())}) {
    auto reduce = part.getDefiningOp<ReduceOp>();
    if (!reduce || reduce->getBlock() != loop.getBody() ||
        reduce.getKind() != CombineKind::Sum || !isOnlyFor(part, sum) ||
        !isScaled(rest, carried, sum))
      continue;
    Reduction reduction = *layoutOf(reduce.getSource().getType())
                               .getValue()
                               .reduction(toUnsigned(reduce.getDims()));
    if (reduction.laneMask != 0 && reduction.warpMask == 0 &&
        reduction.ctaMask == 0 &&
        layoutOf(reduce.getType()) == layoutOf(carried.getType()))
      return reduce;
  }
  return {};
}

/// Of lanes that share an element the first has it, and others have nothing.
Value ThreadEmitter::shareOfLane(Value vector, unsigned laneMask) {
  if (matchPattern(vector, m_AnyZeroFloat()))
    return vector;
  auto type = cast<VectorType>(vector.getType());
  Value own = arith::AndIOp::create(b, thread, i32(laneMask));
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, own, i32(0));
  Value zero =
      constant(b.getFloatAttr(type.getElementType(), 0.0), type.getDimSize(0));
  return arith::SelectOp::create(b, isFirst, vector, zero);
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
