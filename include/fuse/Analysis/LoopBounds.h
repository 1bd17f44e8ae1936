//===- LoopBounds.h - predicates that end loops -----------------*- C++ -*-===//
//
// Some predicates need not be asked in a loop at all: without them nothing
// reaches any accumulator, and they say where the loop begins or ends. That is
// shown for every accumulator on its own, by folding its body. So a mask of
// attention ends the loop over keys, but not one that also counts them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_LOOPBOUNDS_H
#define FUSE_ANALYSIS_LOOPBOUNDS_H

#include "fuse/Analysis/Corrections.h"
#include "fuse/Analysis/Interval.h"

namespace fuse {

/// The conditions that all hold where `predicate` does.
llvm::SmallVector<const Element *> conjuncts(const Element *predicate);

/// var < limit, or var >= limit. The limit is an i64 that does not vary with
/// the variable; it may lie below 0 or beyond the variable's size.
struct LoopBound {
  IndexVar var;
  bool isUpper = false;
  const Element *limit = nullptr;
};

/// What `conjunct` says about the variable, solved for it: nothing if it does
/// not hold exactly where the bounds do, one bound, or both of an equation.
llvm::SmallVector<LoopBound, 2>
boundsOf(const Algebra &algebra, const Element *conjunct, const IndexVar &var);

/// A limit, an i64, that means the same for all positions and does not wrap
/// around when one is added or subtracted: what is read may be any number.
const Element *clampLimit(const Algebra &algebra, const Element *element);

/// An integer element as an affine index, if it is one: then a loop's limit is
/// known without a tile. Positions are small, so nothing wraps around.
std::optional<AffineIndex> affineOf(const Element *element);

/// The conditions without which no accumulator of a loop over `vars` gets
/// anything: blocks in which one never holds are skipped.
llvm::SmallVector<const Element *>
findLoopConditions(const Algebra &algebra,
                   llvm::ArrayRef<Accumulator> accumulators,
                   llvm::ArrayRef<IndexVar> vars);

} // namespace fuse

#endif // FUSE_ANALYSIS_LOOPBOUNDS_H
