//===- Gpu.cpp - compile a graph for GPUs ---------------------------------===//
//
// One plan for all chips; for each of them the kernels are placed and lowered
// anew, and are a variant of each launch.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Gpu.h"
#include "Entry.h"
#include "KernelCompiler.h"
#include "KernelVariants.h"
#include "ScheduleTrials.h"
#include "Tiles.h"
#include "fuse/Compiler/ImageCompiler.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <set>

using namespace mlir;
using namespace fuse;

static constexpr llvm::StringLiteral road = "the road to GPUs";

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

/// Dimensions the other way round, as the driver counts them.
static KernelParameter tensorMap(tile::TensorMapAttr attribute,
                                 const KernelVariant &variant,
                                 const LaunchPlan &plan) {
  const LaunchPlan::Launch &launch = plan.launches[variant.launch];
  TensorMap map;
  map.buffer = static_cast<uint32_t>(launch.buffers[attribute.getMemory()]);
  const LaunchPlan::Buffer &buffer = plan.buffers[map.buffer];
  map.type = attribute.getRounded() ? TensorMapType::TF32
                                    : tensorMapTypeFor(buffer.type);
  map.hasArgumentStrides = attribute.getStrides();
  SizeExpression stride = static_cast<int64_t>(byteSize(map.type));
  std::vector<SizeExpression> inMemory = buffer.shapeInMemory(),
                              strides(buffer.shape.size(), stride);
  for (size_t dim = buffer.shape.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride = inMemory[dim] * stride;
  }
  ArrayRef<int64_t> dims = attribute.getDims(), steps = attribute.getSteps();
  size_t rank = attribute.getBox().size();
  for (size_t dim = rank; dim-- > 0;) {
    size_t of = dim;
    SizeExpression size, step = 1;
    if (dims.empty()) {
      size = buffer.shape[dim];
    } else {
      of = dims[dim];
      step = steps[dim];
      bool isFirst = dim == 0 || dims[dim - 1] != dims[dim];
      size = floorDiv(isFirst ? buffer.shape[of] : steps[dim - 1], step);
    }
    map.sizes.push_back(size);
    map.box.push_back(attribute.getBox()[dim]);
    map.elementStrides.push_back(1);
    if (dim + 1 != rank && !map.hasArgumentStrides)
      map.strides.push_back(strides[of] * step);
  }
  switch (attribute.getSwizzle()) {
  case 128:
    map.swizzle = TensorMapSwizzle::Bytes128;
    break;
  case 64:
    map.swizzle = TensorMapSwizzle::Bytes64;
    break;
  case 32:
    map.swizzle = TensorMapSwizzle::Bytes32;
    break;
  }
  map.promotion = TensorMapPromotion::Bytes256;
  return KernelParameter::tensorMap(std::move(map));
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

static Result<Chip> chipOf(const GpuChip &chip) {
  return Chip::parse(chip.name);
}

/// Adds a module with one kernel, and what ptxas says of it. Yields its number.
static Result<uint32_t> addModule(const CompiledKernel &compiled,
                                  const GpuChip &chip, Image &image) {
  auto number = static_cast<uint32_t>(image.modules.size());
  ImageModule &module = image.modules.emplace_back();
  module.name = compiled.symbol;
  Result<Chip> parsed = chipOf(chip);
  if (!parsed)
    return parsed.takeError();
  module.chip = *parsed;
  module.ptxVersion = {chip.ptxVersion / 10, chip.ptxVersion % 10};
  module.ptx = compiled.ptx;
  if (compiled.assembled)
    module.cubins.push_back(
        {module.chip, compiled.toolkit, compiled.assembled->cubin});
  return number;
}

/// What ptxas said of a kernel.
static std::vector<KernelReport> reportsOf(const CompiledKernel &compiled,
                                           const Chip &chip) {
  std::vector<KernelReport> reports;
  if (compiled.assembled)
    for (const PtxasKernel &said : compiled.assembled->kernels)
      if (said.name == compiled.symbol)
        reports.push_back({chip, said.registers, said.spillStoreBytes,
                           said.spillLoadBytes, said.sharedBytes,
                           said.stackBytes, said.warnings});
  return reports;
}

/// A tensor map is of something, and its coordinates have 32 bits.
static std::vector<Condition> guardOf(const KernelVariant &variant,
                                      const ImageKernel &kernel) {
  std::vector<Condition> guard = variant.guard;
  for (const KernelParameter &parameter : kernel.parameters)
    for (const SizeExpression &size : parameter.map.sizes) {
      Condition isThere = Condition::lessEqual(1, size);
      if (size.constant() || llvm::is_contained(guard, isThere))
        continue;
      guard.push_back(std::move(isThere));
      guard.push_back(
          Condition::lessEqual(size, std::numeric_limits<int32_t>::max()));
    }
  return guard;
}

namespace {

/// A kernel for which there is not enough shared memory, or not enough
/// registers; by all of its names.
struct Shortage {
  std::vector<std::string> kernels;
  /// What it needs of shared memory, of what there is.
  double ratio = 0;
  bool isOfRegisters = false;
};

} // namespace

/// Asked before LLVM works on what nobody will run.
static Status checkShared(gpu::GPUModuleOp kernels, const GpuChip &chip,
                          const LaunchPlan &plan,
                          ArrayRef<KernelVariant> variants,
                          Shortage &shortage) {
  for (const KernelVariant &variant : variants) {
    int64_t bytes = kernels.lookupSymbol<LLVM::LLVMFuncOp>(variant.name)
                        ->getAttrOfType<IntegerAttr>("tile.shared")
                        .getInt();
    if (bytes <= int64_t(chip.sharedBytes))
      continue;
    const PlanStep &step = plan.steps[variant.launch];
    shortage = {{step.kernel}, double(bytes) / chip.sharedBytes};
    return RuntimeError(
        ErrorCode::Unsupported,
        step.location + ": kernel '" + step.kernel + "' needs " +
            std::to_string(bytes) + " bytes of shared memory, but " +
            chip.name + " has " + std::to_string(chip.sharedBytes) +
            " for a block; smaller tiles need less (--schedule)");
  }
  return Status::success();
}

/// Lowers the kernels of `tiles` for one chip.
static Status addChip(ModuleOp tiles, const GpuChip &chip,
                      const GpuOptions &options, const LaunchPlan &plan,
                      ArrayRef<KernelVariant> variants,
                      KernelCompiler &compiler, StageObserver observe,
                      Image &image, Shortage &shortage) {
  OwningOpRef<ModuleOp> owned = tiles.clone();
  ModuleOp module = *owned;
  if (Status status = stageTiles(module, road, chip, observe); !status) {
    // What was said first is about the first of them.
    for (auto kernel : module.getOps<tile::KernelOp>()) {
      if (!kernel->hasAttr("tile.lacks_registers"))
        continue;
      shortage.isOfRegisters = true;
      for (const KernelVariant &variant : variants)
        if (variant.name == kernel.getSymName())
          shortage.kernels.push_back(plan.steps[variant.launch].kernel);
      break;
    }
    return status;
  }
  if (Status status =
          runStage(module, road, "divide these tiles among threads",
                   [&](OpPassManager &pm) { buildStagedToThreads(pm, chip); });
      !status)
    return status;
  observe(chip.name + "-threads", module);
  if (Status status = runStage(module, road, "generate code for these kernels",
                               buildThreadsToLLVM);
      !status)
    return status;
  observe(chip.name + "-llvm", module);

  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    if (Status status = checkShared(kernels, chip, plan, variants, shortage);
        !status)
      return status;
    auto titleOf = [&](StringRef symbol) {
      const KernelVariant &variant =
          *llvm::find_if(variants, [&](const KernelVariant &each) {
            return each.name == symbol;
          });
      KernelTitle title{"@" + plan.steps[variant.launch].kernel};
      if (options.classes.size() > 1)
        title.name += (" (" + nameOf(variant.memoryClass) + ")").str();
      // The best that there is has no other one that could be used.
      title.isForSlowMemory = variant.memoryClass >= MemoryClass::Rows &&
                              variant.memoryClass != options.classes.front();
      return title;
    };
    Result<std::vector<const CompiledKernel *>> compiled =
        compiler.compile(kernels, chip, titleOf);
    if (!compiled)
      return compiled.takeError();
    struct Made {
      uint32_t module = 0;
      std::vector<KernelReport> reports;
    };
    llvm::StringMap<Made> made;
    for (const CompiledKernel *each : *compiled) {
      Result<uint32_t> number = addModule(*each, chip, image);
      if (!number)
        return number.takeError();
      made[each->symbol] = {*number,
                            reportsOf(*each, image.modules[*number].chip)};
    }
    for (const KernelVariant &variant : variants) {
      const PlanStep &step = plan.steps[variant.launch];
      auto function = kernels.lookupSymbol<LLVM::LLVMFuncOp>(variant.name);
      ImageKernel &kernel = image.kernels.emplace_back();
      kernel.symbol = variant.name;
      const Made &code = made[variant.name];
      kernel.module = code.module;
      kernel.reports = code.reports;
      kernel.location = step.location;
      kernel.schedule = step.schedule;
      kernel.parameters = variant.parameters;
      const LaunchPlan::Launch &launch = plan.launches[variant.launch];
      bool walks = function->hasAttr("tile.walks");
      // Those of all other dimensions are at the end.
      if (walks)
        kernel.parameters.insert(
            kernel.parameters.end() - (launch.grid.size() - 1),
            KernelParameter::scalar32(launch.grid.front()));
      if (auto maps = function->getAttrOfType<ArrayAttr>("tile.maps"))
        for (auto map : maps.getAsRange<tile::TensorMapAttr>())
          kernel.parameters.push_back(tensorMap(map, variant, plan));
      kernel.threads[0] = function
                              ->getAttrOfType<DenseI32ArrayAttr>(
                                  NVVM::NVVMDialect::getReqntidAttrName())
                              .asArrayRef()
                              .front();
      kernel.dynamicSharedBytes =
          function->getAttrOfType<IntegerAttr>("tile.shared").getInt();
      kernel.waits = function->hasAttr("tile.waits");
      kernel.grid = {launch.numBlocks()};
      if (auto share = function->getAttrOfType<IntegerAttr>("tile.share"))
        kernel.grid = {SizeExpression::combine(SizeExpression::Kind::Mul,
                                               launch.numBlocks(),
                                               SizeExpression(share.getInt()))};
      int64_t together = 1;
      if (auto cluster = function->getAttrOfType<IntegerAttr>("tile.cluster"))
        together = cluster.getInt();
      kernel.cluster[0] = together;
      // As many blocks as there is room for, each of which goes on until all is
      // done.
      if (walks) {
        auto residents = function->getAttrOfType<IntegerAttr>(
            NVVM::NVVMDialect::getMinctasmAttrName());
        auto room = SizeExpression::combine(
            SizeExpression::Kind::Mul, SizeExpression::multiprocessors(),
            SizeExpression(residents ? residents.getInt() : 1));
        if (together != 1)
          room = SizeExpression::combine(
              SizeExpression::Kind::Mul,
              SizeExpression::combine(SizeExpression::Kind::FloorDiv, room,
                                      SizeExpression(together)),
              SizeExpression(together));
        kernel.grid = {SizeExpression::combine(SizeExpression::Kind::Min,
                                               launch.numBlocks(), room)};
      }
      std::string note = chip.name;
      if (options.classes.size() > 1)
        note += (", " + nameOf(variant.memoryClass)).str();
      image.launches[variant.launch].variants.push_back(
          {static_cast<uint32_t>(image.kernels.size() - 1),
           guardOf(variant, kernel), std::move(note)});
    }
  }
  return Status::success();
}

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
  auto tiled = makeTiles(module, road, entry, givenShapes,
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
      if (Status status = addChip(module, chip, options, plan, variants,
                                  compiler, observe, code.image, shortage);
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
