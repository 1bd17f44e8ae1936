//===- LoopSeams.h - where what a loop reads changes ------------*- C++ -*-===//
//
// What was put together of several tensors is a choice among them by positions:
//
//   sum_k select(k < 4096, x[k], h[k - 4096]) * w[k]
//
// Before the seam and behind it there is nothing to choose. So a loop over the
// terms of x and one over those of h, which goes on with the same sums, read
// what they need and nothing else, as a loop over x or h alone would.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_ANALYSIS_LOOPSEAMS_H
#define FUSE_LIB_ANALYSIS_LOOPSEAMS_H

#include "fuse/Analysis/Algebra.h"

namespace fuse::nest {

/// A part of a variable's range, which has a variable of its own, and what is
/// known of choices there.
struct LoopPart {
  IndexVar whole, own;
  int64_t begin = 0;
  llvm::DenseMap<const Element *, bool> known;

  /// The element in the part, by its own variable and without the choices.
  const Element *inside(ElementContext &context, const Element *element) const;
  AffineIndex inside(const AffineIndex &index) const;
  /// A reduction like `like`, of what is `inside`.
  const Element *reduce(ElementContext &context, const Element *like,
                        llvm::ArrayRef<const Element *> bodies) const;
};

/// The parts in which products among `reductions` read different tensors along
/// `var`, in their order; `level` is that of their variables, which nobody else
/// may use. None where there is one part, or more than are worth their code.
llvm::SmallVector<LoopPart, 0>
partsBetweenSeams(const Algebra &algebra,
                  llvm::ArrayRef<const Element *> reductions,
                  const IndexVar &var, int32_t level);

/// Whether a loop of some of `reductions` may have such parts.
bool mayHaveSeams(llvm::ArrayRef<const Element *> reductions);

} // namespace fuse::nest

#endif // FUSE_LIB_ANALYSIS_LOOPSEAMS_H
