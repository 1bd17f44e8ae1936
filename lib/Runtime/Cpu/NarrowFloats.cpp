//===- NarrowFloats.cpp - conversions that code calls ---------------------===//
//
// Floats of 16 bits come and go in the lowest bits of a vector register, for
// which not every compiler has a type.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cpu/NarrowFloats.h"
#include "fuse/Runtime/ElementType.h"

#include <cstdint>
#include <emmintrin.h>

using namespace fuse;

static __m128i narrowed(ElementType type, double value) {
  uint16_t bits = 0;
  storeDouble(type, &bits, 0, value);
  return _mm_cvtsi32_si128(bits);
}

static __m128i floatToBf16(float value) {
  return narrowed(ElementType::BF16, value);
}
static __m128i doubleToBf16(double value) {
  return narrowed(ElementType::BF16, value);
}
static __m128i floatToF16(float value) {
  return narrowed(ElementType::F16, value);
}
static __m128i doubleToF16(double value) {
  return narrowed(ElementType::F16, value);
}
static float f16ToFloat(__m128i value) {
  uint16_t bits = static_cast<uint16_t>(_mm_cvtsi128_si32(value));
  return static_cast<float>(loadAsDouble(ElementType::F16, &bits, 0));
}

std::span<const NarrowFloatFunction> fuse::narrowFloatFunctions() {
  static const NarrowFloatFunction functions[] = {
      {"__truncsfbf2", reinterpret_cast<void *>(&floatToBf16)},
      {"__truncdfbf2", reinterpret_cast<void *>(&doubleToBf16)},
      {"__truncsfhf2", reinterpret_cast<void *>(&floatToF16)},
      {"__truncdfhf2", reinterpret_cast<void *>(&doubleToF16)},
      {"__extendhfsf2", reinterpret_cast<void *>(&f16ToFloat)},
  };
  return functions;
}
