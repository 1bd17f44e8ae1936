//===- Arrays.cpp - arrays that C hands over ------------------------------===//
//
// What can be wrong with them, as far as it can be seen without a driver.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"

#include <algorithm>

using namespace fuse;
using namespace fuse::c;

static RuntimeError badInput(const std::string &name, std::string message) {
  return RuntimeError(ErrorCode::BadInput, name + ": " + std::move(message));
}

Status fuse::c::checkForm(const FuseArray &array, const ImageBuffer &buffer) {
  std::string name = nameArgument(buffer);
  if (fuse_type_bytes(array.type) == 0)
    return badInput(name, "its type is " + std::to_string(array.type) +
                              ", which is none of FuseType");
  if (array.device_kind != FUSE_CPU && array.device_kind != FUSE_CUDA)
    return badInput(name, "its device_kind is " +
                              std::to_string(array.device_kind) +
                              ", which is none of FuseDeviceKind");
  if (array.rank < 0 || (array.rank > 0 && !array.shape))
    return badInput(name, "it has " + std::to_string(array.rank) +
                              " dimensions, but no shape");
  // Nobody's arrays have as many, so they are not read to be shown.
  constexpr int32_t many = 64;
  if (array.rank > many &&
      static_cast<size_t>(array.rank) != buffer.shape.size())
    return badInput(
        name, "it has " + std::to_string(array.rank) + " dimensions, but " +
                  std::to_string(buffer.shape.size()) + " are needed");
  for (int32_t dim = 0; dim < array.rank; ++dim)
    if (array.shape[dim] < 0)
      return badInput(name, "its size " + std::to_string(dim) + " is " +
                                std::to_string(array.shape[dim]));
  for (int32_t dim = 0; array.strides && dim < array.rank; ++dim)
    if (array.strides[dim] < 0 && array.shape[dim] > 1)
      return badInput(name, "its stride " + std::to_string(dim) + " is " +
                                std::to_string(array.strides[dim]) +
                                ", but negative strides are not supported: "
                                "make a copy");
  return Status::success();
}

static std::span<const int64_t> shapeOf(const FuseArray &array) {
  return {array.shape, static_cast<size_t>(array.rank)};
}

/// Strides of dimensions that hold at most one element say nothing.
static bool isRowMajor(const FuseArray &array) {
  int64_t stride = 1;
  for (int32_t dim = array.rank; array.strides && dim-- > 0;) {
    if (array.shape[dim] > 1 && array.strides[dim] != stride)
      return false;
    stride *= array.shape[dim];
  }
  return true;
}

Status fuse::c::checkCpuArray(const FuseArray &array, const ImageBuffer &buffer,
                              std::span<const int64_t> shape) {
  std::string name = nameArgument(buffer);
  if (Status status = checkForm(array, buffer); !status)
    return status;
  auto type = static_cast<ElementType>(array.type);
  if (type != buffer.type)
    return badInput(name, "it has elements of " + std::string(typeName(type)) +
                              ", but " + std::string(typeName(buffer.type)) +
                              " is needed");
  if (!std::ranges::equal(shapeOf(array), shape))
    return badInput(name, "it has the shape " + formatShape(shapeOf(array)) +
                              ", but " + formatShape(shape) + " is needed");
  if (array.device_kind != FUSE_CPU)
    return badInput(name, "it is in the memory of a GPU, but the program runs "
                          "on a processor");
  if (std::ranges::find(shape, 0) != shape.end())
    return Status::success();
  if (!isRowMajor(array)) {
    std::span<const int64_t> strides(array.strides, size_t(array.rank));
    return badInput(name, "its strides are " + formatShape(strides) +
                              " for the shape " + formatShape(shape) +
                              ", but row-major order without gaps is needed: "
                              "make a copy");
  }
  if (!array.data)
    return badInput(name, "its data are NULL");
  if (reinterpret_cast<uintptr_t>(array.data) % byteSize(type) != 0)
    return badInput(name, "its address is not divisible by " +
                              std::to_string(byteSize(type)) +
                              ", as is needed: make a copy");
  return Status::success();
}

namespace {

struct Extent {
  uintptr_t begin = 0, end = 0;
  std::string name;
};

} // namespace

static Extent extentOf(const FuseArray &array, const ImageBuffer &buffer) {
  uint64_t bytes = fuse_type_bytes(array.type);
  for (int64_t size : shapeOf(array))
    bytes *= static_cast<uint64_t>(size);
  auto begin = reinterpret_cast<uintptr_t>(array.data);
  return {begin, begin + bytes, nameArgument(buffer)};
}

Status fuse::c::checkCpuOverlaps(const PlanObject &plan,
                                 std::span<const FuseArray> inputs,
                                 std::span<const FuseArray> outputs) {
  const std::vector<ImageBuffer> &buffers = plan.program->image->buffers;
  std::vector<Extent> others;
  for (size_t i = 0; i < inputs.size(); ++i)
    others.push_back(extentOf(inputs[i], buffers[plan.inputs[i]]));
  for (size_t i = 0; i < outputs.size(); ++i) {
    Extent own = extentOf(outputs[i], buffers[plan.outputs[i]]);
    // What has no elements shares none, wherever it lies.
    for (const Extent &other : others)
      if (own.begin != own.end && other.begin != other.end &&
          own.begin < other.end && other.begin < own.end)
        return badInput(own.name, "it shares memory with " + other.name +
                                      ", but has to be apart");
    others.push_back(std::move(own));
  }
  return Status::success();
}
