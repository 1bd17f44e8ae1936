//===- RoundFactors.h - what tf32 says on a CPU -----------------*- C++ -*-===//
//
// A product of precision tf32 is one of rounded numbers. A CPU rounds them
// where the product's operands are packed anyway.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETOVECTOR_ROUNDFACTORS_H
#define FUSE_LIB_CONVERSION_TILETOVECTOR_ROUNDFACTORS_H

#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

/// Rounds the operands of dots of precision tf32, which then are of precision
/// ieee.
void roundFactors(KernelOp kernel);

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETOVECTOR_ROUNDFACTORS_H
