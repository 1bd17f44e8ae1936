//===- WrittenFiles.h - what is written where -------------------*- C++ -*-===//
//
// Two options may name one file, by links and by folders that have many names,
// and what is run is a file as well.
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
  /// A file that nothing may be written to, since it is read.
  void keep(llvm::StringRef path);

private:
  /// By place; what is kept has none.
  llvm::StringMap<std::string> contents;
};

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_WRITTENFILES_H
