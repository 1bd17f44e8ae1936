//===- RejectedSchedules.h - schedules kernels may not have -----*- C++ -*-===//
//
// Who compiles kernels may find that a thread has too few registers for what a
// schedule asks of it. Such a schedule is named, and why, and another one is
// taken.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_FUSE_TRANSFORMS_REJECTEDSCHEDULES_H
#define FUSE_LIB_DIALECT_FUSE_TRANSFORMS_REJECTEDSCHEDULES_H

#include "fuse/Dialect/Fuse/IR/Fuse.h"

namespace fuse {

struct RejectedSchedule {
  /// What it is thought to take, of what the model predicts, if nobody said.
  static constexpr double usualFactor = 1.5;

  ScheduleAttr schedule;
  double factor = usualFactor;
  /// As in "it spills"; empty if nobody said.
  std::string reason;
  /// What the model predicts for it.
  double seconds = 0;
};

/// By kernel, in the order in which they were named.
using RejectedSchedules =
    llvm::StringMap<llvm::SmallVector<RejectedSchedule, 2>>;

/// A text for one kernel: `@kernel:{schedule}`, or without braces. What comes
/// behind the first pair of braces, in others, is the rest.
struct ScheduleText {
  llvm::StringRef kernel, schedule, rest;
};

/// Takes a text apart. Says at `op` what is wrong with it.
mlir::FailureOr<ScheduleText> parseScheduleText(llvm::StringRef text,
                                                mlir::Operation *op);
mlir::FailureOr<ScheduleAttr> parseScheduleOf(const ScheduleText &text,
                                              mlir::Operation *op);
/// Reads `@kernel:{schedule}:{factor}:{reason}`, whose last parts may lack.
mlir::FailureOr<RejectedSchedules>
parseRejectedSchedules(llvm::ArrayRef<std::string> texts, mlir::Operation *op);

/// Says of each rejected schedule why, and what the kernel has now, which is
/// predicted to take `seconds`. If that is a rejected one, the best of the
/// others is predicted to take `otherSeconds`.
void remarkOnRejected(KernelOp kernel,
                      llvm::ArrayRef<RejectedSchedule> rejected, double seconds,
                      double otherSeconds);

} // namespace fuse

#endif // FUSE_LIB_DIALECT_FUSE_TRANSFORMS_REJECTEDSCHEDULES_H
