//===- Corrections.h - accumulators follow moving statistics ----*- C++ -*-===//
//
// The table of the cascade rule. While a loop runs, the maximum or the mean
// that a sum depends on still moves. A correction turns the sum around the old
// statistic into the sum around the new one, without a look at the elements.
//
//     exponential    sum_j A(j) exp(c)    acc * exp(c_new - c_old)
//     polynomial     sum_j P(j, c)        acc + sum_q (c_new - c_old)^q/q!
//     acc_q
//
// where acc_q, the companions, are the sums of the derivatives. Online softmax
// is the first row. Chan's variance, and a product with a normalised row, are
// the second.
//
// Corrections are exact between any two values. So inside of the loop a
// statistic may take any path, if it ends at its true value: see LoopPath.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_CORRECTIONS_H
#define FUSE_ANALYSIS_CORRECTIONS_H

#include "fuse/Analysis/Algebra.h"
#include <variant>

namespace fuse {

/// Why something is not possible, as text for a user.
struct Refusal {
  std::string text;
};

/// What was asked for, or why there is none.
template <typename T> class OrRefusal {
public:
  OrRefusal(T value) : content(std::move(value)) {}
  OrRefusal(Refusal refusal) : content(std::move(refusal)) {}

  explicit operator bool() const { return std::holds_alternative<T>(content); }
  const T &operator*() const { return std::get<T>(content); }
  const T *operator->() const { return &std::get<T>(content); }
  const std::string &reason() const { return std::get<Refusal>(content).text; }

private:
  std::variant<T, Refusal> content;
};

struct Correction;

/// A sum that a loop carries, and how it follows the statistics.
struct Accumulator {
  const Element *reduction = nullptr;
  /// The row of the table; null if it depends on nothing that moves.
  const Correction *correction = nullptr;
  /// Exponential: the factors, exp or exp2 of statistics each.
  llvm::SmallVector<const Element *, 2> factors;
  /// Polynomial: the expression of statistics that it is around.
  const Element *center = nullptr;
  /// Polynomial: sums of the derivatives, of order 1, 2, ... They are made of
  /// reductions that are accumulators too.
  llvm::SmallVector<const Element *, 2> companions;

  static Accumulator plain(const Element *reduction) {
    Accumulator accumulator;
    accumulator.reduction = reduction;
    return accumulator;
  }
  bool isPlain() const { return !correction; }
};

/// The values of reductions at one point of the loop, or null.
using Values = llvm::function_ref<const Element *(const Element *)>;
/// The value of an expression of statistics at one point of the loop.
using Statistics = llvm::function_ref<const Element *(const Element *)>;

/// A row of the table.
struct Correction {
  llvm::StringLiteral name;
  /// The accumulators that `reduction` takes, itself last; nothing if the row
  /// says nothing about such a body.
  std::optional<OrRefusal<llvm::SmallVector<Accumulator>>> (*derive)(
      const Algebra &algebra, const Element *reduction,
      llvm::ArrayRef<const Element *> moving, bool followsMeans);
  /// What `value`, the accumulator around `from`, is around `to`.
  const Element *(*correct)(const Algebra &algebra,
                            const Accumulator &accumulator,
                            const Element *value, Values values,
                            Statistics from, Statistics to);
};

llvm::ArrayRef<Correction> getCorrections();

/// How `reduction` is accumulated while `moving` move: the accumulators that
/// it takes, those first that others need. With `followsMeans` each mean is
/// that of what was seen so far, and none is frozen: what is summed of the
/// distances from it is 0, and is not kept where numbers have few digits.
OrRefusal<llvm::SmallVector<Accumulator>>
deriveCorrections(const Algebra &algebra, const Element *reduction,
                  llvm::ArrayRef<const Element *> moving, bool followsMeans);

/// The accumulator's value around the statistics `from`, moved to `to`. The
/// values are those of all accumulators at `from`.
const Element *correct(const Algebra &algebra, const Accumulator &accumulator,
                       Values values, Statistics from, Statistics to);

/// d element / d center, where center is an expression of statistics; null
/// where no rule applies.
const Element *derivative(const Algebra &algebra, const Element *element,
                          const Element *center);

/// 1 or -1 if `element` rises or falls with the statistic, 0 if it does not
/// depend on it, nothing if that is unknown. The constant branch of a guard
/// does not count: the loop's path is finite.
std::optional<int> directionOf(const Element *element,
                               const Element *statistic);

/// Whether an expression of statistics has a finite value before the first
/// block, when all sums are 0.
bool isFiniteBeforeFirst(const Element *center,
                         llvm::ArrayRef<const Element *> moving);

/// The moving sum over `vars` that `element` is the mean of, or null.
const Element *matchMean(const Algebra &algebra, const Element *element,
                         llvm::ArrayRef<const Element *> moving,
                         llvm::ArrayRef<IndexVar> vars);

/// The count that a LoopPath takes means with; null if no sum moves.
const Element *countNeededBy(const Algebra &algebra,
                             llvm::ArrayRef<const Element *> moving,
                             llvm::ArrayRef<IndexVar> vars);

/// What the statistics are while a loop runs. All paths that end right are
/// legal; these are the safe ones. A maximum is finite from the start, so that
/// old - new is never inf - inf. A mean is that of the elements seen.
class LoopPath {
public:
  using Table = llvm::DenseMap<const Element *, const Element *>;

  /// `values`: reductions, and what they are at this point. `pilots`: moving
  /// sums whose mean stays what it is here.
  LoopPath(const Algebra &algebra, Table values,
           llvm::ArrayRef<const Element *> moving,
           llvm::ArrayRef<IndexVar> vars, Table pilots = Table())
      : algebra(algebra), values(std::move(values)), moving(moving), vars(vars),
        pilots(std::move(pilots)), count(countNeededBy(algebra, moving, vars)) {
  }

  /// The value of an expression of statistics, or a body around them.
  const Element *at(const Element *element) const;
  /// The value of a reduction, or null.
  const Element *valueOf(const Element *reduction) const {
    return values.lookup(reduction);
  }

private:
  /// What an element is that is shifted by a multiple of a maximum, or that is
  /// one in a narrower type. Either is finite, too: where all that was seen is
  /// -inf, -inf less that is to be -inf. Null if it is something else.
  const Element *atLarger(const Element *element) const;

  const Algebra &algebra;
  Table values;
  llvm::SmallVector<const Element *> moving;
  VarSet vars;
  Table pilots;
  /// The number of elements seen, where a mean needs it.
  const Element *count;
};

} // namespace fuse

#endif // FUSE_ANALYSIS_CORRECTIONS_H
