//===- Residents.cpp - how many blocks fit on a processor -----------------===//
//
// The same rules by which tiles are placed, on the numbers of a nest.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Residents.h"
#include "fuse/Layout/RoleRegisters.h"
#include "llvm/ADT/bit.h"

using namespace fuse;

bool BlockNeeds::fit(int64_t residents, double sharedBytes) const {
  constexpr double sumsOfWarp = 32 * 32, bytesOfWarp = 32 * 4;
  if (!areByGroups())
    return false;
  double mostWarps = std::min(8.0, rows / 16);
  int64_t warps = llvm::bit_floor(
      static_cast<uint64_t>(std::clamp(sums / sumsOfWarp, 4.0, mostWarps)));
  constexpr int64_t mostThreads = 2048, lanes = 32;
  if ((warps + RoleRegisters::loadWarps) * lanes * residents > mostThreads)
    return false;
  RoleRegisters registers = RoleRegisters::of(warps, residents);
  // Addresses and counters, and what is on its way from one type to another.
  constexpr double addresses = 18, least = 34;
  double others =
      std::max(addresses + factorBytes / (warps * bytesOfWarp), least);
  if (liveBytes / (warps * bytesOfWarp) + others > registers.math)
    return false;
  constexpr double mostColumns = 256;
  if (!registers.areEnoughFor(std::min(columns, mostColumns)))
    return false;
  // A block takes a KiB beside its own, and barriers theirs; with less than two
  // slots nothing is on its way.
  constexpr double perBlock = 1024, barriers = 1024, slots = 2;
  double own = (sharedBytes + perBlock) / residents - perBlock - barriers;
  return heldBytes + stagedBytes + slots * slotBytes <= own;
}
