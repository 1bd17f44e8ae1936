//===- fuse-opt.cpp - run passes on a module ------------------------------===//
//
// mlir-opt for our dialects. It differs in two points: input that would crash
// the parser is refused, and the output file is replaced only by success.
//
//===----------------------------------------------------------------------===//

#include "../fuse/Tools.h"
#include "fuse/Compiler/Source.h"
#include "fuse/Pipeline/Pipelines.h"
#include "fuse/Runtime/File.h"
#include "fuse/Runtime/Image.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fuse;

static int fail(const llvm::Twine &message, int status) {
  llvm::errs() << "fuse-opt: error: " << message << "\n";
  return status;
}

static Status writeOutput(const std::string &path, StringRef text) {
  // The standard stream by its name, so that its errors are seen, too.
  std::string_view pieces[] = {text};
  return writeFile(path == "-" ? "/dev/stdout" : path, pieces);
}

int fuse::runFuseOpt(int argc, char **argv) {
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  auto [inputPath, outputPath] = registerAndParseCLIOptions(
      argc, argv, "fuse-opt: passes and pipelines on fuse's dialects",
      registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses()) {
    MLIRContext context(registry);
    if (config.shouldListPasses())
      printRegisteredPasses();
    else
      for (StringRef name : registry.getDialectNames())
        llvm::outs() << name << "\n";
    return exitRight;
  }

  auto source = readSource(inputPath);
  if (!source)
    return fail(source.error().message(), exitInput);
  // The parser would show a line of it, which is no text.
  if (isImage((*source)->getBuffer()))
    return fail(inputPath + ": is an image, but a module is needed", exitInput);
  std::string output;
  llvm::raw_string_ostream stream(output);
  if (failed(MlirOptMain(stream, std::move(*source), registry, config)))
    return EXIT_FAILURE;
  if (Status written = writeOutput(outputPath, output); !written)
    return fail(written.error().message(), exitOutput);
  return exitRight;
}
