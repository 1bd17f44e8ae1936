//===- Strand.h - warps that go through ops together ------------*- C++ -*-===//
//
// A role, or all warps of a block where there are no roles: where it stands,
// and what it has set off.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_STRAND_H
#define FUSE_LIB_SIMULATE_STRAND_H

#include "Array.h"
#include "mlir/IR/Block.h"
#include <deque>

namespace fuse::simulate {

class Ring;
struct Issue;
struct Memory;

enum class Outcome : uint8_t { Done, Blocked, Failed };

/// A part of a number of a ring. Read when it is needed, not before.
struct SharedTile {
  Ring *ring = nullptr;
  int64_t number = 0, part = 0;
  /// Axis `i` is axis `permutation[i]` of the part; empty where none has moved.
  llvm::SmallVector<int64_t, 4> permutation;
};

/// A pending sum and a group are both the product that they belong to.
using IssuePtr = std::shared_ptr<Issue>;
using SimulatedValue = std::variant<std::monostate, ArrayPtr, SharedTile,
                                    IssuePtr, Ring *, Memory *>;

/// A copy that has been set off.
struct Flight {
  mlir::Operation *op = nullptr;
  ArrayPtr tile;
  /// The ring of the block that has set it off, and whether it brings a share
  /// only, beside one of every other block.
  const Ring *from = nullptr;
  bool isShare = false;
  uint64_t arrival = 0;
  bool hasLanded = false;
  /// Which group of its strand's copies it belongs to.
  uint64_t commit = 0;
};
using FlightPtr = std::shared_ptr<Flight>;

/// A block of ops that is being gone through.
struct Frame {
  mlir::Block *block = nullptr;
  mlir::Block::iterator next;
  /// Of a loop's body.
  int64_t round = 0, end = 0, step = 0;
};

struct Strand {
  /// The kernel or the role.
  mlir::Operation *op = nullptr;
  /// Of a role with several crews which one it is, and what this one has made:
  /// others make the same values.
  unsigned crew = 0;
  bool isCrew = false;
  llvm::DenseMap<mlir::Value, SimulatedValue> values;
  std::vector<Frame> frames;
  /// How many of the roles that it has begun have not ended.
  unsigned openRoles = 0;
  bool hasBegunRoles = false;
  Strand *parent = nullptr;

  /// How often all of its threads have waited for each other.
  uint64_t barriers = 0;
  /// Groups of copies so far, copies of the next one, and those under way.
  uint64_t commits = 0;
  std::vector<FlightPtr> uncommitted, committed;
  /// Products so far, and those under way, the oldest first.
  uint64_t issues = 0;
  std::deque<IssuePtr> products;

  bool hasEnded() const { return frames.empty(); }
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_STRAND_H
