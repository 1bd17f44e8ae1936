//===- Passes.h - kernels that are run where they are -----------*- C++ -*-===//
//
// Constructors of the passes in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_SIMULATE_PASSES_H
#define FUSE_SIMULATE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace fuse {

#define GEN_PASS_DECL
#include "fuse/Simulate/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fuse/Simulate/Passes.h.inc"

} // namespace fuse

#endif // FUSE_SIMULATE_PASSES_H
