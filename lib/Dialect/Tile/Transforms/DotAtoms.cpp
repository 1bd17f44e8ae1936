//===- DotAtoms.cpp - the instruction of a dot and its layouts ------------===//
//
// The choice by types and sizes, and the division among warps.
//
//===----------------------------------------------------------------------===//

#include "DotAtoms.h"
#include "fuse/Dialect/Tile/Analysis/Digits.h"
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
static std::optional<unsigned> mmaBytes(DotOp dot, const DotOptions &options) {
  Type element = dot.getLhs().getType().getElementType();
  if (!dot.getType().getElementType().isF32())
    return std::nullopt;
  // Numbers of 8 bits are numbers of f16, too.
  if (element.isF16() || element.isBF16() || isa<Float8E4M3FNType>(element))
    return 2;
  // Of an f32 it takes what tf32 has, or parts one after the other. On chips
  // where four warps do that together, what they cannot is left to arithmetic
  // with single numbers: warps split what they read, each for itself, which
  // takes about as long.
  if (element.isF32() &&
      (dot.getPrecision() == Precision::Tf32 ||
       (dot.getPrecision() == Precision::Tf32x3 && !options.hasWarpgroups)))
    return 4;
  return std::nullopt;
}

static int64_t powerOfTwoIn(int64_t size) { return size & -size; }

/// The rows and columns of the blocks that are dealt to warps.
static std::pair<int64_t, int64_t> blocksOf(DotOp dot, const Matrices &sizes,
                                            const DotOptions &options) {
  if (mmaBytes(dot, options))
    return {std::max<int64_t>(1, powerOfTwoIn(sizes.m) / 16),
            std::max<int64_t>(1, powerOfTwoIn(sizes.n) / 8)};
  return {std::max<int64_t>(1, powerOfTwoIn(sizes.m) / 4),
          std::max<int64_t>(1, powerOfTwoIn(sizes.n) / 8)};
}

namespace {

/// How wgmma does a dot.
struct WarpgroupForm {
  unsigned bytes; ///< of an element
  int64_t rows, columns, columnsOfOne;
  bool isTransposed, readsRegisters;
  /// Whether sums of a few products are apart from others at first.
  bool isApart, isSplit;
};

} // namespace

/// The bytes of an element as wgmma takes it, if it does. Of sums of products
/// of 8-bit numbers it keeps 14 bits, so they must not be seen in full.
static std::optional<unsigned> wgmmaBytes(DotOp dot) {
  if (dot.getPrecision() == Precision::Tf32x3 &&
      dot.getLhs().getType().getElementType().isF32() &&
      dot.getType().getElementType().isF32())
    return 4;
  std::optional<unsigned> bytes =
      mmaBytes(dot, {/*wholeRows=*/false, /*hasWarpgroups=*/true});
  if (!bytes || !isa<Float8E4M3FNType>(dot.getLhs().getType().getElementType()))
    return bytes;
  if (!digitsIn16Bits(dot.getResult()))
    return std::nullopt;
  return 1;
}

/// Whether a descriptor describes a factor of this type in shared memory, of
/// which an instruction takes so many rows.
static bool isDescribed(RankedTensorType type, unsigned rowAxis, unsigned kAxis,
                        unsigned bytes, int64_t taken) {
  for (unsigned axis : {kAxis, rowAxis})
    for (unsigned swizzle : {128, 64, 32})
      if (auto memory = swizzledShared(type.getShape(), axis, bytes, swizzle))
        if (wgmmaAccess(*memory, rowAxis, kAxis, bytes, taken))
          return true;
  return false;
}

/// Nothing if it cannot: factors are matrices, of which it reads at least one
/// in shared memory, and sizes are multiples of what it takes. Factors of other
/// than 16 bits it reads there along k only. One that lies otherwise in memory
/// is what gives the rows, which may come from registers, where they may be of
/// several axes, and so the product may have to be the transposed one. It is,
/// too, where there are too few rows for an instruction, but enough columns.
static std::optional<WarpgroupForm>
warpgroupForm(DotOp dot, const Matrices &sizes, FactorAxes axes) {
  std::optional<unsigned> bytes = wgmmaBytes(dot);
  if (!bytes)
    return std::nullopt;
  // Axes of extent 1 do not count.
  auto isMatrix = [](RankedTensorType type) {
    return type.getRank() >= 2 &&
           llvm::all_of(type.getShape().drop_back(2),
                        [](int64_t size) { return size == 1; });
  };
  RankedTensorType lhs = dot.getLhs().getType(), rhs = dot.getRhs().getType();
  bool isBatch = llvm::any_of(lhs.getShape().take_front(dot.getBatch()),
                              [](int64_t size) { return size != 1; });
  if (dot.getContract() != 1 || isBatch)
    return std::nullopt;
  unsigned leftK = lhs.getRank() - 1, rightK = dot.getBatch();
  bool needsK = *bytes != 2;
  bool isLeftAlongK = !needsK || axes.lhs.value_or(leftK) == leftK;
  bool isRightAlongK = !needsK || axes.rhs.value_or(rightK) == rightK;

  // Numbers are split where threads have them.
  bool isSplit = dot.getPrecision() == Precision::Tf32x3;
  auto formOf = [&](bool isTransposed) -> std::optional<WarpgroupForm> {
    bool readsRegisters =
        isSplit || (isTransposed ? !isRightAlongK : !isLeftAlongK);
    bool hasColumns = isTransposed ? isLeftAlongK : isRightAlongK;
    WarpgroupForm form{*bytes,
                       sizes.m,
                       sizes.n,
                       0,
                       isTransposed,
                       readsRegisters,
                       isSplit || *bytes == 1,
                       isSplit};
    if (isTransposed)
      std::swap(form.rows, form.columns);
    constexpr int64_t blockRows = 64;
    int64_t depth = 32 / *bytes;
    if (!hasColumns || form.rows % blockRows != 0 || sizes.k % depth != 0 ||
        form.columns % 8 != 0)
      return std::nullopt;
    form.columnsOfOne = wgmmaColumns(form.columns, form.isApart);
    if ((!readsRegisters || isTransposed) &&
        (!isMatrix(lhs) ||
         !isDescribed(lhs, leftK - 1, leftK, *bytes,
                      isTransposed ? form.columnsOfOne : blockRows)))
      return std::nullopt;
    if ((!readsRegisters || !isTransposed) &&
        (!isMatrix(rhs) ||
         !isDescribed(rhs, rightK + 1, rightK, *bytes,
                      isTransposed ? blockRows : form.columnsOfOne)))
      return std::nullopt;
    return form;
  };
  if (auto form = formOf(/*isTransposed=*/false))
    return form;
  return formOf(/*isTransposed=*/true);
}

bool DotAtom::isForTensorCores(DotOp dot, const DotOptions &options) {
  return mmaBytes(dot, options).has_value();
}

int64_t DotAtom::mostInWarpgroups(DotOp dot, FactorAxes axes) {
  std::optional<WarpgroupForm> form = warpgroupForm(dot, Matrices(dot), axes);
  return form ? powerOfTwoIn(form->rows) / 16 : 0;
}

unsigned DotAtom::maxWarps(DotOp dot, const DotOptions &options) {
  Matrices sizes(dot);
  auto [rows, columns] = blocksOf(dot, sizes, options);
  int64_t blocks = options.wholeRows ? rows : rows * columns;
  return std::clamp<int64_t>(blocks, 1, 16);
}

/// As square as possible, since a warp reads its rows of one factor and its
/// columns of the other. Warps for which there is nothing left do what others
/// do.
static WarpGrid divide(DotOp dot, const Matrices &sizes, unsigned numWarps,
                       const DotOptions &options) {
  auto [rows, columns] = blocksOf(dot, sizes, options);
  WarpGrid best{1, 1, numWarps};
  int64_t bestCost = std::numeric_limits<int64_t>::max();
  for (unsigned along = 1; along <= std::min<int64_t>(rows, numWarps);
       along *= 2) {
    unsigned across =
        options.wholeRows ? 1 : std::min<int64_t>(columns, numWarps / along);
    int64_t cost = sizes.m / along + sizes.n / across;
    // Of equal ones that with more rows, whose results are whole.
    if (cost <= bestCost) {
      best = {along, across, numWarps / (along * across)};
      bestCost = cost;
    }
  }
  return best;
}

static std::optional<Layout> shaped(const std::optional<Layout> &layout,
                                    RankedTensorType type) {
  return layout ? layout->reshape(type.getShape()) : std::nullopt;
}

/// The same for the matrix whose axes are the other way round.
static std::optional<Layout>
shapedTransposed(const std::optional<Layout> &layout, RankedTensorType type) {
  if (!layout)
    return std::nullopt;
  auto axes = llvm::to_vector(llvm::seq<unsigned>(layout->rank()));
  std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  return shaped(layout->transpose(axes).layout, type);
}

/// Nothing if it does not fit: blocks of rows are not enough for all warps, or
/// the registers of a thread for its sums.
static std::optional<DotAtom>
chooseForWarpgroups(DotOp dot, const Matrices &sizes, unsigned numWarps,
                    const DotOptions &options, FactorAxes axes) {
  if (!options.hasWarpgroups || numWarps % 4 != 0)
    return std::nullopt;
  std::optional<WarpgroupForm> form = warpgroupForm(dot, sizes, axes);
  if (!form || form->rows % (16 * numWarps) != 0 ||
      (form->isTransposed && options.wholeRows))
    return std::nullopt;
  // Sums that do not fit beside everything else would be taken out of registers
  // between instructions, which then wait for each other.
  constexpr int64_t mostSums = 192;
  int64_t sums = form->rows * form->columns / (32 * numWarps);
  // Those of two instructions are apart first.
  if (form->isApart)
    sums += form->columnsOfOne;
  if (sums > mostSums)
    return std::nullopt;

  unsigned groups = numWarps / 4;
  WgmmaRows rows = form->readsRegisters ? wgmmaRowsInMemory(form->bytes)
                                        : WgmmaRows::InOrder;
  auto sum =
      wgmmaAccumulator(sizes.with(form->rows, form->columns), groups, rows);
  auto left =
      wgmmaOperandA(sizes.with(form->rows, sizes.k), groups, form->bytes, rows);
  auto place = form->isTransposed ? shapedTransposed : shaped;
  auto accumulator = place(sum, dot.getType());
  auto fragment = place(left, form->isTransposed ? dot.getRhs().getType()
                                                 : dot.getLhs().getType());
  if (!accumulator || !fragment)
    return std::nullopt;
  // The factor that gives the columns is never in registers.
  DotAtom atom{Atom::Wgmma,          *accumulator,       std::nullopt,
               std::nullopt,         form->columnsOfOne, form->isTransposed,
               form->readsRegisters, form->isSplit};
  // What is cut off of a sum of so many products is no more than what rounding
  // it to a bf16 takes.
  if (form->isApart && !form->isSplit) {
    FloatType f16 = Float16Type::get(dot.getContext());
    unsigned digits = digitsIn16Bits(dot.getResult()).value_or(64);
    if (digits < f16.getFPMantissaWidth())
      atom.apart = 256;
  }
  (form->isTransposed ? atom.rhs : atom.lhs) = *fragment;
  return atom;
}

FailureOr<DotAtom> DotAtom::choose(DotOp dot, unsigned numWarps,
                                   const DotOptions &options, FactorAxes axes) {
  Matrices sizes(dot);
  if (auto atom = chooseForWarpgroups(dot, sizes, numWarps, options, axes))
    return *atom;
  RankedTensorType sum = dot.getType(), lhs = dot.getLhs().getType(),
                   rhs = dot.getRhs().getType();
  WarpGrid grid = divide(dot, sizes, numWarps, options);
  if (std::optional<unsigned> bytes = mmaBytes(dot, options)) {
    // What comes from no memory may be a sum.
    MmaDepth depth = *bytes == 4 && !axes.isLeftFromMemory ? MmaDepth::Paired
                                                           : MmaDepth::InOrder;
    auto c = shaped(mmaAccumulator(sizes.with(sizes.m, sizes.n), grid), sum);
    auto a = shaped(
        mmaOperandA(sizes.with(sizes.m, sizes.k), grid, *bytes, depth), lhs);
    auto b = shaped(
        mmaOperandB(sizes.with(sizes.k, sizes.n), grid, *bytes, depth), rhs);
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
