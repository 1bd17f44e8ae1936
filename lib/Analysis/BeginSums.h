//===- BeginSums.h - a sum begins with what is added to it ------*- C++ -*-===//

#ifndef FUSE_LIB_ANALYSIS_BEGINSUMS_H
#define FUSE_LIB_ANALYSIS_BEGINSUMS_H

#include "fuse/Analysis/Nest.h"

namespace fuse::nest {

/// Lets loops that add up products begin with what comes from other products
/// and is added to their sums, so that not both are there at a time.
void beginSums(KernelNest &kernel);

} // namespace fuse::nest

#endif // FUSE_LIB_ANALYSIS_BEGINSUMS_H
