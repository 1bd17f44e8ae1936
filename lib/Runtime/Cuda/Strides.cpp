//===- Strides.cpp - which memory an array takes --------------------------===//
//
// Answers may be wrong in one direction only: what is not clearly apart
// overlaps.
//
//===----------------------------------------------------------------------===//

#include "Strides.h"

#include <algorithm>

using namespace fuse;

static bool isEmpty(const DeviceArray &array) {
  return std::find(array.shape.begin(), array.shape.end(), 0) !=
         array.shape.end();
}

bool fuse::isRowMajor(const DeviceArray &array) {
  if (array.strides.empty() || isEmpty(array))
    return true;
  int64_t stride = 1;
  for (size_t dim = array.shape.size(); dim-- > 0;) {
    if (array.shape[dim] > 1 && array.strides[dim] != stride)
      return false;
    stride *= array.shape[dim];
  }
  return true;
}

Result<uint64_t> fuse::spannedBytes(const DeviceArray &array) {
  if (isRowMajor(array)) {
    Result<size_t> bytes = requiredBytes(array.type, array.shape);
    if (!bytes)
      return bytes.takeError();
    return uint64_t(*bytes);
  }
  uint64_t elements = 1;
  for (size_t dim = 0; dim < array.shape.size(); ++dim) {
    uint64_t reach = 0;
    if (array.shape[dim] > 1 &&
        (__builtin_mul_overflow(uint64_t(array.shape[dim] - 1),
                                uint64_t(array.strides[dim]), &reach) ||
         __builtin_add_overflow(elements, reach, &elements)))
      elements = ~uint64_t(0);
  }
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(elements, byteSize(array.type), &bytes) ||
      bytes > uint64_t(INT64_MAX))
    return RuntimeError(ErrorCode::BadInput,
                        "its strides reach further than 64 bits count");
  return bytes;
}

bool fuse::repeatsElements(const DeviceArray &array) {
  if (isRowMajor(array))
    return false;
  // From the smallest stride on, each has to step over all before it.
  std::vector<std::pair<int64_t, int64_t>> steps;
  for (size_t dim = 0; dim < array.shape.size(); ++dim)
    if (array.shape[dim] > 1)
      steps.push_back({array.strides[dim], array.shape[dim]});
  std::sort(steps.begin(), steps.end());
  int64_t reached = 0;
  for (auto [stride, size] : steps) {
    if (stride <= reached)
      return true;
    reached += stride * (size - 1);
  }
  return false;
}

namespace {

/// An array as rows of bytes that begin at multiples of a distance.
struct Rows {
  uint64_t begin = 0, bytes = 0, distance = 0;
};

} // namespace

/// One row if there are no gaps.
static std::optional<Rows> rowsOf(const DeviceArray &array) {
  size_t elementBytes = byteSize(array.type);
  Rows rows{array.address, elementBytes, 0};
  bool isRow = true;
  for (size_t dim = array.shape.size(); dim-- > 0;) {
    if (array.shape[dim] <= 1)
      continue;
    uint64_t stride = uint64_t(array.strides[dim]) * elementBytes;
    if (isRow && stride == rows.bytes) {
      rows.bytes *= uint64_t(array.shape[dim]);
      continue;
    }
    isRow = false;
    if (rows.distance == 0)
      rows.distance = stride;
    if (rows.distance == 0 || stride % rows.distance != 0)
      return std::nullopt;
  }
  return rows;
}

bool fuse::overlap(const DeviceArray &a, const DeviceArray &b) {
  if (isEmpty(a) || isEmpty(b))
    return false;
  // Both have been measured before.
  uint64_t bytesOfA = *spannedBytes(a), bytesOfB = *spannedBytes(b);
  if (a.address >= b.address + bytesOfB || b.address >= a.address + bytesOfA)
    return false;
  if (isRowMajor(a) || isRowMajor(b))
    return true;
  std::optional<Rows> rowsOfA = rowsOf(a), rowsOfB = rowsOf(b);
  if (!rowsOfA || !rowsOfB || rowsOfA->distance != rowsOfB->distance)
    return true;
  // On a circle of one distance.
  uint64_t distance = rowsOfA->distance;
  uint64_t fromA =
      (rowsOfB->begin % distance + distance - rowsOfA->begin % distance) %
      distance;
  return fromA < rowsOfA->bytes || fromA + rowsOfB->bytes > distance;
}

uint64_t fuse::strideFor(const BufferPlace &place,
                         std::span<const int64_t> shape, size_t elementBytes,
                         uint32_t dim) {
  constexpr size_t mapUnit = 16;
  if (dim + 1 == shape.size() && shape[dim] <= 1)
    return 1;
  if (shape[dim] <= 1)
    return std::max<size_t>(1, mapUnit / elementBytes);
  if (place.gapped)
    return uint64_t(place.gapped->strides[dim]);
  uint64_t stride = 1;
  for (size_t inner = dim + 1; inner < shape.size(); ++inner)
    stride *= uint64_t(shape[inner]);
  return stride;
}

bool fuse::isInRows(const BufferPlace &place, std::span<const int64_t> shape,
                    size_t elementBytes, uint64_t bytes) {
  for (uint32_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] <= 1)
      continue;
    uint64_t stride = strideFor(place, shape, elementBytes, dim);
    bool isLast = dim + 1 == shape.size();
    if (isLast ? stride != 1
               : stride == 0 || stride * elementBytes % bytes != 0)
      return false;
  }
  return true;
}
