//===- Interval.h - predicates over a block of indices ----------*- C++ -*-===//
//
// Interval arithmetic on integer elements: over a block of indices a predicate
// is true everywhere, nowhere, or must be asked. Masks, ragged edges, seams and
// windows are one thing here.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_INTERVAL_H
#define FUSE_ANALYSIS_INTERVAL_H

#include "fuse/Analysis/Element.h"

namespace fuse {

/// The integers from `low` to `high`, both included.
struct Interval {
  int64_t low = 0, high = 0;

  bool contains(const Interval &other) const {
    return low <= other.low && other.high <= high;
  }

  friend bool operator==(const Interval &a, const Interval &b) {
    return a.low == b.low && a.high == b.high;
  }
};

/// What is known of a block: of the variables, whose windows may reach beyond
/// their size, and of loads, slots and the like, which may be left out.
struct Windows {
  llvm::function_ref<std::optional<Interval>(const IndexVar &)> ofVar;
  llvm::function_ref<std::optional<Interval>(const Element *)> ofLeaf;
};

/// Where the integer `element` lies, nothing if unknown. Where arithmetic may
/// wrap around it is unknown. An i1 is 0 or 1.
std::optional<Interval> intervalOf(const Element *element,
                                   const Windows &windows);

enum class Truth { Never, Mixed, Always };

Truth classify(const Element *predicate, const Windows &windows);

/// Whether an op's whole numbers always fit into its type: then it computes
/// what arithmetic says.
bool cannotWrap(const Element *op, const Windows &windows);

} // namespace fuse

#endif // FUSE_ANALYSIS_INTERVAL_H
