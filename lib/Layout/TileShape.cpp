//===- TileShape.cpp - cells and repeats ----------------------------------===//
//
// Extents as a power of two times an odd number, and positions in the cell as
// one number.
//
//===----------------------------------------------------------------------===//

#include "fuse/Layout/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace fuse;
using llvm::ArrayRef;

TileShape::TileShape(ArrayRef<int64_t> extents) {
  for (int64_t extent : extents) {
    cellBits.push_back(llvm::countr_zero(uint64_t(extent)));
    repeats.push_back(extent >> cellBits.back());
  }
}

Coordinates TileShape::extents() const {
  Coordinates result;
  for (unsigned axis = 0; axis != rank(); ++axis)
    result.push_back(extent(axis));
  return result;
}

Coordinates TileShape::cell() const {
  Coordinates result;
  for (unsigned axis = 0; axis != rank(); ++axis)
    result.push_back(cell(axis));
  return result;
}

unsigned TileShape::numBits() const {
  unsigned sum = 0;
  for (unsigned bits : cellBits)
    sum += bits;
  return sum;
}

unsigned TileShape::axisShift(unsigned axis) const {
  unsigned shift = 0;
  for (unsigned bits : ArrayRef(cellBits).drop_front(axis + 1))
    shift += bits;
  return shift;
}

Bits TileShape::axisMask(unsigned axis) const {
  return ((Bits(1) << axisBits(axis)) - 1) << axisShift(axis);
}

Bits TileShape::axesMask(ArrayRef<unsigned> axes) const {
  Bits mask = 0;
  for (unsigned axis : axes)
    mask |= axisMask(axis);
  return mask;
}

int64_t TileShape::numRepeats() const {
  int64_t product = 1;
  for (int64_t repeat : repeats)
    product *= repeat;
  return product;
}

Bits TileShape::pack(ArrayRef<int64_t> coordinates) const {
  Bits packed = 0;
  for (auto [bits, coordinate] : llvm::zip_equal(cellBits, coordinates))
    packed = packed << bits | Bits(coordinate);
  return packed;
}

Coordinates TileShape::unpack(Bits position) const {
  Coordinates result(rank());
  for (unsigned axis = rank(); axis-- != 0;) {
    result[axis] = position & (cell(axis) - 1);
    position >>= axisBits(axis);
  }
  return result;
}

Coordinates TileShape::repeatOrigin(int64_t index) const {
  Coordinates result(rank());
  for (unsigned axis = rank(); axis-- != 0;) {
    result[axis] = index % repeat(axis) * cell(axis);
    index /= repeat(axis);
  }
  return result;
}

namespace fuse {
llvm::hash_code hash_value(const TileShape &shape) {
  return llvm::hash_combine(
      llvm::hash_combine_range(shape.cellBits.begin(), shape.cellBits.end()),
      llvm::hash_combine_range(shape.repeats.begin(), shape.repeats.end()));
}
} // namespace fuse
