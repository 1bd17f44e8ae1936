//===- ScheduleTrials.h - ptxas judges schedules ----------------*- C++ -*-===//
//
// The cost model cannot tell how many registers a kernel will take. ptxas can:
// where it spills, or lets the products of a warpgroup wait for each other, the
// schedule is rejected and the next one is tried.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_SCHEDULETRIALS_H
#define FUSE_LIB_COMPILER_SCHEDULETRIALS_H

#include "fuse/Compiler/Gpu.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace fuse {

class ScheduleTrials {
public:
  /// Schedules that a user gave, in `module` or in `formation`, are kept.
  ScheduleTrials(mlir::ModuleOp module, FormationOptions &formation);

  /// Whether the kernels are to be formed anew, as the options say now. If not,
  /// `code` is as good as it gets.
  bool reject(const GpuCode &code);
  /// The same for a plan of which there is no code, because of `culprits` if
  /// that is known.
  bool reject(llvm::ArrayRef<PlanStep> steps, std::string whyNot,
              llvm::ArrayRef<std::string> culprits = {});

private:
  /// What is wrong with the code of a schedule.
  struct Fault {
    bool hasNoCode = false, isSerialised = false;
    /// What spilling is thought to add to the time, as a part of it.
    double spilling = 0;
    std::string reason;

    /// How many times as long as predicted the kernel is thought to take.
    double factor() const;
    bool isAny() const { return hasNoCode || isSerialised || spilling > 0; }
    bool isLessThan(const Fault &other) const {
      auto all = [](const Fault &fault) {
        return std::tie(fault.hasNoCode, fault.isSerialised, fault.spilling);
      };
      return all(*this) < all(other);
    }
    void add(const ImageLaunch &launch, const Image &image);
  };
  struct Trial {
    std::string schedule;
    Fault fault;
  };

  using Plan = llvm::MapVector<llvm::StringRef, Trial>;

  bool note(llvm::StringRef kernel, const Trial &trial);
  bool rejectSome(const Plan &plan, llvm::ArrayRef<llvm::StringRef> kernels,
                  unsigned &numTries, unsigned mostTries);
  void writeOptions();
  void keepLeast(llvm::StringRef kernel);

  /// Of a plan, not of each kernel: who waits for many kernels waits for all of
  /// them again.
  static constexpr unsigned kMostTries = 3;
  /// Of what has no code nothing else can be taken, and it is known before
  /// most of the work is done.
  static constexpr unsigned kMostWithoutCode = 12;

  FormationOptions &formation;
  /// Those of others.
  std::vector<std::string> asked;
  /// Of kernels whose schedules stay.
  llvm::StringSet<> settled;
  /// Whether there are no graphs, but kernels that somebody wrote.
  bool isWritten;
  /// By kernel, those with the least faults first.
  std::map<std::string, llvm::SmallVector<Trial>> rejected;
  unsigned numTries = 0, numWithoutCode = 0;
};

} // namespace fuse

#endif // FUSE_LIB_COMPILER_SCHEDULETRIALS_H
