//===- ArrayLayout.h - dense arrays with gaps between them ------*- C++ -*-===//
//
// Data on the host are dense. Arguments of kernels need not be: they may be
// columns of a larger matrix, or begin in the middle of something. Tests lay
// dense data out in such ways, and look at the gaps afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_ARRAYLAYOUT_H
#define FUSE_RUNTIME_ARRAYLAYOUT_H

#include "fuse/Runtime/Buffer.h"

namespace fuse {

/// In elements.
struct ArrayLayout {
  /// From the start of memory, which is aligned to whatever vectors need.
  int64_t offset = 0;
  /// One for each dimension.
  std::vector<int64_t> strides;
};

/// The row-major strides of an array without gaps.
std::vector<int64_t> rowMajorStrides(std::span<const int64_t> shape);

/// How many elements the memory has, or why an array of `shape` cannot lie so:
/// a negative stride or offset, or two elements in one place.
Result<int64_t> laidOutElements(const ArrayLayout &layout,
                                std::span<const int64_t> shape);

/// A memory, as an array of one dimension, that holds `dense` and poison around
/// its elements.
Result<HostBuffer> layOut(const HostBuffer &dense, const ArrayLayout &layout);

/// Takes the elements out of a memory that was poisoned before. Fails if
/// something is left around them that is no poison.
Status gather(const HostBuffer &memory, const ArrayLayout &layout,
              HostBuffer &dense);

/// Of inputs and outputs; those without are dense.
struct ArgumentLayouts {
  std::vector<std::optional<ArrayLayout>> inputs, outputs;

  const ArrayLayout *input(size_t number) const { return at(inputs, number); }
  const ArrayLayout *output(size_t number) const { return at(outputs, number); }

private:
  static const ArrayLayout *
  at(const std::vector<std::optional<ArrayLayout>> &layouts, size_t number) {
    return number < layouts.size() && layouts[number] ? &*layouts[number]
                                                      : nullptr;
  }
};

} // namespace fuse

#endif // FUSE_RUNTIME_ARRAYLAYOUT_H
