//===- Chip.h - for which GPUs code was made --------------------*- C++ -*-===//
//
// NVIDIA's names for what code needs, and which GPU runs it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CHIP_H
#define FUSE_RUNTIME_CHIP_H

#include "fuse/Runtime/Error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fuse {

/// What code uses of a chip, and so where else it runs.
enum class ChipFeatures : uint8_t {
  Portable, ///< sm_80: what every later chip has, too.
  Family,   ///< sm_100f: what later chips of the same major number have.
  Specific, ///< sm_90a: what no other chip needs to have.
};

struct Chip {
  uint32_t major = 0, minor = 0;
  ChipFeatures features = ChipFeatures::Portable;

  /// Reads "sm_90a", "sm_100f" or "sm_120".
  static Result<Chip> parse(std::string_view name);
  std::string str() const;

  /// `device` is the chip of a device; its features are of no interest.
  bool runsPtxOn(const Chip &device) const;
  /// Machine code runs within one major number only.
  bool runsCubinOn(const Chip &device) const;

  bool operator==(const Chip &) const = default;
};

} // namespace fuse

#endif // FUSE_RUNTIME_CHIP_H
