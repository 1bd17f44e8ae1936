//===- Cascade.h - reductions of reductions in one loop ---------*- C++ -*-===//
//
// The cascade rule: when a reduction that uses statistics over its own
// variables may be done in the loop of these statistics. Each pair of reduction
// and statistic has a strategy:
//
//     sequential   no: a loop of its own, behind the statistic's
//     defer        what is accumulated knows nothing of the statistic, which
//                  is applied behind the loop
//     rescale      what is accumulated is around the statistic so far, and is
//                  corrected when it moves
//     pilot        rescale, but a mean is frozen after the first block, so
//                  that one correction behind the loop is enough
//
// Attention's product is `rescale` with respect to the maximum, and `defer`
// with respect to the sum.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_CASCADE_H
#define FUSE_ANALYSIS_CASCADE_H

#include "fuse/Analysis/Corrections.h"

namespace fuse {

struct CascadeOptions {
  /// Whether shifts may come late although digits cancel, also where a cast
  /// rounds in between.
  bool allowDeferShift = false;
  /// Whether means may be frozen after the first block.
  bool freezesMeans = false;
  /// What a schedule asks for, for (reduction, statistic). A requested `defer`
  /// of a shift allows it, but not from under a cast.
  llvm::function_ref<CascadeStrategy(const Element *, const Element *)>
      requested;
};

/// How a reduction joins the loop of its statistics.
struct Cascade {
  const Element *reduction = nullptr;
  /// What the loop carries, in an order in which it can be updated.
  llvm::SmallVector<Accumulator> accumulators;
  /// The reduction, of the accumulators' reductions and the statistics.
  const Element *result = nullptr;
  llvm::SmallVector<std::pair<const Element *, CascadeStrategy>> edges;
  /// How casts that a user wrote were moved, for remarks.
  std::string note;

  CascadeStrategy strategyOf(const Element *statistic) const;
  /// The statistics that move while the loop runs.
  llvm::SmallVector<const Element *> moving() const;
};

/// `loop` are the reductions in the loop that `reduction` wants to join;
/// `cascaded` are those among them that joined by a cascade themselves.
OrRefusal<Cascade> deriveCascade(const Algebra &algebra,
                                 const Element *reduction,
                                 llvm::ArrayRef<const Element *> loop,
                                 llvm::ArrayRef<const Element *> cascaded,
                                 const CascadeOptions &options = {});

/// The moving sums whose means may be frozen after the first block, of all
/// accumulators of a loop: all or none. None if something that is corrected
/// does not hang on means alone.
llvm::SmallVector<const Element *>
findPilots(const Algebra &algebra, llvm::ArrayRef<Accumulator> accumulators,
           llvm::ArrayRef<const Element *> moving);

} // namespace fuse

#endif // FUSE_ANALYSIS_CASCADE_H
