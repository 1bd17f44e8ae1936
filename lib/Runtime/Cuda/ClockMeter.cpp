//===- ClockMeter.cpp - at which clock a GPU ran --------------------------===//
//
// A small kernel is launched at both ends. Each of its blocks writes on which
// multiprocessor it is, and that one's counters; where a multiprocessor is
// found at both ends, it has run for so many cycles in so many nanoseconds.
//
//===----------------------------------------------------------------------===//

#include "ClockMeter.h"
#include "Driver.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

using namespace fuse;

/// PTX, since the runtime has no compiler, and drivers assemble it.
static const char *const code = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry fuse_read_clocks(.param .u64 readings) {
  .reg .b32 %block, %processor;
  .reg .b64 %to, %offset, %number, %cycles, %nanoseconds;
  ld.param.u64 %to, [readings];
  mov.u32 %block, %ctaid.x;
  mul.wide.u32 %offset, %block, 24;
  add.u64 %to, %to, %offset;
  mov.u32 %processor, %smid;
  cvt.u64.u32 %number, %processor;
  mov.u64 %cycles, %clock64;
  mov.u64 %nanoseconds, %globaltimer;
  st.global.u64 [%to], %number;
  st.global.u64 [%to + 8], %cycles;
  st.global.u64 [%to + 16], %nanoseconds;
  ret;
}
)";

namespace {

/// As the kernel writes it.
struct Reading {
  uint64_t processor, cycles, nanoseconds;
};
static_assert(sizeof(Reading) == 24);

} // namespace

/// Of which the steps of the counter are a hundredth.
static constexpr uint64_t fewestNanoseconds = 100000;

/// More than there are multiprocessors, so that most of them get one.
static uint32_t blocksFor(const CudaDevice &device) {
  return 4 * std::max(device.limits().multiprocessors, 1u);
}

Result<std::optional<ClockMeter>>
ClockMeter::create(std::shared_ptr<CudaDevice> device,
                   CudaStreamHandle stream) {
  std::vector<DeviceBuffer> readings;
  for (int end = 0; end < 2; ++end) {
    Result<DeviceBuffer> buffer = DeviceBuffer::allocate(
        device, blocksFor(*device) * sizeof(Reading), "reading clocks");
    if (!buffer)
      return buffer.takeError();
    // What nobody writes is a time of 0.
    if (Status status = buffer->fill(0, stream); !status)
      return status.takeError();
    readings.push_back(std::move(*buffer));
  }
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status.takeError();
  const CudaDriver &driver = device->driver();
  void *module = nullptr, *function = nullptr;
  int status = driver.moduleLoadDataEx(&module, code, /*numOptions=*/0, nullptr,
                                       nullptr);
  if (status == cuda_result::noJitCompiler ||
      status == cuda_result::jitDisabled)
    return std::optional<ClockMeter>();
  if (status != cuda_result::success)
    return device->failure(status, "the kernel that reads clocks is refused");
  status = driver.moduleGetFunction(&function, module, "fuse_read_clocks");
  if (status != cuda_result::success) {
    driver.moduleUnload(module);
    return device->failure(status, "the kernel that reads clocks is not found");
  }
  return std::optional<ClockMeter>(ClockMeter(std::move(device), module,
                                              function, std::move(readings[0]),
                                              std::move(readings[1])));
}

ClockMeter::ClockMeter(ClockMeter &&other) noexcept
    : device(std::move(other.device)),
      module(std::exchange(other.module, nullptr)), function(other.function),
      first(std::move(other.first)), last(std::move(other.last)) {}

ClockMeter::~ClockMeter() {
  if (!module)
    return;
  CudaContextScope scope(*device);
  device->driver().moduleUnload(module);
}

Status ClockMeter::read(DeviceBuffer &readings, CudaStreamHandle stream) {
  CudaContextScope scope(*device);
  if (Status status = scope.take(); !status)
    return status;
  DevicePointer to = readings.address();
  void *parameters[] = {&to};
  if (int status = device->driver().launchKernel(
          function, blocksFor(*device), 1, 1, 1, 1, 1, /*sharedBytes=*/0,
          stream, parameters, nullptr))
    return device->failure(status, "clocks cannot be read");
  return Status::success();
}

static Result<std::vector<Reading>> copyReadings(const DeviceBuffer &buffer,
                                                 CudaStreamHandle stream) {
  Result<HostBuffer> host = HostBuffer::allocate(
      ElementType::I8, {static_cast<int64_t>(buffer.sizeInBytes())});
  if (!host)
    return host.takeError();
  if (Status status = buffer.copyTo(*host, stream); !status)
    return status.takeError();
  const auto *readings = static_cast<const Reading *>(host->data());
  return std::vector<Reading>(readings,
                              readings + host->sizeInBytes() / sizeof(Reading));
}

Result<std::optional<double>> ClockMeter::hertz(CudaStreamHandle stream) const {
  Result<std::vector<Reading>> before = copyReadings(first, stream);
  if (!before)
    return before.takeError();
  Result<std::vector<Reading>> after = copyReadings(last, stream);
  if (!after)
    return after.takeError();
  std::map<uint64_t, Reading> begun;
  for (const Reading &reading : *before)
    begun.try_emplace(reading.processor, reading);
  std::vector<double> clocks;
  for (const Reading &end : *after) {
    auto found = begun.find(end.processor);
    if (found == begun.end() ||
        end.nanoseconds < found->second.nanoseconds + fewestNanoseconds)
      continue;
    const Reading &begin = found->second;
    clocks.push_back(1e9 * double(end.cycles - begin.cycles) /
                     double(end.nanoseconds - begin.nanoseconds));
  }
  if (clocks.empty())
    return std::optional<double>();
  auto middle = clocks.begin() + static_cast<ptrdiff_t>(clocks.size() / 2);
  std::nth_element(clocks.begin(), middle, clocks.end());
  return std::optional<double>(*middle);
}
