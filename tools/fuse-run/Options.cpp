//===- Options.cpp - the command line of fuse-run -------------------------===//
//
// The options live in a function, so that no other tool of the executable has
// them.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "../fuse/Tools.h"
#include "ImageRun.h"
#include "fuse/Compiler/ScheduleOption.h"
#include "fuse/Compiler/SourceCompiler.h"
#include "fuse/Pipeline/ValueParser.h"
#include "fuse/Runtime/ThreadPool.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace fuse;

static constexpr StringLiteral overview =
    R"(fuse-run: compile a graph and run it

FILE is a module, text or bytecode, or an Image, which is not compiled again.
Inputs come from .npy files or are generated; results go to .npy files, are
compared with the reference, or are timed. NAME is the 'fuse.name' of an
argument or an output, or its number counted from 0.

Exit status: 0 all is right; 1 a result is wrong; 2 the command line is;
3 the module or an input is; 4 the graph or its size is more than fuse can do;
5 the device fails; 6 a result cannot be written.
)";

/// Splits `<sigil>NAME<separator>REST` and enters it; complains and fails
/// otherwise.
template <typename Map, typename Parse>
static bool enter(Map &map, StringRef option, StringRef text, char separator,
                  Parse parse, StringRef sigil = "") {
  auto [name, rest] = text.split(separator);
  name.consume_front(sigil);
  if (name.empty() || rest.empty()) {
    errs() << "fuse-run: error: --" << option << "=" << text << ": expected "
           << sigil << "NAME" << separator << "...\n";
    return false;
  }
  auto value = parse(rest);
  if (!value) {
    errs() << "fuse-run: error: --" << option << "=" << text << ": "
           << value.error().message() << "\n";
    return false;
  }
  if (!map.try_emplace(name, std::move(*value)).second) {
    errs() << "fuse-run: error: --" << option << " is given twice for '"
           << sigil << name << "'\n";
    return false;
  }
  return true;
}

/// "7x64/1x64": one for each run.
static Result<std::vector<ArgumentShape>> parseShapes(StringRef text) {
  std::vector<ArgumentShape> shapes;
  for (StringRef part : split(text, '/')) {
    Result<ArgumentShape> shape = parseShape(part);
    if (!shape)
      return shape.takeError();
    shapes.push_back(std::move(*shape));
  }
  return shapes;
}

/// Sorts shapes by run. Where there is one it is that of all.
static Status takeShapes(const StringMap<std::vector<ArgumentShape>> &shapes,
                         RunOptions &options) {
  size_t numRuns = 1;
  for (const auto &entry : shapes)
    numRuns = std::max(numRuns, entry.second.size());
  // Those of an image are open, or it refuses others.
  if (numRuns > 1 && !options.leavesSizesOpen && !isImageFile(options.file))
    return RuntimeError(ErrorCode::BadUsage,
                        "--shape has several sizes for an argument, which "
                        "--open-sizes is for");
  options.furtherShapes.resize(numRuns - 1);
  for (const auto &entry : shapes) {
    if (entry.second.size() != 1 && entry.second.size() != numRuns)
      return RuntimeError(ErrorCode::BadUsage,
                          ("--shape has " + Twine(entry.second.size()) +
                           " shapes for '" + entry.first() + "', but " +
                           Twine(numRuns) + " for another argument")
                              .str());
    options.shapes[entry.first()] = entry.second.front();
    for (auto [run, further] : enumerate(options.furtherShapes))
      further[entry.first()] = entry.second.size() == 1 ? entry.second.front()
                                                        : entry.second[run + 1];
  }
  return Status::success();
}

static Result<std::string> keepText(StringRef text) { return text.str(); }

/// Says what is wrong with the command line.
static bool fail(const Twine &text) {
  errs() << "fuse-run: error: " << text << "\n";
  return false;
}

namespace {

/// The options, and what is made of them.
struct CommandLine {
  cl::OptionCategory category{"Options of fuse-run"};
  cl::opt<std::string> file{cl::Positional, cl::desc("FILE"),
                            cl::cat(category)};
  NameOption entry{
      "entry", cl::value_desc("function"), cl::cat(category),
      cl::desc("the function to run; needed where there are several")};
  cl::opt<RunTarget, false, ValueParser<RunTarget>> target{
      "target", cl::desc("where to run (default: auto)"),
      cl::init(RunTarget::Auto), cl::cat(category),
      cl::values(clEnumValN(RunTarget::Auto, "auto",
                            "the GPU if fuse can use it, else the CPU"),
                 clEnumValN(RunTarget::Cpu, "cpu",
                            "this processor, in few kernels on all threads"),
                 clEnumValN(RunTarget::Reference, "reference",
                            "this processor, op by op"),
                 clEnumValN(RunTarget::Cuda, "cuda", "an NVIDIA GPU"),
                 clEnumValN(RunTarget::Simulate, "simulate",
                            "this processor, as a GPU would, op by op of "
                            "tiles: slow, and strict about races"))};
  cl::list<std::string> chip{
      "chip", cl::value_desc("NAME"), cl::CommaSeparated, cl::cat(category),
      cl::desc("for which GPUs to make code, such as sm_80; the first one that "
               "the GPU runs is used, by default the GPU's own")};
  cl::opt<unsigned> threads{
      "threads", cl::value_desc("N"), cl::cat(category),
      cl::desc("how many threads to use; by default what the environment's "
               "FUSE_NUM_THREADS says, else as many as there are processors")};
  cl::list<std::string> schedule{
      "schedule", cl::value_desc("@kernel:SCHEDULE"), cl::cat(category),
      cl::desc("run a kernel as a #fuse.schedule says, not as the compiler "
               "would choose")};
  cl::opt<unsigned> mostKernels{
      "most-kernels", cl::value_desc("N"), cl::cat(category),
      cl::desc("make at most so many kernels, though more would be faster; 0, "
               "the default: as many as pay")};
  NameOption fuseReport{
      "fuse-report", cl::value_desc("FILE"), cl::cat(category),
      cl::desc("write what was fused and what was not, and why, to a file")};
  cl::list<std::string> shape{
      "shape", cl::value_desc("NAME:8x128"), cl::cat(category),
      cl::desc("sizes of an argument that has dynamic ones; one number is the "
               "value of an argument of type index")};
  cl::opt<bool, false, SwitchParser> openSizes{
      "open-sizes", cl::cat(category),
      cl::desc(
          "compile before dynamic sizes are known; --shape is then a hint, "
          "and may have several shapes with '/' between them, which are run "
          "one after the other")};
  cl::list<std::string> input{
      "input", cl::value_desc("NAME=DATA"), cl::cat(category),
      cl::desc("data of an argument: a .npy file, a number, uniform:LOW:HIGH, "
               "normal:MEAN:DEVIATION or integers:LOW:HIGH")};
  cl::list<std::string> layout{
      "layout", cl::value_desc("NAME:offset=N,pitch=N"), cl::cat(category),
      cl::desc("where an argument lies on a GPU, in elements: gaps in front of "
               "it and from row to row, or strides=AxB")};
  cl::list<std::string> outputLayout{
      "output-layout", cl::value_desc("NAME:offset=N,pitch=N"),
      cl::cat(category), cl::desc("the same for an output")};
  NameOption variants{
      "variants", cl::value_desc("LIST"), cl::cat(category),
      cl::desc("for what arguments kernels of a GPU have variants: aligned, "
               "pitched, rows, any; by default for all that --layout says, and "
               "for all with --image")};
  NameOption fill{
      "fill", cl::value_desc("DATA"), cl::cat(category),
      cl::desc("data of all float arguments that no --input names, in place of "
               "what the module suggests")};
  cl::opt<uint64_t> seed{"seed", cl::init(0), cl::cat(category),
                         cl::desc("seed of generated data, and of what happens "
                                  "when in a simulation (default: 0)")};
  cl::opt<VerifyMode, false, ValueParser<VerifyMode>> verify{
      "verify",
      cl::desc("compare the results with the reference (default: do not)"),
      cl::init(VerifyMode::None),
      cl::ValueOptional,
      cl::cat(category),
      cl::values(
          clEnumValN(VerifyMode::Float, "",
                     "at most twice the error of running op by op"),
          clEnumValN(VerifyMode::Float, "float", "the same"),
          clEnumValN(VerifyMode::Exact, "exact",
                     "bit for bit; for data on which nothing is rounded"))};
  cl::opt<ReferenceFloats, false, ValueParser<ReferenceFloats>> reference{
      "reference",
      cl::desc("in which floats the reference computes (default: exact)"),
      cl::init(ReferenceFloats::Exact), cl::cat(category),
      cl::values(clEnumValN(ReferenceFloats::Exact, "exact",
                            "f64, casts between floats dropped"),
                 clEnumValN(ReferenceFloats::Round, "round",
                            "f64, casts still round"))};
  cl::list<std::string> expect{
      "expect", cl::value_desc("NAME=FILE.npy"), cl::cat(category),
      cl::desc("compare an output with a file of its type or of f64")};
  cl::opt<double> relative{
      "rtol", cl::init(1e-5), cl::cat(category),
      cl::desc("relative tolerance of --expect (default: 1e-5)")};
  cl::opt<double> absolute{
      "atol", cl::init(1e-6), cl::cat(category),
      cl::desc("absolute tolerance of --expect (default: 1e-6)")};
  cl::opt<bool> bench{"bench", cl::cat(category),
                      cl::desc("time runs and print their median")};
  cl::opt<unsigned> samples{
      "samples", cl::init(20), cl::cat(category),
      cl::desc("how many runs --bench times (default: 20)")};
  cl::opt<unsigned> warmUps{
      "warm-up", cl::init(2), cl::cat(category),
      cl::desc("runs before those that are timed (default: 2)")};
  cl::opt<double> sampleMs{
      "sample-ms", cl::value_desc("MS"), cl::init(4), cl::cat(category),
      cl::desc("on a GPU, time as many runs together as take this long, in a "
               "CUDA graph; 0: each run alone, and no graph (default: 4)")};
  cl::opt<double> restMs{
      "rest-ms", cl::value_desc("MS"), cl::init(0), cl::cat(category),
      cl::desc("let a GPU rest for so long before whatever is timed, and so "
               "see what it can do for a short time (default: 0)")};
  cl::opt<bool> hot{
      "hot", cl::cat(category),
      cl::desc("time runs on the same data on a GPU, so that they find in its "
               "L2 cache what is left of it there; else none finds its own")};
  cl::opt<unsigned> repeatBits{
      "repeat-bits", cl::value_desc("N"), cl::init(0), cl::cat(category),
      cl::desc("run N times more on the GPU, or simulate every kernel with N "
               "more seeds, and compare the bits (default: 0)")};
  cl::opt<bool> graph{
      "graph", cl::cat(category),
      cl::desc("the runs of --repeat-bits, which is at least 1 then, are "
               "replays of a CUDA graph")};
  cl::list<std::string> output{"output", cl::value_desc("NAME=FILE.npy"),
                               cl::cat(category),
                               cl::desc("write an output to a file")};
  NameOption saveInputs{"save-inputs", cl::value_desc("folder"),
                        cl::cat(category),
                        cl::desc("write every input to NAME.npy in a folder")};
  NameOption saveOutputs{
      "save-outputs", cl::value_desc("folder"), cl::cat(category),
      cl::desc(
          "write every output to NAME.npy in a folder, or to outN.npy if it "
          "has no name")};
  NameOption dumpStages{
      "dump-stages", cl::value_desc("folder"), cl::cat(category),
      cl::desc("write the module at every stage to a folder")};
  NameOption image{
      "image", cl::value_desc("FILE"), cl::cat(category),
      cl::desc("write the code for the chips of --chip, which may be levels "
               "of processors such as x86-64-v3, and the plan, to a file, and "
               "run nothing; needs no GPU")};
  NameOption profile{
      "profile", cl::value_desc("FILE"), cl::cat(category),
      cl::desc("write a timeline of --samples runs, which chrome://tracing and "
               "ui.perfetto.dev show")};
  cl::opt<bool> json{"json", cl::cat(category),
                     cl::desc("print everything as one JSON object")};

  bool parse(int argc, char **argv);
  std::optional<RunOptions> take() const;

private:
  void takePlain(RunOptions &options) const;
  bool takeChips(RunOptions &options) const;
  bool checkThreads() const;
  bool checkImage() const;
  bool checkRoad() const;
  bool checkReference() const;
  bool checkTiming() const;
  bool checkTolerances() const;
  bool takeFill(RunOptions &options) const;
  bool takeSizes(RunOptions &options) const;
  bool takeSchedules(RunOptions &options) const;
  bool takeLayouts(RunOptions &options) const;
  bool takeNames(RunOptions &options) const;
};

} // namespace

bool CommandLine::parse(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  if (!parseCommandLine(argc, argv, "fuse-run", overview, category))
    return false;
  return !file.empty() ||
         fail("needs a FILE, a module or an image; --help says more");
}

/// What needs no second look.
void CommandLine::takePlain(RunOptions &options) const {
  options.file = file;
  options.entry = entry;
  options.target = target;
  options.reference = reference;
  options.seed = seed;
  options.verify = verify;
  options.relativeTolerance = relative;
  options.absoluteTolerance = absolute;
  options.bench = bench;
  options.hot = hot;
  options.samples = samples;
  options.warmUps = warmUps;
  options.sampleSeconds = sampleMs * 1e-3;
  options.restSeconds = restMs * 1e-3;
  options.saveInputs = saveInputs;
  options.saveOutputs = saveOutputs;
  options.dumpStages = dumpStages;
  options.image = image;
  options.profile = profile;
  options.json = json;
  options.fused.threads = threads;
  options.repeatBits = repeatBits;
  options.graph = graph;
  if (graph && repeatBits == 0)
    options.repeatBits = 1;
  options.fused.formation.reportFile = fuseReport;
  options.fused.formation.mostKernels = mostKernels;
}

bool CommandLine::takeChips(RunOptions &options) const {
  llvm::StringSet<> taken;
  for (StringRef name : chip) {
    // Named twice it is compiled once.
    if (!taken.insert(name).second)
      continue;
    if (std::optional<GpuChip> known = GpuChip::byName(name)) {
      options.chips.push_back(*known);
      continue;
    }
    Result<CpuLevel> level = parseCpuLevel(name.str());
    if (!level)
      return fail("--chip=" + name + ": there is code for " + listGpuChips() +
                  (image.empty() ? ""
                                 : ", x86-64, x86-64-v2, x86-64-v3 and "
                                   "x86-64-v4"));
    if (image.empty())
      return fail("--chip=" + name +
                  ": code for the processor is made for "
                  "this one, but for --image");
    options.cpus.push_back(*level);
  }
  return true;
}

bool CommandLine::checkThreads() const {
  if (threads.getNumOccurrences() > 0 && (threads == 0 || threads > maxThreads))
    return fail("--threads must be from 1 to " + Twine(maxThreads));
  return true;
}

/// What would need a run.
bool CommandLine::checkImage() const {
  if (image.empty())
    return true;
  if (target != RunTarget::Auto && target != RunTarget::Cuda)
    return fail("--image is code for the chips of --chip, which --target "
                "does not choose");
  for (auto [name, count] : std::initializer_list<std::pair<StringRef, int>>{
           {"verify", verify.getNumOccurrences()},
           {"expect", expect.getNumOccurrences()},
           {"bench", bench.getNumOccurrences()},
           {"repeat-bits", repeatBits.getNumOccurrences()},
           {"graph", graph.getNumOccurrences()},
           {"profile", profile.getNumOccurrences()},
           {"output", output.getNumOccurrences()},
           {"save-inputs", saveInputs.getNumOccurrences()},
           {"save-outputs", saveOutputs.getNumOccurrences()},
           {"layout", layout.getNumOccurrences()},
           {"output-layout", outputLayout.getNumOccurrences()}})
    if (count > 0)
      return fail("--image runs nothing, so there is nothing for --" + name);
  return true;
}

/// What only some targets do.
bool CommandLine::checkRoad() const {
  if (!profile.empty() &&
      (target == RunTarget::Simulate || target == RunTarget::Reference))
    return fail("--profile is about kernels, of which --target runs none");
  if (graph && (target == RunTarget::Cpu || target == RunTarget::Reference ||
                target == RunTarget::Simulate))
    return fail("--graph replays a CUDA graph; --target names no GPU");
  return true;
}

/// What is about kernels would be left undone without a word.
bool CommandLine::checkReference() const {
  if (target != RunTarget::Reference)
    return true;
  for (auto [name, count] : std::initializer_list<std::pair<StringRef, int>>{
           {"schedule", schedule.getNumOccurrences()},
           {"most-kernels", mostKernels.getNumOccurrences()},
           {"fuse-report", fuseReport.getNumOccurrences()}})
    if (count > 0)
      return fail("--" + name +
                  " is about kernels, of which --target=reference makes none");
  return true;
}

bool CommandLine::checkTiming() const {
  if (hot && !bench)
    return fail("--hot is about what --bench times");
  if (samples == 0)
    return fail("--samples must be at least 1");
  for (auto [name, count] : std::initializer_list<std::pair<StringRef, int>>{
           {"samples", samples.getNumOccurrences()},
           {"warm-up", warmUps.getNumOccurrences()},
           {"sample-ms", sampleMs.getNumOccurrences()},
           {"rest-ms", restMs.getNumOccurrences()}})
    if (count > 0 && !bench && profile.empty())
      return fail("--" + name + " is about what --bench and --profile time");
  for (auto [name, value] :
       {std::pair("sample-ms", sampleMs.getValue()), {"rest-ms", restMs}}) {
    // Which what is no number is not.
    bool isInRange = value >= 0 && value <= 10000;
    if (!isInRange)
      return fail(Twine("--") + name + " must be from 0 to 10000");
  }
  return true;
}

bool CommandLine::checkTolerances() const {
  if (!(relative >= 0) || !(absolute >= 0))
    return fail("tolerances must not be negative");
  if (expect.empty() &&
      relative.getNumOccurrences() + absolute.getNumOccurrences() > 0)
    return fail("--rtol and --atol are tolerances of --expect; --verify has "
                "its own");
  return true;
}

bool CommandLine::takeFill(RunOptions &options) const {
  if (!fill.empty()) {
    Result<FillSpec> spec = FillSpec::parse(fill);
    if (!spec)
      return fail("--fill: " + spec.error().message());
    options.fill = *spec;
  }
  return true;
}

bool CommandLine::takeSizes(RunOptions &options) const {
  options.leavesSizesOpen = openSizes;
  StringMap<std::vector<ArgumentShape>> shapes;
  for (StringRef text : shape)
    if (!enter(shapes, "shape", text, ':', parseShapes))
      return false;
  if (Status status = takeShapes(shapes, options); !status)
    return fail(status.error().message());
  if (openSizes && target == RunTarget::Reference)
    return fail("--open-sizes: the reference road knows all sizes when it "
                "compiles");
  if (!options.furtherShapes.empty())
    for (auto [name, count] : std::initializer_list<std::pair<StringRef, int>>{
             {"image", image.getNumOccurrences()},
             {"expect", expect.getNumOccurrences()},
             {"bench", bench.getNumOccurrences()},
             {"profile", profile.getNumOccurrences()},
             {"output", output.getNumOccurrences()},
             {"save-inputs", saveInputs.getNumOccurrences()},
             {"save-outputs", saveOutputs.getNumOccurrences()}})
      if (count > 0)
        return fail("--" + name + " is about one run, but --shape asks for " +
                    Twine(options.furtherShapes.size() + 1));
  return true;
}

bool CommandLine::takeSchedules(RunOptions &options) const {
  for (StringRef text : schedule) {
    // Written as a kernel is in IR.
    if (!text.starts_with("@"))
      return fail("--schedule=" + text + ": expected @KERNEL:...");
    if (!enter(options.fused.formation.schedules, "schedule", text, ':',
               checkScheduleText, /*sigil=*/"@"))
      return false;
  }
  return true;
}

bool CommandLine::takeLayouts(RunOptions &options) const {
  auto parseLayout = [](StringRef text) { return LayoutSpec::parse(text); };
  for (StringRef text : layout)
    if (!enter(options.layouts, "layout", text, ':', parseLayout))
      return false;
  for (StringRef text : outputLayout)
    if (!enter(options.outputLayouts, "output-layout", text, ':', parseLayout))
      return false;
  if (!variants.empty()) {
    auto classes = parseMemoryClasses(variants);
    if (!classes)
      return fail("--variants=" + variants + ": " + classes.error().message());
    options.classes = std::move(*classes);
  }
  return true;
}

/// Data of arguments, and files of outputs.
bool CommandLine::takeNames(RunOptions &options) const {
  for (StringRef text : input)
    if (!enter(options.inputs, "input", text, '=', keepText))
      return false;
  for (StringRef text : expect)
    if (!enter(options.expected, "expect", text, '=', keepText))
      return false;
  for (StringRef text : output)
    if (!enter(options.outputs, "output", text, '=', keepText))
      return false;
  return true;
}

std::optional<RunOptions> CommandLine::take() const {
  RunOptions options;
  takePlain(options);
  // In this order: of several mistakes the first is told.
  if (!takeChips(options) || !checkThreads() || !checkImage() || !checkRoad() ||
      !checkReference() || !checkTiming() || !checkTolerances() ||
      !takeFill(options) || !takeSizes(options) || !takeSchedules(options) ||
      !takeLayouts(options) || !takeNames(options))
    return std::nullopt;
  return options;
}

std::optional<RunOptions> fuse::parseRunOptions(int argc, char **argv) {
  // All options are in one list, those of LLVM's libraries included; where they
  // have a name that we need, nobody here wants theirs.
  if (cl::Option *other = cl::getRegisteredOptions().lookup("threads"))
    other->removeArgument();
  CommandLine commandLine;
  if (!commandLine.parse(argc, argv))
    return std::nullopt;
  return commandLine.take();
}
