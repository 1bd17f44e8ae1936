//===- Threads.cpp - blocks of a GPU on one processor ---------------------===//
//
// Every thread of a block is a coroutine. It goes on until it has to meet
// others, at a barrier or in an instruction of the warp, and which one goes on
// then is drawn, as is when the copy engine and tensor cores do what they were
// told: what is right only because somebody is fast comes out wrong for some
// seed.
//
// The blocks of a cluster run together, clusters one after the other. Memory
// that is shared is poisoned before a block begins.
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"
#include "Product.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include <ucontext.h>

using namespace fuse;
using namespace fuse::emulate;

namespace fuse::emulate {
const Request *request;
Cluster *cluster;
Thread *current;
std::mt19937 draw;
} // namespace fuse::emulate

static constexpr size_t stackBytes = 256 << 10;
static constexpr unsigned char poison = 0xFF;
static std::jmp_buf scheduler;

Warp::Warp() = default;
Warp::~Warp() = default;
Warp::Warp(Warp &&) noexcept = default;

void emulate::failOf(const std::string &who, const std::string &what) {
  std::fprintf(stderr, "error: emulated %s: %s\n", who.c_str(), what.c_str());
  std::_Exit(70);
}

static std::string nameOf(const Thread &thread) {
  return "block " + std::to_string(thread.block->number) + ", thread " +
         std::to_string(thread.number);
}

void emulate::fail(const std::string &what) { failOf(nameOf(*current), what); }

//===----------------------------------------------------------------------===//
// Coroutines
//===----------------------------------------------------------------------===//

// Not swapcontext, which asks the system each time.
static void pass() {
  if (_setjmp(current->where) == 0)
    _longjmp(scheduler, 1);
}

void emulate::waitWhile(const uint64_t &counter, uint64_t value,
                        const char *reason, const char *place) {
  if (counter != value)
    return;
  current->counter = &counter;
  current->seen = value;
  current->reason = reason;
  current->place = place;
  pass();
  current->counter = nullptr;
}

static void begin() {
  request->kernel(request->parameters);
  endStores();
  current->isDone = true;
  Block &block = *current->block;
  ++block.done;
  ++cluster->done;
  if (current->number % lanes == lanes - 1)
    endProducts();
  endAtBarriers();
  if (block.done == block.threads.size()) {
    endLoads(block);
    endGroups(block);
  }
  pass();
}

static void goOn(Thread &thread, char *stack) {
  current = &thread;
  if (_setjmp(scheduler) != 0)
    return;
  if (thread.hasBegun)
    _longjmp(thread.where, 1);
  thread.hasBegun = true;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = stack;
  context.uc_stack.ss_size = stackBytes;
  context.uc_link = nullptr;
  makecontext(&context, begin, 0);
  setcontext(&context);
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// Each block has one, aligned so that descriptors count from its start.
static char *windows() {
  static constexpr size_t most = 16;
  static auto *made =
      static_cast<char *>(std::aligned_alloc(windowBytes, most * windowBytes));
  if (request->blocksOfCluster > most)
    failOf("launch", "a cluster has more than 16 blocks");
  return made;
}

static std::string reasonOf(const Thread &thread) {
  std::string text = thread.reason;
  if (!thread.place)
    return text;
  const PhaseBarrier &barrier = cluster->barriers.at(thread.place);
  return text + " at " + placeOf(thread.place) + ", which in phase " +
         std::to_string(barrier.phase) + " waits for " +
         std::to_string(barrier.pending) + " of " +
         std::to_string(barrier.threads) + " threads and " +
         std::to_string(barrier.bytes) + " bytes";
}

/// Who waits for what, once for each reason.
[[noreturn]] static void failStuck() {
  std::string all;
  std::set<std::string> told;
  for (const Block &block : cluster->blocks)
    for (const Thread &thread : block.threads)
      if (!thread.isDone && told.insert(reasonOf(thread)).second)
        all += "\n  " + nameOf(thread) + ": " + reasonOf(thread);
  failOf("cluster of block " + std::to_string(cluster->blocks[0].number),
         "all threads wait, and nobody comes" + all);
}

/// A round from a place that is drawn, so that nobody is always first. Warps
/// sleep now and then, so that others get ahead of them.
static bool stepThreads(const std::vector<std::unique_ptr<char[]>> &stacks) {
  bool hasMoved = false;
  size_t threads = request->threads, warps = cluster->blocks[0].warps.size();
  size_t count = cluster->blocks.size() * warps, first = draw() % count;
  for (size_t i = 0; i < count; ++i) {
    size_t at = (first + i) % count, block = at / warps;
    Block &own = cluster->blocks[block];
    Warp &warp = own.warps[at % warps];
    if (own.comesLater != 0) {
      --own.comesLater;
      hasMoved = true;
      continue;
    }
    if (warp.sleeps != 0) {
      --warp.sleeps;
      hasMoved = true;
      continue;
    }
    size_t end = std::min<size_t>(threads, (at % warps + 1) * lanes);
    bool hasRun = false;
    for (size_t thread = at % warps * lanes; thread < end; ++thread) {
      Thread &next = own.threads[thread];
      if (next.isDone || next.isBlocked())
        continue;
      hasRun = true;
      goOn(next, stacks[block * threads + thread].get());
    }
    if (hasRun && draw() % 8 == 0)
      warp.sleeps = draw() % 16;
    hasMoved |= hasRun;
  }
  return hasMoved;
}

static void run(uint32_t firstBlock) {
  static std::vector<std::unique_ptr<char[]>> stacks;
  Cluster own;
  cluster = &own;
  uint32_t threads = request->threads;
  own.blocks.resize(request->blocksOfCluster);
  while (stacks.size() < threads * own.blocks.size())
    stacks.emplace_back(new char[stackBytes]);
  for (uint32_t rank = 0; rank < own.blocks.size(); ++rank) {
    Block &block = own.blocks[rank];
    block.number = firstBlock + rank;
    block.rank = rank;
    // All blocks of a cluster are there, but one may begin before another one.
    if (own.blocks.size() > 1 && draw() % 2 == 0)
      block.comesLater = draw() % 4096;
    block.window = windows() + rank * windowBytes;
    std::memset(block.window, poison, windowBytes);
    block.written.resize(systemBytes + request->sharedBytes);
    block.read.resize((systemBytes + request->sharedBytes) / 16 + 1);
    block.threads.resize(threads);
    block.warps.resize((threads + lanes - 1) / lanes);
    for (uint32_t i = 0; i < threads; ++i) {
      block.threads[i].block = &block;
      block.threads[i].number = i;
    }
  }
  while (own.done < own.numThreads()) {
    bool hasMoved = stepThreads(stacks);
    hasMoved |= stepEngine();
    hasMoved |= stepProducts();
    if (!hasMoved && !hurryEngine())
      failStuck();
  }
  while (hurryEngine()) {
  }
  for (const Block &block : own.blocks)
    for (const char *at = block.shared() + request->sharedBytes,
                    *end = block.window + windowBytes;
         at != end; ++at)
      if (static_cast<unsigned char>(*at) != poison)
        failOf("block " + std::to_string(block.number),
               placeOf(at) + " was written, of which it has " +
                   std::to_string(request->sharedBytes));
}

extern "C" {

uint32_t emuTid() { return current->number; }
uint32_t emuCtaid() { return current->block->number; }
uint32_t emuNctaid() { return request->blocks; }
uint32_t emuRankInCluster() { return current->block->rank; }
char *emuShared() { return current->block->shared(); }

/// Runs all blocks of a kernel.
void fuseEmulate(const Request &made) {
  request = &made;
  const char *seed = std::getenv("FUSE_EMULATE_SEED");
  draw.seed(seed ? std::atoi(seed) : 0);
  for (uint32_t block = 0; block < made.blocks; block += made.blocksOfCluster)
    run(block);
}

/// Where a warp would end on a condition, none does: the others would wait.
void emuEnd(uint32_t ends) {
  if (ends != 0)
    fail("a thread ends where it should go on");
}

} // extern "C"
