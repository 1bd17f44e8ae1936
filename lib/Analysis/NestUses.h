//===- NestUses.h - how often tiles are used --------------------*- C++ -*-===//

#ifndef FUSE_LIB_ANALYSIS_NESTUSES_H
#define FUSE_LIB_ANALYSIS_NESTUSES_H

#include "fuse/Analysis/Nest.h"

namespace fuse::nest {

using UseCounts = llvm::DenseMap<TileId, unsigned>;

/// How many operands, bounds and carried tiles each tile is, in loops, too.
UseCounts countUses(const std::vector<Statement> &statements);

} // namespace fuse::nest

#endif // FUSE_LIB_ANALYSIS_NESTUSES_H
