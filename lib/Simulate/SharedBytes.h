//===- SharedBytes.h - who touched a block's shared memory ------*- C++ -*-===//
//
// For each byte who wrote it last, and who has read it since. Whoever touches
// it has to come behind: barriers say what does.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_SHAREDBYTES_H
#define FUSE_LIB_SIMULATE_SHAREDBYTES_H

#include "Clock.h"
#include "mlir/IR/Operation.h"
#include <memory>

namespace fuse::simulate {

struct ByteRange {
  int64_t begin, end;

  bool overlaps(ByteRange other) const {
    return begin < other.end && other.begin < end;
  }
};

/// Who touches memory, and what is known to have happened before.
struct Toucher {
  mlir::Operation *op;
  Moment when;
  const Clock *clock;
  /// The copy engine or a tensor core, which see what threads write behind a
  /// fence only.
  bool isEngine = false;
  /// Its block in the cluster, and how often its warp has come to the op: what
  /// several warps of a block write together are copies of one number.
  unsigned block = 0;
  uint64_t visit = 0;
};

/// A read of the engine that may be going on.
struct EngineRead {
  mlir::Operation *op;
  ByteRange range;
  bool isDone = false;
};

/// A fence behind which what one actor has written is visible to all: until
/// which time, and when and by which warp that is done.
struct Fence {
  uint64_t covered;
  Moment when;
};

class SharedBytes {
public:
  /// `fences[a]` are those of actor `a`, the oldest first.
  SharedBytes(int64_t bytes, llvm::ArrayRef<std::vector<Fence>> fences)
      : cells(bytes), fences(fences) {}

  llvm::LogicalResult read(ByteRange range, const Toucher &toucher);
  llvm::LogicalResult write(ByteRange range, const Toucher &toucher);
  /// Begins what `finish` ends.
  llvm::FailureOr<std::shared_ptr<EngineRead>>
  beginRead(ByteRange range, const Toucher &toucher);
  void finishRead(EngineRead &read, const Toucher &toucher);
  /// Null if the engine reads nothing any more.
  const EngineRead *openRead() const;

private:
  struct Access {
    mlir::Operation *op;
    Moment when;
    bool isEngine;
    unsigned block;
    uint64_t visit;
  };
  /// Numbers of accesses, counted from 1.
  struct Cell {
    uint32_t write = 0;
    llvm::SmallVector<uint32_t, 1> reads;
  };

  uint32_t add(const Toucher &toucher);
  void addReader(Cell &cell, uint32_t number);
  bool isBehind(const Access &access, const Toucher &toucher) const;
  bool isVisible(const Access &write, const Toucher &toucher) const;
  llvm::LogicalResult checkRange(ByteRange range, mlir::Operation *op) const;
  llvm::LogicalResult checkWritten(const Cell &cell, int64_t at,
                                   const Toucher &toucher, bool isRead) const;

  std::vector<Cell> cells;
  std::vector<Access> accesses;
  std::vector<std::shared_ptr<EngineRead>> open;
  llvm::ArrayRef<std::vector<Fence>> fences;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_SHAREDBYTES_H
