//===- PartsPass.h - what parts of long vectors may go beyond ---*- C++ -*-===//

#ifndef FUSE_CONVERSION_PARTSPASS_H
#define FUSE_CONVERSION_PARTSPASS_H

#include "mlir/Support/LLVM.h"

namespace fuse {

/// Of an op with effects: the parts of vectors that nobody needs before it are
/// computed behind it, where they are needed (math-split-vectors).
constexpr llvm::StringLiteral partsPassAttr = "tile.parts_pass";

/// Of an op behind which products are there, and of the first op of each piece
/// of a tile that is stored in pieces: where loads may be asked for.
constexpr llvm::StringLiteral pieceAttr = "tile.piece";

/// Of a load of what nobody writes: it is a part, too, and is asked for so many
/// places before the one behind which it is needed, or at the first of them.
constexpr llvm::StringLiteral aheadAttr = "tile.ahead";

} // namespace fuse

#endif // FUSE_CONVERSION_PARTSPASS_H
