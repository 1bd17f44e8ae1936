//===- Exp.h - powers of e and of two on vectors ----------------*- C++ -*-===//
//
// Upstream has no polynomial for exp2, and one by way of exp loses digits. For
// exp it has one, but exp is what softmax waits for, and there is a shorter
// one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_EXPANDMATH_EXP_H
#define FUSE_LIB_CONVERSION_EXPANDMATH_EXP_H

#include "mlir/IR/PatternMatch.h"

namespace fuse {

/// math.exp and math.exp2 on vectors of f32 become polynomials, right to 2
/// units in the last place.
void populateExpPatterns(mlir::RewritePatternSet &patterns);

} // namespace fuse

#endif // FUSE_LIB_CONVERSION_EXPANDMATH_EXP_H
