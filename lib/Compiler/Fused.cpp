//===- Fused.cpp - run a graph as few kernels on the CPU ------------------===//
//
// Cuts the graph into kernels, unless its author did, turns the function that
// launches them into a plan, and compiles the kernels.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Fused.h"
#include "Entry.h"
#include "Jit.h"
#include "LaunchPlan.h"
#include "Tiles.h"
#include "fuse/Runtime/Executor.h"

using namespace mlir;
using namespace fuse;

static constexpr llvm::StringLiteral road = "the fused road";

/// Leaves the kernels alone, under names that no library function has.
static void isolateKernels(ModuleOp module, func::FuncOp function) {
  function.erase();
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>())
    kernel.setName(("fuse_kernel_" + kernel.getName()).str());
}

static uint64_t sizeInBytes(ArrayRef<TensorSignature> tensors) {
  uint64_t sum = 0;
  for (const TensorSignature &tensor : tensors)
    if (Result<size_t> bytes = requiredBytes(tensor.type, tensor.shape))
      sum = llvm::SaturatingAdd<uint64_t>(sum, *bytes);
  return sum;
}

static PlanMemory memoryOf(const Executor &executor) {
  PlanMemory memory;
  memory.intermediates = executor.plan().intermediateBytes;
  memory.threads = executor.numThreads();
  for (const PlanBuffer &buffer : executor.plan().buffers)
    memory.unshared += buffer.bytes;
  for (const PlanLaunch &launch : executor.plan().launches)
    memory.workspace =
        std::max<uint64_t>(memory.workspace, launch.workspaceBytes);
  return memory;
}

FusedProgram::FusedProgram() = default;
FusedProgram::~FusedProgram() = default;

Result<std::unique_ptr<FusedProgram>>
FusedProgram::compile(ModuleOp original, StringRef entry,
                      ArrayRef<ArgumentShape> givenShapes,
                      const FusedOptions &options, StageObserver observe) {
  unsigned numThreads = options.threads;
  if (numThreads == 0) {
    Result<unsigned> found = defaultNumThreads();
    if (!found)
      return found.takeError();
    numThreads = *found;
  }
  OwningOpRef<ModuleOp> owned = original.clone();
  ModuleOp module = *owned;
  SmallVector<ArgumentShape> shapes(givenShapes);
  FormationOptions formation = options.formation;
  formation.threads = numThreads;
  Result<func::FuncOp> function =
      makeTiles(module, road, entry, shapes, formation, observe);
  if (!function)
    return function.takeError();

  Result<LaunchPlan> plan = planLaunches(*function, shapes);
  if (!plan)
    return plan.takeError();
  isolateKernels(module, *function);
  std::vector<std::string> names;
  for (tile::KernelOp kernel : plan->kernels)
    names.push_back(kernel.getName().str());

  unsigned vectorBits = hostVectorBits();
  if (Status status = runStage(
          module, road, "make vectors of these kernels",
          [&](OpPassManager &pm) { buildTilesToVector(pm, vectorBits); });
      !status)
    return status.takeError();
  observe("vector", module);
  for (auto [launch, name] : llvm::zip_equal(plan->host.launches, names)) {
    auto code = module.lookupSymbol<func::FuncOp>(name);
    if (auto bytes = code->getAttrOfType<IntegerAttr>("tile.workspace"))
      launch.workspaceBytes = bytes.getInt();
  }

  if (Status status = runStage(module, road, "generate code for these kernels",
                               buildVectorToLLVM);
      !status)
    return status.takeError();
  observe("llvm", module);

  std::unique_ptr<FusedProgram> program(new FusedProgram());
  auto engine = createJit(module, {options.optLevel, vectorBits});
  if (!engine)
    return engine.takeError();
  program->engine = std::move(*engine);
  for (auto [launch, name] : llvm::zip_equal(plan->host.launches, names)) {
    auto packed = findPacked(*program->engine, name);
    if (!packed)
      return packed.takeError();
    launch.function = *packed;
  }

  auto executor = Executor::create(std::move(plan->host), numThreads,
                                   sizeInBytes(plan->outputs));
  if (!executor)
    return executor.takeError();
  program->executor = std::move(*executor);
  program->inputTypes = std::move(plan->inputs);
  program->outputTypes = std::move(plan->outputs);
  program->steps = std::move(plan->steps);
  program->planMemory = memoryOf(*program->executor);
  return program;
}

Status FusedProgram::execute(ArrayRef<const HostBuffer *> inputs,
                             MutableArrayRef<HostBuffer> outputs,
                             std::vector<double> *seconds) {
  return executor->run({inputs.data(), inputs.size()},
                       {outputs.data(), outputs.size()}, seconds);
}
