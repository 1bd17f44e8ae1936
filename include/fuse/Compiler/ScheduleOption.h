//===- ScheduleOption.h - schedules that somebody gives ---------*- C++ -*-===//
//
// They are checked where they are given, before there is a module.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_SCHEDULEOPTION_H
#define FUSE_COMPILER_SCHEDULEOPTION_H

#include "fuse/Runtime/Error.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuse {

/// The text itself if it is what parseSchedule reads.
Result<std::string> checkScheduleText(llvm::StringRef text);

} // namespace fuse

#endif // FUSE_COMPILER_SCHEDULEOPTION_H
