//===- Session.cpp - one run of fuse-run ----------------------------------===//

#include "Session.h"
#include "ImageRun.h"
#include "OnGpu.h"
#include "Progress.h"
#include "Trace.h"
#include "fuse/Compiler/Source.h"
#include "fuse/Compiler/SourceCompiler.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuse;

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

/// The data of the arguments that have some.
std::vector<const HostBuffer *> Session::inputs() const {
  std::vector<const HostBuffer *> data;
  for (const Argument &argument : arguments)
    if (argument.data)
      data.push_back(&*argument.data);
  return data;
}

Result<std::vector<HostBuffer>> Session::execute(Program &program,
                                                 StringRef what) {
  Progress progress(what.str());
  return program.runOn(inputs());
}

void Session::summariseOutputs(ArrayRef<HostBuffer> outputs) {
  for (auto [i, output] : llvm::enumerate(outputs)) {
    report.outputs.push_back(summarise(output));
    report.outputs.back().name = outputName(i);
  }
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

Status Session::run() {
  // What an image refuses has nothing to do with the device that there is.
  if (isImageFile(options.file))
    if (Status status = checkImageOptions(options); !status)
      return status;
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
