//===- Program.cpp - an Image on this processor ---------------------------===//
//
// The plan of an Image becomes one whose kernels are functions in memory.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cpu/Program.h"
#include "ObjectLoader.h"

#include <algorithm>
#include <cstring>

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

static Result<HostPlan> makePlan(const CpuCode &code,
                                 const LoadedObject &object) {
  HostPlan plan;
  for (const CpuBuffer &buffer : code.buffers) {
    PlanBuffer &own = plan.buffers.emplace_back();
    own.kind = buffer.kind;
    own.number = buffer.number;
    own.type = buffer.type;
    own.shape = buffer.shape;
  }
  for (const HostBuffer &constant : code.constants) {
    Result<HostBuffer> copy =
        HostBuffer::allocate(constant.type(), constant.shape());
    if (!copy)
      return copy.takeError();
    std::memcpy(copy->data(), constant.data(), constant.sizeInBytes());
    plan.constants.push_back(std::move(*copy));
  }
  for (const CpuLaunch &launch : code.launches) {
    PlanLaunch &own = plan.launches.emplace_back();
    own.function = reinterpret_cast<KernelFunction>(object.find(launch.symbol));
    if (!own.function)
      return RuntimeError(ErrorCode::BadInput,
                          "the object code has no function '" + launch.symbol +
                              "'");
    own.buffers.assign(launch.buffers.begin(), launch.buffers.end());
    own.numOutputs = launch.numOutputs;
    own.grid = launch.grid;
    own.workspaceBytes = launch.workspaceBytes;
  }
  for (const CpuCopy &copy : code.copies)
    plan.copies.push_back({copy.from, copy.output});
  if (Status status = placeIntermediates(plan); !status)
    return status.takeError();
  return plan;
}

Result<std::unique_ptr<CpuProgram>>
CpuProgram::load(std::shared_ptr<const Image> image,
                 std::shared_ptr<ThreadPool> pool) {
  if (Status status = checkImage(*image); !status)
    return status.takeError();
  std::unique_ptr<CpuProgram> program(new CpuProgram());
  program->programImage = std::move(image);
  Result<const CpuCode *> code = chooseCode(*program->programImage);
  if (!code)
    return code.takeError();
  program->cpuCode = *code;
  Result<std::unique_ptr<LoadedObject>> object =
      LoadedObject::load(program->cpuCode->object);
  if (!object)
    return object.takeError();
  program->object = std::move(*object);
  Result<HostPlan> plan = makePlan(*program->cpuCode, *program->object);
  if (!plan)
    return plan.takeError();
  Result<std::unique_ptr<Executor>> executor =
      Executor::create(std::move(*plan), std::move(pool), /*outputBytes=*/0);
  if (!executor)
    return executor.takeError();
  program->executor = std::move(*executor);
  return program;
}

CpuProgram::~CpuProgram() = default;

uint64_t CpuProgram::workspaceBytes() const {
  uint64_t own = 0;
  for (const PlanLaunch &launch : executor->plan().launches)
    own = std::max<uint64_t>(own, launch.workspaceBytes);
  return executor->plan().intermediateBytes + own * numThreads();
}

Status CpuProgram::run(std::span<const void *const> inputs,
                       std::span<void *const> outputs,
                       std::vector<LaunchTime> *times) {
  std::lock_guard turn(turns);
  return executor->runOn(inputs, outputs, times);
}
