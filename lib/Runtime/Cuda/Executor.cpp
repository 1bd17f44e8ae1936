//===- Executor.cpp - run an Image on arguments of known sizes ------------===//
//
// What follows from the sizes: the shapes of buffers, the launches, and where
// intermediates lie.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cuda/Executor.h"
#include "ExecutorState.h"
#include "fuse/Runtime/Placement.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace fuse;

Status CudaExecutor::State::measureBuffers() {
  for (const ImageBuffer &buffer : image().buffers) {
    std::string what = "buffer '" + buffer.name + "'";
    Result<std::vector<int64_t>> shape = evaluateAll(buffer.shape, bindings);
    if (!shape)
      return std::move(shape.takeError()).withContext(what);
    Result<size_t> size = requiredBytes(buffer.type, *shape);
    if (!size)
      return std::move(size.takeError()).withContext(what);
    shapes.push_back(std::move(*shape));
    bytes.push_back(*size);
  }
  for (const ImageCopy &copy : image().copies)
    if (shapes[copy.from] != shapes[copy.output])
      return RuntimeError(
          ErrorCode::BadInput,
          "output '" + image().buffers[copy.output].name + "' has the shape " +
              formatShape(shapes[copy.output]) + ", but is a copy of " +
              formatShape(shapes[copy.from]));
  return Status::success();
}

Status CudaExecutor::State::bindLaunches() {
  for (const ImageLaunch &launch : image().launches) {
    Result<BoundLaunch> bound =
        bindLaunch(launch, *program, program->functions, bindings, bytes);
    if (!bound)
      return bound.takeError();
    launches.push_back(std::move(*bound));
  }
  return Status::success();
}

/// By buffer: from the first launch that may use it to the last; absent for
/// what none does.
static std::vector<std::optional<Placement>>
findLifetimes(size_t numBuffers, std::span<const BoundLaunch> launches) {
  std::vector<std::optional<Placement>> lifetimes(numBuffers);
  for (size_t i = 0; i < launches.size(); ++i)
    for (const BoundVariant &variant : launches[i].variants)
      for (const KernelParameter &parameter : variant.kernel->parameters)
        if (std::optional<uint32_t> buffer = parameter.accessedBuffer()) {
          std::optional<Placement> &lifetime = lifetimes[*buffer];
          if (!lifetime)
            lifetime = Placement{0, /*firstUse=*/i, 0};
          lifetime->lastUse = i;
        }
  return lifetimes;
}

Status CudaExecutor::State::take(std::optional<DeviceBuffer> &place,
                                 uint64_t bytes, std::string_view what,
                                 uint8_t fill) {
  Result<DeviceBuffer> made =
      DeviceBuffer::allocate(program->device(), bytes, what);
  if (!made)
    return made.takeError();
  place = std::move(*made);
  return place->fill(fill, stream->handle());
}

Status CudaExecutor::State::placeBuffers() {
  using Kind = ImageBuffer::Kind;
  const std::vector<ImageBuffer> &buffers = image().buffers;
  std::vector<std::optional<Placement>> lifetimes =
      findLifetimes(buffers.size(), launches);
  // Intermediates share one block of memory; counters lie side by side in
  // another, as they keep what is in them from run to run.
  std::vector<Placement> shared, kept;
  std::vector<size_t> sharedBuffers, keptBuffers;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (!lifetimes[i])
      continue;
    Placement placement = *lifetimes[i];
    placement.bytes = bytes[i];
    if (buffers[i].kind == Kind::Intermediate) {
      shared.push_back(placement);
      sharedBuffers.push_back(i);
    } else if (buffers[i].kind == Kind::Counters) {
      placement.firstUse = 0;
      placement.lastUse = std::numeric_limits<size_t>::max();
      kept.push_back(placement);
      keptBuffers.push_back(i);
    }
  }
  // As long as all live until the end, they share nothing.
  std::vector<Placement> apart = shared;
  for (Placement &placement : apart) {
    placement.firstUse = 0;
    placement.lastUse = std::numeric_limits<size_t>::max();
  }
  Result<size_t> unsharedBytes = fuse::placeBuffers(apart, workspaceAlignment);
  Result<size_t> sharedBytes = fuse::placeBuffers(shared, workspaceAlignment);
  Result<size_t> keptBytes = fuse::placeBuffers(kept, workspaceAlignment);
  for (Result<size_t> *result : {&sharedBytes, &keptBytes})
    if (!*result)
      return result->takeError();
  // This one need not exist.
  unshared =
      unsharedBytes ? *unsharedBytes : std::numeric_limits<uint64_t>::max();

  // NaN in every float: what a kernel forgets to write must be seen.
  std::string name = "'" + image().name + "'";
  if (!shared.empty())
    if (Status s = take(workspace, *sharedBytes, "the workspace of " + name,
                        /*fill=*/0xFF);
        !s)
      return s;
  if (!kept.empty())
    if (Status s =
            take(counters, *keptBytes, "the counters of " + name, /*fill=*/0);
        !s)
      return s;
  if (Status s = stream->wait(); !s)
    return s;

  addresses.assign(buffers.size(), 0);
  for (size_t i = 0; i < shared.size(); ++i)
    addresses[sharedBuffers[i]] = workspace->address() + shared[i].offset;
  for (size_t i = 0; i < kept.size(); ++i)
    addresses[keptBuffers[i]] = counters->address() + kept[i].offset;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].kind == Kind::Constant)
      addresses[i] = program->constants[buffers[i].number].address();
  return Status::success();
}

Result<std::unique_ptr<CudaExecutor>>
CudaExecutor::create(std::shared_ptr<CudaProgram> program,
                     SizeBindings bindings) {
  OutsideOfCaptures outside(program->device()->driver());
  auto state = std::make_unique<State>();
  state->program = std::move(program);
  state->bindings = std::move(bindings);
  const char *sync = std::getenv("FUSE_CUDA_SYNC");
  state->waitsForEach = sync && *sync && std::strcmp(sync, "0") != 0;
  state->nvtx = Nvtx::find();
  Result<CudaStream> stream = CudaStream::create(state->program->device());
  if (!stream)
    return stream.takeError();
  state->stream = std::move(*stream);
  if (Status status = state->measureBuffers(); !status)
    return status.takeError();
  if (Status status = state->bindLaunches(); !status)
    return status.takeError();
  if (Status status = state->placeBuffers(); !status)
    return status.takeError();
  return std::unique_ptr<CudaExecutor>(new CudaExecutor(std::move(state)));
}

CudaExecutor::CudaExecutor(std::unique_ptr<State> state)
    : state(std::move(state)) {}
CudaExecutor::~CudaExecutor() = default;

const Image &CudaExecutor::image() const { return state->image(); }

const std::shared_ptr<CudaDevice> &CudaExecutor::device() const {
  return state->program->device();
}

const SizeBindings &CudaExecutor::bindings() const { return state->bindings; }

const std::vector<std::vector<int64_t>> &CudaExecutor::bufferShapes() const {
  return state->shapes;
}

std::vector<std::vector<int64_t>> CudaExecutor::outputShapes() const {
  std::vector<std::vector<int64_t>> result;
  for (uint32_t buffer : image().outputs())
    result.push_back(state->shapes[buffer]);
  return result;
}

uint64_t CudaExecutor::workspaceBytes() const {
  uint64_t bytes = 0;
  for (const std::optional<DeviceBuffer> *memory :
       {&state->workspace, &state->counters})
    if (*memory)
      bytes += (*memory)->sizeInBytes();
  return bytes;
}

uint64_t CudaExecutor::unsharedBytes() const { return state->unshared; }

bool CudaExecutor::waitsForEach() const { return state->waitsForEach; }
