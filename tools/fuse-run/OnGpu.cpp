//===- OnGpu.cpp - what fuse-run does for a GPU ---------------------------===//
//
// Between the command line and the compiler and runtime for GPUs.
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"
#include "Progress.h"
#include "StageWriter.h"
#include "fuse/Compiler/ImageCompiler.h"
#include "fuse/Runtime/Cuda/Measure.h"
#include "fuse/Runtime/File.h"

using namespace mlir;
using namespace fuse;

/// Whether code that is made here, or was made for chips that are named, can
/// run on it.
static bool canBeUsed(const CudaDevice &device, const RunOptions &options) {
  return !options.chips.empty() || bool(gpuChipOf(device));
}

Result<std::shared_ptr<CudaDevice>>
fuse::openDevice(const RunOptions &options) {
  bool isWanted = options.target == RunTarget::Cuda;
  if (!isWanted && options.target != RunTarget::Auto)
    return std::shared_ptr<CudaDevice>();
  // Code for chips that are named can be made anywhere.
  if (!options.image.empty() &&
      !(options.chips.empty() && options.cpus.empty()))
    return std::shared_ptr<CudaDevice>();
  Result<std::shared_ptr<CudaDevice>> opened = CudaDevice::open();
  if (opened &&
      (isWanted || !options.image.empty() || canBeUsed(**opened, options)))
    return opened;
  if (opened)
    return std::shared_ptr<CudaDevice>();
  if (isWanted)
    return std::move(opened.takeError()).withContext("--target=cuda");
  if (!options.image.empty())
    return std::move(opened.takeError())
        .withContext("--image, for which --chip names no chip");
  return std::shared_ptr<CudaDevice>();
}

Result<GpuCode> fuse::compileCode(func::FuncOp entry,
                                  ArrayRef<ArgumentShape> shapes,
                                  const RunOptions &options,
                                  const CudaDevice *device,
                                  WrittenFiles &files) {
  GpuOptions gpu;
  gpu.formation = options.fused.formation;
  gpu.chips = options.chips;
  gpu.classes = classesFor(options);
  gpu.leavesSizesOpen = options.leavesSizesOpen;
  if (gpu.chips.empty() && options.cpus.empty()) {
    Result<GpuChip> chip = gpuChipOf(*device);
    if (!chip)
      return chip.takeError();
    gpu.chips.push_back(*chip);
  }
  StageWriter writer(options.dumpStages, "", files);
  Progress progress("compiling");
  ImageOptions image;
  image.gpu = std::move(gpu);
  image.cpus = options.cpus;
  image.threads = options.fused.threads;
  auto code = compileImage(entry->getParentOfType<ModuleOp>(), entry.getName(),
                           shapes, image, std::ref(writer));
  if (Status written = writer.take(); !written)
    return written.takeError();
  if (!code || options.dumpStages.empty())
    return code;
  for (const ImageModule &made : code->image.modules) {
    std::string_view pieces[] = {made.ptx};
    std::string path =
        options.dumpStages + "/" + made.chip.str() + "-" + made.name + ".ptx";
    Status status = files.add(path, "a stage");
    if (status)
      status = writeFile(path, pieces);
    if (!status)
      return status.takeError();
  }
  return code;
}

Status fuse::repeatOnGpu(GpuProgram &program, ArrayRef<const HostBuffer *> data,
                         const RunOptions &options, RunReport &report) {
  auto difference = repeatBits(program.executor(), {data.data(), data.size()},
                               options.repeatBits, options.graph);
  if (!difference)
    return difference.takeError();
  if (*difference)
    report.difference = (*difference)->describe(program.executor());
  return Status::success();
}

Status fuse::benchOnGpu(GpuProgram &program, ArrayRef<const HostBuffer *> data,
                        const RunOptions &options, RunReport &report) {
  CudaBenchOptions bench;
  bench.samples = options.samples;
  bench.warmUps = options.warmUps;
  bench.sampleSeconds = options.sampleSeconds;
  bench.restSeconds = options.restSeconds;
  bench.readsClock = true;
  if (options.hot)
    bench.l2Multiple = 0;
  Result<CudaBench> times =
      fuse::bench(program.executor(), {data.data(), data.size()}, bench);
  if (!times)
    return times.takeError();
  report.timing = summarise(std::move(times->seconds));
  report.timing->runsPerSample = times->runsPerSample;
  report.timing->argumentSets = times->argumentSets;
  report.clock = times->clock;
  for (std::vector<double> &launch : times->launchSeconds)
    report.kernelTimings.push_back(summarise(std::move(launch)));
  return Status::success();
}
