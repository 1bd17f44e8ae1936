//===- AngleReduction.h - what is left of an angle --------------*- C++ -*-===//
//
// Sine and cosine are polynomials between -pi/4 and pi/4. What has to be taken
// off an angle to get there is a number of right angles.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_EXPANDMATH_ANGLEREDUCTION_H
#define FUSE_LIB_CONVERSION_EXPANDMATH_ANGLEREDUCTION_H

#include "FloatBuilder.h"

namespace fuse {

struct ReducedAngle {
  /// How many right angles, modulo 4; higher bits are anything.
  mlir::Value quadrant;
  Pair rest;
};

/// Of a number that is not negative. Those beyond 2^16, in f64 2^30, take
/// another way, which is gone only where there is one.
ReducedAngle reduceAngle(FloatBuilder &b, mlir::Value size);

} // namespace fuse

#endif // FUSE_LIB_CONVERSION_EXPANDMATH_ANGLEREDUCTION_H
