//===- Gpu.cpp - compile a graph for GPUs ---------------------------------===//
//
// One plan for all chips; for each of them the kernels are placed and lowered
// anew, and are a variant of each launch.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Gpu.h"
#include "ChipKernels.h"
#include "Entry.h"
#include "KernelCompiler.h"
#include "KernelVariants.h"
#include "ScheduleTrials.h"
#include "Tiles.h"
#include "fuse/Compiler/ImageCompiler.h"

#include <set>

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

static ImageBuffer::Kind kindOf(PlanBuffer::Kind kind) {
  switch (kind) {
  case PlanBuffer::Kind::Input:
    return ImageBuffer::Kind::Input;
  case PlanBuffer::Kind::Output:
    return ImageBuffer::Kind::Output;
  case PlanBuffer::Kind::Constant:
    return ImageBuffer::Kind::Constant;
  case PlanBuffer::Kind::Intermediate:
    return ImageBuffer::Kind::Intermediate;
  }
  llvm_unreachable("every kind is handled above");
}

static void addBuffers(LaunchPlan &plan, ArrayRef<MemoryClass> classes,
                       Image &image) {
  for (const LaunchPlan::Buffer &buffer : plan.buffers) {
    ImageBuffer &own = image.buffers.emplace_back();
    own.kind = kindOf(buffer.kind);
    own.number = buffer.number;
    own.type = buffer.type;
    own.shape = buffer.shapeInMemory();
    own.alignment = contractAlignment(own.type, classes);
    if (own.kind == ImageBuffer::Kind::Input ||
        own.kind == ImageBuffer::Kind::Output)
      own.strides = contractStrides(classes);
  }
  image.constants = std::move(plan.constants);
  // What no launch writes has no buffer in the plan, which copies to outputs by
  // their numbers.
  for (const PlanCopy &copy : plan.copies) {
    // It is copied as a whole.
    image.buffers[copy.from].strides = ArgumentStrides::Contiguous;
    ImageBuffer output = image.buffers[copy.from];
    output.kind = ImageBuffer::Kind::Output;
    output.number = copy.output;
    image.copies.push_back({static_cast<uint32_t>(copy.from),
                            static_cast<uint32_t>(image.buffers.size())});
    image.buffers.push_back(std::move(output));
  }
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

/// What became of one launch, for each chip and class of memory.
static std::vector<KernelCode> describeCode(const ImageLaunch &launch,
                                            const Image &image) {
  std::vector<KernelCode> result;
  for (const LaunchVariant &variant : launch.variants) {
    const ImageKernel &kernel = image.kernels[variant.kernel];
    KernelCode &code = result.emplace_back();
    code.chip = image.modules[kernel.module].chip.str();
    StringRef memoryClass(variant.note);
    if (memoryClass.consume_front(code.chip) && memoryClass.consume_front(", "))
      code.memoryClass = memoryClass.str();
    code.warps = kernel.threads[0] / 32;
    code.sharedBytes = kernel.dynamicSharedBytes;
    for (const KernelReport &report : kernel.reports) {
      code.sharedBytes += report.sharedBytes;
      code.assembled = {report.registers, report.spillStoreBytes,
                        report.spillLoadBytes, report.stackBytes,
                        GpuChip::byName(code.chip)->residentBlocksOf(
                            code.warps, report.registers, code.sharedBytes)};
    }
  }
  return result;
}

/// By their locations, where that tells them apart.
using KernelNames = llvm::DenseMap<Location, std::string>;

static KernelNames namesOf(const LaunchPlan &plan) {
  KernelNames names;
  for (auto [kernel, step] : llvm::zip_equal(plan.kernels, plan.steps)) {
    auto [entry, isNew] =
        names.try_emplace(tile::KernelOp(kernel).getLoc(), step.kernel);
    // A launch that merges what a kernel left goes by that one's name.
    if (!isNew && !StringRef(step.kernel).starts_with(entry->second))
      entry->second.clear();
  }
  return names;
}

/// Makes one plan, whose steps are there though there may be no code of it.
static Result<GpuCode>
compilePlan(ModuleOp original, StringRef entry,
            ArrayRef<ArgumentShape> givenShapes, const GpuOptions &options,
            const FormationOptions &formation, KernelCompiler &compiler,
            StageObserver observe, std::vector<PlanStep> &steps,
            KernelNames &names, Shortage &shortage) {
  OwningOpRef<ModuleOp> owned = original.clone();
  ModuleOp module = *owned;
  auto tiled = makeTiles(module, gpuRoad, entry, givenShapes,
                         options.leavesSizesOpen, formation, observe);
  if (!tiled)
    return tiled.takeError();
  LaunchPlan &plan = tiled->plan;
  pitchRows(plan);
  steps = plan.steps;
  names = namesOf(plan);
  Result<SizedPlan> sized = plan.bind(tiled->inputs);
  if (!sized)
    return sized.takeError();

  GpuCode code;
  code.image.producer = producerOfImages();
  code.image.name = entry.str();
  for (auto [number, step] : llvm::enumerate(plan.steps))
    code.image.launches.push_back({step.kernel, {}, plan.dotFlops(number)});
  tiled->function->erase();
  std::vector<KernelVariant> variants = makeVariants(plan, options.classes);
  if (!variants.empty())
    for (const GpuChip &chip : options.chips)
      if (Status status =
              addChipKernels(module, chip, {options, plan, variants}, compiler,
                             observe, code.image, shortage);
          !status)
        return status.takeError();
  code.steps = std::move(sized->steps);
  for (auto [step, launch] : llvm::zip_equal(code.steps, code.image.launches))
    step.code = describeCode(launch, code.image);
  addBuffers(plan, options.classes, code.image);
  nameArguments(original.lookupSymbol<func::FuncOp>(entry), code.image);
  code.image.requirements = std::move(plan.requirements);
  code.inputs = std::move(sized->inputs);
  code.outputs = std::move(sized->outputs);
  if (Status status = checkImage(code.image); !status)
    return status.takeError();
  return code;
}

namespace {

/// What became of a plan, and what was said on the way.
struct Outcome {
  Result<GpuCode> code = GpuCode();
  std::vector<PlanStep> steps;
  KernelNames names;
  Shortage shortage;
  std::vector<Diagnostic> said;

  /// The first thing that is wrong, if there is no code.
  std::string error() const {
    for (const Diagnostic &diagnostic : said)
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        return diagnostic.str();
    return code.error().message();
  }
};

} // namespace

/// Says what was said, and hands out the code. A kernel has several variants,
/// for several chips, and remarks on one come from passes that know no other:
/// each is made once, with the kernel's name.
static Result<GpuCode> take(Outcome outcome, MLIRContext *context) {
  std::set<std::pair<const void *, std::string>> seen;
  for (Diagnostic &diagnostic : outcome.said) {
    Location location = diagnostic.getLocation();
    std::string text = diagnostic.str();
    bool isRemark = diagnostic.getSeverity() == DiagnosticSeverity::Remark;
    if (isRemark && !seen.insert({location.getAsOpaquePointer(), text}).second)
      continue;
    std::string name = outcome.names.lookup(location);
    if (!isRemark || name.empty() || StringRef(text).contains(name)) {
      context->getDiagEngine().emit(std::move(diagnostic));
      continue;
    }
    InFlightDiagnostic named = emitRemark(location)
                               << "kernel @" << name << " " << text;
    for (Diagnostic &note : diagnostic.getNotes())
      named.attachNote(note.getLocation()) << note.str();
  }
  return std::move(outcome.code);
}

Result<GpuCode> fuse::compileForGpu(ModuleOp module, StringRef entry,
                                    ArrayRef<ArgumentShape> shapes,
                                    const GpuOptions &options,
                                    StageObserver observe) {
  FormationOptions formation = options.formation;
  formation.machine = MachineKind::H200;
  // One plan serves all chips, so it has to fit the one with the least.
  for (const GpuChip &chip : options.chips) {
    formation.sharedBytes =
        formation.sharedBytes == 0
            ? chip.sharedBytes
            : std::min(formation.sharedBytes, chip.sharedBytes);
    formation.hasWarpgroups &= chip.hasWarpgroups();
  }
  MLIRContext *context = module.getContext();
  KernelCompiler compiler(options.optLevel, options.assembles);
  auto compile = [&] {
    Outcome outcome;
    // Nobody has to hear of kernels that are only tried.
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      outcome.said.push_back(std::move(diagnostic));
    });
    outcome.code =
        compilePlan(module, entry, shapes, options, formation, compiler,
                    observe, outcome.steps, outcome.names, outcome.shortage);
    return outcome;
  };
  // What kernels need is estimated when they are formed. Where one turns out
  // to need more shared memory than there is, all are formed anew, for less;
  // where one lacks registers, it has another schedule next time.
  ScheduleTrials trials(module, formation);
  std::optional<Outcome> last;
  constexpr unsigned mostPlans = 4;
  for (unsigned number = 1;;) {
    Outcome outcome = compile();
    if (outcome.code) {
      if (!trials.reject(*outcome.code))
        return take(std::move(outcome), context);
      last = std::move(outcome);
      continue;
    }
    // Of a schedule that was tried there may be no code: what spills is better.
    if (last) {
      if (!trials.reject(outcome.steps, "it has no code: " + outcome.error()))
        return take(std::move(*last), context);
      continue;
    }
    const Shortage &shortage = outcome.shortage;
    if (shortage.isOfRegisters) {
      if (!trials.reject(outcome.steps, "it has no code: " + outcome.error(),
                         shortage.kernels))
        return take(std::move(outcome), context);
      continue;
    }
    if (shortage.ratio == 0 || number++ == mostPlans ||
        formation.schedules.contains(shortage.kernels.front()))
      return take(std::move(outcome), context);
    constexpr double spare = 0.9;
    formation.sharedPart *= spare / shortage.ratio;
  }
}

Result<GpuChip> fuse::gpuChipOf(const CudaDevice &device) {
  const GpuChip *best = nullptr;
  unsigned own = device.chip().major * 10 + device.chip().minor;
  for (const GpuChip &chip : GpuChip::all())
    if (chip.capability == own || (chip.capability < own && !chip.isSpecific))
      best = &chip;
  if (!best)
    return RuntimeError(ErrorCode::Unsupported,
                        device.name() + " is a " + device.chip().str() +
                            ", but there is code for " + listGpuChips());
  return *best;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

GpuProgram::GpuProgram() = default;
GpuProgram::~GpuProgram() = default;

Result<std::unique_ptr<GpuProgram>>
GpuProgram::load(GpuCode code, std::shared_ptr<CudaDevice> device) {
  std::unique_ptr<GpuProgram> program(new GpuProgram());
  auto loaded = CudaProgram::load(std::move(code.image), std::move(device));
  if (!loaded)
    return loaded.takeError();
  program->cudaProgram = std::move(*loaded);
  SizeBindings bindings;
  for (const TensorSignature &input : code.inputs)
    bindings.shapes.push_back(input.shape);
  auto executor = program->cudaProgram->bind(std::move(bindings));
  if (!executor)
    return executor.takeError();
  program->cudaExecutor = std::move(*executor);
  program->inputTypes = std::move(code.inputs);
  program->outputTypes = std::move(code.outputs);
  program->steps = std::move(code.steps);
  PlanMemory memory;
  memory.intermediates = program->cudaExecutor->workspaceBytes();
  memory.unshared = program->cudaExecutor->unsharedBytes();
  memory.threads = 0;
  program->planMemory = memory;
  return program;
}

Status GpuProgram::bind(ArrayRef<ArgumentShape> shapes) {
  SizeBindings bindings;
  for (const ArgumentShape &shape : shapes)
    bindings.shapes.emplace_back(shape.begin(), shape.end());
  auto executor = cudaProgram->bind(std::move(bindings));
  if (!executor)
    return executor.takeError();
  cudaExecutor = std::move(*executor);
  const Image &image = cudaProgram->image();
  for (auto [types, buffers] : {std::pair(&inputTypes, image.inputs()),
                                std::pair(&outputTypes, image.outputs())})
    for (auto [signature, buffer] : llvm::zip_equal(*types, buffers))
      signature.shape = cudaExecutor->bufferShapes()[buffer];
  return Status::success();
}

Status GpuProgram::execute(ArrayRef<const HostBuffer *> inputs,
                           MutableArrayRef<HostBuffer> outputs,
                           std::vector<LaunchTime> *times) {
  // A trace is what tells them apart.
  if (times)
    times->clear();
  return cudaExecutor->run({inputs.data(), inputs.size()},
                           {outputs.data(), outputs.size()}, layouts);
}
