//===- Options.cpp - the command line of fuse-fuzz ------------------------===//

#include "Options.h"
#include "../fuse/Tools.h"
#include "fuse/Pipeline/ValueParser.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace fuse;

static constexpr StringLiteral overview =
    R"(fuse-fuzz: run random graphs on the fused road and on the reference road

Graph k of a seed is always the same: --seed=s --only=k makes it alone.

Exit status: 0 all is right; 1 a result is wrong, or the compiler crashed or
took too long; 2 the command line is wrong; 6 a file cannot be written.
)";

/// Says what is wrong with the command line.
static bool fail(const Twine &text) {
  errs() << "fuse-fuzz: error: " << text << "\n";
  return false;
}

namespace {

/// The options, and what is made of them.
struct CommandLine {
  cl::OptionCategory category{"Options of fuse-fuzz"};
  cl::opt<uint64_t> seed{"seed", cl::init(0), cl::cat(category),
                         cl::desc("where all random choices come from "
                                  "(default: 0)")};
  cl::opt<uint64_t> count{"count", cl::init(100), cl::cat(category),
                          cl::desc("how many graphs to make (default: 100)")};
  cl::opt<double> minutes{
      "minutes", cl::init(0), cl::cat(category),
      cl::desc("stop after so long; without --count, make graphs until then")};
  cl::opt<unsigned> jobs{
      "jobs", cl::init(1), cl::cat(category),
      cl::desc("how many processes work next to each other (default: 1)")};
  NameOption out{"out", cl::value_desc("folder"), cl::cat(category),
                 cl::desc("where to write the graphs that fail; by "
                          "default they are printed")};
  cl::opt<uint64_t> only{"only", cl::cat(category),
                         cl::desc("make the graph of this number alone")};
  cl::opt<unsigned> maxOps{
      "max-ops", cl::init(25), cl::cat(category),
      cl::desc("of how many ops a graph is, about (default: 25)")};
  cl::opt<bool> schedules{
      "schedules", cl::cat(category),
      cl::desc("run each graph with a few random schedules as well")};
  cl::opt<unsigned> timeLimit{
      "time-limit", cl::init(60), cl::value_desc("seconds"), cl::cat(category),
      cl::desc("how long one graph may take (default: 60)")};
  cl::opt<unsigned> optLevel{
      "opt-level", cl::init(0), cl::value_desc("0-3"), cl::cat(category),
      cl::desc(
          "how much LLVM optimises the kernels; fuse-run takes 3 (default: "
          "0)")};
  NameOption chip{
      "chip", cl::value_desc("NAME"), cl::cat(category),
      cl::desc("run on the GPU, with code for this chip, such as sm_80")};
  NameOption simulated{
      "simulate", cl::value_desc("NAME"), cl::cat(category),
      cl::desc("make code for this chip, and simulate its kernels; needs no "
               "GPU")};
  cl::opt<ReferenceKind, false, ValueParser<ReferenceKind>> reference{
      "reference", cl::init(ReferenceKind::Interpreted), cl::cat(category),
      cl::desc("what to compare with (default: interpreted)"),
      cl::values(clEnumValN(ReferenceKind::Interpreted, "interpreted",
                            "the ops one by one, interpreted"),
                 clEnumValN(ReferenceKind::Compiled, "compiled",
                            "the ops one by one, compiled as fuse-run does it"),
                 clEnumValN(ReferenceKind::Both, "both",
                            "the first, after it was compared with the "
                            "second"))};
  cl::opt<bool> isPrinted{"print", cl::cat(category),
                          cl::desc("print the graphs and run none")};
  NameOption swap{
      "swap", cl::value_desc("OP:OP"), cl::cat(category), cl::Hidden,
      cl::desc("to test this tool: give the fused road the second op in place "
               "of the first, or end it there if the second is 'abort'")};

  bool parse(int argc, char **argv);
  std::optional<FuzzOptions> take() const;

private:
  void takePlain(FuzzOptions &options) const;
  bool takeChips(FuzzOptions &options) const;
  bool takeSwap(FuzzOptions &options) const;
  bool checkNumbers() const;
  bool checkGraphs(const FuzzOptions &options) const;
};

} // namespace

bool CommandLine::parse(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  return parseCommandLine(argc, argv, "fuse-fuzz", overview, category);
}

/// What needs no second look.
void CommandLine::takePlain(FuzzOptions &options) const {
  options.seed = seed;
  options.count = count;
  if (minutes > 0 && count.getNumOccurrences() == 0)
    options.count = std::numeric_limits<uint64_t>::max();
  options.only = only;
  options.isSingle = only.getNumOccurrences() > 0;
  options.isPrinted = isPrinted;
  options.minutes = minutes;
  options.jobs = jobs;
  options.timeLimit = timeLimit;
  options.maxOps = maxOps;
  options.out = out;
  options.schedules = schedules ? 3 : 0;
  options.optLevel = optLevel;
  options.reference = reference;
}

bool CommandLine::takeChips(FuzzOptions &options) const {
  if (!chip.empty()) {
    options.chip = GpuChip::byName(chip);
    if (!options.chip)
      return fail("--chip: there is code for " + listGpuChips());
  }
  if (!simulated.empty()) {
    options.simulated = GpuChip::byName(simulated);
    if (!options.simulated)
      return fail("--simulate: there is code for " + listGpuChips());
    if (options.chip)
      return fail("--chip and --simulate exclude each other");
  }
  return true;
}

bool CommandLine::takeSwap(FuzzOptions &options) const {
  auto [from, to] = StringRef(swap).split(':');
  options.swapFrom = from.str();
  options.swapTo = to.str();
  if (from.empty() != to.empty())
    return fail("--swap needs two ops with a colon between them");
  return true;
}

bool CommandLine::checkNumbers() const {
  if (jobs == 0 || maxOps == 0 || timeLimit == 0)
    return fail("--jobs, --max-ops and --time-limit need a number above 0");
  if (optLevel > 3)
    return fail("--opt-level needs a number from 0 to 3");
  // More does not fit into what a clock counts; and what is no number is not in
  // the range.
  constexpr double mostMinutes = 1e6;
  bool isInRange = minutes >= 0 && minutes <= mostMinutes;
  if (!isInRange)
    return fail("--minutes needs a number from 0 to 1000000");
  return true;
}

bool CommandLine::checkGraphs(const FuzzOptions &options) const {
  if (options.isSingle && count.getNumOccurrences() > 0)
    return fail("--only is one graph, of which --count says nothing");
  if (options.isPrinted && options.count > 100000)
    return fail("--print needs --count or --only");
  return true;
}

std::optional<FuzzOptions> CommandLine::take() const {
  FuzzOptions options;
  takePlain(options);
  // In this order: of several mistakes the first is told.
  if (!takeChips(options) || !takeSwap(options) || !checkNumbers() ||
      !checkGraphs(options))
    return std::nullopt;
  return options;
}

std::optional<FuzzOptions> fuse::parseFuzzOptions(int argc, char **argv) {
  // LLVM's libraries have options of these names, which nobody here wants.
  for (StringRef name : {"seed", "count", "jobs"})
    if (cl::Option *other = cl::getRegisteredOptions().lookup(name))
      other->removeArgument();
  CommandLine commandLine;
  if (!commandLine.parse(argc, argv))
    return std::nullopt;
  return commandLine.take();
}
