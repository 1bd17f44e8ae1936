//===- BlockTruths.h - what predicates are in blocks ------------*- C++ -*-===//
//
// A search counts what hundreds of schedules of a kernel do, and asks the same
// of the same masks each time.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_BLOCKTRUTHS_H
#define FUSE_ANALYSIS_BLOCKTRUTHS_H

#include "fuse/Analysis/Interval.h"
#include <map>

namespace fuse {

class BlockTruths {
public:
  /// What `predicate` is in each of so many windows of a variable, whatever the
  /// others are.
  llvm::ArrayRef<Truth> of(const Element *predicate, const IndexVar &var,
                           int64_t window, size_t windows);

private:
  std::map<std::tuple<const Element *, IndexVar, int64_t, size_t>,
           llvm::SmallVector<Truth>>
      known;
};

} // namespace fuse

#endif // FUSE_ANALYSIS_BLOCKTRUTHS_H
