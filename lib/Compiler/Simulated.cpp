//===- Simulated.cpp - run what is made for a GPU on the CPU --------------===//
//
// Compiles as for a GPU up to the staged form, and runs the launches of the
// plan on arrays of the host, each kernel with several seeds.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Simulated.h"
#include "Entry.h"
#include "KernelVariants.h"
#include "LaunchPlan.h"
#include "Tiles.h"
#include "fuse/Simulate/Simulate.h"

#include <cstring>

using namespace mlir;
using namespace fuse;

static constexpr llvm::StringLiteral road = "the simulated road";

/// The layout of an argument; null if it is dense.
static const ArrayLayout *layoutOf(const PlanBuffer &buffer,
                                   const ArgumentLayouts &layouts) {
  if (buffer.kind == PlanBuffer::Kind::Input)
    return layouts.input(buffer.number);
  if (buffer.kind == PlanBuffer::Kind::Output)
    return layouts.output(buffer.number);
  return nullptr;
}

/// The first of `classes` that all arguments are of.
static Result<MemoryClass> chooseClass(const HostPlan &host,
                                       const ArgumentLayouts &layouts,
                                       ArrayRef<MemoryClass> classes) {
  for (const PlanCopy &copy : host.copies)
    if (layouts.output(copy.output) ||
        layoutOf(host.buffers[copy.from], layouts))
      return RuntimeError(ErrorCode::Unsupported,
                          "output " + std::to_string(copy.output) +
                              " is a copy, so neither it nor what it is a copy "
                              "of can have gaps");
  auto needed = MemoryClass::Aligned;
  for (const PlanBuffer &buffer : host.buffers)
    if (const ArrayLayout *layout = layoutOf(buffer, layouts))
      needed = std::max(needed, classOf(*layout, buffer.shape, buffer.type));
  const MemoryClass *found =
      llvm::find_if(classes, [&](MemoryClass c) { return c >= needed; });
  if (found == classes.end())
    return RuntimeError(ErrorCode::BadUsage,
                        ("the arguments need kernels for '" + nameOf(needed) +
                         "' memory, but there is to be no such variant")
                            .str());
  return *found;
}

Result<std::unique_ptr<SimulatedProgram>> SimulatedProgram::compile(
    ModuleOp original, StringRef entry, ArrayRef<ArgumentShape> givenShapes,
    const SimulatedOptions &options, StageObserver observe) {
  std::unique_ptr<SimulatedProgram> program(new SimulatedProgram(options));
  program->module = original.clone();
  ModuleOp module = *program->module;
  FormationOptions formation = options.formation;
  formation.machine = MachineKind::H200;
  formation.sharedBytes = options.chip.sharedBytes;
  formation.hasWarpgroups = options.chip.hasWarpgroups();
  auto tiled = makeTiles(module, road, entry, givenShapes,
                         options.leavesSizesOpen, formation, observe);
  if (!tiled)
    return tiled.takeError();
  program->plan = std::make_shared<LaunchPlan>(std::move(tiled->plan));
  pitchRows(*program->plan);
  if (Status status = program->bind(tiled->inputs); !status)
    return status.takeError();
  Result<MemoryClass> memoryClass =
      chooseClass(program->host, program->layouts, options.classes);
  if (!memoryClass)
    return memoryClass.takeError();
  tiled->function->erase();
  std::vector<std::string> names;
  bool hasGaps = llvm::any_of(
      program->plan->buffers,
      [](const LaunchPlan::Buffer &buffer) { return buffer.pitch != 0; });
  if (*memoryClass == MemoryClass::Aligned && !hasGaps)
    for (tile::KernelOp kernel : program->plan->kernels)
      names.push_back(kernel.getName().str());
  else
    for (KernelVariant &variant : makeVariants(*program->plan, *memoryClass))
      names.push_back(std::move(variant.name));

  if (Status status = stageTiles(module, road, options.chip, observe); !status)
    return status.takeError();
  for (const std::string &name : names)
    program->kernels.push_back(module.lookupSymbol<tile::KernelOp>(name));

  return program;
}

Status SimulatedProgram::bind(ArrayRef<ArgumentShape> shapes) {
  Result<SizedPlan> sized = plan->bind(shapes);
  if (!sized)
    return sized.takeError();
  host = std::move(sized->host);
  inputTypes = std::move(sized->inputs);
  outputTypes = std::move(sized->outputs);
  steps = std::move(sized->steps);
  if (!options.layouts)
    return Status::success();
  Result<ArgumentLayouts> made = options.layouts(inputTypes, outputTypes);
  if (!made)
    return made.takeError();
  layouts = std::move(*made);
  return Status::success();
}

/// Runs one launch with every seed.
Status SimulatedProgram::launch(size_t number, ArrayRef<Array> arrays) {
  const PlanLaunch &launch = host.launches[number];
  std::vector<SimulatedMemory> memory;
  for (size_t buffer : launch.buffers)
    memory.push_back({arrays[buffer].data, host.buffers[buffer].type,
                      host.buffers[buffer].shape, arrays[buffer].strides});
  std::string kernel = "kernel '" + steps[number].kernel + "'";
  std::vector<std::string> first;
  for (uint64_t seed = options.seed; seed <= options.seed + options.moreSeeds;
       ++seed) {
    if (failed(simulateKernel(kernels[number], launch.grid, memory, {seed})))
      return RuntimeError(ErrorCode::Device,
                          "the simulation of " + kernel + " failed");
    for (auto [i, buffer] : llvm::enumerate(
             ArrayRef(launch.buffers).take_back(launch.numOutputs))) {
      const Array &output = arrays[buffer];
      StringRef bytes(static_cast<const char *>(output.memory),
                      output.memoryBytes);
      if (seed == options.seed)
        first.push_back(bytes.str());
      else if (bytes != first[i])
        return RuntimeError(ErrorCode::Device,
                            kernel + " gives other bits with seed " +
                                std::to_string(seed) + " than with seed " +
                                std::to_string(options.seed));
    }
  }
  return Status::success();
}

Status SimulatedProgram::execute(ArrayRef<const HostBuffer *> inputs,
                                 MutableArrayRef<HostBuffer> outputs,
                                 std::vector<LaunchTime> *) {
  std::vector<Array> arrays;
  // What is in arrays beside inputs and outputs that are dense.
  std::vector<HostBuffer> own;
  own.reserve(host.buffers.size());
  std::vector<std::vector<int64_t>> strides;
  strides.reserve(host.buffers.size());
  auto add = [&](const void *memory, size_t bytes) {
    // Kernels write outputs only, which their verifier sees to.
    void *data = const_cast<void *>(memory);
    arrays.push_back({data, data, bytes, {}});
  };
  auto addLaidOut = [&](const HostBuffer &dense,
                        const ArrayLayout &layout) -> Status {
    Result<HostBuffer> memory = fuse::layOut(dense, layout);
    if (!memory)
      return memory.takeError();
    own.push_back(std::move(*memory));
    add(own.back().data(), own.back().sizeInBytes());
    arrays.back().data = static_cast<char *>(own.back().data()) +
                         layout.offset * byteSize(dense.type());
    arrays.back().strides = layout.strides;
    return Status::success();
  };
  for (auto [number, buffer] : llvm::enumerate(host.buffers))
    switch (buffer.kind) {
    case PlanBuffer::Kind::Input: {
      const HostBuffer &input = *inputs[buffer.number];
      const ArrayLayout *layout = layouts.input(buffer.number);
      if (!layout)
        add(input.data(), input.sizeInBytes());
      else if (Status status = addLaidOut(input, *layout); !status)
        return status;
      break;
    }
    case PlanBuffer::Kind::Output: {
      const HostBuffer &output = outputs[buffer.number];
      const ArrayLayout *layout = layouts.output(buffer.number);
      if (!layout)
        add(output.data(), output.sizeInBytes());
      else if (Status status = addLaidOut(output, *layout); !status)
        return status;
      break;
    }
    case PlanBuffer::Kind::Constant: {
      const HostBuffer &constant = plan->constants[buffer.number];
      add(constant.data(), constant.sizeInBytes());
      break;
    }
    case PlanBuffer::Kind::Intermediate: {
      std::vector<int64_t> shape = buffer.shape;
      int64_t pitch = plan->buffers[number].pitch;
      if (pitch != 0)
        shape.back() = pitch;
      auto made = HostBuffer::allocate(buffer.type, shape);
      if (!made)
        return made.takeError();
      made->poison();
      own.push_back(std::move(*made));
      add(own.back().data(), own.back().sizeInBytes());
      if (pitch != 0)
        arrays.back().strides = strides.emplace_back(rowMajorStrides(shape));
      break;
    }
    }
  for (size_t number = 0; number < host.launches.size(); ++number)
    if (Status status = launch(number, arrays); !status)
      return status;
  for (const HostBuffer &memory : own)
    for (auto [buffer, array] : llvm::zip_equal(host.buffers, arrays)) {
      const ArrayLayout *layout = buffer.kind == PlanBuffer::Kind::Output
                                      ? layouts.output(buffer.number)
                                      : nullptr;
      if (!layout || array.memory != memory.data())
        continue;
      if (Status s = gather(memory, *layout, outputs[buffer.number]); !s)
        return std::move(s.takeError())
            .withContext("output " + std::to_string(buffer.number));
    }
  for (const PlanCopy &copy : host.copies)
    std::memcpy(outputs[copy.output].data(), arrays[copy.from].data,
                outputs[copy.output].sizeInBytes());
  return Status::success();
}
