//===- fuse-run.cpp - compile a graph and run it --------------------------===//
//
// Reads a module, binds data to the arguments of its entry, runs it, and says
// what came out and whether that is right.
//
//===----------------------------------------------------------------------===//

#include "../fuse/Tools.h"
#include "Session.h"
#include "fuse/Compiler/SourceCompiler.h"

using namespace mlir;
using namespace fuse;

static int fail(const RuntimeError &error) {
  llvm::errs() << "fuse-run: error: " << error.message() << "\n";
  return statusFor(error.code());
}

int fuse::runFuseRun(int argc, char **argv) {
  std::optional<RunOptions> options = parseRunOptions(argc, argv);
  if (!options)
    return exitUsage;
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  // A diagnostic shows the line it is about; the op in generic form beside it
  // is for people who debug passes.
  context.printOpOnDiagnostic(false);

  Session session(*options, context);
  if (Status status = session.run(); !status)
    return fail(status.error());
  (options->json ? printJson : printText)(session.report, session.arguments,
                                          llvm::outs());
  llvm::outs().flush();
  if (std::error_code failed = llvm::outs().error()) {
    llvm::outs().clear_error();
    return fail(
        RuntimeError(ErrorCode::Output,
                     "the report cannot be written: " + failed.message()));
  }
  return session.report.isRight() ? exitRight : exitWrongResult;
}
