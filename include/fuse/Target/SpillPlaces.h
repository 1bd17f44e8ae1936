//===- SpillPlaces.h - where machine code spills ----------------*- C++ -*-===//
//
// ptxas says how many bytes a kernel spills, not how often: once, or in each
// round of a loop. The machine code says where they are.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TARGET_SPILLPLACES_H
#define FUSE_TARGET_SPILLPLACES_H

#include "fuse/Runtime/Chip.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace fuse {

/// Which part of the instructions of a kernel's innermost loops move spilled
/// registers: of the loop with most, among those in which tensor cores multiply
/// if there are some, or of the kernel if it has no loops. How instructions are
/// encoded is nowhere documented, so that nothing but speed may depend on it:
/// nothing where the code is not understood.
std::optional<double> spilledPart(llvm::StringRef cubin, const Chip &chip,
                                  llvm::StringRef kernel);

} // namespace fuse

#endif // FUSE_TARGET_SPILLPLACES_H
