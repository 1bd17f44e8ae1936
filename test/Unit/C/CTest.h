//===- CTest.h - tests of the functions for C -------------------*- C++ -*-===//
//
// Images of tests as handles, and arrays as C describes them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_UNIT_C_CTEST_H
#define FUSE_TEST_UNIT_C_CTEST_H

#include "TestImage.h"
#include "fuse-c/Fuse.h"
#include <gmock/gmock.h>

namespace fuse {

inline FuseImage parse(const Image &image) {
  std::string bytes = serializeImage(image);
  FuseImage handle = nullptr;
  EXPECT_EQ(fuse_image_parse(bytes.data(), bytes.size(), &handle), FUSE_OK)
      << fuse_last_error();
  return handle;
}

/// An array of f32 in rows.
struct TestArray {
  TestArray(std::vector<int64_t> sizes, void *data, FuseDeviceKind kind)
      : shape(std::move(sizes)) {
    array.data = data;
    array.shape = shape.data();
    array.rank = static_cast<int32_t>(shape.size());
    array.type = FUSE_F32;
    array.device_kind = kind;
  }
  TestArray(const TestArray &) = delete;
  TestArray &operator=(const TestArray &) = delete;

  std::vector<int64_t> shape;
  FuseArray array = {};
};

/// What a call that has to fail says.
#define EXPECT_FAILS(status, call, message)                                    \
  do {                                                                         \
    EXPECT_EQ(call, status);                                                   \
    EXPECT_THAT(fuse_last_error(), ::testing::HasSubstr(message));             \
    EXPECT_EQ(std::string(fuse_last_error()).find('\n'), std::string::npos);   \
  } while (false)

} // namespace fuse

#endif // FUSE_TEST_UNIT_C_CTEST_H
