//===- ImageText.cpp - an Image for people --------------------------------===//
//
// Prints the plan of an Image: what is launched on what, and when which variant
// is taken.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Image.h"

using namespace fuse;

static std::string bufferName(const Image &image, uint32_t number) {
  std::string text = "%" + std::to_string(number);
  if (number < image.buffers.size() && !image.buffers[number].name.empty())
    text += " '" + image.buffers[number].name + "'";
  return text;
}

std::string fuse::describe(const Condition &condition, const Image &image) {
  switch (condition.kind) {
  case Condition::Kind::Divisible:
    return condition.lhs.str() + " divisible by " + condition.rhs.str();
  case Condition::Kind::Equal:
    return condition.lhs.str() + " == " + condition.rhs.str();
  case Condition::Kind::LessEqual:
    return condition.lhs.str() + " <= " + condition.rhs.str();
  case Condition::Kind::Aligned:
    return bufferName(image, condition.buffer) + " aligned to " +
           condition.rhs.str() + " bytes";
  case Condition::Kind::Contiguous:
    return bufferName(image, condition.buffer) + " without gaps";
  case Condition::Kind::Rows:
    return bufferName(image, condition.buffer) + " in rows at multiples of " +
           condition.rhs.str() + " bytes";
  }
  __builtin_unreachable();
}

static std::string_view kindName(ImageBuffer::Kind kind) {
  switch (kind) {
  case ImageBuffer::Kind::Input:
    return "input";
  case ImageBuffer::Kind::Output:
    return "output";
  case ImageBuffer::Kind::Constant:
    return "constant";
  case ImageBuffer::Kind::Intermediate:
    return "intermediate";
  case ImageBuffer::Kind::Counters:
    return "counters";
  }
  __builtin_unreachable();
}

static std::string_view describe(ArgumentStrides strides) {
  switch (strides) {
  case ArgumentStrides::Contiguous:
    return "";
  case ArgumentStrides::Rows:
    return ", in rows";
  case ArgumentStrides::Any:
    return ", any strides";
  }
  __builtin_unreachable();
}

static std::string join(std::span<const SizeExpression> list) {
  std::string text;
  for (const SizeExpression &item : list)
    text += (text.empty() ? "" : ", ") + item.str();
  return text;
}

static std::string join(std::span<const uint32_t> list) {
  std::string text;
  for (uint32_t item : list)
    text += (text.empty() ? "" : "x") + std::to_string(item);
  return text;
}

static std::string describe(const Image &image, const TensorMap &map) {
  std::string text = "map of " + bufferName(image, map.buffer);
  if (map.offset != SizeExpression(0))
    text += " + " + map.offset.str() + " bytes";
  text += ": " + std::string(typeName(map.type)) + " [" + join(map.sizes) +
          "], strides " +
          (map.hasArgumentStrides ? "of the argument"
                                  : "[" + join(map.strides) + "]") +
          ", box " + join(map.box);
  if (map.swizzle != TensorMapSwizzle::None)
    text += ", swizzle " + std::to_string(16 << int(map.swizzle));
  return text;
}

static std::string describe(const Image &image,
                            const KernelParameter &parameter) {
  std::string access = parameter.isWritten ? " (written)" : "";
  switch (parameter.kind) {
  case KernelParameter::Kind::Pointer: {
    bool isWhole = parameter.value == SizeExpression(0);
    return bufferName(image, parameter.buffer) +
           (isWhole ? "" : " + " + parameter.value.str() + " bytes") + access;
  }
  case KernelParameter::Kind::Scalar64:
    return "i64 " + parameter.value.str();
  case KernelParameter::Kind::Scalar32:
    return "i32 " + parameter.value.str();
  case KernelParameter::Kind::TensorMap:
    return describe(image, parameter.map) + access;
  case KernelParameter::Kind::Stride:
    return "i64 stride " + std::to_string(parameter.dim) + " of " +
           bufferName(image, parameter.buffer);
  }
  __builtin_unreachable();
}

static std::string describe(const Image &image, const ImageModule &module) {
  std::string text = "module '" + module.name + "': PTX " +
                     module.ptxVersion.str() + " for " + module.chip.str() +
                     " (" + formatBytes(module.ptx.size()) + ")";
  for (const ImageCubin &cubin : module.cubins)
    text +=
        ", cubin for " + cubin.chip.str() + " (" +
        formatBytes(cubin.code.size()) +
        (cubin.toolkit == CodeVersion() ? ""
                                        : ", by ptxas " + cubin.toolkit.str()) +
        ")";
  return text + "\n";
}

static std::string describe(const Image &image, const LaunchVariant &variant) {
  const ImageKernel &kernel = image.kernels[variant.kernel];
  std::string text = "  " + kernel.symbol;
  if (!variant.note.empty())
    text += " (" + variant.note + ")";
  for (const Condition &condition : variant.guard)
    text += (&condition == variant.guard.data() ? " if " : " and ") +
            describe(condition, image);
  text +=
      "\n    grid [" + join(kernel.grid) + "], threads " + join(kernel.threads);
  if (kernel.cluster != std::array<uint32_t, 3>{1, 1, 1})
    text += ", cluster " + join(kernel.cluster);
  if (kernel.dynamicSharedBytes)
    text += ", " + formatBytes(kernel.dynamicSharedBytes) + " shared";
  if (kernel.waits)
    text += ", begins early";
  if (!kernel.location.empty())
    text += ", from " + kernel.location;
  text += "\n";
  if (!kernel.schedule.empty())
    text += "    " + kernel.schedule + "\n";
  for (const KernelParameter &parameter : kernel.parameters)
    text += "    " + describe(image, parameter) + "\n";
  for (const KernelReport &report : kernel.reports) {
    text += "    " + report.chip.str() + ": " +
            std::to_string(report.registers) + " registers, " +
            std::to_string(report.spillStoreBytes + report.spillLoadBytes) +
            " bytes spilled, " + std::to_string(report.sharedBytes) +
            " bytes shared, " + std::to_string(report.stackBytes) +
            " bytes stack\n";
    for (const std::string &warning : report.warnings)
      text += "      warning: " + warning + "\n";
  }
  return text;
}

static std::string_view kindName(PlanBuffer::Kind kind) {
  switch (kind) {
  case PlanBuffer::Kind::Input:
    return "input";
  case PlanBuffer::Kind::Output:
    return "output";
  case PlanBuffer::Kind::Constant:
    return "constant";
  case PlanBuffer::Kind::Intermediate:
    return "intermediate";
  }
  __builtin_unreachable();
}

/// What there is to be said of the products of a launch.
static std::string describe(const SizeExpression &dotFlops) {
  if (dotFlops == SizeExpression(0))
    return "";
  return ", " + dotFlops.str() + " operations in products";
}

static std::string describe(const CpuCode &code) {
  std::string text = "code for " + std::string(levelName(code.level)) + " (" +
                     formatBytes(code.object.size()) + ")\n";
  for (size_t i = 0; i < code.buffers.size(); ++i) {
    const CpuBuffer &buffer = code.buffers[i];
    text += "  %" + std::to_string(i) + ": " +
            std::string(kindName(buffer.kind)) + " " +
            std::to_string(buffer.number) + ", " + formatShape(buffer.shape) +
            " of " + std::string(typeName(buffer.type)) + "\n";
  }
  for (const CpuLaunch &launch : code.launches) {
    text += "  launch '" + launch.name + "': " + launch.symbol + "(";
    for (size_t i = 0; i < launch.buffers.size(); ++i)
      text += (i == 0 ? "%" : ", %") + std::to_string(launch.buffers[i]);
    text += "), grid " + formatShape(launch.grid) + ", " +
            formatBytes(launch.workspaceBytes) + " for each thread" +
            describe(launch.dotFlops);
    if (!launch.location.empty())
      text += ", from " + launch.location;
    text += "\n";
    if (!launch.schedule.empty())
      text += "    " + launch.schedule + "\n";
  }
  for (const CpuCopy &copy : code.copies)
    text += "  copy %" + std::to_string(copy.from) + " to output " +
            std::to_string(copy.output) + "\n";
  return text;
}

std::string fuse::printable(std::string text) {
  size_t length = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char c = text[i];
    // U+0080 to U+009F are two bytes of UTF-8.
    unsigned char next = i + 1 < text.size() ? text[i + 1] : 0;
    bool isPair = c == 0xC2 && next >= 0x80 && next < 0xA0;
    bool isObeyed = isPair || (c < ' ' && c != '\n' && c != '\t') || c == 0x7F;
    text[length++] = isObeyed ? '?' : text[i];
    i += isPair;
  }
  text.resize(length);
  return text;
}

std::string fuse::describe(const Image &image) {
  std::string text = "image '" + image.name + "' by " + image.producer + "\n";
  for (const std::string &diagnostic : image.diagnostics)
    text += diagnostic + "\n";
  for (const ImageModule &module : image.modules)
    text += ::describe(image, module);
  for (uint32_t i = 0; i < image.buffers.size(); ++i) {
    const ImageBuffer &buffer = image.buffers[i];
    text += bufferName(image, i) + ": " + std::string(kindName(buffer.kind)) +
            ", " + formatShape(buffer.shape) + " of " +
            std::string(typeName(buffer.type));
    bool isArgument = buffer.kind == ImageBuffer::Kind::Input ||
                      buffer.kind == ImageBuffer::Kind::Output;
    if (isArgument)
      text += ", aligned to " + std::to_string(buffer.alignment) + " bytes" +
              std::string(::describe(buffer.strides));
    if (!buffer.fill.empty())
      text += ", may be " + buffer.fill;
    text += "\n";
  }
  for (size_t i = 0; i < image.scalars.size(); ++i)
    text += "scalar" + std::to_string(i) + ": '" + image.scalars[i] + "'\n";
  for (const Requirement &requirement : image.requirements)
    text += "needed: " + describe(requirement.condition, image) + " (" +
            requirement.message + ")\n";
  for (size_t i = 0; i < image.launches.size(); ++i) {
    text += "launch " + std::to_string(i) + " '" + image.launches[i].name +
            "'" + ::describe(image.launches[i].dotFlops) + "\n";
    for (const LaunchVariant &variant : image.launches[i].variants)
      text += ::describe(image, variant);
  }
  for (const ImageCopy &copy : image.copies)
    text += "copy " + bufferName(image, copy.from) + " to " +
            bufferName(image, copy.output) + "\n";
  for (const CpuCode &code : image.cpus)
    text += ::describe(code);
  return printable(std::move(text));
}
