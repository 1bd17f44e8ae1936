//===- Ring.h - slots that are filled and read in turn ----------*- C++ -*-===//
//
// A ring as it is on a chip. Where one strand fills and reads it, it counts its
// copies and meets its other threads when it waits. Where several do, each slot
// has two signals, *full* and *empty*, of which a waiter sees only whether the
// number of times that they were given is even.
//
// Where some of its copies are for all blocks of a cluster, each block brings a
// share of them to the slots of all, and a slot is empty when it has been read
// in all of them.
//
// Everything that is relied on is checked where it is relied on, whatever the
// timing, so that a mistake is found by any seed that comes by.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_RING_H
#define FUSE_LIB_SIMULATE_RING_H

#include "Strand.h"
#include "Timing.h"
#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::simulate {

class Ring {
public:
  /// In block `rank` of a cluster, in each of which there is one of `all`.
  Ring(tile::RingOp op, Timing &timing, unsigned rank,
       llvm::MutableArrayRef<Ring *> all);

  /// Whether each of `blocks` blocks fills slots of the others, too.
  static bool isFilledByOthers(tile::RingOp op, size_t blocks);

  Outcome acquire(tile::AcquireOp op, int64_t number);
  Outcome copy(tile::CopyOp op, int64_t number, ArrayPtr tile, Strand &strand);
  Outcome commit(tile::CommitOp op, int64_t number, Strand &strand);
  Outcome wait(tile::WaitOp op, int64_t number, Strand &strand);
  Outcome release(tile::ReleaseOp op, int64_t number,
                  llvm::ArrayRef<IssuePtr> groups, Strand &strand);

  /// What is in a part now; null after a diagnostic at `user`.
  ArrayPtr read(const SharedTile &tile, mlir::Operation *user,
                const Strand &strand);
  /// `user` reads a part at this moment, or has done so until now.
  void markRead(const SharedTile &tile, mlir::Operation *user,
                const Strand &strand);
  /// A product will read a part until it is retired.
  void lend(const SharedTile &tile, IssuePtr issue);

  /// Its block has ended.
  void close() { isClosed = true; }
  /// Lets some copy arrive; false if none is under way.
  bool landOne();
  /// Checks that all that was filled has been read.
  llvm::LogicalResult finish();

private:
  struct Slot {
    std::optional<int64_t> number;
    mlir::Operation *acquired = nullptr;
    bool isCommitted = false;
    /// Which group of its strand's copies is the last one it needs.
    uint64_t commit = 0;
    /// What has been copied to each part so far: by one copy, or by a share of
    /// every block.
    llvm::SmallVector<llvm::SmallVector<FlightPtr, 1>> parts;
    /// What was copied first, which says of what kind the number is.
    tile::CopyOp first;
    llvm::SmallPtrSet<const Strand *, 2> waited, released;
    /// How often the signals were given, and how many readers have come since
    /// to give the second one.
    uint64_t full = 0, empty = 0, arrivals = 0;
    std::vector<IssuePtr> borrowers;
    /// The last one that read from it, and after which meeting of its strand.
    mlir::Operation *reader = nullptr;
    uint64_t readerBarriers = 0;

    bool isReleased(unsigned readers) const {
      return !number || (readers != 0 && released.size() == readers);
    }
  };

  Slot &slotOf(int64_t number) { return slots[number % slots.size()]; }
  /// Whether the signals tell that they were given more than `number / slots`
  /// times, as far as they tell anything.
  bool seems(uint64_t given, int64_t number) const {
    return given % 2 != static_cast<uint64_t>(number) / slots.size() % 2;
  }
  llvm::LogicalResult checkOrder(mlir::Operation *op, llvm::StringRef verb,
                                 int64_t number, int64_t &next);
  /// The same ring in each block that fills slots of this one; none after a
  /// diagnostic at `user`.
  llvm::ArrayRef<Ring *> findPeers(mlir::Operation *user);
  /// The slot holds `number` from now on.
  void open(Slot &slot, int64_t number);
  /// A copy to a slot of this ring that `from` sets off.
  Outcome receive(tile::CopyOp op, int64_t number, const FlightPtr &flight,
                  const Strand &strand);
  llvm::LogicalResult checkOverwrite(tile::CopyOp op, Slot &slot,
                                     const Strand &strand);
  /// The parts of the number's kind.
  llvm::ArrayRef<llvm::SmallVector<FlightPtr, 1>>
  partsOf(const Slot &slot) const;
  bool isThere(llvm::ArrayRef<FlightPtr> part) const;
  void land(Slot &slot, Flight &flight);
  void landDue();
  void signalIfFull(Slot &slot);
  static IssuePtr unfinishedBorrower(Slot &slot);

  tile::RingOp op;
  Timing &timing;
  unsigned rank;
  /// In all blocks of the cluster if they fill each other's slots, else itself.
  llvm::MutableArrayRef<Ring *> peers;
  bool isClosed = false;
  std::vector<Slot> slots;
  /// Whether one strand fills and reads it.
  bool isCounted = false;
  /// How many strands read it.
  unsigned readers = 0;
  int64_t nextAcquire = 0;
  llvm::DenseMap<const Strand *, int64_t> nextWait, nextRelease;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_RING_H
