//===- ImageCompiler.cpp - compile a graph to keep it ---------------------===//
//
// The roads to GPUs and to processors, one behind the other; what they have in
// common is the contract.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/ImageCompiler.h"
#include "CpuKernels.h"
#include "Object.h"
#include "fuse/Runtime/ThreadPool.h"
#include "fuse/Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"

#include <mutex>

using namespace mlir;
using namespace fuse;

static constexpr llvm::StringLiteral road = "the fused road";

std::string fuse::producerOfImages() {
  return std::string("fuse ") + version + " (LLVM " LLVM_VERSION_STRING ")";
}

/// The contract of a graph that no GPU runs.
static void addArguments(const LaunchPlan &plan, Image &image) {
  auto add = [&](ImageBuffer::Kind kind, size_t number,
                 const LaunchPlan::Buffer &from) {
    ImageBuffer &buffer = image.buffers.emplace_back();
    buffer.kind = kind;
    buffer.number = static_cast<uint32_t>(number);
    buffer.type = from.type;
    buffer.shape = from.shape;
    buffer.alignment = kind == ImageBuffer::Kind::Output
                           ? cpuOutputAlignment
                           : static_cast<uint32_t>(byteSize(from.type));
  };
  for (const LaunchPlan::Buffer &buffer : plan.buffers)
    if (buffer.kind == PlanBuffer::Kind::Input)
      add(ImageBuffer::Kind::Input, buffer.number, buffer);
  for (auto [number, buffer] : llvm::enumerate(plan.outputs))
    add(ImageBuffer::Kind::Output, number, plan.buffers[buffer]);
}

static Result<CpuCode> compileForCpu(ModuleOp original, StringRef entry,
                                     ArrayRef<ArgumentShape> shapes,
                                     CpuLevel level, unsigned threads,
                                     const GpuOptions &options, GpuCode &made,
                                     StageObserver observe) {
  OwningOpRef<ModuleOp> owned = original.clone();
  FormationOptions formation = options.formation;
  formation.machine = MachineKind::Cpu;
  formation.sharedBytes = 0;
  Result<CpuKernels> kernels = makeCpuKernels(
      *owned, road, entry, shapes, options.leavesSizesOpen, formation, threads,
      {vectorBitsOf(level), level >= CpuLevel::V3}, observe);
  if (!kernels)
    return kernels.takeError();
  CpuCode code;
  code.level = level;
  Result<std::string> object =
      emitObject(*owned, kernels->names, level, options.optLevel);
  if (!object)
    return object.takeError();
  code.object = std::move(*object);
  // Of the sizes to expect; those of the Image may be open.
  Result<SizedPlan> sized = kernels->plan.bind(kernels->inputs);
  if (!sized)
    return sized.takeError();
  LaunchPlan &plan = kernels->plan;
  for (const LaunchPlan::Buffer &buffer : plan.buffers)
    code.buffers.push_back({buffer.kind, static_cast<uint32_t>(buffer.number),
                            buffer.type, buffer.shape});
  code.constants = std::move(plan.constants);
  for (auto [launch, step, name, bytes] : llvm::zip_equal(
           plan.launches, plan.steps, kernels->names, kernels->workspaces)) {
    CpuLaunch &own = code.launches.emplace_back();
    own.name = step.kernel;
    own.symbol = packedName(name);
    own.location = step.location;
    own.schedule = step.schedule;
    own.buffers.assign(launch.buffers.begin(), launch.buffers.end());
    own.numOutputs = static_cast<uint32_t>(launch.numOutputs);
    own.grid = launch.grid;
    own.workspaceBytes = bytes;
    own.dotFlops = plan.dotFlops(code.launches.size() - 1);
  }
  for (const PlanCopy &copy : plan.copies)
    code.copies.push_back(
        {static_cast<uint32_t>(copy.from), static_cast<uint32_t>(copy.output)});
  if (made.steps.empty())
    made.steps = std::move(sized->steps);
  made.inputs = std::move(sized->inputs);
  made.outputs = std::move(sized->outputs);
  if (made.image.buffers.empty())
    addArguments(plan, made.image);
  for (Requirement &requirement : plan.requirements)
    if (llvm::none_of(made.image.requirements, [&](const Requirement &other) {
          return other.condition == requirement.condition;
        }))
      made.image.requirements.push_back(std::move(requirement));
  return code;
}

// The kinds are the same, in the same order.
static_assert(static_cast<int>(FillKind::Constant) ==
              static_cast<int>(FillSpec::Kind::Constant));

FillSpec fuse::fillSpecOf(FillAttr attribute) {
  return {static_cast<FillSpec::Kind>(attribute.getKind()),
          attribute.getLow().convertToDouble(),
          attribute.getHigh().convertToDouble()};
}

FillAttr fuse::fillAttrOf(const FillSpec &spec, MLIRContext *context) {
  return FillAttr::get(context, static_cast<FillKind>(spec.kind),
                       APFloat(spec.first), APFloat(spec.second));
}

void fuse::nameArguments(func::FuncOp function, Image &image) {
  SmallVector<std::string> inputs, outputs, fills;
  auto enter = [](StringAttr name, unsigned number,
                  SmallVector<std::string> &names) {
    names.push_back(name ? name.str() : std::to_string(number));
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (!function.getArgument(i).getType().isIndex()) {
      enter(function.getArgAttrOfType<StringAttr>(i, "fuse.name"), i, inputs);
      auto fill = function.getArgAttrOfType<FillAttr>(i, "fuse.fill");
      fills.push_back(fill ? fillSpecOf(fill).str() : "");
    }
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    enter(function.getResultAttrOfType<StringAttr>(i, "fuse.name"), i, outputs);
  for (ImageBuffer &buffer : image.buffers) {
    bool isInput = buffer.kind == ImageBuffer::Kind::Input;
    if (isInput || buffer.kind == ImageBuffer::Kind::Output)
      buffer.name = (isInput ? inputs : outputs)[buffer.number];
    if (isInput)
      buffer.fill = fills[buffer.number];
  }
}

namespace {

/// Notes what is warned of or remarked, and leaves it to whoever else listens.
class DiagnosticsNoted {
public:
  explicit DiagnosticsNoted(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          note(diagnostic);
          return failure();
        }) {}

  /// In an order that does not depend on which thread was first.
  std::vector<std::string> take() {
    llvm::sort(lines);
    return std::move(lines);
  }

private:
  void note(Diagnostic &diagnostic) {
    StringRef severity;
    if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
      severity = "warning: ";
    else if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
      severity = "remark: ";
    else
      return;
    std::string line;
    llvm::raw_string_ostream stream(line);
    if (auto at = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
      stream << llvm::sys::path::filename(at.getFilename().getValue()) << ":"
             << at.getLine() << ":" << at.getColumn() << ": ";
    stream << severity << diagnostic;
    std::lock_guard lock(mutex);
    lines.push_back(std::move(line));
  }

  std::mutex mutex;
  std::vector<std::string> lines;
  ScopedDiagnosticHandler handler;
};

} // namespace

Result<GpuCode> fuse::compileImage(ModuleOp module, StringRef entry,
                                   ArrayRef<ArgumentShape> shapes,
                                   const ImageOptions &options,
                                   StageObserver observe) {
  if (options.gpu.chips.empty() && options.cpus.empty())
    return RuntimeError(ErrorCode::BadUsage,
                        "an image needs a chip to be made for");
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return RuntimeError(ErrorCode::BadInput,
                        ("there is no function '" + entry + "'").str());
  DiagnosticsNoted noted(module.getContext());
  GpuCode made;
  if (!options.gpu.chips.empty()) {
    Result<GpuCode> code =
        compileForGpu(module, entry, shapes, options.gpu, observe);
    if (!code)
      return code;
    made = std::move(*code);
  }
  unsigned threads = options.threads;
  if (threads == 0 && !options.cpus.empty()) {
    Result<unsigned> found = defaultNumThreads();
    if (!found)
      return found.takeError();
    threads = *found;
  }
  for (CpuLevel level : options.cpus) {
    Result<CpuCode> code = compileForCpu(module, entry, shapes, level, threads,
                                         options.gpu, made, observe);
    if (!code)
      return code.takeError();
    made.image.cpus.push_back(std::move(*code));
  }
  if (options.gpu.chips.empty())
    nameArguments(function, made.image);
  made.image.name = entry.str();
  made.image.diagnostics = noted.take();
  made.image.producer = producerOfImages();
  if (Status status = checkImage(made.image); !status)
    return status.takeError();
  return made;
}
