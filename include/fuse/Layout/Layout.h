//===- Layout.h - where the elements of a tile live -------------*- C++ -*-===//
//
// A layout says which element of a tile each register of each thread holds. It
// is linear over bits: every bit of the register's, lane's, warp's and CTA's
// number moves the position by a fixed amount, its *basis*, and the amounts are
// combined by XOR.
//
// The f32 accumulator of mma.m16n8k16, 16 rows and 8 columns:
//
//   cell=[16, 8] reg=[[0, 1], [8, 0]] lane=[[0, 2], [0, 4], [1, 0], [2, 0],
//   [4, 0]] warp=[] repeat=[1, 1]
//
// Register 3 of lane 6 = 0b00110: [0,1] ^ [8,0] ^ [0,4] ^ [1,0] = row 9, col 5.
//
// All else is arithmetic on bases:
//  - a reduction of columns drops the column of every basis. What is left,
//    reg=[[0], [8]] lane=[[0], [0], [1], [2], [4]], is the layout of the
//    result: the columns were in register bit 0 and lane bits 0 and 1, so one
//    addition and two shuffles do it, and four lanes then hold each row's
//    result.
//  - A basis of zero is replication: threads that differ in that bit hold the
//    same element. A scalar is a tile of rank 0, all of its bases are zero.
//  - Equal bases need no data movement: this very layout, widened to 16 columns
//    by reg [0, 8], is also the A operand of the next mma.m16n8k16.
//
// Extents that are no power of two are a *cell*, which is linear, times an odd
// *repeat*, whose index counts the outermost registers: [128, 192] is the cell
// [128, 64], three times along the columns. Bits of repeats are added, not
// XORed, but never meet bits of the cell. A layout is kept in one form: the
// cell is the largest power of two in each extent, so two layouts of one tile
// agree in cell and repeat, and equal functions are equal layouts.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LAYOUT_LAYOUT_H
#define FUSE_LAYOUT_LAYOUT_H

#include "fuse/Layout/BitMap.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace fuse {

/// One number per axis of a tile.
using Coordinates = llvm::SmallVector<int64_t, 4>;

/// The extents of a tile: a cell of powers of two, and how often it is repeated
/// along each axis. A position in the cell is also one number, its row-major
/// index, the *packed* position: the last axis has the lowest bits.
class TileShape {
public:
  TileShape() = default;
  /// The cell is the largest power of two in each extent, which is positive.
  explicit TileShape(llvm::ArrayRef<int64_t> extents);

  unsigned rank() const { return cellBits.size(); }
  int64_t extent(unsigned axis) const { return repeat(axis) << cellBits[axis]; }
  Coordinates extents() const;
  int64_t cell(unsigned axis) const { return int64_t(1) << cellBits[axis]; }
  Coordinates cell() const;
  int64_t repeat(unsigned axis) const { return repeats[axis]; }
  Coordinates repeat() const { return repeats; }

  /// Bits of a packed position, and those of one axis: `axisBits(a)` bits from
  /// `axisShift(a)`.
  unsigned numBits() const;
  unsigned axisBits(unsigned axis) const { return cellBits[axis]; }
  unsigned axisShift(unsigned axis) const;
  Bits axisMask(unsigned axis) const;
  Bits axesMask(llvm::ArrayRef<unsigned> axes) const;

  int64_t numElements() const { return numRepeats() << numBits(); }
  int64_t numRepeats() const;

  /// The position in the cell. Coordinates must lie in it.
  Bits pack(llvm::ArrayRef<int64_t> coordinates) const;
  Coordinates unpack(Bits position) const;

  /// The corner of the cell with this number; they count row-major.
  Coordinates repeatOrigin(int64_t index) const;

  friend bool operator==(const TileShape &a, const TileShape &b) {
    return a.cellBits == b.cellBits && a.repeats == b.repeats;
  }
  friend llvm::hash_code hash_value(const TileShape &shape);

private:
  llvm::SmallVector<unsigned, 4> cellBits;
  Coordinates repeats;
};

/// What a bit of a layout numbers.
enum class Place { Register, Lane, Warp, Cta };

inline constexpr unsigned numLaneBits = 5;
inline constexpr unsigned numLanes = 32;

/// What `get` accepts: larger tiles or layouts are a mistake.
inline constexpr int64_t maxTileElements = int64_t(1) << 32;
inline constexpr unsigned maxPlaceBits = 16;

struct Slice;
struct Moved;
struct Reduction;

class Layout {
public:
  /// A layout as one writes it: bases by coordinates, bit 0 first. `repeat` may
  /// be left out where it is 1 everywhere; it need not be odd. `lane` has five
  /// bases, or none: all zero.
  struct Bases {
    Coordinates cell;
    llvm::SmallVector<Coordinates> reg, lane, warp, cta;
    Coordinates repeat;
  };

  /// A scalar that every thread of one warp holds.
  Layout() : Layout(TileShape(), {}, BitVectors(numLaneBits, 0), {}, {}) {}

  /// Fails where a basis leaves the cell, where nobody holds some element, or
  /// where numbers of bases and axes do not match. Even repeats become register
  /// bases after the others, last axis first; odd ones count the registers
  /// outside of these, row-major.
  static llvm::Expected<Layout> get(const Bases &bases);

  /// Reads what `print` writes. `warp`, `cta` and `repeat` may be left out.
  static llvm::Expected<Layout> parse(llvm::StringRef text);

  /// The same from packed positions in the cell of `shape`, which the caller
  /// knows to be right. `lane` has five.
  Layout(TileShape shape, BitVectors reg, BitVectors lane, BitVectors warp,
         BitVectors cta = {});

  Bases bases() const;
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

  //===--------------------------------------------------------------------===//
  // The map
  //===--------------------------------------------------------------------===//

  const TileShape &tile() const { return shape; }
  unsigned rank() const { return shape.rank(); }

  /// The bases of one place, packed; `shape.unpack` gives their coordinates.
  llvm::ArrayRef<Bits> bases(Place place) const {
    return images[unsigned(place)];
  }
  unsigned numBits(Place place) const { return bases(place).size(); }

  /// Registers per thread, repeats included, and of one cell.
  unsigned numRegisters() const { return numCellRegisters() * numRepeats(); }
  unsigned numCellRegisters() const { return 1u << numBits(Place::Register); }
  unsigned numRepeats() const { return shape.numRepeats(); }
  unsigned numWarps() const { return 1u << numBits(Place::Warp); }
  unsigned numCtas() const { return 1u << numBits(Place::Cta); }

  /// Where in the tile an element is.
  Coordinates position(unsigned reg, unsigned lane, unsigned warp,
                       unsigned cta = 0) const;

  /// The same in parts, for code that computes positions. With
  ///   thread = threadPart(lane, warp, cta)   the XOR of the bases of the bits
  ///                                          that are set; a run-time value
  ///   r      = registerPart(reg)             constants
  /// the position along axis a is  (thread[a] ^ r.flip[a]) + r.offset[a].
  /// Where `addsRegisters(a)`, it is also  thread[a] + (r.flip[a] +
  /// r.offset[a]), so that one address per thread and constant offsets will do.
  struct RegisterPart {
    Coordinates flip;   ///< inside the cell
    Coordinates offset; ///< the corner of the cell
  };
  RegisterPart registerPart(unsigned reg) const;
  Coordinates threadPart(unsigned lane, unsigned warp, unsigned cta = 0) const;
  bool addsRegisters(unsigned axis) const;
  /// No thread has an element in this register that is before this position.
  int64_t leastPosition(unsigned reg, unsigned axis) const;

  /// The packed position in the cell, and the number of the cell it is in.
  Bits cellPosition(unsigned reg, unsigned lane, unsigned warp,
                    unsigned cta = 0) const;
  unsigned repeatIndex(unsigned reg) const { return reg / numCellRegisters(); }

  /// The map of one cell: bits of register, lane, warp and CTA, in this order
  /// from the lowest, to packed positions. Its `rightInverse` finds an owner
  /// for each position, with the least thread bits that serve.
  BitMap map() const;

  /// Takes an argument of `map` apart.
  struct Owner {
    unsigned reg, lane, warp, cta;
  };
  Owner owner(Bits argument) const;

  //===--------------------------------------------------------------------===//
  // What is where
  //===--------------------------------------------------------------------===//

  /// Whether every element is held once.
  bool isInjective() const;

  /// Bits that add nothing to the places and bits before them: threads (or
  /// registers) in which one of them is set hold copies. Together, those with
  /// none of these bits set hold every element exactly once, and only they
  /// should store.
  unsigned freeMask(Place place) const;

  /// The register of the same thread that holds the same element and has no
  /// free bits.
  unsigned original(unsigned reg) const;

  /// Bits of basis zero: values do not change with them.
  unsigned zeroMask(Place place) const;

  /// Bits that move the position along one of `axes`.
  unsigned movingMask(Place place, llvm::ArrayRef<unsigned> axes) const;

  /// How many registers, a power of two, hold consecutive elements along
  /// `axis`: registers i*n .. i*n+n-1, for every i, in this order and from a
  /// multiple of n, in every thread.
  unsigned contiguity(unsigned axis) const;

  /// The same where those registers need not be neighbours: the register bits
  /// that number the elements of a vector along `axis`, lowest first. Vectors
  /// of 2**size elements are aligned.
  llvm::SmallVector<unsigned, 4> vectorBits(unsigned axis) const;

  //===--------------------------------------------------------------------===//
  // Layouts of related tiles
  //===--------------------------------------------------------------------===//

  /// Axis i of the result is axis permutation[i] of this tile. No data moves
  /// between threads; registers are renamed where several axes have repeats.
  Moved transpose(llvm::ArrayRef<unsigned> permutation) const;

  /// The tile without `axes`, for every axis any one coordinate: the layout of
  /// a reduction's result, if it stays with the threads that computed it, and
  /// of the source of a broadcast along `axes` whose result is laid out like
  /// this. Registers that become equal are merged.
  Slice slice(llvm::ArrayRef<unsigned> axes) const;

  /// What it takes to combine all elements along `axes`. Nothing if one
  /// thread's partial results would meet those of another that holds other
  /// results (a lane bit that moves along `axes` and also along others):
  /// convert first.
  std::optional<Reduction> reduction(llvm::ArrayRef<unsigned> axes) const;

  /// The tile with a new axis before `axis`, which every thread holds whole in
  /// registers, its own outermost ones. With extent 1, only the shape changes.
  Moved insertAxis(unsigned axis, int64_t extent) const;

  /// The tile under another shape with the same row-major order of elements.
  /// Nothing if repeats are in the way, as in [4, 3] to [12].
  std::optional<Layout> reshape(llvm::ArrayRef<int64_t> extents) const;

  /// This tile `count` times along `axis`, in further registers.
  struct Repeated;
  Repeated repeat(unsigned axis, int64_t count) const;

  friend bool operator==(const Layout &a, const Layout &b) {
    return a.shape == b.shape && a.images == b.images;
  }
  friend bool operator!=(const Layout &a, const Layout &b) { return !(a == b); }
  friend llvm::hash_code hash_value(const Layout &layout);

private:
  TileShape shape;
  std::array<BitVectors, 4> images; // by Place, packed
};

/// A layout whose threads hold what they held, in other registers.
struct Moved {
  Layout layout;
  llvm::SmallVector<unsigned> sources; ///< register r was register sources[r]
};

/// A layout with some axes dropped.
struct Slice {
  Layout layout;
  /// For each register of the slice the lowest register it comes from.
  llvm::SmallVector<unsigned> sources;
  /// For each register of the full layout the register of the slice that holds
  /// its element: what a broadcast reads.
  llvm::SmallVector<unsigned> sliceOf;
};

/// How the elements along some axes come together. In this order: registers of
/// a group are combined, then for each bit of the lane mask the values of lanes
/// that differ in it (a butterfly shuffle), then warps, then CTAs. Afterwards
/// all threads hold results as `layout` says.
struct Reduction {
  Layout layout;
  /// For each register of the result those of the source, ascending. Copies of
  /// one element occur once.
  llvm::SmallVector<llvm::SmallVector<unsigned>> groups;
  unsigned laneMask, warpMask, ctaMask;
};

struct Layout::Repeated {
  Layout layout;
  /// Register r holds what register `second` of copy `first` holds.
  llvm::SmallVector<std::pair<unsigned, unsigned>> sources;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Layout &l) {
  l.print(os);
  return os;
}

} // namespace fuse

#endif // FUSE_LAYOUT_LAYOUT_H
