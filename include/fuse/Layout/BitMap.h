//===- BitMap.h - linear maps over bits -------------------------*- C++ -*-===//
//
// Numbers are vectors of bits, and addition is XOR, so that a linear map is
// given by the image of each single bit. Its inverses, ranks and spans are all
// the algebra that layouts need.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LAYOUT_BITMAP_H
#define FUSE_LAYOUT_BITMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace fuse {

using Bits = uint64_t;
using BitVectors = llvm::SmallVector<Bits, 12>;

/// Whether an odd number of the bits of `value` that `mask` selects are set: a
/// linear function of `value`.
inline bool parity(Bits value, Bits mask) {
  return __builtin_parityll(value & mask);
}

/// The vectors that sums of the added ones reach.
class Span {
public:
  Span() = default;
  explicit Span(llvm::ArrayRef<Bits> vectors) { add(vectors); }

  /// Returns false if `vector` was in the span already.
  bool add(Bits vector);
  void add(llvm::ArrayRef<Bits> vectors);

  bool contains(Bits vector) const { return !reduce(vector); }
  bool containsAll(llvm::ArrayRef<Bits> vectors) const;
  unsigned rank() const { return rows.size(); }

  /// What is left of `vector` after the span's leading bits were cleared: the
  /// same for all vectors that differ by one of the span, 0 for its own.
  Bits reduce(Bits vector) const;

  /// A basis, in reduced form: equal spans have equal bases.
  llvm::ArrayRef<Bits> basis() const { return rows; }

private:
  BitVectors rows; // leading bits decrease, each is set in one row only
};

/// Those `candidates` that are independent of `span` and of the candidates
/// before them, in order.
BitVectors independent(Span span, llvm::ArrayRef<Bits> candidates);

/// A basis of the vectors that lie in both spans.
BitVectors intersection(const Span &a, const Span &b);

/// A linear map: bit i of the argument contributes `images[i]`.
class BitMap {
public:
  BitMap() = default;
  explicit BitMap(llvm::ArrayRef<Bits> images) : images(images) {}

  unsigned numInputBits() const { return images.size(); }
  Bits operator[](unsigned bit) const { return images[bit]; }
  Bits operator()(Bits argument) const;

  /// This map after `first`.
  BitMap after(const BitMap &first) const;

  unsigned rank() const { return Span(images).rank(); }
  bool isInjective() const { return rank() == images.size(); }

  /// A basis of the arguments that the map sends to 0.
  BitVectors kernel() const;

  /// An argument that the map sends to `value`, nothing if there is none. Bits
  /// that depend on lower ones are never used, so the answer is linear in
  /// `value`, and prefers low bits: registers before lanes, lanes before warps.
  std::optional<Bits> preimage(Bits value) const;

  /// The linear map that answers `preimage` for values of `numBits` bits,
  /// nothing if some of them have none.
  std::optional<BitMap> rightInverse(unsigned numBits) const;

  friend bool operator==(const BitMap &a, const BitMap &b) {
    return a.images == b.images;
  }

private:
  BitVectors images;
};

} // namespace fuse

#endif // FUSE_LAYOUT_BITMAP_H
