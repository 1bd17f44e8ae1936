//===- Code.cpp - a compiled graph for processors -------------------------===//
//
// Levels of x86-64, and whether a plan means something.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/CpuCode.h"

#include <array>

using namespace fuse;

static constexpr std::array<std::string_view, 4> levelNames = {
    "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};

std::string_view fuse::levelName(CpuLevel level) {
  return levelNames[static_cast<size_t>(level)];
}

Result<CpuLevel> fuse::parseCpuLevel(std::string_view name) {
  for (size_t i = 0; i < levelNames.size(); ++i)
    if (levelNames[i] == name)
      return static_cast<CpuLevel>(i);
  return RuntimeError(ErrorCode::BadUsage,
                      "'" + std::string(name) +
                          "' is no level of processors: there are x86-64, "
                          "x86-64-v2, x86-64-v3 and x86-64-v4");
}

Result<CpuLevel> fuse::cpuLevelOfThisMachine() {
#ifdef __x86_64__
  __builtin_cpu_init();
  auto has = [](auto... isThere) { return (... && (isThere != 0)); };
  bool isV2 =
      has(__builtin_cpu_supports("sse3"), __builtin_cpu_supports("ssse3"),
          __builtin_cpu_supports("sse4.1"), __builtin_cpu_supports("sse4.2"),
          __builtin_cpu_supports("popcnt"));
  bool isV3 =
      isV2 &&
      has(__builtin_cpu_supports("avx"), __builtin_cpu_supports("avx2"),
          __builtin_cpu_supports("bmi"), __builtin_cpu_supports("bmi2"),
          __builtin_cpu_supports("fma"), __builtin_cpu_supports("f16c"),
          __builtin_cpu_supports("lzcnt"), __builtin_cpu_supports("movbe"));
  bool isV4 = isV3 && has(__builtin_cpu_supports("avx512f"),
                          __builtin_cpu_supports("avx512bw"),
                          __builtin_cpu_supports("avx512cd"),
                          __builtin_cpu_supports("avx512dq"),
                          __builtin_cpu_supports("avx512vl"));
  return isV4   ? CpuLevel::V4
         : isV3 ? CpuLevel::V3
         : isV2 ? CpuLevel::V2
                : CpuLevel::V1;
#else
  return RuntimeError(ErrorCode::Unsupported,
                      "there is code for processors with x86-64 only");
#endif
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

static RuntimeError badInput(std::string message) {
  return RuntimeError(ErrorCode::BadInput, std::move(message));
}

/// Those that are numbers already.
static Status checkExtents(std::span<const SizeExpression> extents,
                           const char *what) {
  for (const SizeExpression &extent : extents)
    if (extent.constant().value_or(0) < 0)
      return badInput(std::string("its ") + what + " is " +
                      formatShape(extents));
  return Status::success();
}

/// The numbers, if nothing is open.
static std::optional<std::vector<int64_t>>
knownShape(std::span<const SizeExpression> shape) {
  std::vector<int64_t> known;
  for (const SizeExpression &size : shape) {
    if (!size.constant())
      return std::nullopt;
    known.push_back(*size.constant());
  }
  return known;
}

static Status checkBuffer(const CpuCode &code, const CpuBuffer &buffer,
                          size_t inputs, size_t outputs) {
  size_t count = 0;
  switch (buffer.kind) {
  case PlanBuffer::Kind::Input:
    count = inputs;
    break;
  case PlanBuffer::Kind::Output:
    count = outputs;
    break;
  case PlanBuffer::Kind::Constant:
    count = code.constants.size();
    break;
  case PlanBuffer::Kind::Intermediate:
    count = buffer.number + size_t(1);
    break;
  }
  if (buffer.number >= count)
    return badInput("it has the number " + std::to_string(buffer.number) +
                    " of its kind, but there are " + std::to_string(count));
  if (Status status = checkExtents(buffer.shape, "shape"); !status)
    return status;
  std::optional<std::vector<int64_t>> shape = knownShape(buffer.shape);
  if (shape)
    if (Result<size_t> bytes = requiredBytes(buffer.type, *shape); !bytes)
      return bytes.takeError();
  if (buffer.kind != PlanBuffer::Kind::Constant)
    return Status::success();
  const HostBuffer &data = code.constants[buffer.number];
  if (data.type() != buffer.type || data.shape() != shape)
    return badInput("its data are another array");
  return Status::success();
}

static Status checkLaunch(const CpuCode &code, const CpuLaunch &launch,
                          std::vector<bool> &written) {
  if (launch.symbol.empty() || launch.numOutputs > launch.buffers.size())
    return badInput("it has no function, or more outputs than buffers");
  size_t numInputs = launch.buffers.size() - launch.numOutputs;
  for (size_t i = 0; i < launch.buffers.size(); ++i) {
    uint32_t number = launch.buffers[i];
    if (number >= code.buffers.size())
      return badInput("it asks for buffer " + std::to_string(number) +
                      ", but there are " + std::to_string(code.buffers.size()));
    PlanBuffer::Kind kind = code.buffers[number].kind;
    bool isGiven =
        kind == PlanBuffer::Kind::Input || kind == PlanBuffer::Kind::Constant;
    if (i < numInputs && !isGiven && !written[number])
      return badInput("it reads buffer " + std::to_string(number) +
                      ", which nothing has written");
    if (i >= numInputs && isGiven)
      return badInput("it writes buffer " + std::to_string(number) +
                      ", which is an input or constant");
  }
  for (size_t i = numInputs; i < launch.buffers.size(); ++i)
    written[launch.buffers[i]] = true;
  return checkExtents(launch.grid, "grid");
}

Status fuse::checkCpuCode(const CpuCode &code, size_t inputs, size_t outputs) {
  for (size_t i = 0; i < code.buffers.size(); ++i)
    if (Status s = checkBuffer(code, code.buffers[i], inputs, outputs); !s)
      return std::move(s.takeError())
          .withContext("buffer " + std::to_string(i));
  std::vector<bool> written(code.buffers.size());
  for (const CpuLaunch &launch : code.launches)
    if (Status status = checkLaunch(code, launch, written); !status)
      return std::move(status.takeError())
          .withContext("launch '" + launch.name + "'");
  std::vector<bool> made(outputs);
  for (size_t i = 0; i < code.buffers.size(); ++i)
    if (code.buffers[i].kind == PlanBuffer::Kind::Output && written[i])
      made[code.buffers[i].number] = true;
  for (const CpuCopy &copy : code.copies) {
    if (copy.from >= code.buffers.size() || copy.output >= outputs ||
        made[copy.output])
      return badInput("a copy is of what is not there, or to what is written");
    PlanBuffer::Kind kind = code.buffers[copy.from].kind;
    if (kind == PlanBuffer::Kind::Intermediate ||
        (kind == PlanBuffer::Kind::Output && !written[copy.from]))
      return badInput("a copy is of a buffer that nothing has written, or "
                      "that is not kept");
    made[copy.output] = true;
  }
  for (size_t i = 0; i < outputs; ++i)
    if (!made[i])
      return badInput("nothing writes output " + std::to_string(i));
  return Status::success();
}
