//===- HandlesTest.cpp - handles, versions and images for C ---------------===//
//
// What a handle is told that means nothing, or not any more.
//
//===----------------------------------------------------------------------===//

#include "CTest.h"

#include <atomic>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace fuse;

namespace {

TEST(CHandles, VersionsAreCompared) {
  EXPECT_EQ(fuse_abi_version(), uint32_t(FUSE_ABI_VERSION));
  EXPECT_EQ(fuse_check_abi(FUSE_ABI_VERSION), FUSE_OK);
  EXPECT_FAILS(FUSE_UNSUPPORTED, fuse_check_abi(FUSE_ABI_VERSION + 1),
               "the program was built for version 2 of fuse's C interface, but "
               "the library has version 1");
}

TEST(CHandles, WhatIsClosedIsNotUsed) {
  FuseImage image = parse(makeTestImage());
  const char *name = nullptr;
  EXPECT_EQ(fuse_image_name(image, &name), FUSE_OK);
  EXPECT_STREQ(name, "chain");
  EXPECT_EQ(fuse_image_destroy(image), FUSE_OK);
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_image_name(image, &name),
               "an image is needed, but what was given is closed");
  EXPECT_EQ(name, nullptr);
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_image_destroy(image),
               "an image is needed, but what was given is closed");
  // Whoever comes into its place is somebody else.
  FuseImage other = parse(makeTestImage());
  EXPECT_NE(image, other);
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_image_destroy(image),
               "an image is needed, but what was given is closed");
  EXPECT_EQ(fuse_image_destroy(other), FUSE_OK);
}

TEST(CHandles, WhatIsNoHandleIsNotUsed) {
  size_t count = 0;
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_image_count(nullptr, FUSE_INPUT, &count),
               "an image is needed, but NULL was given");
  int64_t strange = 7;
  EXPECT_FAILS(FUSE_BAD_USAGE,
               fuse_image_count(reinterpret_cast<FuseImage>(&strange),
                                FUSE_INPUT, &count),
               "an image is needed, but what was given is no handle of fuse");
  FuseImage image = parse(makeTestImage());
  EXPECT_FAILS(FUSE_BAD_USAGE,
               fuse_device_destroy(reinterpret_cast<FuseDevice>(image)),
               "a device is needed, but an image was given");
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_image_count(image, FUSE_INPUT, nullptr),
               "a place for the count is needed, but NULL was given");
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_image_count(image, 17, &count),
               "17 is no kind of arguments");
  EXPECT_EQ(fuse_image_destroy(image), FUSE_OK);
}

TEST(CHandles, ManyAreToldApart) {
  std::vector<FuseImage> images;
  for (int i = 0; i < 2500; ++i) {
    Image image = makeTestImage();
    image.name = "image" + std::to_string(i);
    images.push_back(parse(image));
  }
  for (size_t i = 0; i < images.size(); ++i) {
    const char *name = nullptr;
    ASSERT_EQ(fuse_image_name(images[i], &name), FUSE_OK);
    EXPECT_EQ(name, "image" + std::to_string(i));
    EXPECT_EQ(fuse_image_destroy(images[i]), FUSE_OK);
  }
}

TEST(CHandles, EachThreadHasItsError) {
  EXPECT_EQ(fuse_image_destroy(nullptr), FUSE_BAD_USAGE);
  std::thread other([] {
    EXPECT_STREQ(fuse_last_error(), "");
    EXPECT_EQ(fuse_fail(FUSE_DEVICE, "something else"), FUSE_DEVICE);
    EXPECT_STREQ(fuse_last_error(), "something else");
  });
  other.join();
  EXPECT_STREQ(fuse_last_error(), "an image is needed, but NULL was given");
}

TEST(CHandles, SixteenThreadsMakeAndCloseThem) {
  std::string bytes = serializeImage(makeTestImage());
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&bytes] {
      for (int round = 0; round < 100; ++round) {
        FuseImage image = nullptr;
        ASSERT_EQ(fuse_image_parse(bytes.data(), bytes.size(), &image),
                  FUSE_OK);
        size_t count = 0;
        EXPECT_EQ(fuse_image_count(image, FUSE_INPUT, &count), FUSE_OK);
        EXPECT_EQ(count, 2u);
        EXPECT_EQ(fuse_image_destroy(image), FUSE_OK);
        EXPECT_EQ(fuse_image_destroy(image), FUSE_BAD_USAGE);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

// The lock of the table was copied as it was, and nobody was left to open it.
TEST(CHandles, ForksWhileAnotherThreadMakesThem) {
  std::atomic<bool> isOver = false;
  std::thread other([&] {
    while (!isOver) {
      FuseDevice device = nullptr;
      EXPECT_EQ(fuse_device_open(FUSE_CPU, 1, &device), FUSE_OK);
      EXPECT_EQ(fuse_device_destroy(device), FUSE_OK);
    }
  });
  for (int i = 0; i < 200; ++i) {
    pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      FuseDevice device = nullptr;
      ::_exit(fuse_device_open(FUSE_CPU, 1, &device) == FUSE_OK ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    bool isRight = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    EXPECT_TRUE(isRight) << "child " << i;
    // Each that hangs takes 20 seconds.
    if (!isRight)
      break;
  }
  isOver = true;
  other.join();
}

TEST(CImages, SayWhatTheyAre) {
  FuseImage image = parse(makeTestImage());
  FuseArgument argument = {};
  EXPECT_FAILS(FUSE_BAD_USAGE,
               fuse_image_argument(image, FUSE_INPUT, 0, &argument),
               "struct_bytes of the argument is 0, but sizeof(FuseArgument)");
  argument.struct_bytes = sizeof(argument);
  ASSERT_EQ(fuse_image_argument(image, FUSE_INPUT, 0, &argument), FUSE_OK);
  EXPECT_STREQ(argument.name, "x");
  ASSERT_EQ(argument.rank, 2);
  EXPECT_EQ(argument.shape[0], -1);
  EXPECT_EQ(argument.shape[1], 64);
  EXPECT_EQ(argument.type, FUSE_F32);
  EXPECT_EQ(argument.alignment, 4u);
  ASSERT_EQ(fuse_image_argument(image, FUSE_SCALAR, 0, &argument), FUSE_OK);
  EXPECT_STREQ(argument.name, "steps");
  EXPECT_FAILS(FUSE_BAD_USAGE,
               fuse_image_argument(image, FUSE_OUTPUT_ARGUMENT, 2, &argument),
               "argument 2 was asked for, but there are 2 of its kind");
  const char *made = nullptr;
  ASSERT_EQ(fuse_image_size(image, FUSE_OUTPUT_ARGUMENT, 0, 0, &made), FUSE_OK);
  EXPECT_STREQ(made, "in0.size(0)");
  ASSERT_EQ(fuse_image_size(image, FUSE_INPUT, 0, 1, &made), FUSE_OK);
  EXPECT_STREQ(made, "64");
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_image_size(image, FUSE_INPUT, 0, 2, &made),
               "size 2 was asked for, but there are 2");
  EXPECT_EQ(made, nullptr);
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_image_size(image, FUSE_SCALAR, 0, 0, &made),
               "size 0 was asked for, but there are 0");
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_image_size(image, FUSE_INPUT, 2, 0, &made),
               "argument 2 was asked for, but there are 2 of its kind");
  EXPECT_FAILS(FUSE_BAD_USAGE,
               fuse_image_size(image, FUSE_INPUT, 0, 0, nullptr),
               "a place for the size is needed, but NULL was given");
  int32_t answer = 0;
  EXPECT_EQ(fuse_image_has_code(image, FUSE_CUDA, &answer), FUSE_OK);
  EXPECT_EQ(answer, 1);
  EXPECT_EQ(fuse_image_has_code(image, FUSE_CPU, &answer), FUSE_OK);
  EXPECT_EQ(answer, 0);

  size_t size = 0;
  ASSERT_EQ(fuse_image_describe(image, nullptr, 0, &size), FUSE_OK);
  std::string text(size, 'x');
  ASSERT_EQ(fuse_image_describe(image, text.data(), size, &size), FUSE_OK);
  EXPECT_EQ(text.back(), '\0');
  EXPECT_THAT(text, ::testing::HasSubstr("image 'chain' by a test"));
  ASSERT_EQ(fuse_image_serialize(image, nullptr, 0, &size), FUSE_OK);
  std::string bytes(size, 'x');
  ASSERT_EQ(fuse_image_serialize(image, bytes.data(), size, &size), FUSE_OK);
  EXPECT_EQ(bytes, serializeImage(makeTestImage()));
  EXPECT_EQ(fuse_image_destroy(image), FUSE_OK);
}

TEST(CImages, SayWhatTheCompilerSaid) {
  std::string bytes = serializeImage(makeTestImage());
  FuseImage image = nullptr;
  ASSERT_EQ(fuse_image_parse(bytes.data(), bytes.size(), &image), FUSE_OK);
  size_t count = 0;
  ASSERT_EQ(fuse_image_count_diagnostics(image, &count), FUSE_OK);
  EXPECT_EQ(count, 1u);
  const char *text = nullptr;
  ASSERT_EQ(fuse_image_diagnostic(image, 0, &text), FUSE_OK);
  EXPECT_STREQ(text, "a.mlir:1:2: warning: this is a test");
  EXPECT_EQ(fuse_image_diagnostic(image, 1, &text), FUSE_BAD_USAGE);
  EXPECT_EQ(text, nullptr);
  EXPECT_STREQ(fuse_last_error(),
               "diagnostic 1 was asked for, but there are 1");
  EXPECT_EQ(fuse_image_destroy(image), FUSE_OK);
}

TEST(CImages, ThatAreNoneAreRefused) {
  FuseImage image = reinterpret_cast<FuseImage>(1);
  EXPECT_FAILS(FUSE_BAD_INPUT, fuse_image_parse("nothing", 7, &image),
               "this is no image: it starts with other bytes than one");
  EXPECT_EQ(image, nullptr);
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_image_parse(nullptr, 7, &image),
               "the image's bytes is needed, but NULL was given");
  EXPECT_FAILS(FUSE_BAD_INPUT, fuse_image_read("/no/such/file", &image),
               "cannot open '/no/such/file': No such file or directory");
  EXPECT_FAILS(FUSE_BAD_USAGE, fuse_image_read(nullptr, &image),
               "a path is needed, but NULL was given");
  image = parse(makeTestImage());
  EXPECT_FAILS(FUSE_OUTPUT, fuse_image_write(image, "/no/such/file"),
               "cannot write '/no/such/file'");
  EXPECT_EQ(fuse_image_destroy(image), FUSE_OK);
}

TEST(CTypes, AreThoseOfMLIR) {
  EXPECT_STREQ(fuse_type_name(FUSE_BF16), "bf16");
  EXPECT_EQ(fuse_type_bytes(FUSE_F8E4M3FN), 1u);
  EXPECT_EQ(fuse_type_name(99), nullptr);
  EXPECT_EQ(fuse_type_bytes(-1), 0u);
}

} // namespace
