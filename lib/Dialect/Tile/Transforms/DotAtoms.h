//===- DotAtoms.h - the instruction of a dot and its layouts ----*- C++ -*-===//
//
// With what a dot is done, and how its accumulator and operands are laid out
// for that. A dot of any number of axes is seen as a batch of products of
// matrices, whose rows, columns and contracted axes are merged into one each.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_DOTATOMS_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_DOTATOMS_H

#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

struct DotOptions {
  /// No two warps share rows of the result.
  bool wholeRows = false;
  /// The chip has instructions for four warps.
  bool hasWarpgroups = false;
};

/// Along which axes the factors of a dot follow each other in memory, as far as
/// they come from there.
struct FactorAxes {
  std::optional<unsigned> lhs, rhs;
  /// Whether the left one does.
  bool isLeftFromMemory = false;
};

struct DotAtom {
  Atom kind;
  Layout accumulator;
  /// Absent where a factor can only be in shared memory.
  std::optional<Layout> lhs, rhs;

  /// The columns that one instruction takes; of wgmma only.
  int64_t columns = 0;
  /// Whether the columns of the result are the instruction's rows, and the
  /// right factor is what it takes as its left one.
  bool isTransposed = false;
  /// Whether the factor that gives the rows has to be in registers, since no
  /// descriptor describes it as it lies in memory.
  bool readsRegisters = false;
  /// Whether factors are split into parts: that which gives the rows is read
  /// from shared memory by threads then, and the other by them, too.
  bool isSplit = false;
  /// How many products are summed apart from others at first, if not as few as
  /// usual.
  std::optional<int64_t> apart = std::nullopt;

  /// Whether the types are those of tensor cores.
  static bool isForTensorCores(DotOp dot, const DotOptions &options);
  /// Among how many warps a dot can be divided that four of them do together,
  /// on a chip where they can at all; 0 if it cannot.
  static int64_t mostInWarpgroups(DotOp dot, FactorAxes axes);
  /// Among how many warps a dot can be divided. With `wholeRows`, none of them
  /// share rows of the result.
  static unsigned maxWarps(DotOp dot, const DotOptions &options);
  static mlir::FailureOr<DotAtom> choose(DotOp dot, unsigned numWarps,
                                         const DotOptions &options,
                                         FactorAxes axes);
};

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_DOTATOMS_H
