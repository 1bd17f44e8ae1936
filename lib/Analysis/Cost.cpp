//===- Cost.cpp - how the costs of launches add up ------------------------===//
//
// Those of a kernel, which is several launches where it is split.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/CostModel.h"

using namespace fuse;

void Cost::add(const Cost &other) {
  seconds += other.seconds;
  memoryBytes += other.memoryBytes;
  cacheBytes += other.cacheBytes;
  dotSeconds += other.dotSeconds;
  otherSeconds += other.otherSeconds;
  blocks = std::max(blocks, other.blocks);
  onChipBytes = std::max(onChipBytes, other.onChipBytes);
  residents = std::max(residents, other.residents);
  isChoosing |= other.isChoosing;
  share = std::max(share, other.share);
  if (cluster.empty())
    cluster = other.cluster;
  crews = std::max(crews, other.crews);
  warps = std::max(warps, other.warps);
  isStreaming |= other.isStreaming;
  reducesRows |= other.reducesRows;
  onlyReducesRows |= other.onlyReducesRows;
  hasRounds |= other.hasRounds;
  fits &= other.fits;
}
