//===- WarpsOfSchedule.cpp - how many warps a block has -------------------===//
//
// What the search decides when it has chosen all else.
//
//===----------------------------------------------------------------------===//

#include "WarpsOfSchedule.h"
#include <cmath>
#include <numeric>

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

/// Whether rows of narrow numbers, as far as sizes are known, begin with a
/// vector.
static bool haveVectorRows(const KernelNest &nest) {
  constexpr int64_t vectorBytes = 16, wideBytes = 4;
  return llvm::all_of(nest.nests.front().body, [](const Statement &statement) {
    if (statement.kind != Statement::Kind::Compute ||
        statement.element->kind() != ElementKind::Load ||
        !statement.element->type().isIntOrFloat())
      return true;
    auto type = cast<RankedTensorType>(statement.element->tensor().getType());
    int64_t width =
        llvm::divideCeil(statement.element->type().getIntOrFloatBitWidth(), 8);
    return width >= wideBytes || type.getRank() < 2 ||
           type.isDynamicDim(type.getRank() - 1) ||
           type.getShape().back() * width % vectorBytes == 0;
  });
}

namespace {

/// What a block reads of its own rows.
struct HeldRows {
  int64_t bytes = 0, tensors = 0;
  /// Of the shortest row, and what all are multiples of.
  int64_t rowBytes = 0, multiple = 0;
  /// How many elements the longest row has, and what is read for all alike.
  int64_t rowElements = 0, scales = 0;
  /// Whether rows are written, too.
  bool areWritten = false;
};

} // namespace

static HeldRows rowsOf(const KernelNest &nest) {
  HeldRows rows;
  const Nest &first = nest.nests.front();
  llvm::SmallDenseSet<const Element *> loads;
  auto sizeOf = [&](const IndexVar &var) {
    int64_t window = nest.sizes.sizeOf(var);
    return var.size.isNumber() ? std::min(window, var.size.getNumber())
                               : window;
  };
  for (const Statement &statement : first.body) {
    auto isOfRow = [&](const IndexVar &var) {
      return !llvm::is_contained(first.grid, var) && sizeOf(var) > 1;
    };
    if (statement.kind == Statement::Kind::Store)
      rows.areWritten |=
          llvm::any_of(nest.tiles[statement.operands.front()].axes, isOfRow);
    if (statement.kind != Statement::Kind::Compute ||
        statement.element->kind() != ElementKind::Load ||
        !statement.element->type().isIntOrFloat() ||
        !loads.insert(statement.element).second)
      continue;
    int64_t width =
        llvm::divideCeil(statement.element->type().getIntOrFloatBitWidth(), 8);
    int64_t row = 1, count = 1;
    bool isOfBlock = false;
    for (const IndexVar &var : nest.tiles[statement.result].axes) {
      bool isOfGrid = llvm::is_contained(first.grid, var);
      isOfBlock |= isOfGrid;
      (isOfGrid ? count : row) *= sizeOf(var);
    }
    if (!isOfBlock) {
      rows.scales = std::max(rows.scales, row);
      continue;
    }
    // A number for each row is none.
    if (row == 1)
      continue;
    int64_t bytes = row * width;
    rows.bytes += count * bytes;
    rows.rowBytes = rows.tensors == 0 ? bytes : std::min(rows.rowBytes, bytes);
    rows.multiple = std::gcd(rows.multiple, bytes);
    rows.rowElements = std::max(rows.rowElements, row);
    ++rows.tensors;
  }
  return rows;
}

/// How many warps have the rows that a block holds and writes, if they are long
/// and lie in vectors. A thread has two of these: 3000 rows of 1536 bf16 and as
/// many that are added took 12.1 us with 2 warps, 10.1 with 8 and 12.6 with 16,
/// softmax of 4096 rows of 2048 f32 18.5, 16.9 and 22.0. What writes no rows
/// only has more to add up: logarithms of sums of 4096 rows of 4096 f32 took
/// 18.3 us with 4 warps and 20.7 with 16; and a norm with a scale for each
/// element is no better: 8192 rows of 4096 bf16 34.4 us with 4 and 35.2 with 8.
/// Where blocks share a row they wait for each other, and less for 256 bytes:
/// 2048 rows of 32000 bf16 took 70.5 us with 4 warps and 86 with 8.
static std::optional<int64_t> warpsOfRows(const KernelNest &nest,
                                          int64_t share) {
  constexpr double lanes = 32, ofThread = 32, ofSharing = 256, most = 16;
  constexpr int64_t shortest = 64, shortVector = 8;
  HeldRows rows = rowsOf(nest);
  bool isNorm = rows.tensors == 1 && rows.scales == rows.rowElements;
  if (!rows.areWritten || isNorm || rows.rowBytes < shortest ||
      rows.multiple % shortVector != 0)
    return std::nullopt;
  double warps = static_cast<double>(rows.bytes) / static_cast<double>(share) /
                 (lanes * (share > 1 ? ofSharing : ofThread));
  // As many as there may be wait for each other longest.
  constexpr double half = most / 2;
  return warps >= most ? int64_t(most)
                       : int64_t(1) << std::lround(
                             std::log2(std::clamp(warps, 1.0, half)));
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
  if (cost.reducesRows && !cost.onlyReducesRows && !cost.hasRounds &&
      machine.latency > 0)
    if (auto ofRows = warpsOfRows(nest, cost.share))
      return *ofRows == usual ? std::nullopt : ofRows;
  // Threads that only pass on what they read have one vector each: a bias and
  // relu in blocks of 1024 elements took 257 us with 1 warp, 254 with 4 and 252
  // with 8.
  // Those that reduce rows at once have two. Sums of 4096 rows of 4096 f32 took
  // 16.0 us with 16 warps for a row, 16.7 with 8 and 19.6 with 4; of 2000 rows
  // of 5001 bf16, which begin within vectors, 8.6 with 16 and 6.9 with 8,
  // products with a row 11.8 and 8.6.
  if (cost.isStreaming || cost.onlyReducesRows)
    if (int64_t width = widestLoad(nest)) {
      int64_t limit =
          cost.onlyReducesRows && haveVectorRows(nest) ? most : mostStreaming;
      int64_t vectors = vectorBytes * (cost.onlyReducesRows ? 2 : 1) * 32;
      warps = std::max<int64_t>(
          usual, llvm::bit_floor(uint64_t(largest * width) / vectors));
      warps = std::min(warps, limit);
    }
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
