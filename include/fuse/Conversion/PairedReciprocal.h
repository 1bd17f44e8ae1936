//===- PairedReciprocal.h - reciprocals that share an instruction -*- C++ -*-=//

#ifndef FUSE_CONVERSION_PAIREDRECIPROCAL_H
#define FUSE_CONVERSION_PAIREDRECIPROCAL_H

#include "mlir/Support/LLVM.h"

namespace fuse {

/// Of a quotient `1 / (1 + 2^y)` of f32: neighbours may be computed by way of
/// their product, which may make 0 of them where y is NaN
/// (math-expand-for-nvvm).
constexpr llvm::StringLiteral pairedReciprocalAttr = "tile.paired";

} // namespace fuse

#endif // FUSE_CONVERSION_PAIREDRECIPROCAL_H
