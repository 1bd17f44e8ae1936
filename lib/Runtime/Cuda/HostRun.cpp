//===- HostRun.cpp - run on the host's buffers ----------------------------===//
//
// Arguments are copied to the device, and results back. Outputs are poisoned
// before: an element that nobody writes must not look like a result.
//
//===----------------------------------------------------------------------===//

#include "DeviceRun.h"
#include "ExecutorState.h"
#include "fuse/Runtime/Arguments.h"

#include <algorithm>

using namespace fuse;

//===----------------------------------------------------------------------===//
// DeviceArguments
//===----------------------------------------------------------------------===//

static Status checkHostBuffer(const HostBuffer &found,
                              const ImageBuffer &buffer,
                              std::span<const int64_t> shape) {
  bool isSame = found.type() == buffer.type &&
                std::equal(shape.begin(), shape.end(), found.shape().begin(),
                           found.shape().end());
  if (isSame)
    return Status::success();
  return RuntimeError(
      ErrorCode::BadInput,
      nameArgument(buffer) + " is " + formatShape(found.shape()) + " of " +
          std::string(typeName(found.type())) + ", but " + formatShape(shape) +
          " of " + std::string(typeName(buffer.type)) + " is needed");
}

Result<DeviceArguments> DeviceArguments::create(
    const CudaExecutor &executor, std::span<const HostBuffer *const> inputs,
    CudaStreamHandle stream, const ArgumentLayouts &layouts) {
  const Image &image = executor.image();
  std::vector<uint32_t> inputBuffers = image.inputs();
  if (Status s =
          checkCount(image, inputs.size(), inputBuffers.size(), "inputs");
      !s)
    return s.takeError();
  DeviceArguments made;
  made.layouts = layouts;
  auto allocate = [&](uint32_t number, const ArrayLayout *layout,
                      std::vector<DeviceBuffer> &buffers,
                      std::vector<DeviceArray> &arrays) -> Status {
    const ImageBuffer &buffer = image.buffers[number];
    const std::vector<int64_t> &shape = executor.bufferShapes()[number];
    std::vector<int64_t> memoryShape = shape;
    if (layout) {
      Result<int64_t> elements = laidOutElements(*layout, shape);
      if (!elements)
        return std::move(elements.takeError())
            .withContext("the layout of " + nameArgument(buffer));
      memoryShape = {*elements};
    }
    Result<size_t> bytes = requiredBytes(buffer.type, memoryShape);
    if (!bytes)
      return std::move(bytes.takeError()).withContext(nameArgument(buffer));
    Result<DeviceBuffer> memory =
        DeviceBuffer::allocate(executor.device(), *bytes, nameArgument(buffer));
    if (!memory)
      return memory.takeError();
    DeviceArray array{memory->address(), buffer.type, shape, {}};
    if (layout) {
      array.address += uint64_t(layout->offset) * byteSize(buffer.type);
      array.strides = layout->strides;
    }
    arrays.push_back(std::move(array));
    buffers.push_back(std::move(*memory));
    return Status::success();
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    uint32_t number = inputBuffers[i];
    if (Status s = checkHostBuffer(*inputs[i], image.buffers[number],
                                   executor.bufferShapes()[number]);
        !s)
      return s.takeError();
    const ArrayLayout *layout = layouts.input(i);
    if (Status s =
            allocate(number, layout, made.inputBuffers, made.inputArrays);
        !s)
      return s.takeError();
    std::optional<HostBuffer> spread;
    if (layout) {
      Result<HostBuffer> laidOut = layOut(*inputs[i], *layout);
      if (!laidOut)
        return laidOut.takeError();
      spread = std::move(*laidOut);
    }
    if (Status s = made.inputBuffers.back().copyFrom(
            spread ? *spread : *inputs[i], stream);
        !s)
      return s.takeError();
  }
  std::vector<uint32_t> outputBuffers = image.outputs();
  for (size_t i = 0; i < outputBuffers.size(); ++i)
    if (Status s = allocate(outputBuffers[i], layouts.output(i),
                            made.outputBuffers, made.outputArrays);
        !s)
      return s.takeError();
  return made;
}

Status DeviceArguments::poisonOutputs(CudaStreamHandle stream) {
  for (size_t i = 0; i < outputBuffers.size(); ++i)
    if (Status s = outputBuffers[i].poison(outputArrays[i].type, stream); !s)
      return s;
  return Status::success();
}

Status DeviceArguments::copyOutputs(std::span<HostBuffer> outputs,
                                    CudaStreamHandle stream) {
  for (size_t i = 0; i < outputBuffers.size(); ++i) {
    const ArrayLayout *layout = layouts.output(i);
    if (!layout) {
      if (Status s = outputBuffers[i].copyTo(outputs[i], stream); !s)
        return s;
      continue;
    }
    // It was measured when it was allocated.
    Result<HostBuffer> memory = HostBuffer::allocate(
        outputs[i].type(), {*laidOutElements(*layout, outputs[i].shape())});
    if (!memory)
      return memory.takeError();
    if (Status s = outputBuffers[i].copyTo(*memory, stream); !s)
      return s;
    if (Status s = gather(*memory, *layout, outputs[i]); !s)
      return std::move(s.takeError())
          .withContext("output " + std::to_string(i));
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Result<DeviceRun> DeviceRun::create(CudaExecutor &executor,
                                    std::span<const HostBuffer *const> inputs) {
  Result<CudaStream> stream = CudaStream::create(executor.device());
  if (!stream)
    return stream.takeError();
  Result<DeviceArguments> arrays =
      DeviceArguments::create(executor, inputs, stream->handle());
  if (!arrays)
    return arrays.takeError();
  Result<CudaArguments> arguments =
      executor.prepare(arrays->inputs(), arrays->outputs());
  if (!arguments)
    return arguments.takeError();
  return DeviceRun{std::move(*stream), std::move(*arrays),
                   std::move(*arguments)};
}

Status CudaExecutor::run(std::span<const HostBuffer *const> inputs,
                         std::span<HostBuffer> outputs,
                         const ArgumentLayouts &layouts) {
  const Image &image = state->image();
  std::vector<uint32_t> outputBuffers = image.outputs();
  if (Status s =
          checkCount(image, outputs.size(), outputBuffers.size(), "outputs");
      !s)
    return s;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (Status s = checkHostBuffer(outputs[i], image.buffers[outputBuffers[i]],
                                   state->shapes[outputBuffers[i]]);
        !s)
      return s;
  CudaStreamHandle stream = state->stream->handle();
  Result<DeviceArguments> arrays =
      DeviceArguments::create(*this, inputs, stream, layouts);
  if (!arrays)
    return arrays.takeError();
  if (Status status = arrays->poisonOutputs(stream); !status)
    return status;
  Result<CudaArguments> arguments =
      prepare(arrays->inputs(), arrays->outputs());
  if (!arguments)
    return arguments.takeError();
  if (Status status = launchAndWait(*arguments, stream); !status)
    return status;
  return arrays->copyOutputs(outputs, stream);
}

Result<std::vector<HostBuffer>>
CudaExecutor::runOn(std::span<const HostBuffer *const> inputs) {
  std::vector<HostBuffer> outputs;
  for (uint32_t number : state->image().outputs()) {
    Result<HostBuffer> output = HostBuffer::allocate(
        state->image().buffers[number].type, state->shapes[number]);
    if (!output)
      return output.takeError();
    outputs.push_back(std::move(*output));
  }
  if (Status status = run(inputs, outputs); !status)
    return status.takeError();
  return outputs;
}
