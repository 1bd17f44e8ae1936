//===- Program.cpp - an Image on this processor ---------------------------===//
//
// The plan of an Image becomes one whose kernels are functions in memory.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cpu/Program.h"
#include "ObjectLoader.h"
#include "fuse/Runtime/Arguments.h"

#include <algorithm>

using namespace fuse;

static Result<const CpuCode *> chooseCode(const Image &image) {
  Result<CpuLevel> level = cpuLevelOfThisMachine();
  if (!level)
    return level.takeError();
  const CpuCode *best = nullptr;
  std::string levels;
  for (const CpuCode &code : image.cpus) {
    levels += (levels.empty() ? "" : ", ") + std::string(levelName(code.level));
    if (code.level <= *level && (!best || code.level > best->level))
      best = &code;
  }
  if (best)
    return best;
  return RuntimeError(
      ErrorCode::Unsupported,
      "'" + image.name + "' has " +
          (levels.empty() ? std::string("no code for processors")
                          : "code for " + levels) +
          ", but this processor is a " + std::string(levelName(*level)));
}

/// What a plan has for an argument is what the contract says.
static Status checkArgument(const Image &image, const PlanBuffer &buffer,
                            uint32_t argument, const SizeBindings &bindings) {
  const ImageBuffer &own = image.buffers[argument];
  Result<std::vector<int64_t>> needed = evaluateAll(own.shape, bindings);
  if (!needed)
    return needed.takeError();
  if (own.type == buffer.type && *needed == buffer.shape)
    return Status::success();
  return RuntimeError(ErrorCode::BadInput,
                      "it has " + formatShape(buffer.shape) + " of " +
                          std::string(typeName(buffer.type)) + " for " +
                          nameArgument(own) + ", but " + formatShape(*needed) +
                          " of " + std::string(typeName(own.type)) +
                          " is needed");
}

Result<HostPlan> CpuProgram::makePlan(const SizeBindings &bindings) const {
  HostPlan plan;
  const Image &image = *programImage;
  std::vector<uint32_t> inputs = image.inputs(), outputs = image.outputs();
  for (const CpuBuffer &buffer : cpuCode->buffers) {
    auto shape = evaluateShape(buffer.shape, bindings);
    if (!shape)
      return shape.takeError();
    PlanBuffer &own = plan.buffers.emplace_back();
    own.kind = buffer.kind;
    own.number = buffer.number;
    own.type = buffer.type;
    own.shape = std::move(*shape);
    // Nothing that runs asks again how large it is.
    if (Result<size_t> bytes = requiredBytes(own.type, own.shape); !bytes)
      return bytes.takeError();
    bool isInput = own.kind == PlanBuffer::Kind::Input;
    if (!isInput && own.kind != PlanBuffer::Kind::Output)
      continue;
    uint32_t argument = (isInput ? inputs : outputs)[own.number];
    if (Status s = checkArgument(image, own, argument, bindings); !s)
      return s.takeError();
  }
  plan.constants = {programImage, &cpuCode->constants};
  for (size_t i = 0; i < cpuCode->launches.size(); ++i) {
    const CpuLaunch &launch = cpuCode->launches[i];
    auto grid = evaluateAll(launch.grid, bindings);
    if (!grid)
      return grid.takeError();
    PlanLaunch own;
    own.function = functions[i];
    own.buffers.assign(launch.buffers.begin(), launch.buffers.end());
    own.numOutputs = launch.numOutputs;
    own.grid = std::move(*grid);
    own.workspaceBytes = launch.workspaceBytes;
    if (Status status = addLaunch(plan, std::move(own)); !status)
      return std::move(status.takeError())
          .withContext("launch '" + launch.name + "'");
  }
  for (const CpuCopy &copy : cpuCode->copies) {
    if (Status s = checkArgument(image, plan.buffers[copy.from],
                                 outputs[copy.output], bindings);
        !s)
      return s.takeError();
    plan.copies.push_back({copy.from, copy.output});
  }
  if (Status status = placeIntermediates(plan); !status)
    return status.takeError();
  return plan;
}

Result<std::shared_ptr<CpuProgram>>
CpuProgram::load(std::shared_ptr<const Image> image,
                 std::shared_ptr<ThreadPool> pool) {
  if (Status status = checkImage(*image); !status)
    return status.takeError();
  std::shared_ptr<CpuProgram> program(new CpuProgram());
  program->programImage = std::move(image);
  program->pool = std::move(pool);
  Result<const CpuCode *> code = chooseCode(*program->programImage);
  if (!code)
    return code.takeError();
  program->cpuCode = *code;
  Result<std::unique_ptr<LoadedObject>> object =
      LoadedObject::load(program->cpuCode->object);
  if (!object)
    return object.takeError();
  program->object = std::move(*object);
  for (const CpuLaunch &launch : program->cpuCode->launches) {
    void *function = program->object->find(launch.symbol);
    if (!function)
      return RuntimeError(ErrorCode::BadInput,
                          "the object code has no function '" + launch.symbol +
                              "'");
    program->functions.push_back(reinterpret_cast<KernelFunction>(function));
  }
  return program;
}

CpuProgram::~CpuProgram() = default;

Result<std::shared_ptr<CpuExecutor>>
CpuProgram::bind(const SizeBindings &bindings) {
  std::lock_guard lock(boundMutex);
  std::erase_if(bound,
                [](const auto &entry) { return entry.second.expired(); });
  std::weak_ptr<CpuExecutor> &known =
      bound[{bindings.shapes, bindings.scalars}];
  if (std::shared_ptr<CpuExecutor> executor = known.lock())
    return executor;
  if (Status status = checkBindings(*programImage, bindings); !status)
    return status.takeError();
  Result<HostPlan> plan = makePlan(bindings);
  if (!plan)
    return std::move(plan.takeError())
        .withContext("the code for " + std::string(levelName(cpuCode->level)));
  Result<std::unique_ptr<Executor>> made =
      Executor::create(std::move(*plan), pool, /*outputBytes=*/0);
  if (!made)
    return made.takeError();
  auto executor =
      std::make_shared<CpuExecutor>(shared_from_this(), std::move(*made));
  known = executor;
  return executor;
}

uint64_t CpuExecutor::workspaceBytes() const {
  uint64_t own = 0;
  for (const PlanLaunch &launch : plan().launches)
    own = std::max<uint64_t>(own, launch.workspaceBytes);
  return plan().intermediateBytes + own * executor->numThreads();
}

Status CpuExecutor::run(std::span<const void *const> inputs,
                        std::span<void *const> outputs,
                        std::vector<LaunchTime> *times) {
  std::lock_guard turn(turns);
  return executor->runOn(inputs, outputs, times);
}
