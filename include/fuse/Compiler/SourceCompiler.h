//===- SourceCompiler.h - from the text of a graph to an Image --*- C++ -*-===//
//
// All that is between a caller who has a text and options, and an Image: what
// language bindings use, and what is kept on disk between processes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_SOURCECOMPILER_H
#define FUSE_COMPILER_SOURCECOMPILER_H

#include "fuse/Compiler/ImageCompiler.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {

struct SourceOptions {
  std::string entry;
  /// By argument: its name, or its number.
  llvm::StringMap<ArgumentShape> shapes;
  ImageOptions image;
  /// Whether an Image that was made before may be used, and is kept.
  bool usesCache = true;
};

/// "8x128", or "scalar", which has no sizes.
Result<ArgumentShape> parseShape(llvm::StringRef text);

/// Understands options as fuse-c/FuseCompiler.h lists them.
Result<SourceOptions>
parseSourceOptions(llvm::ArrayRef<llvm::StringRef> options);

/// The bytes of an Image. Complaints about the graph are behind the first line
/// of the error. May be called by several threads.
Result<std::string> compileSource(llvm::StringRef source, llvm::StringRef name,
                                  const SourceOptions &options);

/// The function that is meant: the one that is named, else the only public one.
/// `file` is for messages, and `howToChoose` for the one about several.
Result<mlir::func::FuncOp> findEntry(mlir::ModuleOp module,
                                     llvm::StringRef entry,
                                     llvm::StringRef file,
                                     llvm::StringRef howToChoose);

} // namespace fuse

#endif // FUSE_COMPILER_SOURCECOMPILER_H
