//===- ThreadBarriers.cpp - how warps wait for each other -----------------===//
//
// What a chip counts, and what nobody could mean.
//
//===----------------------------------------------------------------------===//

#include "ThreadBarriers.h"
#include "mlir/IR/Diagnostics.h"
#include <set>

using namespace mlir;
using namespace fuse::simulate;

LogicalResult PhaseBarrier::arrive(Operation *op, unsigned actor,
                                   const Clock &clock) {
  if (pending == 0)
    return op->emitOpError("comes to a barrier to which all of its ")
           << threads << " threads have come, and which waits for " << bytes
           << " bytes";
  ++arrived[actor];
  --pending;
  future.join(clock);
  return turn(op);
}

LogicalResult PhaseBarrier::expect(Operation *op, int64_t more) {
  constexpr int64_t most = (1 << 20) - 1;
  bytes += more;
  if (bytes < -most || bytes > most)
    return op->emitOpError("makes a barrier wait for ")
           << bytes << " bytes, but it can count " << most;
  return success();
}

bool PhaseBarrier::isLikeBefore() const {
  if (!hasCrews)
    return arrived == before;
  auto sizes = [](const std::map<unsigned, int64_t> &counts) {
    std::multiset<int64_t> all;
    for (auto [actor, count] : counts)
      all.insert(count);
    return all;
  };
  return sizes(arrived) == sizes(before);
}

LogicalResult PhaseBarrier::turn(Operation *op) {
  if (pending != 0 || bytes != 0)
    return success();
  ++phases;
  pending = threads;
  past.join(future);
  past.advanceTo({engine, phases});
  // Who came to one phase and not to the other would be counted for somebody
  // else.
  if (phases != 1 && !isLikeBefore()) {
    InFlightDiagnostic diagnostic =
        op->emitOpError("ends a phase to which other warps have come, or more "
                        "often, than to the one before");
    diagnostic.attachNote(made->getLoc())
        << "the barrier is made for " << threads << " threads here";
    return diagnostic;
  }
  before = std::move(arrived);
  arrived.clear();
  return success();
}

FailureOr<bool> PhaseBarrier::tryWait(Operation *op, unsigned actor,
                                      int64_t parity, Clock &clock) {
  if (static_cast<int64_t>(phases % 2) == parity)
    return false;
  uint64_t &last =
      seen.try_emplace(hasCrews ? 0 : actor, phases > 1 ? 0 : phases)
          .first->second;
  if (phases > last + 1) {
    InFlightDiagnostic diagnostic =
        op->emitOpError("has missed a phase of its barrier: ")
        << phases << " are over, and its warp last saw " << last;
    diagnostic.attachNote(made->getLoc()) << "the barrier is made here";
    return diagnostic;
  }
  last = phases;
  clock.join(past);
  return true;
}

LogicalResult PhaseBarrier::finish() const {
  if (pending == threads && bytes == 0)
    return success();
  return made->emitOpError("makes a barrier to which at the end ")
         << threads - pending << " of " << threads
         << " threads have come, and which waits for " << bytes << " bytes";
}
