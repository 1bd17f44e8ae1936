//===- ImageRun.h - run what was compiled before ----------------*- C++ -*-===//
//
// An Image in place of a module: its contract stands for the function, and its
// code for what the compiler would make.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_IMAGERUN_H
#define FUSE_TOOLS_FUSE_RUN_IMAGERUN_H

#include "Options.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuse {

/// Whether a file starts as an Image does.
bool isImageFile(llvm::StringRef path);

/// Fails for what only a graph can be asked.
Status checkImageOptions(const RunOptions &options);

/// Whether a GPU that is such a chip runs every launch.
bool hasCodeFor(const Image &image, const Chip &chip);

/// A module with a function that has the arguments and results of an Image, and
/// an empty body.
mlir::OwningOpRef<mlir::ModuleOp> declareImage(const Image &image,
                                               mlir::MLIRContext &context);

/// Loads the code for `device`, or for this processor where it is null. The
/// shapes are those of all arguments of the declared function.
Result<std::unique_ptr<Program>>
loadImageProgram(Image image, llvm::ArrayRef<ArgumentShape> shapes,
                 const RunOptions &options, std::shared_ptr<CudaDevice> device);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_IMAGERUN_H
