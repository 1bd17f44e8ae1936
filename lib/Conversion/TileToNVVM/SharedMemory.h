//===- SharedMemory.h - what lies where in shared memory --------*- C++ -*-===//
//
// Found before any code is written: the buffers of a kernel's tiles in shared
// memory, and the one that trips from registers to registers share. Then, while
// code is written, where barriers have to stand: a buffer must not be read
// before everybody has written it, nor written before everybody has read it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETONVVM_SHAREDMEMORY_H
#define FUSE_LIB_CONVERSION_TILETONVVM_SHAREDMEMORY_H

#include "fuse/Dialect/Tile/Analysis/Collect.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Layout/Conversion.h"

namespace fuse::tile {

/// Bytes, from the start of shared memory.
struct SharedRange {
  int64_t offset = 0, bytes = 0;
  bool overlaps(const SharedRange &other) const {
    return offset < other.offset + other.bytes && other.offset < offset + bytes;
  }
  bool operator==(const SharedRange &other) const {
    return offset == other.offset && bytes == other.bytes;
  }
};

class SharedMemory {
public:
  static mlir::FailureOr<SharedMemory> plan(KernelOp kernel);

  /// How a conversion between registers is done.
  const Conversion &conversionOf(ConvertLayoutOp op) const {
    return conversions.find(op)->second;
  }
  /// The buffer of a conversion, a reduction, a staged store or a ring; empty
  /// if it needs none.
  SharedRange rangeOf(mlir::Operation *op) const { return ranges.lookup(op); }
  /// Where other blocks of a cluster write what they have reduced.
  int64_t exchangeOf(ReduceOp op) const { return exchanges.lookup(op); }
  /// Where blocks of a cluster write what another one collects, and how; for
  /// each source each block has its own place, of so many bytes.
  int64_t collectOf(CollectOp op) const { return collected.lookup(op); }
  const CollectPlan &collectOf(CollectOp op, unsigned source) const {
    return collectPlans.find(op)->second[source];
  }
  static int64_t shareBytes(CollectOp op, unsigned source) {
    return (collectOffset(op, source + 1) - collectOffset(op, source)) /
           op.getBlocks();
  }
  /// Where the barriers of a ring that the copy engine fills begin: for each
  /// slot one that it is filled, then for each one that it is read.
  static constexpr int64_t barrierBytes = 8;
  int64_t barriersOf(RingOp ring) const { return barriers.lookup(ring); }
  /// Whether something else is where a ring is at another time. A ring sees to
  /// its own order, but not to that.
  bool takesTurns(RingOp ring) const { return turns.contains(ring); }
  /// Where products of split numbers write what they make of a factor.
  int64_t splitOffset() const { return split; }
  /// The bytes that each crew has for itself. Where there are several, all but
  /// rings and barriers is in those of the first.
  int64_t bytesOfCrew() const { return ofCrew; }
  int64_t totalBytes() const { return total; }

  /// Where in a slot a part begins.
  static int64_t partOffset(RingType ring, int64_t part);

private:
  struct Users;
  llvm::LogicalResult findUser(mlir::Operation *op, Users &users);
  llvm::LogicalResult planCollects(CollectOp op);
  mlir::FailureOr<int64_t> planConversion(ConvertLayoutOp op);
  void place(KernelOp kernel, const Users &users);
  void findTurns(llvm::ArrayRef<RingOp> rings, int64_t base);

  llvm::DenseMap<mlir::Operation *, Conversion> conversions;
  llvm::DenseMap<mlir::Operation *, SharedRange> ranges;
  llvm::DenseMap<mlir::Operation *, int64_t> barriers, exchanges, collected;
  llvm::DenseMap<mlir::Operation *, std::vector<CollectPlan>> collectPlans;
  llvm::DenseSet<mlir::Operation *> turns;
  int64_t split = 0, ofCrew = 0, total = 0;
};

/// The accesses since the last barrier.
struct Hazards {
  llvm::SmallVector<SharedRange> written, read;

  /// Adds all that `op` and what is in it writes and reads, but for what is
  /// done elsewhere.
  void collect(mlir::Operation *op, const SharedMemory &memory,
               llvm::function_ref<bool(mlir::Operation *)> isElsewhere);
  bool needsBarrierBeforeWrite(const SharedRange &range) const;
  bool needsBarrierBeforeRead(const SharedRange &range) const;
  /// Before a ring is filled whose copies wait for each other anyway.
  bool needsBarrierBeforeFilling(const SharedRange &ring) const;
  void clear() {
    written.clear();
    read.clear();
  }
  void add(const Hazards &other) {
    addNew(written, other.written);
    addNew(read, other.read);
  }

private:
  /// What both branches of an `if` have from before it is there once: of many
  /// in a row it would be there as often as there are ways through them.
  static void addNew(llvm::SmallVectorImpl<SharedRange> &known,
                     llvm::ArrayRef<SharedRange> others) {
    for (const SharedRange &range : others)
      if (!llvm::is_contained(known, range))
        known.push_back(range);
  }
};

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETONVVM_SHAREDMEMORY_H
