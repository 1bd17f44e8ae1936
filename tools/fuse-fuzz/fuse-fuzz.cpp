//===- fuse-fuzz.cpp - random graphs on both roads ------------------------===//
//
// Makes graphs, runs each on the fused road and on the reference road, and
// writes what does not agree, made small, to files.
//
//===----------------------------------------------------------------------===//

#include "../fuse/Tools.h"
#include "Children.h"
#include "Options.h"
#include "Shrink.h"
#include "fuse/Compiler/Fused.h"
#include "fuse/Runtime/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace llvm;
using namespace fuse;

namespace {

struct Failure {
  uint64_t number;
  Judgement judgement;
};

StringRef nameOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::Right:
    return "right";
  case Verdict::Refused:
    return "refused";
  case Verdict::Wrong:
    return "wrong";
  case Verdict::Crashed:
    return "crashed";
  case Verdict::TimedOut:
    return "timed out";
  case Verdict::NoDevice:
    return "without a device";
  }
  llvm_unreachable("every verdict is handled above");
}

class Fuzzer {
public:
  explicit Fuzzer(const FuzzOptions &options) : options(options) {
    registerDialects(registry);
  }

  int run();

private:
  Status prepareFolder() const;
  FuzzGraph generate(mlir::MLIRContext &context, uint64_t number) const {
    return generateGraph(context, options.seed, number, options.maxOps);
  }
  JudgeOptions judgeOptions(uint64_t number, StringRef schedules) const;
  void report(uint64_t number, const Judgement &judgement);
  bool shrinkAndWrite(const Failure &failure);
  std::string replayComment(const FuzzGraph &graph, const Failure &failure,
                            StringRef file) const;
  void printSummary() const;

  const FuzzOptions &options;
  mlir::DialectRegistry registry;
  unsigned counts[6] = {};
  unsigned numSchedules = 0, numRefusedSchedules = 0;
  std::vector<Failure> failures;
  /// Why graphs were refused, numbers apart: how often, and the first of them.
  std::map<std::string, std::pair<unsigned, uint64_t>> refusals;
};

/// Messages that differ in their numbers only are one.
std::string withoutNumbers(StringRef text) {
  std::string result;
  for (char c : text) {
    bool isNumber = c >= '0' && c <= '9';
    if (isNumber && !result.empty() && result.back() == '#')
      continue;
    result += isNumber ? '#' : c;
  }
  return result;
}

} // namespace

JudgeOptions Fuzzer::judgeOptions(uint64_t number, StringRef schedules) const {
  JudgeOptions judging;
  judging.numSchedules = schedules.empty() ? options.schedules : 0;
  judging.scheduleSeed = options.seed ^ (number << 20);
  judging.schedules = schedules.str();
  judging.optLevel = options.optLevel;
  judging.chip = options.chip;
  judging.simulated = options.simulated;
  judging.reference = options.reference;
  judging.swapFrom = options.swapFrom;
  judging.swapTo = options.swapTo;
  return judging;
}

void Fuzzer::report(uint64_t number, const Judgement &judgement) {
  ++counts[static_cast<size_t>(judgement.verdict)];
  numSchedules += judgement.numSchedules;
  numRefusedSchedules += judgement.numRefusedSchedules;
  if (judgement.verdict == Verdict::Right)
    return;
  if (judgement.verdict == Verdict::NoDevice) {
    // Every process finds it out for itself.
    if (counts[static_cast<size_t>(judgement.verdict)] == 1)
      errs() << "fuse-fuzz: error: at graph " << number << " of seed "
             << options.seed << ": " << judgement.text << "\n";
    return;
  }
  if (judgement.verdict == Verdict::Refused) {
    auto &[count, first] =
        refusals.try_emplace(withoutNumbers(judgement.text), 0, number)
            .first->second;
    // One of each is shown.
    if (count++ == 0)
      failures.push_back({number, judgement});
    first = std::min(first, number);
    return;
  }
  outs() << "graph " << number << " of seed " << options.seed << " "
         << nameOf(judgement.verdict) << ": " << judgement.text << "\n";
  outs().flush();
  failures.push_back({number, judgement});
}

/// How to see the failure again, as a comment. Kernels are called after the
/// function, so a schedule fits the graph as it is here.
std::string Fuzzer::replayComment(const FuzzGraph &graph,
                                  const Failure &failure,
                                  StringRef file) const {
  std::string text;
  raw_string_ostream os(text);
  os << "// fuse-run --verify" << (graph.isExact ? "=exact " : " ") << file
     << " --seed=" << graph.dataSeed;
  if (options.simulated)
    os << " --target=simulate --chip=" << options.simulated->name;
  SmallVector<StringRef> names(graph.shapes.keys());
  llvm::sort(names);
  for (StringRef name : names)
    os << " --shape=" << name << ":" << formatShape(graph.shapes.lookup(name));
  for (StringRef line : split(failure.judgement.schedules, '\n'))
    if (!line.empty()) {
      auto [kernel, schedule] = line.split(':');
      os << " '--schedule=@" << kernel << ":" << schedule << "'";
    }
  os << "\n// " << nameOf(failure.judgement.verdict) << ": "
     << failure.judgement.text << "\n// graph " << failure.number << " of seed "
     << options.seed << ", made smaller\n";
  return text;
}

bool Fuzzer::shrinkAndWrite(const Failure &failure) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  FuzzGraph graph = generate(context, failure.number);
  Failure last = failure;
  JudgeOptions judging =
      judgeOptions(failure.number, failure.judgement.schedules);
  judging.numSchedules = 0;
  ChildrenOptions one;
  one.count = 1;
  one.timeLimit = std::chrono::seconds(options.timeLimit);
  auto fails = [&](const FuzzGraph &smaller) {
    Judgement judgement;
    judgeInChildren(
        one,
        [&](uint64_t, function_ref<void(StringRef)> announce) {
          return judge(smaller, judging, announce);
        },
        [&](uint64_t, const Judgement &found) { judgement = found; });
    if (judgement.verdict != failure.judgement.verdict)
      return false;
    // A crash is the same crash if it has the same signal.
    if (judgement.verdict == Verdict::Crashed &&
        judgement.text != failure.judgement.text)
      return false;
    if (judgement.verdict == Verdict::Refused &&
        withoutNumbers(judgement.text) !=
            withoutNumbers(failure.judgement.text))
      return false;
    last.judgement.text = judgement.text;
    return true;
  };
  shrinkGraph(graph, fails, Clock::now() + std::chrono::seconds(60));
  std::string name =
      formatv("{0}-{1}-{2}.mlir", nameOf(failure.judgement.verdict),
              options.seed, failure.number);
  llvm::replace(name, ' ', '-');
  std::string text = replayComment(graph, last, name);
  raw_string_ostream(text) << mlir::ModuleOp(*graph.module) << "\n";
  if (options.out.empty()) {
    outs() << text;
    return true;
  }
  std::string_view pieces[] = {text};
  Status written = writeFile(options.out + "/" + name, pieces);
  if (!written)
    errs() << "fuse-fuzz: error: " << written.error().message() << "\n";
  return !!written;
}

void Fuzzer::printSummary() const {
  auto count = [&](Verdict verdict) {
    return counts[static_cast<size_t>(verdict)];
  };
  for (const auto &[text, entry] : refusals)
    outs() << "refused " << entry.first << ", the first is graph "
           << entry.second << ": " << StringRef(text).split('\n').first << "\n";
  unsigned numGraphs = 0;
  for (unsigned number : counts)
    numGraphs += number;
  if (options.schedules != 0)
    outs() << numSchedules << " schedules: " << numRefusedSchedules
           << " refused\n";
  outs() << numGraphs << " graphs: " << count(Verdict::Right) << " right, "
         << count(Verdict::Refused) << " refused, " << count(Verdict::Wrong)
         << " wrong, " << count(Verdict::Crashed) + count(Verdict::TimedOut)
         << " crashed\n";
  outs().flush();
}

/// Before hours go by, at whose end something would be lost.
Status Fuzzer::prepareFolder() const {
  if (options.out.empty())
    return Status::success();
  if (std::error_code failed = sys::fs::create_directories(options.out))
    return RuntimeError(ErrorCode::Output,
                        options.out + ": cannot be made: " + failed.message());
  return checkWritable(options.out + "/wrong.mlir");
}

int Fuzzer::run() {
  ChildrenOptions children;
  children.numJobs = options.jobs;
  children.count = options.count;
  children.timeLimit = std::chrono::seconds(options.timeLimit);
  if (options.isSingle) {
    children.first = options.only;
    children.count = 1;
  }
  if (options.minutes > 0) {
    auto length =
        std::chrono::duration<double, std::ratio<60>>(options.minutes);
    children.end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(length);
  }
  if (options.isPrinted) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    for (uint64_t i = 0; i < children.count; ++i)
      outs() << (i ? "// -----\n" : "")
             << mlir::ModuleOp(*generate(context, children.first + i).module)
             << "\n";
    return exitRight;
  }
  if (Status status = prepareFolder(); !status) {
    errs() << "fuse-fuzz: error: " << status.error().message() << "\n";
    return exitOutput;
  }
  judgeInChildren(
      children,
      [&](uint64_t number, function_ref<void(StringRef)> announce) {
        mlir::MLIRContext context(registry,
                                  mlir::MLIRContext::Threading::DISABLED);
        return judge(generate(context, number), judgeOptions(number, ""),
                     announce);
      },
      [&](uint64_t number, const Judgement &judgement) {
        report(number, judgement);
      });
  llvm::sort(failures, [](const Failure &a, const Failure &b) {
    return a.number < b.number;
  });
  bool isRight = llvm::all_of(failures, [](const Failure &failure) {
    return failure.judgement.verdict == Verdict::Refused;
  });
  int status = isRight ? exitRight : exitWrongResult;
  for (const Failure &failure : failures)
    if (!shrinkAndWrite(failure))
      status = exitOutput;
  printSummary();
  bool hasDevice = counts[static_cast<size_t>(Verdict::NoDevice)] == 0;
  return hasDevice || status != exitRight ? status : exitDevice;
}

int fuse::runFuseFuzz(int argc, char **argv) {
  std::optional<FuzzOptions> options = parseFuzzOptions(argc, argv);
  if (!options)
    return exitUsage;
  return Fuzzer(*options).run();
}
