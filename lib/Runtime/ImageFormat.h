//===- ImageFormat.h - how an Image lies in a file --------------*- C++ -*-===//
//
// One description of every part, for writing and for reading: `transfer` passes
// the fields to an archive, which takes them or fills them in. So the two
// cannot disagree. A field that is added or changed makes a new format version.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_RUNTIME_IMAGEFORMAT_H
#define FUSE_LIB_RUNTIME_IMAGEFORMAT_H

#include "fuse/Runtime/Image.h"

namespace fuse {

inline constexpr std::string_view imageMagic = "\x89"
                                               "FUSEIMG";
/// Magic, version, reserved, length of the file, checksum of what follows.
inline constexpr size_t imageHeaderBytes = 8 + 4 + 4 + 8 + 8;

// The order of element types is part of the format.
static_assert(static_cast<int>(ElementType::F8E4M3FN) == 6 &&
                  static_cast<int>(ElementType::F64) == 10,
              "another order of element types is another format version");

// An archive has:
//   number(T &)         unsigned integers and int64_t, little-endian
//   flag(bool &)        one byte
//   choice(E &, last)   an enumeration in one byte, at most `last`
//   text(string &)      a 64-bit length and bytes
//   list(vector &)      a 32-bit count and `transfer` of each
//   expression(SizeExpression &), constants(vector<HostBuffer> &)

template <class A> void transfer(A &archive, std::string &value) {
  archive.text(value);
}
template <class A> void transfer(A &archive, uint32_t &value) {
  archive.number(value);
}
template <class A> void transfer(A &archive, int64_t &value) {
  archive.number(value);
}
template <class A> void transfer(A &archive, SizeExpression &value) {
  archive.expression(value);
}

template <class A> void transfer(A &archive, SizeExpression::Step &step) {
  archive.choice(step.kind, SizeExpression::Kind::Max);
  // Only what the kind has, so that equal expressions are equal bytes.
  if (step.kind == SizeExpression::Kind::Constant)
    archive.number(step.value);
  if (step.kind == SizeExpression::Kind::Size ||
      step.kind == SizeExpression::Kind::Scalar)
    archive.number(step.number);
  if (step.kind == SizeExpression::Kind::Size)
    archive.number(step.dim);
}

template <class A> void transfer(A &archive, std::array<uint32_t, 3> &values) {
  for (uint32_t &value : values)
    archive.number(value);
}

template <class A> void transfer(A &archive, Chip &chip) {
  archive.number(chip.major);
  archive.number(chip.minor);
  archive.choice(chip.features, ChipFeatures::Specific);
}

template <class A> void transfer(A &archive, CodeVersion &version) {
  archive.number(version.major);
  archive.number(version.minor);
}

template <class A> void transfer(A &archive, ImageCubin &cubin) {
  transfer(archive, cubin.chip);
  transfer(archive, cubin.toolkit);
  archive.text(cubin.code);
}

template <class A> void transfer(A &archive, ImageModule &module) {
  archive.text(module.name);
  archive.text(module.ptx);
  transfer(archive, module.chip);
  transfer(archive, module.ptxVersion);
  archive.list(module.cubins);
}

template <class A> void transfer(A &archive, KernelReport &report) {
  transfer(archive, report.chip);
  archive.number(report.registers);
  archive.number(report.spillStoreBytes);
  archive.number(report.spillLoadBytes);
  archive.number(report.sharedBytes);
  archive.number(report.stackBytes);
  archive.list(report.warnings);
}

template <class A> void transfer(A &archive, ImageBuffer &buffer) {
  archive.choice(buffer.kind, ImageBuffer::Kind::Counters);
  archive.number(buffer.number);
  archive.text(buffer.name);
  archive.choice(buffer.type, ElementType::F64);
  archive.list(buffer.shape);
  archive.number(buffer.alignment);
  archive.choice(buffer.strides, ArgumentStrides::Any);
  archive.text(buffer.fill);
}

template <class A> void transfer(A &archive, TensorMap &map) {
  archive.number(map.buffer);
  archive.expression(map.offset);
  archive.choice(map.type, TensorMapType::TF32FlushSubnormals);
  archive.list(map.sizes);
  archive.flag(map.hasArgumentStrides);
  archive.list(map.strides);
  archive.list(map.box);
  archive.list(map.elementStrides);
  archive.choice(map.interleave, TensorMapInterleave::Bytes32);
  archive.choice(map.swizzle, TensorMapSwizzle::Bytes128);
  archive.choice(map.promotion, TensorMapPromotion::Bytes256);
  archive.choice(map.fill, TensorMapFill::NaN);
}

template <class A> void transfer(A &archive, KernelParameter &parameter) {
  archive.choice(parameter.kind, KernelParameter::Kind::Stride);
  archive.flag(parameter.isWritten);
  if (parameter.kind == KernelParameter::Kind::TensorMap)
    return transfer(archive, parameter.map);
  if (parameter.accessedBuffer() ||
      parameter.kind == KernelParameter::Kind::Stride)
    archive.number(parameter.buffer);
  if (parameter.kind == KernelParameter::Kind::Stride)
    return archive.number(parameter.dim);
  archive.expression(parameter.value);
}

template <class A> void transfer(A &archive, ImageKernel &kernel) {
  archive.text(kernel.symbol);
  archive.number(kernel.module);
  archive.text(kernel.location);
  archive.text(kernel.schedule);
  archive.list(kernel.parameters);
  transfer(archive, kernel.threads);
  transfer(archive, kernel.cluster);
  archive.number(kernel.dynamicSharedBytes);
  archive.flag(kernel.waits);
  archive.list(kernel.grid);
  archive.list(kernel.reports);
}

template <class A> void transfer(A &archive, Condition &condition) {
  archive.choice(condition.kind, Condition::Kind::Rows);
  if (condition.isAboutMemory())
    archive.number(condition.buffer);
  else
    archive.expression(condition.lhs);
  archive.expression(condition.rhs);
}

template <class A> void transfer(A &archive, LaunchVariant &variant) {
  archive.number(variant.kernel);
  archive.list(variant.guard);
  archive.text(variant.note);
}

template <class A> void transfer(A &archive, ImageLaunch &launch) {
  archive.text(launch.name);
  archive.list(launch.variants);
  archive.expression(launch.dotFlops);
}

template <class A> void transfer(A &archive, ImageCopy &copy) {
  archive.number(copy.from);
  archive.number(copy.output);
}

template <class A> void transfer(A &archive, Requirement &requirement) {
  transfer(archive, requirement.condition);
  archive.text(requirement.message);
}

template <class A> void transfer(A &archive, CpuBuffer &buffer) {
  archive.choice(buffer.kind, PlanBuffer::Kind::Intermediate);
  archive.number(buffer.number);
  archive.choice(buffer.type, ElementType::F64);
  archive.list(buffer.shape);
}

template <class A> void transfer(A &archive, CpuLaunch &launch) {
  archive.text(launch.name);
  archive.text(launch.symbol);
  archive.text(launch.location);
  archive.text(launch.schedule);
  archive.list(launch.buffers);
  archive.number(launch.numOutputs);
  archive.list(launch.grid);
  archive.number(launch.workspaceBytes);
  archive.expression(launch.dotFlops);
}

template <class A> void transfer(A &archive, CpuCopy &copy) {
  archive.number(copy.from);
  archive.number(copy.output);
}

template <class A> void transfer(A &archive, CpuCode &code) {
  archive.choice(code.level, CpuLevel::V4);
  archive.text(code.object);
  archive.list(code.buffers);
  archive.constants(code.constants);
  archive.list(code.launches);
  archive.list(code.copies);
}

template <class A> void transfer(A &archive, Image &image) {
  archive.text(image.producer);
  archive.text(image.name);
  archive.list(image.diagnostics);
  archive.list(image.modules);
  archive.list(image.buffers);
  archive.constants(image.constants);
  archive.list(image.scalars);
  archive.list(image.requirements);
  archive.list(image.kernels);
  archive.list(image.launches);
  archive.list(image.copies);
  archive.list(image.cpus);
}

} // namespace fuse

#endif // FUSE_LIB_RUNTIME_IMAGEFORMAT_H
