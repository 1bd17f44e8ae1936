//===- ThreadCode.h - what of a thread's code is run ------------*- C++ -*-===//
//
// Barriers, the copy engine and shared memory, what addresses and counts are
// computed from, and control around all that. What the numbers of tiles are is
// left out.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_THREADCODE_H
#define FUSE_LIB_SIMULATE_THREADCODE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace fuse::simulate {

enum class Effect : uint8_t {
  None,
  /// Of a barrier in shared memory.
  Init,
  Arrive,
  ArriveExpecting,
  ArriveElsewhere,
  WriteElsewhere,
  WaitForPhase,
  /// All threads of some warps, of the block, or of the cluster.
  MeetWarps,
  ArriveAtMeeting,
  MeetCluster,
  /// They meet without a word of what they wrote, but for barriers in shared
  /// memory that were fenced.
  BeginCluster,
  FenceBarriers,
  EngineCopy,
  EngineStore,
  EngineWait,
  Fence,
  ThreadCopy,
  ThreadCommit,
  ThreadWait,
  Registers,
  Read,
  ReadMatrices,
  Write,
  WriteMatrices,
  /// Products of a warpgroup, whose factors have descriptors.
  ReadFactors,
  /// Done by all threads of a warp, without more that is seen here.
  WholeWarp,
};

/// What an op does, and which of its operands say what.
struct ThreadOp {
  Effect effect = Effect::None;
  /// In the order in which the text names them; of an op, what comes first is
  /// an address.
  llvm::SmallVector<mlir::Value, 6> operands;
  /// What is added to each of them, where they are descriptors.
  llvm::SmallVector<int64_t, 6> offsets;
  /// Where there is no operand for it: the number of a barrier, how many groups
  /// may be under way, or registers.
  int64_t number = 0;
  /// Threads of a barrier, or bytes of an access.
  int64_t count = 0;
  bool hasNumber = false, isMulticast = false;
  /// Only lanes for which it holds do anything.
  mlir::Value condition;
};

class ThreadCode {
public:
  explicit ThreadCode(mlir::LLVM::LLVMFuncOp function);

  /// Fails at assembly that is not known.
  llvm::LogicalResult analyse();
  /// The ops of a block that are run, in order.
  llvm::ArrayRef<mlir::Operation *> opsOf(mlir::Block *block) const {
    auto found = running.find(block);
    return found == running.end() ? llvm::ArrayRef<mlir::Operation *>()
                                  : llvm::ArrayRef(found->second);
  }
  const ThreadOp &effectOf(mlir::Operation *op) const {
    static const ThreadOp none;
    auto found = effects.find(op);
    return found == effects.end() ? none : found->second;
  }
  bool isNeeded(mlir::Value value) const { return needed.contains(value); }

private:
  void need(mlir::Value value);
  void needControl(mlir::Operation *op);
  bool collect(mlir::Block &block);

  mlir::LLVM::LLVMFuncOp function;
  llvm::DenseMap<mlir::Operation *, ThreadOp> effects;
  llvm::DenseSet<mlir::Value> needed;
  llvm::DenseMap<mlir::Block *, std::vector<mlir::Operation *>> running;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_THREADCODE_H
