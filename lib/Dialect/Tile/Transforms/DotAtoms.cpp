//===- DotAtoms.cpp - the instruction of a dot and its layouts ------------===//
//
// The choice by types and sizes, and the division among warps.
//
//===----------------------------------------------------------------------===//

#include "DotAtoms.h"
#include "fuse/Layout/Atoms.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// The extents of a dot as a batch of products of matrices.
struct Matrices {
  explicit Matrices(DotOp dot);

  Coordinates with(int64_t rows, int64_t columns) const {
    Coordinates extents = batch;
    extents.append({rows, columns});
    return extents;
  }

  Coordinates batch;
  int64_t m = 1, n = 1, k = 1;
};

} // namespace

Matrices::Matrices(DotOp dot) {
  ArrayRef<int64_t> lhs = dot.getLhs().getType().getShape();
  ArrayRef<int64_t> rhs = dot.getRhs().getType().getShape();
  batch.append(lhs.begin(), lhs.begin() + dot.getBatch());
  for (int64_t size :
       lhs.drop_front(dot.getBatch()).drop_back(dot.getContract()))
    m *= size;
  for (int64_t size : lhs.take_back(dot.getContract()))
    k *= size;
  for (int64_t size : rhs.drop_front(dot.getBatch() + dot.getContract()))
    n *= size;
}

/// The bytes of an element as `mma.sync` takes it; absent if it does not.
static std::optional<unsigned> mmaBytes(DotOp dot) {
  Type element = dot.getLhs().getType().getElementType();
  if (!dot.getType().getElementType().isF32())
    return std::nullopt;
  // Numbers of 8 bits are numbers of f16, too.
  if (element.isF16() || element.isBF16() || isa<Float8E4M3FNType>(element))
    return 2;
  if (element.isF32() && dot.getPrecision() == Precision::Tf32)
    return 4;
  return std::nullopt;
}

static int64_t powerOfTwoIn(int64_t size) { return size & -size; }

/// The rows and columns of the blocks that are dealt to warps.
static std::pair<int64_t, int64_t> blocksOf(DotOp dot, const Matrices &sizes) {
  if (mmaBytes(dot))
    return {std::max<int64_t>(1, powerOfTwoIn(sizes.m) / 16),
            std::max<int64_t>(1, powerOfTwoIn(sizes.n) / 8)};
  return {std::max<int64_t>(1, powerOfTwoIn(sizes.m) / 4),
          std::max<int64_t>(1, powerOfTwoIn(sizes.n) / 8)};
}

/// How many columns one wgmma takes, if it can do the dot: its factors are
/// matrices in shared memory, of 16-bit numbers, and sizes are multiples of
/// what it takes.
static std::optional<int64_t> columnsForWgmma(DotOp dot,
                                              const Matrices &sizes) {
  if (mmaBytes(dot) != 2 ||
      isa<Float8E4M3FNType>(dot.getLhs().getType().getElementType()))
    return std::nullopt;
  constexpr int64_t rows = 64, depth = 16;
  if (sizes.m % rows != 0 || sizes.k % depth != 0 || sizes.n % 8 != 0)
    return std::nullopt;
  // Axes of extent 1 do not count.
  auto isMatrix = [](RankedTensorType type) {
    int64_t others = 1;
    for (int64_t size : type.getShape().drop_back(2))
      others *= size;
    return type.getRank() >= 2 && others == 1;
  };
  RankedTensorType lhs = dot.getLhs().getType(), rhs = dot.getRhs().getType();
  if (dot.getContract() != 1 || !isMatrix(lhs) || !isMatrix(rhs) ||
      !isMatrix(dot.getType()))
    return std::nullopt;
  int64_t columns = wgmmaColumns(sizes.n);
  auto isReadable = [&](RankedTensorType type, unsigned rowAxis, unsigned kAxis,
                        int64_t taken) {
    for (unsigned axis : {kAxis, rowAxis})
      for (unsigned swizzle : {128, 64, 32})
        if (auto memory = swizzledShared(type.getShape(), axis, 2, swizzle))
          if (wgmmaAccess(*memory, rowAxis, kAxis, 2, taken))
            return true;
    return false;
  };
  unsigned last = lhs.getRank() - 1, lastRight = rhs.getRank() - 1;
  if (!isReadable(lhs, last - 1, last, rows) ||
      !isReadable(rhs, lastRight, lastRight - 1, columns))
    return std::nullopt;
  return columns;
}

bool DotAtom::isForTensorCores(DotOp dot) { return mmaBytes(dot).has_value(); }

bool DotAtom::isForWarpgroups(DotOp dot) {
  return columnsForWgmma(dot, Matrices(dot)).has_value();
}

unsigned DotAtom::maxWarps(DotOp dot, const DotOptions &options) {
  Matrices sizes(dot);
  bool wholeRows = options.wholeRows;
  auto [rows, columns] = blocksOf(dot, sizes);
  int64_t blocks = wholeRows ? rows : rows * columns;
  return std::clamp<int64_t>(blocks, 1, 16);
}

/// As square as possible, since a warp reads its rows of one factor and its
/// columns of the other.
static WarpGrid divide(DotOp dot, const Matrices &sizes, unsigned numWarps,
                       bool wholeRows) {
  auto [rows, columns] = blocksOf(dot, sizes);
  WarpGrid best{1, numWarps};
  int64_t bestCost = std::numeric_limits<int64_t>::max();
  for (unsigned along = 1; along <= numWarps; along *= 2) {
    unsigned across = numWarps / along;
    if (along > rows || across > columns || (wholeRows && across != 1))
      continue;
    int64_t cost = sizes.m / along + sizes.n / across;
    // Of equal ones that with more rows, whose results are whole.
    if (cost <= bestCost) {
      best = {along, across};
      bestCost = cost;
    }
  }
  return best;
}

FailureOr<DotAtom> DotAtom::choose(DotOp dot, unsigned numWarps,
                                   const DotOptions &options) {
  Matrices sizes(dot);
  auto shaped = [](const std::optional<Layout> &layout, RankedTensorType type) {
    return layout ? layout->reshape(type.getShape()) : std::nullopt;
  };
  RankedTensorType sum = dot.getType(), lhs = dot.getLhs().getType(),
                   rhs = dot.getRhs().getType();
  // Sums that do not fit beside everything else would be taken out of registers
  // between instructions, which then wait for each other.
  constexpr int64_t mostSums = 192;
  std::optional<int64_t> perWgmma;
  if (options.hasWarpgroups && numWarps % 4 == 0 &&
      sizes.m % (16 * numWarps) == 0 &&
      sizes.m * sizes.n <= mostSums * 32 * numWarps)
    perWgmma = columnsForWgmma(dot, sizes);
  if (perWgmma) {
    unsigned groups = numWarps / 4;
    auto c =
        shaped(wgmmaAccumulator(sizes.with(sizes.m, sizes.n), groups), sum);
    auto a =
        shaped(wgmmaOperandA(sizes.with(sizes.m, sizes.k), groups, 2), lhs);
    // The right factor is never in registers.
    if (a && c)
      return DotAtom{Atom::Wgmma, *c, *a, std::nullopt, *perWgmma};
  }
  WarpGrid grid = divide(dot, sizes, numWarps, options.wholeRows);
  if (std::optional<unsigned> bytes = mmaBytes(dot)) {
    auto c = shaped(mmaAccumulator(sizes.with(sizes.m, sizes.n), grid), sum);
    auto a =
        shaped(mmaOperandA(sizes.with(sizes.m, sizes.k), grid, *bytes), lhs);
    auto b =
        shaped(mmaOperandB(sizes.with(sizes.k, sizes.n), grid, *bytes), rhs);
    if (a && b && c)
      return DotAtom{Atom::Mma, *c, *a, *b};
  }
  // A patch of at most 8 x 8 numbers a thread.
  int64_t perLane = sizes.m * sizes.n / (32 * numWarps);
  int64_t rows = std::clamp<int64_t>(perLane / 8, 1, 8);
  int64_t columns = std::clamp<int64_t>(perLane / rows, 1, 4);
  Layout product =
      outerAccumulator(sizes.with(sizes.m, sizes.n), grid,
                       llvm::bit_floor(static_cast<uint64_t>(rows)),
                       llvm::bit_floor(static_cast<uint64_t>(columns)));
  auto c = shaped(product, sum);
  auto a = shaped(outerOperandA(product, sizes.k), lhs);
  auto b = shaped(outerOperandB(product, sizes.k), rhs);
  if (a && b && c)
    return DotAtom{Atom::Outer, *c, *a, *b};
  return dot.emitOpError("cannot be laid out: merged axes need sizes that are "
                         "powers of two");
}
