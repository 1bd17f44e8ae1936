//===- ScheduleTrials.cpp - ptxas judges schedules ------------------------===//
//
// A kernel is judged by its best class of memory on each chip. The others are
// for arguments that are slow to read anyway.
//
//===----------------------------------------------------------------------===//

#include "ScheduleTrials.h"
#include "fuse/Compiler/Fused.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fuse;

ScheduleTrials::ScheduleTrials(ModuleOp module, FormationOptions &formation)
    : formation(formation), asked(formation.rejected),
      isWritten(hasTileKernels(module)) {
  for (const auto &entry : formation.schedules)
    settled.insert(entry.first());
  module.walk([&](KernelOp kernel) {
    if (kernel.getScheduleAttr())
      settled.insert(kernel.getName());
  });
}

/// Products of a warpgroup that wait for each other have messages of these
/// numbers; others of ptxas cost nothing that another schedule would save.
static bool isOfSerialised(StringRef warning) {
  return warning.starts_with("(C751");
}

/// What a register or two cost is not seen: M5 of 4096 rows, whose threads
/// store 4 bytes and load 8, took 515 us, and 565 by the next schedule,
/// predicted to take as long.
static constexpr uint64_t kFewBytes = 16;

void ScheduleTrials::Fault::add(const ImageLaunch &launch, const Image &image) {
  llvm::SmallSet<uint32_t, 4> seen;
  auto because = [&](const llvm::Twine &text) {
    reason += (reason.empty() ? "" : " and ") + text.str();
  };
  for (const LaunchVariant &variant : launch.variants) {
    const ImageKernel &kernel = image.kernels[variant.kernel];
    if (!seen.insert(kernel.module).second)
      continue;
    const std::string &chip = image.modules[kernel.module].name;
    for (const KernelReport &report : kernel.reports) {
      uint64_t bytes = report.spillStoreBytes + report.spillLoadBytes;
      if (bytes > kFewBytes) {
        spilledBytes = std::max(spilledBytes, bytes);
        because("it spills " + llvm::Twine(report.spillStoreBytes) +
                " bytes on " + chip + " with " + llvm::Twine(report.registers) +
                " registers for a thread");
      }
      for (const std::string &warning : report.warnings)
        if (isOfSerialised(warning)) {
          isSerialised = true;
          because("ptxas says on " + chip + ": " + warning);
        }
    }
  }
}

/// A loss of 4096x50257 of which each thread stored 556 bytes and loaded 504
/// took 434 us, and 212 by the next schedule, predicted to take as long; a
/// layer of 2048x1024 by 1024x1024 with one of rank 8 beside it, 152 and 152,
/// took 17.9 us, and 22.3 by one that was predicted to take 1.19 times as long.
/// What 100 bytes cost is less than what the model can tell, and so is what is
/// given up for them.
double ScheduleTrials::Fault::factor() const {
  constexpr double most = 1.5, ofByte = 0.0005;
  return hasNoCode || isSerialised
             ? most
             : std::min(most, 1 + ofByte * static_cast<double>(spilledBytes));
}

/// Whether a launch is one of a kernel: a split reduction has a second one,
/// which merges its chunks.
static bool isOf(StringRef launch, StringRef kernel) {
  return launch.consume_front(kernel) &&
         (launch.empty() || launch.starts_with("_merge"));
}

/// Notes a fault. False if it was known: then there was no other schedule that
/// would do.
bool ScheduleTrials::note(StringRef kernel, const Trial &trial) {
  SmallVector<Trial> &known = rejected[kernel.str()];
  if (llvm::any_of(known, [&](const Trial &other) {
        return other.schedule == trial.schedule;
      }))
    return false;
  auto isLess = [](const Trial &a, const Trial &b) {
    return a.fault.isLessThan(b.fault);
  };
  known.insert(llvm::upper_bound(known, trial, isLess), trial);
  return true;
}

void ScheduleTrials::writeOptions() {
  formation.rejected = asked;
  for (const auto &[kernel, trials] : rejected)
    for (const Trial &trial : trials)
      formation.rejected.push_back(
          "@" + kernel + ":{" + trial.schedule + "}:{" +
          llvm::formatv("{0:f3}", trial.fault.factor()).str() + "}:{" +
          trial.fault.reason + "}");
}

void ScheduleTrials::keepLeast(StringRef kernel) {
  formation.schedules[kernel] = rejected[kernel.str()].front().schedule;
  settled.insert(kernel);
}

bool ScheduleTrials::reject(const GpuCode &code) {
  if (isWritten)
    return false;
  Plan plan;
  for (auto [step, launch] : llvm::zip_equal(code.steps, code.image.launches)) {
    auto of = llvm::find_if(plan, [&](const auto &other) {
      return other.second.schedule == step.schedule &&
             isOf(step.kernel, other.first);
    });
    Trial &trial =
        of == plan.end() ? plan[step.kernel] : plan.find(of->first)->second;
    trial.schedule = step.schedule;
    trial.fault.add(launch, code.image);
  }
  SmallVector<StringRef> found;
  for (const auto &[kernel, trial] : plan)
    if (trial.fault.isAny() && !settled.contains(kernel) && note(kernel, trial))
      found.push_back(kernel);
  return rejectSome(plan, found);
}

/// What is wrong is wrong with a schedule that was not there before. Of several
/// nobody knows which.
bool ScheduleTrials::reject(ArrayRef<PlanStep> steps, std::string whyNot) {
  Plan plan;
  SmallVector<StringRef> found;
  for (const PlanStep &step : steps) {
    if (rejected.count(step.kernel) == 0 || settled.contains(step.kernel))
      continue;
    Trial &trial = plan[step.kernel];
    trial.schedule = step.schedule;
    trial.fault.hasNoCode = true;
    trial.fault.reason = whyNot;
    if (note(step.kernel, trial))
      found.push_back(step.kernel);
  }
  return rejectSome(plan, found);
}

/// Whether that leads to another plan.
bool ScheduleTrials::rejectSome(const Plan &plan, ArrayRef<StringRef> kernels) {
  if (kernels.empty())
    return false;
  writeOptions();
  if (numTries++ < kMostTries)
    return true;
  bool isOther = false;
  for (StringRef kernel : kernels) {
    keepLeast(kernel);
    isOther |=
        formation.schedules[kernel] != plan.find(kernel)->second.schedule;
  }
  return isOther;
}
