//===- Report.h - what fuse-run has to say ----------------------*- C++ -*-===//
//
// Everything that one run found out, and the two forms in which it is printed.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_REPORT_H
#define FUSE_TOOLS_FUSE_RUN_REPORT_H

#include "Arguments.h"
#include "Compare.h"
#include "Options.h"
#include "fuse/Compiler/Compiler.h"
#include "llvm/Support/raw_ostream.h"

namespace fuse {

struct OutputReport {
  /// Its 'fuse.name', or its number.
  std::string name;
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
  double least = 0, largest = 0, mean = 0;
  size_t numNaN = 0;
  std::optional<Comparison> verified, expected;
  std::string expectedFile;
};

struct Timing {
  unsigned samples = 0;
  /// How many runs a sample is, of which the times are one, and how many sets
  /// of arguments took turns.
  unsigned runsPerSample = 1, argumentSets = 1;
  double median = 0, least = 0, largest = 0;
};

struct RunReport {
  std::string file, entry, target;
  uint64_t seed = 0;
  unsigned warmUps = 0;
  /// Whether ops share kernels; else there is one for each op.
  bool isFused = false;
  /// Whether it was compiled before.
  bool isLoaded = false;
  std::vector<PlanStep> plan;
  std::optional<PlanMemory> memory;
  double compileSeconds = 0;
  /// The file that the code went to, if nothing was run.
  std::optional<std::string> image;
  std::vector<OutputReport> outputs;
  VerifyMode verify = VerifyMode::None;
  /// Whether a comparison with the reference can find the results wrong.
  bool isJudged = false;
  /// Where two runs on the same data differ.
  std::optional<std::string> difference;
  std::optional<Timing> timing;
  /// Mean clock of the processors meanwhile, in Hz, where that is known.
  std::optional<double> clock;
  /// For each kernel, where they can be told apart.
  std::vector<Timing> kernelTimings;

  bool isRight() const;
};

/// Range and mean of a result.
OutputReport summarise(const HostBuffer &buffer);

/// Median and range of times in seconds.
Timing summarise(std::vector<double> seconds);

void printText(const RunReport &report, llvm::ArrayRef<Argument> arguments,
               llvm::raw_ostream &os);
void printJson(const RunReport &report, llvm::ArrayRef<Argument> arguments,
               llvm::raw_ostream &os);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_REPORT_H
