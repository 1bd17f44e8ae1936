//===- LayoutTesting.h - layouts to try, and threads to run ------*- C++
//-*-===//
//
// Random layouts, and a machine of arrays: for every thread an array of
// registers, each with the number of the element it holds. Plans are executed
// on it step by step, with nothing known about bits.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_LAYOUTTESTING_H
#define FUSE_TEST_LAYOUTTESTING_H

#include "fuse/Layout/Conversion.h"

#include "gtest/gtest.h"

#include <random>
#include <vector>

namespace fuse::simulated {

/// A layout that must be right.
Layout layout(llvm::StringRef text);
SharedLayout shared(llvm::StringRef text);

/// What is wrong with the text.
std::string layoutError(llvm::StringRef text);
std::string sharedError(llvm::StringRef text);

/// The row-major number of an element.
int64_t elementNumber(const TileShape &tile, llvm::ArrayRef<int64_t> position);

constexpr int64_t garbage = -1;

/// registers[cta][warp][lane][reg]
using Machine = std::vector<std::vector<std::vector<std::vector<int64_t>>>>;

/// Every register holds its element.
Machine load(const Layout &layout);
Machine empty(const Layout &layout);

Machine run(llvm::ArrayRef<unsigned> sources, const Layout &to,
            const Machine &from);
Machine run(const ShufflePlan &plan, const Layout &from, const Layout &to,
            const Machine &machine);
/// Stores come from threads without copies only; vectors are checked.
Machine run(const SharedPlan &plan, const Layout &from, const Layout &to,
            const Machine &machine);

/// All three plans, where there is one, and the one that was chosen.
void checkConversion(const Layout &from, const Layout &to,
                     const ConversionOptions &options);

using Random = std::mt19937;

inline unsigned below(Random &random, unsigned limit) {
  return random() % limit;
}

struct RandomLayoutOptions {
  unsigned numWarpBits = 0;
  unsigned maxSpareRegisterBits = 1;
  /// Bases are sums of units, and not units.
  bool mixed = true;
};

/// A surjective layout whose spare bits are zero or repeat others.
Layout randomLayout(Random &random, llvm::ArrayRef<int64_t> extents,
                    const RandomLayoutOptions &options);

/// The same elements in each warp as in `layout`, dealt out anew.
Layout shuffledInWarps(Random &random, const Layout &layout);

} // namespace fuse::simulated

#endif // FUSE_TEST_LAYOUTTESTING_H
