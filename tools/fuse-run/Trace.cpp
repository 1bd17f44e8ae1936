//===- Trace.cpp - runs as a timeline -------------------------------------===//
//
// The format of Chrome's traces: complete events with times in microseconds,
// on a line for what computes and one for who launches.
//
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "fuse/Runtime/File.h"
#include "llvm/Support/JSON.h"

#include <chrono>

using namespace fuse;
namespace json = llvm::json;

namespace {

enum Line : int { computing = 1, launching = 2 };

class Writer {
public:
  explicit Writer(llvm::ArrayRef<PlanStep> plan) : plan(plan) {}

  void nameLine(Line line, llvm::StringRef name) {
    events.push_back(json::Object{{"name", "thread_name"},
                                  {"ph", "M"},
                                  {"pid", 1},
                                  {"tid", int(line)},
                                  {"args", json::Object{{"name", name}}}});
  }

  void add(Line line, const TraceSpan &span) {
    const PlanStep &step = plan[span.launch];
    json::Object facts{{"run", span.run}};
    if (!step.location.empty())
      facts["location"] = step.location;
    if (!step.schedule.empty())
      facts["schedule"] = step.schedule;
    if (!step.ops.empty())
      facts["ops"] = llvm::join(step.ops, ", ");
    std::string name = step.kernel.empty()
                           ? "step " + std::to_string(span.launch)
                           : step.kernel;
    events.push_back(json::Object{{"name", std::move(name)},
                                  {"ph", "X"},
                                  {"pid", 1},
                                  {"tid", int(line)},
                                  {"ts", span.begin * 1e6},
                                  {"dur", span.seconds * 1e6},
                                  {"args", std::move(facts)}});
  }

  Status write(const std::string &path) {
    std::string text;
    llvm::raw_string_ostream(text)
        << json::Value(json::Object{{"displayTimeUnit", "ns"},
                                    {"traceEvents", std::move(events)}})
        << "\n";
    std::string_view pieces[] = {text};
    return writeFile(path, pieces);
  }

private:
  llvm::ArrayRef<PlanStep> plan;
  json::Array events;
};

} // namespace

static Result<std::vector<TraceSpan>>
traceOnCpu(Program &program, llvm::ArrayRef<const HostBuffer *> data,
           unsigned runs) {
  Result<std::vector<HostBuffer>> outputs = program.allocateOutputs();
  if (!outputs)
    return outputs.takeError();
  std::vector<TraceSpan> spans;
  auto began = std::chrono::steady_clock::now();
  // One more than is told: a first run is like no other.
  for (unsigned run = 0; run <= runs; ++run) {
    std::vector<LaunchTime> times;
    auto now = std::chrono::steady_clock::now();
    if (run == 1)
      began = now;
    if (Status status = program.run(data, *outputs, &times); !status)
      return status.takeError();
    if (run == 0)
      continue;
    double begin = std::chrono::duration<double>(now - began).count();
    for (auto [i, time] : llvm::enumerate(times))
      spans.push_back({static_cast<uint32_t>(i), run - 1, begin + time.begin,
                       time.seconds});
  }
  return spans;
}

Status fuse::writeProfile(Program &program, GpuProgram *gpu,
                          llvm::ArrayRef<const HostBuffer *> data,
                          const RunOptions &options) {
  Writer writer(program.plan());
  if (gpu) {
    Result<CudaTrace> trace =
        traceRuns(gpu->executor(), {data.data(), data.size()}, options.samples);
    if (!trace)
      return trace.takeError();
    writer.nameLine(computing, "kernels on the GPU");
    writer.nameLine(launching, "launches on the host");
    for (const TraceSpan &span : trace->kernels)
      writer.add(computing, span);
    for (const TraceSpan &span : trace->launches)
      writer.add(launching, span);
    return writer.write(options.profile);
  }
  auto spans = traceOnCpu(program, data, options.samples);
  if (!spans)
    return spans.takeError();
  writer.nameLine(computing, "kernels on the processor");
  for (const TraceSpan &span : *spans)
    writer.add(computing, span);
  return writer.write(options.profile);
}
