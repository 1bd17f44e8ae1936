//===- SessionCode.cpp - what fuse-run compiles, or loads -----------------===//

#include "ImageRun.h"
#include "OnGpu.h"
#include "Progress.h"
#include "Session.h"
#include "StageWriter.h"
#include "fuse/Compiler/Fused.h"
#include "fuse/Compiler/Simulated.h"
#include "fuse/Runtime/File.h"

using namespace mlir;
using namespace fuse;

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

/// What was compiled, if its stages could be written.
template <class T>
static Result<std::unique_ptr<Program>>
compiled(Result<std::unique_ptr<T>> program, StageWriter &writer) {
  if (Status written = writer.take(); !written)
    return written.takeError();
  if (!program)
    return program.takeError();
  return std::unique_ptr<Program>(std::move(*program));
}

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
  return compiled(std::move(program), writer);
}

Result<std::unique_ptr<Program>> Session::makeImageProgram() {
  Progress progress("loading");
  report.isLoaded = true;
  auto program = loadImageProgram(std::move(*image), shapes, options, device);
  if (program && device)
    gpuProgram = static_cast<GpuProgram *>(program->get());
  return program;
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
  return compiled(std::move(program), writer);
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
  return compiled(std::move(program), writer);
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
