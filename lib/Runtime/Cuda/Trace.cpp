//===- Trace.cpp - what happens when in a run -----------------------------===//
//
// Two marks for each kernel, so that what is between two kernels can be seen.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cuda/Trace.h"
#include "DeviceRun.h"

#include <chrono>

using namespace fuse;

using Clock = std::chrono::steady_clock;

Result<CudaTrace> fuse::traceRuns(CudaExecutor &executor,
                                  std::span<const HostBuffer *const> inputs,
                                  uint32_t runs) {
  const std::shared_ptr<CudaDevice> &device = executor.device();
  Result<DeviceRun> made = DeviceRun::create(executor, inputs);
  if (!made)
    return made.takeError();
  CudaStream &stream = made->stream;
  const CudaArguments &arguments = made->arguments;
  // Once before: a first run is like no other.
  if (Status s = executor.launchAndWait(arguments, stream.handle()); !s)
    return s.takeError();

  std::vector<uint32_t> numbers;
  std::vector<std::optional<uint32_t>> variants = arguments.variants();
  for (uint32_t i = 0; i < variants.size(); ++i)
    if (variants[i])
      numbers.push_back(i);
  size_t numKernels = numbers.size() * runs;
  std::vector<CudaEvent> marks;
  for (size_t i = 0; i < 2 * numKernels + 1; ++i) {
    Result<CudaEvent> mark = CudaEvent::create(device);
    if (!mark)
      return mark.takeError();
    marks.push_back(std::move(*mark));
  }
  std::vector<Clock::time_point> times(2 * numKernels);
  if (Status s = marks[0].record(stream.handle()); !s)
    return s.takeError();
  Clock::time_point start = Clock::now();
  for (uint32_t run = 0; run < runs; ++run) {
    size_t first = 2 * run * numbers.size();
    auto observe = [&](size_t kernel, bool isEnd) {
      size_t at = first + 2 * kernel + (isEnd ? 1 : 0);
      if (isEnd)
        times[at] = Clock::now();
      Status status = marks[at + 1].record(stream.handle());
      if (!isEnd)
        times[at] = Clock::now();
      return status;
    };
    if (Status s = executor.launchObserved(arguments, stream.handle(), observe);
        !s)
      return s.takeError();
  }
  if (Status s = stream.wait(); !s)
    return s.takeError();

  CudaTrace trace;
  for (size_t i = 0; i < numKernels; ++i) {
    TraceSpan span;
    span.launch = numbers[i % numbers.size()];
    span.run = static_cast<uint32_t>(i / numbers.size());
    Result<double> begin = marks[2 * i + 1].secondsSince(marks[0]);
    if (!begin)
      return begin.takeError();
    Result<double> took = marks[2 * i + 2].secondsSince(marks[2 * i + 1]);
    if (!took)
      return took.takeError();
    span.begin = *begin;
    span.seconds = *took;
    trace.kernels.push_back(span);
    using Seconds = std::chrono::duration<double>;
    span.begin = Seconds(times[2 * i] - start).count();
    span.seconds = Seconds(times[2 * i + 1] - times[2 * i]).count();
    trace.launches.push_back(span);
  }
  return trace;
}
