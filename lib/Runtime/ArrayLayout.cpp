//===- ArrayLayout.cpp - dense arrays with gaps between them --------------===//
//
// Elements are moved one by one: this is for tests.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/ArrayLayout.h"

#include <algorithm>
#include <cstring>

using namespace fuse;

static RuntimeError badInput(std::string message) {
  return RuntimeError(ErrorCode::BadInput, std::move(message));
}

std::vector<int64_t> fuse::rowMajorStrides(std::span<const int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

Result<int64_t> fuse::laidOutElements(const ArrayLayout &layout,
                                      std::span<const int64_t> shape) {
  if (layout.strides.size() != shape.size())
    return badInput(std::to_string(layout.strides.size()) +
                    " strides for the shape " + formatShape(shape));
  if (layout.offset < 0)
    return badInput("the offset " + std::to_string(layout.offset) +
                    " is negative");
  std::vector<std::pair<int64_t, int64_t>> steps;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] == 0)
      return layout.offset;
    if (layout.strides[dim] < 0)
      return badInput("the stride " + std::to_string(layout.strides[dim]) +
                      " is negative");
    if (shape[dim] > 1)
      steps.push_back({layout.strides[dim], shape[dim]});
  }
  std::sort(steps.begin(), steps.end());
  int64_t last = 0;
  for (auto [stride, size] : steps) {
    int64_t reach = 0;
    if (stride <= last)
      return badInput("the strides " + formatShape(layout.strides) +
                      " put elements of the shape " + formatShape(shape) +
                      " into one place");
    if (__builtin_mul_overflow(stride, size - 1, &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return badInput("the strides " + formatShape(layout.strides) +
                      " reach further than 64 bits count");
  }
  int64_t elements = 0;
  if (__builtin_add_overflow(last, layout.offset, &elements) ||
      __builtin_add_overflow(elements, 1, &elements))
    return badInput("the offset " + std::to_string(layout.offset) +
                    " reaches further than 64 bits count");
  return elements;
}

/// Calls `function` with the number of each element in the dense array, and in
/// the memory.
template <typename F>
static void forEachElement(std::span<const int64_t> shape,
                           const ArrayLayout &layout, F function) {
  size_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  std::vector<int64_t> place(shape.size(), 0);
  int64_t at = layout.offset;
  for (size_t i = 0; i < count; ++i) {
    function(i, static_cast<size_t>(at));
    for (size_t dim = shape.size(); dim-- > 0;) {
      at += layout.strides[dim];
      if (++place[dim] < shape[dim])
        break;
      at -= layout.strides[dim] * shape[dim];
      place[dim] = 0;
    }
  }
}

Result<HostBuffer> fuse::layOut(const HostBuffer &dense,
                                const ArrayLayout &layout) {
  Result<int64_t> elements = laidOutElements(layout, dense.shape());
  if (!elements)
    return elements.takeError();
  Result<HostBuffer> memory = HostBuffer::allocate(dense.type(), {*elements});
  if (!memory)
    return memory.takeError();
  memory->poison();
  size_t bytes = byteSize(dense.type());
  auto *to = static_cast<std::byte *>(memory->data());
  const auto *from = static_cast<const std::byte *>(dense.data());
  forEachElement(dense.shape(), layout, [&](size_t element, size_t at) {
    std::memcpy(to + at * bytes, from + element * bytes, bytes);
  });
  return memory;
}

Status fuse::gather(const HostBuffer &memory, const ArrayLayout &layout,
                    HostBuffer &dense) {
  size_t bytes = byteSize(dense.type());
  auto *to = static_cast<std::byte *>(dense.data());
  const auto *from = static_cast<const std::byte *>(memory.data());
  std::vector<bool> isElement(memory.elementCount(), false);
  forEachElement(dense.shape(), layout, [&](size_t element, size_t at) {
    std::memcpy(to + element * bytes, from + at * bytes, bytes);
    isElement[at] = true;
  });
  auto poison = std::byte(poisonByte(dense.type()));
  for (size_t at = 0; at < isElement.size(); ++at)
    if (!isElement[at] &&
        !std::all_of(from + at * bytes, from + (at + 1) * bytes,
                     [&](std::byte byte) { return byte == poison; }))
      return RuntimeError(ErrorCode::Device,
                          "element " + std::to_string(at) +
                              " of its memory is in a gap, but was written");
  return Status::success();
}
