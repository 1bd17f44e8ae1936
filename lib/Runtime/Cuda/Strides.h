//===- Strides.h - which memory an array takes ------------------*- C++ -*-===//
//
// Arrays may have gaps between their rows, and lie in each other's gaps.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_RUNTIME_CUDA_STRIDES_H
#define FUSE_LIB_RUNTIME_CUDA_STRIDES_H

#include "fuse/Runtime/Cuda/Executor.h"

namespace fuse {

/// Whether an array is row-major without gaps. Strides of dimensions that hold
/// at most one element say nothing, nor do those of an array without elements.
bool isRowMajor(const DeviceArray &array);

/// The bytes from the first element to the last one; fails for what no address
/// can count. No stride is negative.
Result<uint64_t> spannedBytes(const DeviceArray &array);

/// Whether two elements may be one.
bool repeatsElements(const DeviceArray &array);

/// Whether two arrays may have a byte in common. Those that begin in each
/// other's gaps do not if their rows are equally far apart.
bool overlap(const DeviceArray &a, const DeviceArray &b);

/// Where a buffer lies.
struct BufferPlace {
  DevicePointer address = 0;
  /// An argument with gaps; else null.
  const DeviceArray *gapped = nullptr;
};

/// What a kernel gets as a stride, in elements. Where there is at most one
/// element in the dimension it says nothing, and is what suits tensor maps.
uint64_t strideFor(const BufferPlace &place, std::span<const int64_t> shape,
                   size_t elementBytes, uint32_t dim);

/// Whether elements of the last dimension follow each other, and the other
/// strides are divisible by so many bytes.
bool isInRows(const BufferPlace &place, std::span<const int64_t> shape,
              size_t elementBytes, uint64_t bytes);

} // namespace fuse

#endif // FUSE_LIB_RUNTIME_CUDA_STRIDES_H
