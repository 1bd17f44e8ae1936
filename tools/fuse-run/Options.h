//===- Options.h - the command line of fuse-run -----------------*- C++ -*-===//
//
// What was asked for, parsed and checked for sense.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_OPTIONS_H
#define FUSE_TOOLS_FUSE_RUN_OPTIONS_H

#include "fuse/Compiler/Fused.h"
#include "fuse/Compiler/Gpu.h"
#include "fuse/Runtime/Fill.h"
#include "llvm/ADT/StringMap.h"

namespace fuse {

enum class RunTarget { Auto, Cpu, Reference, Cuda, Simulate };

/// How a result is compared with the reference.
enum class VerifyMode { None, Float, Exact };

struct RunOptions {
  std::string file;
  std::string entry;
  RunTarget target = RunTarget::Auto;
  ReferenceFloats reference = ReferenceFloats::Exact;
  FusedOptions fused;
  /// Of GPUs; none is the one that is there.
  llvm::SmallVector<GpuChip> chips;
  /// How many more runs have to give the same bits.
  unsigned repeatBits = 0;

  /// By argument: its name, or its number.
  llvm::StringMap<ArgumentShape> shapes;
  llvm::StringMap<std::string> inputs;
  std::optional<FillSpec> fill;
  uint64_t seed = 0;

  VerifyMode verify = VerifyMode::None;
  /// By output: its name, or its number.
  llvm::StringMap<std::string> expected, outputs;
  double relativeTolerance = 0, absoluteTolerance = 0;

  bool bench = false;
  unsigned samples = 0, warmUps = 0;
  double sampleSeconds = 0, restSeconds = 0;

  std::string saveInputs, saveOutputs, dumpStages;
  /// The file for an Image; nothing is run then.
  std::string image;
  bool json = false;
};

/// Parses the command line. On an error, which has then been printed, there are
/// no options.
std::optional<RunOptions> parseRunOptions(int argc, char **argv);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_OPTIONS_H
