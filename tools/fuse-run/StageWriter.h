//===- StageWriter.h - the module at every stage, in files ------*- C++ -*-===//
//
// What --dump-stages asks for: a stage observer that numbers what it is shown.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_STAGEWRITER_H
#define FUSE_TOOLS_FUSE_RUN_STAGEWRITER_H

#include "WrittenFiles.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuse {

class StageWriter {
public:
  /// Files go to `folder`, or nowhere if that is empty, and their names begin
  /// with `prefix`, but to none of `files`. All have to outlive this.
  StageWriter(llvm::StringRef folder, llvm::StringRef prefix,
              WrittenFiles &files)
      : folder(folder), prefix(prefix), files(files) {}

  void operator()(llvm::StringRef stage, mlir::ModuleOp module);

  /// The first thing that went wrong. Observers have no results.
  Status take() { return std::move(written); }

private:
  llvm::StringRef folder, prefix;
  WrittenFiles &files;
  unsigned next = 0;
  Status written;
};

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_STAGEWRITER_H
