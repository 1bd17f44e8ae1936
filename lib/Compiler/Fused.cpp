//===- Fused.cpp - run a graph as few kernels on the CPU ------------------===//
//
// Cuts the graph into kernels, unless its author did, turns the function that
// launches them into a plan, and compiles the kernels.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Fused.h"
#include "CpuKernels.h"
#include "Jit.h"
#include "fuse/Runtime/Executor.h"

using namespace mlir;
using namespace fuse;

static constexpr llvm::StringLiteral road = "the fused road";

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
  unsigned vectorBits = hostVectorBits();
  Result<CpuKernels> kernels = makeCpuKernels(
      module, road, entry, givenShapes, options.leavesSizesOpen,
      options.formation, numThreads, {vectorBits, hostHasF16()}, observe);
  if (!kernels)
    return kernels.takeError();

  std::unique_ptr<FusedProgram> program(new FusedProgram());
  auto engine = createJit(module, {options.optLevel, vectorBits});
  if (!engine)
    return engine.takeError();
  program->engine = std::move(*engine);
  for (auto [name, bytes] :
       llvm::zip_equal(kernels->names, kernels->workspaces)) {
    auto packed = findPacked(*program->engine, name);
    if (!packed)
      return packed.takeError();
    program->functions.emplace_back(*packed, bytes);
  }
  program->plan = std::make_shared<LaunchPlan>(std::move(kernels->plan));
  program->numThreads = numThreads;
  if (Status status = program->bind(kernels->inputs); !status)
    return status.takeError();
  return program;
}

Status FusedProgram::bind(ArrayRef<ArgumentShape> shapes) {
  Result<SizedPlan> sized = plan->bind(shapes);
  if (!sized)
    return sized.takeError();
  for (auto [launch, function] :
       llvm::zip_equal(sized->host.launches, functions))
    std::tie(launch.function, launch.workspaceBytes) = function;
  sized->host.constants = {plan, &plan->constants};
  Result<std::unique_ptr<ThreadPool>> pool = ThreadPool::create(numThreads);
  if (!pool)
    return pool.takeError();
  auto made = Executor::create(std::move(sized->host), std::move(*pool),
                               sizeInBytes(sized->outputs));
  if (!made)
    return made.takeError();
  executor = std::move(*made);
  inputTypes = std::move(sized->inputs);
  outputTypes = std::move(sized->outputs);
  steps = std::move(sized->steps);
  planMemory = memoryOf(*executor);
  return Status::success();
}

Status FusedProgram::execute(ArrayRef<const HostBuffer *> inputs,
                             MutableArrayRef<HostBuffer> outputs,
                             std::vector<LaunchTime> *times) {
  return executor->run({inputs.data(), inputs.size()},
                       {outputs.data(), outputs.size()}, times);
}
