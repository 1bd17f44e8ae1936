//===- Buffer.cpp - arrays in the host's memory ---------------------------===//
//
// Sizes are checked before anything is allocated: an absurd shape ends in an
// error that names it, not in a killed process.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Buffer.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

using namespace fuse;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string fuse::formatShape(std::span<const int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t size : shape) {
    if (!text.empty())
      text += 'x';
    text += std::to_string(size);
  }
  return text;
}

std::string fuse::formatBytes(uint64_t bytes) {
  static constexpr const char *units[] = {"KiB", "MiB", "GiB",
                                          "TiB", "PiB", "EiB"};
  if (bytes < 1024)
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  double amount = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  // What would be printed as 1024.0 of a unit is 1.0 of the next.
  for (; amount >= 1023.95 && unit + 1 < std::size(units); ++unit)
    amount /= 1024;
  // Not printf, whose decimal point depends on the locale.
  char digits[16];
  char *end = std::to_chars(digits, digits + sizeof(digits), amount,
                            std::chars_format::fixed, /*precision=*/1)
                  .ptr;
  return std::string(digits, end) + ' ' + units[unit];
}

static std::string describe(ElementType type, std::span<const int64_t> shape) {
  return "a buffer of shape " + formatShape(shape) + " of " +
         std::string(typeName(type));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Result<size_t> fuse::requiredBytes(ElementType type,
                                   std::span<const int64_t> shape) {
  // The largest difference of two pointers, which also bounds every index.
  constexpr size_t limit = std::numeric_limits<ptrdiff_t>::max();
  size_t bytes = byteSize(type);
  bool isEmpty = false;
  bool overflows = false;
  for (int64_t size : shape) {
    if (size < 0)
      return RuntimeError(ErrorCode::BadInput, describe(type, shape) +
                                                   " has the negative size " +
                                                   std::to_string(size));
    if (size == 0)
      isEmpty = true;
    else if (bytes > limit / static_cast<size_t>(size))
      overflows = true;
    else
      bytes *= static_cast<size_t>(size);
  }
  if (overflows)
    return RuntimeError(ErrorCode::BadInput,
                        describe(type, shape) + " needs more than " +
                            formatBytes(limit) + ", the most there can be");
  return isEmpty ? 0 : bytes;
}

//===----------------------------------------------------------------------===//
// HostBuffer
//===----------------------------------------------------------------------===//

void HostBuffer::Free::operator()(std::byte *memory) const {
  std::free(memory);
}

/// Yields nothing where there is none. Not by an operator new, even one that
/// does not throw: LLVM has a handler that ends the process.
static void *allocateAligned(size_t bytes) {
  constexpr size_t step = HostBuffer::alignment;
  return std::aligned_alloc(step, (bytes / step + 1) * step);
}

Result<HostBuffer> HostBuffer::allocate(ElementType type,
                                        std::vector<int64_t> shape) {
  Result<size_t> bytes = requiredBytes(type, shape);
  if (!bytes)
    return bytes.takeError();

  // Reading the file costs more than a small allocation does.
  constexpr size_t worthAsking = 1 << 20;
  if (*bytes >= worthAsking)
    if (std::optional<uint64_t> available = availableMemory();
        available && *bytes > *available)
      return RuntimeError(ErrorCode::Unsupported,
                          describe(type, shape) + " needs " +
                              formatBytes(*bytes) + ", but " +
                              formatBytes(*available) + " are available");

  Memory memory(static_cast<std::byte *>(allocateAligned(*bytes)));
  if (!memory)
    return RuntimeError(ErrorCode::Unsupported,
                        describe(type, shape) + " needs " +
                            formatBytes(*bytes) +
                            ", which the system does not grant");
  HostBuffer buffer(type, std::move(shape), *bytes, std::move(memory));
  // Not only for the contents: untouched memory is not yet taken from what is
  // available, and the next buffer would be promised the same pages again.
  buffer.zero();
  return buffer;
}

uint8_t fuse::poisonByte(ElementType type) {
  return isFloat(type) ? 0xFF : 0xAB;
}

void HostBuffer::poison() {
  std::memset(memory.get(), poisonByte(elementType), bytes);
}

void HostBuffer::zero() { std::memset(memory.get(), 0, bytes); }
