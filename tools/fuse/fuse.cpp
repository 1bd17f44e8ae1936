//===- fuse.cpp - all tools in one executable -----------------------------===//
//
// LLVM is large, so the relocatable build has it once: every tool is this
// executable under another name.
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "fuse/Compiler/ImageCompiler.h"
#include "fuse/Compiler/LargeStack.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace fuse;

static Tool findTool(llvm::StringRef name) {
  return llvm::StringSwitch<Tool>(name)
      .Case("fuse-compile", runFuseCompile)
      .Case("fuse-image", runFuseImage)
      .Case("fuse-opt", runFuseOpt)
      .Case("fuse-run", runFuseRun)
      .Case("fuse-reduce", runFuseReduce)
      .Case("fuse-fuzz", runFuseFuzz)
      .Case("fuse-lsp-server", runFuseLspServer)
      .Default(nullptr);
}

void fuse::printVersion(llvm::raw_ostream &os) {
  os << producerOfImages() << "\n";
}

int fuse::statusFor(ErrorCode code) {
  switch (code) {
  case ErrorCode::BadUsage:
    return exitUsage;
  case ErrorCode::BadInput:
    return exitInput;
  case ErrorCode::Unsupported:
    return exitUnsupported;
  case ErrorCode::Output:
    return exitOutput;
  case ErrorCode::Device:
    return exitDevice;
  }
  llvm_unreachable("every code is handled above");
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::SetVersionPrinter(printVersion);
  // `fuse-opt ...`, or `fuse fuse-opt ...` where links cannot be made.
  Tool tool = findTool(llvm::sys::path::stem(argv[0]));
  if (!tool && argc > 1) {
    tool = findTool(argv[1]);
    if (tool) {
      --argc;
      ++argv;
    }
  }
  if (!tool && argc == 2 && llvm::StringRef(argv[1]) == "--version") {
    printVersion(llvm::outs());
    return exitRight;
  }
  if (!tool) {
    bool asks = argc == 2 && llvm::StringRef(argv[1]) == "--help";
    (asks ? llvm::outs() : llvm::errs())
        << "fuse: needs the name of a tool: fuse-opt, fuse-run, fuse-compile, "
           "fuse-image, fuse-reduce, fuse-fuzz or fuse-lsp-server\n";
    return asks ? exitRight : exitUsage;
  }
  int status = exitUsage;
  Status ran = runOnLargeStack([&] { status = tool(argc, argv); });
  if (ran)
    return status;
  llvm::errs() << "fuse: " << ran.error().message() << "\n";
  return exitUnsupported;
}
