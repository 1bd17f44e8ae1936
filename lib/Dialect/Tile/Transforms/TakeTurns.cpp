//===- TakeTurns.cpp - one crew multiplies while others do the rest -------===//
//
// At each place a crew has its turn from the first number of a ring that it
// waits for to the last product that it sets off. So nobody waits for a number
// before all that come before it are there, which one bit cannot tell apart;
// and tensor cores are fed by one crew at a time, while others wait for the
// last sums, compute with them and store them.
//
// When there are no places left, the crew whose turn would be next takes it, so
// that as many turns are taken as were given.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse {
#define GEN_PASS_DEF_TAKETURNS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

template <typename... OpTys> static bool has(Operation &op) {
  return op
      .walk([](Operation *inner) {
        return isa<OpTys...>(inner) ? WalkResult::interrupt()
                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The bounds of the way are those that `tile-split-roles` has given each crew.
static void takeTurns(RoleOp role, scf::ForOp way) {
  Operation *first = nullptr, *last = nullptr;
  for (Operation &op : way.getBody()->without_terminator()) {
    if (!first && has<WaitOp>(op))
      first = &op;
    if (has<WaitOp, DotIssueOp, DotOp>(op))
      last = &op;
  }
  if (!first)
    return;
  ImplicitLocOpBuilder b(way.getLoc(), first);
  TakeTurnOp::create(b);
  b.setInsertionPointAfter(last);
  GiveTurnOp::create(b);

  // How many places this crew had, and whether the one before it had as many.
  b.setInsertionPointAfter(way);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value crew = CrewOp::create(b, b.getIndexType()),
        crews = number(role.getCrews());
  Value stride = arith::DivUIOp::create(b, way.getStep(), crews);
  Value begin = arith::SubIOp::create(b, way.getLowerBound(),
                                      arith::MulIOp::create(b, stride, crew));
  Value length = arith::MaxSIOp::create(
      b, arith::SubIOp::create(b, way.getUpperBound(), begin), number(0));
  // Rounded up, in 32 bits: a GPU divides by 64 in a function of many
  // instructions, and so many places have no memory.
  auto narrow = [&](Value value) -> Value {
    return arith::IndexCastUIOp::create(b, b.getI32Type(), value);
  };
  Value most = arith::SubIOp::create(b, stride, number(1));
  Value places = arith::IndexCastUIOp::create(
      b, b.getIndexType(),
      arith::DivUIOp::create(b, narrow(arith::AddIOp::create(b, length, most)),
                             narrow(stride)));
  Value next = arith::RemUIOp::create(b, places, crews);
  Value isNext = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next, crew);
  auto branch = scf::IfOp::create(b, isNext, /*withElseRegion=*/false);
  b.setInsertionPointToStart(branch.thenBlock());
  TakeTurnOp::create(b);
}

namespace {

struct TakeTurnsPass final : fuse::impl::TakeTurnsBase<TakeTurnsPass> {
  void runOnOperation() final {
    SmallVector<RoleOp> roles;
    getOperation().walk([&](RoleOp role) {
      if (role.getCrews() != 1)
        roles.push_back(role);
    });
    for (RoleOp role : roles)
      for (auto way : llvm::to_vector(role.getBody().getOps<scf::ForOp>()))
        takeTurns(role, way);
  }
};

} // namespace
