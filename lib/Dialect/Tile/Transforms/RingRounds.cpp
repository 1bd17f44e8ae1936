//===- RingRounds.cpp - what is known of the rounds of a loop -------------===//

#include "RingRounds.h"
#include "ThreadLimits.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

int64_t fuse::tile::cyclesOfRound(scf::ForOp loop) {
  constexpr int64_t productsAtOnce = 128;
  if (!isa<KernelOp>(loop->getParentOp()) ||
      llvm::any_of(loop.getBody()->getOperations(),
                   [](Operation &op) { return isa<scf::ForOp, ReduceOp>(op); }))
    return 0;
  int64_t products = 0;
  for (DotOp dot : loop.getBody()->getOps<DotOp>()) {
    if (dot.getAtom() != Atom::Outer)
      return 0;
    auto lhs = cast<RankedTensorType>(dot.getLhs().getType());
    int64_t terms = 1;
    for (int64_t size : lhs.getShape().take_back(dot.getContract()))
      terms *= size;
    products += cast<RankedTensorType>(dot.getType()).getNumElements() * terms;
  }
  return products / productsAtOnce;
}

int64_t fuse::tile::blocksByRegisters(scf::ForOp loop, int64_t warps) {
  constexpr int64_t processorRegisters = 65536, others = 64;
  int64_t carried = others;
  for (Operation *op = loop; op; op = op->getParentOp())
    if (auto around = dyn_cast<scf::ForOp>(op))
      for (Value tile : around.getRegionIterArgs())
        if (LayoutAttr layout = layoutOf(tile.getType()))
          carried +=
              layout.getValue().numRegisters() *
              elementBytes(
                  cast<RankedTensorType>(tile.getType()).getElementType()) /
              4;
  return processorRegisters / (warps * numLanes * carried);
}

/// Adds what a bound is the largest or the smallest of, each as something and a
/// number that is added to it.
template <typename BoundOp>
static void addTerms(Value bound,
                     SmallVectorImpl<std::pair<Value, int64_t>> &terms) {
  if (auto choice = bound.getDefiningOp<BoundOp>()) {
    addTerms<BoundOp>(choice.getLhs(), terms);
    addTerms<BoundOp>(choice.getRhs(), terms);
    return;
  }
  APInt number;
  if (matchPattern(bound, m_ConstantInt(&number))) {
    terms.push_back({Value(), number.getSExtValue()});
    return;
  }
  terms.push_back({bound, 0});
  if (auto sum = bound.getDefiningOp<arith::AddIOp>();
      sum && matchPattern(sum.getRhs(), m_ConstantInt(&number)))
    terms.push_back({sum.getLhs(), number.getSExtValue()});
}

bool fuse::tile::isCountable(scf::ForOp loop) {
  if (!loop.getInductionVar().getType().isIndex() || loop.getUnsignedCmp())
    return false;
  Operation *op = loop->getParentOp();
  while (isa<scf::ForOp>(op))
    op = op->getParentOp();
  return isa<KernelOp>(op);
}

std::optional<int64_t> fuse::tile::mostRounds(scf::ForOp loop) {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      !step.isStrictlyPositive())
    return std::nullopt;
  SmallVector<std::pair<Value, int64_t>> lowers, uppers;
  addTerms<arith::MaxSIOp>(loop.getLowerBound(), lowers);
  addTerms<arith::MinSIOp>(loop.getUpperBound(), uppers);
  std::optional<int64_t> most;
  for (auto [low, before] : lowers)
    for (auto [high, behind] : uppers) {
      if (low != high)
        continue;
      int64_t rounds = llvm::divideCeilSigned(
          std::max<int64_t>(behind - before, 0), step.getSExtValue());
      most = std::min(most.value_or(rounds), rounds);
    }
  return most;
}

bool fuse::tile::areOnlyLoops(ArrayRef<scf::ForOp> loops) {
  // Of what has a ring already the copies are there.
  WalkResult others =
      loops.front()->getParentOfType<KernelOp>().walk([&](Operation *op) {
        auto around = op->getParentOfType<scf::ForOp>();
        bool isOther = isa<LoadOp, CopyOp>(op) && around &&
                       !llvm::is_contained(loops, around);
        return isOther ? WalkResult::interrupt() : WalkResult::advance();
      });
  return !others.wasInterrupted();
}

Operation *fuse::tile::lastBeforeLoops(scf::ForOp loop,
                                       ArrayRef<Operation *> readers) {
  auto inner = loop.getBody()->getOps<scf::ForOp>();
  if (inner.empty())
    return nullptr;
  Operation *last = nullptr;
  for (Operation *reader : readers) {
    Operation *op = loop.getBody()->findAncestorOpInBlock(*reader);
    if (!op || !op->isBeforeInBlock(*inner.begin()))
      return nullptr;
    if (!last || last->isBeforeInBlock(op))
      last = op;
  }
  return last;
}

/// The registers of a thread for the sums of a loop, and for factors that are
/// made in it.
static int64_t registersOfProducts(scf::ForOp loop) {
  llvm::SmallDenseSet<Value> factors;
  int64_t registers = 0;
  loop.walk([&](DotOp dot) {
    registers += registersOf(dot.getType());
    auto lhs = cast<RankedTensorType>(dot.getLhs().getType());
    if (layoutOf(lhs) && factors.insert(dot.getLhs()).second)
      registers += registersOf(lhs);
  });
  return registers;
}

Operation *fuse::tile::firstBehindLoops(scf::ForOp loop,
                                        ArrayRef<Operation *> readers,
                                        RankedTensorType tile) {
  // What two groups of four warps have beside one that loads, and what
  // addresses and what is computed take of it.
  constexpr int64_t most = 232, others = 36;
  Operation *first = nullptr;
  for (Operation *reader : readers) {
    Operation *op = loop.getBody()->findAncestorOpInBlock(*reader);
    if (!op)
      return nullptr;
    if (!first || op->isBeforeInBlock(first))
      first = op;
  }
  int64_t products = 0;
  for (auto inner : loop.getBody()->getOps<scf::ForOp>())
    if (first && inner->isBeforeInBlock(first))
      products = std::max(products, registersOfProducts(inner));
  bool isTooMuch = products + registersOf(tile) + others > most;
  return products > 0 && isTooMuch ? first : nullptr;
}
