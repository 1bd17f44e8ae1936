//===- BindLaunch.cpp - launches for arguments of known sizes -------------===//
//
// Drops the variants that cannot be meant, and turns the expressions of the
// others into numbers.
//
//===----------------------------------------------------------------------===//

#include "ExecutorState.h"

using namespace fuse;

static RuntimeError unsupported(std::string message) {
  return RuntimeError(ErrorCode::Unsupported, std::move(message));
}

namespace {

class Binder {
public:
  Binder(const CudaProgram &program, const SizeBindings &bindings,
         std::span<const uint64_t> bufferBytes)
      : image(program.image()), limits(program.device()->limits()),
        bindings(bindings), bufferBytes(bufferBytes) {}

  /// The first condition that does not hold, for people; empty if all do.
  Result<std::string> findObstacle(const LaunchVariant &variant) const;
  Status bind(BoundVariant &bound) const;

private:
  Status bindGrid(BoundVariant &bound) const;
  Status bindParameter(const KernelParameter &parameter,
                       BoundVariant &bound) const;

  const Image &image;
  const CudaLimits &limits;
  const SizeBindings &bindings;
  std::span<const uint64_t> bufferBytes;
};

} // namespace

static std::string nameVariant(const Image &image,
                               const LaunchVariant &variant) {
  return "'" + image.kernels[variant.kernel].symbol + "'" +
         (variant.note.empty() ? "" : " (" + variant.note + ")");
}

Result<std::string> Binder::findObstacle(const LaunchVariant &variant) const {
  for (const Condition &condition : variant.guard) {
    if (condition.isAboutMemory())
      continue;
    Result<bool> isMet = holds(condition, bindings);
    if (!isMet)
      return isMet.takeError();
    if (*isMet)
      continue;
    // It has been evaluated above.
    return nameVariant(image, variant) + " needs " +
           describe(condition, image) + ", and " + condition.lhs.str() +
           " is " + std::to_string(*condition.lhs.evaluate(bindings));
  }
  return std::string();
}

Status Binder::bindGrid(BoundVariant &bound) const {
  const ImageKernel &kernel = *bound.kernel;
  SizeBindings there = bindings;
  there.multiprocessors = bound.function->multiprocessors;
  Result<std::vector<int64_t>> grid = evaluateAll(kernel.grid, there);
  if (!grid)
    return std::move(grid.takeError()).withContext("the grid");
  for (size_t i = 0; i < grid->size(); ++i) {
    int64_t extent = (*grid)[i];
    if (extent < 0 || extent > int64_t(limits.grid[i]))
      return unsupported("the grid is " + formatShape(*grid) +
                         ", but the device takes 0 to " +
                         std::to_string(limits.grid[i]) +
                         " blocks in dimension " + std::to_string(i));
    bound.hasBlocks &= extent != 0;
    bound.grid[i] = static_cast<uint32_t>(extent);
  }
  for (size_t i = 0; i < 3; ++i)
    if (bound.grid[i] % kernel.cluster[i] != 0)
      return unsupported("the grid is " + formatShape(*grid) +
                         ", but in dimension " + std::to_string(i) +
                         " a cluster has " + std::to_string(kernel.cluster[i]) +
                         " blocks");
  return Status::success();
}

Status Binder::bindParameter(const KernelParameter &parameter,
                             BoundVariant &bound) const {
  // Filled in when arguments are known.
  if (parameter.kind == KernelParameter::Kind::Stride) {
    bound.values.push_back(0);
    return Status::success();
  }
  if (parameter.kind == KernelParameter::Kind::TensorMap) {
    bound.values.push_back(0);
    Result<BoundTensorMap> map = bindTensorMap(
        parameter.map, bindings, bufferBytes[parameter.map.buffer]);
    if (!map)
      return map.takeError();
    bound.maps.push_back(*map);
    return Status::success();
  }
  Result<int64_t> value = parameter.value.evaluate(bindings);
  if (!value)
    return value.takeError();
  bool is32 = parameter.kind == KernelParameter::Kind::Scalar32;
  if (is32 && *value != int64_t(int32_t(*value)))
    return unsupported("'" + parameter.value.str() + "' is " +
                       std::to_string(*value) + ", which does not fit 32 bits");
  bool isPointer = parameter.kind == KernelParameter::Kind::Pointer;
  if (isPointer &&
      (*value < 0 || uint64_t(*value) > bufferBytes[parameter.buffer]))
    return unsupported("it points " + std::to_string(*value) +
                       " bytes into a buffer of " +
                       std::to_string(bufferBytes[parameter.buffer]));
  bound.values.push_back(static_cast<uint64_t>(*value));
  return Status::success();
}

Status Binder::bind(BoundVariant &bound) const {
  if (Status status = bindGrid(bound); !status)
    return std::move(status.takeError()).withContext(nameKernel(*bound.kernel));
  // A tensor map of nothing cannot be made, and nobody would look at it.
  if (!bound.hasBlocks)
    return Status::success();
  const std::vector<KernelParameter> &parameters = bound.kernel->parameters;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (Status status = bindParameter(parameters[i], bound); !status)
      return std::move(status.takeError())
          .withContext(nameKernel(*bound.kernel) + ": parameter " +
                       std::to_string(i));
  return Status::success();
}

static bool asksForMemory(const LaunchVariant &variant) {
  for (const Condition &condition : variant.guard)
    if (condition.isAboutMemory())
      return true;
  return false;
}

Result<BoundLaunch> fuse::bindLaunch(const ImageLaunch &launch,
                                     const CudaProgram &program,
                                     std::span<const CudaFunction> functions,
                                     const SizeBindings &bindings,
                                     std::span<const uint64_t> bufferBytes) {
  const Image &image = program.image();
  Binder binder(program, bindings, bufferBytes);
  BoundLaunch bound;
  bound.launch = &launch;
  std::string obstacles;
  for (uint32_t i = 0; i < launch.variants.size(); ++i) {
    const LaunchVariant &variant = launch.variants[i];
    const ImageKernel &kernel = image.kernels[variant.kernel];
    const CudaFunction &function = functions[variant.kernel];
    std::string obstacle;
    if (!function.handle)
      obstacle = nameVariant(image, variant) + " is for " +
                 image.modules[kernel.module].chip.str();
    else if (Result<std::string> found = binder.findObstacle(variant))
      obstacle = std::move(*found);
    else
      return std::move(found.takeError())
          .withContext("launch '" + launch.name + "'");
    if (!obstacle.empty()) {
      obstacles += (obstacles.empty() ? "" : "; ") + obstacle;
      continue;
    }
    BoundVariant &candidate = bound.variants.emplace_back();
    candidate.number = i;
    candidate.variant = &variant;
    candidate.kernel = &kernel;
    candidate.function = &function;
    if (Status status = binder.bind(candidate); !status)
      return status.takeError();
    // Nothing behind it will ever be chosen.
    if (!asksForMemory(variant))
      break;
  }
  if (bound.variants.empty())
    return unsupported("launch '" + launch.name +
                       "' has no variant for these sizes: " + obstacles);
  return bound;
}
