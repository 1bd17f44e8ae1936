//===- Image.cpp - what a compiler leaves for a GPU -----------------------===//
//
// Making the parts of an Image, and binding sizes to one.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Image.h"

#include <algorithm>

using namespace fuse;

static RuntimeError badInput(std::string message) {
  return RuntimeError(ErrorCode::BadInput, std::move(message));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

std::string CodeVersion::str() const {
  return std::to_string(major) + "." + std::to_string(minor);
}

KernelParameter KernelParameter::pointer(uint32_t buffer, bool isWritten) {
  KernelParameter parameter;
  parameter.kind = Kind::Pointer;
  parameter.buffer = buffer;
  parameter.isWritten = isWritten;
  return parameter;
}

KernelParameter KernelParameter::scalar64(SizeExpression value) {
  KernelParameter parameter;
  parameter.kind = Kind::Scalar64;
  parameter.value = std::move(value);
  return parameter;
}

KernelParameter KernelParameter::scalar32(SizeExpression value) {
  KernelParameter parameter;
  parameter.kind = Kind::Scalar32;
  parameter.value = std::move(value);
  return parameter;
}

KernelParameter KernelParameter::tensorMap(fuse::TensorMap map,
                                           bool isWritten) {
  KernelParameter parameter;
  parameter.kind = Kind::TensorMap;
  parameter.map = std::move(map);
  parameter.isWritten = isWritten;
  return parameter;
}

KernelParameter KernelParameter::stride(uint32_t buffer, uint32_t dim) {
  KernelParameter parameter;
  parameter.kind = Kind::Stride;
  parameter.buffer = buffer;
  parameter.dim = dim;
  return parameter;
}

std::optional<uint32_t> KernelParameter::accessedBuffer() const {
  if (kind == Kind::Pointer)
    return buffer;
  if (kind == Kind::TensorMap)
    return map.buffer;
  return std::nullopt;
}

Condition Condition::divisible(SizeExpression lhs, SizeExpression rhs) {
  return {Kind::Divisible, std::move(lhs), std::move(rhs), 0};
}

Condition Condition::equal(SizeExpression lhs, SizeExpression rhs) {
  return {Kind::Equal, std::move(lhs), std::move(rhs), 0};
}

Condition Condition::lessEqual(SizeExpression lhs, SizeExpression rhs) {
  return {Kind::LessEqual, std::move(lhs), std::move(rhs), 0};
}

Condition Condition::aligned(uint32_t buffer, int64_t bytes) {
  return {Kind::Aligned, 0, bytes, buffer};
}

Condition Condition::contiguous(uint32_t buffer) {
  return {Kind::Contiguous, 0, 0, buffer};
}

Condition Condition::rows(uint32_t buffer, int64_t bytes) {
  return {Kind::Rows, 0, bytes, buffer};
}

static std::vector<uint32_t> buffersOfKind(const Image &image,
                                           ImageBuffer::Kind kind) {
  std::vector<uint32_t> result;
  for (uint32_t i = 0; i < image.buffers.size(); ++i)
    if (image.buffers[i].kind == kind) {
      uint32_t number = image.buffers[i].number;
      // A number out of range is what checkImage complains about.
      if (number >= image.buffers.size())
        continue;
      if (result.size() <= number)
        result.resize(number + 1);
      result[number] = i;
    }
  return result;
}

std::vector<uint32_t> Image::inputs() const {
  return buffersOfKind(*this, ImageBuffer::Kind::Input);
}

std::vector<uint32_t> Image::outputs() const {
  return buffersOfKind(*this, ImageBuffer::Kind::Output);
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

Result<bool> fuse::holds(const Condition &condition,
                         const SizeBindings &bindings) {
  assert(!condition.isAboutMemory() && "sizes say nothing about memory");
  Result<int64_t> lhs = condition.lhs.evaluate(bindings);
  if (!lhs)
    return lhs.takeError();
  Result<int64_t> rhs = condition.rhs.evaluate(bindings);
  if (!rhs)
    return rhs.takeError();
  switch (condition.kind) {
  case Condition::Kind::Divisible:
    // The lowest number modulo -1 traps, and 0 divides nothing.
    return *rhs == -1 || (*rhs != 0 && *lhs % *rhs == 0);
  case Condition::Kind::Equal:
    return *lhs == *rhs;
  case Condition::Kind::LessEqual:
    return *lhs <= *rhs;
  case Condition::Kind::Aligned:
  case Condition::Kind::Contiguous:
  case Condition::Kind::Rows:
    break;
  }
  __builtin_unreachable();
}

/// ", but in0.size(0) is 5 and scalar0 is 2": what the condition speaks of.
static std::string describeFound(const Condition &condition,
                                 const SizeBindings &bindings) {
  std::vector<SizeExpression> found;
  for (const SizeExpression *side : {&condition.lhs, &condition.rhs})
    for (const SizeExpression::Step &step : side->steps()) {
      if (step.kind != SizeExpression::Kind::Size &&
          step.kind != SizeExpression::Kind::Scalar)
        continue;
      SizeExpression leaf = step.kind == SizeExpression::Kind::Size
                                ? SizeExpression::size(step.number, step.dim)
                                : SizeExpression::scalar(step.number);
      if (std::ranges::find(found, leaf) == found.end())
        found.push_back(leaf);
    }
  std::string text;
  for (const SizeExpression &leaf : found)
    if (Result<int64_t> value = leaf.evaluate(bindings))
      text += (text.empty() ? ", but " : " and ") + leaf.str() + " is " +
              std::to_string(*value);
  return text;
}

Status fuse::checkRequirements(std::span<const Requirement> requirements,
                               const SizeBindings &bindings) {
  for (const Requirement &requirement : requirements) {
    Result<bool> isMet = holds(requirement.condition, bindings);
    if (!isMet)
      return std::move(isMet.takeError()).withContext(requirement.message);
    // Nothing in it is about a buffer, which has a name.
    if (!*isMet)
      return badInput(requirement.message + ": needed is " +
                      describe(requirement.condition, Image()) +
                      describeFound(requirement.condition, bindings));
  }
  return Status::success();
}

static std::string nameInput(const ImageBuffer &input) {
  return "input " + std::to_string(input.number) + " '" + input.name + "'";
}

static Status checkShape(const ImageBuffer &input,
                         const SizeBindings &bindings) {
  const std::vector<int64_t> &found = bindings.shapes[input.number];
  if (found.size() != input.shape.size())
    return badInput(nameInput(input) + " has the shape " + formatShape(found) +
                    ", but " + formatShape(input.shape) + " is needed");
  if (Result<size_t> bytes = requiredBytes(input.type, found); !bytes)
    return std::move(bytes.takeError()).withContext(nameInput(input));
  for (uint32_t dim = 0; dim < found.size(); ++dim) {
    Result<int64_t> needed = input.shape[dim].evaluate(bindings);
    if (!needed)
      return std::move(needed.takeError()).withContext(nameInput(input));
    if (found[dim] == *needed)
      continue;
    std::string why =
        input.shape[dim].constant() ? "" : " (" + input.shape[dim].str() + ")";
    return badInput(nameInput(input) + " has the shape " + formatShape(found) +
                    ", but its size " + std::to_string(dim) + " has to be " +
                    std::to_string(*needed) + why);
  }
  return Status::success();
}

Status fuse::checkBindings(const Image &image, const SizeBindings &bindings) {
  std::vector<uint32_t> inputs = image.inputs();
  if (bindings.shapes.size() != inputs.size())
    return RuntimeError(ErrorCode::BadUsage,
                        "'" + image.name + "' takes " +
                            std::to_string(inputs.size()) + " inputs, but " +
                            std::to_string(bindings.shapes.size()) +
                            " were given");
  if (bindings.scalars.size() != image.scalars.size())
    return RuntimeError(
        ErrorCode::BadUsage,
        "'" + image.name + "' takes " + std::to_string(image.scalars.size()) +
            " scalars, but " + std::to_string(bindings.scalars.size()) +
            " were given");
  for (uint32_t buffer : inputs)
    if (Status status = checkShape(image.buffers[buffer], bindings); !status)
      return status;
  return checkRequirements(image.requirements, bindings);
}

Result<SizeBindings> fuse::bindSizes(const Image &image,
                                     std::span<const HostBuffer *const> inputs,
                                     std::span<const int64_t> scalars) {
  SizeBindings bindings;
  for (const HostBuffer *input : inputs)
    bindings.shapes.push_back(input->shape());
  bindings.scalars.assign(scalars.begin(), scalars.end());
  if (Status status = checkBindings(image, bindings); !status)
    return status.takeError();
  for (uint32_t number : image.inputs()) {
    const ImageBuffer &buffer = image.buffers[number];
    ElementType found = inputs[buffer.number]->type();
    if (found != buffer.type)
      return badInput(nameInput(buffer) + " has elements of " +
                      std::string(typeName(found)) + ", but " +
                      std::string(typeName(buffer.type)) + " is needed");
  }
  return bindings;
}
