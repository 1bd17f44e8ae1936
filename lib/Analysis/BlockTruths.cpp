//===- BlockTruths.cpp - what predicates are in blocks --------------------===//

#include "fuse/Analysis/BlockTruths.h"

using namespace mlir;
using namespace fuse;

ArrayRef<Truth> BlockTruths::of(const Element *predicate, const IndexVar &var,
                                int64_t window, size_t windows) {
  auto [entry, isNew] = known.try_emplace({predicate, var, window, windows});
  SmallVector<Truth> &truths = entry->second;
  if (!isNew)
    return truths;
  // In all windows it says the same of other variables.
  bool isOne = !llvm::is_contained(predicate->freeVars(), var);
  for (size_t number = 0; number < (isOne ? 1 : windows); ++number) {
    auto first = static_cast<int64_t>(number) * window;
    truths.push_back(classify(
        predicate, {[&](const IndexVar &other) -> std::optional<Interval> {
                      if (other == var)
                        return Interval{first, first + window - 1};
                      if (!other.size.isNumber())
                        return std::nullopt;
                      return Interval{0, other.size.getNumber() - 1};
                    },
                    [](const Element *) { return std::nullopt; }}));
  }
  truths.resize(windows, truths.front());
  return truths;
}
