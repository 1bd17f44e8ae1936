//===- ElementType.cpp - the element types of buffers ---------------------===//
//
// f32 and f64 convert in hardware. The narrower floats are encoded from the
// bits of the double, for a detour through f32 would round twice.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/ElementType.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace fuse;

// Elements are copied bytewise between the host and files or devices.
static_assert(std::endian::native == std::endian::little,
              "buffers are little-endian, and so must be the host");

//===----------------------------------------------------------------------===//
// Floats of at most 16 bits
//===----------------------------------------------------------------------===//

namespace {

/// A binary format: one sign bit, then exponent, then mantissa. With infinity
/// the last exponent is IEEE 754's; without, only the all-ones pattern is NaN.
struct SmallFloat {
  int exponentBits;
  int mantissaBits;
  uint32_t maxFinite;
  bool hasInfinity;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int minExponent() const { return 1 - bias(); }
  uint32_t signBit() const { return 1u << (exponentBits + mantissaBits); }
};

} // namespace

static constexpr SmallFloat f8E4M3FN = {4, 3, 0x7E, /*hasInfinity=*/false};
static constexpr SmallFloat bf16 = {8, 7, 0x7F7F, /*hasInfinity=*/true};
static constexpr SmallFloat f16 = {5, 10, 0x7BFF, /*hasInfinity=*/true};

static constexpr int doubleMantissaBits = 52;
static constexpr int doubleBias = 1023;
static constexpr uint64_t doubleSignBit = uint64_t(1) << 63;
static constexpr uint64_t doubleImplicitBit = uint64_t(1) << doubleMantissaBits;
static constexpr uint64_t doubleQuietBit = doubleImplicitBit >> 1;
static constexpr uint64_t doubleInfinity = uint64_t(0x7FF)
                                           << doubleMantissaBits;

static uint32_t encodeNaN(const SmallFloat &format, uint64_t magnitude) {
  if (!format.hasInfinity)
    return format.maxFinite + 1;
  uint64_t payload = (magnitude & (doubleImplicitBit - 1)) >>
                     (doubleMantissaBits - format.mantissaBits);
  uint32_t quietBit = 1u << (format.mantissaBits - 1);
  return (format.maxFinite + 1) | quietBit | static_cast<uint32_t>(payload);
}

static uint32_t encodeMagnitude(const SmallFloat &format, uint64_t magnitude) {
  if (magnitude > doubleInfinity)
    return encodeNaN(format, magnitude);
  uint32_t overflow = format.maxFinite + (format.hasInfinity ? 1 : 0);
  if (magnitude == doubleInfinity)
    return overflow;
  // Zero, or a subnormal of double: far below half of any small subnormal.
  if (magnitude < doubleImplicitBit)
    return 0;

  int exponent = static_cast<int>(magnitude >> doubleMantissaBits) - doubleBias;
  int belowNormal = std::max(format.minExponent() - exponent, 0);
  int shift = doubleMantissaBits - format.mantissaBits + belowNormal;
  // The significand has 53 bits: shifted by more it is less than half an ulp.
  if (shift > doubleMantissaBits + 1)
    return 0;
  uint64_t significand =
      (magnitude & (doubleImplicitBit - 1)) | doubleImplicitBit;
  uint64_t kept = significand >> shift;
  uint64_t dropped = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  if (dropped > half || (dropped == half && (kept & 1)))
    ++kept;

  // `kept` still has its implicit bit, which stands for exponent field 1; a
  // carry out of the mantissa moves on to the next exponent by itself.
  uint64_t field = std::max(exponent - format.minExponent(), 0);
  uint64_t encoded = (field << format.mantissaBits) + kept;
  return encoded > format.maxFinite ? overflow : static_cast<uint32_t>(encoded);
}

static uint32_t encode(const SmallFloat &format, double value) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint32_t sign = bits & doubleSignBit ? format.signBit() : 0;
  return sign | encodeMagnitude(format, bits & ~doubleSignBit);
}

static double decode(const SmallFloat &format, uint32_t bits) {
  uint64_t sign = bits & format.signBit() ? doubleSignBit : 0;
  uint32_t magnitude = bits & (format.signBit() - 1);
  uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  int field = static_cast<int>(magnitude >> format.mantissaBits);
  int widening = doubleMantissaBits - format.mantissaBits;

  uint64_t result;
  if (magnitude > format.maxFinite) {
    result = doubleInfinity;
    if (!format.hasInfinity)
      result |= doubleQuietBit;
    else if (mantissa != 0)
      result |= doubleQuietBit | uint64_t(mantissa) << widening;
  } else if (field == 0) {
    // Zero or subnormal; the product is exact.
    result = std::bit_cast<uint64_t>(
        std::ldexp(mantissa, format.minExponent() - format.mantissaBits));
  } else {
    uint64_t exponent = field - format.bias() + doubleBias;
    result = exponent << doubleMantissaBits | uint64_t(mantissa) << widening;
  }
  return std::bit_cast<double>(sign | result);
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

size_t fuse::byteSize(ElementType type) {
  switch (type) {
  case ElementType::I1:
  case ElementType::I8:
  case ElementType::F8E4M3FN:
    return 1;
  case ElementType::I16:
  case ElementType::BF16:
  case ElementType::F16:
    return 2;
  case ElementType::I32:
  case ElementType::F32:
    return 4;
  case ElementType::I64:
  case ElementType::Index:
  case ElementType::F64:
    return 8;
  }
  __builtin_unreachable();
}

std::string_view fuse::typeName(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "i1";
  case ElementType::I8:
    return "i8";
  case ElementType::I16:
    return "i16";
  case ElementType::I32:
    return "i32";
  case ElementType::I64:
    return "i64";
  case ElementType::Index:
    return "index";
  case ElementType::F8E4M3FN:
    return "f8E4M3FN";
  case ElementType::BF16:
    return "bf16";
  case ElementType::F16:
    return "f16";
  case ElementType::F32:
    return "f32";
  case ElementType::F64:
    return "f64";
  }
  __builtin_unreachable();
}

bool fuse::isFloat(ElementType type) { return type >= ElementType::F8E4M3FN; }

bool fuse::isInteger(ElementType type) { return !isFloat(type); }

double fuse::epsilon(ElementType type) {
  switch (type) {
  case ElementType::F8E4M3FN:
    return 0x1p-4;
  case ElementType::BF16:
    return 0x1p-8;
  case ElementType::F16:
    return 0x1p-11;
  case ElementType::F32:
    return 0x1p-24;
  case ElementType::F64:
    return 0x1p-53;
  default:
    return 0;
  }
}

double fuse::smallestNormal(ElementType type) {
  switch (type) {
  case ElementType::F8E4M3FN:
    return 0x1p-6;
  case ElementType::F16:
    return 0x1p-14;
  case ElementType::BF16:
  case ElementType::F32:
    return 0x1p-126;
  case ElementType::F64:
    return 0x1p-1022;
  default:
    return 0;
  }
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

/// Through memcpy: elements may lie unaligned in a file's image, and the memory
/// was not created as an array of T.
template <class T> static T load(const void *base, size_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(base) + index * sizeof(T),
              sizeof(T));
  return value;
}

template <class T> static void store(void *base, size_t index, T value) {
  std::memcpy(static_cast<char *>(base) + index * sizeof(T), &value, sizeof(T));
}

template <class T>
static void storeSaturated(void *base, size_t index, int64_t value) {
  using Limits = std::numeric_limits<T>;
  store<T>(
      base, index,
      static_cast<T>(std::clamp<int64_t>(value, Limits::min(), Limits::max())));
}

static int64_t roundToInt(double value) {
  if (std::isnan(value))
    return 0;
  double rounded = std::nearbyint(value);
  // 2^63 itself does not fit; the double below it does, and so does -2^63.
  if (rounded >= 0x1p63)
    return std::numeric_limits<int64_t>::max();
  if (rounded < -0x1p63)
    return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(rounded);
}

/// A double that rounds to any type of at most 32 bits as `value` itself does:
/// the bits beyond a double's precision collapse into its last one ("rounding
/// to odd"), where they can no longer make or break a tie.
static double stickyDouble(int64_t value) {
  constexpr uint64_t tail = (1 << 11) - 1;
  uint64_t magnitude = value < 0 ? -uint64_t(value) : uint64_t(value);
  if (magnitude >> 53 && (magnitude & tail))
    magnitude = (magnitude & ~tail) | (tail + 1);
  double result = static_cast<double>(magnitude);
  return value < 0 ? -result : result;
}

double fuse::loadAsDouble(ElementType type, const void *base, size_t index) {
  switch (type) {
  case ElementType::F8E4M3FN:
    return decode(f8E4M3FN, load<uint8_t>(base, index));
  case ElementType::BF16:
    return decode(bf16, load<uint16_t>(base, index));
  case ElementType::F16:
    return decode(f16, load<uint16_t>(base, index));
  case ElementType::F32:
    return load<float>(base, index);
  case ElementType::F64:
    return load<double>(base, index);
  default:
    return static_cast<double>(loadAsInt(type, base, index));
  }
}

void fuse::storeDouble(ElementType type, void *base, size_t index,
                       double value) {
  switch (type) {
  case ElementType::F8E4M3FN:
    return store(base, index, static_cast<uint8_t>(encode(f8E4M3FN, value)));
  case ElementType::BF16:
    return store(base, index, static_cast<uint16_t>(encode(bf16, value)));
  case ElementType::F16:
    return store(base, index, static_cast<uint16_t>(encode(f16, value)));
  case ElementType::F32:
    return store(base, index, static_cast<float>(value));
  case ElementType::F64:
    return store(base, index, value);
  default:
    return storeInt(type, base, index, roundToInt(value));
  }
}

int64_t fuse::loadAsInt(ElementType type, const void *base, size_t index) {
  switch (type) {
  case ElementType::I1:
    return load<uint8_t>(base, index) != 0;
  case ElementType::I8:
    return load<int8_t>(base, index);
  case ElementType::I16:
    return load<int16_t>(base, index);
  case ElementType::I32:
    return load<int32_t>(base, index);
  case ElementType::I64:
  case ElementType::Index:
    return load<int64_t>(base, index);
  default:
    return roundToInt(loadAsDouble(type, base, index));
  }
}

void fuse::storeInt(ElementType type, void *base, size_t index, int64_t value) {
  switch (type) {
  case ElementType::I1:
    return store<uint8_t>(base, index, value != 0);
  case ElementType::I8:
    return storeSaturated<int8_t>(base, index, value);
  case ElementType::I16:
    return storeSaturated<int16_t>(base, index, value);
  case ElementType::I32:
    return storeSaturated<int32_t>(base, index, value);
  case ElementType::I64:
  case ElementType::Index:
    return store<int64_t>(base, index, value);
  case ElementType::F64:
    return store<double>(base, index, static_cast<double>(value));
  default:
    return storeDouble(type, base, index, stickyDouble(value));
  }
}

uint64_t fuse::loadBits(ElementType type, const void *base, size_t index) {
  switch (byteSize(type)) {
  case 1:
    return load<uint8_t>(base, index);
  case 2:
    return load<uint16_t>(base, index);
  case 4:
    return load<uint32_t>(base, index);
  default:
    return load<uint64_t>(base, index);
  }
}
