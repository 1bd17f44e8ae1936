//===- Barriers.cpp - how threads wait for each other ---------------------===//
//
// At barriers that have numbers, at those of a cluster, and at those in shared
// memory, which count threads and the bytes that the copy engine brings.
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"

using namespace fuse;
using namespace fuse::emulate;

//===----------------------------------------------------------------------===//
// Numbered, and of clusters
//===----------------------------------------------------------------------===//

/// Those that have ended have come to a barrier of all.
static void turnNumbered(NumberedBarrier &barrier, const Block &block) {
  size_t missing = barrier.threads != 0 ? barrier.threads
                                        : block.threads.size() - block.done;
  if (barrier.arrived == 0 || barrier.arrived < missing)
    return;
  barrier.arrived = 0;
  barrier.result = barrier.any;
  barrier.any = false;
  ++barrier.turns;
}

static void turnCluster() {
  if (cluster->arrived == 0 ||
      cluster->arrived + cluster->done < cluster->numThreads())
    return;
  cluster->arrived = 0;
  ++cluster->meetings;
}

void emulate::endAtBarriers() {
  for (NumberedBarrier &barrier : current->block->barriers)
    turnNumbered(barrier, *current->block);
  turnCluster();
}

static NumberedBarrier &comeTo(uint32_t number, uint32_t threads) {
  if (number >= current->block->barriers.size())
    fail("there is no barrier " + std::to_string(number));
  if (threads % lanes != 0)
    fail("barrier " + std::to_string(number) + " is for " +
         std::to_string(threads) + " threads, which are no whole warps");
  NumberedBarrier &barrier = current->block->barriers[number];
  if (barrier.arrived != 0 && barrier.threads != threads)
    fail("barrier " + std::to_string(number) + " is for " +
         std::to_string(threads) + " threads here, and elsewhere for " +
         std::to_string(barrier.threads));
  barrier.threads = threads;
  return barrier;
}

extern "C" {

/// `threads` is 0 for all of the block. Whether `value` holds for any of them.
uint32_t emuBarrier(uint32_t number, uint32_t threads, uint32_t value) {
  NumberedBarrier &barrier = comeTo(number, threads);
  uint64_t turns = barrier.turns;
  barrier.any |= value != 0;
  ++barrier.arrived;
  turnNumbered(barrier, *current->block);
  waitWhile(barrier.turns, turns, "bar.sync");
  return barrier.result;
}

/// The same for who does not wait for the others.
void emuBarrierArrive(uint32_t number, uint32_t threads) {
  NumberedBarrier &barrier = comeTo(number, threads);
  ++barrier.arrived;
  turnNumbered(barrier, *current->block);
}

void emuMeetCluster() {
  uint64_t meetings = cluster->meetings;
  ++cluster->arrived;
  turnCluster();
  waitWhile(cluster->meetings, meetings, "barrier.cluster");
}

} // extern "C"

//===----------------------------------------------------------------------===//
// In shared memory
//===----------------------------------------------------------------------===//

/// What is where a barrier is, which nobody may write.
static constexpr uint64_t mark = 0x66757365'62617272;

PhaseBarrier &emulate::barrierAt(char *shared, const char *who) {
  checkShared(shared, sizeof(mark), who);
  auto failIf = [&](bool isBad, const char *what) {
    if (isBad)
      failOf("block " + std::to_string(blockOf(shared).number),
             std::string(who) + " needs a barrier, and that at " +
                 placeOf(shared) + what);
  };
  auto found = cluster->barriers.find(shared);
  failIf(found == cluster->barriers.end(), " was not made");
  failIf(std::memcmp(shared, &mark, sizeof(mark)) != 0, " was written over");
  return found->second;
}

void emulate::turn(PhaseBarrier &barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0)
    return;
  barrier.pending = barrier.threads;
  ++barrier.phase;
}

static void arrive(char *shared, int64_t bytes) {
  PhaseBarrier &barrier = barrierAt(shared, "mbarrier.arrive");
  if (barrier.pending == 0)
    fail("one thread more comes to the mbarrier at " + placeOf(shared) +
         " than the " + std::to_string(barrier.threads) + " it is for");
  barrier.bytes += bytes;
  --barrier.pending;
  turn(barrier);
}

extern "C" {

void emuBarrierInit(char *shared, uint32_t threads) {
  if (reinterpret_cast<uintptr_t>(shared) % sizeof(mark) != 0)
    fail("an mbarrier at " + placeOf(shared) + " is not aligned");
  if (threads == 0)
    fail("an mbarrier for no threads");
  std::memcpy(shared, &mark, sizeof(mark));
  noteWrite(shared, sizeof(mark));
  if (!cluster->barriers.try_emplace(shared, PhaseBarrier{threads, threads})
           .second)
    fail("the mbarrier at " + placeOf(shared) + " is made twice");
}

void emuArrive(char *shared) { arrive(shared, 0); }
void emuArriveExpecting(char *shared, uint32_t bytes) { arrive(shared, bytes); }
void emuArriveElsewhere(char *shared, uint32_t rank) {
  arrive(emuElsewhere(shared, rank), 0);
}

/// Until the phase with this parity is over, which the one before the first is.
void emuWaitForPhase(char *shared, uint32_t parity) {
  PhaseBarrier &barrier = barrierAt(shared, "mbarrier.try_wait");
  while ((barrier.phase & 1) == parity)
    waitWhile(barrier.phase, barrier.phase, "mbarrier.try_wait", shared);
}

} // extern "C"
