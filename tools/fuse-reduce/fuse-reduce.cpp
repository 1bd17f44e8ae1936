//===- fuse-reduce.cpp - shrink a module that shows a bug -----------------===//
//
// mlir-reduce for our dialects, which reads regular files only: upstream reads
// until the end, and a device has none.
//
//===----------------------------------------------------------------------===//

#include "../fuse/Tools.h"
#include "fuse/Pipeline/Pipelines.h"
#include "fuse/Runtime/File.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// What is given, but for the value of -o, is the file or not there.
static bool checkFiles(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i], before = argv[i - 1];
    if (before == "-o" || before == "--o")
      continue;
    if (argument == "-") {
      llvm::errs() << "fuse-reduce: error: the standard input is no regular "
                      "file, which is needed\n";
      return false;
    }
    if (argument.starts_with("-") || !llvm::sys::fs::exists(argument))
      continue;
    if (auto file = fuse::openRegularFile(argument.str()); !file) {
      llvm::errs() << "fuse-reduce: error: " << file.error().message() << "\n";
      return false;
    }
  }
  return true;
}

int fuse::runFuseReduce(int argc, char **argv) {
  if (!checkFiles(argc, argv))
    return exitInput;
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  MLIRContext context(registry);
  // By itself a context prints errors alone; that a script finds nothing in the
  // module is a warning.
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Warning)
      return failure();
    llvm::errs() << "fuse-reduce: warning: " << diagnostic << "\n";
    return success();
  });
  return failed(mlirReduceMain(argc, argv, context)) ? 1 : exitRight;
}
