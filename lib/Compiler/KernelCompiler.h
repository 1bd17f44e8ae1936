//===- KernelCompiler.h - from LLVM's dialect to machine code ---*- C++ -*-===//
//
// Kernels know nothing of each other: each has a module of its own, all are
// compiled at once, and what has been compiled before is not compiled again,
// which most of a plan has when one of its kernels has another schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_KERNELCOMPILER_H
#define FUSE_LIB_COMPILER_KERNELCOMPILER_H

#include "fuse/Target/Assemble.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <map>

namespace fuse {

struct CompiledKernel {
  std::string symbol, ptx;
  /// What ptxas made of it, if it is there and wanted.
  std::optional<PtxasResult> assembled;
  CodeVersion toolkit;
};

class KernelCompiler {
public:
  /// `optLevel` is how much LLVM and ptxas optimise, from 0 to 3.
  KernelCompiler(unsigned optLevel, bool assembles)
      : optLevel(optLevel), assembles(assembles) {}

  /// Compiles the kernels of a module of the llvm and nvvm dialects; they are
  /// in the same order, and stay as long as this does. What is wrong with them
  /// or costs them speed has been reported as a diagnostic where they are, in
  /// which they are called as `titleOf` says.
  Result<std::vector<const CompiledKernel *>>
  compile(mlir::gpu::GPUModuleOp module, const GpuChip &chip,
          KernelTitles titleOf);

private:
  Status findAssembler();

  unsigned optLevel;
  bool assembles;
  std::optional<std::string> ptxas;
  CodeVersion toolkit;
  /// By chip and the text of all that they are made of.
  std::map<std::string, CompiledKernel> known;
};

} // namespace fuse

#endif // FUSE_LIB_COMPILER_KERNELCOMPILER_H
