//===- ThreadRun.h - the threads of a cluster of blocks ---------*- C++ -*-===//
//
// Warps go through their code with all lanes together, and take turns. Values
// are those of all lanes; what depends on numbers in memory is not known.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_THREADRUN_H
#define FUSE_LIB_SIMULATE_THREADRUN_H

#include "Array.h"
#include "SharedBytes.h"
#include "ThreadBarriers.h"
#include "ThreadCode.h"
#include "Timing.h"
#include "fuse/Layout/Layout.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <deque>
#include <map>

namespace fuse::simulate {

/// A bit for each lane.
using Lanes = uint32_t;

/// What is the same for all threads of a grid.
struct GridNumbers {
  int64_t blocks = 1;
  /// Of the parameters that are neither addresses nor sizes of memories.
  llvm::SmallVector<int64_t> extents;
  /// Of those that are, if they are known.
  llvm::SmallVector<int64_t> sizes;
};

class ThreadRun {
public:
  /// Blocks `first` and those behind it, as many as a cluster has.
  ThreadRun(mlir::LLVM::LLVMFuncOp function, const ThreadCode &code,
            const GridNumbers &grid, int64_t first, uint64_t seed);

  llvm::LogicalResult run();

private:
  enum class Outcome : uint8_t { Done, Blocked, Failed };

  /// A block of ops that some lanes go through.
  struct Frame {
    mlir::Block *block;
    size_t next;
    Lanes lanes;
    /// Of a loop's body.
    int64_t round = 0, end = 0, step = 0;
    /// The other branch has been gone through by the other lanes.
    bool isOtherBranch = false;
  };
  struct Block;
  struct Warp {
    Warp(Block *block, unsigned actor, unsigned index)
        : block(block), actor(actor), index(index) {}

    Block *block;
    /// Among the warps of the cluster, and of the block.
    unsigned actor, index;
    Clock clock;
    /// What it knew when it began.
    Clock begun;
    /// Whether it tells what it has done since then where it has come to.
    bool isTelling = true;
    std::vector<Frame> frames;
    llvm::DenseMap<mlir::Value, ArrayPtr> values;
    /// How often it has come to an op.
    llvm::DenseMap<mlir::Operation *, uint64_t> visits;
    /// By lane, what the engine reads for it, the oldest first.
    std::map<unsigned, std::deque<std::shared_ptr<EngineRead>>> reads;
    /// Groups of copies that its threads have set off, how many of them are
    /// done, and the last copy with the number of its group.
    uint64_t groups = 0, groupsDone = 0, lastGroup = 0;
    mlir::Operation *lastCopy = nullptr;
    /// The barrier that it waits at.
    mlir::Operation *meeting = nullptr;
    int64_t registers = 0;
  };
  /// Warps that have come to a barrier with a number.
  struct Meeting {
    mlir::Operation *first = nullptr;
    int64_t threads = 0;
    llvm::SmallVector<Warp *> warps;
    /// How many have come and do not wait, and what they knew.
    size_t others = 0;
    Clock known;
    /// Of the meeting before: where somebody waited, for how many threads, and
    /// when each who waited went on.
    mlir::Operation *before = nullptr;
    int64_t threadsBefore = 0;
    llvm::SmallVector<Moment> wentOn;
  };
  struct Block {
    unsigned rank;
    SharedBytes memory;
    std::vector<std::unique_ptr<Warp>> warps;
    std::map<int64_t, PhaseBarrier> barriers;
    std::map<int64_t, Meeting> meetings;
    int64_t freeRegisters = 0;
    bool hasEnded() const {
      return llvm::all_of(
          warps, [](const auto &warp) { return warp->frames.empty(); });
    }
  };
  /// A copy of the engine that is under way.
  struct Flight {
    mlir::Operation *op;
    Block *to;
    int64_t barrier, bytes;
    uint64_t arrival;
  };

  // Control.
  Outcome step(Warp &warp);
  Outcome enterLoop(Warp &warp, mlir::scf::ForOp loop);
  Outcome enterBranch(Warp &warp, mlir::scf::IfOp branch);
  Outcome yield(Warp &warp, mlir::scf::YieldOp op);
  void assign(Warp &warp, mlir::Value to, ArrayPtr value) {
    if (code.isNeeded(to))
      warp.values[to] = std::move(value);
  }
  ArrayPtr compute(Warp &warp, mlir::Operation *op);
  /// One number for the lanes; none after a diagnostic.
  std::optional<int64_t> uniform(Warp &warp, mlir::Operation *op,
                                 mlir::Value value, Lanes lanes);

  // Effects.
  Outcome apply(Warp &warp, mlir::Operation *op, const ThreadOp &effect,
                Lanes lanes);
  Outcome meetWarps(Warp &warp, mlir::Operation *op, const ThreadOp &effect,
                    Lanes lanes);
  Outcome tellEngine(Warp &warp, mlir::Operation *op, const ThreadOp &effect,
                     Lanes lanes);
  void waitForEngine(Warp &warp, mlir::Operation *op, const ThreadOp &effect,
                     Lanes lanes);
  Outcome applyToBarrier(Warp &warp, mlir::Operation *op,
                         const ThreadOp &effect, Lanes lanes);
  Outcome meet(Warp &warp, mlir::Operation *op, int64_t number, int64_t threads,
               Meeting &meeting, size_t all, bool isWaiting = true,
               bool isTelling = true);
  Outcome copyByEngine(Warp &warp, mlir::Operation *op, const ThreadOp &effect,
                       unsigned lane);
  Outcome storeByEngine(Warp &warp, mlir::Operation *op, const ThreadOp &effect,
                        unsigned lane);
  static Lanes lanesThat(Warp &warp, const ThreadOp &effect, Lanes lanes);
  Outcome touch(Warp &warp, mlir::Operation *op, const ThreadOp &effect,
                Lanes lanes);
  Outcome readFactors(Warp &warp, mlir::Operation *op, const ThreadOp &effect);
  Outcome copyByThreads(Warp &warp, mlir::Operation *op, const ThreadOp &effect,
                        Lanes lanes);
  Outcome giveRegisters(Warp &warp, mlir::Operation *op,
                        const ThreadOp &effect);
  Block *otherBlock(mlir::Operation *op, int64_t rank);
  static bool hasBegun(const Block &block, const Warp &warp);
  PhaseBarrier *barrierAt(Warp &warp, mlir::Operation *op, Block &block,
                          int64_t address);
  /// Bytes of a box of the tensor map that is a parameter.
  std::optional<int64_t> boxBytes(mlir::Operation *op, mlir::Value map);
  int64_t laneOf(Warp &warp, mlir::Value value, unsigned lane) {
    return warp.values.lookup(value)->get<int64_t>()[lane];
  }
  bool areKnown(Warp &warp, mlir::Operation *op, mlir::ValueRange values);
  Moment now(const Warp &warp) const {
    return {warp.actor, warp.clock.timeOf(warp.actor)};
  }
  unsigned copierOf(const Warp &warp) const { return numWarps + warp.actor; }
  Toucher toucherOf(Warp &warp, mlir::Operation *op) {
    return {op, now(warp), &warp.clock, /*isEngine=*/false, warp.block->rank};
  }
  /// What others learn from now on is later than what they know.
  void tick(Warp &warp) {
    warp.clock.advanceTo({warp.actor, now(warp).time + 1});
  }

  // Time.
  llvm::LogicalResult land(size_t number);
  llvm::LogicalResult landDue();
  llvm::LogicalResult reportDeadlock();
  llvm::LogicalResult end(Warp &warp);
  llvm::LogicalResult finish();

  mlir::LLVM::LLVMFuncOp function;
  const ThreadCode &code;
  const GridNumbers &grid;
  int64_t first;
  uint64_t seed;
  Timing timing;
  /// Of the cluster. As many actors copy for their threads, and behind them
  /// come those that do what the engine brings before each barrier.
  unsigned numWarps, actors;
  std::vector<std::vector<Fence>> fences;
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<Flight> flights;
  Meeting cluster;
  /// Whose turn it is.
  Warp *current = nullptr;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_THREADRUN_H
