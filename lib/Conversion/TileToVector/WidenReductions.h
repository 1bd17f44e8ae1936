//===- WidenReductions.h - reductions of narrow floats ----------*- C++ -*-===//
//
// No processor reduces a vector of 8 or 16 bit floats. In f32 a maximum is the
// same one, and a sum is nearer to the true one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETOVECTOR_WIDENREDUCTIONS_H
#define FUSE_LIB_CONVERSION_TILETOVECTOR_WIDENREDUCTIONS_H

#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

/// Reduces tiles of narrow floats in f32 and rounds the results.
void widenReductions(KernelOp kernel);

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETOVECTOR_WIDENREDUCTIONS_H
