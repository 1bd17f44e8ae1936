//===- Shrink.h - the smallest graph that fails ------------------*- C++
//-*-===//
//
// Takes things away from a graph as long as it fails.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_FUZZ_SHRINK_H
#define FUSE_TOOLS_FUSE_FUZZ_SHRINK_H

#include "Generator.h"
#include <chrono>

namespace fuse {

/// Makes `graph` smaller until nothing can be taken away, or until `end`.
void shrinkGraph(FuzzGraph &graph,
                 llvm::function_ref<bool(const FuzzGraph &)> fails,
                 std::chrono::steady_clock::time_point end);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_FUZZ_SHRINK_H
