//===- Options.h - the command line of fuse-run -----------------*- C++ -*-===//
//
// What was asked for, parsed and checked for sense.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_OPTIONS_H
#define FUSE_TOOLS_FUSE_RUN_OPTIONS_H

#include "fuse/Compiler/Fused.h"
#include "fuse/Compiler/Gpu.h"
#include "fuse/Runtime/ArrayLayout.h"
#include "fuse/Runtime/Fill.h"
#include "llvm/ADT/StringMap.h"

namespace fuse {

/// How an array lies in memory, in elements.
struct LayoutSpec {
  int64_t offset = 0;
  /// From row to row, or of each dimension.
  std::optional<int64_t> pitch;
  std::optional<std::vector<int64_t>> strides;

  /// "offset=3,pitch=80" or "strides=1x64".
  static Result<LayoutSpec> parse(llvm::StringRef text);
  Result<ArrayLayout> layoutFor(llvm::ArrayRef<int64_t> shape) const;
};

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
  /// Of arguments of kernels for a GPU; none is what they are like.
  llvm::SmallVector<MemoryClass> classes;
  /// Levels of processors, for an Image.
  llvm::SmallVector<CpuLevel> cpus;
  /// How many more runs have to give the same bits.
  unsigned repeatBits = 0;
  /// Runs that are repeated are replays of a CUDA graph.
  bool graph = false;

  /// By argument: its name, or its number.
  llvm::StringMap<ArgumentShape> shapes;
  /// Leave dynamic sizes open when compiling, and run for further shapes.
  bool leavesSizesOpen = false;
  std::vector<llvm::StringMap<ArgumentShape>> furtherShapes;
  llvm::StringMap<std::string> inputs;
  llvm::StringMap<LayoutSpec> layouts;
  std::optional<FillSpec> fill;
  uint64_t seed = 0;

  VerifyMode verify = VerifyMode::None;
  /// By output: its name, or its number.
  llvm::StringMap<std::string> expected, outputs;
  llvm::StringMap<LayoutSpec> outputLayouts;
  double relativeTolerance = 0, absoluteTolerance = 0;

  bool bench = false;
  unsigned samples = 0, warmUps = 0;
  double sampleSeconds = 0, restSeconds = 0;
  /// Whether runs that are timed find the data of the one before in the cache.
  bool hot = false;

  std::string saveInputs, saveOutputs, dumpStages;
  /// The file for an Image; nothing is run then.
  std::string image;
  /// The file for a timeline, or nothing.
  std::string profile;
  bool json = false;
};

/// The entry of `map` for an argument or an output, under its name or its
/// number.
template <typename Map>
auto *lookUp(Map &map, llvm::StringRef name, unsigned index) {
  auto found = map.find(name);
  if (found == map.end())
    found = map.find(std::to_string(index));
  return found == map.end() ? nullptr : &found->second;
}

/// For what arguments kernels of a GPU have variants.
llvm::SmallVector<MemoryClass> classesFor(const RunOptions &options);

/// Parses the command line. On an error, which has then been printed, there are
/// no options.
std::optional<RunOptions> parseRunOptions(int argc, char **argv);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_OPTIONS_H
