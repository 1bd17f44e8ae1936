//===- TensorMapTest.cpp - how the copy engine sees a tensor --------------===//
//
// What the driver would only call an invalid value has a sentence here.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/TensorMap.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

using namespace fuse;
using ::testing::HasSubstr;

namespace {

const SizeBindings bindings = {{{100, 64}}, {}, 0};

/// 64x32 of a row-major bf16 matrix, as input 0 is.
TensorMap matrix() {
  TensorMap map;
  map.type = TensorMapType::BF16;
  map.sizes = {SizeExpression::size(0, 1), SizeExpression::size(0, 0)};
  map.strides = {SizeExpression::size(0, 1) * 2};
  map.box = {64, 32};
  map.elementStrides = {1, 1};
  map.swizzle = TensorMapSwizzle::Bytes128;
  return map;
}

std::string errorAfter(const std::function<void(TensorMap &)> &change,
                       uint64_t bytes = 100 * 64 * 2) {
  TensorMap map = matrix();
  change(map);
  Result<BoundTensorMap> bound = bindTensorMap(map, bindings, bytes);
  EXPECT_FALSE(bound);
  return bound ? "" : bound.error().message();
}

TEST(TensorMapTest, ExpressionsBecomeNumbers) {
  TensorMap map = matrix();
  map.offset = 128;
  map.sizes[1] = SizeExpression::size(0, 0) - 1;
  Result<BoundTensorMap> bound = bindTensorMap(map, bindings, 100 * 64 * 2);
  ASSERT_TRUE(bound) << bound.error().message();
  EXPECT_EQ(bound->rank, 2u);
  EXPECT_EQ(bound->offset, 128u);
  EXPECT_EQ(bound->sizes[0], 64u);
  EXPECT_EQ(bound->sizes[1], 99u);
  EXPECT_EQ(bound->strides[0], 128u);
  EXPECT_EQ(bound->box[1], 32u);
}

TEST(TensorMapTest, TheFormIsChecked) {
  EXPECT_EQ(errorAfter([](TensorMap &map) { map.sizes.clear(); }),
            "a tensor map has 0 dimensions, but 1 to 5 are needed");
  EXPECT_EQ(errorAfter([](TensorMap &map) {
              map.sizes.assign(6, 1);
              map.strides.assign(5, 16);
              map.box.assign(6, 16);
              map.elementStrides.assign(6, 1);
            }),
            "a tensor map has 6 dimensions, but 1 to 5 are needed");
  EXPECT_THAT(errorAfter([](TensorMap &map) {
                map.hasArgumentStrides = true;
                map.strides.clear();
                map.offset = 16;
              }),
              HasSubstr("needs none of its own and no offset"));
  EXPECT_EQ(errorAfter([](TensorMap &map) {
              map.interleave = TensorMapInterleave::Bytes16;
            }),
            "an interleaved tensor map has 2 dimensions, but at least 3 are "
            "needed");
  EXPECT_THAT(errorAfter([](TensorMap &map) { map.strides.clear(); }),
              HasSubstr("of 2 dimensions has 0 strides, 2 box sizes and 2 "));
  EXPECT_EQ(errorAfter([](TensorMap &map) { map.box[1] = 257; }),
            "a tensor map has the box size 257 in dimension 1, but 1 to 256 is "
            "needed");
  EXPECT_THAT(errorAfter([](TensorMap &map) { map.box[1] = 0; }),
              HasSubstr("the box size 0"));
  EXPECT_EQ(errorAfter([](TensorMap &map) { map.elementStrides[0] = 9; }),
            "a tensor map has the element stride 9 in dimension 0, but 1 to 8 "
            "is needed");
  EXPECT_EQ(errorAfter([](TensorMap &map) { map.box[0] = 7; }),
            "a tensor map has rows of 14 bytes in its box, but a multiple of "
            "16 is needed");
  EXPECT_THAT(errorAfter([](TensorMap &map) { map.box[0] = 12; }),
              HasSubstr("has rows of 24 bytes in its box"));
  EXPECT_EQ(errorAfter([](TensorMap &map) { map.box[0] = 128; }),
            "a tensor map has rows of 256 bytes in its box, but at most 128 "
            "can be swizzled");
  EXPECT_EQ(errorAfter([](TensorMap &map) {
              map.type = TensorMapType::U16;
              map.fill = TensorMapFill::NaN;
            }),
            "a tensor map of u16 fills in NaN, but a float is needed for that");
  EXPECT_THAT(errorAfter([](TensorMap &map) {
                map.sizes.push_back(1);
                map.strides.push_back(16);
                map.box.push_back(1);
                map.elementStrides.push_back(1);
                map.interleave = TensorMapInterleave::Bytes32;
              }),
              HasSubstr("is not swizzled by 32 bytes"));
}

TEST(TensorMapTest, TheNumbersAreChecked) {
  EXPECT_EQ(errorAfter([](TensorMap &map) { map.offset = 8; }),
            "a tensor map starts at byte 8, but a multiple of 16 is needed");
  EXPECT_THAT(errorAfter([](TensorMap &map) { map.offset = -16; }),
              HasSubstr("starts at byte -16"));
  EXPECT_EQ(errorAfter([](TensorMap &map) { map.sizes[1] = 0; }),
            "a tensor map has the size 0 in dimension 1, but 1 to 2^32 is "
            "needed");
  EXPECT_EQ(errorAfter([](TensorMap &map) { map.strides[0] = 26; }),
            "a tensor map has a stride of 26 bytes in dimension 1, but a "
            "multiple of 16 below 2^40 is needed");
  EXPECT_THAT(errorAfter([](TensorMap &map) { map.strides[0] = -16; }),
              HasSubstr("has a stride of -16 bytes"));
  EXPECT_THAT(
      errorAfter([](TensorMap &map) { map.strides[0] = int64_t(1) << 40; }),
      HasSubstr("has a stride of 1099511627776 bytes"));
  EXPECT_THAT(
      errorAfter([](TensorMap &map) { map.sizes[1] = (int64_t(1) << 32) + 1; }),
      HasSubstr("has the size 4294967297 in dimension 1"));
  EXPECT_EQ(errorAfter([](TensorMap &) {}, 100 * 64 * 2 - 1),
            "a tensor map reaches to byte 12799, but its buffer has 12799 "
            "bytes");
  EXPECT_EQ(errorAfter([](TensorMap &map) { map.sizes[0] = 65; }),
            "a tensor map reaches to byte 12801, but its buffer has 12800 "
            "bytes");
  EXPECT_THAT(errorAfter([](TensorMap &map) {
                map.sizes[1] = int64_t(1) << 32;
                map.strides[0] = (int64_t(1) << 40) - 16;
              }),
              HasSubstr("reaches further than 64 bits count"));
  EXPECT_EQ(errorAfter([](TensorMap &map) {
              map.sizes[0] = SizeExpression::size(7, 0);
            }),
            "size 0 of input 7 is not known");
}

TEST(TensorMapTest, EveryElementTypeHasOneOfItsSize) {
  for (ElementType type :
       {ElementType::I1, ElementType::I8, ElementType::I16, ElementType::I32,
        ElementType::I64, ElementType::Index, ElementType::F8E4M3FN,
        ElementType::BF16, ElementType::F16, ElementType::F32,
        ElementType::F64})
    EXPECT_EQ(byteSize(tensorMapTypeFor(type)), byteSize(type));
  EXPECT_EQ(typeName(TensorMapType::TF32FlushSubnormals), "tf32 ftz");
  EXPECT_EQ(typeName(TensorMapType::U8), "u8");
}

} // namespace
