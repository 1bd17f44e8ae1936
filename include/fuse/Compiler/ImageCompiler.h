//===- ImageCompiler.h - compile a graph to keep it -------------*- C++ -*-===//
//
// One Image with code for GPUs, for processors, or for both.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_IMAGECOMPILER_H
#define FUSE_COMPILER_IMAGECOMPILER_H

#include "fuse/Compiler/Gpu.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Runtime/Fill.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {

struct ImageOptions {
  /// `chips` may be empty if `cpus` is not.
  GpuOptions gpu;
  llvm::SmallVector<CpuLevel> cpus;
  /// How many threads code for processors is divided for, however many run it;
  /// 0: as many as defaultNumThreads() says.
  unsigned threads = 0;
};

/// As compileForGpu. The steps are those of the code for GPUs, if there is any.
Result<GpuCode> compileImage(mlir::ModuleOp module, llvm::StringRef entry,
                             llvm::ArrayRef<ArgumentShape> shapes,
                             const ImageOptions &options,
                             StageObserver observe);

/// Calls arguments and results as `function` does, or by their numbers, and
/// keeps what it says of data for arguments.
void nameArguments(mlir::func::FuncOp function, Image &image);

/// What a function says of data for an argument, for who generates them; and
/// back.
FillSpec fillSpecOf(FillAttr attribute);
FillAttr fillAttrOf(const FillSpec &spec, mlir::MLIRContext *context);

/// "fuse 0.1.0 (LLVM 22.1.8)".
std::string producerOfImages();

} // namespace fuse

#endif // FUSE_COMPILER_IMAGECOMPILER_H
