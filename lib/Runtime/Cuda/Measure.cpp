//===- Measure.cpp - how long programs take, and how alike they run -------===//
//
// Runs are put into the stream without waiting, and many at a time as a graph,
// so that the device is never short of work while it is timed.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cuda/Measure.h"
#include "ClockMeter.h"
#include "DeviceRun.h"
#include "fuse/Runtime/Cuda/Graph.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

using namespace fuse;

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

namespace {

/// Graphs of more launches take long to make, and nothing is gained.
constexpr uint32_t maxRunsPerSample = 400;

class Bench {
public:
  Bench(CudaExecutor &executor, std::span<const HostBuffer *const> inputs,
        const CudaBenchOptions &options, CudaStream stream)
      : executor(executor), inputs(inputs), options(options),
        stream(std::move(stream)) {}

  Result<CudaBench> run();

private:
  Status makeSets();
  Status addSet();
  Status launchRuns(uint32_t count);
  Result<double> timeRuns(uint32_t count);
  Result<std::optional<CudaGraph>> recordSample();
  bool rests() const { return options.restSeconds > 0; }
  size_t marksPerSample() const { return rests() ? 2 : 1; }
  Status launchSamples(std::optional<CudaGraph> &graph,
                       std::vector<CudaEvent> &marks,
                       std::optional<ClockMeter> &meter);
  Status timeWhole();
  Status timeLaunches();
  Result<std::vector<CudaEvent>> makeEvents(size_t count);
  const CudaArguments &nextSet() { return prepared[turn++ % prepared.size()]; }

  CudaExecutor &executor;
  std::span<const HostBuffer *const> inputs;
  const CudaBenchOptions &options;
  CudaStream stream;
  std::vector<DeviceArguments> sets;
  std::vector<CudaArguments> prepared;
  size_t turn = 0;
  CudaBench bench;
};

} // namespace

Status Bench::addSet() {
  Result<DeviceArguments> set =
      DeviceArguments::create(executor, inputs, stream.handle());
  if (!set)
    return set.takeError();
  if (Status status = set->poisonOutputs(stream.handle()); !status)
    return status;
  Result<CudaArguments> arguments =
      executor.prepare(set->inputs(), set->outputs());
  if (!arguments)
    return arguments.takeError();
  sets.push_back(std::move(*set));
  prepared.push_back(std::move(*arguments));
  return Status::success();
}

Status Bench::makeSets() {
  if (Status status = addSet(); !status)
    return status;
  for (const auto *arrays : {&sets[0].inputs(), &sets[0].outputs()})
    for (const DeviceArray &array : *arrays)
      bench.argumentBytes += *requiredBytes(array.type, array.shape);
  double wanted = options.l2Multiple *
                  double(executor.device()->limits().l2Bytes) /
                  std::max(double(bench.argumentBytes), 1.0);
  // More sets than runs would never be used.
  double numRuns = double(options.samples) + double(options.warmUps);
  if (options.sampleSeconds > 0)
    numRuns = maxRunsPerSample;
  wanted = std::ceil(std::min(wanted, numRuns));
  while (double(sets.size()) < wanted) {
    Status status = addSet();
    if (status)
      continue;
    // Where memory is short, fewer must do.
    if (status.error().code() == ErrorCode::Unsupported)
      break;
    return status;
  }
  bench.argumentSets = static_cast<uint32_t>(sets.size());
  return Status::success();
}

Result<std::vector<CudaEvent>> Bench::makeEvents(size_t count) {
  std::vector<CudaEvent> events;
  for (size_t i = 0; i < count; ++i) {
    Result<CudaEvent> event = CudaEvent::create(executor.device());
    if (!event)
      return event.takeError();
    events.push_back(std::move(*event));
  }
  return events;
}

Status Bench::launchRuns(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (Status s = executor.launch(nextSet(), stream.handle()); !s)
      return s;
  return Status::success();
}

/// What `count` runs take if they are launched one by one.
Result<double> Bench::timeRuns(uint32_t count) {
  Result<std::vector<CudaEvent>> marks = makeEvents(2);
  if (!marks)
    return marks.takeError();
  if (Status s = (*marks)[0].record(stream.handle()); !s)
    return s.takeError();
  if (Status s = launchRuns(count); !s)
    return s.takeError();
  if (Status s = (*marks)[1].record(stream.handle()); !s)
    return s.takeError();
  if (Status s = stream.wait(); !s)
    return s.takeError();
  return (*marks)[1].secondsSince((*marks)[0]);
}

/// Puts the runs of a sample into a graph, if that is wanted and possible.
Result<std::optional<CudaGraph>> Bench::recordSample() {
  const std::shared_ptr<CudaDevice> &device = executor.device();
  if (options.sampleSeconds <= 0 || executor.waitsForEach() ||
      !CudaGraph::isSupported(*device))
    return std::optional<CudaGraph>();
  constexpr uint32_t tried = 4;
  Result<double> took = timeRuns(tried);
  if (!took)
    return took.takeError();
  double wanted =
      std::ceil(options.sampleSeconds * tried / std::max(*took, 1e-9));
  bench.runsPerSample = static_cast<uint32_t>(
      std::clamp(wanted, double(sets.size()), double(maxRunsPerSample)));
  Result<CudaGraph> graph = CudaGraph::record(
      device, stream.handle(), [&] { return launchRuns(bench.runsPerSample); });
  if (!graph)
    return graph.takeError();
  // The first launch of a graph also brings it to the device.
  if (Status s = graph->launch(stream.handle()); !s)
    return s.takeError();
  return std::optional<CudaGraph>(std::move(*graph));
}

/// Launches all samples. Where the device rests, it does so before each, and a
/// sample has two marks of its own; else it ends where the next one starts.
Status Bench::launchSamples(std::optional<CudaGraph> &graph,
                            std::vector<CudaEvent> &marks,
                            std::optional<ClockMeter> &meter) {
  for (size_t i = 0; i < options.samples; ++i) {
    size_t start = marksPerSample() * i;
    bool isFirst = rests() || i == 0;
    bool isLast = rests() || i + 1 == options.samples;
    if (rests()) {
      if (Status s = stream.wait(); !s)
        return s;
      std::this_thread::sleep_for(
          std::chrono::duration<double>(options.restSeconds));
    }
    if (isFirst) {
      if (Status s = meter ? meter->begin(stream.handle()) : Status::success();
          !s)
        return s;
      if (Status s = marks[start].record(stream.handle()); !s)
        return s;
    }
    if (Status s = graph ? graph->launch(stream.handle()) : launchRuns(1); !s)
      return s;
    if (Status s = marks[start + 1].record(stream.handle()); !s)
      return s;
    if (Status s =
            meter && isLast ? meter->end(stream.handle()) : Status::success();
        !s)
      return s;
  }
  return stream.wait();
}

Status Bench::timeWhole() {
  if (Status s = launchRuns(options.warmUps); !s)
    return s;
  Result<std::optional<CudaGraph>> graph = recordSample();
  if (!graph)
    return graph.takeError();
  Result<std::vector<CudaEvent>> marks =
      makeEvents(marksPerSample() * options.samples + 1);
  if (!marks)
    return marks.takeError();
  std::optional<ClockMeter> meter;
  if (options.readsClock) {
    Result<std::optional<ClockMeter>> made =
        ClockMeter::create(executor.device(), stream.handle());
    if (!made)
      return made.takeError();
    if (*made)
      meter.emplace(std::move(**made));
  }
  if (Status s = launchSamples(*graph, *marks, meter); !s)
    return s;
  for (size_t i = 0; i < options.samples; ++i) {
    size_t start = marksPerSample() * i;
    Result<double> took = (*marks)[start + 1].secondsSince((*marks)[start]);
    if (!took)
      return took.takeError();
    bench.seconds.push_back(*took / bench.runsPerSample);
  }
  if (!meter)
    return Status::success();
  Result<std::optional<double>> clock = meter->hertz(stream.handle());
  if (!clock)
    return clock.takeError();
  bench.clock = *clock;
  return Status::success();
}

Status Bench::timeLaunches() {
  // The variants of all sets have blocks in the same places: those follow from
  // the sizes.
  std::vector<std::optional<uint32_t>> variants = prepared[0].variants();
  std::vector<size_t> numbers;
  for (size_t i = 0; i < variants.size(); ++i)
    if (variants[i])
      numbers.push_back(i);
  bench.launchSeconds.assign(variants.size(),
                             std::vector<double>(options.samples, 0.0));
  Result<std::vector<CudaEvent>> made = makeEvents(numbers.size() + 1);
  if (!made)
    return made.takeError();
  std::vector<CudaEvent> &marks = *made;
  for (uint32_t sample = 0; sample < options.samples; ++sample) {
    if (Status s = executor.launchMarked(nextSet(), stream.handle(), marks); !s)
      return s;
    if (Status s = stream.wait(); !s)
      return s;
    for (size_t i = 0; i < numbers.size(); ++i) {
      Result<double> took = marks[i + 1].secondsSince(marks[i]);
      if (!took)
        return took.takeError();
      bench.launchSeconds[numbers[i]][sample] = *took;
    }
  }
  return Status::success();
}

Result<CudaBench> Bench::run() {
  if (Status status = makeSets(); !status)
    return status.takeError();
  // Once with a look at each kernel: an error is told of the right one.
  if (Status s = executor.launchAndWait(prepared[0], stream.handle()); !s)
    return s.takeError();
  if (Status status = timeWhole(); !status)
    return status.takeError();
  if (Status status = timeLaunches(); !status)
    return status.takeError();
  return std::move(bench);
}

Result<CudaBench> fuse::bench(CudaExecutor &executor,
                              std::span<const HostBuffer *const> inputs,
                              const CudaBenchOptions &options) {
  Result<CudaStream> stream = CudaStream::create(executor.device());
  if (!stream)
    return stream.takeError();
  return Bench(executor, inputs, options, std::move(*stream)).run();
}

//===----------------------------------------------------------------------===//
// Repeating
//===----------------------------------------------------------------------===//

/// The first element in which the two differ, and how many do.
static std::optional<BitDifference> compareBits(const HostBuffer &expected,
                                                const HostBuffer &found) {
  if (std::memcmp(expected.data(), found.data(), expected.sizeInBytes()) == 0)
    return std::nullopt;
  std::optional<BitDifference> difference;
  for (size_t i = 0, count = expected.elementCount(); i < count; ++i) {
    uint64_t was = loadBits(expected.type(), expected.data(), i);
    uint64_t is = loadBits(found.type(), found.data(), i);
    if (was == is)
      continue;
    if (!difference) {
      difference.emplace();
      difference->element = i;
      difference->expectedBits = was;
      difference->foundBits = is;
    }
    ++difference->count;
  }
  return difference;
}

static std::string formatIndex(uint64_t element,
                               std::span<const int64_t> shape) {
  std::string text;
  for (size_t dim = shape.size(); dim-- > 0;) {
    auto size = static_cast<uint64_t>(shape[dim]);
    text = std::to_string(element % size) + (text.empty() ? "" : ", ") + text;
    element /= size;
  }
  return "[" + text + "]";
}

static std::string formatBits(uint64_t bits, ElementType type) {
  std::string digits;
  for (size_t i = 0; i < 2 * byteSize(type); ++i, bits >>= 4)
    digits.insert(digits.begin(), "0123456789abcdef"[bits & 15]);
  return "0x" + digits;
}

std::string BitDifference::describe(const CudaExecutor &executor) const {
  uint32_t number = executor.image().outputs()[output];
  const ImageBuffer &buffer = executor.image().buffers[number];
  return "output " + std::to_string(output) + " '" + buffer.name + "' of run " +
         std::to_string(run) + " differs from that of run 0 in " +
         std::to_string(count) + (count == 1 ? " element" : " elements") +
         ", first in " + formatIndex(element, executor.bufferShapes()[number]) +
         ": " + formatBits(foundBits, buffer.type) + " instead of " +
         formatBits(expectedBits, buffer.type);
}

Result<std::optional<BitDifference>>
fuse::repeatBits(CudaExecutor &executor,
                 std::span<const HostBuffer *const> inputs, uint32_t runs,
                 bool replaysGraph) {
  Result<std::vector<HostBuffer>> expected = executor.runOn(inputs);
  if (!expected)
    return expected.takeError();
  Result<DeviceRun> made = DeviceRun::create(executor, inputs);
  if (!made)
    return made.takeError();
  DeviceArguments &arrays = made->arrays;
  CudaStreamHandle handle = made->stream.handle();
  auto launch = [&] { return executor.launch(made->arguments, handle); };
  std::optional<CudaGraph> graph;
  if (replaysGraph) {
    Result<CudaGraph> recorded =
        CudaGraph::record(executor.device(), handle, launch);
    if (!recorded)
      return recorded.takeError();
    graph = std::move(*recorded);
  }
  std::vector<HostBuffer> found;
  for (const HostBuffer &output : *expected) {
    Result<HostBuffer> buffer =
        HostBuffer::allocate(output.type(), output.shape());
    if (!buffer)
      return buffer.takeError();
    found.push_back(std::move(*buffer));
  }
  for (uint32_t run = 1; run <= runs; ++run) {
    if (Status s = arrays.poisonOutputs(handle); !s)
      return s.takeError();
    if (Status s = graph ? graph->launch(handle) : launch(); !s)
      return s.takeError();
    if (Status s = arrays.copyOutputs(found, handle); !s)
      return s.takeError();
    for (size_t i = 0; i < found.size(); ++i) {
      std::optional<BitDifference> difference =
          compareBits((*expected)[i], found[i]);
      if (!difference)
        continue;
      difference->run = run;
      difference->output = static_cast<uint32_t>(i);
      return difference;
    }
  }
  return std::optional<BitDifference>();
}
