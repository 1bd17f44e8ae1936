//===- LayoutOps.cpp - layouts of related tiles ---------------------------===//
//
// Transposes, slices and the like move the axes of every basis to new places;
// what is left is to say where registers went.
//
//===----------------------------------------------------------------------===//

#include "fuse/Layout/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace fuse;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

constexpr int none = -1;

/// A tile whose axes come from those of another. Axes that come from none start
/// at 0; those that nobody takes are dropped.
struct AxisMap {
  const TileShape &from;
  TileShape to;
  SmallVector<int> source; // for each axis of `to`

  Coordinates operator()(ArrayRef<int64_t> coordinates) const {
    Coordinates result;
    for (int axis : source)
      result.push_back(axis == none ? 0 : coordinates[axis]);
    return result;
  }
  Bits packed(Bits position) const {
    return to.pack((*this)(from.unpack(position)));
  }
  BitVectors packed(ArrayRef<Bits> positions) const {
    return BitVectors(llvm::map_range(
        positions, [&](Bits position) { return packed(position); }));
  }
  /// The repeat of `to` that repeat `index` of `from` becomes.
  int64_t repeat(int64_t index) const {
    return repeatAt(to, (*this)(from.repeatOrigin(index)));
  }

  static int64_t repeatAt(const TileShape &shape, ArrayRef<int64_t> origin) {
    int64_t index = 0;
    for (unsigned axis = 0; axis != shape.rank(); ++axis)
      index = index * shape.repeat(axis) + origin[axis] / shape.cell(axis);
    return index;
  }
};

AxisMap select(const TileShape &shape, SmallVector<int> source) {
  Coordinates extents;
  for (int axis : source)
    extents.push_back(shape.extent(axis));
  return {shape, TileShape(extents), std::move(source)};
}

} // namespace

Moved Layout::transpose(ArrayRef<unsigned> permutation) const {
  AxisMap axes = select(shape, SmallVector<int>(permutation));
  Layout result(axes.to, axes.packed(bases(Place::Register)),
                axes.packed(bases(Place::Lane)),
                axes.packed(bases(Place::Warp)),
                axes.packed(bases(Place::Cta)));
  SmallVector<unsigned> sources(numRegisters());
  for (unsigned reg = 0; reg != numRegisters(); ++reg)
    sources[reg % numCellRegisters() +
            axes.repeat(repeatIndex(reg)) * numCellRegisters()] = reg;
  return {std::move(result), std::move(sources)};
}

Slice Layout::slice(ArrayRef<unsigned> dropped) const {
  SmallVector<int> kept;
  for (unsigned axis = 0; axis != rank(); ++axis)
    if (!llvm::is_contained(dropped, axis))
      kept.push_back(axis);
  AxisMap axes = select(shape, kept);

  BitMap registers(axes.packed(bases(Place::Register)));
  BitVectors keptRegisters =
      independent(Span(), axes.packed(bases(Place::Register)));
  BitMap ofSlice(keptRegisters);
  Slice result{Layout(axes.to, keptRegisters, axes.packed(bases(Place::Lane)),
                      axes.packed(bases(Place::Warp)),
                      axes.packed(bases(Place::Cta))),
               {},
               {}};
  result.sources.assign(result.layout.numRegisters(), ~0u);
  for (unsigned reg = 0; reg != numRegisters(); ++reg) {
    unsigned inCell = *ofSlice.preimage(registers(reg % numCellRegisters()));
    unsigned target = inCell + axes.repeat(repeatIndex(reg)) *
                                   result.layout.numCellRegisters();
    result.sliceOf.push_back(target);
    result.sources[target] = std::min(result.sources[target], reg);
  }
  return result;
}

std::optional<Reduction> Layout::reduction(ArrayRef<unsigned> reduced) const {
  Slice sliced = slice(reduced);
  // Each element must come in once, and the threads that combine results must
  // hold the same ones: bits of threads are free, or add to the positions of
  // elements, and then to those of results or not at all.
  Span elements(bases(Place::Register));
  Span results(sliced.layout.bases(Place::Register));
  auto combine = [&](Place place) -> std::optional<unsigned> {
    unsigned mask = 0;
    for (unsigned bit = 0; bit != numBits(place); ++bit) {
      Bits element = bases(place)[bit];
      Bits result = sliced.layout.bases(place)[bit];
      if (!element)
        continue;
      if (!elements.add(element) || (result && !results.add(result)))
        return std::nullopt;
      if (!result)
        mask |= 1u << bit;
    }
    return mask;
  };
  std::optional<unsigned> lanes = combine(Place::Lane);
  std::optional<unsigned> warps = combine(Place::Warp);
  std::optional<unsigned> ctas = combine(Place::Cta);
  if (!lanes || !warps || !ctas)
    return std::nullopt;

  Reduction reduction{std::move(sliced.layout), {}, *lanes, *warps, *ctas};
  reduction.groups.resize(reduction.layout.numRegisters());
  unsigned copies = freeMask(Place::Register);
  for (unsigned reg = 0; reg != numRegisters(); ++reg)
    if (!(reg % numCellRegisters() & copies))
      reduction.groups[sliced.sliceOf[reg]].push_back(reg);
  return reduction;
}

Moved Layout::insertAxis(unsigned axis, int64_t extent) const {
  SmallVector<int> source;
  Coordinates extents = shape.extents();
  for (unsigned i = 0; i != rank(); ++i)
    source.push_back(i);
  source.insert(source.begin() + axis, none);
  extents.insert(extents.begin() + axis, extent);
  AxisMap axes{shape, TileShape(extents), std::move(source)};

  BitVectors registers = axes.packed(bases(Place::Register));
  for (unsigned bit = 0; bit != axes.to.axisBits(axis); ++bit)
    registers.push_back(Bits(1) << (axes.to.axisShift(axis) + bit));
  Layout result(axes.to, registers, axes.packed(bases(Place::Lane)),
                axes.packed(bases(Place::Warp)),
                axes.packed(bases(Place::Cta)));
  SmallVector<unsigned> sources;
  for (unsigned reg = 0; reg != result.numRegisters(); ++reg) {
    Coordinates origin = axes.to.repeatOrigin(result.repeatIndex(reg));
    origin.erase(origin.begin() + axis);
    sources.push_back(reg % numCellRegisters() +
                      AxisMap::repeatAt(shape, origin) * numCellRegisters());
  }
  return {std::move(result), std::move(sources)};
}

/// Whether the row-major order of axes [first, last) counts repeats outside of
/// positions in the cell.
static bool isCellInside(const TileShape &shape, unsigned first,
                         unsigned last) {
  bool seenCell = false;
  for (unsigned axis = first; axis != last; ++axis) {
    if (seenCell && shape.repeat(axis) != 1)
      return false;
    seenCell |= shape.axisBits(axis) != 0;
  }
  return true;
}

std::optional<Layout> Layout::reshape(ArrayRef<int64_t> extents) const {
  TileShape target(extents);
  if (target.numElements() != shape.numElements())
    return std::nullopt;
  // Groups of axes with the same number of elements, as short as possible.
  unsigned i = 0, j = 0;
  while (i != rank() || j != target.rank()) {
    unsigned firstI = i, firstJ = j;
    int64_t sizeI = 1, sizeJ = 1;
    do {
      bool takesI = i != rank() && (sizeI <= sizeJ || j == target.rank());
      if (takesI)
        sizeI *= shape.extent(i++);
      else if (j != target.rank())
        sizeJ *= target.extent(j++);
    } while (sizeI != sizeJ);
    if (!isCellInside(shape, firstI, i) || !isCellInside(target, firstJ, j))
      return std::nullopt;
  }
  return Layout(target, images[0], images[1], images[2], images[3]);
}

Layout::Repeated Layout::repeat(unsigned axis, int64_t count) const {
  Coordinates extents = shape.extents();
  extents[axis] *= count;
  auto all = llvm::seq<int>(0, rank());
  SmallVector<int> source(all.begin(), all.end());
  AxisMap axes{shape, TileShape(extents), std::move(source)};

  BitVectors registers = axes.packed(bases(Place::Register));
  for (unsigned bit = shape.axisBits(axis); bit != axes.to.axisBits(axis);
       ++bit)
    registers.push_back(Bits(1) << (axes.to.axisShift(axis) + bit));
  Layout result(axes.to, registers, axes.packed(bases(Place::Lane)),
                axes.packed(bases(Place::Warp)),
                axes.packed(bases(Place::Cta)));

  Repeated repeated{std::move(result), {}};
  for (unsigned reg = 0; reg != repeated.layout.numRegisters(); ++reg) {
    // The corner of the old cell that the register is in, and from it the copy
    // and the old repeat.
    unsigned rest = reg % repeated.layout.numCellRegisters();
    unsigned inCell = rest % numCellRegisters();
    Coordinates origin = axes.to.repeatOrigin(repeated.layout.repeatIndex(reg));
    origin[axis] += rest / numCellRegisters() * shape.cell(axis);
    unsigned copy = origin[axis] / shape.extent(axis);
    origin[axis] %= shape.extent(axis);
    repeated.sources.emplace_back(
        copy, inCell + AxisMap::repeatAt(shape, origin) * numCellRegisters());
  }
  return repeated;
}
