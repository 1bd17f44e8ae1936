//===- ThreadBarriers.h - how warps wait for each other ---------*- C++ -*-===//
//
// Barriers in shared memory, which count threads and bytes, and those that have
// numbers, at which whole warps meet.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_THREADBARRIERS_H
#define FUSE_LIB_SIMULATE_THREADBARRIERS_H

#include "Clock.h"
#include "mlir/IR/Operation.h"
#include <map>
#include <optional>

namespace fuse::simulate {

/// A barrier in shared memory. Its phase turns when so many threads have come
/// as it was made for, and so many bytes as they said.
class PhaseBarrier {
public:
  /// What is copied before the end of a phase is done by `engine`. With crews
  /// the warps of one come to a phase that those of others do not care for.
  PhaseBarrier(mlir::Operation *made, Moment when, int64_t threads,
               unsigned engine, bool hasCrews)
      : made(made), when(when), engine(engine), hasCrews(hasCrews),
        threads(threads), pending(threads) {}

  /// A thread of warp `actor` comes, which knows of `clock`.
  llvm::LogicalResult arrive(mlir::Operation *op, unsigned actor,
                             const Clock &clock);
  /// So many bytes more are expected, or fewer.
  llvm::LogicalResult expect(mlir::Operation *op, int64_t more);
  /// When a copy is done whose bytes count for the phase that goes on. Who
  /// waits for it knows what is known to who has set it off.
  Moment beginCopy(const Clock &clock) {
    future.join(clock);
    return {engine, phases + 1};
  }
  /// Turns the phase if all is there.
  llvm::LogicalResult turn(mlir::Operation *op);
  /// Whether the phase with this parity is over; then `clock` knows of it.
  llvm::FailureOr<bool> tryWait(mlir::Operation *op, unsigned actor,
                                int64_t parity, Clock &clock);
  /// Checks that nobody is missing in a phase that has begun.
  llvm::LogicalResult finish() const;

  bool isKnownTo(const Clock &clock) const {
    return isTold || clock.knows(when);
  }
  /// Who has made it fences it, and tells all whom he meets behind that.
  void fence(unsigned actor) { isFenced |= when.actor == actor; }
  void tell() { isTold |= isFenced; }
  mlir::Operation *madeBy() const { return made; }

private:
  /// Whether as many threads have come as to the phase before, by warps.
  bool isLikeBefore() const;

  mlir::Operation *made;
  Moment when;
  unsigned engine;
  bool hasCrews, isFenced = false, isTold = false;
  int64_t threads, pending, bytes = 0;
  uint64_t phases = 0;
  /// Of the phases that are over, and of the one that goes on.
  Clock past, future;
  /// How often threads of each warp came in this phase and in the last one.
  std::map<unsigned, int64_t> arrived, before;
  /// Which phase each warp last saw the end of; with crews any of them.
  std::map<unsigned, uint64_t> seen;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_THREADBARRIERS_H
