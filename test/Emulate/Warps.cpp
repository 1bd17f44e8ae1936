//===- Warps.cpp - what the lanes of a warp do together -------------------===//
//
// Shuffles, votes, and matrices of 8 rows.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include <utility>

using namespace fuse::emulate;

/// mma.m16n8k*: `depth` numbers along k, `perWord` in a word.
static void multiply(float *sums, const char *name, const uint32_t *words,
                     unsigned perWord, float (*number)(uint32_t)) {
  Words own = {};
  std::memcpy(own.data(), words, 6 * sizeof(uint32_t));
  const auto &all = meetWarp(name, own);
  unsigned lane = currentLane(), depth = 8 * perWord;
  // Four lanes share a row of the left factor, or a column of the right one.
  auto element = [&](unsigned group, unsigned first, unsigned apart,
                     unsigned k) {
    unsigned at = k / perWord, half = at / 4;
    return number(all[4 * group + at % 4][first + apart * half] >>
                  32 / perWord * (k % perWord));
  };
  for (unsigned i = 0; i < 4; ++i) {
    unsigned row = lane / 4, column = 2 * (lane % 4) + i % 2;
    double sum = sums[i];
    // Words 0 and 2 are of the upper eight rows, 1 and 3 of the lower.
    for (unsigned k = 0; k < depth; ++k)
      sum +=
          double(element(row, i / 2, 2, k)) * double(element(column, 4, 1, k));
    sums[i] = static_cast<float>(sum);
  }
}

extern "C" {

void emuSyncWarp(uint32_t) { meetWarp("bar.warp.sync", {}); }

uint32_t emuShflBfly(uint32_t, uint32_t value, uint32_t mask, uint32_t) {
  return meetWarp("shfl.bfly", {value})[currentLane() ^ mask][0];
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
  if (reinterpret_cast<uintptr_t>(row) % 16 != 0)
    fail("ldmatrix reads rows that are not aligned to 16 bytes");
  const auto &all =
      meetWarp("ldmatrix", {lowOf(row), highOf(row), count, isTransposed});
  unsigned lane = currentLane();
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    auto element = [&](unsigned row, unsigned column) {
      uint16_t value;
      std::memcpy(&value,
                  pointerOf<const char>(all[8 * matrix + row], 0) + 2 * column,
                  sizeof(value));
      return uint32_t(value);
    };
    unsigned outer = lane / 4, inner = 2 * (lane % 4);
    words[matrix] =
        isTransposed ? element(inner, outer) | element(inner + 1, outer) << 16
                     : element(outer, inner) | element(outer, inner + 1) << 16;
  }
}

void emuStmatrix(void *row, const uint32_t *words, uint32_t count,
                 uint32_t isTransposed) {
  if (reinterpret_cast<uintptr_t>(row) % 16 != 0)
    fail("stmatrix writes rows that are not aligned to 16 bytes");
  unsigned lane = currentLane();
  const auto &rows =
      meetWarp("stmatrix", {lowOf(row), highOf(row), count, isTransposed});
  for (unsigned matrix = 0; matrix < count; ++matrix)
    for (unsigned half = 0; half < 2; ++half) {
      unsigned outer = lane / 4, inner = 2 * (lane % 4) + half;
      if (isTransposed)
        std::swap(outer, inner);
      auto value = static_cast<uint16_t>(words[matrix] >> 16 * half);
      std::memcpy(pointerOf<char>(rows[8 * matrix + outer], 0) + 2 * inner,
                  &value, sizeof(value));
    }
  // Whoever reads them does so behind a barrier, of the warp at least.
  if (lane / 8 < count)
    noteWrite(static_cast<const char *>(row), 16);
}

void emuMmaTf32(float *sums, const uint32_t *words) {
  multiply(sums, "mma.tf32", words, 1, ofTf32);
}
void emuMmaF16(float *sums, const uint32_t *words) {
  multiply(sums, "mma.f16", words, 2,
           [](uint32_t word) { return ofF16(word & 0xFFFF); });
}
void emuMmaBf16(float *sums, const uint32_t *words) {
  multiply(sums, "mma.bf16", words, 2,
           [](uint32_t word) { return ofBF16(word & 0xFFFF); });
}

} // extern "C"
