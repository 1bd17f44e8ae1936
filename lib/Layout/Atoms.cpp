//===- Atoms.cpp - the layouts that instructions want ---------------------===//
//
// Each layout is a list of steps: who numbers the next bits of which axis. The
// fragments are those of the PTX ISA, "Matrix Fragments for mma.m16n8k*" and
// "Register Fragments for wgmma.mma_async".
//
//===----------------------------------------------------------------------===//

#include "fuse/Layout/Atoms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace fuse;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// LayoutBuilder
//===----------------------------------------------------------------------===//

LayoutBuilder::LayoutBuilder(ArrayRef<int64_t> extents)
    : shape(extents), low(shape.rank(), 0) {
  for (unsigned axis = 0; axis != shape.rank(); ++axis)
    high.push_back(shape.axisBits(axis));
}

Bits LayoutBuilder::bit(unsigned axis, unsigned index) const {
  return Bits(1) << (shape.axisShift(axis) + index);
}

int64_t LayoutBuilder::left(unsigned axis) const {
  return int64_t(1) << (high[axis] - low[axis]);
}

int64_t LayoutBuilder::take(Place place, unsigned axis, int64_t count) {
  count = std::min(count, left(axis));
  for (int64_t taken = 1; taken < count; taken *= 2)
    images[unsigned(place)].push_back(bit(axis, low[axis]++));
  return count;
}

int64_t LayoutBuilder::takeHigh(Place place, unsigned axis, int64_t count) {
  count = std::min(count, left(axis));
  unsigned numBits = llvm::Log2_64(count);
  high[axis] -= numBits;
  for (unsigned index = 0; index != numBits; ++index)
    images[unsigned(place)].push_back(bit(axis, high[axis] + index));
  return count;
}

int64_t LayoutBuilder::takeAll(Place place, unsigned axis) {
  return take(place, axis, left(axis));
}

void LayoutBuilder::replicate(Place place, int64_t count) {
  for (int64_t taken = 1; taken < count; taken *= 2)
    images[unsigned(place)].push_back(0);
}

Layout LayoutBuilder::finish() {
  for (unsigned axis = shape.rank(); axis-- != 0;)
    takeAll(Place::Register, axis);
  images[unsigned(Place::Lane)].resize(numLaneBits);
  return Layout(shape, images[0], images[1], images[2], images[3]);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Layout fuse::blockedLayout(ArrayRef<int64_t> extents, int64_t vector,
                           ArrayRef<unsigned> order, unsigned numWarps,
                           unsigned fastWarps) {
  LayoutBuilder builder(extents);
  if (!order.empty())
    builder.take(Place::Register, order.front(), vector);
  int64_t lanes = numLanes, warps = numWarps;
  for (unsigned axis : order)
    lanes /= builder.take(Place::Lane, axis, lanes);
  builder.replicate(Place::Lane, lanes);
  for (auto [i, axis] : llvm::enumerate(order)) {
    int64_t allowed = i == 0 ? std::min<int64_t>(warps, fastWarps) : warps;
    warps /= builder.take(Place::Warp, axis, allowed);
  }
  builder.replicate(Place::Warp, warps);
  for (unsigned axis : order)
    builder.takeAll(Place::Register, axis);
  return builder.finish();
}

Layout fuse::blockedLayout(ArrayRef<int64_t> extents, int64_t vector,
                           unsigned numWarps) {
  SmallVector<unsigned> order;
  for (unsigned axis = extents.size(); axis-- != 0;)
    order.push_back(axis);
  return blockedLayout(extents, vector, order, numWarps, numWarps);
}

Layout fuse::withLongerRows(const Layout &layout, unsigned axis, int64_t most) {
  Layout::Bases bases = layout.bases();
  auto isAlong = [&](const Coordinates &basis) { return basis[axis] != 0; };
  auto isAcross = [&](const Coordinates &basis) {
    return !isAlong(basis) &&
           llvm::any_of(basis, [](int64_t step) { return step != 0; });
  };
  int64_t held = int64_t(1) << llvm::count_if(bases.reg, isAlong);
  for (Coordinates &lane : llvm::make_filter_range(bases.lane, isAlong)) {
    auto *row = llvm::find_if(bases.reg, isAcross);
    if (held >= most || row == bases.reg.end())
      break;
    std::swap(lane, *row);
    held *= 2;
  }
  return llvm::cantFail(Layout::get(bases));
}

Layout fuse::dividedAmongBlocks(const Layout &part, unsigned axis,
                                unsigned numBlocks) {
  Layout::Bases bases = part.bases();
  int64_t &extent = bases.cell[axis];
  for (unsigned other = 1; other < numBlocks; other *= 2) {
    bases.cta.push_back(Coordinates(part.rank(), 0));
    bases.cta.back()[axis] = extent * other;
  }
  extent *= numBlocks;
  return llvm::cantFail(Layout::get(bases));
}

Layout fuse::copiedToBlocks(const Layout &layout, unsigned numBlocks) {
  Layout::Bases bases = layout.bases();
  bases.cta.assign(llvm::Log2_32(numBlocks), Coordinates(layout.rank(), 0));
  return llvm::cantFail(Layout::get(bases));
}

Layout fuse::replicatedLayout(ArrayRef<int64_t> extents, unsigned numWarps) {
  LayoutBuilder builder(extents);
  builder.replicate(Place::Warp, numWarps);
  return builder.finish();
}

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

namespace {

/// A step of an instruction's fragment: `count` positions along the rows or the
/// columns.
struct Step {
  enum Axis { Row, Column };
  Place place;
  Axis axis;
  int64_t count;
};

constexpr auto inRegister = Place::Register;
constexpr auto inLane = Place::Lane;

/// 16 rows of the accumulator and the operand A: eight lanes have two each.
SmallVector<Step> rowSteps(WgmmaRows rows) {
  if (rows != WgmmaRows::InOrder)
    return {{inRegister, Step::Row, 2}, {inLane, Step::Row, 8}};
  return {{inLane, Step::Row, 8}, {inRegister, Step::Row, 2}};
}

/// Elements of one word are consecutive along the contracted axis. The two
/// halves of it are four words apart, and so are the fragments' registers;
/// unless they are paired, and follow each other.
struct Fragments {
  unsigned perWord;
  MmaDepth depth = MmaDepth::InOrder;

  /// 16 rows and 8 columns.
  static SmallVector<Step> accumulator(WgmmaRows rows = WgmmaRows::InOrder) {
    SmallVector<Step> steps{{inRegister, Step::Column, 2},
                            {inLane, Step::Column, 4}};
    steps.append(rowSteps(rows));
    return steps;
  }
  /// 16 rows and 8 words of columns.
  SmallVector<Step> operandA(WgmmaRows rows = WgmmaRows::InOrder) const {
    SmallVector<Step> steps{{inRegister, Step::Column, together()},
                            {inLane, Step::Column, 4}};
    steps.append(rowSteps(rows));
    steps.push_back({inRegister, Step::Column, apart()});
    return steps;
  }
  /// 8 words of rows and 8 columns.
  SmallVector<Step> operandB() const {
    return {{inRegister, Step::Row, together()},
            {inLane, Step::Row, 4},
            {inLane, Step::Column, 8},
            {inRegister, Step::Row, apart()}};
  }

private:
  int64_t apart() const { return depth == MmaDepth::Paired ? 1 : 2; }
  int64_t together() const { return 2 * perWord / apart(); }
};

/// Gives `steps` to the two last axes of a tile.
class FragmentBuilder {
public:
  FragmentBuilder(ArrayRef<int64_t> extents, ArrayRef<Step> steps)
      : builder(extents), rank(extents.size()), fits(rank >= 2) {
    for (Step step : steps)
      take(step.place, step.axis, step.count);
  }

  void take(Place place, Step::Axis axis, int64_t count) {
    fits = fits && builder.take(place, index(axis), count) == count;
  }
  void takeHigh(Place place, Step::Axis axis, int64_t count) {
    fits = fits && builder.takeHigh(place, index(axis), count) == count;
  }
  void takeRest(Step::Axis axis) {
    if (fits)
      builder.takeAll(Place::Register, index(axis));
  }
  void replicateWarps(int64_t count) { builder.replicate(Place::Warp, count); }

  /// Columns go to registers before rows, those before other axes.
  std::optional<Layout> finish() {
    if (!fits)
      return std::nullopt;
    return builder.finish();
  }

private:
  unsigned index(Step::Axis axis) const {
    return rank - (axis == Step::Row ? 2 : 1);
  }

  LayoutBuilder builder;
  unsigned rank;
  bool fits;
};

} // namespace

std::optional<Layout> fuse::mmaAccumulator(ArrayRef<int64_t> extents,
                                           WarpGrid warps) {
  FragmentBuilder builder(extents, Fragments::accumulator());
  builder.take(Place::Warp, Step::Row, warps.rows);
  builder.takeHigh(Place::Warp, Step::Column, warps.columns);
  builder.replicateWarps(warps.copies);
  return builder.finish();
}

std::optional<Layout> fuse::mmaOperandA(ArrayRef<int64_t> extents,
                                        WarpGrid warps, unsigned elementBytes,
                                        MmaDepth depth) {
  FragmentBuilder builder(extents,
                          Fragments{4 / elementBytes, depth}.operandA());
  builder.take(Place::Warp, Step::Row, warps.rows);
  builder.replicateWarps(warps.columns * warps.copies);
  return builder.finish();
}

std::optional<Layout> fuse::mmaOperandB(ArrayRef<int64_t> extents,
                                        WarpGrid warps, unsigned elementBytes,
                                        MmaDepth depth) {
  FragmentBuilder builder(extents,
                          Fragments{4 / elementBytes, depth}.operandB());
  builder.replicateWarps(warps.rows);
  builder.takeHigh(Place::Warp, Step::Column, warps.columns);
  builder.replicateWarps(warps.copies);
  // All of k before the next columns.
  builder.takeRest(Step::Row);
  return builder.finish();
}

WgmmaRows fuse::wgmmaRowsInMemory(unsigned elementBytes) {
  return elementBytes == 4 ? WgmmaRows::PairedWords : WgmmaRows::Paired;
}

/// The fragment whose rows are `rows`, of one whose rows are paired or in
/// order.
static std::optional<Layout> orderRows(const std::optional<Layout> &layout,
                                       WgmmaRows rows) {
  if (!layout || rows != WgmmaRows::PairedWords)
    return layout;
  // Lanes number bits 1, 2 and 3 of the rows, and warps the next two.
  constexpr unsigned becomes[] = {0, 1, 4, 2, 3, 5};
  const TileShape &shape = layout->tile();
  unsigned shift = shape.axisShift(layout->rank() - 2);
  std::array<BitVectors, 4> images;
  for (Place place : {Place::Register, Place::Lane, Place::Warp, Place::Cta})
    for (Bits basis : layout->bases(place)) {
      Bits moved = basis;
      for (auto [from, to] : llvm::enumerate(becomes))
        moved = (moved & ~(Bits(1) << (shift + to))) |
                (basis >> (shift + from) & 1) << (shift + to);
      images[unsigned(place)].push_back(moved);
    }
  return Layout(shape, images[0], images[1], images[2], images[3]);
}

std::optional<Layout> fuse::wgmmaAccumulator(ArrayRef<int64_t> extents,
                                             unsigned warpgroups,
                                             WgmmaRows rows) {
  FragmentBuilder builder(extents, Fragments::accumulator(rows));
  builder.take(Place::Warp, Step::Row, 4 * warpgroups);
  return orderRows(builder.finish(), rows);
}

std::optional<Layout> fuse::wgmmaOperandA(ArrayRef<int64_t> extents,
                                          unsigned warpgroups,
                                          unsigned elementBytes,
                                          WgmmaRows rows) {
  FragmentBuilder builder(extents, Fragments{4 / elementBytes}.operandA(rows));
  builder.take(Place::Warp, Step::Row, 4 * warpgroups);
  return orderRows(builder.finish(), rows);
}

std::optional<WgmmaForm> fuse::wgmmaFormOf(const Layout &accumulator) {
  SmallVector<int64_t, 4> extents = accumulator.tile().extents();
  auto axes = llvm::to_vector(llvm::seq<unsigned>(extents.size()));
  if (accumulator.numWarps() % 4 != 0 || extents.size() < 2)
    return std::nullopt;
  unsigned groups = accumulator.numWarps() / 4, last = extents.size() - 1;
  for (bool isTransposed : {false, true}) {
    for (WgmmaRows rows :
         {WgmmaRows::InOrder, WgmmaRows::Paired, WgmmaRows::PairedWords}) {
      auto wanted = wgmmaAccumulator(extents, groups, rows);
      if (wanted && wanted->transpose(axes).layout == accumulator)
        return WgmmaForm{isTransposed, rows, groups};
    }
    std::swap(extents[last], extents[last - 1]);
    std::swap(axes[last], axes[last - 1]);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Outer products
//===----------------------------------------------------------------------===//

Layout fuse::outerAccumulator(ArrayRef<int64_t> extents, WarpGrid warps,
                              int64_t rows, int64_t columns) {
  LayoutBuilder builder(extents);
  unsigned row = extents.size() - 2, column = extents.size() - 1;
  builder.take(Place::Register, column, columns);
  builder.take(Place::Register, row, rows);
  // Shared memory serves 16 bytes a lane twice as fast where lanes next to each
  // other, or next but one, read the same: so of both factors they do. A narrow
  // tile leaves its lanes to the other axis.
  int64_t lanes = numLanes;
  lanes /= builder.take(Place::Lane, row, 2);
  lanes /= builder.take(Place::Lane, column, 8);
  lanes /= builder.take(Place::Lane, row, lanes);
  lanes /= builder.take(Place::Lane, column, lanes);
  builder.replicate(Place::Lane, lanes);
  builder.replicate(Place::Warp,
                    warps.rows / builder.take(Place::Warp, row, warps.rows));
  builder.replicate(Place::Warp,
                    warps.columns /
                        builder.takeHigh(Place::Warp, column, warps.columns));
  builder.replicate(Place::Warp, warps.copies);
  return builder.finish();
}

Layout fuse::outerOperandA(const Layout &accumulator, int64_t k) {
  unsigned column = accumulator.rank() - 1;
  return accumulator.slice({column}).layout.insertAxis(column, k).layout;
}

Layout fuse::outerOperandB(const Layout &accumulator, int64_t k) {
  unsigned row = accumulator.rank() - 2;
  return accumulator.slice({row}).layout.insertAxis(row, k).layout;
}
