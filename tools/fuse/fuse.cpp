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

#include <cstdlib>

#include <unistd.h>

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

static constexpr llvm::StringLiteral overview =
    R"(fuse: all tools in one executable

usage: fuse TOOL ...; each tool is also a name of the executable

  fuse-opt         runs passes and pipelines on a module, as mlir-opt does
  fuse-run         compiles a graph, runs it on data, compares results, times it
  fuse-compile     compiles a graph to an image
  fuse-image       says what is in an image, and writes its code to files
  fuse-reduce      shrinks a module that shows a bug, as mlir-reduce does
  fuse-fuzz        makes random graphs and compares the roads on them
  fuse-lsp-server  helps editors with .mlir files, as mlir-lsp-server does

Scripts beside it, which run it: fuse-bench times workloads beside what others
take, fuse-survey times graphs of many kinds beside PyTorch, fuse-sweep searches
schedules by timing them. --help of each says more.
)";

void fuse::printVersion(llvm::raw_ostream &os) {
  os << producerOfImages() << "\n";
}

bool fuse::parseCommandLine(int argc, char **argv, llvm::StringRef tool,
                            llvm::StringRef overview,
                            llvm::cl::OptionCategory &category) {
  using namespace llvm;
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &errs()))
    return false;
  bool isRight = true;
  for (const auto &[name, option] : cl::getRegisteredOptions()) {
    int count = option->getNumOccurrences();
    if (count < 2 || option->getNumOccurrencesFlag() != cl::Optional ||
        !is_contained(option->Categories, &category))
      continue;
    errs() << tool << ": error: --" << name << " is given "
           << (count == 2 ? "twice" : std::to_string(count) + " times")
           << ", but has one value\n";
    isRight = false;
  }
  return isRight;
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

/// A tool that did not look at what became of its output has not ended well
/// where that was lost.
static int flushOutput(llvm::StringRef name, int status) {
  llvm::outs().flush();
  std::error_code failed = llvm::outs().error();
  if (!failed)
    return status;
  llvm::outs().clear_error();
  llvm::errs() << name
               << ": error: the output cannot be written: " << failed.message()
               << "\n";
  return status == exitRight ? exitOutput : status;
}

static llvm::StringRef nameOfTool = "fuse";

/// LLVM ends the process itself behind --help and --version, and what cannot be
/// written then would look like a crash.
static void flushAtExit() {
  if (int status = flushOutput(nameOfTool, exitRight))
    _exit(status);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::SetVersionPrinter(printVersion);
  // The stream has to be there before, for then it goes afterwards.
  llvm::outs();
  std::atexit(flushAtExit);
  // `fuse-opt ...`, or `fuse fuse-opt ...` where links cannot be made.
  llvm::StringRef name = llvm::sys::path::stem(argv[0]);
  Tool tool = findTool(name);
  if (!tool && argc > 1) {
    name = argv[1];
    tool = findTool(name);
    if (tool) {
      --argc;
      ++argv;
    }
  }
  if (!tool && argc == 2 && llvm::StringRef(argv[1]) == "--version") {
    printVersion(llvm::outs());
    return exitRight;
  }
  if (!tool && argc == 2 &&
      (llvm::StringRef(argv[1]) == "--help" ||
       llvm::StringRef(argv[1]) == "-h")) {
    llvm::outs() << overview;
    return exitRight;
  }
  if (!tool) {
    llvm::errs()
        << "fuse: needs the name of a tool: fuse-opt, fuse-run, fuse-compile, "
           "fuse-image, fuse-reduce, fuse-fuzz or fuse-lsp-server\n";
    return exitUsage;
  }
  nameOfTool = name;
  int status = exitUsage;
  Status ran = runOnLargeStack([&] { status = tool(argc, argv); });
  if (ran)
    return flushOutput(name, status);
  llvm::errs() << "fuse: " << ran.error().message() << "\n";
  return exitUnsupported;
}
