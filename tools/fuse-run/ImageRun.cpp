//===- ImageRun.cpp - run what was compiled before ------------------------===//
//
// Everything that fuse-run does with a program is done with this one, too.
//
//===----------------------------------------------------------------------===//

#include "ImageRun.h"
#include "fuse/Compiler/ImageCompiler.h"
#include "fuse/Runtime/Cpu/Program.h"
#include "fuse/Runtime/File.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace fuse;

bool fuse::isImageFile(StringRef path) {
  constexpr StringRef magic = "\x89"
                              "FUSEIMG";
  Result<OpenedFile> file = openRegularFile(path.str());
  if (!file)
    return false;
  std::string head(magic.size(), '\0');
  Result<size_t> read =
      readFully(file->descriptor.get(), head.data(), head.size());
  return read && *read == magic.size() && head == magic;
}

Status fuse::checkImageOptions(const RunOptions &options) {
  const FormationOptions &formation = options.fused.formation;
  const std::pair<StringRef, bool> asked[] = {
      {"entry", !options.entry.empty()},
      {"chip", !options.chips.empty() || !options.cpus.empty()},
      {"schedule", !formation.schedules.empty()},
      {"most-kernels", formation.mostKernels != 0},
      {"fuse-report", !formation.reportFile.empty()},
      {"dump-stages", !options.dumpStages.empty()},
      {"image", !options.image.empty()},
      {"open-sizes", options.leavesSizesOpen},
      {"verify", options.verify != VerifyMode::None},
      {"target=reference", options.target == RunTarget::Reference},
      {"target=simulate", options.target == RunTarget::Simulate}};
  for (auto [option, isAsked] : asked)
    if (isAsked)
      return RuntimeError(ErrorCode::BadUsage,
                          ("--" + option + ": " + options.file +
                           " is an image, which is compiled already")
                              .str());
  return Status::success();
}

bool fuse::hasCodeFor(const Image &image, const Chip &chip) {
  auto runs = [&](const LaunchVariant &variant) {
    const ImageModule &module =
        image.modules[image.kernels[variant.kernel].module];
    return module.chip.runsPtxOn(chip) ||
           llvm::any_of(module.cubins, [&](const ImageCubin &cubin) {
             return cubin.chip.runsCubinOn(chip);
           });
  };
  return image.isForGpus() &&
         llvm::all_of(image.launches, [&](const ImageLaunch &launch) {
           return llvm::any_of(launch.variants, runs);
         });
}

static Type typeOf(ElementType type, MLIRContext &context) {
  Builder builder(&context);
  switch (type) {
  case ElementType::I1:
    return builder.getI1Type();
  case ElementType::I8:
    return builder.getI8Type();
  case ElementType::I16:
    return builder.getI16Type();
  case ElementType::I32:
    return builder.getI32Type();
  case ElementType::I64:
    return builder.getI64Type();
  case ElementType::Index:
    return builder.getIndexType();
  case ElementType::F8E4M3FN:
    return Float8E4M3FNType::get(&context);
  case ElementType::BF16:
    return builder.getBF16Type();
  case ElementType::F16:
    return builder.getF16Type();
  case ElementType::F32:
    return builder.getF32Type();
  case ElementType::F64:
    return builder.getF64Type();
  }
  llvm_unreachable("every type is handled above");
}

OwningOpRef<ModuleOp> fuse::declareImage(const Image &image,
                                         MLIRContext &context) {
  context.loadDialect<func::FuncDialect, FuseDialect>();
  OpBuilder builder(&context);
  Location location = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(location);
  SmallVector<Type> inputs, outputs;
  auto add = [&](ArrayRef<uint32_t> buffers, SmallVector<Type> &types) {
    for (uint32_t number : buffers) {
      SmallVector<int64_t> shape;
      for (const SizeExpression &size : image.buffers[number].shape)
        shape.push_back(size.constant().value_or(ShapedType::kDynamic));
      types.push_back(RankedTensorType::get(
          shape, typeOf(image.buffers[number].type, context)));
    }
  };
  std::vector<uint32_t> inputBuffers = image.inputs(),
                        outputBuffers = image.outputs();
  add(inputBuffers, inputs);
  add(outputBuffers, outputs);
  inputs.append(image.scalars.size(), builder.getIndexType());
  builder.setInsertionPointToStart(module->getBody());
  auto function = func::FuncOp::create(
      builder, location, image.name, builder.getFunctionType(inputs, outputs));
  // Who binds data asks the body for its arguments; nobody compiles it.
  function.addEntryBlock();
  for (auto [i, number] : llvm::enumerate(inputBuffers)) {
    const ImageBuffer &buffer = image.buffers[number];
    function.setArgAttr(i, "fuse.name", builder.getStringAttr(buffer.name));
    if (auto fill = FillSpec::parse(buffer.fill))
      function.setArgAttr(i, "fuse.fill", fillAttrOf(*fill, &context));
  }
  for (auto [i, name] : llvm::enumerate(image.scalars))
    function.setArgAttr(inputBuffers.size() + i, "fuse.name",
                        builder.getStringAttr(name));
  for (auto [i, number] : llvm::enumerate(outputBuffers))
    function.setResultAttr(i, "fuse.name",
                           builder.getStringAttr(image.buffers[number].name));
  return module;
}

namespace {

/// The code for this processor.
class CpuImageProgram final : public Program {
public:
  static Result<std::unique_ptr<Program>>
  load(Image image, SizeBindings bindings, unsigned threads);

  Status bind(ArrayRef<ArgumentShape> shapes) override;

private:
  Status execute(ArrayRef<const HostBuffer *> inputs,
                 MutableArrayRef<HostBuffer> outputs,
                 std::vector<LaunchTime> *times) override;

  /// The plan for the sizes in `bindings`.
  Status bindSizes();

  std::shared_ptr<CpuProgram> program;
  SizeBindings bindings;
  std::shared_ptr<CpuExecutor> executor;
};

} // namespace

/// By argument, with sizes that are known.
static Result<std::vector<TensorSignature>>
signaturesOf(const Image &image, ArrayRef<uint32_t> buffers,
             const SizeBindings &bindings) {
  std::vector<TensorSignature> signatures;
  for (uint32_t number : buffers) {
    const ImageBuffer &buffer = image.buffers[number];
    auto shape = evaluateAll(buffer.shape, bindings);
    if (!shape)
      return std::move(shape.takeError()).withContext("'" + buffer.name + "'");
    signatures.push_back({buffer.type, std::move(*shape)});
  }
  return signatures;
}

/// Nothing where they cannot be counted.
static std::optional<uint64_t> countFlops(const SizeExpression &flops,
                                          const SizeBindings &bindings) {
  Result<int64_t> count = flops.evaluate(bindings);
  return count && *count >= 0 ? std::optional<uint64_t>(*count) : std::nullopt;
}

/// Adds those of a buffer that is none of `counted`.
static void countBytes(PlanStep &step, size_t buffer, ElementType type,
                       ArrayRef<int64_t> shape, bool isWritten,
                       llvm::SmallSet<size_t, 8> &counted) {
  Result<size_t> bytes = requiredBytes(type, shape);
  if (bytes && counted.insert(buffer).second)
    (isWritten ? step.bytesWritten : step.bytesRead) += *bytes;
}

Result<std::unique_ptr<Program>>
CpuImageProgram::load(Image image, SizeBindings bindings, unsigned threads) {
  if (threads == 0) {
    Result<unsigned> found = defaultNumThreads();
    if (!found)
      return found.takeError();
    threads = *found;
  }
  Result<std::unique_ptr<ThreadPool>> pool = ThreadPool::create(threads);
  if (!pool)
    return pool.takeError();
  auto loaded = CpuProgram::load(
      std::make_shared<const Image>(std::move(image)), std::move(*pool));
  if (!loaded)
    return loaded.takeError();
  auto made = std::make_unique<CpuImageProgram>();
  made->program = std::move(*loaded);
  made->bindings = std::move(bindings);
  if (Status status = made->bindSizes(); !status)
    return status.takeError();
  return std::unique_ptr<Program>(std::move(made));
}

Status CpuImageProgram::bind(ArrayRef<ArgumentShape> shapes) {
  bindings.shapes.clear();
  for (const ArgumentShape &shape : shapes)
    bindings.shapes.emplace_back(shape.begin(), shape.end());
  return bindSizes();
}

Status CpuImageProgram::bindSizes() {
  const Image &image = program->image();
  auto bound = program->bind(bindings);
  if (!bound)
    return bound.takeError();
  executor = std::move(*bound);
  auto inputs = signaturesOf(image, image.inputs(), bindings);
  auto outputs = signaturesOf(image, image.outputs(), bindings);
  for (auto *signatures : {&inputs, &outputs})
    if (!*signatures)
      return signatures->takeError();
  inputTypes = std::move(*inputs);
  outputTypes = std::move(*outputs);
  steps.clear();
  const HostPlan &plan = executor->plan();
  for (auto [launch, sized] :
       llvm::zip_equal(program->code().launches, plan.launches)) {
    PlanStep &step = steps.emplace_back();
    step.kernel = launch.name;
    step.location = launch.location;
    step.schedule = launch.schedule;
    step.grid = sized.grid;
    step.dotFlops = countFlops(launch.dotFlops, bindings);
    llvm::SmallSet<size_t, 8> counted;
    for (auto [i, number] : llvm::enumerate(sized.buffers)) {
      const PlanBuffer &buffer = plan.buffers[number];
      bool isWritten = i >= sized.buffers.size() - sized.numOutputs;
      countBytes(step, number, buffer.type, buffer.shape, isWritten, counted);
    }
  }
  return Status::success();
}

Status CpuImageProgram::execute(ArrayRef<const HostBuffer *> inputs,
                                MutableArrayRef<HostBuffer> outputs,
                                std::vector<LaunchTime> *times) {
  SmallVector<const void *> read;
  for (const HostBuffer *input : inputs)
    read.push_back(input->data());
  SmallVector<void *> written;
  for (HostBuffer &output : outputs)
    written.push_back(output.data());
  return executor->run({read.data(), read.size()},
                       {written.data(), written.size()}, times);
}

static Result<std::unique_ptr<Program>>
loadOnGpu(Image image, const SizeBindings &bindings,
          std::shared_ptr<CudaDevice> device) {
  GpuCode code;
  auto inputs = signaturesOf(image, image.inputs(), bindings);
  auto outputs = signaturesOf(image, image.outputs(), bindings);
  for (auto *signatures : {&inputs, &outputs})
    if (!*signatures)
      return signatures->takeError();
  code.inputs = std::move(*inputs);
  code.outputs = std::move(*outputs);
  for (const ImageLaunch &launch : image.launches) {
    PlanStep &step = code.steps.emplace_back();
    step.kernel = launch.name;
    const ImageKernel &kernel = image.kernels[launch.variants.front().kernel];
    step.location = kernel.location;
    step.schedule = kernel.schedule;
    step.dotFlops = countFlops(launch.dotFlops, bindings);
    llvm::SmallSet<size_t, 8> counted;
    for (const KernelParameter &parameter : kernel.parameters) {
      std::optional<uint32_t> number = parameter.accessedBuffer();
      if (!number)
        continue;
      const ImageBuffer &buffer = image.buffers[*number];
      if (auto shape = evaluateAll(buffer.shape, bindings))
        countBytes(step, *number, buffer.type, *shape, parameter.isWritten,
                   counted);
    }
  }
  code.image = std::move(image);
  auto program = GpuProgram::load(std::move(code), std::move(device));
  if (!program)
    return program.takeError();
  return std::unique_ptr<Program>(std::move(*program));
}

Result<std::unique_ptr<Program>>
fuse::loadImageProgram(Image image, ArrayRef<ArgumentShape> shapes,
                       const RunOptions &options,
                       std::shared_ptr<CudaDevice> device) {
  SizeBindings bindings;
  size_t numInputs = image.inputs().size();
  for (const ArgumentShape &shape : shapes.take_front(numInputs))
    bindings.shapes.emplace_back(shape.begin(), shape.end());
  for (const ArgumentShape &scalar : shapes.drop_front(numInputs))
    bindings.scalars.push_back(scalar.front());
  if (device)
    bindings.multiprocessors = device->limits().multiprocessors;
  if (Status status = checkBindings(image, bindings); !status)
    return status.takeError();
  if (device)
    return loadOnGpu(std::move(image), bindings, std::move(device));
  return CpuImageProgram::load(std::move(image), std::move(bindings),
                               options.fused.threads);
}
