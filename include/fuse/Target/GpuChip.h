//===- GpuChip.h - which GPU code is made for -------------------*- C++ -*-===//
//
// A chip by NVIDIA's name of its architecture, and the limits that code for it
// keeps.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TARGET_GPUCHIP_H
#define FUSE_TARGET_GPUCHIP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace fuse {

struct GpuChip {
  /// "sm_80", "sm_90a": how ptxas and LLVM call it.
  std::string name;
  /// Ten times the compute capability: 80, 90.
  unsigned capability = 0;
  /// Whether the code uses what only this very architecture has.
  bool isSpecific = false;
  /// The oldest version of PTX that has all we use, ten times: 80 for 8.0.
  unsigned ptxVersion = 0;
  /// The most shared memory that one block may ask for.
  unsigned sharedBytes = 0;
  /// What all blocks on one multiprocessor have together.
  unsigned residentWarps = 0, residentBlocks = 0;

  /// How many blocks of a kernel one multiprocessor runs at a time: 0 if it has
  /// not enough for one. `registers` are those of a thread.
  unsigned residentBlocksOf(unsigned warps, unsigned registers,
                            unsigned sharedBytes) const;

  /// Whether four warps can multiply together, by wgmma.
  bool hasWarpgroups() const { return isSpecific && capability == 90; }
  /// Whether blocks can form clusters, and write to each other.
  bool hasClusters() const { return capability >= 90; }
  /// Whether a kernel can begin before those before it have ended.
  bool beginsEarly() const { return capability >= 90; }
  /// Whether one instruction rounds an f32 to what tf32 holds of it.
  bool roundsToTf32() const { return capability >= 90; }

  /// The chip of that name, if code can be made for it.
  static std::optional<GpuChip> byName(llvm::StringRef name);
  /// All of them, the oldest first.
  static llvm::ArrayRef<GpuChip> all();
};

/// "sm_80, sm_86, ...", for messages.
std::string listGpuChips();

} // namespace fuse

#endif // FUSE_TARGET_GPUCHIP_H
