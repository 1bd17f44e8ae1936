//===- ChipKernels.cpp - the kernels of a plan for one chip ---------------===//
//
// They are placed and lowered for the chip, and each is a variant of a launch.
//
//===----------------------------------------------------------------------===//

#include "ChipKernels.h"
#include "Entry.h"
#include "Tiles.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace fuse;

static TensorMapSwizzle swizzleOf(int64_t bytes) {
  switch (bytes) {
  case 128:
    return TensorMapSwizzle::Bytes128;
  case 64:
    return TensorMapSwizzle::Bytes64;
  case 32:
    return TensorMapSwizzle::Bytes32;
  }
  return TensorMap().swizzle;
}

/// In bytes, of each dimension of a buffer.
static std::vector<SizeExpression> stridesOf(const LaunchPlan::Buffer &buffer,
                                             int64_t elementBytes) {
  SizeExpression stride = elementBytes;
  std::vector<SizeExpression> inMemory = buffer.shapeInMemory(),
                              strides(buffer.shape.size(), stride);
  for (size_t dim = buffer.shape.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride = inMemory[dim] * stride;
  }
  return strides;
}

/// Dimensions the other way round, as the driver counts them.
static KernelParameter tensorMap(tile::TensorMapAttr attribute,
                                 const LaunchPlan::Launch &launch,
                                 const LaunchPlan &plan) {
  TensorMap map;
  map.buffer = static_cast<uint32_t>(launch.buffers[attribute.getMemory()]);
  const LaunchPlan::Buffer &buffer = plan.buffers[map.buffer];
  map.type = attribute.getRounded() ? TensorMapType::TF32
                                    : tensorMapTypeFor(buffer.type);
  map.hasArgumentStrides = attribute.getStrides();
  std::vector<SizeExpression> strides = stridesOf(buffer, byteSize(map.type));
  ArrayRef<int64_t> dims = attribute.getDims(), steps = attribute.getSteps(),
                    ends = attribute.getEnds();
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
    if (!ends.empty() && ends[dim] != -1)
      size = ends[dim];
    map.sizes.push_back(size);
    map.box.push_back(attribute.getBox()[dim]);
    map.elementStrides.push_back(1);
    if (dim + 1 != rank && !map.hasArgumentStrides)
      map.strides.push_back(strides[of] * step);
  }
  map.swizzle = swizzleOf(attribute.getSwizzle());
  map.promotion = TensorMapPromotion::Bytes256;
  return KernelParameter::tensorMap(std::move(map));
}

/// Adds a module with one kernel, and what ptxas says of it. Yields its number.
static Result<uint32_t> addModule(const CompiledKernel &compiled,
                                  const GpuChip &chip, Image &image) {
  auto number = static_cast<uint32_t>(image.modules.size());
  ImageModule &module = image.modules.emplace_back();
  module.name = compiled.symbol;
  Result<Chip> parsed = Chip::parse(chip.name);
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

namespace {

class ChipKernels {
public:
  ChipKernels(const GpuChip &chip, const ChipKernelsOf &what, Image &image,
              Shortage &shortage)
      : chip(chip), options(what.options), plan(what.plan),
        variants(what.variants), image(image), shortage(shortage) {}

  Status lower(ModuleOp module, StageObserver observe);
  Status add(gpu::GPUModuleOp kernels, KernelCompiler &compiler);

private:
  /// What became of a kernel: its module in the image, and what ptxas said.
  struct Code {
    uint32_t module = 0;
    std::vector<KernelReport> reports;
  };

  void noteLackOfRegisters(ModuleOp module);
  KernelTitle titleOf(StringRef symbol) const;
  Result<llvm::StringMap<Code>> addModules(gpu::GPUModuleOp kernels,
                                           KernelCompiler &compiler);
  ImageKernel kernelOf(const KernelVariant &variant, const Code &code,
                       LLVM::LLVMFuncOp function) const;
  void placeBlocks(ImageKernel &kernel, LLVM::LLVMFuncOp function,
                   const LaunchPlan::Launch &launch) const;
  std::string noteOf(const KernelVariant &variant) const;

  const GpuChip &chip;
  const GpuOptions &options;
  const LaunchPlan &plan;
  ArrayRef<KernelVariant> variants;
  Image &image;
  Shortage &shortage;
};

} // namespace

/// What was said first is about the first kernel that lacks them.
void ChipKernels::noteLackOfRegisters(ModuleOp module) {
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    if (!kernel->hasAttr("tile.lacks_registers"))
      continue;
    shortage.isOfRegisters = true;
    for (const KernelVariant &variant : variants)
      if (variant.name == kernel.getSymName())
        shortage.kernels.push_back(plan.steps[variant.launch].kernel);
    return;
  }
}

/// From tiles to LLVM's dialect.
Status ChipKernels::lower(ModuleOp module, StageObserver observe) {
  if (Status status = stageTiles(module, gpuRoad, chip, observe); !status) {
    noteLackOfRegisters(module);
    return status;
  }
  if (Status status =
          runStage(module, gpuRoad, "divide these tiles among threads",
                   [&](OpPassManager &pm) { buildStagedToThreads(pm, chip); });
      !status)
    return status;
  observe(chip.name + "-threads", module);
  if (Status status =
          runStage(module, gpuRoad, "generate code for these kernels",
                   buildThreadsToLLVM);
      !status)
    return status;
  observe(chip.name + "-llvm", module);
  return Status::success();
}

/// What messages call it.
KernelTitle ChipKernels::titleOf(StringRef symbol) const {
  const KernelVariant &variant = *llvm::find_if(
      variants, [&](const KernelVariant &each) { return each.name == symbol; });
  KernelTitle title{"@" + plan.steps[variant.launch].kernel};
  if (options.classes.size() > 1)
    title.name += (" (" + nameOf(variant.memoryClass) + ")").str();
  // The best that there is has no other one that could be used.
  title.isForSlowMemory = variant.memoryClass >= MemoryClass::Rows &&
                          variant.memoryClass != options.classes.front();
  return title;
}

/// Compiles the kernels; what they became by their symbols.
Result<llvm::StringMap<ChipKernels::Code>>
ChipKernels::addModules(gpu::GPUModuleOp kernels, KernelCompiler &compiler) {
  Result<std::vector<const CompiledKernel *>> compiled = compiler.compile(
      kernels, chip, [&](StringRef symbol) { return titleOf(symbol); });
  if (!compiled)
    return compiled.takeError();
  llvm::StringMap<Code> made;
  for (const CompiledKernel *each : *compiled) {
    Result<uint32_t> number = addModule(*each, chip, image);
    if (!number)
      return number.takeError();
    made[each->symbol] = {*number,
                          reportsOf(*each, image.modules[*number].chip)};
  }
  return made;
}

/// How many blocks a kernel has, and how many of them are a cluster.
void ChipKernels::placeBlocks(ImageKernel &kernel, LLVM::LLVMFuncOp function,
                              const LaunchPlan::Launch &launch) const {
  kernel.threads[0] = function
                          ->getAttrOfType<DenseI32ArrayAttr>(
                              NVVM::NVVMDialect::getReqntidAttrName())
                          .asArrayRef()
                          .front();
  kernel.grid = {launch.numBlocks()};
  if (auto share = function->getAttrOfType<IntegerAttr>("tile.share"))
    kernel.grid = {launch.numBlocks() * share.getInt()};
  int64_t together = 1;
  if (auto cluster = function->getAttrOfType<IntegerAttr>("tile.cluster"))
    together = cluster.getInt();
  kernel.cluster[0] = together;
  if (!function->hasAttr("tile.walks"))
    return;
  // As many blocks as there is room for, each of which goes on until all is
  // done. Of clusters the device says how many multiprocessors they fill.
  auto residents = function->getAttrOfType<IntegerAttr>(
      NVVM::NVVMDialect::getMinctasmAttrName());
  SizeExpression room =
      SizeExpression::multiprocessors() * (residents ? residents.getInt() : 1);
  if (together != 1)
    room = floorDiv(room, together) * together;
  kernel.grid = {fuse::min(launch.numBlocks(), room)};
}

ImageKernel ChipKernels::kernelOf(const KernelVariant &variant,
                                  const Code &code,
                                  LLVM::LLVMFuncOp function) const {
  const PlanStep &step = plan.steps[variant.launch];
  const LaunchPlan::Launch &launch = plan.launches[variant.launch];
  ImageKernel kernel;
  kernel.symbol = variant.name;
  kernel.module = code.module;
  kernel.reports = code.reports;
  kernel.location = step.location;
  kernel.schedule = step.schedule;
  kernel.parameters = variant.parameters;
  // Who walks has to know where the first dimension ends, too. The extents of
  // all others are at the end.
  if (function->hasAttr("tile.walks"))
    kernel.parameters.insert(kernel.parameters.end() - (launch.grid.size() - 1),
                             KernelParameter::scalar32(launch.grid.front()));
  if (auto maps = function->getAttrOfType<ArrayAttr>("tile.maps"))
    for (auto map : maps.getAsRange<tile::TensorMapAttr>())
      kernel.parameters.push_back(tensorMap(map, launch, plan));
  kernel.dynamicSharedBytes =
      function->getAttrOfType<IntegerAttr>("tile.shared").getInt();
  kernel.waits = function->hasAttr("tile.waits");
  placeBlocks(kernel, function, launch);
  return kernel;
}

std::string ChipKernels::noteOf(const KernelVariant &variant) const {
  std::string note = chip.name;
  if (options.classes.size() > 1)
    note += (", " + nameOf(variant.memoryClass)).str();
  return note;
}

/// Adds the kernels to their launches.
Status ChipKernels::add(gpu::GPUModuleOp kernels, KernelCompiler &compiler) {
  if (Status status = checkShared(kernels, chip, plan, variants, shortage);
      !status)
    return status;
  Result<llvm::StringMap<Code>> made = addModules(kernels, compiler);
  if (!made)
    return made.takeError();
  for (const KernelVariant &variant : variants) {
    auto function = kernels.lookupSymbol<LLVM::LLVMFuncOp>(variant.name);
    auto number = static_cast<uint32_t>(image.kernels.size());
    const ImageKernel &kernel = image.kernels.emplace_back(
        kernelOf(variant, (*made)[variant.name], function));
    image.launches[variant.launch].variants.push_back(
        {number, guardOf(variant, kernel), noteOf(variant)});
  }
  return Status::success();
}

Status fuse::addChipKernels(ModuleOp tiles, const GpuChip &chip,
                            const ChipKernelsOf &what, KernelCompiler &compiler,
                            StageObserver observe, Image &image,
                            Shortage &shortage) {
  OwningOpRef<ModuleOp> module = tiles.clone();
  ChipKernels added(chip, what, image, shortage);
  if (Status status = added.lower(*module, observe); !status)
    return status;
  for (auto kernels : module->getOps<gpu::GPUModuleOp>())
    if (Status status = added.add(kernels, compiler); !status)
      return status;
  return Status::success();
}
