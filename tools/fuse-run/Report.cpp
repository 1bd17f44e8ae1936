//===- Report.cpp - what fuse-run has to say ------------------------------===//
//
// Text for people, JSON for programs; the same numbers in both.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <cinttypes>
#include <cmath>

using namespace llvm;
using namespace fuse;

bool RunReport::isRight() const {
  return !difference && llvm::all_of(outputs, [this](
                                                  const OutputReport &output) {
    return (!isJudged || !output.verified || output.verified->isRight()) &&
           (!output.expected || output.expected->isRight());
  });
}

OutputReport fuse::summarise(const HostBuffer &buffer) {
  OutputReport report;
  report.type = buffer.type();
  report.shape = buffer.shape();
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0, e = buffer.elementCount(); i < e; ++i) {
    double value = loadAsDouble(buffer.type(), buffer.data(), i);
    if (std::isnan(value)) {
      ++report.numNaN;
      continue;
    }
    report.least = count ? std::min(report.least, value) : value;
    report.largest = count ? std::max(report.largest, value) : value;
    sum += value;
    ++count;
  }
  report.mean = count ? sum / static_cast<double>(count) : 0;
  return report;
}

Timing fuse::summarise(std::vector<double> seconds) {
  llvm::sort(seconds);
  size_t middle = seconds.size() / 2;
  double median = seconds.size() % 2
                      ? seconds[middle]
                      : (seconds[middle - 1] + seconds[middle]) / 2;
  Timing timing;
  timing.samples = static_cast<unsigned>(seconds.size());
  timing.median = median;
  timing.least = seconds.front();
  timing.largest = seconds.back();
  return timing;
}

/// The position of element `index`, as [1, 2].
static std::string positionText(size_t index, ArrayRef<int64_t> shape) {
  SmallVector<size_t> position;
  for (int64_t size : llvm::reverse(shape)) {
    position.push_back(index % size);
    index /= size;
  }
  std::string text = "[";
  for (auto [i, at] : llvm::enumerate(llvm::reverse(position)))
    text += (i ? ", " : "") + std::to_string(at);
  return text + "]";
}

static std::string timeText(double seconds) {
  std::string text;
  raw_string_ostream os(text);
  if (seconds < 1e-3)
    os << format("%.3g us", seconds * 1e6);
  else if (seconds < 1)
    os << format("%.4g ms", seconds * 1e3);
  else
    os << format("%.4g s", seconds);
  return text;
}

static std::string tensorText(ElementType type, ArrayRef<int64_t> shape) {
  return std::string(typeName(type)) + " " + formatShape(shape);
}

static void printComparison(const Comparison &comparison, StringRef what,
                            const OutputReport &output, bool isJudged,
                            raw_ostream &os) {
  os << "    " << what << ": ";
  if (!isJudged)
    os << "not judged";
  else if (comparison.isRight())
    os << "right";
  else
    os << "WRONG in " << comparison.numWrong
       << (comparison.numWrong == 1 ? " element" : " elements");
  // Of nothing there is no worst element.
  if (!llvm::is_contained(output.shape, 0))
    os << "; worst at " << positionText(comparison.worstIndex, output.shape)
       << format(": got %.9g, wanted %.9g, error %.3g of %.3g allowed",
                 comparison.got, comparison.wanted, comparison.error,
                 comparison.allowed);
  os << "\n";
}

static void printKernel(unsigned number, const PlanStep &step,
                        raw_ostream &os) {
  os << format("  %3u  ", number);
  if (!step.kernel.empty())
    os << "@" << step.kernel << ": ";
  // Of what was compiled before, neither ops nor sizes are known.
  if (step.ops.empty()) {
    os << "(" << step.location << ")\n";
    if (!step.schedule.empty())
      os << "       " << step.schedule << "\n";
    return;
  }
  os << llvm::join(step.ops, ", ") << " -> " << step.result << "  ("
     << step.location << ")\n";
  if (step.kernel.empty())
    return;
  os << "       grid " << formatShape(step.grid) << ", reads "
     << formatBytes(step.bytesRead) << ", writes "
     << formatBytes(step.bytesWritten) << "\n";
  if (!step.schedule.empty())
    os << "       " << step.schedule << "\n";
}

static void printMemory(const PlanMemory &memory, raw_ostream &os) {
  os << "memory: " << formatBytes(memory.intermediates)
     << " for intermediate results of " << formatBytes(memory.unshared);
  if (memory.threads != 0)
    os << "; " << formatBytes(memory.workspace) << " for each of "
       << memory.threads << (memory.threads == 1 ? " thread" : " threads");
  os << "\n";
}

/// A line for each kernel and chip, of the same columns.
static void printCode(ArrayRef<PlanStep> plan, raw_ostream &os) {
  if (llvm::all_of(plan,
                   [](const PlanStep &step) { return step.code.empty(); }))
    return;
  os << "code: registers and bytes on the stack are those of a thread, the "
        "rest is a block's\n"
     << "  chip     warps  registers  spilled   stack   shared  resident\n";
  bool isAssembled = true;
  for (const PlanStep &step : plan)
    for (const KernelCode &code : step.code) {
      os << format("  %-7s  %5u", code.chip.c_str(), code.warps);
      if (code.assembled)
        os << format("  %9u  %7" PRIu64 "  %6" PRIu64,
                     code.assembled->registers, code.assembled->spillStoreBytes,
                     code.assembled->stackBytes);
      else
        os << "          -        -       -";
      os << format("  %7" PRIu64, code.sharedBytes);
      if (code.assembled)
        os << format("  %8u", code.assembled->residentBlocks);
      else
        os << "         -";
      os << "  @" << step.kernel;
      if (!code.memoryClass.empty())
        os << ", " << code.memoryClass;
      os << "\n";
      isAssembled &= code.assembled.has_value();
    }
  if (!isAssembled)
    os << "  there is no ptxas: the driver assembles, and says nothing\n";
}

static void printPlan(const RunReport &report, raw_ostream &os) {
  os << "\nplan: " << report.plan.size()
     << (report.plan.size() == 1 ? " kernel" : " kernels");
  if (!report.isFused)
    os << ", one for each op: the reference road fuses nothing";
  os << "\n";
  for (auto [i, step] : llvm::enumerate(report.plan))
    printKernel(i + 1, step, os);
  printCode(report.plan, os);
  if (report.memory)
    printMemory(*report.memory, os);
}

void fuse::printText(const RunReport &report, ArrayRef<Argument> arguments,
                     raw_ostream &os) {
  os << report.file << ": @" << report.entry << " on " << report.target
     << "\n\narguments\n";
  for (const Argument &argument : arguments) {
    os << "  " << argument.name << ": ";
    if (argument.type)
      os << tensorText(*argument.type, argument.shape);
    else
      os << "index " << argument.shape.front();
    os << ", " << argument.origin << "\n";
  }

  printPlan(report, os);
  os << (report.isLoaded ? "loaded in " : "compiled in ")
     << timeText(report.compileSeconds) << "\n";
  if (report.image) {
    os << "written to " << *report.image << "; nothing was run\n";
    return;
  }
  os << "\nresults\n";

  for (const OutputReport &output : report.outputs) {
    bool isNumber = llvm::isDigit(output.name.front());
    os << "  " << (isNumber ? "out" : "") << output.name << ": "
       << tensorText(output.type, output.shape)
       << format(", from %.6g to %.6g, mean %.6g", output.least, output.largest,
                 output.mean);
    if (output.numNaN)
      os << ", " << output.numNaN << " NaN";
    os << "\n";
    if (output.verified) {
      printComparison(*output.verified, "verify", output, report.isJudged, os);
      if (!report.isJudged)
        os << format("    largest error %.3g: running op by op is what other "
                     "roads are judged by\n",
                     output.verified->maxError);
      else if (report.verify == VerifyMode::Float)
        os << format("    largest error %.3g; run op by op in the same types "
                     "%.3g\n",
                     output.verified->maxError, output.verified->unfusedError);
    }
    if (output.expected)
      printComparison(*output.expected, output.expectedFile, output,
                      /*isJudged=*/true, os);
  }
  if (report.difference)
    os << "\nNOT THE SAME: " << *report.difference << "\n";
  if (report.timing) {
    os << "\ntime: median " << timeText(report.timing->median) << " of "
       << report.timing->samples;
    if (report.timing->runsPerSample > 1)
      os << " times " << report.timing->runsPerSample;
    os << " runs, from " << timeText(report.timing->least) << " to "
       << timeText(report.timing->largest);
    if (report.clock)
      os << ", at " << llvm::format("%.0f MHz", *report.clock * 1e-6);
    os << "\n";
  }
  for (auto [step, timing] : llvm::zip(report.plan, report.kernelTimings)) {
    double moved = static_cast<double>(step.bytesRead + step.bytesWritten);
    os << "  @" << step.kernel << ": " << timeText(timing.median)
       << format(", %.3g GB/s", moved / timing.median * 1e-9);
    if (step.dotFlops && *step.dotFlops > 0)
      os << format(", %.4g GFLOP/s",
                   static_cast<double>(*step.dotFlops) / timing.median * 1e-9);
    os << "\n";
  }
}

/// JSON has no NaN and no infinities: they become strings.
static json::Value number(double value) {
  if (std::isfinite(value))
    return value;
  if (std::isnan(value))
    return "nan";
  return value > 0 ? "inf" : "-inf";
}

static json::Object toJson(const Comparison &comparison, bool isJudged) {
  return json::Object{
      {"right", isJudged ? json::Value(comparison.isRight()) : nullptr},
      {"wrong_elements", static_cast<int64_t>(comparison.numWrong)},
      {"worst_index", static_cast<int64_t>(comparison.worstIndex)},
      {"got", number(comparison.got)},
      {"wanted", number(comparison.wanted)},
      {"error", number(comparison.error)},
      {"allowed", number(comparison.allowed)},
      {"max_error", number(comparison.maxError)},
      {"unfused_max_error", number(comparison.unfusedError)}};
}

static json::Object toJson(const KernelCode &code) {
  json::Object object{{"chip", code.chip},
                      {"warps", static_cast<int64_t>(code.warps)},
                      {"shared", static_cast<int64_t>(code.sharedBytes)}};
  if (!code.memoryClass.empty())
    object["memory"] = code.memoryClass;
  if (!code.assembled)
    return object;
  const KernelCode::Assembled &said = *code.assembled;
  object["registers"] = static_cast<int64_t>(said.registers);
  object["spill_stores"] = static_cast<int64_t>(said.spillStoreBytes);
  object["spill_loads"] = static_cast<int64_t>(said.spillLoadBytes);
  object["stack"] = static_cast<int64_t>(said.stackBytes);
  object["resident_blocks"] = static_cast<int64_t>(said.residentBlocks);
  return object;
}

static json::Object toJson(const PlanStep &step) {
  json::Object kernel{{"ops", json::Array(step.ops)},
                      {"result", step.result},
                      {"location", step.location}};
  if (step.kernel.empty())
    return kernel;
  json::Array stored;
  for (const StoredTensor &tensor : step.stored)
    stored.push_back(
        json::Object{{"type", StringRef(typeName(tensor.signature.type))},
                     {"shape", json::Array(tensor.signature.shape)},
                     {"output", tensor.isOutput}});
  json::Array code;
  for (const KernelCode &made : step.code)
    code.push_back(toJson(made));
  if (!code.empty())
    kernel["code"] = std::move(code);
  kernel["name"] = step.kernel;
  kernel["grid"] = json::Array(step.grid);
  kernel["schedule"] = step.schedule;
  kernel["stored"] = std::move(stored);
  kernel["bytes_read"] = static_cast<int64_t>(step.bytesRead);
  kernel["bytes_written"] = static_cast<int64_t>(step.bytesWritten);
  kernel["dot_flops"] = step.dotFlops
                            ? json::Value(static_cast<int64_t>(*step.dotFlops))
                            : json::Value(nullptr);
  return kernel;
}

void fuse::printJson(const RunReport &report, ArrayRef<Argument> arguments,
                     raw_ostream &os) {
  json::Array inputs, plan, outputs;
  for (const Argument &argument : arguments) {
    json::Object input{{"name", argument.name},
                       {"data", argument.origin},
                       {"shape", json::Array(argument.shape)}};
    input["type"] = argument.type ? StringRef(typeName(*argument.type))
                                  : StringRef("index");
    inputs.push_back(std::move(input));
  }
  for (auto [i, step] : llvm::enumerate(report.plan)) {
    json::Object kernel = toJson(step);
    if (i < report.kernelTimings.size())
      kernel["seconds"] = report.kernelTimings[i].median;
    plan.push_back(std::move(kernel));
  }
  for (const OutputReport &output : report.outputs) {
    json::Object object{{"name", output.name},
                        {"type", StringRef(typeName(output.type))},
                        {"shape", json::Array(output.shape)},
                        {"min", number(output.least)},
                        {"max", number(output.largest)},
                        {"mean", number(output.mean)},
                        {"nan", static_cast<int64_t>(output.numNaN)}};
    if (output.verified)
      object["verify"] = toJson(*output.verified, report.isJudged);
    if (output.expected)
      object["expect"] = toJson(*output.expected, true);
    outputs.push_back(std::move(object));
  }
  json::Object root{{"file", report.file},
                    {"entry", report.entry},
                    {"target", report.target},
                    {"seed", report.seed},
                    {"judged", report.isJudged},
                    {"inputs", std::move(inputs)},
                    {"kernels", std::move(plan)},
                    {"compile_seconds", report.compileSeconds},
                    {"outputs", std::move(outputs)},
                    {"right", report.isRight()}};
  if (report.image)
    root["image"] = *report.image;
  if (report.memory)
    root["memory"] =
        json::Object{{"intermediates", int64_t(report.memory->intermediates)},
                     {"unshared", int64_t(report.memory->unshared)},
                     {"workspace", int64_t(report.memory->workspace)},
                     {"threads", int64_t(report.memory->threads)}};
  if (report.timing)
    root["time_seconds"] = json::Object{
        {"median", report.timing->median},
        {"min", report.timing->least},
        {"max", report.timing->largest},
        {"samples", static_cast<int64_t>(report.timing->samples)},
        {"runs_per_sample", static_cast<int64_t>(report.timing->runsPerSample)},
        {"argument_sets", static_cast<int64_t>(report.timing->argumentSets)},
        {"warm_ups", static_cast<int64_t>(report.warmUps)}};
  if (report.clock)
    root["clock_mhz"] = std::round(*report.clock * 1e-6);
  os << formatv("{0:2}", json::Value(std::move(root))) << "\n";
}
