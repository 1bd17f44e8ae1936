//===- SharedLayout.h - tiles in shared memory ------------------*- C++ -*-===//
//
// A shared layout maps each bit of an element's offset to the position that it
// moves to, as a layout of registers does for threads. Swizzles are linear, so
// they are shared layouts like any other, and a bank conflict is a statement
// about spans.
//
// 64 rows of 64 16-bit elements, swizzled by 128 bytes as the copy engine does:
// offset bits 0..5 are columns; bit 6 moves to the next row and to the next
// chunk of 8 columns at once:
//
//   cell=[64, 64] offset=[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32],
//   [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]] repeat=[1, 1]
//
// Offset 64 + 8 is row 1, column 0: where row 0 has chunk 1, row 1 has chunk 0.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LAYOUT_SHAREDLAYOUT_H
#define FUSE_LAYOUT_SHAREDLAYOUT_H

#include "fuse/Layout/Layout.h"

namespace fuse {

/// Bijective on the cell. Repeats follow each other, row-major: each takes as
/// many offsets as the cell has elements. All offsets are in elements.
class SharedLayout {
public:
  struct Bases {
    Coordinates cell;
    llvm::SmallVector<Coordinates> offset;
    Coordinates repeat;
  };

  /// Fails where a basis leaves the cell or two offsets hold the same element.
  /// Even repeats become offset bases after the others, last axis first.
  static llvm::Expected<SharedLayout> get(const Bases &bases);
  static llvm::Expected<SharedLayout> parse(llvm::StringRef text);

  /// From packed positions, which the caller knows to be a basis of the cell.
  SharedLayout(TileShape shape, BitVectors offset);

  Bases bases() const;
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

  const TileShape &tile() const { return shape; }
  llvm::ArrayRef<Bits> offsetBases() const { return images; }

  Coordinates position(int64_t offset) const;
  int64_t offset(llvm::ArrayRef<int64_t> position) const;

  /// From packed positions to offsets in the cell, and back.
  const BitMap &toOffset() const { return inverse; }
  BitMap toPosition() const { return BitMap(images); }

  /// Axis i of the result is axis permutation[i] of this tile. Nothing if
  /// repeats would follow each other in another order.
  std::optional<SharedLayout>
  transpose(llvm::ArrayRef<unsigned> permutation) const;

  friend bool operator==(const SharedLayout &a, const SharedLayout &b) {
    return a.shape == b.shape && a.images == b.images;
  }
  friend llvm::hash_code hash_value(const SharedLayout &layout);

private:
  TileShape shape;
  BitVectors images;
  BitMap inverse;
};

/// How the threads of a layout reach a shared tile, for code that computes
/// addresses. In a cell, the offset of an element is
///   registers[r] ^ (XOR of threads' bases),  plus repeat * cell elements;
/// where no bit occurs in both, XOR is addition and registers are constant
/// offsets from one address per thread.
struct SharedAddress {
  BitVectors lane, warp, cta;        ///< offset of each bit, in elements
  llvm::SmallVector<Bits> registers; ///< of a cell
  Bits threadBits;                   ///< those that threads may set
};
SharedAddress addressOf(const Layout &layout, const SharedLayout &memory);

/// A vector access of every thread to `registers.size()` elements that follow
/// each other in shared memory: the register of the first is first.
struct VectorAccess {
  llvm::SmallVector<unsigned, 8> registers;
  /// Of thread 0, repeats included, in elements: a multiple of the vector. To
  /// be XORed with the bases of `addressOf`.
  Bits offset;
};

/// All registers of a layout in vectors of `width` elements, a power of two,
/// cell after cell. Registers that hold copies are left out, see
/// `Layout::original`. Nothing if vectors would be split or permuted in some
/// thread.
std::optional<llvm::SmallVector<VectorAccess>>
vectorAccesses(const Layout &layout, const SharedLayout &memory,
               unsigned width);

/// The widest vector, in elements, of at most `maxBytes`.
unsigned maxVectorWidth(const Layout &layout, const SharedLayout &memory,
                        unsigned elementBytes, unsigned maxBytes = 16);

/// How often the banks are asked in vain: the passes that one warp needs for an
/// access, over those that its bytes need at best. 32 banks serve 4 bytes each
/// in a pass; 8-byte accesses go by half warps, 16-byte ones by quarters. Lanes
/// that want the same word share it. Counted over all lanes, for the worst
/// phase: 1 is free of conflicts. `addresses` are in bytes, one per lane,
/// negative for lanes that take no part.
unsigned bankConflicts(llvm::ArrayRef<int64_t> addresses, unsigned accessBytes);

/// The same for the accesses that `layout` makes to `memory` with vectors of
/// `width` elements, as `vectorAccesses` allows. All of them are alike: another
/// register or warp XORs every address with the same number, which renames
/// banks. Lanes that hold copies take part only if `copies`, as they do in
/// loads; stores leave them out.
unsigned bankConflicts(const Layout &layout, const SharedLayout &memory,
                       unsigned elementBytes, unsigned width,
                       bool copies = true);

} // namespace fuse

#endif // FUSE_LAYOUT_SHAREDLAYOUT_H
