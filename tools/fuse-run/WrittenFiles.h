//===- WrittenFiles.h - what is written where -------------------*- C++ -*-===//
//
// Two options may name one file, by links and by folders that have many names.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_WRITTENFILES_H
#define FUSE_TOOLS_FUSE_RUN_WRITTENFILES_H

#include "fuse/Runtime/Error.h"
#include "llvm/ADT/StringMap.h"

namespace fuse {

class WrittenFiles {
public:
  /// Fails if other content than this is written to the same file.
  Status add(llvm::StringRef path, llvm::StringRef content);

private:
  llvm::StringMap<std::string> contents;
};

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_WRITTENFILES_H
