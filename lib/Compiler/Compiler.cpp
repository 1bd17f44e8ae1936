//===- Compiler.cpp - what every road from a graph to results is ----------===//
//
// The types that pass between compiled code and the host, and the check that a
// caller's buffers are what was compiled for.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Compiler.h"

using namespace mlir;
using namespace fuse;

Program::~Program() = default;

std::optional<ElementType> fuse::elementTypeFor(Type type) {
  if (type.isIndex())
    return ElementType::Index;
  if (type.isSignlessInteger())
    switch (type.getIntOrFloatBitWidth()) {
    case 1:
      return ElementType::I1;
    case 8:
      return ElementType::I8;
    case 16:
      return ElementType::I16;
    case 32:
      return ElementType::I32;
    case 64:
      return ElementType::I64;
    default:
      return std::nullopt;
    }
  if (isa<Float8E4M3FNType>(type))
    return ElementType::F8E4M3FN;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF16())
    return ElementType::F16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  return std::nullopt;
}

static Status checkBuffer(const HostBuffer &buffer,
                          const TensorSignature &needed, StringRef what) {
  if (buffer.type() == needed.type && buffer.shape() == needed.shape)
    return Status::success();
  auto text = [](ElementType type, const std::vector<int64_t> &shape) {
    return std::string(typeName(type)) + " of shape " + formatShape(shape);
  };
  return RuntimeError(
      ErrorCode::BadInput,
      what.str() + " is " + text(buffer.type(), buffer.shape()) +
          ", but needs to be " + text(needed.type, needed.shape));
}

Status Program::run(ArrayRef<const HostBuffer *> inputs,
                    MutableArrayRef<HostBuffer> outputs,
                    std::vector<LaunchTime> *times) {
  if (inputs.size() != inputTypes.size() ||
      outputs.size() != outputTypes.size())
    return RuntimeError(ErrorCode::BadUsage,
                        "wrong number of buffers for the graph");
  for (auto [buffer, needed] : llvm::zip_equal(inputs, inputTypes))
    if (Status status = checkBuffer(*buffer, needed, "an input"); !status)
      return status;
  for (auto [buffer, needed] : llvm::zip_equal(outputs, outputTypes))
    if (Status status = checkBuffer(buffer, needed, "an output"); !status)
      return status;
  return execute(inputs, outputs, times);
}

Result<std::vector<HostBuffer>>
Program::runOn(ArrayRef<const HostBuffer *> data) {
  if (data.size() != inputTypes.size())
    return RuntimeError(ErrorCode::BadUsage,
                        "wrong number of buffers for the graph");
  std::vector<HostBuffer> converted;
  std::vector<const HostBuffer *> inputs;
  converted.reserve(data.size());
  for (auto [buffer, needed] : llvm::zip_equal(data, inputTypes)) {
    if (needed.type == buffer->type()) {
      inputs.push_back(buffer);
      continue;
    }
    auto copy = HostBuffer::allocate(needed.type, needed.shape);
    if (!copy)
      return copy.takeError();
    for (size_t i = 0, e = copy->elementCount(); i < e; ++i)
      storeDouble(needed.type, copy->data(), i,
                  loadAsDouble(buffer->type(), buffer->data(), i));
    converted.push_back(std::move(*copy));
    inputs.push_back(&converted.back());
  }
  Result<std::vector<HostBuffer>> outputs = allocateOutputs();
  if (!outputs)
    return outputs.takeError();
  for (HostBuffer &buffer : *outputs)
    buffer.poison();
  if (Status status = run(inputs, *outputs); !status)
    return status.takeError();
  return outputs;
}

Result<std::vector<HostBuffer>> Program::allocateOutputs() const {
  std::vector<HostBuffer> outputs;
  for (const TensorSignature &output : outputTypes) {
    auto buffer = HostBuffer::allocate(output.type, output.shape);
    if (!buffer)
      return buffer.takeError();
    outputs.push_back(std::move(*buffer));
  }
  return outputs;
}

Status Program::bind(ArrayRef<ArgumentShape>) {
  return RuntimeError(ErrorCode::BadUsage,
                      "the program was compiled for one set of sizes");
}
