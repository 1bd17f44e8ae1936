//===- BitMap.cpp - linear maps over bits ---------------------------------===//
//
// Gaussian elimination, where subtraction is XOR.
//
//===----------------------------------------------------------------------===//

#include "fuse/Layout/BitMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace fuse;
using llvm::ArrayRef;

Bits Span::reduce(Bits vector) const {
  for (Bits row : rows)
    vector = std::min(vector, vector ^ row);
  return vector;
}

bool Span::add(Bits vector) {
  Bits rest = reduce(vector);
  if (!rest)
    return false;
  // `rest` has none of the leading bits of other rows; clear its own in them.
  for (Bits &row : rows)
    row = std::min(row, row ^ rest);
  rows.insert(llvm::upper_bound(rows, rest, std::greater<>()), rest);
  return true;
}

void Span::add(ArrayRef<Bits> vectors) {
  for (Bits vector : vectors)
    add(vector);
}

bool Span::containsAll(ArrayRef<Bits> vectors) const {
  return llvm::all_of(vectors, [&](Bits vector) { return contains(vector); });
}

BitVectors fuse::independent(Span span, ArrayRef<Bits> candidates) {
  BitVectors chosen;
  for (Bits candidate : candidates)
    if (span.add(candidate))
      chosen.push_back(candidate);
  return chosen;
}

namespace {

/// Independent images, each with the argument that it is the image of; those of
/// dependent bits lead to elements of the kernel instead.
struct Elimination {
  llvm::SmallVector<std::pair<Bits, Bits>, 12> rows; // (image, argument)
  BitVectors kernel;

  explicit Elimination(ArrayRef<Bits> images) {
    for (auto [bit, image] : llvm::enumerate(images)) {
      auto [rest, argument] = reduce(image, Bits(1) << bit);
      if (!rest) {
        kernel.push_back(argument);
        continue;
      }
      for (auto &row : rows)
        if ((row.first ^ rest) < row.first)
          row = {row.first ^ rest, row.second ^ argument};
      rows.emplace_back(rest, argument);
      llvm::sort(rows, std::greater<>());
    }
  }

  std::pair<Bits, Bits> reduce(Bits image, Bits argument) const {
    for (auto [rowImage, rowArgument] : rows)
      if ((image ^ rowImage) < image) {
        image ^= rowImage;
        argument ^= rowArgument;
      }
    return {image, argument};
  }
};

} // namespace

BitVectors fuse::intersection(const Span &a, const Span &b) {
  // A sum of vectors of both is 0 where the parts from a and b are equal.
  BitVectors both(a.basis());
  both.append(b.basis().begin(), b.basis().end());
  BitMap fromA(a.basis());
  Bits ofA = (Bits(1) << a.rank()) - 1;
  Span common;
  for (Bits argument : Elimination(both).kernel)
    common.add(fromA(argument & ofA));
  return BitVectors(common.basis());
}

Bits BitMap::operator()(Bits argument) const {
  Bits result = 0;
  for (; argument != 0; argument &= argument - 1)
    if (unsigned bit = llvm::countr_zero(argument); bit < images.size())
      result ^= images[bit];
  return result;
}

BitMap BitMap::after(const BitMap &first) const {
  BitMap result;
  for (Bits image : first.images)
    result.images.push_back((*this)(image));
  return result;
}

BitVectors BitMap::kernel() const { return Elimination(images).kernel; }

std::optional<Bits> BitMap::preimage(Bits value) const {
  auto [rest, argument] = Elimination(images).reduce(value, 0);
  if (rest)
    return std::nullopt;
  return argument;
}

std::optional<BitMap> BitMap::rightInverse(unsigned numBits) const {
  Elimination elimination(images);
  BitMap inverse;
  for (unsigned bit = 0; bit != numBits; ++bit) {
    auto [rest, argument] = elimination.reduce(Bits(1) << bit, 0);
    if (rest)
      return std::nullopt;
    inverse.images.push_back(argument);
  }
  return inverse;
}
