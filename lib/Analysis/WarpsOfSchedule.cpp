//===- WarpsOfSchedule.cpp - how many warps a block has -------------------===//
//
// What the search decides when it has chosen all else.
//
//===----------------------------------------------------------------------===//

#include "WarpsOfSchedule.h"

using namespace mlir;
using namespace fuse;

/// The bits of the widest element that statements read, in loops or not.
static unsigned widestBits(const std::vector<Statement> &statements) {
  unsigned bits = 0;
  for (const Statement &statement : statements) {
    if (statement.kind == Statement::Kind::Loop)
      bits = std::max(bits, widestBits(statement.loop->body));
    else if (statement.kind == Statement::Kind::Compute &&
             statement.element->kind() == ElementKind::Load &&
             statement.element->type().isIntOrFloat())
      bits = std::max(bits, statement.element->type().getIntOrFloatBitWidth());
  }
  return bits;
}

/// The bytes of the widest element that is read.
static int64_t widestLoad(const KernelNest &nest) {
  return llvm::divideCeil(widestBits(nest.nests.front().body), 8);
}

std::optional<int64_t> fuse::warpsFor(const KernelNest &nest, const Cost &cost,
                                      const Machine &machine) {
  constexpr int64_t usualNumbers = 32, leastNumbers = 8, most = 16,
                    vectorBytes = 16, mostStreaming = 8;
  if (cost.warps != 0)
    return cost.warps;
  if (cost.dotSeconds > 0 || nest.isSplit())
    return std::nullopt;
  int64_t largest = 1;
  for (const TileInfo &tile : nest.tiles) {
    int64_t volume = 1;
    for (const IndexVar &var : tile.axes)
      volume *= std::max<int64_t>(1, nest.sizes.sizeOf(var));
    largest = std::max(largest, volume / cost.share);
  }
  // As AssignLayouts takes them: of rows that blocks share threads hold twice
  // as much.
  int64_t usual = std::clamp<int64_t>(
      llvm::bit_floor(uint64_t(largest) / (usualNumbers * 32) /
                      (cost.share > 1 ? 2 : 1)),
      1, most);
  int64_t warps = usual;
  // Threads that only pass on what they read have one vector each: a bias and
  // relu in blocks of 1024 elements took 257 us with 1 warp, 254 with 4 and 252
  // with 8.
  // Those that reduce rows at once have two. Sums of 4096 rows of 4096 f32 took
  // 16.0 us with 16 warps for a row, 16.7 with 8 and 19.6 with 4.
  if (cost.isStreaming || cost.onlyReducesRows)
    if (int64_t width = widestLoad(nest))
      warps = std::clamp<int64_t>(
          llvm::bit_floor(uint64_t(largest * width) /
                          (vectorBytes * (cost.onlyReducesRows ? 2 : 1) * 32)),
          usual, cost.onlyReducesRows ? most : mostStreaming);
  // What a round reads is on its way at the same time, whoever asks for it:
  // more warps only wait for each other. Sums of 50257 columns of 4099 bf16
  // took 139 us with 16 warps and 108 with 4.
  while (warps < most && !cost.hasRounds &&
         largest > leastNumbers * 32 * warps &&
         warps * cost.blocks < machine.busyWarps * machine.units)
    warps *= 2;
  // In rounds a second block goes on while one waits, if there is one and has
  // registers: batch norm of 16x256x3136 f32, 256 blocks with rounds of 4 x
  // 4096, took 73 us with 16 warps and 45 with 8; softmax along the second of
  // 24x77x16x512 bf16 53.8 and 39.1. Sums of f32 alone are no better: 64x256
  // channels of 56x56 took 48.1 and 63.2 us.
  constexpr int64_t wideBytes = 4;
  bool areWideSums = nest.cascades.empty() && widestLoad(nest) >= wideBytes;
  if (warps == most && cost.hasRounds && machine.hasGroups && !areWideSums &&
      cost.blocks > machine.units)
    warps = most / 2;
  if (warps == usual)
    return std::nullopt;
  return warps;
}
