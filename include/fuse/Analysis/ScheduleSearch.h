//===- ScheduleSearch.h - the best schedule of one kernel -------*- C++ -*-===//
//
// Chooses tile sizes, what a block owns, how cascades are run and whether a
// reduction is split, by the cost of the nests that result. A descent along one
// choice at a time, from several beginnings: that a reduction must be split, or
// that nothing should be owned, is not found one step at a time.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_SCHEDULESEARCH_H
#define FUSE_ANALYSIS_SCHEDULESEARCH_H

#include "fuse/Analysis/CostModel.h"
#include "fuse/Analysis/NestBuilder.h"

namespace fuse {

struct ScheduledKernel {
  /// Says everything that was chosen, so that nothing is left to be guessed
  /// when the kernel is lowered.
  Schedule schedule;
  Cost cost;
  llvm::SmallVector<std::string> notes;
  /// Why there is none; empty if there is one.
  std::string whyNot;

  bool exists() const { return whyNot.empty(); }
};

/// How long to search: from one beginning among few sizes, or from all.
enum class SearchEffort { Quick, Thorough };

/// `roots` are those of the elements. No schedule is found whose code would be
/// that of one in `rejected`: chunks are counted and clusters copy at run time,
/// and what else differs is in the code.
ScheduledKernel findSchedule(KernelElements &kernel,
                             llvm::ArrayRef<mlir::Value> roots,
                             const Machine &machine, SearchEffort effort,
                             llvm::ArrayRef<Schedule> rejected = {});

} // namespace fuse

#endif // FUSE_ANALYSIS_SCHEDULESEARCH_H
