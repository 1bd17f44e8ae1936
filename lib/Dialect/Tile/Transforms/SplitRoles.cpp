//===- SplitRoles.cpp - loading becomes a role of its own -----------------===//
//
// Where the copy engine can fill all rings of a kernel, warps of their own tell
// it to: they run through the same loops, with nothing in them but the copies
// and what their addresses and numbers are computed from. The other warps do
// what is left. Both count the same numbers, so nothing else ties them
// together.
//
//===----------------------------------------------------------------------===//

#include "DealPlaces.h"
#include "fuse/Dialect/Tile/Analysis/BoxCopy.h"
#include "fuse/Dialect/Tile/Analysis/Collect.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "fuse/Layout/RoleRegisters.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse {
#define GEN_PASS_DEF_SPLITROLES
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static bool isTile(Type type) { return isa<RankedTensorType>(type); }
static bool isScalar(Type type) { return type.isIntOrIndex(); }

/// What every role may compute for itself.
static bool isScalarOp(Operation &op) {
  return op.getNumRegions() == 0 && op.getNumResults() != 0 &&
         isMemoryEffectFree(&op) &&
         llvm::none_of(op.getOperandTypes(), isTile) &&
         llvm::none_of(op.getResultTypes(), isTile);
}

/// The same of numbers in memory, which nobody writes.
static bool isNumberOp(Operation &op) {
  auto isNumber = [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile ? tile.getRank() == 0 : isScalar(type) || isa<MemRefType>(type);
  };
  if (op.getNumRegions() != 0 || op.getNumResults() == 0 ||
      !llvm::all_of(op.getOperandTypes(), isNumber) ||
      !llvm::all_of(op.getResultTypes(), isNumber))
    return false;
  return isa<LoadOp>(op) || isMemoryEffectFree(&op);
}

static bool fills(Operation *op) {
  return isa<AcquireOp, CopyOp, CommitOp>(op);
}

namespace {

/// Writes the loops of the role that loads.
class Loader {
public:
  /// `others` stay with the other role.
  Loader(OpBuilder &b, ArrayRef<Operation *> others)
      : b(b), others(others.begin(), others.end()) {}
  /// False if something is needed that only the other role has.
  bool emit(ArrayRef<Operation *> ops);

private:
  bool emitLoop(scf::ForOp loop);
  bool isKnown(Value value) {
    return mapping.contains(value) || outside(value);
  }
  bool areKnown(ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return isKnown(value); });
  }
  /// Computed before the roles.
  bool outside(Value value) {
    return isa<KernelOp>(value.getParentBlock()->getParentOp()) &&
           !others.contains(value.getDefiningOp());
  }

  OpBuilder &b;
  SmallPtrSet<Operation *, 16> others;
  IRMapping mapping;
};

} // namespace

bool Loader::emitLoop(scf::ForOp loop) {
  SmallVector<unsigned> carried;
  SmallVector<Value> inits;
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
    if (isScalar(init.getType()) && isKnown(init)) {
      carried.push_back(number);
      inits.push_back(mapping.lookupOrDefault(init));
    }
  if (!areKnown({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}))
    return false;
  auto own = scf::ForOp::create(b, loop.getLoc(),
                                mapping.lookupOrDefault(loop.getLowerBound()),
                                mapping.lookupOrDefault(loop.getUpperBound()),
                                mapping.lookupOrDefault(loop.getStep()), inits);
  mapping.map(loop.getInductionVar(), own.getInductionVar());
  for (auto [number, argument] :
       llvm::zip_equal(carried, own.getRegionIterArgs()))
    mapping.map(loop.getRegionIterArg(number), argument);
  OpBuilder::InsertionGuard guard(b);
  if (own.getBody()->mightHaveTerminator())
    b.setInsertionPoint(own.getBody()->getTerminator());
  else
    b.setInsertionPointToEnd(own.getBody());
  if (!emit(llvm::to_vector(
          llvm::make_pointer_range(loop.getBody()->without_terminator()))))
    return false;
  SmallVector<Value> yielded;
  for (unsigned number : carried) {
    Value value = loop.getYieldedValues()[number];
    if (!isKnown(value))
      return false;
    yielded.push_back(mapping.lookupOrDefault(value));
  }
  if (!yielded.empty())
    scf::YieldOp::create(b, loop.getLoc(), yielded);
  for (auto [number, result] : llvm::zip_equal(carried, own.getResults()))
    mapping.map(loop.getResult(number), result);
  return true;
}

bool Loader::emit(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    if (fills(op)) {
      if (!areKnown(op->getOperands()))
        return false;
      b.clone(*op, mapping);
      continue;
    }
    if (isScalarOp(*op) || isNumberOp(*op)) {
      if (areKnown(op->getOperands()))
        b.clone(*op, mapping);
      continue;
    }
    bool hasFilling = op->walk([](Operation *inner) {
                          return fills(inner) ? WalkResult::interrupt()
                                              : WalkResult::advance();
                        }).wasInterrupted();
    if (!hasFilling)
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || !emitLoop(loop))
      return false;
  }
  return true;
}

/// Whether the copy engine can do all copies.
static bool areBoxes(ArrayRef<CopyOp> copies) {
  return llvm::all_of(copies, [](CopyOp copy) {
    // Who cannot have a share of a copy does all of it.
    if (copy.getMulticast() && !boxCopy(copy))
      copy.setMulticast(false);
    return boxCopy(copy).has_value();
  });
}

/// As many as are asked for, or one, which says why.
static int64_t chooseCrews(KernelOp kernel) {
  int64_t asked = crewsOf(kernel);
  std::string why = asked == 1 ? std::string() : whyNotDealt(kernel);
  if (why.empty())
    return asked;
  kernel->removeAttr("tile.crews");
  kernel.emitRemark("has one crew: ") << why;
  return 1;
}

namespace {

/// Gives a kernel a role that loads, and one that does the rest.
class RoleSplitter {
public:
  explicit RoleSplitter(KernelOp kernel) : kernel(kernel) {
    kernel.walk([&](RingOp op) { rings.push_back(op); });
    kernel.walk([&](CopyOp op) { copies.push_back(op); });
    if (auto given = kernel->getAttrOfType<IntegerAttr>("tile.warps"))
      warps = given.getInt();
  }

  /// Why it stays as it is; empty if it has been split.
  std::string split();

private:
  std::string whyNot();
  void createRoles();
  RoleOp createRole(ImplicitLocOpBuilder &b, RoleKind kind, int64_t count,
                    int64_t crews, std::optional<int64_t> registers);
  SmallVector<Operation *> opsOfRoles();
  void moveToMath(ArrayRef<Operation *> ops);
  void finishLoad();

  KernelOp kernel;
  SmallVector<RingOp> rings;
  SmallVector<CopyOp> copies;
  /// 0 if it is not known.
  int64_t warps = 0, crews = 1;
  RolesOp roles;
  RoleOp math, load;
};

} // namespace

std::string RoleSplitter::whyNot() {
  auto asked = kernel->getAttrOfType<IntegerAttr>("tile.roles");
  if (asked && asked.getInt() == 1)
    return "its schedule asks for one";
  if (warps == 0 || warps % 4 != 0)
    return "the number of its warps is no multiple of 4";
  if (rings.empty())
    return "no loop of it copies ahead";
  // Warps that multiply by themselves are needed for that, all that fit.
  if (!multipliesByWarpgroups(kernel) && !asked)
    return "no product of it is done by warpgroups";
  if (!areBoxes(copies))
    return "the copy engine cannot fill its rings";
  return "";
}

RoleOp RoleSplitter::createRole(ImplicitLocOpBuilder &b, RoleKind kind,
                                int64_t count, int64_t crews,
                                std::optional<int64_t> registers) {
  IntegerAttr attribute;
  if (registers)
    attribute = b.getI64IntegerAttr(*registers);
  auto role = RoleOp::create(b, kind, count, crews, attribute);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&role.getBody());
  return role;
}

/// Roles behind everything; what all of them need is before.
void RoleSplitter::createRoles() {
  ImplicitLocOpBuilder b(kernel.getLoc(),
                         kernel.getBody().front().getTerminator());
  roles = RolesOp::create(b);
  b.setInsertionPointToEnd(b.createBlock(&roles.getBody()));
  auto residents = kernel->getAttrOfType<IntegerAttr>("tile.residents");
  bool isOpenWalk = kernel.getWalks() && kernel->hasAttr("tile.order") &&
                    !kernel->hasAttr("tile.grid");
  auto registers =
      RoleRegisters::of(crews * warps, residents ? residents.getInt() : 1,
                        isOpenWalk, addsUpApart(kernel));
  std::optional<int64_t> forMath, forLoad;
  if (registers.areDivided()) {
    forMath = registers.math;
    forLoad = registers.load;
  }
  math = createRole(b, RoleKind::Math, warps, crews, forMath);
  load = createRole(b, RoleKind::Load, RoleRegisters::loadWarps, /*crews=*/1,
                    forLoad);
}

/// What is not for all roles, in order.
SmallVector<Operation *> RoleSplitter::opsOfRoles() {
  Block &body = kernel.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    if (&op != roles && !isa<RingOp>(op) && !isScalarOp(op))
      ops.push_back(&op);
  // A scalar that comes from a tile is of the role that has the tile.
  for (Operation &op : body.without_terminator())
    if (isScalarOp(op) && llvm::any_of(op.getOperands(), [&](Value operand) {
          return llvm::is_contained(ops, operand.getDefiningOp());
        }))
      ops.push_back(&op);
  llvm::sort(ops,
             [](Operation *a, Operation *c) { return a->isBeforeInBlock(c); });
  return ops;
}

void RoleSplitter::moveToMath(ArrayRef<Operation *> ops) {
  Block &block = math.getBody().front();
  for (Operation *op : ops)
    op->moveBefore(&block, block.end());
  math.walk([](Operation *op) {
    if (fills(op))
      op->erase();
  });
  if (crews != 1)
    dealPlaces(math);
}

/// Leaves out scalars that only the other role needs. The engine copies, not
/// threads.
void RoleSplitter::finishLoad() {
  SmallVector<Operation *> cloned;
  load.walk([&](Operation *op) { cloned.push_back(op); });
  for (Operation *op : llvm::reverse(cloned))
    if (isOpTriviallyDead(op))
      op->erase();
  load.walk([](CopyOp copy) { copy.removeThreadsAttr(); });
  for (RingOp ring : rings)
    ring.setFeed(Feed::Tma);
}

std::string RoleSplitter::split() {
  if (std::string why = whyNot(); !why.empty())
    return why;
  crews = chooseCrews(kernel);
  createRoles();
  SmallVector<Operation *> ops = opsOfRoles();
  OpBuilder loader = OpBuilder::atBlockEnd(&load.getBody().front());
  if (!Loader(loader, ops).emit(ops)) {
    roles.erase();
    return "the bounds of a loop depend on what is loaded";
  }
  finishLoad();
  moveToMath(ops);
  return "";
}

namespace {

struct SplitRolesPass final : fuse::impl::SplitRolesBase<SplitRolesPass> {
  using SplitRolesBase::SplitRolesBase;

  void runOnOperation() final {
    KernelOp kernel = getOperation();
    std::string why = hasEngine ? RoleSplitter(kernel).split()
                                : "the code for this chip copies by threads";
    if (why.empty())
      return;
    auto asked = kernel->getAttrOfType<IntegerAttr>("tile.roles");
    if (asked && asked.getInt() != 1)
      kernel.emitRemark("has one role: ") << why;
    if (kernel->removeAttr("tile.crews"))
      kernel.emitRemark("has one crew: ") << why;
    if (!hasEngine)
      return;
    // Threads copy to their own block.
    kernel.walk([](CopyOp copy) { copy.setMulticast(false); });
    // Blocks that walk count on being together.
    if (kernel->hasAttr("tile.cluster") && !kernel.getWalks() &&
        !collects(kernel)) {
      kernel->removeAttr("tile.cluster");
      kernel.emitRemark("has no clusters: ") << why;
    }
  }
};

} // namespace
