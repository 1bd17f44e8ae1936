//===- Separation.h - what varies apart from what is awaited ----*- C++ -*-===//
//
// Writes the body of a sum as
//
//     body = sum_t A_t(j) * C_t(s)
//
// with A_t free of the statistics s, and C_t free of the loop's variables j.
// Then sum_j body = sum_t C_t * sum_j A_t: the statistics may come later than
// the sum. Where no rule applies, the body is not separable.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_SEPARATION_H
#define FUSE_ANALYSIS_SEPARATION_H

#include "fuse/Analysis/Algebra.h"
#include "llvm/ADT/SetVector.h"

namespace fuse {

/// A product of what varies with the loop, and of what is made of statistics.
/// Null is 1. The statistic may have a wider type than what it multiplies.
struct Term {
  const Element *varying = nullptr;
  const Element *statistic = nullptr;
};

/// The same for a reduction: one body for each of its operands.
struct SumTerm {
  llvm::SmallVector<const Element *, 2> bodies;
  const Element *statistic = nullptr;
};

class Separation {
public:
  /// `vars` and `statistics` outlive the separation.
  Separation(const Algebra &algebra, llvm::ArrayRef<IndexVar> vars,
             llvm::ArrayRef<const Element *> statistics)
      : algebra(algebra), vars(vars), statistics(statistics) {}

  std::optional<llvm::SmallVector<Term>> separate(const Element *element);
  std::optional<llvm::SmallVector<SumTerm>>
  separateBody(const Element *reduction);

  /// Statistics that are added to, or subtracted from, something that varies.
  /// To let them come later is to let digits cancel.
  llvm::SmallSetVector<const Element *, 4> shifts;

  /// Factors that have left a choice. Where the other branch was chosen they do
  /// not matter, but outside 0 is multiplied with them.
  llvm::SmallSetVector<const Element *, 4> chosen;

  /// There would be more terms than anybody wants to sum.
  bool isTooLong = false;

  /// How rounding casts, which a user wrote, were moved.
  /// Under a factor: the relative error is that of the cast.
  bool hasScaledCast = false;
  /// Under a factor, and without it a number may be too large for the type.
  bool hasLargeCast = false;
  /// Or too small, and the factor may be large.
  bool hasSmallCast = false;
  /// A product, or a quotient, is made in a type of few exponents without a
  /// factor that kept it in range.
  bool hasNarrowProduct = false;
  /// A sum is rounded part by part.
  bool hasSplitCast = false;
  /// A shift was taken from under it: the error is the shift's size, rounded.
  bool hasShiftedCast = false;

private:
  using Terms = llvm::SmallVector<Term>;

  /// Whether that many are too many, which is then remembered.
  bool isMore(size_t terms);
  Term multiply(const Term &left, const Term &right);
  const Element *wide(const Element *factor) const;
  std::optional<Terms> separateExponential(const Element *element);
  std::optional<Terms> separateSelect(const Element *element);
  std::optional<Terms> separateCast(const Element *element);
  std::optional<Terms> separateSum(const Element *element);
  std::optional<Terms> divide(mlir::Type type, Terms terms,
                              llvm::ArrayRef<Term> by);
  /// Statistics in `shift`, a term of a sum that varies, if it does not itself.
  void noteShift(const Element *shift);

  const Algebra &algebra;
  llvm::ArrayRef<IndexVar> vars;
  llvm::ArrayRef<const Element *> statistics;
  size_t steps = 0;
};

} // namespace fuse

#endif // FUSE_ANALYSIS_SEPARATION_H
