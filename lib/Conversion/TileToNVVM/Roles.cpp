//===- Roles.cpp - warps that do different things -------------------------===//
//
// The warps that compute come first, so that layouts count threads as they are.
// One thread tells the copy engine what to do; the others of its role have done
// their part when they have handed registers over.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "ThreadEmitter.h"
#include "fuse/Dialect/Tile/Analysis/StagedStore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

Value ThreadEmitter::isFirstLane() {
  Value lane = arith::AndIOp::create(b, thread, i32(numLanes - 1));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, i32(0));
}

/// One thread makes the barriers of all slots, before any other uses them.
bool ThreadEmitter::initializeRings(RolesOp op) {
  int64_t readers = 0;
  bool isShared = false;
  for (auto role : op.getBody().getOps<RoleOp>())
    if (role.getKind() == RoleKind::Math)
      readers = role.getWarps();
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, i32(0));
  auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    constexpr int64_t barrierBytes = SharedMemory::barrierBytes;
    for (auto ring :
         op->getParentOfType<KernelOp>().getBody().getOps<RingOp>()) {
      int64_t slots = ring.getType().getSlots();
      int64_t fillers = fillersOf(ring.getResult());
      isShared |= fillers != 1;
      for (int64_t number = 0; number < 2 * slots; ++number)
        assemble(b, "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}",
                 {advance(blockBase,
                          shared.barriersOf(ring) + number * barrierBytes),
                  i32(number < slots ? 1 : readers * fillers)},
                 0);
    }
    assemble(b, "fence.mbarrier_init.release.cluster;", "~{memory}", {}, 0);
  }
  if (isShared)
    beginCluster();
  else
    barrier();
  return isShared;
}

/// The crew of this thread, the same register for all threads of a warp, and
/// what is its own: its number in it, and its part of shared memory.
void ThreadEmitter::beginCrew(RoleOp role, int64_t firstWarp) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(prologue);
  int64_t threads = role.getWarps() * numLanes;
  Value first = i32(firstWarp * numLanes);
  Value inRole = b.createOrFold<arith::SubIOp>(thread, first);
  Value number = b.createOrFold<arith::DivUIOp>(inRole, i32(threads));
  crewNumber = NVVM::ShflOp::create(b, b.getI32Type(), i32(-1), number, i32(0),
                                    i32(31), NVVM::ShflKind::idx, UnitAttr());
  thread = b.createOrFold<arith::RemUIOp>(inRole, i32(threads));
  Value bytes = arith::MulIOp::create(b, crewNumber, i32(shared.bytesOfCrew()));
  sharedBase = advance(blockBase, bytes);
  prologue = sharedBase.getDefiningOp();
}

/// Nobody has had a turn before the first one, so the last crew gives it.
LogicalResult ThreadEmitter::emitCrews(RoleOp role, int64_t firstWarp) {
  if (role.getCrews() == 1)
    return emitBlock(role.getBody().front());
  Value threadOfBlock = thread;
  beginCrew(role, firstWarp);
  WalkResult turns =
      role.walk([](TakeTurnOp) { return WalkResult::interrupt(); });
  if (turns.wasInterrupted()) {
    Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                         crewNumber, i32(role.getCrews() - 1));
    auto branch = scf::IfOp::create(b, isLast, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    emitTurn(role, /*isTaken=*/false);
  }
  LogicalResult emitted = emitBlock(role.getBody().front());
  thread = threadOfBlock;
  sharedBase = blockBase;
  crewNumber = Value();
  return emitted;
}

/// A turn is a barrier of the crew that takes it and of the one before, which
/// does not wait there.
void ThreadEmitter::emitTurn(RoleOp role, bool isTaken) {
  int64_t crews = role.getCrews();
  Value whose = crewNumber;
  if (!isTaken)
    whose = arith::RemUIOp::create(
        b, arith::AddIOp::create(b, crewNumber, i32(1)), i32(crews));
  Value number = arith::AddIOp::create(b, whose, i32(firstCrewBarrier + crews));
  assemble(b,
           std::string(isTaken ? "bar.sync" : "bar.arrive") + " $0, " +
               std::to_string(2 * role.getWarps() * numLanes) + ";",
           "r,~{memory}", {number}, 0);
}

LogicalResult ThreadEmitter::emitRole(RoleOp role, int64_t firstWarp) {
  bool isLoad = role.getKind() == RoleKind::Load;
  if (auto registers = role.getRegisters())
    assemble(b,
             std::string("setmaxnreg.") + (isLoad ? "dec" : "inc") +
                 ".sync.aligned.u32 " + std::to_string(*registers) + ";",
             "", {}, 0);
  OpBuilder::InsertionGuard guard(b);
  scf::IfOp one;
  if (isLoad) {
    Value isOne = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread,
                                        i32(firstWarp * numLanes));
    one = scf::IfOp::create(b, isOne, /*withElseRegion=*/false);
    b.setInsertionPointToStart(one.thenBlock());
  }
  roleThreads = role.getWarps() * numLanes;
  LogicalResult emitted = emitCrews(role, firstWarp);
  roleThreads.reset();
  // All threads of a cluster meet where the other role collects.
  if (isLoad) {
    b.setInsertionPointAfter(one);
    role->getParentOfType<KernelOp>().walk([&](CollectOp) {
      meetCluster(/*isTogether=*/false);
      meetCluster(/*isTogether=*/false);
    });
  }
  return emitted;
}

/// `warp` is none of those before `firstWarp`.
LogicalResult ThreadEmitter::emitRoles(ArrayRef<RoleOp> roles, Value warp,
                                       int64_t firstWarp) {
  RoleOp role = roles.front();
  if (roles.size() == 1)
    return emitRole(role, firstWarp);
  int64_t end = firstWarp + role.getAllWarps();
  Value isOwn =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, warp, i32(end));
  auto branch = scf::IfOp::create(b, isOwn, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  if (failed(emitRole(role, firstWarp)))
    return failure();
  b.setInsertionPointToStart(branch.elseBlock());
  return emitRoles(roles.drop_front(), warp, end);
}

/// The one thread that tells the copy engine what to do asks for what the host
/// wrote about it, which else the first copy would wait for.
void ThreadEmitter::fetchMaps(RolesOp op) {
  int64_t first = 0;
  for (auto role : op.getBody().getOps<RoleOp>()) {
    if (role.getKind() == RoleKind::Load)
      break;
    first += role.getAllWarps();
  }
  Value isOne = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread,
                                      i32(first * numLanes));
  auto one = scf::IfOp::create(b, isOne, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(one.thenBlock());
  op->getParentOfType<KernelOp>().walk([&](Operation *user) {
    for (Value map : {tensorMaps.lookup(user), mapsOfRests.lookup(user)})
      if (map)
        assemble(b, "prefetch.tensormap [$0];", "l", {map}, 0);
  });
}

/// Asks the second cache for what is read once, behind products: they take
/// less time than memory does where they are few.
void ThreadEmitter::fetchRows(RolesOp op) {
  for (auto role : op.getBody().getOps<RoleOp>())
    for (auto load : role.getBody().front().getOps<LoadOp>()) {
      auto isKnown = [&](Value value) { return mapping.contains(value); };
      // A tile would keep those busy who bring the first round.
      if (role.getKind() != RoleKind::Math ||
          load.getResult().getType().getRank() != 1 ||
          !llvm::all_of(load.getIndices(), isKnown) ||
          !llvm::all_of(load.getLimits(), isKnown) ||
          !llvm::all_of(load.getStarts(), isKnown))
        continue;
      Value isOwn = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                                          i32(role.getWarps() * numLanes));
      fetch(load, isOwn);
    }
}

LogicalResult ThreadEmitter::emitRoles(RolesOp op) {
  fetchMaps(op);
  bool isShared = initializeRings(op);
  if (rolesWait) {
    fetchRows(op);
    waitForOthers();
  }
  // The same register for all lanes, so that branches on it are uniform.
  Value warp =
      NVVM::ShflOp::create(b, b.getI32Type(), i32(-1),
                           arith::ShRUIOp::create(b, thread, i32(numLaneBits)),
                           i32(0), i32(31), NVVM::ShflKind::idx, UnitAttr());
  if (failed(
          emitRoles(llvm::to_vector(op.getBody().getOps<RoleOp>()), warp, 0)))
    return failure();
  // Nobody leaves while others still tell it what they have read.
  if (isShared)
    meetCluster(/*isTogether=*/false);
  return success();
}
