//===- Distances.h - how far elements are from statistics -------*- C++ -*-===//

#ifndef FUSE_LIB_ANALYSIS_DISTANCES_H
#define FUSE_LIB_ANALYSIS_DISTANCES_H

#include "fuse/Analysis/Algebra.h"

namespace fuse {

/// `ofCenter c + ofBody x + rest`.
struct Distance {
  double ofCenter = 0, ofBody = 0, rest = 0;

  Distance operator*(double factor) const {
    return {factor * ofCenter, factor * ofBody, factor * rest};
  }
  Distance operator+(const Distance &other) const {
    return {ofCenter + other.ofCenter, ofBody + other.ofBody,
            rest + other.rest};
  }
  bool isRest() const { return ofCenter == 0 && ofBody == 0; }
};

/// `element` as a distance, if it is made of nothing but numbers and of what
/// `known` knows, which is asked first.
std::optional<Distance>
distanceOf(const Element *element,
           llvm::function_ref<std::optional<Distance>(const Element *)> known);

/// `select(max == -inf, other, max)` asks what a running maximum, which has a
/// floor, never is; what it is otherwise. Null if it is something else.
const Element *withoutGuard(const Element *element,
                            llvm::ArrayRef<const Element *> moving);

/// Whether the exponentials with `statistic`, a maximum or minimum, in the body
/// of `reduction` have exponents that it bounds: at most a number, however many
/// elements it has seen. Another one may be finite in the end and overflow on
/// the way there, as exp(x + b - max(x)).
bool boundsExponents(const Element *reduction, const Element *statistic);

/// Whether a number is at least 1 if it is of any elements, as a sum is of
/// powers of how far a row's numbers are from their maximum, itself among them.
bool isAtLeastOne(const Element *element);

} // namespace fuse

#endif // FUSE_LIB_ANALYSIS_DISTANCES_H
