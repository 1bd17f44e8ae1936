//===- ImageFileTest.cpp - Images as bytes --------------------------------===//
//
// What was written is read; everything else is refused. The reader is fed with
// truncations, flipped bytes, noise, and malformed bytes whose checksum fits.
//
//===----------------------------------------------------------------------===//

#include "Checksum.h"
#include "TestImage.h"
#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace fuse;
using ::testing::HasSubstr;

namespace {

constexpr size_t headerBytes = 32;

class Random {
public:
  uint32_t operator()(uint32_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((state >> 33) % bound);
  }

private:
  uint64_t state = 1;
};

std::string errorOf(std::string_view bytes) {
  Result<Image> image = parseImage(bytes);
  EXPECT_FALSE(image);
  return image ? "" : image.error().message();
}

/// Makes length and checksum fit what is behind the header.
std::string sealed(std::string bytes) {
  uint64_t length = bytes.size();
  uint64_t sum = checksum(std::string_view(bytes).substr(headerBytes));
  std::memcpy(bytes.data() + 16, &length, 8);
  std::memcpy(bytes.data() + 24, &sum, 8);
  return bytes;
}

TEST(ChecksumTest, IsTheOneThatIsDescribed) {
  EXPECT_EQ(checksum(""), 0xEF46DB3751D8E999u);
  EXPECT_EQ(checksum("a"), 0xD24EC4F1A98C6E5Bu);
  EXPECT_EQ(checksum("abc"), 0x44BC2CF5AD770999u);
  EXPECT_EQ(checksum("Nobody inspects the spammish repetition"),
            0xFBCEA83C8A378BF1u);
}

TEST(ImageFileTest, WhatIsWrittenIsRead) {
  std::string bytes = serializeImage(makeTestImage());
  EXPECT_EQ(bytes, serializeImage(makeTestImage()));
  Result<Image> image = parseImage(bytes);
  ASSERT_TRUE(image) << image.error().message();
  EXPECT_EQ(serializeImage(*image), bytes);
  EXPECT_EQ(describe(*image), describe(makeTestImage()));
  EXPECT_EQ(loadAsDouble(ElementType::F32, image->constants[0].data(), 1), 1.5);
  EXPECT_EQ(image->kernels[0].parameters[0].map,
            makeTestImage().kernels[0].parameters[0].map);
  EXPECT_EQ(image->modules[0].cubins[0].code, "cubin for 90a");
  EXPECT_EQ(image->modules[0].cubins[0].toolkit, (CodeVersion{12, 4}));
}

TEST(ImageFileTest, AnEmptyImageIsOne) {
  std::string bytes = serializeImage(Image());
  EXPECT_TRUE(parseImage(bytes));
}

//===----------------------------------------------------------------------===//
// Bytes that are no Image
//===----------------------------------------------------------------------===//

TEST(ImageFileTest, HeadersAreChecked) {
  std::string bytes = serializeImage(makeTestImage());
  EXPECT_EQ(errorOf(""),
            "this is no image: it starts with other bytes than one");
  EXPECT_EQ(errorOf("\x7f"
                    "ELF and so on"),
            "this is no image: it starts with other bytes than one");
  EXPECT_EQ(errorOf(bytes.substr(0, 20)),
            "the image is truncated: found 20 bytes, needed 32");
  EXPECT_EQ(errorOf(bytes.substr(0, 100)),
            "the image is truncated: found 100 bytes, needed " +
                std::to_string(bytes.size()));
  EXPECT_EQ(errorOf(bytes + "x"), "the image has trailing bytes: found " +
                                      std::to_string(bytes.size() + 1) +
                                      " bytes, needed " +
                                      std::to_string(bytes.size()));
  std::string changed = bytes;
  changed[8] = imageFormatVersion + 1;
  std::string needed = ", needed " + std::to_string(imageFormatVersion) + ": ";
  EXPECT_EQ(errorOf(changed), "found version " +
                                  std::to_string(imageFormatVersion + 1) +
                                  " of the image format" + needed +
                                  "the image was made by a newer fuse");
  changed[8] = 0;
  EXPECT_EQ(errorOf(changed), "found version 0 of the image format" + needed +
                                  "compile the graph again");
  changed = bytes;
  changed[12] = 1;
  EXPECT_EQ(errorOf(changed),
            "the image is corrupt: its reserved bytes are not zero");
  changed = bytes;
  changed[50] ^= 1;
  EXPECT_EQ(errorOf(changed),
            "the image is corrupt: its checksum does not fit");
}

TEST(ImageFileTest, EveryTruncationIsRefused) {
  std::string bytes = serializeImage(makeTestImage());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(parseImage(std::string_view(bytes).substr(0, size)));
    // With a header that fits, it is the contents that end too early.
    if (size < headerBytes)
      continue;
    EXPECT_THAT(errorOf(sealed(bytes.substr(0, size))),
                HasSubstr("the image is malformed at byte"));
  }
}

TEST(ImageFileTest, EveryFlippedByteIsRefused) {
  std::string bytes = serializeImage(makeTestImage());
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int flip : {0x01, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      EXPECT_FALSE(parseImage(changed)) << i;
    }
}

/// Whatever is accepted is an Image that can be used, and no other than the one
/// that it looks like.
void expectRefusedOrSound(const std::string &bytes) {
  Result<Image> image = parseImage(bytes);
  if (!image) {
    EXPECT_EQ(image.error().message().find('\n'), std::string::npos);
    return;
  }
  EXPECT_EQ(serializeImage(*image), bytes);
  EXPECT_FALSE(describe(*image).empty());
}

TEST(ImageFileTest, ChangesWithAChecksumAreRefusedOrSound) {
  std::string bytes = serializeImage(makeTestImage());
  for (size_t i = headerBytes; i < bytes.size(); ++i)
    for (int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(value);
      expectRefusedOrSound(sealed(std::move(changed)));
    }
  Random random;
  for (int round = 0; round < 3000; ++round) {
    std::string changed = bytes;
    for (uint32_t count = 1 + random(6); count > 0; --count) {
      size_t at = headerBytes + random(changed.size() - headerBytes);
      if (random(4) == 0)
        changed.erase(at, 1 + random(8));
      else
        changed[at] = static_cast<char>(random(3) ? random(256) : 0xFF);
    }
    expectRefusedOrSound(sealed(std::move(changed)));
  }
}

TEST(ImageFileTest, NoiseIsRefused) {
  Random random;
  std::string header = serializeImage(Image()).substr(0, headerBytes);
  for (int round = 0; round < 3000; ++round) {
    std::string noise(random(300), '\0');
    for (char &byte : noise)
      byte = static_cast<char>(random(2) ? random(256) : random(3));
    EXPECT_FALSE(parseImage(noise));
    expectRefusedOrSound(sealed(header + noise));
  }
}

TEST(ImageFileTest, AbsurdCountsAllocateNothing) {
  std::string header = serializeImage(Image()).substr(0, headerBytes);
  auto number = [](uint64_t value, size_t size) {
    return std::string(reinterpret_cast<const char *>(&value), size);
  };
  // A producer of 2^60 bytes.
  EXPECT_EQ(errorOf(sealed(header + number(uint64_t(1) << 60, 8))),
            "the image is malformed at byte 40: 1152921504606846976 bytes are "
            "needed, but 0 are left");
  // Four billion modules.
  std::string empty = number(0, 8);
  EXPECT_EQ(
      errorOf(sealed(header + empty + empty + number(0, 4) + number(~0u, 4))),
      "the image is malformed at byte 56: 8 bytes are needed, but 0 are "
      "left");
  // A constant of 2^40 elements and 4 bytes.
  std::string lists = number(0, 4) + number(0, 4) + number(0, 4);
  std::string constant = number(1, 4) + number(uint64_t(ElementType::F32), 1) +
                         number(1, 4) + number(uint64_t(1) << 40, 8) +
                         number(4, 8) + "abcd";
  EXPECT_THAT(errorOf(sealed(header + empty + empty + lists + constant)),
              HasSubstr("a constant has 4 bytes, but needs 4398046511104"));
  std::string negative = number(1, 4) + number(uint64_t(ElementType::F32), 1) +
                         number(1, 4) + number(uint64_t(-1), 8) + number(4, 8) +
                         "abcd";
  EXPECT_THAT(errorOf(sealed(header + empty + empty + lists + negative)),
              HasSubstr("has the negative size -1"));
  EXPECT_THAT(errorOf(sealed(serializeImage(Image()) + "more")),
              HasSubstr("there are 4 bytes behind the end"));
}

/// Where a byte of two Images differs, which are as long.
size_t differenceOf(const Image &a, const Image &b) {
  std::string bytesOfA = serializeImage(a), bytesOfB = serializeImage(b);
  EXPECT_EQ(bytesOfA.size(), bytesOfB.size());
  size_t at = headerBytes;
  while (at < bytesOfA.size() && bytesOfA[at] == bytesOfB[at])
    ++at;
  return at;
}

TEST(ImageFileTest, TheFirstValueThatMeansNothingIsRefused) {
  Image image = makeTestImage(), other = makeTestImage();
  std::string bytes = serializeImage(image);
  other.kernels[0].waits = !image.kernels[0].waits;
  std::string changed = bytes;
  changed[differenceOf(image, other)] = 2;
  EXPECT_THAT(errorOf(sealed(changed)), HasSubstr("a truth value is 2"));
  other = makeTestImage();
  other.buffers[0].strides = ArgumentStrides::Any;
  changed = bytes;
  changed[differenceOf(image, other)] = 3;
  EXPECT_THAT(errorOf(sealed(changed)),
              HasSubstr("a kind is 3, but at most 2 is known"));
}

TEST(ImageFileTest, WhatMeansNothingIsRefusedThoughItCanBeRead) {
  Image image = makeTestImage();
  image.kernels[1].module = 7;
  EXPECT_EQ(errorOf(serializeImage(image)),
            "the image is malformed: kernel 1 'scale': it is in module 7, but "
            "there are 1");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

class ImageFile : public ::testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             ("fuse-image-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string path(const char *name) { return (folder / name).string(); }

  std::filesystem::path folder;
};

TEST_F(ImageFile, GoesThroughAFile) {
  Status status = writeImage(path("chain.fuse"), makeTestImage());
  ASSERT_TRUE(status) << status.error().message();
  Result<Image> image = readImage(path("chain.fuse"));
  ASSERT_TRUE(image) << image.error().message();
  EXPECT_EQ(serializeImage(*image), serializeImage(makeTestImage()));
}

TEST_F(ImageFile, WhatIsWrongLeavesTheOldFile) {
  ASSERT_TRUE(writeImage(path("chain.fuse"), makeTestImage()));
  Image image = makeTestImage();
  image.copies.clear();
  Status status = writeImage(path("chain.fuse"), image);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "'" + path("chain.fuse") +
                "': buffer 8 'same' is an output that nothing writes");
  EXPECT_TRUE(readImage(path("chain.fuse")));
}

TEST_F(ImageFile, FilesThatCannotBeReadAreNamed) {
  auto errorOfFile = [&](const char *name) {
    Result<Image> image = readImage(path(name));
    EXPECT_FALSE(image);
    return image ? "" : image.error().message();
  };
  EXPECT_EQ(errorOfFile("none"),
            "cannot open '" + path("none") + "': No such file or directory");
  EXPECT_EQ(errorOfFile("."), "'" + path(".") +
                                  "' is a directory, but a regular file is "
                                  "needed");
  std::ofstream(path("short")) << "\x89"
                                  "FUSE";
  // A file with a hole is as long as it says.
  std::ofstream(path("huge")) << "x";
  std::error_code failed;
  std::filesystem::resize_file(path("huge"), uintmax_t(1) << 43, failed);
  if (!failed) {
    EXPECT_THAT(errorOfFile("huge"), HasSubstr("' has 8.0 TiB, but "));
  }
  EXPECT_EQ(errorOfFile("short"),
            "'" + path("short") +
                "': the image is truncated: found 5 bytes, needed 32");
}

} // namespace
