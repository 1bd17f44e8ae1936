//===- Emulator.h - blocks of a GPU on one processor ------------*- C++ -*-===//
//
// What the files here share: the blocks that run together, their threads and
// shared memory, and how a thread waits.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_EMULATE_EMULATOR_H
#define FUSE_TEST_EMULATE_EMULATOR_H

#include "Request.h"

#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <csetjmp>

namespace fuse::emulate {

constexpr unsigned lanes = 32;
/// A descriptor has so many bits of an address, so that a block's memory begins
/// at a multiple of it; what a kernel may use begins behind the system's part.
constexpr size_t windowBytes = 256 << 10, systemBytes = 1024;

/// What a lane brings to an instruction that its warp does together.
using Words = std::array<uint32_t, 12>;

struct Block;

//===----------------------------------------------------------------------===//
// What is on its way
//===----------------------------------------------------------------------===//

/// Bytes that cp.async copies.
struct Copy {
  char *to;
  const char *from;
  uint32_t bytes, zeros;
};

/// What the copy engine does for one instruction, in two steps of which each
/// comes at a time of its own: a load writes shared memory and then tells so, a
/// store reads it and then writes memory.
struct EngineOp {
  Block *block;
  const fake::TensorMap *map;
  std::array<int32_t, 5> place;
  char *shared;
  bool isStore = false;
  /// Of a load: the blocks that it writes to, and whom it tells.
  uint32_t blocks = 0;
  char *barrier = nullptr;
  unsigned steps = 0;
  /// How many rounds until the next step.
  unsigned delay = 0;
  std::vector<char> bytes;

  bool hasReadShared() const { return steps > 0; }
  bool isDone() const { return steps == 2; }
};
using EngineOps = std::vector<std::shared_ptr<EngineOp>>;

/// A wgmma of one warp that has not been done.
struct Product;
/// The registers of a warp that such products write.
struct Pending;

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

struct Thread {
  Block *block = nullptr;
  unsigned number = 0;
  std::jmp_buf where;
  bool hasBegun = false, isDone = false;
  /// Whether the kernels before this one have ended, as far as it knows.
  bool hasWaitedForOthers = false;
  /// It waits as long as this counter has this value; why, and where.
  const uint64_t *counter = nullptr;
  uint64_t seen = 0;
  const char *reason = nullptr, *place = nullptr;
  /// Copies that have not come, by group; the last one is open.
  std::vector<std::vector<Copy>> copies{1};
  std::vector<EngineOps> stores{1};
  /// How many fences it has done.
  uint32_t fences = 0;

  bool isBlocked() const { return counter && *counter == seen; }
};

struct Warp {
  Warp();
  ~Warp();
  Warp(Warp &&) noexcept;

  std::array<Words, lanes> brought, met;
  std::array<const char *, lanes> instruction;
  unsigned arrived = 0;
  uint64_t number = 0;
  /// How many rounds it does nothing.
  unsigned sleeps = 0;
  /// Products in their order, and how many groups were ended and waited for.
  std::deque<Product> products;
  std::unordered_map<uint32_t, std::shared_ptr<Pending>> pending;
  uint32_t lastPending = 0;
  uint64_t groups = 0, waited = 0, lastGroup = 0, issued = 0;
  /// Whether there was a fence in the group that has not ended.
  bool isFenced = false;
};

/// Where threads of a block meet.
struct NumberedBarrier {
  /// 0: all of the block.
  uint32_t threads = 0;
  unsigned arrived = 0;
  uint64_t turns = 0;
  bool any = false, result = false;
};

struct Block {
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  uint32_t number = 0, rank = 0;
  /// How often its warps are passed by before they begin.
  uint32_t comesLater = 0;
  char *window = nullptr;
  unsigned done = 0;
  std::array<NumberedBarrier, 16> barriers;
  /// Of each byte of the window, the thread that wrote it last, counted from 1,
  /// and how many fences that had done.
  struct Written {
    uint32_t thread = 0, fences = 0;
  };
  std::vector<Written> written;
  /// Of each 16 bytes of the window, who has read some of them since the engine
  /// wrote them, likewise.
  std::vector<std::vector<Written>> read;
  /// What each warpgroup has told tensor cores to do that some warp has not
  /// come to yet: the first one's number, and a sum of each.
  std::unordered_map<unsigned, std::pair<uint64_t, std::deque<uint64_t>>> told;

  char *shared() const { return window + systemBytes; }
};

/// A barrier in shared memory.
struct PhaseBarrier {
  uint32_t threads, pending;
  int64_t bytes = 0;
  uint64_t phase = 0;
};

/// The blocks that run at the same time.
struct Cluster {
  std::vector<Block> blocks;
  std::unordered_map<const char *, PhaseBarrier> barriers;
  EngineOps engine;
  unsigned arrived = 0, done = 0;
  uint64_t meetings = 0;
  size_t numThreads() const { return blocks.size() * blocks[0].threads.size(); }
};

//===----------------------------------------------------------------------===//
// For everyone
//===----------------------------------------------------------------------===//

extern const Request *request;
extern Cluster *cluster;
extern Thread *current;
extern std::mt19937 draw;

inline Warp &currentWarp() {
  return current->block->warps[current->number / lanes];
}
inline unsigned currentLane() { return current->number % lanes; }

[[noreturn]] void fail(const std::string &what);
/// Of a block or a thread that is not the current one.
[[noreturn]] void failOf(const std::string &who, const std::string &what);
/// Lets others go on until `counter` has another value.
void waitWhile(const uint64_t &counter, uint64_t value, const char *reason,
               const char *place = nullptr);

/// All lanes of a warp come, and the last one does `work` on what they brought.
template <class Work>
const std::array<Words, lanes> &meetWarp(const char *instruction,
                                         const Words &words, Work work) {
  Warp &warp = currentWarp();
  warp.brought[currentLane()] = words;
  warp.instruction[currentLane()] = instruction;
  uint64_t number = warp.number;
  if (++warp.arrived != lanes) {
    waitWhile(warp.number, number, instruction);
    return warp.met;
  }
  for (const char *other : warp.instruction)
    if (std::strcmp(other, instruction) != 0)
      fail(std::string("lanes of a warp meet in ") + instruction + " and " +
           other);
  warp.met = warp.brought;
  warp.arrived = 0;
  work(warp.met);
  ++warp.number;
  return warp.met;
}
inline const std::array<Words, lanes> &meetWarp(const char *instruction,
                                                const Words &words) {
  return meetWarp(instruction, words, [](const auto &) {});
}

template <class T> T *pointerOf(const Words &words, unsigned first) {
  return reinterpret_cast<T *>(words[first] |
                               static_cast<uintptr_t>(words[first + 1]) << 32);
}
inline uint32_t lowOf(const void *pointer) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pointer));
}
inline uint32_t highOf(const void *pointer) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pointer) >> 32);
}

template <class To, class From> To as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void checkAligned(const void *memory, size_t alignment);
/// Fails if a thread may not touch memory yet.
void checkOthersEnded();
/// Fails if it is not memory of the device.
void checkMemory(const char *memory, size_t bytes);

/// The block whose memory this is.
Block &blockOf(const char *shared);
/// "byte 64 of shared memory"
std::string placeOf(const char *shared);
/// Fails if not all of it is memory that the kernel has asked for, in a block
/// that still runs.
void checkShared(const char *shared, size_t bytes, const char *who);
/// Tensor cores and the copy engine see what a thread has written if it has a
/// fence behind that.
void noteWrite(const char *shared, size_t bytes);
void checkFenced(const char *shared, size_t bytes, const char *who);
/// Fails if a thread has read what the engine is told to write, and has had no
/// fence since: its loads may not have returned.
void checkRead(const char *shared, size_t bytes);
/// They have written this themselves.
void forgetWrite(const char *shared, size_t bytes);

/// The address of a byte, bits 4 to 6 of which are mixed with bits 7 to 9.
inline uintptr_t swizzled(uintptr_t address, unsigned spanBytes) {
  uintptr_t mask = spanBytes > 16 ? spanBytes - 16 : 0;
  return address ^ (address >> 3 & mask);
}

//===----------------------------------------------------------------------===//
// Who does something by themselves
//===----------------------------------------------------------------------===//

/// A barrier in shared memory that was made, and has not been written over.
PhaseBarrier &barrierAt(char *shared, const char *who);
/// Turns the phase if all have come.
void turn(PhaseBarrier &barrier);
/// A thread ends, for which others may wait.
void endAtBarriers();

/// One round of the copy engine, and of tensor cores; whether they did
/// anything.
bool stepEngine();
bool stepProducts();
/// Does one thing that was to come later; false if there is none.
bool hurryEngine();
/// A thread ends, or a whole block.
void endStores();
void endProducts();
void endLoads(const Block &block);
void endGroups(const Block &block);

} // namespace fuse::emulate

/// The place of a byte in another block of the cluster.
extern "C" char *emuElsewhere(char *shared, uint32_t rank);

#endif // FUSE_TEST_EMULATE_EMULATOR_H
