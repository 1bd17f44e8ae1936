//===- Prepare.cpp - launches for arguments of known addresses ------------===//
//
// Chooses a variant of each launch and lays out its parameters, tensor maps
// included. What is launched later is not touched again.
//
//===----------------------------------------------------------------------===//

#include "ExecutorState.h"
#include "Strides.h"
#include "fuse/Runtime/Arguments.h"

#include <algorithm>

using namespace fuse;

CudaArguments::CudaArguments(std::unique_ptr<State> state)
    : state(std::move(state)) {}
CudaArguments::CudaArguments(CudaArguments &&) noexcept = default;
CudaArguments &CudaArguments::operator=(CudaArguments &&) noexcept = default;
CudaArguments::~CudaArguments() = default;

std::vector<std::optional<uint32_t>> CudaArguments::variants() const {
  return state->variants;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static Status checkArrays(CudaDevice &device, const Image &image,
                          std::span<const uint32_t> buffers,
                          std::span<const DeviceArray> arrays,
                          const CudaExecutor &executor, const char *what) {
  if (Status s = checkCount(image, arrays.size(), buffers.size(), what); !s)
    return s;
  for (size_t i = 0; i < arrays.size(); ++i) {
    uint32_t buffer = buffers[i];
    if (Status s = checkArray(device, arrays[i], image.buffers[buffer],
                              executor.bufferShapes()[buffer]);
        !s)
      return s;
  }
  return Status::success();
}

/// A kernel reads its inputs while others of its blocks write already.
static Status checkOverlaps(const Image &image,
                            std::span<const DeviceArray> inputs,
                            std::span<const DeviceArray> outputs) {
  auto complain = [&](size_t output, uint32_t other) {
    return RuntimeError(ErrorCode::BadInput,
                        nameArgument(image.buffers[image.outputs()[output]]) +
                            " shares memory with " +
                            nameArgument(image.buffers[other]) +
                            ", but has to be apart");
  };
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (size_t other = 0; other < inputs.size(); ++other)
      if (overlap(outputs[i], inputs[other]))
        return complain(i, image.inputs()[other]);
    for (size_t other = 0; other < i; ++other)
      if (overlap(outputs[i], outputs[other]))
        return complain(i, image.outputs()[other]);
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {

/// Where the buffers of a run lie.
struct Places {
  const Image &image;
  const std::vector<std::vector<int64_t>> &shapes;
  std::vector<BufferPlace> places;

  size_t elementBytes(uint32_t buffer) const {
    return byteSize(image.buffers[buffer].type);
  }
  uint64_t stride(uint32_t buffer, uint32_t dim) const {
    return strideFor(places[buffer], shapes[buffer], elementBytes(buffer), dim);
  }
  bool meets(const Condition &condition) const;
};

} // namespace

bool Places::meets(const Condition &condition) const {
  const BufferPlace &place = places[condition.buffer];
  auto bytes = [&] { return uint64_t(*condition.rhs.constant()); };
  switch (condition.kind) {
  case Condition::Kind::Aligned:
    return place.address % bytes() == 0;
  case Condition::Kind::Contiguous:
    return !place.gapped;
  case Condition::Kind::Rows:
    return isInRows(place, shapes[condition.buffer],
                    elementBytes(condition.buffer), bytes());
  default:
    // Those on sizes were asked when these were known.
    return true;
  }
}

static Result<const BoundVariant *> chooseVariant(const BoundLaunch &launch,
                                                  const Places &places) {
  std::string obstacles;
  for (const BoundVariant &variant : launch.variants) {
    const std::vector<Condition> &guard = variant.variant->guard;
    auto obstacle = std::find_if_not(
        guard.begin(), guard.end(),
        [&](const Condition &condition) { return places.meets(condition); });
    if (obstacle == guard.end())
      return &variant;
    obstacles += (obstacles.empty() ? "'" : "; '") + variant.kernel->symbol +
                 "' needs " + describe(*obstacle, places.image);
  }
  return RuntimeError(ErrorCode::Unsupported,
                      "launch '" + launch.launch->name +
                          "' has no variant for these arrays: " + obstacles);
}

/// The strides of a tensor map, those of an argument among them.
static Status findStrides(const BoundTensorMap &map, const Places &places,
                          uint64_t (&strides)[4]) {
  std::copy(std::begin(map.strides), std::end(map.strides), strides);
  if (!map.hasArgumentStrides)
    return Status::success();
  for (uint32_t dim = 1; dim < map.rank; ++dim) {
    uint64_t stride =
        places.stride(map.buffer, map.rank - 1 - dim) * byteSize(map.type);
    if (stride >= uint64_t(1) << 40)
      return RuntimeError(ErrorCode::Unsupported,
                          "a tensor map has a stride of " +
                              std::to_string(stride) +
                              " bytes, but less than 2^40 are possible");
    strides[dim - 1] = stride;
  }
  return Status::success();
}

static Status encode(CudaDevice &device, const BoundTensorMap &map,
                     const Places &places, CudaTensorMap &encoded) {
  const CudaDriver &driver = device.driver();
  if (!driver.tensorMapEncodeTiled)
    return RuntimeError(ErrorCode::Unsupported,
                        "it needs a tensor map, and so a driver for CUDA 12.0 "
                        "or newer, but this one is for CUDA " +
                            device.cudaVersion().str());
  DevicePointer address = places.places[map.buffer].address + map.offset;
  uint64_t strides[4];
  if (Status status = findStrides(map, places, strides); !status)
    return status;
  uint32_t alignment = addressAlignment(map.interleave);
  if (address % alignment != 0)
    return RuntimeError(ErrorCode::BadInput,
                        "a tensor map starts at an address that is not "
                        "divisible by " +
                            std::to_string(alignment) +
                            ": the variant's guard should have said so");
  int code = driver.tensorMapEncodeTiled(
      &encoded, int(map.type), map.rank, reinterpret_cast<void *>(address),
      map.sizes, strides, map.box, map.elementStrides, int(map.interleave),
      int(map.swizzle), int(map.promotion), int(map.fill));
  if (code != cuda_result::success)
    return device.failure(code, "a tensor map cannot be encoded");
  return Status::success();
}

static Result<PreparedLaunch> prepareLaunch(CudaDevice &device,
                                            const BoundVariant &variant,
                                            const Places &places) {
  PreparedLaunch prepared;
  prepared.variant = &variant;
  prepared.values = variant.values;
  prepared.maps = std::make_unique<CudaTensorMap[]>(variant.maps.size());
  size_t numMaps = 0;
  const std::vector<KernelParameter> &parameters = variant.kernel->parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    // A 32-bit scalar is the low half, which comes first.
    void *place = &prepared.values[i];
    if (parameters[i].kind == KernelParameter::Kind::Pointer)
      prepared.values[i] += places.places[parameters[i].buffer].address;
    if (parameters[i].kind == KernelParameter::Kind::Stride)
      prepared.values[i] =
          places.stride(parameters[i].buffer, parameters[i].dim);
    if (parameters[i].kind == KernelParameter::Kind::TensorMap) {
      const BoundTensorMap &map = variant.maps[numMaps];
      CudaTensorMap &encoded = prepared.maps[numMaps++];
      if (Status s = encode(device, map, places, encoded); !s)
        return std::move(s.takeError())
            .withContext(nameKernel(*variant.kernel) + ": parameter " +
                         std::to_string(i));
      place = &encoded;
    }
    prepared.parameters.push_back(place);
  }
  return prepared;
}

Result<CudaArguments>
CudaExecutor::prepare(std::span<const DeviceArray> inputs,
                      std::span<const DeviceArray> outputs) {
  const Image &image = state->image();
  CudaDevice &device = *state->program->device();
  CudaContextScope scope(device);
  if (Status status = scope.take(); !status)
    return status.takeError();
  std::vector<uint32_t> inputBuffers = image.inputs(),
                        outputBuffers = image.outputs();
  if (Status s =
          checkArrays(device, image, inputBuffers, inputs, *this, "inputs");
      !s)
    return s.takeError();
  if (Status s =
          checkArrays(device, image, outputBuffers, outputs, *this, "outputs");
      !s)
    return s.takeError();
  if (Status s = checkOverlaps(image, inputs, outputs); !s)
    return s.takeError();
  Places places{image, state->shapes, {}};
  for (DevicePointer address : state->addresses)
    places.places.push_back({address, nullptr});
  auto place = [&](std::span<const uint32_t> buffers,
                   std::span<const DeviceArray> arrays) {
    for (size_t i = 0; i < arrays.size(); ++i)
      places.places[buffers[i]] = {
          arrays[i].address, isRowMajor(arrays[i]) ? nullptr : &arrays[i]};
  };
  place(inputBuffers, inputs);
  place(outputBuffers, outputs);

  auto made = std::make_unique<CudaArguments::State>();
  made->executor = state.get();
  for (size_t i = 0; i < state->launches.size(); ++i) {
    Result<const BoundVariant *> variant =
        chooseVariant(state->launches[i], places);
    if (!variant)
      return variant.takeError();
    if (!(*variant)->hasBlocks) {
      made->variants.push_back(std::nullopt);
      continue;
    }
    made->variants.push_back((*variant)->number);
    Result<PreparedLaunch> launch = prepareLaunch(device, **variant, places);
    if (!launch)
      return launch.takeError();
    launch->name = image.launches[i].name.c_str();
    made->launches.push_back(std::move(*launch));
    made->numbers.push_back(i);
  }
  for (const ImageCopy &copy : image.copies)
    if (state->bytes[copy.output] != 0)
      made->copies.push_back({places.places[copy.output].address,
                              places.places[copy.from].address,
                              state->bytes[copy.output],
                              nameArgument(image.buffers[copy.output])});
  return CudaArguments(std::move(made));
}
