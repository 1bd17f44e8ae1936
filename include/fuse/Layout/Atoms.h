//===- Atoms.h - the layouts that instructions want -------------*- C++ -*-===//
//
// Layouts are built from the inside: an instruction fixes the lowest bits of
// each axis, then warps and registers take the bits above them. Each layout
// here is such a list of steps, and nothing is tabulated.
//
// All tiles of matrices have the rows and columns as their last two axes; axes
// before them go to the outermost registers. Extents need not be powers of two.
// Functions that cannot serve a shape return nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LAYOUT_ATOMS_H
#define FUSE_LAYOUT_ATOMS_H

#include "fuse/Layout/SharedLayout.h"

namespace fuse {

/// Hands out the bits of a tile's axes, the lowest left first.
class LayoutBuilder {
public:
  explicit LayoutBuilder(llvm::ArrayRef<int64_t> extents);

  /// The next bits of `axis` are numbered by `place`: `count` positions, a
  /// power of two, or as many as the cell has left. Returns how many were
  /// taken.
  int64_t take(Place place, unsigned axis, int64_t count);
  /// The same from the highest bits that are left.
  int64_t takeHigh(Place place, unsigned axis, int64_t count);
  int64_t takeAll(Place place, unsigned axis);
  int64_t left(unsigned axis) const;

  /// `count` lanes, warps or the like that hold copies.
  void replicate(Place place, int64_t count);

  /// What is left goes to registers, the last axis first; lanes that have not
  /// been used hold copies.
  Layout finish();

private:
  Bits bit(unsigned axis, unsigned index) const;

  TileShape shape;
  llvm::SmallVector<unsigned, 4> low, high; // free bits of each axis
  std::array<BitVectors, 4> images;
};

/// For loads and stores of memory: each thread has `vector` consecutive
/// elements along the fastest axis, neighbouring lanes neighbouring vectors.
/// `order` lists the axes from the fastest; lanes fill them in this order, then
/// warps. `fastWarps` bounds the warps that share the fastest axis, all others
/// own different rows (1: a row belongs to one warp; `numWarps`: no bound).
/// What is left goes to registers. Threads that find no work hold copies. All
/// numbers are powers of two.
Layout blockedLayout(llvm::ArrayRef<int64_t> extents, int64_t vector,
                     llvm::ArrayRef<unsigned> order, unsigned numWarps,
                     unsigned fastWarps);
Layout blockedLayout(llvm::ArrayRef<int64_t> extents, int64_t vector,
                     unsigned numWarps);

/// The same within each warp, but with up to `most` elements of `axis` in a
/// thread: lanes that stood side by side along it have other rows instead,
/// which registers had, as far as there are such.
Layout withLongerRows(const Layout &layout, unsigned axis, int64_t most);

/// A tile of which an axis is as many times as long as there are blocks, a
/// power of two: each block holds a part of it as `part` says.
Layout dividedAmongBlocks(const Layout &part, unsigned axis,
                          unsigned numBlocks);

/// A tile that each of so many blocks holds as `layout` says.
Layout copiedToBlocks(const Layout &layout, unsigned numBlocks);

/// Every thread holds the whole tile.
Layout replicatedLayout(llvm::ArrayRef<int64_t> extents, unsigned numWarps);

/// Warps along the rows and columns of a product, and how many do the same.
struct WarpGrid {
  unsigned rows = 1, columns = 1, copies = 1;
};

/// Which k of a tile the k of an instruction are is free, as long as both
/// operands agree.
enum class MmaDepth {
  InOrder,
  /// The two words of a row that a thread has, 4 apart to the instruction, are
  /// neighbours, as two numbers of an accumulator are: so a sum of words can be
  /// the operand A of the next product where it is.
  Paired,
};

/// mma.sync m16n8: the accumulator [M, N], and the operands [M, K] and [K, N]
/// for elements of 1, 2 or 4 bytes (k = 32, 16, 8). Warps own blocks of
/// columns, and groups of 16 rows in turn. Operands are replicated over the
/// warps that share them. Nothing if the cell is smaller than the instruction
/// or the grid.
std::optional<Layout> mmaAccumulator(llvm::ArrayRef<int64_t> extents,
                                     WarpGrid warps);
std::optional<Layout> mmaOperandA(llvm::ArrayRef<int64_t> extents,
                                  WarpGrid warps, unsigned elementBytes,
                                  MmaDepth depth = MmaDepth::InOrder);
std::optional<Layout> mmaOperandB(llvm::ArrayRef<int64_t> extents,
                                  WarpGrid warps, unsigned elementBytes,
                                  MmaDepth depth = MmaDepth::InOrder);

/// Which rows of a tile the rows of an instruction are is free, as long as the
/// accumulator and the operand A agree.
enum class WgmmaRows {
  InOrder,
  /// The two rows of a block that a thread has, 8 apart to the instruction, are
  /// neighbours: where rows run along memory, it reads and writes both at once.
  Paired,
  /// Also, lanes that read words of one row of k reach over 16 rows, so that
  /// those of four k do not meet in a bank.
  PairedWords,
};

/// The one for a factor whose rows run along memory.
WgmmaRows wgmmaRowsInMemory(unsigned elementBytes);

/// wgmma m64nN: the accumulator and the operand A from registers. `warpgroups`
/// take rows in turn, 64 each.
std::optional<Layout> wgmmaAccumulator(llvm::ArrayRef<int64_t> extents,
                                       unsigned warpgroups,
                                       WgmmaRows rows = WgmmaRows::InOrder);
std::optional<Layout> wgmmaOperandA(llvm::ArrayRef<int64_t> extents,
                                    unsigned warpgroups, unsigned elementBytes,
                                    WgmmaRows rows = WgmmaRows::InOrder);

/// How an accumulator says that a product is done: its rows are the
/// instruction's, or its columns are.
struct WgmmaForm {
  bool isTransposed;
  WgmmaRows rows;
  unsigned warpgroups;
};
/// Nothing if it is not laid out for wgmma.
std::optional<WgmmaForm> wgmmaFormOf(const Layout &accumulator);

/// Without tensor cores: each thread owns patches of `rows` x `columns` of an
/// outer product, lanes 4 x 8 of them. `outerOperandA` is the [M, K] operand
/// for an accumulator [M, N]: each thread has its rows, and all of k; B
/// likewise.
Layout outerAccumulator(llvm::ArrayRef<int64_t> extents, WarpGrid warps,
                        int64_t rows, int64_t columns);
Layout outerOperandA(const Layout &accumulator, int64_t k);
Layout outerOperandB(const Layout &accumulator, int64_t k);

/// Offsets count row-major in the cell, with the axes in `order` from the
/// fastest; without it, the last axis is.
SharedLayout plainShared(llvm::ArrayRef<int64_t> extents,
                         llvm::ArrayRef<unsigned> order = {});

/// As the copy engine writes boxes and wgmma reads them: the tile is cut along
/// `fastAxis` into boxes of `swizzleBytes` (32, 64 or 128), whose 16-byte
/// chunks are XORed with the bits of the address above 128 bytes. Boxes follow
/// each other. `fastAxis` is k for a K-major operand, else m or n. Nothing if
/// the axis' cell is narrower than a box.
std::optional<SharedLayout> swizzledShared(llvm::ArrayRef<int64_t> extents,
                                           unsigned fastAxis,
                                           unsigned elementBytes,
                                           unsigned swizzleBytes);

/// How wgmma reads a factor from shared memory, by a descriptor. `rowAxis` is m
/// of the left or n of the right factor, of which an instruction takes `rows`,
/// and 32 bytes along `kAxis`; other axes have extent 1.
struct WgmmaAccess {
  unsigned swizzleBytes;
  bool isKMajor; ///< Elements follow each other along k.
  /// Between groups of 8 rows, if K-major, else of 8 k.
  int64_t strideBytes;
  /// Between boxes along the rows, if not K-major.
  int64_t leadingBytes;
  /// From the start of the tile to the first element of an instruction.
  int64_t startBytes(int64_t row, int64_t k) const;

  const SharedLayout *memory;
  unsigned rowAxis, kAxis, elementBytes;
};

/// How many of `columns`, a multiple of 8, one wgmma takes. Where its sums are
/// apart from others at first, they take registers of their own.
int64_t wgmmaColumns(int64_t columns, bool isApart);

/// Nothing if no descriptor describes this memory.
std::optional<WgmmaAccess> wgmmaAccess(const SharedLayout &memory,
                                       unsigned rowAxis, unsigned kAxis,
                                       unsigned elementBytes, int64_t rows);

/// How ldmatrix reads (and stmatrix writes) a fragment: matrices of 8 rows of
/// 16 bytes, 1, 2 or 4 at a time, lane l gives the address of row l % 8 of
/// matrix l / 8.
struct MatrixAccess {
  unsigned matrices;
  bool transposed;
  /// The offset that each bit of a lane adds to the address of its row; the
  /// address of an instruction is the XOR of these, of `warp`'s and `cta`'s,
  /// and of its own.
  BitVectors lane, warp, cta;
  struct Instruction {
    /// Elements in the order of the result: matrix 0 first, in a word the
    /// lowest.
    llvm::SmallVector<unsigned, 8> registers;
    Bits offset;     ///< in elements, in the cell
    unsigned repeat; ///< the number of the cell
  };
  llvm::SmallVector<Instruction> instructions;
  unsigned conflicts; ///< of the worst matrix; 1 is none
};

/// Nothing if no such instruction gives each lane what `fragment` wants. It
/// moves up to `most` matrices, 1, 2 or 4.
std::optional<MatrixAccess> matrixAccess(const Layout &fragment,
                                         const SharedLayout &memory,
                                         unsigned elementBytes,
                                         unsigned most = 4);

/// How a tile lies in shared memory that the copy engine fills with rows along
/// `fastAxis` and threads read as `fragment` says: so that it takes them the
/// least time, and of equal ones with the longest rows. Nothing if the tile is
/// narrower than all of them.
std::optional<SharedLayout> sharedForReads(const Layout &fragment,
                                           unsigned fastAxis,
                                           unsigned elementBytes);

} // namespace fuse

#endif // FUSE_LAYOUT_ATOMS_H
