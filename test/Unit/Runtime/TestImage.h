//===- TestImage.h - an Image with one of everything ------------*- C++ -*-===//
//
// What tests of Images start from. Two inputs, x of n x 64 and y of n, a
// number, a constant, and a chain of kernels with intermediates between them:
//
//   x -> scale (2 variants) -> a -> shift -> b -> shift -> c -> finish -> out
//   x -> copy -> same
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_UNIT_RUNTIME_TESTIMAGE_H
#define FUSE_TEST_UNIT_RUNTIME_TESTIMAGE_H

#include "fuse/Runtime/Image.h"
#include <gtest/gtest.h>

namespace fuse {

/// Numbers of buffers.
namespace test_image {
enum : uint32_t { x, y, bias, a, b, c, counters, out, same };
} // namespace test_image

inline HostBuffer makeBuffer(std::vector<int64_t> shape,
                             std::vector<float> values = {}) {
  Result<HostBuffer> buffer =
      HostBuffer::allocate(ElementType::F32, std::move(shape));
  EXPECT_TRUE(buffer);
  for (size_t i = 0; i < buffer->elementCount(); ++i)
    storeDouble(ElementType::F32, buffer->data(), i,
                values.empty() ? double(i) : values[i % values.size()]);
  return std::move(*buffer);
}

inline ImageBuffer makeImageBuffer(ImageBuffer::Kind kind, uint32_t number,
                                   std::string name,
                                   std::vector<SizeExpression> shape,
                                   uint32_t alignment = 4) {
  ImageBuffer buffer;
  buffer.kind = kind;
  buffer.number = number;
  buffer.name = std::move(name);
  buffer.shape = std::move(shape);
  buffer.alignment = alignment;
  return buffer;
}

inline ImageKernel makeKernel(std::string symbol,
                              std::vector<KernelParameter> parameters,
                              std::vector<SizeExpression> grid) {
  ImageKernel kernel;
  kernel.symbol = std::move(symbol);
  kernel.location = "model.mlir:12:8";
  kernel.parameters = std::move(parameters);
  kernel.threads = {128, 1, 1};
  kernel.grid = std::move(grid);
  return kernel;
}

inline Image makeTestImage() {
  using Kind = ImageBuffer::Kind;
  using Parameter = KernelParameter;
  Image image;
  image.producer = "a test";
  image.name = "chain";
  image.diagnostics = {"a.mlir:1:2: warning: this is a test"};
  SizeExpression n = SizeExpression::size(0, 0);

  ImageModule &module = image.modules.emplace_back();
  module.name = "kernels";
  module.ptx = ".version 8.0\n.target sm_90a\n";
  module.chip = {9, 0, ChipFeatures::Specific};
  module.ptxVersion = {8, 0};
  module.cubins.push_back(
      {{9, 0, ChipFeatures::Specific}, {12, 4}, "cubin for 90a"});

  image.buffers = {
      makeImageBuffer(Kind::Input, 0, "x", {n, 64}, 4),
      makeImageBuffer(Kind::Input, 1, "y", {n}, 4),
      makeImageBuffer(Kind::Constant, 0, "bias", {64}),
      makeImageBuffer(Kind::Intermediate, 0, "a", {n, 64}),
      makeImageBuffer(Kind::Intermediate, 0, "b", {n, 64}),
      makeImageBuffer(Kind::Intermediate, 0, "c", {n, 64}),
      makeImageBuffer(Kind::Counters, 0, "arrivals", {4}),
      makeImageBuffer(Kind::Output, 0, "out", {n, 64}, 16),
      makeImageBuffer(Kind::Output, 1, "same", {n, 64}),
  };
  image.buffers[test_image::counters].type = ElementType::I32;
  image.constants.push_back(makeBuffer({64}, {0.5f, 1.5f}));
  image.scalars = {"steps"};
  image.requirements.push_back(
      {Condition::lessEqual(1, SizeExpression::scalar(0)),
       "the number of steps is positive"});

  TensorMap map;
  map.buffer = test_image::x;
  map.type = TensorMapType::F32;
  map.sizes = {64, n};
  map.strides = {256};
  map.box = {32, 8};
  map.elementStrides = {1, 1};
  map.swizzle = TensorMapSwizzle::Bytes128;
  map.promotion = TensorMapPromotion::Bytes256;
  image.kernels = {
      makeKernel("scale_tma",
                 {Parameter::tensorMap(map),
                  Parameter::pointer(test_image::bias),
                  Parameter::pointer(test_image::a, /*isWritten=*/true),
                  Parameter::scalar32(n)},
                 {ceilDiv(n, 8) * 2, 1, 1}),
      makeKernel("scale",
                 {Parameter::pointer(test_image::x),
                  Parameter::pointer(test_image::bias),
                  Parameter::pointer(test_image::a, /*isWritten=*/true),
                  Parameter::scalar64(n)},
                 {n}),
      makeKernel("shift",
                 {Parameter::pointer(test_image::a),
                  Parameter::pointer(test_image::b, true),
                  Parameter::scalar64(SizeExpression::scalar(0)),
                  Parameter::scalar64(n)},
                 {min(n, SizeExpression::multiprocessors())}),
      makeKernel("shift",
                 {Parameter::pointer(test_image::b),
                  Parameter::pointer(test_image::c, true),
                  Parameter::scalar64(SizeExpression::scalar(0)),
                  Parameter::scalar64(n)},
                 {min(n, SizeExpression::multiprocessors())}),
      makeKernel("finish",
                 {Parameter::pointer(test_image::c),
                  Parameter::pointer(test_image::y),
                  Parameter::pointer(test_image::counters, true),
                  Parameter::pointer(test_image::out, true)},
                 {1, n}),
  };
  image.kernels[0].cluster = {2, 1, 1};
  image.kernels[0].dynamicSharedBytes = 100000;
  KernelReport report;
  report.chip = {9, 0, ChipFeatures::Specific};
  report.registers = 168;
  report.warnings = {"something about wgmma"};
  image.kernels[0].reports.push_back(report);

  image.launches = {
      {"scale",
       {{0,
         {Condition::aligned(test_image::x, 16), Condition::divisible(n, 4)},
         "TMA"},
        {1, {}, "any size"}}},
      {"shift", {{2, {}, ""}}},
      {"shift again", {{3, {}, ""}}},
      {"finish", {{4, {}, ""}}},
  };
  image.copies = {{test_image::x, test_image::same}};
  return image;
}

} // namespace fuse

#endif // FUSE_TEST_UNIT_RUNTIME_TESTIMAGE_H
