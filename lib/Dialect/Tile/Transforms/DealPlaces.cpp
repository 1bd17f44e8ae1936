//===- DealPlaces.cpp - crews that take places in turn --------------------===//
//
// Crew c of n starts with the place that comes c steps behind the first one,
// and goes on by n steps. Whoever fills rings goes through all places, so what
// a crew carries from place to place to count their numbers has to pass over
// those of others, which have to be equally many at each place.
//
//===----------------------------------------------------------------------===//

#include "DealPlaces.h"
#include "fuse/Dialect/Tile/Analysis/Collect.h"
#include "fuse/Dialect/Tile/Analysis/Rounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// What a loop adds in each round to what it carries with a number; null if it
/// does something else with it, or not always the same is added.
static Value addedInRound(scf::ForOp loop, unsigned carried) {
  BlockArgument argument = loop.getRegionIterArg(carried);
  auto sum = loop.getYieldedValues()[carried].getDefiningOp<arith::AddIOp>();
  if (!argument.getType().isIndex() || !sum)
    return {};
  for (auto [own, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                            std::pair(sum.getRhs(), sum.getLhs())})
    if (own == argument && isSameInAllRounds(other, loop))
      return other;
  return {};
}

/// The way through the grid, if a block has one and nothing else that goes
/// round.
static scf::ForOp wayOf(Block &block) {
  scf::ForOp way;
  for (Operation &op : block) {
    if (op.getNumRegions() == 0)
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || way)
      return {};
    way = loop;
  }
  return way;
}

std::string fuse::tile::whyNotDealt(KernelOp kernel) {
  if (!kernel.getWalks())
    return "its blocks do not walk";
  if (collects(kernel))
    return "its blocks merge what they have";
  scf::ForOp way = wayOf(kernel.getBody().front());
  if (!way)
    return "it does more than walk";
  for (unsigned carried = 0; carried < way.getNumRegionIterArgs(); ++carried)
    if (!addedInRound(way, carried))
      return "not all places take equally many rounds";
  return std::string();
}

/// The number as it is before a loop; what computes it is there then.
static Value valueBefore(Value value, scf::ForOp loop, OpBuilder &b,
                         IRMapping &mapping) {
  if (loop.isDefinedOutsideOfLoop(value) || mapping.contains(value))
    return mapping.lookupOrDefault(value);
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    (void)valueBefore(operand, loop, b, mapping);
  (void)b.clone(*op, mapping);
  return mapping.lookup(value);
}

void fuse::tile::dealPlaces(RoleOp math) {
  scf::ForOp way = wayOf(math.getBody().front());
  ImplicitLocOpBuilder b(way.getLoc(), way);
  Value crew = CrewOp::create(b, b.getIndexType());
  Value crews = arith::ConstantIndexOp::create(b, math.getCrews());
  auto times = [&](Value value, Value number) {
    return b.createOrFold<arith::MulIOp>(value, number);
  };
  IRMapping mapping;
  for (unsigned carried = 0; carried < way.getNumRegionIterArgs(); ++carried) {
    Value added = valueBefore(addedInRound(way, carried), way, b, mapping);
    OpOperand &init = way.getInitArgsMutable()[carried];
    init.set(b.createOrFold<arith::AddIOp>(init.get(), times(added, crew)));
    Value all = times(added, crews);
    OpBuilder::InsertionGuard guard(b);
    Operation *yield = way.getBody()->getTerminator();
    b.setInsertionPoint(yield);
    yield->setOperand(
        carried, arith::AddIOp::create(b, way.getRegionIterArg(carried), all));
  }
  way.setLowerBound(b.createOrFold<arith::AddIOp>(way.getLowerBound(),
                                                  times(way.getStep(), crew)));
  way.setStep(times(way.getStep(), crews));
}
