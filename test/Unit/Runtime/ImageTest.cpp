//===- ImageTest.cpp - what a compiler leaves for a GPU -------------------===//
//
// What makes an Image wrong, and what makes arguments wrong for one.
//
//===----------------------------------------------------------------------===//

#include "TestImage.h"
#include <gmock/gmock.h>

#include <functional>

using namespace fuse;
using ::testing::HasSubstr;

namespace {

std::string errorAfter(const std::function<void(Image &)> &change) {
  Image image = makeTestImage();
  change(image);
  Status status = checkImage(image);
  EXPECT_FALSE(status);
  return status ? "" : status.error().message();
}

TEST(ImageTest, TheTestImageIsRight) {
  Image image = makeTestImage();
  Status status = checkImage(image);
  EXPECT_TRUE(status) << status.error().message();
  EXPECT_THAT(image.inputs(),
              ::testing::ElementsAre(test_image::x, test_image::y));
  EXPECT_THAT(image.outputs(),
              ::testing::ElementsAre(test_image::out, test_image::same));
  EXPECT_TRUE(checkImage(Image()));
}

//===----------------------------------------------------------------------===//
// What is wrong with an Image
//===----------------------------------------------------------------------===//

TEST(ImageTest, NamesOfArgumentsAreNoPaths) {
  EXPECT_EQ(errorAfter([](Image &image) { image.buffers[0].name = "../x"; }),
            "buffer 0 '../x': the name of an argument has to be letters, "
            "digits and '_'");
  EXPECT_THAT(errorAfter([](Image &image) {
                image.buffers[test_image::out].name = "";
              }),
              HasSubstr("letters, digits and '_'"));
  EXPECT_EQ(errorAfter([](Image &image) { image.scalars[0] = "a b"; }),
            "scalar 'a b': the name of an argument has to be letters, digits "
            "and '_'");
}

TEST(ImageTest, ModulesAreChecked) {
  EXPECT_EQ(errorAfter([](Image &image) { image.modules[0].ptx = ""; }),
            "module 'kernels' has no PTX, or a zero byte in it");
  EXPECT_THAT(errorAfter([](Image &image) { image.modules[0].ptx += '\0'; }),
              HasSubstr("a zero byte"));
  EXPECT_EQ(errorAfter([](Image &image) {
              image.modules[0].chip.features = ChipFeatures::Portable;
            }),
            "module 'kernels': its PTX has '.target sm_90a', but the module "
            "says sm_90");
  EXPECT_EQ(
      errorAfter([](Image &image) { image.modules[0].ptxVersion = {8, 1}; }),
      "module 'kernels': its PTX has '.version 8.0', but the module says "
      "8.1");
  EXPECT_EQ(errorAfter([](Image &image) { image.modules[0].ptx = "ret;"; }),
            "module 'kernels': its PTX has '.target ', but the module says "
            "sm_90a");
  EXPECT_EQ(
      errorAfter([](Image &image) { image.modules[0].cubins[0].code.clear(); }),
      "module 'kernels' has a cubin that is empty or for no chip");
}

TEST(ImageTest, FillsAreChecked) {
  Image image = makeTestImage();
  image.buffers[test_image::x].fill = "normal:0:0.02";
  EXPECT_TRUE(checkImage(image));
  EXPECT_EQ(
      errorAfter([](Image &image) {
        image.buffers[test_image::x].fill = "integers:1";
      }),
      "buffer 0 'x': 'integers:1' needs two numbers behind its kind, as in "
      "uniform:-1:1");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.buffers[test_image::out].fill = "1";
            }),
            "buffer 7 'out': it is to be filled with 1, but only inputs are");
}

TEST(ImageTest, BuffersAreChecked) {
  EXPECT_EQ(errorAfter([](Image &image) { image.buffers[1].number = 0; }),
            "buffer 1 is input 0, but each number below 2 is needed once");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.buffers[test_image::same].number = 7;
            }),
            "buffer 8 is output 7, but each number below 2 is needed once");
  EXPECT_EQ(errorAfter([](Image &image) { image.constants.clear(); }),
            "there are 0 constants for 1 buffers");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.buffers[test_image::bias].shape = {63};
            }),
            "buffer 2 'bias': the data are 64 of f32, but the buffer is 63 of "
            "f32");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.buffers[0].shape[1] = SizeExpression::size(1, 1);
            }),
            "buffer 0 'x': 'in1.size(1)' asks for a size that no input has");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.buffers[3].shape[0] = SizeExpression::scalar(1);
            }),
            "buffer 3 'a': 'scalar1' asks for a scalar, but there are 1");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.buffers[test_image::out].shape[0] =
                  SizeExpression::multiprocessors();
            }),
            "buffer 7 'out': 'multiprocessors' depends on the device, which "
            "only launches on a GPU may");
  EXPECT_EQ(errorAfter([](Image &image) { image.buffers[0].shape[1] = -1; }),
            "buffer 0 'x': the size -1 is negative");
  for (uint32_t alignment : {0u, 2u, 12u, 512u})
    EXPECT_EQ(errorAfter([&](Image &image) {
                image.buffers[0].alignment = alignment;
              }),
              "buffer 0 'x': the alignment is " + std::to_string(alignment) +
                  ", but a power of two from the size of an element to 256 is "
                  "needed");
}

TEST(ImageTest, KernelsAreChecked) {
  EXPECT_EQ(errorAfter([](Image &image) { image.kernels[1].symbol = ""; }),
            "kernel 1 '': the symbol is empty or has a zero byte in it");
  EXPECT_EQ(errorAfter([](Image &image) { image.kernels[1].module = 1; }),
            "kernel 1 'scale': it is in module 1, but there are 1");
  EXPECT_EQ(errorAfter([](Image &image) { image.kernels[1].threads[2] = 9; }),
            "kernel 1 'scale': a block has 1152 threads, but 1 to 1024 are "
            "needed");
  EXPECT_THAT(errorAfter([](Image &image) { image.kernels[1].threads[0] = 0; }),
              HasSubstr("a block has 0 threads"));
  EXPECT_THAT(errorAfter([](Image &image) {
                image.kernels[1].threads = {1u << 31, 2, 1};
              }),
              HasSubstr("but 1 to 1024"));
  EXPECT_EQ(errorAfter([](Image &image) { image.kernels[1].cluster[0] = 32; }),
            "kernel 1 'scale': a cluster has 32 blocks, but 1 to 16 are "
            "needed");
  EXPECT_EQ(errorAfter([](Image &image) { image.kernels[1].grid.clear(); }),
            "kernel 1 'scale': the grid has 0 dimensions, but 1 to 3 are "
            "needed");
  EXPECT_THAT(errorAfter([](Image &image) {
                image.kernels[1].grid = {SizeExpression::size(5, 0)};
              }),
              HasSubstr("asks for a size that no input has"));
  EXPECT_EQ(errorAfter([](Image &image) {
              image.kernels[1].parameters[0].buffer = 99;
            }),
            "kernel 1 'scale': parameter 0: a parameter is buffer 99, but "
            "there are 9");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.kernels[1].parameters[1].isWritten = true;
            }),
            "kernel 1 'scale': parameter 1: buffer 2 'bias' is written, but is "
            "an input or constant");
  EXPECT_THAT(errorAfter([](Image &image) {
                image.kernels[0].parameters[0].map.box[0] = 0;
              }),
              HasSubstr("parameter 0: a tensor map has the box size 0"));
  EXPECT_THAT(errorAfter([](Image &image) {
                image.kernels[0].parameters[0].map.strides[0] =
                    SizeExpression::scalar(9);
              }),
              HasSubstr("asks for a scalar"));
}

TEST(ImageTest, StridesAreThoseOfArguments) {
  std::string only = ", but only inputs and outputs have strides, one for each "
                     "dimension";
  EXPECT_EQ(errorAfter([](Image &image) {
              image.kernels[1].parameters[3] =
                  KernelParameter::stride(test_image::a, 0);
            }),
            "kernel 1 'scale': parameter 3: it is stride 0 of buffer 3" + only);
  EXPECT_EQ(errorAfter([](Image &image) {
              image.kernels[1].parameters[3] =
                  KernelParameter::stride(test_image::y, 1);
            }),
            "kernel 1 'scale': parameter 3: it is stride 1 of buffer 1" + only);
  EXPECT_EQ(errorAfter([](Image &image) {
              TensorMap &map = image.kernels[0].parameters[0].map;
              map.hasArgumentStrides = true;
            }),
            "kernel 0 'scale_tma': parameter 0: a tensor map has the strides "
            "of an argument, and so needs none of its own and no offset");
  EXPECT_EQ(errorAfter([](Image &image) {
              TensorMap &map = image.kernels[0].parameters[0].map;
              map.hasArgumentStrides = true;
              map.strides.clear();
              map.buffer = test_image::bias;
            }),
            "kernel 0 'scale_tma': parameter 0: a tensor map has the strides "
            "of buffer 2 'bias', which is no input or output of its "
            "dimensions and elements");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.buffers[test_image::b].strides = ArgumentStrides::Rows;
            }),
            "buffer 4 'b': it may have gaps, but only inputs and outputs may");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.buffers[test_image::x].strides = ArgumentStrides::Any;
            }),
            "buffer 0 'x' may have gaps, but is copied as a whole");
}

TEST(ImageTest, TheOrderOfLaunchesIsChecked) {
  EXPECT_EQ(errorAfter([](Image &image) {
              std::swap(image.launches[1], image.launches[2]);
            }),
            "launch 1 'shift again': buffer 4 'b' is read before it is "
            "written");
  EXPECT_EQ(
      errorAfter([](Image &image) { image.launches[0].variants.clear(); }),
      "launch 0 'scale': there is no variant");
  EXPECT_EQ(errorAfter(
                [](Image &image) { image.launches[0].variants[1].kernel = 5; }),
            "launch 0 'scale': a variant is kernel 5, but there are 5");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.launches[0].variants[0].guard[0].rhs = 12;
            }),
            "launch 0 'scale': a guard needs an alignment to '12' bytes, but a "
            "power of two is needed");
  EXPECT_THAT(errorAfter([](Image &image) {
                image.launches[0].variants[0].guard[0].buffer = 12;
              }),
              HasSubstr("a guard is about buffer 12"));
  EXPECT_EQ(errorAfter([](Image &image) {
              image.launches[3].variants.push_back({2, {}, ""});
            }),
            "launch 3 'finish': buffer 7 'out' is written by some variants "
            "only");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.requirements.push_back({Condition::aligned(0, 16), "no"});
            }),
            "a requirement is about where a buffer lies, but only guards of "
            "variants can be");
  EXPECT_THAT(errorAfter([](Image &image) {
                image.launches[0].variants[0].guard[0] =
                    Condition::contiguous(12);
              }),
              HasSubstr("a guard is about buffer 12"));
  EXPECT_THAT(errorAfter([](Image &image) {
                image.launches[0].variants[0].guard[0] = Condition::rows(0, 6);
              }),
              HasSubstr("an alignment to '6' bytes"));
  EXPECT_THAT(
      errorAfter([](Image &image) {
        image.requirements.push_back(
            {Condition::equal(SizeExpression::multiprocessors(), 1), "no"});
      }),
      HasSubstr("depends on the device"));
}

TEST(ImageTest, CopiesAreChecked) {
  EXPECT_EQ(errorAfter([](Image &image) { image.copies.clear(); }),
            "buffer 8 'same' is an output that nothing writes");
  EXPECT_EQ(errorAfter([](Image &image) { image.copies[0].from = 99; }),
            "a copy is of a buffer that is not there");
  EXPECT_EQ(
      errorAfter([](Image &image) { image.copies[0].from = test_image::c; }),
      "buffer 5 'c' is copied, but is no input, no constant and no "
      "output that a launch writes");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.copies.push_back({test_image::x, test_image::out});
            }),
            "buffer 7 'out' is copied to, but is no output, or is written "
            "already");
  EXPECT_THAT(
      errorAfter([](Image &image) { image.copies.push_back(image.copies[0]); }),
      HasSubstr("or is written already"));
  EXPECT_EQ(errorAfter([](Image &image) {
              image.buffers[test_image::same].type = ElementType::I32;
            }),
            "buffer 0 'x' is copied to buffer 8 'same', whose elements are of "
            "another type");
}

TEST(ImageTest, TheFirstThatIsNotThereIsRefused) {
  EXPECT_EQ(
      errorAfter([](Image &image) { image.modules[0].cubins[0].chip = {}; }),
      "module 'kernels' has a cubin that is empty or for no chip");
  EXPECT_EQ(errorAfter([](Image &image) {
              image.kernels[1].parameters[0].buffer = 9;
            }),
            "kernel 1 'scale': parameter 0: a parameter is buffer 9, but "
            "there are 9");
  EXPECT_THAT(errorAfter([](Image &image) {
                image.launches[0].variants[0].guard[0] =
                    Condition::contiguous(9);
              }),
              HasSubstr("a guard is about buffer 9, but there are 9"));
  EXPECT_EQ(errorAfter([](Image &image) { image.copies[0].output = 9; }),
            "a copy is of a buffer that is not there");
  EXPECT_THAT(
      errorAfter([](Image &image) { image.kernels[1].threads = {1025, 1, 1}; }),
      HasSubstr("a block has 1025 threads"));
  EXPECT_THAT(
      errorAfter([](Image &image) { image.kernels[1].cluster = {17, 1, 1}; }),
      HasSubstr("a cluster has 17 blocks"));
  EXPECT_THAT(
      errorAfter([](Image &image) { image.kernels[1].grid = {1, 1, 1, 1}; }),
      HasSubstr("the grid has 4 dimensions"));
}

TEST(ImageTest, EveryExpressionIsChecked) {
  EXPECT_THAT(errorAfter([](Image &image) {
                image.kernels[1].parameters[3].value =
                    SizeExpression::scalar(1);
              }),
              HasSubstr("asks for a scalar, but there are 1"));
  EXPECT_THAT(errorAfter([](Image &image) {
                image.kernels[0].parameters[0].map.offset =
                    SizeExpression::scalar(1);
              }),
              HasSubstr("asks for a scalar, but there are 1"));
  EXPECT_THAT(errorAfter([](Image &image) {
                image.launches[0].dotFlops = SizeExpression::multiprocessors();
              }),
              HasSubstr("depends on the device"));
}

TEST(ImageTest, StridesOfATensorMapFitItsArgument) {
  std::string wrong = "which is no input or output of its dimensions and "
                      "elements";
  EXPECT_THAT(errorAfter([](Image &image) {
                TensorMap &map = image.kernels[0].parameters[0].map;
                map.hasArgumentStrides = true;
                map.strides.clear();
                map.sizes = {64};
                map.box = {32};
                map.elementStrides = {1};
              }),
              HasSubstr(wrong));
  EXPECT_THAT(errorAfter([](Image &image) {
                TensorMap &map = image.kernels[0].parameters[0].map;
                map.hasArgumentStrides = true;
                map.strides.clear();
                map.type = TensorMapType::F16;
              }),
              HasSubstr(wrong));
}

TEST(ImageTest, OutputsAreWrittenBeforeTheyAreRead) {
  EXPECT_EQ(errorAfter([](Image &image) {
              image.kernels[1].parameters[0] =
                  KernelParameter::pointer(test_image::out);
            }),
            "launch 0 'scale': buffer 7 'out' is read before it is written");
  // What is copied to is not there before the copy.
  EXPECT_EQ(errorAfter([](Image &image) {
              image.copies.push_back({test_image::same, test_image::out});
            }),
            "buffer 8 'same' is copied, but is no input, no constant and no "
            "output that a launch writes");
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

std::string bindError(const Image &image, std::vector<HostBuffer> inputs,
                      std::vector<int64_t> scalars = {3}) {
  std::vector<const HostBuffer *> pointers;
  for (const HostBuffer &input : inputs)
    pointers.push_back(&input);
  Result<SizeBindings> bound = bindSizes(image, pointers, scalars);
  EXPECT_FALSE(bound);
  return bound ? "" : bound.error().message();
}

template <class... Buffers> std::vector<HostBuffer> list(Buffers... buffers) {
  std::vector<HostBuffer> result;
  (result.push_back(std::move(buffers)), ...);
  return result;
}

TEST(ImageTest, ArgumentsAreBound) {
  Image image = makeTestImage();
  for (int64_t n : {0, 1, 13}) {
    HostBuffer x = makeBuffer({n, 64}), y = makeBuffer({n});
    const HostBuffer *inputs[] = {&x, &y};
    int64_t scalars[] = {3};
    Result<SizeBindings> bound = bindSizes(image, inputs, scalars);
    ASSERT_TRUE(bound) << bound.error().message();
    EXPECT_EQ(bound->shapes[0][0], n);
    EXPECT_EQ(bound->scalars[0], 3);
  }
}

TEST(ImageTest, WrongArgumentsAreRefused) {
  Image image = makeTestImage();
  EXPECT_EQ(bindError(image, list(makeBuffer({2, 64}))),
            "'chain' takes 2 inputs, but 1 were given");
  EXPECT_EQ(bindError(image, list(makeBuffer({2, 64}), makeBuffer({2})), {}),
            "'chain' takes 1 scalars, but 0 were given");
  EXPECT_EQ(bindError(image, list(makeBuffer({2, 63}), makeBuffer({2}))),
            "input 0 'x' has the shape 2x63, but its size 1 has to be 64");
  EXPECT_EQ(bindError(image, list(makeBuffer({2, 64}), makeBuffer({3}))),
            "input 1 'y' has the shape 3, but its size 0 has to be 2 "
            "(in0.size(0))");
  EXPECT_EQ(bindError(image, list(makeBuffer({64}), makeBuffer({1}))),
            "input 0 'x' has the shape 64, but in0.size(0)x64 is needed");
  EXPECT_EQ(bindError(image, list(makeBuffer({2, 64}), makeBuffer({2})), {0}),
            "the number of steps is positive: needed is 1 <= scalar0, but "
            "scalar0 is 0");
  image.buffers[1].type = ElementType::BF16;
  EXPECT_EQ(bindError(image, list(makeBuffer({2, 64}), makeBuffer({2}))),
            "input 1 'y' has elements of f32, but bf16 is needed");
  SizeBindings negative = {{{-1, 64}, {-1}}, {1}, 0};
  Status status = checkBindings(image, negative);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("has the negative size -1"));
}

TEST(ImageTest, ConditionsHoldOrNot) {
  SizeBindings bindings = {{{12}}, {}, 0};
  SizeExpression n = SizeExpression::size(0, 0);
  EXPECT_TRUE(*holds(Condition::divisible(n, 4), bindings));
  EXPECT_FALSE(*holds(Condition::divisible(n, 8), bindings));
  EXPECT_FALSE(*holds(Condition::divisible(n, 0), bindings));
  EXPECT_TRUE(*holds(
      Condition::divisible(std::numeric_limits<int64_t>::min(), -1), bindings));
  EXPECT_TRUE(*holds(Condition::equal(n, 12), bindings));
  EXPECT_FALSE(*holds(Condition::equal(n, 13), bindings));
  EXPECT_TRUE(*holds(Condition::lessEqual(n, 12), bindings));
  EXPECT_FALSE(*holds(Condition::lessEqual(n, 11), bindings));
  EXPECT_FALSE(holds(Condition::equal(1, SizeExpression::scalar(0)), bindings));
}

TEST(ImageTest, TextsDoNothingToATerminal) {
  Image image = makeTestImage();
  image.name = "a\x1b[31m\x7f\tb";
  EXPECT_THAT(describe(image), HasSubstr("image 'a?[31m?\tb' by"));
  EXPECT_EQ(printable("\xc2\x9b"
                      "1m \xc3\x9b \xc2"),
            "?1m \xc3\x9b \xc2");
  // Nor does what an error says.
  image = makeTestImage();
  image.buffers[0].name = "\x1b]0;x";
  EXPECT_THAT(parseImage(serializeImage(image)).error().message(),
              HasSubstr("'?]0;x'"));
}

TEST(ImageTest, ThePlanCanBeRead) {
  std::string text = describe(makeTestImage());
  for (const char *line :
       {"image 'chain' by a test\n",
        "module 'kernels': PTX 8.0 for sm_90a (28 bytes), cubin for sm_90a (13 "
        "bytes, "
        "by ptxas 12.4)\n",
        "%3 'a': intermediate, in0.size(0)x64 of f32\n",
        "%0 'x': input, in0.size(0)x64 of f32, aligned to 4 bytes\n",
        "scalar0: 'steps'\n",
        "needed: 1 <= scalar0 (the number of steps is positive)\n",
        "launch 0 'scale'\n  scale_tma (TMA) if %0 'x' aligned to 16 bytes and "
        "in0.size(0) divisible by 4\n    grid [ceildiv(in0.size(0), 8) * 2, 1, "
        "1], threads 128x1x1, cluster 2x1x1, 97.7 KiB shared, from "
        "model.mlir:12:8\n    map of %0 'x': f32 [64, in0.size(0)], strides "
        "[256], box 32x8, swizzle 128\n",
        "    %3 'a' (written)\n    i32 in0.size(0)\n",
        "sm_90a: 168 registers, 0 bytes spilled",
        "warning: something about wgmma\n", "copy %0 'x' to %8 'same'\n"})
    EXPECT_THAT(text, HasSubstr(line));
}

} // namespace
