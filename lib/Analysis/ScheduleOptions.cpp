//===- ScheduleOptions.cpp - schedules for the nest builder ---------------===//
//
// Translates names.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/ScheduleOptions.h"

using namespace mlir;
using namespace fuse;

LoopName fuse::loopNameOf(const IndexVar &var) {
  LoopName name;
  name.isSymbol = !var.size.isNumber();
  name.size = name.isSymbol ? var.size.getSymbol() : var.size.getNumber();
  name.level = var.level;
  return name;
}

Schedule::Owned fuse::ownedOf(OwnedVars owned, const KernelElements &kernel) {
  Schedule::Owned own;
  own.last = llvm::popcount(owned);
  if (owned == kernel.lastVars(own.last))
    return own;
  own.last = 0;
  for (unsigned place = 0; place < kernel.numOutputVars(); ++place)
    if (owns(owned, place))
      own.places.push_back(place);
  return own;
}

NestOptions fuse::nestOptionsFor(ScheduleAttr attribute,
                                 const KernelElements &kernel) {
  NestOptions options;
  if (!attribute)
    return options;
  const Schedule &schedule = attribute.getValue();
  for (auto [place, tile] : llvm::enumerate(schedule.parallel)) {
    IndexVar var;
    var.level = IndexVar::kOutput;
    var.place = static_cast<int32_t>(place);
    options.sizes.set(var, tile);
  }
  for (const Schedule::Loop &loop : schedule.sequential) {
    IndexVar var;
    var.size = loop.name.isSymbol ? Size::symbol(loop.name.size)
                                  : Size::number(loop.name.size);
    var.level = loop.name.level;
    options.sizes.set(var, loop.tile);
  }
  if (schedule.owned) {
    options.owned = kernel.lastVars(schedule.owned->last);
    for (int64_t place : schedule.owned->places)
      if (place < std::numeric_limits<OwnedVars>::digits)
        *options.owned |= OwnedVars(1) << place;
  }
  options.split = schedule.split;
  options.mergesInCluster = schedule.merge == MergePlace::Cluster;
  for (const Schedule::Cascade &cascade : schedule.cascades)
    options.cascades.push_back({static_cast<unsigned>(cascade.reduction),
                                static_cast<unsigned>(cascade.statistic),
                                cascade.strategy});
  return options;
}
