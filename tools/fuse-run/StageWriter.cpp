//===- StageWriter.cpp - the module at every stage, in files --------------===//
//
// Numbers are in the order in which the stages are reached.
//
//===----------------------------------------------------------------------===//

#include "StageWriter.h"
#include "fuse/Runtime/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace fuse;

void StageWriter::operator()(StringRef stage, ModuleOp module) {
  if (folder.empty() || !written)
    return;
  SmallString<128> path(folder);
  llvm::sys::path::append(path, prefix + std::to_string(next++) + "-" + stage +
                                    ".mlir");
  written = files.add(path, "a stage");
  if (!written)
    return;
  std::string text;
  llvm::raw_string_ostream(text) << module << "\n";
  std::string_view pieces[] = {text};
  written = writeFile(std::string(path), pieces);
}
