//===- ScaleSums.h - a factor of all terms scales their sum -----*- C++ -*-===//

#ifndef FUSE_LIB_ANALYSIS_SCALESUMS_H
#define FUSE_LIB_ANALYSIS_SCALESUMS_H

#include "fuse/Analysis/Nest.h"

namespace fuse::nest {

/// Lets what all terms of a round's product are multiplied with, or divided by,
/// scale their sum, where that is less work: the factor is then only read.
void scaleSums(KernelNest &kernel, ElementContext &context);

/// Whether it may find something to do there, if the windows are right.
bool mayScaleSum(const Element *reduction);

} // namespace fuse::nest

#endif // FUSE_LIB_ANALYSIS_SCALESUMS_H
