//===- Threads.cpp - a block of a GPU on one processor --------------------===//
//
// Every thread of a block is a coroutine. It goes on until it has to meet
// others, at a barrier of the block or in an instruction of the warp, and which
// one goes on then is drawn: what is right only because somebody is fast comes
// out wrong for some seed.
//
// Memory that is shared is poisoned before a block begins, and what cp.async
// copies comes at some time until it is waited for.
//
//===----------------------------------------------------------------------===//

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <ucontext.h>

namespace {

constexpr unsigned lanes = 32;
constexpr size_t stackBytes = 256 << 10, sharedBytes = 228 << 10;
constexpr unsigned char poison = 0xFF;

/// What the lanes of a warp bring to an instruction that they do together.
using Words = std::array<uint32_t, 12>;

struct Warp {
  std::array<Words, lanes> brought, met;
  std::array<const char *, lanes> instruction;
  unsigned arrived = 0;
  uint64_t number = 0;
};

/// Bytes on their way.
struct Copy {
  void *to;
  const void *from;
  uint32_t bytes, zeros;

  void arrive() const {
    std::memcpy(to, from, bytes);
    std::memset(static_cast<char *>(to) + bytes, 0, zeros);
  }
};

struct Thread {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  bool isDone = false;
  /// Copies that have not come, by group; the last one is open.
  std::vector<std::vector<Copy>> groups{1};
};

struct Block {
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  uint32_t number = 0, blocks = 0;
  unsigned arrived = 0, done = 0;
  uint64_t barrier = 0;

  /// All that are there have come.
  bool meet() {
    if (arrived + done < threads.size() || arrived == 0)
      return false;
    arrived = 0;
    ++barrier;
    return true;
  }
};

Block *block;
unsigned current;
ucontext_t scheduler;
std::mt19937 draw;
void (*kernel)(void **);
void **arguments;

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "error: emulated block %u, thread %u: %s\n",
               block->number, current, what.c_str());
  std::_Exit(70);
}

void pass() { swapcontext(&block->threads[current].context, &scheduler); }

void begin() {
  kernel(arguments);
  Thread &own = block->threads[current];
  own.isDone = true;
  ++block->done;
  block->meet();
  pass();
}

/// What all lanes have brought.
const std::array<Words, lanes> &meetWarp(const char *instruction,
                                         const Words &words) {
  Warp &warp = block->warps[current / lanes];
  unsigned lane = current % lanes;
  warp.brought[lane] = words;
  warp.instruction[lane] = instruction;
  uint64_t number = warp.number;
  if (++warp.arrived == lanes) {
    for (const char *other : warp.instruction)
      if (std::strcmp(other, instruction) != 0)
        fail(std::string("lanes of a warp meet in ") + instruction + " and " +
             other);
    warp.met = warp.brought;
    warp.arrived = 0;
    ++warp.number;
  }
  while (warp.number == number)
    pass();
  return warp.met;
}

template <class To, class From> To as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

//===----------------------------------------------------------------------===//
// Numbers of tensor cores
//===----------------------------------------------------------------------===//

/// They read the upper 19 bits.
float ofTf32(uint32_t word, unsigned) { return as<float>(word & 0xFFFFE000u); }
float ofF16(uint32_t word, unsigned half) {
  return static_cast<float>(
      as<_Float16>(static_cast<uint16_t>(word >> 16 * half)));
}
float ofBF16(uint32_t word, unsigned half) {
  return as<float>((word >> 16 * half & 0xFFFF) << 16);
}

/// mma.m16n8k*: `depth` numbers along k, `perWord` in a word.
void multiply(float *sums, const char *name, const uint32_t *words,
              unsigned perWord, float (*number)(uint32_t, unsigned)) {
  Words own = {};
  std::memcpy(own.data(), words, 6 * sizeof(uint32_t));
  const auto &all = meetWarp(name, own);
  unsigned lane = current % lanes, depth = 8 * perWord;
  // Four lanes share a row of the left factor, or a column of the right one.
  auto word = [&](unsigned group, unsigned first, unsigned k) {
    unsigned at = k / perWord, half = at / 4;
    return number(all[4 * group + at % 4][first + half], k % perWord);
  };
  for (unsigned i = 0; i < 4; ++i) {
    unsigned row = lane / 4, column = 2 * (lane % 4) + i % 2;
    double sum = sums[i];
    for (unsigned k = 0; k < depth; ++k) {
      unsigned at = k / perWord, half = at / 4;
      // Words 0 and 2 are of the upper eight rows, 1 and 3 of the lower.
      float left = number(all[4 * row + at % 4][2 * half + i / 2], k % perWord);
      sum += double(left) * double(word(column, 4, k));
    }
    sums[i] = static_cast<float>(sum);
  }
}

} // namespace

extern "C" {

// What the compiler calls it. NOLINTNEXTLINE(readability-identifier-naming)
alignas(1024) char fuse_shared[sharedBytes];

uint32_t emuTid() { return current; }
uint32_t emuCtaid() { return block->number; }
uint32_t emuNctaid() { return block->blocks; }

void emuBarrier() {
  uint64_t number = block->barrier;
  ++block->arrived;
  block->meet();
  while (block->barrier == number)
    pass();
}

uint32_t emuShflBfly(uint32_t, uint32_t value, uint32_t mask, uint32_t) {
  return meetWarp("shfl.bfly", {value})[current % lanes ^ mask][0];
}
uint32_t emuShflIdx(uint32_t, uint32_t value, uint32_t from, uint32_t) {
  return meetWarp("shfl.idx", {value})[from % lanes][0];
}
uint32_t emuVoteAll(uint32_t value) {
  for (const Words &words : meetWarp("vote.all", {value}))
    if (!words[0])
      return 0;
  return 1;
}
uint32_t emuVoteAny(uint32_t value) {
  for (const Words &words : meetWarp("vote.any", {value}))
    if (words[0])
      return 1;
  return 0;
}

void emuLdmatrix(uint32_t *words, const void *row, uint32_t count,
                 uint32_t isTransposed) {
  auto address = reinterpret_cast<uintptr_t>(row);
  if (address % 16 != 0)
    fail("ldmatrix reads rows that are not aligned to 16 bytes");
  const auto &all =
      meetWarp("ldmatrix", {uint32_t(address), uint32_t(address >> 32), count,
                            isTransposed});
  unsigned lane = current % lanes;
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    auto element = [&](unsigned row, unsigned column) {
      const Words &at = all[8 * matrix + row];
      uint16_t value;
      std::memcpy(
          &value,
          reinterpret_cast<const char *>(at[0] | uintptr_t(at[1]) << 32) +
              2 * column,
          sizeof(value));
      return uint32_t(value);
    };
    unsigned outer = lane / 4, inner = 2 * (lane % 4);
    words[matrix] =
        isTransposed ? element(inner, outer) | element(inner + 1, outer) << 16
                     : element(outer, inner) | element(outer, inner + 1) << 16;
  }
}

void emuMmaTf32(float *sums, const uint32_t *words) {
  multiply(sums, "mma.tf32", words, 1, ofTf32);
}
void emuMmaF16(float *sums, const uint32_t *words) {
  multiply(sums, "mma.f16", words, 2, ofF16);
}
void emuMmaBf16(float *sums, const uint32_t *words) {
  multiply(sums, "mma.bf16", words, 2, ofBF16);
}

void emuCpAsync(void *to, const void *from, uint32_t size, uint32_t bytes) {
  if (reinterpret_cast<uintptr_t>(to) % size != 0 ||
      (bytes != 0 && reinterpret_cast<uintptr_t>(from) % size != 0))
    fail("cp.async of " + std::to_string(size) + " bytes is not aligned");
  Copy copy{to, from, bytes, size - bytes};
  if (draw() % 2)
    copy.arrive();
  else
    block->threads[current].groups.back().push_back(copy);
}
void emuCpAsyncCommit() { block->threads[current].groups.emplace_back(); }
void emuCpAsyncWait(uint32_t most) {
  auto &groups = block->threads[current].groups;
  // The open one is no group yet.
  while (groups.size() > most + 1) {
    for (const Copy &copy : groups.front())
      copy.arrive();
    groups.erase(groups.begin());
  }
}

/// Runs all blocks of a kernel, one after the other.
void fuseEmulate(void (*function)(void **), uint32_t blocks, uint32_t threads,
                 void **parameters) {
  kernel = function;
  arguments = parameters;
  const char *seed = std::getenv("FUSE_EMULATE_SEED");
  draw.seed(seed ? std::atoi(seed) : 0);
  std::vector<std::unique_ptr<char[]>> stacks;
  stacks.reserve(threads);
  for (unsigned i = 0; i < threads; ++i)
    stacks.emplace_back(new char[stackBytes]);
  for (uint32_t number = 0; number < blocks; ++number) {
    Block own;
    block = &own;
    own.number = number;
    own.blocks = blocks;
    own.threads.resize(threads);
    own.warps.resize((threads + lanes - 1) / lanes);
    std::memset(fuse_shared, poison, sharedBytes);
    for (unsigned i = 0; i < threads; ++i) {
      ucontext_t &context = own.threads[i].context;
      getcontext(&context);
      context.uc_stack.ss_sp = stacks[i].get();
      context.uc_stack.ss_size = stackBytes;
      context.uc_link = nullptr;
      makecontext(&context, begin, 0);
    }
    // From a place that is drawn, so that nobody is always first.
    for (unsigned idle = 0; own.done < threads;) {
      uint64_t before = own.barrier + own.done;
      for (const Warp &warp : own.warps)
        before += warp.number;
      unsigned first = draw() % threads;
      for (unsigned i = 0; i < threads; ++i) {
        current = (first + i) % threads;
        if (!own.threads[current].isDone)
          swapcontext(&scheduler, &own.threads[current].context);
      }
      uint64_t after = own.barrier + own.done;
      for (const Warp &warp : own.warps)
        after += warp.number;
      idle = after == before ? idle + 1 : 0;
      if (idle == 3)
        fail("all threads wait, and nobody comes");
    }
  }
}

} // extern "C"
