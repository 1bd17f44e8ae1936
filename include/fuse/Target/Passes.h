//===- Passes.h - kernels become code for a chip ----------------*- C++ -*-===//
//
// The last pass on the road to a GPU, and the forms of code that it makes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TARGET_PASSES_H
#define FUSE_TARGET_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace fuse {

enum class CodeFormat { Ptx, Cubin, Both };

#define GEN_PASS_DECL
#include "fuse/Target/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fuse/Target/Passes.h.inc"

} // namespace fuse

#endif // FUSE_TARGET_PASSES_H
