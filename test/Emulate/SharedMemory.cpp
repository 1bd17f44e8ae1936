//===- SharedMemory.cpp - what threads write, and cp.async ----------------===//
//
// Tensor cores and the copy engine do not see what a thread writes until that
// thread has had a fence between the two: for each byte it is known who wrote
// it, and how many fences ago.
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"
#include <algorithm>

using namespace fuse;
using namespace fuse::emulate;

Block &emulate::blockOf(const char *shared) {
  for (Block &block : cluster->blocks)
    if (shared >= block.window && shared < block.window + windowBytes)
      return block;
  fail("an address is none of shared memory");
}

std::string emulate::placeOf(const char *shared) {
  return "byte " + std::to_string(shared - blockOf(shared).shared()) +
         " of shared memory";
}

void emulate::checkShared(const char *shared, size_t bytes, const char *who) {
  const Block &block = blockOf(shared);
  if (shared < block.shared() ||
      shared + bytes > block.shared() + request->sharedBytes)
    failOf("block " + std::to_string(block.number),
           std::string(who) + " reaches " + placeOf(shared) +
               ", of which the block has " +
               std::to_string(request->sharedBytes));
  if (block.done == block.threads.size())
    failOf("block " + std::to_string(block.number),
           std::string(who) + " reaches " + placeOf(shared) +
               " when the block has ended");
}

void emulate::noteWrite(const char *shared, size_t bytes) {
  checkShared(shared, bytes, "a thread");
  Block &block = blockOf(shared);
  for (size_t at = shared - block.window, end = at + bytes; at < end; ++at)
    block.written[at] = {current->number + 1, current->fences};
}

void emulate::forgetWrite(const char *shared, size_t bytes) {
  Block &block = blockOf(shared);
  for (size_t at = shared - block.window, end = at + bytes; at < end; ++at)
    block.written[at] = {0, 0};
}

void emulate::checkFenced(const char *shared, size_t bytes, const char *who) {
  const Block &block = blockOf(shared);
  for (size_t at = shared - block.window, end = at + bytes; at < end; ++at) {
    auto [thread, fences] = block.written[at];
    if (thread != 0 && block.threads[thread - 1].fences == fences)
      failOf("block " + std::to_string(block.number),
             std::string(who) + " reads " + placeOf(block.window + at) +
                 ", which thread " + std::to_string(thread - 1) +
                 " has written without a fence since");
  }
}

static constexpr size_t vectorBytes = 16;

void emulate::checkRead(const char *shared, size_t bytes) {
  Block &block = blockOf(shared);
  size_t first = (shared - block.window) / vectorBytes;
  for (size_t unit = first; unit * vectorBytes < shared - block.window + bytes;
       ++unit) {
    for (auto [thread, fences] : block.read[unit])
      if (block.threads[thread - 1].fences == fences)
        failOf("block " + std::to_string(block.number),
               "the copy engine writes " +
                   placeOf(block.window + unit * vectorBytes) +
                   ", which thread " + std::to_string(thread - 1) +
                   " has read without a fence since");
    block.read[unit].clear();
  }
}

static void arrive(const Copy &copy) {
  std::memcpy(copy.to, copy.from, copy.bytes);
  std::memset(copy.to + copy.bytes, 0, copy.zeros);
  noteWrite(copy.to, copy.bytes + copy.zeros);
}

extern "C" {

/// A thread has written this.
/// The same place in another block of the cluster, which may not have begun.
char *emuElsewhere(char *shared, uint32_t rank) {
  if (rank >= cluster->blocks.size())
    fail("there is no block " + std::to_string(rank) + " in the cluster");
  const Block &block = cluster->blocks[rank];
  if (std::none_of(block.threads.begin(), block.threads.end(),
                   [](const Thread &thread) { return thread.hasBegun; }))
    fail("block " + std::to_string(rank) +
         " of the cluster may not have begun");
  return block.window + (shared - blockOf(shared).window);
}

void emuWrote(const char *shared, uint32_t bytes) { noteWrite(shared, bytes); }

/// A thread has read this.
void emuRead(const char *shared, uint32_t bytes) {
  Block &block = blockOf(shared);
  uint32_t thread = current->number + 1;
  for (size_t at = (shared - block.window) / vectorBytes * vectorBytes,
              end = shared - block.window + bytes;
       at < end; at += vectorBytes) {
    std::vector<Block::Written> &readers = block.read[at / vectorBytes];
    auto own = std::find_if(
        readers.rbegin(), readers.rend(),
        [&](const Block::Written &other) { return other.thread == thread; });
    if (own != readers.rend())
      own->fences = current->fences;
    else
      readers.push_back({thread, current->fences});
  }
}
void emuFence() { ++current->fences; }

void emuCpAsync(char *to, const char *from, uint32_t size, uint32_t bytes) {
  checkAligned(to, size);
  if (bytes != 0) {
    checkAligned(from, size);
    checkOthersEnded();
    checkMemory(from, bytes);
  }
  Copy copy{to, from, bytes, size - bytes};
  if (draw() % 2)
    arrive(copy);
  else
    current->copies.back().push_back(copy);
}
void emuCpAsyncCommit() { current->copies.emplace_back(); }
void emuCpAsyncWait(uint32_t most) {
  auto &groups = current->copies;
  // The open one is no group yet.
  while (groups.size() > most + 1) {
    for (const Copy &copy : groups.front())
      arrive(copy);
    groups.erase(groups.begin());
  }
}

} // extern "C"
