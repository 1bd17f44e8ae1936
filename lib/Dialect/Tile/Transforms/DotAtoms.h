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

struct DotAtom {
  Atom kind;
  Layout accumulator, lhs, rhs;

  /// Among how many warps a dot can be divided. With `wholeRows`, none of them
  /// share rows of the result.
  static unsigned maxWarps(DotOp dot, bool wholeRows);
  static mlir::FailureOr<DotAtom> choose(DotOp dot, unsigned numWarps,
                                         bool wholeRows);
};

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_DOTATOMS_H
