//===- GpuChip.cpp - which GPU code is made for ---------------------------===//
//
// The table.
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/GpuChip.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fuse;

llvm::ArrayRef<GpuChip> GpuChip::all() {
  // Of the architectures that share a limit, the programming guide's table
  // "Technical Specifications per Compute Capability".
  static const GpuChip chips[] = {
      {"sm_80", 80, false, 70, 163 << 10},
      {"sm_86", 86, false, 71, 99 << 10},
      {"sm_89", 89, false, 78, 99 << 10},
      {"sm_90", 90, false, 78, 227 << 10},
      {"sm_90a", 90, true, 80, 227 << 10},
      {"sm_100", 100, false, 86, 227 << 10},
      {"sm_120", 120, false, 87, 99 << 10},
  };
  return chips;
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
