//===- Exp2.h - powers of two on vectors ------------------------*- C++ -*-===//
//
// Upstream has a polynomial for exp but none for exp2, and one by way of the
// other loses digits.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETOVECTOR_EXP2_H
#define FUSE_LIB_CONVERSION_TILETOVECTOR_EXP2_H

#include "mlir/IR/PatternMatch.h"

namespace fuse::tile {

/// math.exp2 on vectors of f32 becomes a polynomial, right to 2 units in the
/// last place.
void populateExp2Patterns(mlir::RewritePatternSet &patterns);

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETOVECTOR_EXP2_H
