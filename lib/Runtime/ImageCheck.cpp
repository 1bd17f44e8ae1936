//===- ImageCheck.cpp - whether an Image means something ------------------===//
//
// After this nobody has to ask whether a number refers to anything, and
// whatever is read has been written. Both a compiler and a file are checked.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Fill.h"
#include "fuse/Runtime/Image.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

using namespace fuse;

static RuntimeError badInput(std::string message) {
  return RuntimeError(ErrorCode::BadInput, std::move(message));
}

namespace {

class Checker {
public:
  explicit Checker(const Image &image)
      : image(image), written(image.buffers.size()) {}

  Status run();

private:
  using BufferKind = ImageBuffer::Kind;

  Status checkModules();
  Status checkNumbering(BufferKind kind, std::string_view name,
                        std::vector<uint32_t> &byNumber);
  Status checkBuffers();
  Status checkBuffer(const ImageBuffer &buffer);
  Status checkConstant(const ImageBuffer &buffer);
  Status checkExpression(const SizeExpression &expression,
                         bool mayAskDevice = true);
  Status checkCondition(const Condition &condition, bool isRequirement);
  Status checkKernel(const ImageKernel &kernel);
  Status checkParameter(const KernelParameter &parameter);
  Status checkReference(uint32_t buffer, bool isWritten);
  Status checkLaunch(const ImageLaunch &launch);
  Status checkCopies();
  Status checkCpuExpressions(const CpuCode &code);
  Status checkCpus();

  bool isArgument(uint32_t buffer) const {
    return buffer < image.buffers.size() &&
           (image.buffers[buffer].kind == BufferKind::Input ||
            image.buffers[buffer].kind == BufferKind::Output);
  }
  std::string name(uint32_t buffer) const {
    return "buffer " + std::to_string(buffer) + " '" +
           image.buffers[buffer].name + "'";
  }

  const Image &image;
  std::vector<uint32_t> inputs;
  /// By buffer: whether a launch has written it.
  std::vector<bool> written;
};

} // namespace

//===----------------------------------------------------------------------===//
// Code and buffers
//===----------------------------------------------------------------------===//

/// The driver takes texts that end with a zero.
static bool isText(std::string_view text) {
  return !text.empty() && text.find('\0') == std::string_view::npos;
}

/// The word behind the first `directive`.
static std::string_view wordBehind(std::string_view ptx,
                                   std::string_view directive) {
  size_t at = ptx.find(directive);
  if (at == std::string_view::npos)
    return {};
  ptx.remove_prefix(at + directive.size());
  ptx.remove_prefix(std::min(ptx.find_first_not_of(" \t"), ptx.size()));
  return ptx.substr(0, ptx.find_first_of(" \t\r\n,;/"));
}

/// The loader goes by what the module says, and the driver by its PTX.
static Status checkPtx(const ImageModule &module) {
  const std::pair<std::string_view, std::string> directives[] = {
      {".target", module.chip.str()}, {".version", module.ptxVersion.str()}};
  for (const auto &[directive, needed] : directives)
    if (std::string_view found = wordBehind(module.ptx, directive);
        found != needed)
      return badInput("its PTX has '" + std::string(directive) + " " +
                      std::string(found.substr(0, 32)) +
                      "', but the module says " + needed);
  return Status::success();
}

Status Checker::checkModules() {
  for (const ImageModule &module : image.modules) {
    std::string what = "module '" + module.name + "'";
    if (!isText(module.ptx))
      return badInput(what + " has no PTX, or a zero byte in it");
    if (Status status = checkPtx(module); !status)
      return std::move(status.takeError()).withContext(what);
    for (const ImageCubin &cubin : module.cubins)
      if (cubin.code.empty() || cubin.chip.major == 0)
        return badInput(what + " has a cubin that is empty or for no chip");
  }
  return Status::success();
}

/// Numbers go from 0 up, and none is there twice.
Status Checker::checkNumbering(BufferKind kind, std::string_view name,
                               std::vector<uint32_t> &byNumber) {
  size_t count = 0;
  for (const ImageBuffer &buffer : image.buffers)
    count += buffer.kind == kind;
  constexpr uint32_t none = ~uint32_t(0);
  byNumber.assign(count, none);
  for (uint32_t i = 0; i < image.buffers.size(); ++i) {
    const ImageBuffer &buffer = image.buffers[i];
    if (buffer.kind != kind)
      continue;
    if (buffer.number >= count || byNumber[buffer.number] != none)
      return badInput("buffer " + std::to_string(i) + " is " +
                      std::string(name) + " " + std::to_string(buffer.number) +
                      ", but each number below " + std::to_string(count) +
                      " is needed once");
    byNumber[buffer.number] = i;
  }
  return Status::success();
}

Status Checker::checkExpression(const SizeExpression &expression,
                                bool mayAskDevice) {
  for (const SizeExpression::Step &step : expression.steps()) {
    if (step.kind == SizeExpression::Kind::Size &&
        (step.number >= inputs.size() ||
         step.dim >= image.buffers[inputs[step.number]].shape.size()))
      return badInput("'" + expression.str() +
                      "' asks for a size that no "
                      "input has");
    if (step.kind == SizeExpression::Kind::Scalar &&
        step.number >= image.scalars.size())
      return badInput("'" + expression.str() +
                      "' asks for a scalar, but there "
                      "are " +
                      std::to_string(image.scalars.size()));
    if (step.kind == SizeExpression::Kind::Multiprocessors && !mayAskDevice)
      return badInput("'" + expression.str() +
                      "' depends on the device, which "
                      "only launches on a GPU may");
  }
  return Status::success();
}

Status Checker::checkConstant(const ImageBuffer &buffer) {
  const HostBuffer &data = image.constants[buffer.number];
  bool isSame =
      data.type() == buffer.type && data.shape().size() == buffer.shape.size();
  for (size_t dim = 0; isSame && dim < buffer.shape.size(); ++dim)
    isSame = buffer.shape[dim].constant() == data.shape()[dim];
  if (isSame)
    return Status::success();
  return badInput("the data are " + formatShape(data.shape()) + " of " +
                  std::string(typeName(data.type())) + ", but the buffer is " +
                  formatShape(buffer.shape) + " of " +
                  std::string(typeName(buffer.type)));
}

/// Tools call files and options after arguments: a name is no path.
static Status checkArgumentName(std::string_view name) {
  auto isOfNames = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
  };
  if (!name.empty() && std::ranges::all_of(name, isOfNames))
    return Status::success();
  return badInput("the name of an argument has to be letters, digits and '_'");
}

Status Checker::checkBuffer(const ImageBuffer &buffer) {
  bool isArgument =
      buffer.kind == BufferKind::Input || buffer.kind == BufferKind::Output;
  if (isArgument)
    if (Status status = checkArgumentName(buffer.name); !status)
      return status;
  for (const SizeExpression &size : buffer.shape) {
    if (Status status = checkExpression(size, /*mayAskDevice=*/!isArgument);
        !status)
      return status;
    if (size.constant().value_or(0) < 0)
      return badInput("the size " + size.str() + " is negative");
  }
  constexpr uint32_t maxAlignment = workspaceAlignment;
  if (!std::has_single_bit(buffer.alignment) ||
      buffer.alignment > maxAlignment ||
      (isArgument && buffer.alignment < byteSize(buffer.type)))
    return badInput("the alignment is " + std::to_string(buffer.alignment) +
                    ", but a power of two from the size of an element to " +
                    std::to_string(maxAlignment) + " is needed");
  if (!isArgument && buffer.strides != ArgumentStrides::Contiguous)
    return badInput("it may have gaps, but only inputs and outputs may");
  if (!buffer.fill.empty()) {
    if (buffer.kind != BufferKind::Input)
      return badInput("it is to be filled with " + buffer.fill +
                      ", but only inputs are");
    if (auto spec = FillSpec::parse(buffer.fill); !spec)
      return badInput(spec.error().message());
  }
  if (buffer.kind == BufferKind::Constant)
    return checkConstant(buffer);
  return Status::success();
}

Status Checker::checkBuffers() {
  std::vector<uint32_t> outputs, constants;
  if (Status s = checkNumbering(BufferKind::Input, "input", inputs); !s)
    return s;
  if (Status s = checkNumbering(BufferKind::Output, "output", outputs); !s)
    return s;
  if (Status s = checkNumbering(BufferKind::Constant, "constant", constants);
      !s)
    return s;
  if (constants.size() != image.constants.size())
    return badInput("there are " + std::to_string(image.constants.size()) +
                    " constants for " + std::to_string(constants.size()) +
                    " buffers");
  for (uint32_t i = 0; i < image.buffers.size(); ++i)
    if (Status status = checkBuffer(image.buffers[i]); !status)
      return std::move(status.takeError()).withContext(name(i));
  for (const std::string &scalar : image.scalars)
    if (Status status = checkArgumentName(scalar); !status)
      return std::move(status.takeError())
          .withContext("scalar '" + scalar + "'");
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Status Checker::checkCondition(const Condition &condition, bool isRequirement) {
  for (const SizeExpression *side : {&condition.lhs, &condition.rhs})
    if (Status s = checkExpression(*side, /*mayAskDevice=*/!isRequirement); !s)
      return s;
  if (!condition.isAboutMemory())
    return Status::success();
  if (isRequirement)
    return badInput("a requirement is about where a buffer lies, but only "
                    "guards of variants can be");
  if (condition.buffer >= image.buffers.size())
    return badInput("a guard is about buffer " +
                    std::to_string(condition.buffer) + ", but there are " +
                    std::to_string(image.buffers.size()));
  if (condition.kind == Condition::Kind::Contiguous)
    return Status::success();
  int64_t bytes = condition.rhs.constant().value_or(0);
  if (bytes < 1 || !std::has_single_bit(uint64_t(bytes)))
    return badInput("a guard needs an alignment to '" + condition.rhs.str() +
                    "' bytes, but a power of two is needed");
  return Status::success();
}

Status Checker::checkReference(uint32_t buffer, bool isWritten) {
  if (buffer >= image.buffers.size())
    return badInput("a parameter is buffer " + std::to_string(buffer) +
                    ", but there are " + std::to_string(image.buffers.size()));
  BufferKind kind = image.buffers[buffer].kind;
  if (isWritten && (kind == BufferKind::Input || kind == BufferKind::Constant))
    return badInput(name(buffer) + " is written, but is an input or constant");
  return Status::success();
}

Status Checker::checkParameter(const KernelParameter &parameter) {
  if (std::optional<uint32_t> buffer = parameter.accessedBuffer())
    if (Status s = checkReference(*buffer, parameter.isWritten); !s)
      return s;
  if (parameter.kind == KernelParameter::Kind::Stride &&
      (!isArgument(parameter.buffer) ||
       parameter.dim >= image.buffers[parameter.buffer].shape.size()))
    return badInput("it is stride " + std::to_string(parameter.dim) +
                    " of buffer " + std::to_string(parameter.buffer) +
                    ", but only inputs and outputs have strides, one for each "
                    "dimension");
  if (Status status = checkExpression(parameter.value); !status)
    return status;
  if (parameter.kind != KernelParameter::Kind::TensorMap)
    return Status::success();
  const TensorMap &map = parameter.map;
  if (Status status = checkTensorMap(map); !status)
    return status;
  if (map.hasArgumentStrides &&
      (!isArgument(map.buffer) ||
       image.buffers[map.buffer].shape.size() != map.sizes.size() ||
       byteSize(map.type) != byteSize(image.buffers[map.buffer].type)))
    return badInput("a tensor map has the strides of " + name(map.buffer) +
                    ", which is no input or output of its dimensions and "
                    "elements");
  if (Status status = checkExpression(map.offset); !status)
    return status;
  for (const auto *list : {&map.sizes, &map.strides})
    for (const SizeExpression &expression : *list)
      if (Status status = checkExpression(expression); !status)
        return status;
  return Status::success();
}

static uint64_t product(const std::array<uint32_t, 3> &extents) {
  // Enough of it to be compared: a dimension of more is refused anyway.
  uint64_t result = 1;
  for (uint32_t extent : extents)
    result *= std::min<uint32_t>(extent, 65536);
  return result;
}

Status Checker::checkKernel(const ImageKernel &kernel) {
  if (!isText(kernel.symbol))
    return badInput("the symbol is empty or has a zero byte in it");
  if (kernel.module >= image.modules.size())
    return badInput("it is in module " + std::to_string(kernel.module) +
                    ", but there are " + std::to_string(image.modules.size()));
  constexpr uint64_t maxThreads = 1024, maxCluster = 16;
  if (uint64_t threads = product(kernel.threads);
      threads < 1 || threads > maxThreads)
    return badInput("a block has " + std::to_string(threads) +
                    " threads, but 1 to 1024 are needed");
  if (uint64_t blocks = product(kernel.cluster);
      blocks < 1 || blocks > maxCluster)
    return badInput("a cluster has " + std::to_string(blocks) +
                    " blocks, but 1 to 16 are needed");
  if (kernel.grid.empty() || kernel.grid.size() > 3)
    return badInput("the grid has " + std::to_string(kernel.grid.size()) +
                    " dimensions, but 1 to 3 are needed");
  for (const SizeExpression &extent : kernel.grid)
    if (Status status = checkExpression(extent); !status)
      return status;
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    if (Status status = checkParameter(kernel.parameters[i]); !status)
      return std::move(status.takeError())
          .withContext("parameter " + std::to_string(i));
  return Status::success();
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

Status Checker::checkLaunch(const ImageLaunch &launch) {
  if (Status s = checkExpression(launch.dotFlops, /*mayAskDevice=*/false); !s)
    return s;
  if (launch.variants.empty())
    return badInput("there is no variant");
  // By buffer: how many variants write it.
  std::map<uint32_t, size_t> writers;
  for (const LaunchVariant &variant : launch.variants) {
    if (variant.kernel >= image.kernels.size())
      return badInput("a variant is kernel " + std::to_string(variant.kernel) +
                      ", but there are " +
                      std::to_string(image.kernels.size()));
    for (const Condition &condition : variant.guard)
      if (Status s = checkCondition(condition, /*isRequirement=*/false); !s)
        return s;
    const ImageKernel &kernel = image.kernels[variant.kernel];
    std::set<uint32_t> own;
    for (const KernelParameter &parameter : kernel.parameters)
      if (parameter.isWritten)
        if (std::optional<uint32_t> buffer = parameter.accessedBuffer())
          own.insert(*buffer);
    for (const KernelParameter &parameter : kernel.parameters) {
      std::optional<uint32_t> buffer = parameter.accessedBuffer();
      if (!buffer || own.contains(*buffer) || written[*buffer])
        continue;
      BufferKind kind = image.buffers[*buffer].kind;
      if (kind == BufferKind::Intermediate || kind == BufferKind::Output)
        return badInput(name(*buffer) + " is read before it is written");
    }
    for (uint32_t buffer : own)
      ++writers[buffer];
  }
  for (auto [buffer, count] : writers) {
    if (image.buffers[buffer].kind == BufferKind::Output &&
        count != launch.variants.size())
      return badInput(name(buffer) + " is written by some variants only");
    written[buffer] = true;
  }
  return Status::success();
}

Status Checker::checkCopies() {
  std::vector<bool> copied(image.buffers.size());
  for (const ImageCopy &copy : image.copies) {
    if (copy.from >= image.buffers.size() ||
        copy.output >= image.buffers.size())
      return badInput("a copy is of a buffer that is not there");
    const ImageBuffer &from = image.buffers[copy.from];
    bool isKept = from.kind == BufferKind::Input ||
                  from.kind == BufferKind::Constant ||
                  (from.kind == BufferKind::Output && written[copy.from]);
    if (!isKept)
      return badInput(name(copy.from) + " is copied, but is no input, no "
                                        "constant and no output that a launch "
                                        "writes");
    const ImageBuffer &output = image.buffers[copy.output];
    if (output.kind != BufferKind::Output || written[copy.output] ||
        copied[copy.output])
      return badInput(name(copy.output) + " is copied to, but is no output, or "
                                          "is written already");
    if (from.type != output.type)
      return badInput(name(copy.from) + " is copied to " + name(copy.output) +
                      ", whose elements are of another type");
    for (uint32_t buffer : {copy.from, copy.output})
      if (image.buffers[buffer].strides != ArgumentStrides::Contiguous)
        return badInput(name(buffer) + " may have gaps, but is copied as a "
                                       "whole");
    copied[copy.output] = true;
  }
  // Without a plan for GPUs it is the code for processors that writes them.
  if (!image.isForGpus() && !image.cpus.empty())
    return Status::success();
  for (uint32_t i = 0; i < image.buffers.size(); ++i)
    if (image.buffers[i].kind == BufferKind::Output && !written[i] &&
        !copied[i])
      return badInput(name(i) + " is an output that nothing writes");
  return Status::success();
}

Status Checker::checkCpuExpressions(const CpuCode &code) {
  auto check = [&](std::span<const SizeExpression> expressions) -> Status {
    for (const SizeExpression &expression : expressions)
      if (Status s = checkExpression(expression, /*mayAskDevice=*/false); !s)
        return s;
    return Status::success();
  };
  for (const CpuBuffer &buffer : code.buffers)
    if (Status status = check(buffer.shape); !status)
      return status;
  for (const CpuLaunch &launch : code.launches) {
    Status status = check(launch.grid);
    if (status)
      status = check({&launch.dotFlops, 1});
    if (!status)
      return std::move(status.takeError())
          .withContext("launch '" + launch.name + "'");
  }
  return Status::success();
}

/// Their arguments are those of the contract; where sizes are open, that is
/// seen when they are bound.
Status Checker::checkCpus() {
  std::vector<uint32_t> outputs = image.outputs();
  std::set<CpuLevel> levels;
  for (const CpuCode &code : image.cpus) {
    std::string what = "the code for " + std::string(levelName(code.level));
    if (!levels.insert(code.level).second)
      return badInput(what + " is there twice");
    if (Status s = checkCpuCode(code, inputs.size(), outputs.size()); !s)
      return std::move(s.takeError()).withContext(what);
    if (Status s = checkCpuExpressions(code); !s)
      return std::move(s.takeError()).withContext(what);
    for (const CpuBuffer &buffer : code.buffers) {
      bool isInput = buffer.kind == PlanBuffer::Kind::Input;
      if (!isInput && buffer.kind != PlanBuffer::Kind::Output)
        continue;
      uint32_t argument = (isInput ? inputs : outputs)[buffer.number];
      const ImageBuffer &own = image.buffers[argument];
      bool isSame =
          own.type == buffer.type && own.shape.size() == buffer.shape.size();
      for (size_t dim = 0; isSame && dim < own.shape.size(); ++dim)
        isSame = own.shape[dim].constant() == buffer.shape[dim].constant();
      if (!isSame)
        return badInput(what + ": it has " + formatShape(buffer.shape) +
                        " of " + std::string(typeName(buffer.type)) + " for " +
                        name(argument) + ", which is another array");
    }
  }
  return Status::success();
}

Status Checker::run() {
  if (Status status = checkModules(); !status)
    return status;
  if (Status status = checkBuffers(); !status)
    return status;
  for (const Requirement &requirement : image.requirements)
    if (Status s = checkCondition(requirement.condition,
                                  /*isRequirement=*/true);
        !s)
      return s;
  for (size_t i = 0; i < image.kernels.size(); ++i)
    if (Status status = checkKernel(image.kernels[i]); !status)
      return std::move(status.takeError())
          .withContext("kernel " + std::to_string(i) + " '" +
                       image.kernels[i].symbol + "'");
  for (size_t i = 0; i < image.launches.size(); ++i)
    if (Status status = checkLaunch(image.launches[i]); !status)
      return std::move(status.takeError())
          .withContext("launch " + std::to_string(i) + " '" +
                       image.launches[i].name + "'");
  if (Status status = checkCopies(); !status)
    return status;
  return checkCpus();
}

Status fuse::checkImage(const Image &image) { return Checker(image).run(); }
