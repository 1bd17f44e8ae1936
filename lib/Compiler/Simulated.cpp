//===- Simulated.cpp - run what is made for a GPU on the CPU --------------===//
//
// Compiles as for a GPU up to the staged form, and runs the launches of the
// plan on arrays of the host, each kernel with several seeds.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Simulated.h"
#include "Entry.h"
#include "LaunchPlan.h"
#include "Tiles.h"
#include "fuse/Simulate/Simulate.h"

#include <cstring>

using namespace mlir;
using namespace fuse;

static constexpr llvm::StringLiteral road = "the simulated road";

Result<std::unique_ptr<SimulatedProgram>> SimulatedProgram::compile(
    ModuleOp original, StringRef entry, ArrayRef<ArgumentShape> givenShapes,
    const SimulatedOptions &options, StageObserver observe) {
  std::unique_ptr<SimulatedProgram> program(new SimulatedProgram(options));
  program->module = original.clone();
  ModuleOp module = *program->module;
  SmallVector<ArgumentShape> shapes(givenShapes);
  FormationOptions formation = options.formation;
  formation.machine = MachineKind::H200;
  formation.sharedBytes = options.chip.sharedBytes;
  Result<func::FuncOp> function =
      makeTiles(module, road, entry, shapes, formation, observe);
  if (!function)
    return function.takeError();
  Result<LaunchPlan> plan = planLaunches(*function, shapes);
  if (!plan)
    return plan.takeError();
  std::vector<std::string> names;
  for (tile::KernelOp kernel : plan->kernels)
    names.push_back(kernel.getName().str());

  if (Status status = stageTiles(module, road, options.chip, observe); !status)
    return status.takeError();
  for (const std::string &name : names)
    program->kernels.push_back(module.lookupSymbol<tile::KernelOp>(name));

  program->host = std::move(plan->host);
  program->inputTypes = std::move(plan->inputs);
  program->outputTypes = std::move(plan->outputs);
  program->steps = std::move(plan->steps);
  return program;
}

/// Runs one launch with every seed; `data` has the address of each buffer.
Status SimulatedProgram::launch(size_t number, ArrayRef<void *> data) {
  const PlanLaunch &launch = host.launches[number];
  std::vector<SimulatedMemory> memory;
  for (size_t buffer : launch.buffers)
    memory.push_back(
        {data[buffer], host.buffers[buffer].type, host.buffers[buffer].shape});
  std::string kernel = "kernel '" + steps[number].kernel + "'";
  std::vector<HostBuffer> first;
  for (uint64_t seed = options.seed; seed <= options.seed + options.moreSeeds;
       ++seed) {
    if (failed(simulateKernel(kernels[number], launch.grid, memory, {seed})))
      return RuntimeError(ErrorCode::Device,
                          "the simulation of " + kernel + " failed");
    for (auto [i, output] :
         llvm::enumerate(ArrayRef(memory).take_back(launch.numOutputs))) {
      if (seed == options.seed) {
        Result<HostBuffer> copy =
            HostBuffer::allocate(output.type, output.shape.vec());
        if (!copy)
          return copy.takeError();
        std::memcpy(copy->data(), output.data, copy->sizeInBytes());
        first.push_back(std::move(*copy));
      } else if (std::memcmp(first[i].data(), output.data,
                             first[i].sizeInBytes()) != 0) {
        return RuntimeError(ErrorCode::Device,
                            kernel + " gives other bits with seed " +
                                std::to_string(seed) + " than with seed " +
                                std::to_string(options.seed));
      }
    }
  }
  return Status::success();
}

Status SimulatedProgram::execute(ArrayRef<const HostBuffer *> inputs,
                                 MutableArrayRef<HostBuffer> outputs,
                                 std::vector<double> *) {
  std::vector<void *> data;
  std::vector<HostBuffer> intermediates;
  intermediates.reserve(host.buffers.size());
  for (const PlanBuffer &buffer : host.buffers)
    switch (buffer.kind) {
    case PlanBuffer::Kind::Input:
      // Kernels write outputs only, which their verifier sees to.
      data.push_back(const_cast<void *>(inputs[buffer.number]->data()));
      break;
    case PlanBuffer::Kind::Output:
      data.push_back(outputs[buffer.number].data());
      break;
    case PlanBuffer::Kind::Constant:
      data.push_back(host.constants[buffer.number].data());
      break;
    case PlanBuffer::Kind::Intermediate: {
      auto made = HostBuffer::allocate(buffer.type, buffer.shape);
      if (!made)
        return made.takeError();
      made->poison();
      intermediates.push_back(std::move(*made));
      data.push_back(intermediates.back().data());
      break;
    }
    }
  for (size_t number = 0; number < host.launches.size(); ++number)
    if (Status status = launch(number, data); !status)
      return status;
  for (const PlanCopy &copy : host.copies)
    std::memcpy(outputs[copy.output].data(), data[copy.from],
                outputs[copy.output].sizeInBytes());
  return Status::success();
}
