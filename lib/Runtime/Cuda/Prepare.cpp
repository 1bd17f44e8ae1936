//===- Prepare.cpp - launches for arguments of known addresses ------------===//
//
// Chooses a variant of each launch and lays out its parameters, tensor maps
// included. What is launched later is not touched again.
//
//===----------------------------------------------------------------------===//

#include "ExecutorState.h"

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
                          const CudaExecutor &executor,
                          std::span<const uint64_t> bytes, const char *what) {
  if (arrays.size() != buffers.size())
    return RuntimeError(
        ErrorCode::BadUsage,
        "'" + image.name + "' has " + std::to_string(buffers.size()) + " " +
            what + ", but " + std::to_string(arrays.size()) + " were given");
  for (size_t i = 0; i < arrays.size(); ++i) {
    uint32_t buffer = buffers[i];
    if (Status s = checkArray(device, arrays[i], image.buffers[buffer],
                              executor.bufferShapes()[buffer], bytes[buffer]);
        !s)
      return s;
  }
  return Status::success();
}

/// A kernel reads its inputs while others of its blocks write already.
static Status checkOverlaps(const Image &image,
                            std::span<const DevicePointer> addresses,
                            std::span<const uint64_t> bytes) {
  std::vector<uint32_t> inputs = image.inputs(), outputs = image.outputs();
  auto overlap = [&](uint32_t a, uint32_t b) {
    return bytes[a] != 0 && bytes[b] != 0 &&
           addresses[a] < addresses[b] + bytes[b] &&
           addresses[b] < addresses[a] + bytes[a];
  };
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::vector<uint32_t> others = inputs;
    others.insert(others.end(), outputs.begin(), outputs.begin() + i);
    for (uint32_t other : others)
      if (overlap(outputs[i], other))
        return RuntimeError(
            ErrorCode::BadInput,
            nameArgument(image.buffers[outputs[i]]) + " shares memory with " +
                nameArgument(image.buffers[other]) + ", but has to be apart");
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The first condition on an address that does not hold.
static const Condition *
findMisaligned(const LaunchVariant &variant,
               std::span<const DevicePointer> addresses) {
  for (const Condition &condition : variant.guard)
    if (condition.kind == Condition::Kind::Aligned &&
        addresses[condition.buffer] % uint64_t(*condition.rhs.constant()) != 0)
      return &condition;
  return nullptr;
}

static Result<const BoundVariant *>
chooseVariant(const BoundLaunch &launch, const Image &image,
              std::span<const DevicePointer> addresses) {
  std::string obstacles;
  for (const BoundVariant &variant : launch.variants) {
    const Condition *obstacle = findMisaligned(*variant.variant, addresses);
    if (!obstacle)
      return &variant;
    obstacles += (obstacles.empty() ? "'" : "; '") + variant.kernel->symbol +
                 "' needs " + describe(*obstacle, image);
  }
  return RuntimeError(ErrorCode::Unsupported,
                      "launch '" + launch.launch->name +
                          "' has no variant for these addresses: " + obstacles);
}

static Status encode(CudaDevice &device, const BoundTensorMap &map,
                     DevicePointer address, CudaTensorMap &encoded) {
  const CudaDriver &driver = device.driver();
  if (!driver.tensorMapEncodeTiled)
    return RuntimeError(ErrorCode::Unsupported,
                        "it needs a tensor map, and so a driver for CUDA 12.0 "
                        "or newer, but this one is for CUDA " +
                            device.cudaVersion().str());
  address += map.offset;
  uint32_t alignment = addressAlignment(map.interleave);
  if (address % alignment != 0)
    return RuntimeError(ErrorCode::BadInput,
                        "a tensor map starts at an address that is not "
                        "divisible by " +
                            std::to_string(alignment) +
                            ": the variant's guard should have said so");
  int code = driver.tensorMapEncodeTiled(
      &encoded, int(map.type), map.rank, reinterpret_cast<void *>(address),
      map.sizes, map.strides, map.box, map.elementStrides, int(map.interleave),
      int(map.swizzle), int(map.promotion), int(map.fill));
  if (code != cuda_result::success)
    return device.failure(code, "a tensor map cannot be encoded");
  return Status::success();
}

static Result<PreparedLaunch>
prepareLaunch(CudaDevice &device, const BoundVariant &variant,
              std::span<const DevicePointer> addresses) {
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
      prepared.values[i] += addresses[parameters[i].buffer];
    if (parameters[i].kind == KernelParameter::Kind::TensorMap) {
      const BoundTensorMap &map = variant.maps[numMaps];
      CudaTensorMap &encoded = prepared.maps[numMaps++];
      if (Status s = encode(device, map, addresses[map.buffer], encoded); !s)
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
  if (Status s = checkArrays(device, image, inputBuffers, inputs, *this,
                             state->bytes, "inputs");
      !s)
    return s.takeError();
  if (Status s = checkArrays(device, image, outputBuffers, outputs, *this,
                             state->bytes, "outputs");
      !s)
    return s.takeError();
  std::vector<DevicePointer> addresses = state->addresses;
  for (size_t i = 0; i < inputs.size(); ++i)
    addresses[inputBuffers[i]] = inputs[i].address;
  for (size_t i = 0; i < outputs.size(); ++i)
    addresses[outputBuffers[i]] = outputs[i].address;
  if (Status s = checkOverlaps(image, addresses, state->bytes); !s)
    return s.takeError();

  auto made = std::make_unique<CudaArguments::State>();
  made->executor = state.get();
  for (size_t i = 0; i < state->launches.size(); ++i) {
    Result<const BoundVariant *> variant =
        chooseVariant(state->launches[i], image, addresses);
    if (!variant)
      return variant.takeError();
    if (!(*variant)->hasBlocks) {
      made->variants.push_back(std::nullopt);
      continue;
    }
    made->variants.push_back((*variant)->number);
    Result<PreparedLaunch> launch = prepareLaunch(device, **variant, addresses);
    if (!launch)
      return launch.takeError();
    made->launches.push_back(std::move(*launch));
    made->numbers.push_back(i);
  }
  for (const ImageCopy &copy : image.copies)
    if (state->bytes[copy.output] != 0)
      made->copies.push_back({addresses[copy.output], addresses[copy.from],
                              state->bytes[copy.output],
                              nameArgument(image.buffers[copy.output])});
  return CudaArguments(std::move(made));
}
