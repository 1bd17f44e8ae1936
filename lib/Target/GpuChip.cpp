//===- GpuChip.cpp - which GPU code is made for ---------------------------===//
//
// The table.
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/GpuChip.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace fuse;

llvm::ArrayRef<GpuChip> GpuChip::all() {
  // Of the architectures that share a limit, the programming guide's table
  // "Technical Specifications per Compute Capability".
  static const GpuChip chips[] = {
      {"sm_80", 80, false, 70, 163 << 10, 64, 32},
      {"sm_86", 86, false, 71, 99 << 10, 48, 16},
      {"sm_89", 89, false, 78, 99 << 10, 48, 24},
      {"sm_90", 90, false, 80, 227 << 10, 64, 32},
      {"sm_90a", 90, true, 80, 227 << 10, 64, 32},
      {"sm_100", 100, false, 86, 227 << 10, 64, 32},
      {"sm_120", 120, false, 87, 99 << 10, 48, 24},
  };
  return chips;
}

unsigned GpuChip::residentBlocksOf(unsigned warps, unsigned registers,
                                   unsigned sharedBytes) const {
  // The same on all of these chips: 65536 registers, of which a warp gets 256
  // at a time; 1 KiB of shared memory that each block loses to the system, and
  // so much more than the largest block may have that one of these fits.
  constexpr unsigned allRegisters = 1 << 16, registerUnit = 256;
  constexpr unsigned systemBytes = 1 << 10, sharedUnit = 128;
  unsigned ofWarp = llvm::alignTo(std::max(1u, registers) * 32, registerUnit);
  unsigned ofBlock = llvm::alignTo(sharedBytes, sharedUnit) + systemBytes;
  // Warps are divided among four schedulers, registers too.
  unsigned warpsByRegisters = allRegisters / 4 / ofWarp * 4;
  return std::min({residentBlocks, residentWarps / warps,
                   warpsByRegisters / warps,
                   (this->sharedBytes + systemBytes) / ofBlock});
}

std::optional<GpuChip> GpuChip::byName(llvm::StringRef name) {
  for (const GpuChip &chip : all())
    if (chip.name == name)
      return chip;
  return std::nullopt;
}

std::string fuse::listGpuChips() {
  return llvm::join(llvm::map_range(GpuChip::all(),
                                    [](const GpuChip &chip) -> const auto & {
                                      return chip.name;
                                    }),
                    ", ");
}
