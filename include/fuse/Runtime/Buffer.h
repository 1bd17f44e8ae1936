//===- Buffer.h - arrays in the host's memory -------------------*- C++ -*-===//
//
// A HostBuffer owns a dense row-major array of one element type and knows its
// shape. Arguments and results pass between files, the host and devices as
// HostBuffers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_BUFFER_H
#define FUSE_RUNTIME_BUFFER_H

#include "fuse/Runtime/ElementType.h"
#include "fuse/Runtime/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fuse {

/// "128x512", "0x4", or "scalar" for rank 0.
std::string formatShape(std::span<const int64_t> shape);

/// "4.0 TiB", "22.1 GiB", "512 bytes".
std::string formatBytes(uint64_t bytes);

/// How many bytes an array takes, or why there is no such array: a negative
/// size, or more than an address can count. As in numpy the sizes beside a zero
/// must be countable too.
Result<size_t> requiredBytes(ElementType type, std::span<const int64_t> shape);

/// What can be allocated without swapping and without being killed, by what is
/// below `root` in /proc and /sys; absent where Linux does not say so.
std::optional<uint64_t> availableMemory(const std::string &root = "");

/// What every byte of a poisoned buffer of `type` is: what no kernel should
/// leave behind. NaN with all bits set for floats (neither x86 nor a GPU
/// computes that one), 0xAB for integers. An i1 then holds neither 0 nor 1.
uint8_t poisonByte(ElementType type);

class HostBuffer {
public:
  /// Bytes; enough for every vector instruction, and a cache line.
  static constexpr size_t alignment = 64;

  /// Zero-filled. Refuses what does not fit into the memory that is available
  /// at this moment, where the system tells how much that is.
  static Result<HostBuffer> allocate(ElementType type,
                                     std::vector<int64_t> shape);

  // A buffer that was moved from can only be assigned to or destroyed.
  HostBuffer(HostBuffer &&) = default;
  HostBuffer &operator=(HostBuffer &&) = default;

  ElementType type() const { return elementType; }
  const std::vector<int64_t> &shape() const { return sizes; }
  size_t elementCount() const { return bytes / byteSize(elementType); }
  size_t sizeInBytes() const { return bytes; }

  /// Never null, so that an empty array can be passed on like any other.
  void *data() { return memory.get(); }
  const void *data() const { return memory.get(); }

  /// Fills in poisonByte().
  void poison();

  void zero();

private:
  struct Free {
    void operator()(std::byte *memory) const;
  };
  using Memory = std::unique_ptr<std::byte[], Free>;

  HostBuffer(ElementType type, std::vector<int64_t> shape, size_t bytes,
             Memory memory)
      : elementType(type), sizes(std::move(shape)), bytes(bytes),
        memory(std::move(memory)) {}

  ElementType elementType;
  std::vector<int64_t> sizes;
  size_t bytes;
  Memory memory;
};

} // namespace fuse

#endif // FUSE_RUNTIME_BUFFER_H
