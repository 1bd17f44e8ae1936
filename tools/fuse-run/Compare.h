//===- Compare.h - whether a result is right --------------------*- C++ -*-===//
//
// Three ways to judge: against the error that the types themselves cause, bit
// for bit, and against a file within a tolerance.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_COMPARE_H
#define FUSE_TOOLS_FUSE_RUN_COMPARE_H

#include "fuse/Runtime/Buffer.h"

namespace fuse {

struct Comparison {
  size_t numWrong = 0;
  /// The element that is worst in relation to what is allowed there.
  size_t worstIndex = 0;
  double got = 0, wanted = 0, error = 0, allowed = 0;
  /// The largest error of the result, and of running op by op.
  double maxError = 0, unfusedError = 0;

  bool isRight() const { return numWrong == 0; }
};

/// Judges `result` by the exact values and by what the same graph gives when it
/// is run op by op in the same types: errors up to twice the largest error of
/// that, and a few roundings of the result's type, are right. `otherError` is
/// the largest error of running op by op with sums in other orders, if that has
/// been tried.
Comparison compareWithUnfused(const HostBuffer &result,
                              const HostBuffer &unfused,
                              const HostBuffer &exact, double otherError = 0);

/// The largest error that is finite.
double largestError(const HostBuffer &unfused, const HostBuffer &exact);

/// The largest error of few elements is a matter of luck, which depends on the
/// order of sums: how many other orders to try before a result of so many
/// elements is called wrong. They are strides of `fuse-reorder-sums`, from 2
/// on.
unsigned ordersToTry(size_t numElements);

/// Every element has to be what the exact value is in the result's type.
Comparison compareExactly(const HostBuffer &result, const HostBuffer &exact);

/// |result - expected| <= absolute + relative * |expected|.
Comparison compareWithin(const HostBuffer &result, const HostBuffer &expected,
                         double relative, double absolute);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_COMPARE_H
