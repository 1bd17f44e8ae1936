//===- ScheduleTrials.cpp - ptxas judges schedules ------------------------===//
//
// A kernel is judged by its best class of memory on each chip. The others are
// for arguments that are slow to read anyway.
//
//===----------------------------------------------------------------------===//

#include "ScheduleTrials.h"
#include "fuse/Compiler/Fused.h"
#include "fuse/Target/SpillPlaces.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

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

/// What a kernel loses by what it spills, as a part of its time; about as much
/// as may be given up for a schedule that spills less. What is outside of the
/// innermost loops costs nothing that was seen: D1 of f16, 65536 rows, of which
/// each thread stores and loads 316 bytes there, took 38 us, and 49 by a
/// schedule with 48 bytes; a layer of 2048x1024 by 1024x1024 with one of rank 8
/// beside it, 152 and 152, 17.9 us and 22.3 by the next. Of a loss of
/// 4096x50257 they are 10 % of the instructions of a round, which took 434 us,
/// and 212 by the next schedule; of distances of 100000x256 3 %, 23.3 us
/// and 18.0; of two layers of 50000x64-256-64 0.4 %, 25.7 us and 27.0.
static double lossBySpilling(const KernelReport &report, StringRef symbol,
                             ArrayRef<ImageCubin> cubins) {
  constexpr double leastPart = 0.005, ofPart = 10, most = 0.5;
  for (const ImageCubin &cubin : cubins)
    if (cubin.chip == report.chip)
      if (auto part = spilledPart(cubin.code, cubin.chip, symbol))
        return *part < leastPart ? 0 : std::min(most, ofPart * *part);
  // A register or two are not seen anywhere.
  constexpr uint64_t fewBytes = 16;
  constexpr double ofByte = 0.0005;
  uint64_t bytes = report.spillStoreBytes + report.spillLoadBytes;
  return bytes <= fewBytes
             ? 0
             : std::min(most, ofByte * static_cast<double>(bytes));
}

void ScheduleTrials::Fault::add(const ImageLaunch &launch, const Image &image) {
  std::set<std::string> seen;
  auto because = [&](const llvm::Twine &text) {
    reason += (reason.empty() ? "" : " and ") + text.str();
  };
  for (const LaunchVariant &variant : launch.variants) {
    const ImageKernel &kernel = image.kernels[variant.kernel];
    const ImageModule &module = image.modules[kernel.module];
    std::string chip = module.chip.str();
    if (!seen.insert(chip).second)
      continue;
    for (const KernelReport &report : kernel.reports) {
      double loss = 0;
      if (report.spillStoreBytes + report.spillLoadBytes != 0)
        loss = lossBySpilling(report, kernel.symbol, module.cubins);
      if (loss > 0) {
        spilling = std::max(spilling, loss);
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

double ScheduleTrials::Fault::factor() const {
  constexpr double most = 1.5;
  return hasNoCode || isSerialised ? most : 1 + spilling;
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
  return rejectSome(plan, found, numTries, kMostTries);
}

/// What is wrong is wrong with a schedule that was not there before. Of several
/// nobody knows which.
bool ScheduleTrials::reject(ArrayRef<PlanStep> steps, std::string whyNot,
                            ArrayRef<std::string> culprits) {
  Plan plan;
  SmallVector<StringRef> found;
  for (const PlanStep &step : steps) {
    bool isSuspect = culprits.empty()
                         ? rejected.count(step.kernel) != 0
                         : llvm::is_contained(culprits, step.kernel);
    if (isWritten || !isSuspect || settled.contains(step.kernel))
      continue;
    Trial &trial = plan[step.kernel];
    trial.schedule = step.schedule;
    trial.fault.hasNoCode = true;
    trial.fault.reason = whyNot;
    if (note(step.kernel, trial))
      found.push_back(step.kernel);
  }
  return culprits.empty()
             ? rejectSome(plan, found, numTries, kMostTries)
             : rejectSome(plan, found, numWithoutCode, kMostWithoutCode);
}

/// Whether that leads to another plan.
bool ScheduleTrials::rejectSome(const Plan &plan, ArrayRef<StringRef> kernels,
                                unsigned &numTries, unsigned mostTries) {
  if (kernels.empty())
    return false;
  writeOptions();
  if (numTries++ < mostTries)
    return true;
  bool isOther = false;
  for (StringRef kernel : kernels) {
    keepLeast(kernel);
    isOther |=
        formation.schedules[kernel] != plan.find(kernel)->second.schedule;
  }
  return isOther;
}
