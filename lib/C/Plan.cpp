//===- Plan.cpp - plans and calls for C -----------------------------------===//
//
// Sizes, then addresses, then launches.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"

#include <cstring>

using namespace fuse;
using namespace fuse::c;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static Status checkType(const FuseArray &array, const ImageBuffer &buffer) {
  if (static_cast<ElementType>(array.type) == buffer.type)
    return Status::success();
  return RuntimeError(ErrorCode::BadInput,
                      nameArgument(buffer) + ": it has elements of " +
                          fuse_type_name(array.type) + ", but " +
                          std::string(typeName(buffer.type)) + " is needed");
}

Result<std::shared_ptr<PlanObject>>
fuse::c::makePlan(std::shared_ptr<ProgramObject> program,
                  std::span<const FuseArray> inputs,
                  std::span<const int64_t> scalars) {
  const Image &image = *program->image;
  auto plan = std::make_shared<PlanObject>();
  plan->inputs = image.inputs();
  plan->outputs = image.outputs();
  if (Status s =
          checkCount(image, inputs.size(), plan->inputs.size(), "inputs");
      !s)
    return s.takeError();
  if (Status s =
          checkCount(image, scalars.size(), image.scalars.size(), "scalars");
      !s)
    return s.takeError();
  SizeBindings bindings;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ImageBuffer &buffer = image.buffers[plan->inputs[i]];
    if (Status s = checkForm(inputs[i], buffer); !s)
      return s.takeError();
    if (Status s = checkType(inputs[i], buffer); !s)
      return s.takeError();
    bindings.shapes.emplace_back(inputs[i].shape,
                                 inputs[i].shape + inputs[i].rank);
  }
  bindings.scalars.assign(scalars.begin(), scalars.end());
  plan->inputShapes = bindings.shapes;
  if (program->cuda) {
    auto executor = program->cuda->bind(std::move(bindings));
    if (!executor)
      return executor.takeError();
    plan->cuda = std::move(*executor);
    plan->outputShapes = plan->cuda->outputShapes();
  } else {
    auto executor = program->cpu->bind(bindings);
    if (!executor)
      return executor.takeError();
    plan->cpu = std::move(*executor);
    for (uint32_t output : plan->outputs) {
      auto shape = evaluateAll(image.buffers[output].shape, bindings);
      if (!shape)
        return shape.takeError();
      plan->outputShapes.push_back(std::move(*shape));
    }
  }
  plan->program = std::move(program);
  return plan;
}

FuseStatus fuse_plan_create(FuseProgram program, const FuseArray *inputs,
                            size_t num_inputs, const int64_t *scalars,
                            size_t num_scalars, FusePlan *plan) {
  if (!clear(plan))
    return failNull("a place for the plan");
  if (!inputs && num_inputs != 0)
    return failNull("a list of inputs");
  if (!scalars && num_scalars != 0)
    return failNull("a list of scalars");
  Result<std::shared_ptr<ProgramObject>> found = share<ProgramObject>(program);
  if (!found)
    return fail(found.error());
  auto made =
      makePlan(std::move(*found), {inputs, num_inputs}, {scalars, num_scalars});
  return made ? give(std::move(*made), plan) : fail(made.error());
}

FuseStatus fuse_plan_workspace_bytes(FusePlan plan, uint64_t *bytes) {
  if (!clear(bytes))
    return failNull("a place for the number");
  Result<PlanObject *> found = find<PlanObject>(plan);
  if (!found)
    return fail(found.error());
  *bytes = (*found)->cuda ? (*found)->cuda->workspaceBytes()
                          : (*found)->cpu->workspaceBytes();
  return FUSE_OK;
}

FuseStatus fuse_plan_output(FusePlan plan, size_t number,
                            FuseArgument *argument) {
  Result<PlanObject *> found = find<PlanObject>(plan);
  if (!found)
    return fail(found.error());
  const PlanObject &own = **found;
  if (number >= own.outputs.size())
    return fail(RuntimeError(ErrorCode::BadUsage,
                             "output " + std::to_string(number) +
                                 " was asked for, but there are " +
                                 std::to_string(own.outputs.size())));
  return fillArgument(own.program->image->buffers[own.outputs[number]],
                      own.outputShapes[number], !own.cuda, argument);
}

FuseStatus fuse_plan_destroy(FusePlan plan) {
  Status status =
      closeHandle(reinterpret_cast<uintptr_t>(plan), HandleKind::Plan);
  return status ? FUSE_OK : fail(status.error());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static Result<DeviceArray> deviceArray(const FuseArray &array,
                                       const ImageBuffer &buffer,
                                       const CudaDevice &device) {
  std::string name = nameArgument(buffer);
  if (Status status = checkForm(array, buffer); !status)
    return status.takeError();
  if (array.device_kind != FUSE_CUDA ||
      array.device_ordinal != int32_t(device.ordinal())) {
    std::string place =
        array.device_kind == FUSE_CUDA
            ? "of device " + std::to_string(array.device_ordinal)
            : "of the host";
    return RuntimeError(ErrorCode::BadInput,
                        name + ": it is in the memory " + place +
                            ", but memory of device " +
                            std::to_string(device.ordinal()) + " is needed");
  }
  DeviceArray made;
  made.address = reinterpret_cast<uintptr_t>(array.data);
  made.type = static_cast<ElementType>(array.type);
  made.shape.assign(array.shape, array.shape + array.rank);
  if (array.strides)
    made.strides.assign(array.strides, array.strides + array.rank);
  return made;
}

static Status prepareOnGpu(CallObject &call, std::span<const FuseArray> inputs,
                           std::span<const FuseArray> outputs) {
  PlanObject &plan = *call.plan;
  const std::vector<ImageBuffer> &buffers = plan.program->image->buffers;
  const CudaDevice &device = *plan.program->device->cuda;
  std::vector<DeviceArray> read, written;
  auto add = [&](std::span<const FuseArray> arrays,
                 std::span<const uint32_t> numbers,
                 std::vector<DeviceArray> &made) -> Status {
    for (size_t i = 0; i < arrays.size(); ++i) {
      Result<DeviceArray> array =
          deviceArray(arrays[i], buffers[numbers[i]], device);
      if (!array)
        return array.takeError();
      made.push_back(std::move(*array));
    }
    return Status::success();
  };
  if (Status s = add(inputs, plan.inputs, read); !s)
    return s;
  if (Status s = add(outputs, plan.outputs, written); !s)
    return s;
  Result<CudaArguments> arguments = plan.cuda->prepare(read, written);
  if (!arguments)
    return arguments.takeError();
  call.cuda.emplace(std::move(*arguments));
  return Status::success();
}

/// Others align what they allocate to less than code for processors needs, and
/// may give a part of it.
static Status addOutput(CallObject &call, const FuseArray &array,
                        ElementType type) {
  if (reinterpret_cast<uintptr_t>(array.data) % cpuOutputAlignment == 0) {
    call.outputs.push_back(array.data);
    return Status::success();
  }
  auto memory =
      HostBuffer::allocate(type, {array.shape, array.shape + array.rank});
  if (!memory)
    return memory.takeError();
  call.outputs.push_back(memory->data());
  call.copied.push_back({array.data, std::move(*memory)});
  return Status::success();
}

static Status prepareOnCpu(CallObject &call, std::span<const FuseArray> inputs,
                           std::span<const FuseArray> outputs) {
  PlanObject &plan = *call.plan;
  const std::vector<ImageBuffer> &buffers = plan.program->image->buffers;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (Status s = checkCpuArray(inputs[i], buffers[plan.inputs[i]],
                                 plan.inputShapes[i]);
        !s)
      return s;
    call.inputs.push_back(inputs[i].data);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (Status s = checkCpuArray(outputs[i], buffers[plan.outputs[i]],
                                 plan.outputShapes[i]);
        !s)
      return s;
    if (Status s = addOutput(call, outputs[i], buffers[plan.outputs[i]].type);
        !s)
      return s;
  }
  return checkCpuOverlaps(plan, inputs, outputs);
}

Result<std::shared_ptr<CallObject>>
fuse::c::makeCall(std::shared_ptr<PlanObject> plan,
                  std::span<const FuseArray> inputs,
                  std::span<const FuseArray> outputs) {
  const Image &image = *plan->program->image;
  if (Status s =
          checkCount(image, inputs.size(), plan->inputs.size(), "inputs");
      !s)
    return s.takeError();
  if (Status s =
          checkCount(image, outputs.size(), plan->outputs.size(), "outputs");
      !s)
    return s.takeError();
  auto call = std::make_shared<CallObject>();
  call->plan = std::move(plan);
  Status status = call->plan->cuda ? prepareOnGpu(*call, inputs, outputs)
                                   : prepareOnCpu(*call, inputs, outputs);
  if (!status)
    return status.takeError();
  return call;
}

Status CallObject::launchOnGpu(void *stream) {
  if (stream && stream != knownStream.load(std::memory_order_relaxed)) {
    if (Status s = plan->program->device->cuda->checkStream(stream); !s)
      return s;
    knownStream.store(stream, std::memory_order_relaxed);
  }
  return plan->cuda->launch(*cuda, stream);
}

Status CallObject::launchOnCpu() {
  if (copied.empty())
    return plan->cpu->run(inputs, outputs);
  std::lock_guard lock(copying);
  if (Status s = plan->cpu->run(inputs, outputs); !s)
    return s;
  for (const Copied &each : copied)
    std::memcpy(each.output, each.memory.data(), each.memory.sizeInBytes());
  return Status::success();
}

Status CallObject::launch(void *stream) {
  if (cuda)
    return launchOnGpu(stream);
  if (stream)
    return RuntimeError(ErrorCode::BadUsage,
                        "a stream was given, but the program runs on a "
                        "processor, which has none");
  return launchOnCpu();
}

static FuseStatus makeCall(FusePlan plan, const FuseArray *inputs,
                           size_t num_inputs, const FuseArray *outputs,
                           size_t num_outputs,
                           std::shared_ptr<CallObject> &call) {
  if (!inputs && num_inputs != 0)
    return failNull("a list of inputs");
  if (!outputs && num_outputs != 0)
    return failNull("a list of outputs");
  Result<std::shared_ptr<PlanObject>> found = share<PlanObject>(plan);
  if (!found)
    return fail(found.error());
  auto made =
      makeCall(std::move(*found), {inputs, num_inputs}, {outputs, num_outputs});
  if (!made)
    return fail(made.error());
  call = std::move(*made);
  return FUSE_OK;
}

FuseStatus fuse_call_create(FusePlan plan, const FuseArray *inputs,
                            size_t num_inputs, const FuseArray *outputs,
                            size_t num_outputs, FuseCall *call) {
  if (!clear(call))
    return failNull("a place for the call");
  std::shared_ptr<CallObject> made;
  FuseStatus status =
      makeCall(plan, inputs, num_inputs, outputs, num_outputs, made);
  return status == FUSE_OK ? give(std::move(made), call) : status;
}

FuseStatus fuse_call_launch(FuseCall call, void *stream) {
  Result<CallObject *> found = find<CallObject>(call);
  if (!found)
    return fail(found.error());
  Status status = (*found)->launch(stream);
  return status ? FUSE_OK : fail(status.error());
}

FuseStatus fuse_call_destroy(FuseCall call) {
  Status status =
      closeHandle(reinterpret_cast<uintptr_t>(call), HandleKind::Call);
  return status ? FUSE_OK : fail(status.error());
}

FuseStatus fuse_plan_run(FusePlan plan, const FuseArray *inputs,
                         size_t num_inputs, const FuseArray *outputs,
                         size_t num_outputs, void *stream) {
  std::shared_ptr<CallObject> made;
  if (FuseStatus status =
          makeCall(plan, inputs, num_inputs, outputs, num_outputs, made);
      status != FUSE_OK)
    return status;
  Status status = made->launch(stream);
  return status ? FUSE_OK : fail(status.error());
}
