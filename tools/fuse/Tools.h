//===- Tools.h - the tools and how they end ---------------------*- C++ -*-===//
//
// Every tool is a function; fuse.cpp calls the one that was asked for.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_TOOLS_H
#define FUSE_TOOLS_FUSE_TOOLS_H

#include "fuse/Runtime/Error.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
namespace cl {
class OptionCategory;
} // namespace cl
} // namespace llvm

namespace fuse {

using Tool = int (*)(int argc, char **argv);

int runFuseCompile(int argc, char **argv);
int runFuseImage(int argc, char **argv);
int runFuseOpt(int argc, char **argv);
int runFuseRun(int argc, char **argv);
int runFuseReduce(int argc, char **argv);
int runFuseFuzz(int argc, char **argv);
int runFuseLspServer(int argc, char **argv);

/// What a tool returns; docs/Tools.md says what each means to a user.
enum ExitStatus : int {
  exitRight = 0,
  exitWrongResult = 1,
  exitUsage = 2,
  exitInput = 3,
  exitUnsupported = 4,
  exitDevice = 5,
  exitOutput = 6,
};

/// Which fuse this is, and of which LLVM.
void printVersion(llvm::raw_ostream &os);

/// Reads the command line of a tool that has the options of `category`;
/// complains and fails if it is wrong. Of an option that has one value the
/// second is an error, where LLVM would take the last.
bool parseCommandLine(int argc, char **argv, llvm::StringRef tool,
                      llvm::StringRef overview,
                      llvm::cl::OptionCategory &category);

/// The status that a failure ends with.
int statusFor(ErrorCode code);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_TOOLS_H
