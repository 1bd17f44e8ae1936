//===- fuse-run.cpp - compile a graph and run it --------------------------===//
//
// Reads a module, binds data to the arguments of its entry, runs it, and says
// what came out and whether that is right.
//
//===----------------------------------------------------------------------===//

#include "../fuse/Tools.h"
#include "Arguments.h"
#include "Compare.h"
#include "ImageRun.h"
#include "OnGpu.h"
#include "Options.h"
#include "Progress.h"
#include "Report.h"
#include "StageWriter.h"
#include "Trace.h"
#include "WrittenFiles.h"
#include "fuse/Compiler/Fused.h"
#include "fuse/Compiler/Reference.h"
#include "fuse/Compiler/Simulated.h"
#include "fuse/Compiler/Source.h"
#include "fuse/Compiler/SourceCompiler.h"
#include "fuse/Runtime/File.h"
#include "fuse/Runtime/Npy.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>

using namespace mlir;
using namespace fuse;

namespace {

RuntimeError error(ErrorCode code, const llvm::Twine &text) {
  return RuntimeError(code, text.str());
}

class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

/// A folder to write to, made if it is not there.
Status makeFolder(StringRef path) {
  if (std::error_code failed = llvm::sys::fs::create_directories(path))
    return error(ErrorCode::Output,
                 path + ": cannot be made: " + failed.message());
  return Status::success();
}

/// One run of fuse-run.
class Session {
public:
  Session(const RunOptions &options, MLIRContext &context)
      : options(options), context(context) {}

  Status run();

  RunReport report;
  std::vector<Argument> arguments;

private:
  Status load();
  Status chooseRoad();
  Result<ArgumentLayouts> layOut(ArrayRef<TensorSignature> inputs,
                                 ArrayRef<TensorSignature> outputs);
  Result<std::unique_ptr<Program>> compile();
  Result<std::unique_ptr<Program>> compileReference(ReferenceFloats floats,
                                                    StringRef prefix,
                                                    int64_t sumStride = 1);
  Result<std::vector<HostBuffer>> runReference(ReferenceFloats floats,
                                               StringRef prefix, StringRef what,
                                               int64_t sumStride = 1);
  Result<std::vector<HostBuffer>> execute(Program &program, StringRef what);
  Status checkOutputs();
  Status layOutOnGpu();
  Status bind(const RunOptions &sized);
  Status runFurther(Program &program,
                    const llvm::StringMap<ArgumentShape> &further);
  void summariseOutputs(ArrayRef<HostBuffer> outputs);
  Status checkFiles();
  Status saveInputs();
  Status saveOutputs(llvm::ArrayRef<HostBuffer> outputs);
  Status verify(llvm::ArrayRef<HostBuffer> outputs);
  Status tryOtherOrders(llvm::ArrayRef<HostBuffer> outputs,
                        llvm::ArrayRef<HostBuffer> unfused,
                        llvm::ArrayRef<HostBuffer> exact,
                        llvm::MutableArrayRef<OutputReport> reports);
  Status expect(llvm::ArrayRef<HostBuffer> outputs);
  Status bench(Program &program);
  Result<std::unique_ptr<Program>> compileGpu();
  Status writeImage();
  Result<std::unique_ptr<Program>> compileSimulated();
  Status loadImage(Result<Image> read);
  Result<std::unique_ptr<Program>> makeImageProgram();
  Status repeat();
  std::vector<const HostBuffer *> inputs() const;
  Result<size_t> outputNumber(StringRef text, StringRef option);
  std::string outputName(size_t number);
  std::string fileOfOutput(size_t number);
  template <typename T>
  Status checkOutputNames(const llvm::StringMap<T> &map, StringRef option);

  const RunOptions &options;
  MLIRContext &context;
  // Diagnostics show the lines of the file that they are about.
  llvm::SourceMgr sources;
  std::optional<SourceMgrDiagnosticHandler> handler;
  OwningOpRef<ModuleOp> module;
  func::FuncOp entry;
  std::vector<ArgumentShape> shapes;
  WrittenFiles files;
  /// Null where the CPU is used.
  std::shared_ptr<CudaDevice> device;
  GpuProgram *gpuProgram = nullptr;
  /// What is run in place of a module.
  std::optional<Image> image;
};

Result<std::unique_ptr<Program>> Session::compileGpu() {
  auto code = compileCode(entry, shapes, options, device.get(), files);
  if (!code)
    return code.takeError();
  auto program = GpuProgram::load(std::move(*code), device);
  if (!program)
    return program.takeError();
  gpuProgram = program->get();
  if (Status status = layOutOnGpu(); !status)
    return status.takeError();
  return std::unique_ptr<Program>(std::move(*program));
}

Result<ArgumentLayouts> Session::layOut(ArrayRef<TensorSignature> inputs,
                                        ArrayRef<TensorSignature> outputs) {
  ArgumentLayouts layouts;
  auto take = [](const LayoutSpec *spec, const TensorSignature &signature,
                 const llvm::Twine &what,
                 std::vector<std::optional<ArrayLayout>> &list) {
    list.emplace_back();
    if (!spec)
      return Status::success();
    Result<ArrayLayout> layout = spec->layoutFor(signature.shape);
    if (!layout)
      return Status(std::move(layout.takeError()).withContext(what.str()));
    list.back() = std::move(*layout);
    return Status::success();
  };
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (!argument.type)
      continue;
    const LayoutSpec *spec = lookUp(options.layouts, argument.name, index);
    if (Status status =
            take(spec, inputs[layouts.inputs.size()],
                 "--layout: argument '" + argument.name + "'", layouts.inputs);
        !status)
      return status.takeError();
  }
  for (auto [index, output] : llvm::enumerate(outputs)) {
    const LayoutSpec *spec =
        lookUp(options.outputLayouts, outputName(index), index);
    if (Status status = take(
            spec, output, "--output-layout: output '" + outputName(index) + "'",
            layouts.outputs);
        !status)
      return status.takeError();
  }
  return layouts;
}

Status Session::layOutOnGpu() {
  Result<ArgumentLayouts> layouts =
      layOut(gpuProgram->inputs(), gpuProgram->outputs());
  if (!layouts)
    return layouts.takeError();
  gpuProgram->layOut(std::move(*layouts));
  return Status::success();
}

/// Leaves code and plan in a file for whoever will run them.
Status Session::writeImage() {
  Stopwatch watch;
  auto code = compileCode(entry, shapes, options, device.get(), files);
  if (!code)
    return code.takeError();
  report.compileSeconds = watch.seconds();
  report.plan = code->steps;
  report.image = options.image;
  return fuse::writeImage(options.image, code->image);
}

/// The data of the arguments that have some.
std::vector<const HostBuffer *> Session::inputs() const {
  std::vector<const HostBuffer *> data;
  for (const Argument &argument : arguments)
    if (argument.data)
      data.push_back(&*argument.data);
  return data;
}

Result<std::unique_ptr<Program>> Session::compileSimulated() {
  SimulatedOptions simulated;
  simulated.formation = options.fused.formation;
  simulated.chip = options.chips.empty() ? *GpuChip::byName("sm_90a")
                                         : options.chips.front();
  report.target = "a simulated " + simulated.chip.name;
  simulated.seed = options.seed;
  simulated.moreSeeds = options.repeatBits;
  simulated.layouts = [&](ArrayRef<TensorSignature> inputs,
                          ArrayRef<TensorSignature> outputs) {
    return layOut(inputs, outputs);
  };
  simulated.classes = classesFor(options);
  simulated.leavesSizesOpen = options.leavesSizesOpen;
  StageWriter writer(options.dumpStages, "", files);
  Progress progress("compiling");
  auto program = SimulatedProgram::compile(*module, entry.getName(), shapes,
                                           simulated, std::ref(writer));
  if (Status written = writer.take(); !written)
    return written.takeError();
  if (!program)
    return program.takeError();
  return std::unique_ptr<Program>(std::move(*program));
}

/// Runs again on the same data.
Status Session::repeat() {
  // A simulation has done it.
  if (options.repeatBits == 0 || options.target == RunTarget::Simulate)
    return Status::success();
  if (!gpuProgram)
    return error(ErrorCode::BadUsage,
                 llvm::Twine(options.graph
                                 ? "--graph replays a CUDA graph"
                                 : "--repeat-bits looks for races on a GPU") +
                     ", but this runs on the CPU");
  return repeatOnGpu(*gpuProgram, inputs(), options, report);
}

/// The function only says what its arguments are.
Status Session::loadImage(Result<Image> read) {
  if (Status status = checkImageOptions(options); !status)
    return status;
  if (!read)
    return read.takeError();
  image = std::move(*read);
  if (options.target == RunTarget::Auto && !image->cpus.empty() &&
      !(device && hasCodeFor(*image, device->chip())))
    device = nullptr;
  if (options.target == RunTarget::Auto && !device && image->cpus.empty())
    return error(ErrorCode::Unsupported,
                 options.file + ": has no code for processors, and there is no "
                                "GPU that can be used; --target=cuda says "
                                "why");
  module = declareImage(*image, context);
  entry = *module->getOps<func::FuncOp>().begin();
  report.file = options.file;
  report.entry = entry.getName();
  return Status::success();
}

Result<std::unique_ptr<Program>> Session::makeImageProgram() {
  Progress progress("loading");
  report.isLoaded = true;
  auto program = loadImageProgram(std::move(*image), shapes, options, device);
  if (program && device)
    gpuProgram = static_cast<GpuProgram *>(program->get());
  return program;
}

Status Session::load() {
  if (isImageFile(options.file))
    return loadImage(readImage(options.file));
  auto source = readSource(options.file);
  if (!source)
    return source.takeError();
  // From the standard input, or a pipe.
  if (isImage((*source)->getBuffer()))
    return loadImage(parseImage((*source)->getBuffer()));
  sources.AddNewSourceBuffer(std::move(*source), SMLoc());
  handler.emplace(sources, &context);
  module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return error(ErrorCode::BadInput, options.file + ": is not a valid module");

  Result<func::FuncOp> found =
      findEntry(*module, options.entry, options.file, "--entry");
  if (!found)
    return found.takeError();
  entry = *found;
  report.file = options.file;
  report.entry = entry.getName();
  return Status::success();
}

Status Session::chooseRoad() {
  bool isTiled = hasTileKernels(*module);
  report.isFused = options.target != RunTarget::Reference;
  report.target = !report.isFused ? "reference"
                  : device        ? device->name()
                                  : "cpu";
  if (!options.image.empty()) {
    SmallVector<std::string> names;
    for (const GpuChip &chip : options.chips)
      names.push_back(chip.name);
    for (CpuLevel level : options.cpus)
      names.emplace_back(levelName(level));
    if (!names.empty())
      report.target = llvm::join(names, ", ");
  }
  bool hasGpu =
      device || options.target == RunTarget::Simulate || !options.image.empty();
  if (!hasGpu && (!options.layouts.empty() || !options.outputLayouts.empty() ||
                  !options.classes.empty()))
    return error(ErrorCode::BadUsage,
                 "--layout, --output-layout and --variants are about memory of "
                 "a GPU, but this runs on the CPU");
  if (!isTiled)
    return Status::success();
  if (!report.isFused)
    return error(ErrorCode::BadUsage,
                 "--target=reference: " + options.file +
                     " consists of tiles, but the reference road runs graphs");
  if (options.verify != VerifyMode::None)
    return error(ErrorCode::BadUsage,
                 "--verify: " + options.file +
                     " consists of tiles, which the reference cannot run; "
                     "compare with files, --expect=N=FILE.npy");
  return Status::success();
}

Result<std::unique_ptr<Program>> Session::compile() {
  if (image)
    return makeImageProgram();
  if (!report.isFused)
    return compileReference(ReferenceFloats::Same, "");
  if (device)
    return compileGpu();
  if (options.target == RunTarget::Simulate)
    return compileSimulated();
  StageWriter writer(options.dumpStages, "", files);
  Progress progress("compiling");
  FusedOptions fused = options.fused;
  fused.leavesSizesOpen = options.leavesSizesOpen;
  auto program = FusedProgram::compile(*module, entry.getName(), shapes, fused,
                                       std::ref(writer));
  if (Status written = writer.take(); !written)
    return written.takeError();
  if (!program)
    return program.takeError();
  return std::unique_ptr<Program>(std::move(*program));
}

Result<std::unique_ptr<Program>>
Session::compileReference(ReferenceFloats floats, StringRef prefix,
                          int64_t sumStride) {
  StageWriter writer(options.dumpStages, prefix, files);
  Progress progress("compiling");
  std::optional<unsigned> optLevel;
  // What is timed is optimised, however little it is.
  if (options.bench && options.target == RunTarget::Reference)
    optLevel = 2;
  auto program =
      ReferenceProgram::compile(*module, entry.getName(), shapes, floats,
                                std::ref(writer), optLevel, sumStride);
  if (Status written = writer.take(); !written)
    return written.takeError();
  if (!program)
    return program.takeError();
  return std::unique_ptr<Program>(std::move(*program));
}

Result<std::vector<HostBuffer>> Session::runReference(ReferenceFloats floats,
                                                      StringRef prefix,
                                                      StringRef what,
                                                      int64_t sumStride) {
  auto program = compileReference(floats, prefix, sumStride);
  if (!program)
    return program.takeError();
  return execute(**program, what);
}

Result<std::vector<HostBuffer>> Session::execute(Program &program,
                                                 StringRef what) {
  Progress progress(what.str());
  return program.runOn(inputs());
}

std::string Session::outputName(size_t number) {
  auto name = entry.getResultAttrOfType<StringAttr>(number, "fuse.name");
  return name ? name.str() : std::to_string(number);
}

Result<size_t> Session::outputNumber(StringRef text, StringRef option) {
  size_t number;
  if (!text.getAsInteger(10, number) && number < entry.getNumResults())
    return number;
  for (number = 0; number < entry.getNumResults(); ++number)
    if (outputName(number) == text)
      return number;
  return error(ErrorCode::BadUsage,
               "--" + option + " names output '" + text + "', but @" +
                   report.entry + " has " + llvm::Twine(entry.getNumResults()) +
                   (entry.getNumResults() == 1 ? " output" : " outputs") +
                   " and none of that name");
}

/// Every name has to be one of an output, and of another one than the others.
template <typename T>
Status Session::checkOutputNames(const llvm::StringMap<T> &map,
                                 StringRef option) {
  llvm::DenseSet<size_t> seen;
  for (StringRef name : map.keys()) {
    auto number = outputNumber(name, option);
    if (!number)
      return number.takeError();
    if (!seen.insert(*number).second)
      return error(ErrorCode::BadUsage, "--" + option +
                                            " is given twice for output '" +
                                            outputName(*number) +
                                            "', by its name and by its number");
  }
  return Status::success();
}

/// Finds what is wrong with the command line before anything takes time.
Status Session::checkOutputs() {
  if (Status status = checkOutputNames(options.outputs, "output"); !status)
    return status;
  if (Status status = checkOutputNames(options.expected, "expect"); !status)
    return status;
  if (Status status = checkOutputNames(options.outputLayouts, "output-layout");
      !status)
    return status;
  for (const auto &output : options.outputs)
    if (Status status = checkWritable(output.second); !status)
      return status;
  for (const std::string *file :
       {&options.image, &options.profile, &options.fused.formation.reportFile})
    if (!file->empty())
      if (Status status = checkWritable(*file); !status)
        return status;
  for (const std::string *folder :
       {&options.saveInputs, &options.saveOutputs, &options.dumpStages})
    if (!folder->empty())
      if (Status status = makeFolder(*folder); !status)
        return status;
  return Status::success();
}

/// Finds what would be written over what has been written.
Status Session::checkFiles() {
  if (options.file != "-")
    files.keep(options.file);
  auto addOutput = [&](size_t number, const std::string &path) {
    return files.add(path, "output '" + outputName(number) + "'");
  };
  if (!options.saveInputs.empty())
    for (const Argument &argument : arguments)
      if (argument.data)
        if (Status status =
                files.add(options.saveInputs + "/" + argument.name + ".npy",
                          "argument '" + argument.name + "'");
            !status)
          return status;
  for (auto [path, content] :
       {std::pair(&options.image, "the image"),
        std::pair(&options.profile, "the timeline"),
        std::pair(&options.fused.formation.reportFile, "the fusion report")})
    if (!path->empty())
      if (Status status = files.add(*path, content); !status)
        return status;
  for (size_t i = 0; i < entry.getNumResults(); ++i)
    for (const auto &output : options.outputs)
      if (auto number = outputNumber(output.first(), "output");
          number && *number == i)
        if (Status status = addOutput(i, output.second); !status)
          return status;
  if (!options.saveOutputs.empty())
    for (size_t i = 0; i < entry.getNumResults(); ++i)
      if (Status status =
              addOutput(i, options.saveOutputs + "/" + fileOfOutput(i));
          !status)
        return status;
  return Status::success();
}

Status Session::saveInputs() {
  if (options.saveInputs.empty())
    return Status::success();
  for (const Argument &argument : arguments)
    if (argument.data)
      if (Status status =
              writeNpy(options.saveInputs + "/" + argument.name + ".npy",
                       *argument.data);
          !status)
        return status;
  return Status::success();
}

Status Session::saveOutputs(ArrayRef<HostBuffer> outputs) {
  for (const auto &output : options.outputs) {
    auto number = outputNumber(output.first(), "output");
    if (!number)
      return number.takeError();
    if (Status status = writeNpy(output.second, outputs[*number]); !status)
      return status;
  }
  if (options.saveOutputs.empty())
    return Status::success();
  for (auto [i, output] : llvm::enumerate(outputs))
    if (Status status =
            writeNpy(options.saveOutputs + "/" + fileOfOutput(i), output);
        !status)
      return status;
  return Status::success();
}

/// An output without a name is outN, and so is one whose name another file of
/// the folder has.
std::string Session::fileOfOutput(size_t number) {
  std::string plain = "out" + std::to_string(number), name = outputName(number);
  bool isNamed = name != std::to_string(number);
  bool isTaken = false;
  for (size_t other = 0; other < entry.getNumResults(); ++other)
    isTaken |= other != number && name == "out" + std::to_string(other);
  // A folder has many names.
  if (llvm::sys::fs::equivalent(options.saveInputs, options.saveOutputs))
    for (const Argument &argument : arguments)
      isTaken |= argument.data && argument.name == name;
  return (isNamed && !isTaken ? name : plain) + ".npy";
}

Status Session::verify(ArrayRef<HostBuffer> outputs) {
  report.verify = options.verify;
  if (options.verify == VerifyMode::None)
    return Status::success();
  // Those of this run.
  auto ownOutputs = MutableArrayRef(report.outputs).take_back(outputs.size());
  auto exact = runReference(options.reference, "reference-",
                            "running the reference in f64");
  if (!exact)
    return exact.takeError();
  if (options.verify == VerifyMode::Exact) {
    report.isJudged = true;
    for (auto [output, wanted, entry] :
         llvm::zip_equal(outputs, *exact, ownOutputs))
      entry.verified = compareExactly(output, wanted);
    return Status::success();
  }
  // The road that runs op by op in the types as written is the yardstick. Its
  // own error can be told, but not judged.
  report.isJudged = report.isFused;
  std::optional<std::vector<HostBuffer>> unfused;
  if (report.isFused) {
    auto same = runReference(ReferenceFloats::Same, "unfused-",
                             "running op by op in the types as written");
    if (!same)
      return same.takeError();
    unfused = std::move(*same);
  }
  for (auto [i, entry] : llvm::enumerate(ownOutputs))
    entry.verified = compareWithUnfused(
        outputs[i], unfused ? (*unfused)[i] : outputs[i], (*exact)[i]);
  return unfused ? tryOtherOrders(outputs, *unfused, *exact, ownOutputs)
                 : Status::success();
}

/// Gives results that seem wrong, and of which there are few, the largest error
/// of several orders of sums.
Status Session::tryOtherOrders(ArrayRef<HostBuffer> outputs,
                               ArrayRef<HostBuffer> unfused,
                               ArrayRef<HostBuffer> exact,
                               MutableArrayRef<OutputReport> reports) {
  for (unsigned order = 0;; ++order) {
    auto mayBeRight = [&](auto pair) {
      auto [output, entry] = pair;
      return !entry.verified->isRight() &&
             std::isfinite(entry.verified->error) &&
             order < ordersToTry(output.elementCount());
    };
    if (llvm::none_of(llvm::zip_equal(outputs, reports), mayBeRight))
      return Status::success();
    auto other =
        runReference(ReferenceFloats::Same, "reordered-",
                     "running op by op with sums in another order", order + 2);
    if (!other)
      return other.takeError();
    for (auto [i, entry] : llvm::enumerate(reports))
      entry.verified =
          compareWithUnfused(outputs[i], unfused[i], exact[i],
                             std::max(entry.verified->unfusedError,
                                      largestError((*other)[i], exact[i])));
  }
}

Status Session::expect(ArrayRef<HostBuffer> outputs) {
  for (const auto &expected : options.expected) {
    auto number = outputNumber(expected.first(), "expect");
    if (!number)
      return number.takeError();
    const HostBuffer &output = outputs[*number];
    auto wanted = readNpy(expected.second, output.type());
    if (!wanted)
      if (auto wide = readNpy(expected.second, ElementType::F64))
        wanted = std::move(wide);
    if (!wanted)
      return wanted.takeError();
    if (wanted->shape() != output.shape())
      return error(ErrorCode::BadInput, expected.second + ": has shape " +
                                            formatShape(wanted->shape()) +
                                            ", but output " + expected.first() +
                                            " has shape " +
                                            formatShape(output.shape()));
    OutputReport &entry = report.outputs[*number];
    entry.expectedFile = expected.second;
    entry.expected = compareWithin(output, *wanted, options.relativeTolerance,
                                   options.absoluteTolerance);
  }
  return Status::success();
}

Status Session::bench(Program &program) {
  if (!options.bench)
    return Status::success();
  if (gpuProgram)
    return benchOnGpu(*gpuProgram, inputs(), options, report);
  std::vector<double> seconds;
  // For each kernel, one time for each run.
  std::vector<std::vector<double>> kernelSeconds(program.plan().size());
  uint64_t numRuns = uint64_t(options.warmUps) + options.samples;
  for (uint64_t i = 0; i < numRuns; ++i) {
    // Buffers are made anew each time, outside of what is timed.
    std::vector<const HostBuffer *> data = inputs();
    Result<std::vector<HostBuffer>> outputs = program.allocateOutputs();
    if (!outputs)
      return outputs.takeError();
    Progress progress("timing run " + std::to_string(i + 1) + " of " +
                      std::to_string(numRuns));
    std::vector<LaunchTime> steps;
    Stopwatch watch;
    if (Status status = program.run(data, *outputs, &steps); !status)
      return status;
    if (i < options.warmUps)
      continue;
    seconds.push_back(watch.seconds());
    for (auto [kernel, step] : llvm::zip(kernelSeconds, steps))
      kernel.push_back(step.seconds);
  }
  report.timing = summarise(std::move(seconds));
  for (std::vector<double> &kernel : kernelSeconds)
    if (!kernel.empty())
      report.kernelTimings.push_back(summarise(std::move(kernel)));
  return Status::success();
}

Status Session::bind(const RunOptions &sized) {
  auto bound = bindArguments(entry, sized);
  if (!bound)
    return bound.takeError();
  arguments = std::move(*bound);
  shapes.clear();
  for (const Argument &argument : arguments)
    shapes.push_back(argument.shape);
  return Status::success();
}

void Session::summariseOutputs(ArrayRef<HostBuffer> outputs) {
  for (auto [i, output] : llvm::enumerate(outputs)) {
    report.outputs.push_back(summarise(output));
    report.outputs.back().name = outputName(i);
  }
}

/// Runs what was compiled on arguments of other sizes.
Status Session::runFurther(Program &program,
                           const llvm::StringMap<ArgumentShape> &further) {
  RunOptions sized = options;
  sized.shapes = further;
  std::vector<ArgumentShape> before = shapes;
  if (Status status = bind(sized); !status)
    return status;
  SmallVector<ArgumentShape> inputShapes;
  for (auto [argument, bound] : llvm::zip_equal(arguments, before)) {
    if (argument.type)
      inputShapes.push_back(argument.shape);
    else if (argument.shape != bound)
      return error(ErrorCode::BadUsage,
                   "argument '" + argument.name +
                       "' is an index, whose value is bound when the graph is "
                       "compiled; give it one value");
  }
  if (Status status = program.bind(inputShapes); !status)
    return status;
  if (gpuProgram)
    if (Status status = layOutOnGpu(); !status)
      return status;
  auto outputs = execute(program, "running");
  if (!outputs)
    return outputs.takeError();
  summariseOutputs(*outputs);
  if (Status status = verify(*outputs); !status)
    return status;
  return repeat();
}

Status Session::run() {
  Result<std::shared_ptr<CudaDevice>> opened = openDevice(options);
  if (!opened)
    return opened.takeError();
  device = std::move(*opened);
  if (Status status = load(); !status)
    return status;
  if (Status status = chooseRoad(); !status)
    return status;
  if (Status status = checkOutputs(); !status)
    return status;
  report.seed = options.seed;
  report.warmUps = options.warmUps;
  if (Status status = bind(options); !status)
    return status;
  if (Status status = checkFiles(); !status)
    return status;
  if (!options.image.empty())
    return writeImage();
  Stopwatch watch;
  auto program = compile();
  if (!program)
    return program.takeError();
  report.compileSeconds = watch.seconds();
  report.plan = (*program)->plan();
  report.memory = (*program)->memory();
  if (Status status = saveInputs(); !status)
    return status;
  auto outputs = execute(**program, "running");
  if (!outputs)
    return outputs.takeError();
  summariseOutputs(*outputs);
  if (Status status = saveOutputs(*outputs); !status)
    return status;
  if (Status status = verify(*outputs); !status)
    return status;
  if (Status status = expect(*outputs); !status)
    return status;
  if (Status status = repeat(); !status)
    return status;
  for (const llvm::StringMap<ArgumentShape> &further : options.furtherShapes)
    if (Status status = runFurther(**program, further); !status)
      return status;
  if (!options.profile.empty())
    if (Status status = writeProfile(**program, gpuProgram, inputs(), options);
        !status)
      return status;
  return bench(**program);
}

int fail(const RuntimeError &error) {
  llvm::errs() << "fuse-run: error: " << error.message() << "\n";
  return statusFor(error.code());
}

} // namespace

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
    return fail(error(ErrorCode::Output,
                      "the report cannot be written: " + failed.message()));
  }
  return session.report.isRight() ? exitRight : exitWrongResult;
}
