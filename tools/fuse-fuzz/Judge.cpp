//===- Judge.cpp - whether the roads agree on a graph ---------------------===//
//
// The rules are those of `fuse-run --verify`, with one thing added. The error
// of running op by op, by which the fused road's error is judged, may be small
// by luck where a result has few elements, so it is taken over several orders
// of sums, and over several sets of data, before anything is called wrong.
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "../fuse-run/Arguments.h"
#include "../fuse-run/Compare.h"
#include "Random.h"
#include "fuse/Compiler/Fused.h"
#include "fuse/Compiler/Gpu.h"
#include "fuse/Compiler/Interpreted.h"
#include "fuse/Compiler/Reference.h"
#include "fuse/Compiler/Simulated.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace fuse;

namespace {

using Outputs = std::vector<HostBuffer>;

/// Nobody looks at the stages.
void ignoreStage(StringRef, ModuleOp) {}

Result<Outputs> runProgram(Program &program, ArrayRef<Argument> arguments) {
  std::vector<const HostBuffer *> data;
  for (const Argument &argument : arguments)
    data.push_back(&*argument.data);
  return program.runOn(data);
}

/// Changes the graph behind the reference's back.
void swapOps(ModuleOp module, StringRef from, StringRef to) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (op->getName().getStringRef() == from)
      found.push_back(op);
  });
  for (Operation *op : found) {
    if (to == "abort")
      std::abort();
    OpBuilder builder(op);
    OperationState state(op->getLoc(), to, op->getOperands(),
                         op->getResultTypes());
    op->replaceAllUsesWith(builder.create(state));
    op->erase();
  }
}

/// Some of the last variables, or any.
static Schedule::Owned drawOwned(Random &random, size_t variables) {
  Schedule::Owned owned;
  if (random.chance(50))
    owned.last = random.between(0, variables);
  else
    for (size_t place = 0; place < variables; ++place)
      if (random.chance(50))
        owned.places.push_back(place);
  return owned;
}

/// A schedule near to one that was chosen.
std::string drawSchedule(Random &random, ScheduleAttr chosen) {
  Schedule schedule = chosen.getValue();
  auto tile = [&] {
    return random.chance(50) ? int64_t(1) << random.below(7)
                             : random.between(1, 64);
  };
  for (int64_t &size : schedule.parallel)
    if (random.chance(70))
      size = tile();
  for (Schedule::Loop &loop : schedule.sequential)
    if (random.chance(70))
      loop.tile = tile();
  // Variables that are owned have no tile behind those that are not.
  size_t variables = schedule.parallel.size();
  if (schedule.owned && schedule.owned->places.empty())
    variables += schedule.owned->last;
  else if (schedule.owned)
    variables = std::max<size_t>(
        variables, *llvm::max_element(schedule.owned->places) + 1);
  if (random.chance(40))
    schedule.owned = drawOwned(random, variables);
  for (Schedule::Cascade &cascade : schedule.cascades)
    if (random.chance(50))
      cascade.strategy = static_cast<CascadeStrategy>(random.below(4));
  if (random.chance(20)) {
    schedule.split = random.between(1, 4);
    schedule.merge = schedule.split % 2 == 0 && random.chance(50)
                         ? MergePlace::Cluster
                         : MergePlace::Launch;
  }
  std::string text;
  llvm::raw_string_ostream(text)
      << ScheduleAttr::get(chosen.getContext(), schedule);
  return text;
}

class Judge {
public:
  Judge(const FuzzGraph &graph, const JudgeOptions &options,
        llvm::function_ref<void(StringRef)> announce)
      : graph(graph), options(options), announce(announce),
        handler(ModuleOp(*graph.module).getContext(),
                [this](Diagnostic &diagnostic) {
                  if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
                      message.empty())
                    message = diagnostic.str();
                  return success();
                }) {}

  Judgement run();

private:
  Result<std::vector<Argument>> makeData(uint64_t seed) const;
  Result<std::unique_ptr<Program>> compileFused(StringRef schedules);
  Result<std::unique_ptr<Program>>
  compileForDevice(ModuleOp module, const FormationOptions &formation);
  Result<std::unique_ptr<Program>>
  compileForSimulation(ModuleOp module, const FormationOptions &formation);
  Result<std::unique_ptr<Program>> makeReference(ReferenceKind kind,
                                                 ReferenceFloats floats,
                                                 int64_t sumStride = 1);
  Status addReference(ReferenceFloats floats);
  Result<std::string> compareReferences();
  Result<std::string> compare(Program &program);
  Result<std::string> compareFloats(Program &program,
                                    ArrayRef<Argument> arguments);
  void trySchedules(Judgement &judgement, ArrayRef<PlanStep> plan);
  Judgement refuse(const RuntimeError &error) const;
  Judgement refuseRun(const RuntimeError &error) const;

  const FuzzGraph &graph;
  const JudgeOptions &options;
  llvm::function_ref<void(StringRef)> announce;
  /// The first error.
  std::string message;
  ScopedDiagnosticHandler handler;
  SmallVector<ArgumentShape> shapes;
  std::unique_ptr<Program> exact, same;
};

Result<std::vector<Argument>> Judge::makeData(uint64_t seed) const {
  RunOptions run;
  run.seed = seed;
  run.shapes = graph.shapes;
  auto functions = ModuleOp(*graph.module).getOps<func::FuncOp>();
  return bindArguments(*functions.begin(), run);
}

/// A process opens the GPU once.
static Result<std::shared_ptr<CudaDevice>> openDevice() {
  static std::shared_ptr<CudaDevice> opened;
  if (!opened) {
    auto device = CudaDevice::open();
    if (!device)
      return device.takeError();
    opened = std::move(*device);
  }
  return opened;
}

Result<std::unique_ptr<Program>>
Judge::compileForDevice(ModuleOp module, const FormationOptions &formation) {
  auto device = openDevice();
  if (!device)
    return device.takeError();
  GpuOptions gpu;
  gpu.formation = formation;
  gpu.chips.push_back(*options.chip);
  // The driver assembles as fast, and needs no files.
  gpu.assembles = false;
  auto code = compileForGpu(module, "graph", shapes, gpu, ignoreStage);
  if (!code)
    return code.takeError();
  auto program = GpuProgram::load(std::move(*code), *device);
  if (!program)
    return program.takeError();
  return std::unique_ptr<Program>(std::move(*program));
}

/// All the way to PTX, which nobody runs, and to the kernels that are
/// simulated.
Result<std::unique_ptr<Program>>
Judge::compileForSimulation(ModuleOp module,
                            const FormationOptions &formation) {
  GpuOptions gpu;
  gpu.formation = formation;
  gpu.chips.push_back(*options.simulated);
  gpu.assembles = false;
  gpu.optLevel = options.optLevel;
  auto code = compileForGpu(module, "graph", shapes, gpu, ignoreStage);
  if (!code)
    return code.takeError();
  SimulatedOptions simulation;
  simulation.chip = *options.simulated;
  simulation.formation = formation;
  simulation.seed = graph.dataSeed;
  auto program = SimulatedProgram::compile(module, "graph", shapes, simulation,
                                           ignoreStage);
  if (!program)
    return program.takeError();
  return std::unique_ptr<Program>(std::move(*program));
}

Result<std::unique_ptr<Program>> Judge::compileFused(StringRef schedules) {
  OwningOpRef<ModuleOp> module = ModuleOp(*graph.module).clone();
  if (!options.swapFrom.empty())
    swapOps(*module, options.swapFrom, options.swapTo);
  FusedOptions fused;
  fused.threads = 2;
  fused.optLevel = options.optLevel;
  for (StringRef line : llvm::split(schedules, '\n'))
    if (!line.empty()) {
      auto [kernel, schedule] = line.split(':');
      fused.formation.schedules[kernel] = schedule.str();
    }
  message.clear();
  if (options.chip)
    return compileForDevice(*module, fused.formation);
  if (options.simulated)
    return compileForSimulation(*module, fused.formation);
  auto program =
      FusedProgram::compile(*module, "graph", shapes, fused, ignoreStage);
  if (!program)
    return program.takeError();
  return std::unique_ptr<Program>(std::move(*program));
}

Result<std::unique_ptr<Program>> Judge::makeReference(ReferenceKind kind,
                                                      ReferenceFloats floats,
                                                      int64_t sumStride) {
  if (kind == ReferenceKind::Compiled) {
    auto program = ReferenceProgram::compile(
        *graph.module, "graph", shapes, floats, ignoreStage, {}, sumStride);
    if (!program)
      return program.takeError();
    return std::unique_ptr<Program>(std::move(*program));
  }
  auto program = InterpretedProgram::create(*graph.module, "graph", shapes,
                                            floats, sumStride);
  if (!program)
    return program.takeError();
  return std::unique_ptr<Program>(std::move(*program));
}

Status Judge::addReference(ReferenceFloats floats) {
  auto program = makeReference(options.reference, floats);
  if (!program)
    return program.takeError();
  (floats == ReferenceFloats::Exact ? exact : same) = std::move(*program);
  return Status::success();
}

std::string describe(size_t output, const HostBuffer &buffer,
                     const Comparison &found) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "output " << output << " (" << formatShape(buffer.shape()) << " "
      << typeName(buffer.type()) << "): " << found.numWrong
      << " wrong; element " << found.worstIndex << " is "
      << llvm::format("%.9g, wanted %.9g, error %.3g of %.3g allowed",
                      found.got, found.wanted, found.error, found.allowed);
  return text;
}

/// The largest finite error of running op by op, and the largest finite value.
void addYardstick(const HostBuffer &unfused, const HostBuffer &exact,
                  double &error, double &size) {
  for (size_t i = 0, e = exact.elementCount(); i < e; ++i) {
    double wanted = loadAsDouble(exact.type(), exact.data(), i);
    double distance =
        std::abs(loadAsDouble(unfused.type(), unfused.data(), i) - wanted);
    if (std::isfinite(distance))
      error = std::max(error, distance);
    if (std::isfinite(wanted))
      size = std::max(size, std::abs(wanted));
  }
}

/// What is wrong with the outputs for these data, or nothing.
Result<std::string> Judge::compareFloats(Program &program,
                                         ArrayRef<Argument> arguments) {
  auto outputs = runProgram(program, arguments);
  if (!outputs)
    return outputs.takeError();
  auto wanted = runProgram(*exact, arguments);
  if (!wanted)
    return wanted.takeError();
  auto unfused = runProgram(*same, arguments);
  if (!unfused)
    return unfused.takeError();
  std::optional<size_t> suspect;
  Comparison first;
  for (size_t i = 0; i < outputs->size(); ++i) {
    Comparison found =
        compareWithUnfused((*outputs)[i], (*unfused)[i], (*wanted)[i]);
    if (found.isRight() || suspect)
      continue;
    // What is NaN or infinite is so for all data.
    if (!std::isfinite(found.error))
      return describe(i, (*outputs)[i], found);
    suspect = i;
    first = found;
  }
  if (!suspect)
    return std::string();
  double error = 0, size = 0, largestInput = 0;
  for (const Argument &argument : arguments)
    for (size_t i = 0, e = argument.data->elementCount(); i < e; ++i) {
      double value = std::abs(
          loadAsDouble(argument.data->type(), argument.data->data(), i));
      if (std::isfinite(value))
        largestInput = std::max(largestInput, value);
    }
  unsigned orders = ordersToTry((*outputs)[*suspect].elementCount());
  for (unsigned order = 0; order < orders; ++order) {
    auto program = makeReference(options.reference, ReferenceFloats::Same,
                                 /*sumStride=*/order + 2);
    if (!program)
      return program.takeError();
    auto other = runProgram(**program, arguments);
    if (!other)
      return other.takeError();
    addYardstick((*other)[*suspect], (*wanted)[*suspect], error, size);
  }
  for (uint64_t seed = 0; seed < 16; ++seed) {
    auto data = makeData(graph.dataSeed + seed);
    if (!data)
      return data.takeError();
    auto ideal = runProgram(*exact, *data), single = runProgram(*same, *data);
    if (!ideal || !single)
      return std::string();
    addYardstick((*single)[*suspect], (*ideal)[*suspect], error, size);
  }
  // f64 is what the reference itself computes in, so its own error is unknown.
  // Functions of a GPU are off by two units of the last place and more
  // (docs/Math.md), and may be so for all terms of a sum alike.
  double roundings = options.chip ? 8 : 4;
  double rounding = (*outputs)[*suspect].type() == ElementType::F64
                        ? 1e-12
                        : roundings * epsilon((*outputs)[*suspect].type());
  // What is left where everything cancels consists of roundings.
  if (size < 1e-10 * largestInput)
    size = largestInput;
  first.allowed = 2 * error + rounding * size;
  if (first.error <= first.allowed)
    return std::string();
  return describe(*suspect, (*outputs)[*suspect], first);
}

/// What is wrong with what is interpreted, if the compiled reference is right.
/// Not all bits are the same: compiled, expm1 is an exp less 1.
Result<std::string> Judge::compareReferences() {
  auto arguments = makeData(graph.dataSeed);
  if (!arguments)
    return arguments.takeError();
  auto run = [&](ReferenceKind kind,
                 ReferenceFloats floats) -> Result<Outputs> {
    auto program = makeReference(kind, floats);
    if (!program)
      return program.takeError();
    return runProgram(**program, *arguments);
  };
  auto wanted = run(ReferenceKind::Compiled, ReferenceFloats::Exact);
  if (!wanted)
    return wanted.takeError();
  auto found = run(ReferenceKind::Interpreted, ReferenceFloats::Exact);
  if (!found)
    return found.takeError();
  for (size_t i = 0; i < found->size(); ++i) {
    double error = 0, size = 0;
    addYardstick((*wanted)[i], (*wanted)[i], error, size);
    Comparison compared = compareWithin((*found)[i], (*wanted)[i], 0,
                                        graph.isExact ? 0 : 1e-12 * size);
    if (!compared.isRight())
      return "the references differ: " + describe(i, (*found)[i], compared);
  }
  if (graph.isExact)
    return std::string();
  auto unfused = run(ReferenceKind::Compiled, ReferenceFloats::Same);
  if (!unfused)
    return unfused.takeError();
  auto rounded = run(ReferenceKind::Interpreted, ReferenceFloats::Same);
  if (!rounded)
    return rounded.takeError();
  for (size_t i = 0; i < rounded->size(); ++i) {
    Comparison compared =
        compareWithUnfused((*rounded)[i], (*unfused)[i], (*wanted)[i]);
    if (!compared.isRight())
      return "the references differ: " + describe(i, (*rounded)[i], compared);
  }
  return std::string();
}

Result<std::string> Judge::compare(Program &program) {
  auto arguments = makeData(graph.dataSeed);
  if (!arguments)
    return arguments.takeError();
  if (!graph.isExact)
    return compareFloats(program, *arguments);
  auto outputs = runProgram(program, *arguments);
  if (!outputs)
    return outputs.takeError();
  auto wanted = runProgram(*exact, *arguments);
  if (!wanted)
    return wanted.takeError();
  for (size_t i = 0; i < outputs->size(); ++i) {
    // Zeros of either sign are equal: a sum that begins with its first element
    // may be -0 where one that begins with 0 is not.
    Comparison found = compareWithin((*outputs)[i], (*wanted)[i], 0, 0);
    if (!found.isRight())
      return describe(i, (*outputs)[i], found);
  }
  return std::string();
}

Judgement Judge::refuse(const RuntimeError &error) const {
  Judgement judgement;
  judgement.verdict = Verdict::Refused;
  judgement.text = message.empty() ? error.message() : message;
  return judgement;
}

/// What the simulator or a device stops at is a mistake of whoever made the
/// kernel.
Judgement Judge::refuseRun(const RuntimeError &error) const {
  Judgement judgement = refuse(error);
  judgement.hasLostDevice = error.code() == ErrorCode::Device;
  if (options.simulated || judgement.hasLostDevice)
    judgement.verdict = Verdict::Wrong;
  return judgement;
}

void Judge::trySchedules(Judgement &judgement, ArrayRef<PlanStep> plan) {
  Random random(options.scheduleSeed, 0);
  for (unsigned i = 0; i < options.numSchedules; ++i) {
    std::string schedules;
    llvm::StringMap<std::string> drawn;
    for (const PlanStep &step : plan) {
      if (step.schedule.empty() || drawn.contains(step.kernel))
        continue;
      auto chosen =
          parseSchedule(step.schedule, ModuleOp(*graph.module).getContext());
      if (!chosen) {
        llvm::consumeError(chosen.takeError());
        continue;
      }
      drawn[step.kernel] = drawSchedule(random, *chosen);
      schedules += step.kernel + ":" + drawn[step.kernel] + "\n";
    }
    ++judgement.numSchedules;
    announce(schedules);
    auto program = compileFused(schedules);
    if (!program) {
      ++judgement.numRefusedSchedules;
      continue;
    }
    auto found = compare(**program);
    if (found && found->empty())
      continue;
    Judgement failed = found ? Judgement{Verdict::Wrong, *found, {}}
                             : refuseRun(found.error());
    judgement.verdict = failed.verdict;
    judgement.text = failed.text;
    judgement.hasLostDevice = failed.hasLostDevice;
    judgement.schedules = schedules;
    return;
  }
}

Judgement Judge::run() {
  // A fault of the generator is as much a finding as any other.
  if (failed(mlir::verify(*graph.module))) {
    Judgement invalid;
    invalid.verdict = Verdict::Wrong;
    invalid.text = "the graph that was made is not valid: " + message;
    return invalid;
  }
  auto arguments = makeData(graph.dataSeed);
  if (!arguments)
    return refuse(arguments.error());
  for (const Argument &argument : *arguments)
    shapes.push_back(argument.shape);
  // The reference first: what it refuses is no valid graph.
  if (Status status = addReference(ReferenceFloats::Exact); !status)
    return refuse(status.error());
  if (!graph.isExact)
    if (Status status = addReference(ReferenceFloats::Same); !status)
      return refuse(status.error());
  if (options.reference == ReferenceKind::Both) {
    auto found = compareReferences();
    if (!found)
      return refuse(found.error());
    if (!found->empty())
      return {Verdict::Wrong, *found, options.schedules};
  }
  if (options.chip)
    if (auto device = openDevice(); !device)
      return {Verdict::NoDevice, device.error().message(), {}};
  announce(options.schedules);
  auto program = compileFused(options.schedules);
  // The device cannot take it, as where its memory is another's.
  if (!program && !options.simulated &&
      program.error().code() == ErrorCode::Device)
    return {Verdict::NoDevice, program.error().message(), {}};
  if (!program)
    return refuse(program.error());
  auto found = compare(**program);
  if (!found)
    return refuseRun(found.error());
  if (!found->empty())
    return {Verdict::Wrong, *found, options.schedules};
  Judgement judgement;
  trySchedules(judgement, (*program)->plan());
  return judgement;
}

} // namespace

Judgement fuse::judge(const FuzzGraph &graph, const JudgeOptions &options,
                      llvm::function_ref<void(StringRef)> announce) {
  return Judge(graph, options, announce).run();
}
