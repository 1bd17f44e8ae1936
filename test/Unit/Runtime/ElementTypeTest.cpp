//===- ElementTypeTest.cpp - conversions of single elements ---------------===//
//
// The narrow floats are small enough to be tested whole: every value, and every
// point between two values where rounding turns.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/ElementType.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace fuse;

using Double = std::numeric_limits<double>;
using Int64 = std::numeric_limits<int64_t>;

static constexpr double inf = Double::infinity();
static constexpr double quietNaN = Double::quiet_NaN();

static constexpr ElementType allTypes[] = {
    ElementType::I1,   ElementType::I8,       ElementType::I16,
    ElementType::I32,  ElementType::I64,      ElementType::Index,
    ElementType::BF16, ElementType::F8E4M3FN, ElementType::F16,
    ElementType::F32,  ElementType::F64,
};

static double fromBits(ElementType type, uint64_t bits) {
  return loadAsDouble(type, &bits, 0);
}

static uint64_t toBits(ElementType type, double value) {
  uint64_t storage = 0;
  storeDouble(type, &storage, 0, value);
  return loadBits(type, &storage, 0);
}

static uint64_t intToBits(ElementType type, int64_t value) {
  uint64_t storage = 0;
  storeInt(type, &storage, 0, value);
  return loadBits(type, &storage, 0);
}

/// What `value` becomes when stored.
static double rounded(ElementType type, double value) {
  return fromBits(type, toBits(type, value));
}

static int64_t storedInt(ElementType type, double value) {
  uint64_t storage = 0;
  storeDouble(type, &storage, 0, value);
  return loadAsInt(type, &storage, 0);
}

//===----------------------------------------------------------------------===//
// Narrow floats
//===----------------------------------------------------------------------===//

namespace {

struct Narrow {
  ElementType type;
  int bits;
  uint64_t maxFinite;
  double largest;
  double smallestSubnormal;
  /// What the next value would be if the exponents went on.
  double beyondLargest;
};

class NarrowFloat : public testing::TestWithParam<Narrow> {
protected:
  const Narrow &format = GetParam();
  ElementType type = format.type;
  uint64_t signBit = uint64_t(1) << (format.bits - 1);
  bool saturates = type == ElementType::F8E4M3FN;
  double overflow = saturates ? format.largest : inf;
};

TEST_P(NarrowFloat, EveryValueRoundTrips) {
  for (uint64_t bits = 0; bits < uint64_t(1) << format.bits; ++bits) {
    double value = fromBits(type, bits);
    if (std::isnan(value)) {
      uint64_t back = toBits(type, value);
      EXPECT_TRUE(std::isnan(fromBits(type, back))) << bits;
      EXPECT_EQ(back & signBit, bits & signBit);
      // At most the quiet bit is new.
      EXPECT_LE(std::popcount(back ^ bits), 1) << bits;
      EXPECT_EQ(back & bits, bits);
    } else if (std::isinf(value) && saturates) {
      ADD_FAILURE() << "f8E4M3FN has no infinity, but " << bits << " is one";
    } else {
      ASSERT_EQ(toBits(type, value), bits) << value;
    }
  }
}

TEST_P(NarrowFloat, ValuesAscend) {
  EXPECT_EQ(fromBits(type, 0), 0);
  EXPECT_EQ(fromBits(type, 1), format.smallestSubnormal);
  EXPECT_EQ(fromBits(type, format.maxFinite), format.largest);
  for (uint64_t bits = 0; bits < format.maxFinite; ++bits) {
    ASSERT_LT(fromBits(type, bits), fromBits(type, bits + 1));
    ASSERT_EQ(fromBits(type, bits | signBit), -fromBits(type, bits));
  }
}

// A double beside the midpoint differs from it in its last bit only, so a
// detour through f32 would turn every one of these into a tie.
TEST_P(NarrowFloat, RoundingTurnsAtTheMidpoints) {
  for (uint64_t low = 0; low < format.maxFinite; ++low) {
    double below = fromBits(type, low), above = fromBits(type, low + 1);
    double middle = below + (above - below) / 2;
    ASSERT_EQ(toBits(type, middle), low + (low & 1)) << middle;
    ASSERT_EQ(toBits(type, std::nextafter(middle, 0)), low) << middle;
    ASSERT_EQ(toBits(type, std::nextafter(middle, inf)), low + 1) << middle;
    ASSERT_EQ(toBits(type, -middle), signBit | (low + (low & 1)));
    ASSERT_EQ(toBits(type, -std::nextafter(middle, 0)), signBit | low);
    ASSERT_EQ(toBits(type, -std::nextafter(middle, inf)), signBit | (low + 1));
  }
}

TEST_P(NarrowFloat, Overflows) {
  double middle = (format.largest + format.beyondLargest) / 2;
  EXPECT_EQ(rounded(type, std::nextafter(middle, 0)), format.largest);
  EXPECT_EQ(rounded(type, middle), overflow);
  EXPECT_EQ(rounded(type, format.beyondLargest), overflow);
  EXPECT_EQ(rounded(type, Double::max()), overflow);
  EXPECT_EQ(rounded(type, inf), overflow);
  EXPECT_EQ(rounded(type, -middle), -overflow);
  EXPECT_EQ(rounded(type, -Double::max()), -overflow);
  EXPECT_EQ(rounded(type, -inf), -overflow);
}

TEST_P(NarrowFloat, Underflows) {
  double half = format.smallestSubnormal / 2;
  EXPECT_EQ(toBits(type, half), 0u);
  EXPECT_EQ(toBits(type, -half), signBit);
  EXPECT_EQ(toBits(type, std::nextafter(half, 1)), 1u);
  EXPECT_EQ(toBits(type, half / 2), 0u);
  EXPECT_EQ(toBits(type, std::nextafter(half / 2, 1)), 0u);
  EXPECT_EQ(toBits(type, Double::min()), 0u);
  EXPECT_EQ(toBits(type, Double::denorm_min()), 0u);
  EXPECT_EQ(toBits(type, -Double::denorm_min()), signBit);
  EXPECT_EQ(toBits(type, -0.0), signBit);
}

TEST_P(NarrowFloat, KeepsNaN) {
  EXPECT_TRUE(std::isnan(rounded(type, quietNaN)));
  EXPECT_TRUE(std::isnan(rounded(type, -quietNaN)));
  EXPECT_TRUE(std::signbit(rounded(type, -quietNaN)));
  // A payload that is all in the bits that are dropped must not become inf.
  double lowPayload = std::bit_cast<double>(uint64_t(0x7FF0000000000001));
  EXPECT_TRUE(std::isnan(rounded(type, lowPayload)));
}

TEST_P(NarrowFloat, RoundsToTheNearest) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(
      std::log2(format.smallestSubnormal) - 3, std::log2(format.largest));
  for (int i = 0; i < 20000; ++i) {
    double value = std::exp2(exponent(random));
    uint64_t bits = toBits(type, value);
    double error = std::abs(fromBits(type, bits) - value);
    if (bits > 0) {
      ASSERT_LE(error, std::abs(fromBits(type, bits - 1) - value)) << value;
    }
    if (bits < format.maxFinite) {
      ASSERT_LE(error, std::abs(fromBits(type, bits + 1) - value)) << value;
    }
    if (value >= smallestNormal(type)) {
      ASSERT_LE(error, epsilon(type) * value);
    }
  }
}

TEST_P(NarrowFloat, EpsilonIsTheWorstError) {
  double tie = 1 + epsilon(type);
  EXPECT_EQ(rounded(type, tie), 1);
  EXPECT_EQ(rounded(type, std::nextafter(tie, 2)), 1 + 2 * epsilon(type));
}

TEST_P(NarrowFloat, SmallestNormal) {
  double normal = smallestNormal(type);
  EXPECT_EQ(rounded(type, normal), normal);
  EXPECT_EQ(format.smallestSubnormal, normal * 2 * epsilon(type));
}

INSTANTIATE_TEST_SUITE_P(
    Formats, NarrowFloat,
    testing::Values(Narrow{ElementType::F8E4M3FN, 8, 0x7E, 448, 0x1p-9, 480},
                    Narrow{ElementType::F16, 16, 0x7BFF, 65504, 0x1p-24, 65536},
                    Narrow{ElementType::BF16, 16, 0x7F7F, 0x1.FEp127, 0x1p-133,
                           0x1p128}),
    [](const auto &info) { return std::string(typeName(info.param.type)); });

TEST(ElementTypeTest, KnownEncodings) {
  EXPECT_EQ(toBits(ElementType::F16, 1), 0x3C00u);
  EXPECT_EQ(toBits(ElementType::F16, -2), 0xC000u);
  EXPECT_EQ(toBits(ElementType::F16, inf), 0x7C00u);
  EXPECT_EQ(toBits(ElementType::F16, quietNaN), 0x7E00u);
  EXPECT_EQ(toBits(ElementType::BF16, 1), 0x3F80u);
  EXPECT_EQ(toBits(ElementType::BF16, -inf), 0xFF80u);
  EXPECT_EQ(toBits(ElementType::BF16, quietNaN), 0x7FC0u);
  EXPECT_EQ(toBits(ElementType::F8E4M3FN, 1), 0x38u);
  EXPECT_EQ(toBits(ElementType::F8E4M3FN, -448), 0xFEu);
  EXPECT_EQ(toBits(ElementType::F8E4M3FN, quietNaN), 0x7Fu);
  EXPECT_TRUE(std::isnan(fromBits(ElementType::F8E4M3FN, 0xFF)));
}

// Each value is just off a tie, by less than f32 can see.
TEST(ElementTypeTest, RoundsOnceAndNotThroughF32) {
  struct Trap {
    ElementType type;
    double value, expected;
  };
  for (auto [type, value, expected] : {
           Trap{ElementType::F16, 1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-10},
           Trap{ElementType::F16, 1 + 0x3p-11 - 0x1p-40, 1 + 0x1p-10},
           Trap{ElementType::F16, 65520 - 0x1p-30, 65504},
           Trap{ElementType::F16, 0x1p-25 + 0x1p-70, 0x1p-24},
           Trap{ElementType::BF16, 1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-7},
           Trap{ElementType::BF16, 1 + 0x3p-8 - 0x1p-40, 1 + 0x1p-7},
           Trap{ElementType::BF16, 0x1p-134 + 0x1p-180, 0x1p-133},
           Trap{ElementType::F8E4M3FN, 1 + 0x1p-4 + 0x1p-40, 1 + 0x1p-3},
           Trap{ElementType::F8E4M3FN, 1 + 0x3p-4 - 0x1p-40, 1 + 0x1p-3},
       }) {
    EXPECT_EQ(rounded(type, value), expected) << value;
    EXPECT_NE(rounded(type, static_cast<float>(value)), expected)
        << "no trap: " << value;
    EXPECT_EQ(rounded(type, -value), -expected) << value;
  }
}

//===----------------------------------------------------------------------===//
// f32 and f64
//===----------------------------------------------------------------------===//

TEST(ElementTypeTest, F32) {
  EXPECT_EQ(rounded(ElementType::F32, 1 + 0x1p-24), 1);
  EXPECT_EQ(rounded(ElementType::F32, 1 + 0x1p-24 + 0x1p-50), 1 + 0x1p-23);
  EXPECT_EQ(rounded(ElementType::F32, 0x1p-149), 0x1p-149);
  EXPECT_EQ(rounded(ElementType::F32, 1e300), inf);
  EXPECT_EQ(rounded(ElementType::F32, -1e300), -inf);
  EXPECT_TRUE(std::isnan(rounded(ElementType::F32, quietNaN)));
  EXPECT_EQ(toBits(ElementType::F32, -0.0), 0x80000000u);
  EXPECT_EQ(epsilon(ElementType::F32), 0x1p-24);
  EXPECT_EQ(smallestNormal(ElementType::F32),
            std::numeric_limits<float>::min());
}

TEST(ElementTypeTest, F64) {
  for (double value : {0.1, -0.0, Double::max(), Double::denorm_min(), -inf})
    EXPECT_EQ(toBits(ElementType::F64, value), std::bit_cast<uint64_t>(value));
  EXPECT_TRUE(std::isnan(rounded(ElementType::F64, quietNaN)));
  EXPECT_EQ(epsilon(ElementType::F64), Double::epsilon() / 2);
  EXPECT_EQ(smallestNormal(ElementType::F64), Double::min());
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

TEST(ElementTypeTest, IntegersRoundToNearestEven) {
  for (ElementType type : {ElementType::I8, ElementType::I16, ElementType::I32,
                           ElementType::I64, ElementType::Index}) {
    EXPECT_EQ(storedInt(type, 0.5), 0);
    EXPECT_EQ(storedInt(type, 1.5), 2);
    EXPECT_EQ(storedInt(type, 2.5), 2);
    EXPECT_EQ(storedInt(type, -0.5), 0);
    EXPECT_EQ(storedInt(type, -1.5), -2);
    EXPECT_EQ(storedInt(type, -2.5), -2);
    EXPECT_EQ(storedInt(type, std::nextafter(0.5, 1)), 1);
    EXPECT_EQ(storedInt(type, std::nextafter(0.5, 0)), 0);
    EXPECT_EQ(storedInt(type, quietNaN), 0);
  }
}

} // namespace

template <class T> static void expectSaturation(ElementType type) {
  using Limits = std::numeric_limits<T>;
  for (double value : {1e30, inf, -double(Limits::min())}) {
    EXPECT_EQ(storedInt(type, value), Limits::max()) << typeName(type);
    EXPECT_EQ(storedInt(type, -value), Limits::min()) << typeName(type);
  }
  for (int64_t value : {Int64::min(), int64_t(Limits::min())})
    EXPECT_EQ(static_cast<T>(intToBits(type, value)), Limits::min());
  for (int64_t value : {Int64::max(), int64_t(Limits::max())})
    EXPECT_EQ(static_cast<T>(intToBits(type, value)), Limits::max());
}

namespace {

TEST(ElementTypeTest, IntegersSaturate) {
  expectSaturation<int8_t>(ElementType::I8);
  expectSaturation<int16_t>(ElementType::I16);
  expectSaturation<int32_t>(ElementType::I32);
  expectSaturation<int64_t>(ElementType::I64);
  expectSaturation<int64_t>(ElementType::Index);
  EXPECT_EQ(storedInt(ElementType::I8, 127.4), 127);
  EXPECT_EQ(storedInt(ElementType::I8, 127.5), 127);
  EXPECT_EQ(storedInt(ElementType::I8, -128.5), -128);
  EXPECT_EQ(storedInt(ElementType::I64, std::nextafter(0x1p63, 0)),
            Int64::max() - 1023);
}

TEST(ElementTypeTest, IntegersAreExact) {
  for (int64_t value : {Int64::max(), Int64::min(), int64_t(0x1p53) + 1}) {
    int64_t storage = 0;
    storeInt(ElementType::I64, &storage, 0, value);
    EXPECT_EQ(storage, value);
    EXPECT_EQ(loadAsInt(ElementType::Index, &storage, 0), value);
  }
  for (int64_t value = -128; value < 128; ++value)
    EXPECT_EQ(storedInt(ElementType::I8, static_cast<double>(value)), value);
}

TEST(ElementTypeTest, I1IsATruthValue) {
  EXPECT_EQ(toBits(ElementType::I1, 1), 1u);
  EXPECT_EQ(toBits(ElementType::I1, -1), 1u);
  EXPECT_EQ(toBits(ElementType::I1, 256), 1u);
  EXPECT_EQ(toBits(ElementType::I1, inf), 1u);
  EXPECT_EQ(toBits(ElementType::I1, 0.5), 0u);
  EXPECT_EQ(toBits(ElementType::I1, quietNaN), 0u);
  EXPECT_EQ(intToBits(ElementType::I1, -1), 1u);
  EXPECT_EQ(intToBits(ElementType::I1, 256), 1u);
  EXPECT_EQ(intToBits(ElementType::I1, 0), 0u);
  EXPECT_EQ(fromBits(ElementType::I1, 0xAB), 1);
}

TEST(ElementTypeTest, FloatsAsIntegers) {
  auto stored = [](ElementType type, double value) {
    return storedInt(type, value);
  };
  EXPECT_EQ(stored(ElementType::F32, 2.5), 2);
  EXPECT_EQ(stored(ElementType::F16, -3.5), -4);
  EXPECT_EQ(stored(ElementType::F64, 1e300), Int64::max());
  EXPECT_EQ(stored(ElementType::BF16, -1e30), Int64::min());
  EXPECT_EQ(stored(ElementType::F64, quietNaN), 0);
}

TEST(ElementTypeTest, IntegersAsFloatsRoundOnce) {
  auto stored = [](ElementType type, int64_t value) {
    return fromBits(type, intToBits(type, value));
  };
  // Just above a tie, by less than a double can see.
  int64_t trap = (int64_t(1) << 62) + (int64_t(1) << 38) + 1;
  EXPECT_EQ(stored(ElementType::F32, trap), 0x1p62 + 0x1p39);
  EXPECT_EQ(stored(ElementType::F32, -trap), -0x1p62 - 0x1p39);
  EXPECT_EQ(stored(ElementType::F32, trap - 1), 0x1p62);
  EXPECT_EQ(stored(ElementType::F32, trap - 2), 0x1p62);
  trap = (int64_t(1) << 62) + (int64_t(1) << 54) + 1;
  EXPECT_EQ(stored(ElementType::BF16, trap), 0x1p62 + 0x1p55);
  EXPECT_EQ(stored(ElementType::BF16, trap - 1), 0x1p62);
  EXPECT_EQ(stored(ElementType::F64, (int64_t(1) << 53) + 1), 0x1p53);
  EXPECT_EQ(stored(ElementType::F64, Int64::max()), 0x1p63);
  EXPECT_EQ(stored(ElementType::F32, Int64::min()), -0x1p63);
  EXPECT_EQ(stored(ElementType::F16, 65519), 65504);
  EXPECT_EQ(stored(ElementType::F16, 65520), inf);
  EXPECT_EQ(stored(ElementType::F8E4M3FN, Int64::min()), -448);

  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    int64_t value = static_cast<int64_t>(random()) >> (random() % 64);
    ASSERT_EQ(stored(ElementType::F32, value), static_cast<float>(value));
    ASSERT_EQ(stored(ElementType::F64, value), static_cast<double>(value));
  }
}

//===----------------------------------------------------------------------===//
// Properties and access
//===----------------------------------------------------------------------===//

TEST(ElementTypeTest, Properties) {
  std::string names;
  for (ElementType type : allTypes) {
    EXPECT_NE(isFloat(type), isInteger(type));
    EXPECT_EQ(isFloat(type), epsilon(type) > 0);
    EXPECT_EQ(isFloat(type), smallestNormal(type) > 0);
    names += std::string(typeName(type)) + std::to_string(byteSize(type)) + " ";
  }
  EXPECT_EQ(names, "i11 i81 i162 i324 i648 index8 bf162 f8E4M3FN1 f162 f324 "
                   "f648 ");
}

TEST(ElementTypeTest, AccessTouchesOneElementOnly) {
  for (ElementType type : allTypes) {
    // One byte further on, so that nothing is aligned.
    unsigned char bytes[1 + 3 * 8];
    std::memset(bytes, 0x55, sizeof(bytes));
    size_t size = byteSize(type);
    storeDouble(type, bytes + 1, 1, 1);
    EXPECT_EQ(loadAsDouble(type, bytes + 1, 1), 1) << typeName(type);
    EXPECT_EQ(loadAsInt(type, bytes + 1, 1), 1) << typeName(type);
    for (size_t i = 0; i < sizeof(bytes); ++i)
      if (i < 1 + size || i >= 1 + 2 * size) {
        EXPECT_EQ(bytes[i], 0x55) << typeName(type) << " at " << i;
      }
  }
}

TEST(ElementTypeTest, LoadBitsTellsZeroesAndNaNsApart) {
  float values[] = {0.0f, -0.0f, std::bit_cast<float>(0x7F800001)};
  EXPECT_EQ(loadBits(ElementType::F32, values, 0), 0u);
  EXPECT_EQ(loadBits(ElementType::F32, values, 1), 0x80000000u);
  EXPECT_EQ(loadBits(ElementType::F32, values, 2), 0x7F800001u);
  int8_t negative = -1;
  EXPECT_EQ(loadBits(ElementType::I8, &negative, 0), 0xFFu);
}

} // namespace
