//===- ScheduleOptions.h - schedules for the nest builder -------*- C++ -*-===//
//
// Between `#fuse.schedule`, which names variables as a user does, and the
// options of a NestBuilder.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_SCHEDULEOPTIONS_H
#define FUSE_ANALYSIS_SCHEDULEOPTIONS_H

#include "fuse/Analysis/NestBuilder.h"

namespace fuse {

/// `schedule` may be null: then every choice is the builder's.
NestOptions nestOptionsFor(ScheduleAttr schedule, const KernelElements &kernel);

/// As a schedule says it: how many of the last ones, if these are all.
Schedule::Owned ownedOf(OwnedVars owned, const KernelElements &kernel);

/// The name by which a schedule knows a variable that a reduction binds.
LoopName loopNameOf(const IndexVar &var);

} // namespace fuse

#endif // FUSE_ANALYSIS_SCHEDULEOPTIONS_H
