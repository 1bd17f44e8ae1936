//===- PartsPass.h - what parts of long vectors may go beyond ---*- C++ -*-===//

#ifndef FUSE_CONVERSION_PARTSPASS_H
#define FUSE_CONVERSION_PARTSPASS_H

#include "mlir/Support/LLVM.h"

namespace fuse {

/// Of an op with effects: the parts of vectors that nobody needs before it are
/// computed behind it, where they are needed (math-split-vectors).
constexpr llvm::StringLiteral partsPassAttr = "tile.parts_pass";

} // namespace fuse

#endif // FUSE_CONVERSION_PARTSPASS_H
