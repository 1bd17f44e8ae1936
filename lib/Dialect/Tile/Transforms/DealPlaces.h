//===- DealPlaces.h - crews that take places in turn ------------*- C++ -*-===//
//
// A role of several crews does with each of them what it did alone, at every so
// many of the places that its block walks through.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_DEALPLACES_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_DEALPLACES_H

#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::tile {

/// Why the places of a kernel whose rings are formed cannot be dealt among
/// crews; empty if they can.
std::string whyNotDealt(KernelOp kernel);

/// Gives each crew of the role that computes its places, and the numbers of
/// rings that are read there. They can be dealt.
void dealPlaces(RoleOp math);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_DEALPLACES_H
