//===- WarpsOfSchedule.h - how many warps a block has -----------*- C++ -*-===//
//
// Between the search for a schedule and what it decides last.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_ANALYSIS_WARPSOFSCHEDULE_H
#define FUSE_LIB_ANALYSIS_WARPSOFSCHEDULE_H

#include "fuse/Analysis/CostModel.h"

namespace fuse {

/// How many warps share a block's tiles, where blocks are so few that with the
/// usual number a unit would wait; nothing else. Products on tensor cores are
/// divided by what their instructions take.
std::optional<int64_t> warpsFor(const KernelNest &nest, const Cost &cost,
                                const Machine &machine);

} // namespace fuse

#endif // FUSE_LIB_ANALYSIS_WARPSOFSCHEDULE_H
