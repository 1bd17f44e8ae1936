//===- OnGpu.h - what fuse-run does for a GPU -------------------*- C++ -*-===//
//
// Finding the device, compiling for it or for the chips that are named, and
// what can be measured there only. Compiling alone needs no GPU.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_ONGPU_H
#define FUSE_TOOLS_FUSE_RUN_ONGPU_H

#include "Options.h"
#include "Report.h"
#include "WrittenFiles.h"
#include "fuse/Compiler/Gpu.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {

/// The GPU that `options` asks for; null where none is to be used. One that
/// cannot be used is an error if it was asked for.
Result<std::shared_ptr<CudaDevice>> openDevice(const RunOptions &options);

/// Compiles for the chips that `options` names, or else for `device`, and
/// writes every stage where that was asked for, but over none of `files`.
Result<GpuCode> compileCode(mlir::func::FuncOp entry,
                            llvm::ArrayRef<ArgumentShape> shapes,
                            const RunOptions &options, const CudaDevice *device,
                            WrittenFiles &files);

/// Runs again on the same data, as often as `options` says, and notes where
/// results differ.
Status repeatOnGpu(GpuProgram &program, llvm::ArrayRef<const HostBuffer *> data,
                   const RunOptions &options, RunReport &report);

/// Times whole runs and each launch by the device's clock.
Status benchOnGpu(GpuProgram &program, llvm::ArrayRef<const HostBuffer *> data,
                  const RunOptions &options, RunReport &report);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_ONGPU_H
