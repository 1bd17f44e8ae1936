//===- BufferTest.cpp - arrays in the host's memory -----------------------===//
//
// Shapes that must be refused before anything is allocated, and what a buffer
// that was granted looks like.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <type_traits>

using namespace fuse;
using testing::HasSubstr;
using testing::MatchesRegex;

namespace fs = std::filesystem;

static constexpr int64_t maxSize = std::numeric_limits<int64_t>::max();

static HostBuffer makeBuffer(ElementType type, std::vector<int64_t> shape) {
  Result<HostBuffer> buffer = HostBuffer::allocate(type, std::move(shape));
  if (!buffer) {
    ADD_FAILURE() << buffer.error().message();
    std::abort();
  }
  return std::move(*buffer);
}

static std::string allocationError(ElementType type, std::vector<int64_t> shape,
                                   ErrorCode code) {
  Result<HostBuffer> buffer = HostBuffer::allocate(type, std::move(shape));
  if (buffer)
    return "";
  EXPECT_EQ(buffer.error().code(), code);
  return buffer.error().message();
}

namespace {

TEST(FormatTest, Shapes) {
  EXPECT_EQ(formatShape(std::vector<int64_t>{}), "scalar");
  EXPECT_EQ(formatShape(std::vector<int64_t>{7}), "7");
  EXPECT_EQ(formatShape(std::vector<int64_t>{128, 512}), "128x512");
  EXPECT_EQ(formatShape(std::vector<int64_t>{0, 4}), "0x4");
}

TEST(FormatTest, Bytes) {
  EXPECT_EQ(formatBytes(0), "0 bytes");
  EXPECT_EQ(formatBytes(1), "1 byte");
  EXPECT_EQ(formatBytes(1023), "1023 bytes");
  EXPECT_EQ(formatBytes(1024), "1.0 KiB");
  EXPECT_EQ(formatBytes(1536), "1.5 KiB");
  EXPECT_EQ(formatBytes((1 << 20) - 1), "1.0 MiB");
  EXPECT_EQ(formatBytes(uint64_t(1) << 42), "4.0 TiB");
  EXPECT_EQ(formatBytes(std::numeric_limits<uint64_t>::max()), "16.0 EiB");
}

TEST(BufferTest, KnowsItsShape) {
  HostBuffer buffer = makeBuffer(ElementType::BF16, {3, 5, 7});
  EXPECT_EQ(buffer.type(), ElementType::BF16);
  EXPECT_EQ(buffer.shape(), (std::vector<int64_t>{3, 5, 7}));
  EXPECT_EQ(buffer.elementCount(), 105u);
  EXPECT_EQ(buffer.sizeInBytes(), 210u);
}

TEST(BufferTest, ScalarsHaveOneElement) {
  HostBuffer buffer = makeBuffer(ElementType::F64, {});
  EXPECT_EQ(buffer.elementCount(), 1u);
  EXPECT_EQ(buffer.sizeInBytes(), 8u);
}

TEST(BufferTest, EmptyBuffersHaveAnAddress) {
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{0}, {4, 0}, {0, 1 << 20, 1 << 20}}) {
    HostBuffer buffer = makeBuffer(ElementType::F32, shape);
    EXPECT_EQ(buffer.elementCount(), 0u);
    EXPECT_EQ(buffer.sizeInBytes(), 0u);
    ASSERT_NE(buffer.data(), nullptr);
    buffer.poison();
    buffer.zero();
  }
}

TEST(BufferTest, IsAligned) {
  for (int64_t size = 0; size < 200; size += 7) {
    HostBuffer buffer = makeBuffer(ElementType::I8, {size});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
  }
}

TEST(BufferTest, StartsAsZeroes) {
  HostBuffer buffer = makeBuffer(ElementType::I8, {1000});
  for (size_t i = 0; i < buffer.elementCount(); ++i)
    ASSERT_EQ(loadAsInt(buffer.type(), buffer.data(), i), 0);
}

TEST(BufferTest, PoisonIsNaNInFloats) {
  for (ElementType type :
       {ElementType::F8E4M3FN, ElementType::BF16, ElementType::F16,
        ElementType::F32, ElementType::F64}) {
    HostBuffer buffer = makeBuffer(type, {9});
    buffer.poison();
    for (size_t i = 0; i < 9; ++i)
      EXPECT_TRUE(std::isnan(loadAsDouble(type, buffer.data(), i)))
          << typeName(type);
    buffer.zero();
    for (size_t i = 0; i < 9; ++i)
      EXPECT_EQ(loadBits(type, buffer.data(), i), 0u);
  }
}

TEST(BufferTest, PoisonIsAPatternInIntegers) {
  HostBuffer buffer = makeBuffer(ElementType::I32, {9});
  buffer.poison();
  for (size_t i = 0; i < 9; ++i)
    EXPECT_EQ(loadBits(ElementType::I32, buffer.data(), i), 0xABABABABu);
  HostBuffer booleans = makeBuffer(ElementType::I1, {1});
  booleans.poison();
  EXPECT_GT(loadBits(ElementType::I1, booleans.data(), 0), 1u);
}

TEST(BufferTest, Moves) {
  static_assert(!std::is_copy_constructible_v<HostBuffer>);
  static_assert(!std::is_copy_assignable_v<HostBuffer>);
  static_assert(std::is_nothrow_move_constructible_v<HostBuffer>);
  HostBuffer buffer = makeBuffer(ElementType::F32, {4});
  void *data = buffer.data();
  HostBuffer other = std::move(buffer);
  EXPECT_EQ(other.data(), data);
  buffer = makeBuffer(ElementType::I8, {2});
  std::swap(buffer, other);
  EXPECT_EQ(buffer.data(), data);
  EXPECT_EQ(buffer.type(), ElementType::F32);
}

TEST(BufferTest, RefusesNegativeSizes) {
  EXPECT_EQ(allocationError(ElementType::F32, {4, -1}, ErrorCode::BadInput),
            "a buffer of shape 4x-1 of f32 has the negative size -1");
  // Not even beside a zero.
  EXPECT_THAT(allocationError(ElementType::F32, {0, -1}, ErrorCode::BadInput),
              HasSubstr("negative"));
}

TEST(BufferTest, RefusesSizesThatOverflow) {
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{maxSize},
        {maxSize, maxSize},
        {int64_t(1) << 32, int64_t(1) << 32},
        {int64_t(1) << 61},
        {0, maxSize, maxSize}})
    EXPECT_THAT(allocationError(ElementType::F32, shape, ErrorCode::BadInput),
                HasSubstr("needs more than 8.0 EiB"))
        << formatShape(shape);
  EXPECT_TRUE(requiredBytes(ElementType::I8, std::vector<int64_t>{maxSize}));
  EXPECT_FALSE(requiredBytes(ElementType::I16, std::vector<int64_t>{maxSize}));
}

TEST(BufferTest, RefusesMoreThanTheMemory) {
  EXPECT_THAT(allocationError(ElementType::F32, {1 << 24, 1 << 24},
                              ErrorCode::Unsupported),
              MatchesRegex("a buffer of shape 16777216x16777216 of f32 needs "
                           "1.0 PiB, but [0-9.]+ [KMGT]iB are available"));
}

namespace {

/// What Linux says, in a folder of its own.
class AvailableTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/fuse-memory-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root = pattern;
    write("proc/meminfo", "MemTotal:  16000 kB\nMemAvailable:    8000 kB\n");
  }
  void TearDown() override { fs::remove_all(root); }

  void write(const fs::path &name, std::string_view text) {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  }
  std::optional<uint64_t> available() { return availableMemory(root.string()); }

  fs::path root;
};

} // namespace

TEST_F(AvailableTest, IsWhatTheMachineHas) {
  EXPECT_EQ(available(), 8000u * 1024);
  fs::remove(root / "proc/meminfo");
  EXPECT_EQ(available(), std::nullopt);
}

TEST_F(AvailableTest, IsWhatTheGroupsAreAllowed) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  fs::path outer = "sys/fs/cgroup/outer", inner = outer / "inner";
  write(inner / "memory.max", "max\n");
  write(inner / "memory.current", "1000\n");
  EXPECT_EQ(available(), 8000u * 1024);
  write(outer / "memory.max", "5000\n");
  write(outer / "memory.current", "2000\n");
  EXPECT_EQ(available(), 3000u);
  // What was read from files goes when there is need.
  write(outer / "memory.stat",
        "anon 1000\ninactive_file 400\nactive_file 300\n");
  EXPECT_EQ(available(), 3700u);
  write(inner / "memory.max", "1500\n");
  EXPECT_EQ(available(), 500u);
  write(inner / "memory.current", "1600\n");
  EXPECT_EQ(available(), 0u);
}

// In a container its own group is the uppermost, whatever it is called outside.
TEST_F(AvailableTest, KnowsTheFirstVersionOfGroups) {
  write("proc/self/cgroup", "5:cpu,memory:/docker/1f\n2:cpuset:/\n0::/\n");
  fs::path group = "sys/fs/cgroup/memory";
  write(group / "memory.limit_in_bytes", "9223372036854771712\n");
  write(group / "memory.usage_in_bytes", "2000\n");
  EXPECT_EQ(available(), 8000u * 1024);
  write(group / "memory.limit_in_bytes", "5000\n");
  EXPECT_EQ(available(), 3000u);
  write(group / "memory.stat", "inactive_file 1\ntotal_inactive_file 300\n");
  EXPECT_EQ(available(), 3300u);
}

//===----------------------------------------------------------------------===//
// Error.h
//===----------------------------------------------------------------------===//

TEST(ErrorTest, Results) {
  Result<std::string> value = std::string("value");
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, "value");
  EXPECT_EQ(value->size(), 5u);
  EXPECT_EQ(std::string(*std::move(value)), "value");

  Result<std::string> failure = RuntimeError(ErrorCode::Device, "no device");
  ASSERT_FALSE(failure);
  EXPECT_EQ(failure.error().code(), ErrorCode::Device);
  RuntimeError error = failure.takeError().withContext("launch");
  EXPECT_EQ(error.message(), "launch: no device");
  EXPECT_EQ(error.code(), ErrorCode::Device);
}

TEST(ErrorTest, Statuses) {
  EXPECT_TRUE(Status::success());
  Status failure = RuntimeError(ErrorCode::Output, "disk full");
  ASSERT_FALSE(failure);
  EXPECT_EQ(failure.error().message(), "disk full");
  EXPECT_EQ(failure.takeError().code(), ErrorCode::Output);
}

} // namespace
